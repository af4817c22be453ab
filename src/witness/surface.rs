//! The share of D on bins that lie in a plane: intervals of one number for each value of another, as
//! what a mechanism that stops releases last, by how much it released. Bins that lie near to one
//! another tell much the same, and the loss mostly grows towards an edge of the plane, where there
//! are too few outcomes to see it: each bin learns from all of them.
//!
//! A logistic regression: the log-odds rise or fall with the number, and in steps; each of these also
//! by as much as the other value is high, and some of them with hinges in it (splines of degree 1:
//! Hastie, Tibshirani & Friedman 2009, section 5.2). Several priors of its weights are tried, and what
//! they lead to is averaged by their evidence. It only chooses; nothing that is certified rests on it.

use super::cut::Cut;
use super::free::cut_by_shares;
use super::logistic::{Design, Errors};
use super::posterior::logistic;
use super::predict::Goal;
use super::{Guess, Scorer};
use crate::tally::Tally;
use statrs::distribution::{ContinuousCDF, Normal};
use std::ops::Range;

/// Standard deviations of the weights of slopes, steps and the constant, and of the hinges, in losses
/// of the usual size.
const SCALES: [(f64, f64); 8] = [
    (0.7, 0.05),
    (0.7, 0.2),
    (0.7, 0.5),
    (2.0, 0.2),
    (2.0, 0.5),
    (2.0, 2.0),
    (8.0, 8.0),
    (32.0, 32.0),
];
/// The values lie in ± this, in the order that they have.
const HALF_WIDTH: f64 = 1.5;
/// The number's normal scores are taken for at most ± this.
const HALF_HEIGHT: f64 = 2.25;
/// Middles of the steps.
const MIDDLES: [f64; 5] = [-1.5, -0.75, 0.0, 0.75, 1.5];
/// Half of a step's width.
const STEP_WIDTH: f64 = 0.4;
/// Where hinges are.
const HINGES: [f64; 7] = [-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2];
/// Those of [`MIDDLES`] that go with hinges.
const HINGED: Range<usize> = 1..4;
/// So many times what a curve's would does the surface's own doubt count: it goes on where there are
/// few outcomes.
const CAUTION: f64 = 2.0;
/// Scales whose evidence is so many times that of the likeliest, or more, are likely.
const LIKELY: f64 = 0.1;
/// Newton's iterations.
const ITERATIONS: usize = 12;
/// Fewest bins with outcomes that make a surface.
const LEAST_BINS: usize = 12;

/// Where a bin lies.
#[derive(Clone, Copy)]
struct Place {
    bin: usize,
    across: f64,
    up: f64,
}

/// The bins of a plane that promise most by a surface through them, and that surface; `None` where they
/// make none, and for scorers whose bins lie in no plane. May promise nothing. With `like`, a surface
/// through more counts of the same scorer, only the scales that were likely there are tried.
pub(super) fn surface_cut(
    scorer: &Scorer,
    pooled: &Tally,
    like: Option<&Surface>,
    goal: &Goal,
) -> Option<(Cut, Surface)> {
    let Scorer::Joint { .. } = scorer.looking() else { return None };
    let seen = |bin: usize| pooled.d[bin] + pooled.d_prime[bin] > 0;
    let lines: Vec<Range<usize>> =
        scorer.lines().into_iter().filter(|line| line.clone().any(seen)).collect();
    if lines.len() < 2
        || lines.iter().cloned().flatten().filter(|&bin| seen(bin)).count() < LEAST_BINS
    {
        return None;
    }
    let places = places(scorer, &lines, pooled);
    let (shares, surface) = shares(&places, pooled, like, goal)?;
    let bins = places.iter().map(|place| place.bin).collect();
    let mut best = cut_by_shares(bins, &shares, pooled, goal);
    best.error = Some(surface.error(&places, &best, pooled));
    Some((best, surface))
}

/// Each bin by its line's rank and by the normal score of its number's among all. Where lines share
/// their intervals, the bins of one interval follow one another by line: audits of the sparse vector
/// that releases its noisy answer found less with the same score for all of them.
fn places(scorer: &Scorer, lines: &[Range<usize>], pooled: &Tally) -> Vec<Place> {
    let across = |at: usize| HALF_WIDTH * (2.0 * at as f64 / (lines.len() - 1) as f64 - 1.0);
    let mut places: Vec<Place> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let values = scorer.places(line).into_iter().zip(line.clone());
        let values = values.filter(|(value, _)| value.is_finite());
        places.extend(values.map(|(up, bin)| Place { bin, across: across(at), up }));
    }
    places.sort_by(|a, b| a.up.total_cmp(&b.up));
    let count = |place: &Place| (pooled.d[place.bin] + pooled.d_prime[place.bin]) as f64;
    let total: f64 = places.iter().map(count).sum();
    let normal = Normal::standard();
    let mut below = 0.0;
    for place in &mut places {
        let own = count(place);
        let score = normal.inverse_cdf((below + 0.5 * own + 0.5) / (total + 1.0));
        place.up = score.clamp(-HALF_HEIGHT, HALF_HEIGHT);
        below += own;
    }
    places
}

/// The likeliest of the surfaces that were tried.
pub(super) struct Surface {
    design: Design,
    errors: Errors,
    weights: Vec<f64>,
    /// Those of [`SCALES`] that are likely.
    scales: Vec<(f64, f64)>,
}

impl Surface {
    /// The posterior standard deviation of the mean log-odds of the bins on which a cut guesses.
    fn error(&self, places: &[Place], cut: &Cut, pooled: &Tally) -> f64 {
        let mut sums: Vec<f64> = Vec::new();
        let mut made = 0.0;
        for (place, row) in places.iter().zip(self.design.rows()) {
            let sign = match cut.says[place.bin] {
                Guess::D => 1.0,
                Guess::DPrime => -1.0,
                Guess::Abstain => continue,
            };
            let outcomes = (pooled.d[place.bin] + pooled.d_prime[place.bin]) as f64;
            made += outcomes;
            sums.resize(row.len(), 0.0);
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += sign * outcomes * x);
        }
        if made == 0.0 {
            return f64::INFINITY;
        }
        sums.iter_mut().for_each(|sum| *sum /= made);
        self.errors.of(&sums)
    }
}

/// The share of D of each bin and its standard deviation (NaN and 0 of bins that have no place).
fn shares(
    places: &[Place],
    pooled: &Tally,
    like: Option<&Surface>,
    goal: &Goal,
) -> Option<(Vec<(f64, f64)>, Surface)> {
    let offset = (pooled.trials_d() as f64 / pooled.trials_d_prime() as f64).ln();
    let mut design = Design::new(COLUMNS, offset);
    for place in places {
        let counts = [pooled.d[place.bin] as f64, pooled.d_prime[place.bin] as f64];
        design.push_counts(counts, |column| entry(place, column));
    }
    let loss = goal.typical_loss();
    let mut start = like.map_or_else(|| vec![0.0; COLUMNS + 1], |like| like.weights.clone());
    let scales = like.map_or(&SCALES[..], |like| &like.scales);
    let fits = scales.iter().filter_map(|&scale| {
        let (slope, hinge) = scale;
        let mut precision = vec![(slope * loss).powi(-2); COLUMNS + 1];
        precision[SLOPES..COLUMNS].fill((hinge * loss).powi(-2));
        let fit = design.fit_with(&precision, &start, ITERATIONS)?;
        start.copy_from_slice(fit.weights());
        let ln_evidence = design.ln_evidence(&fit, &precision)?;
        ln_evidence.is_finite().then_some((scale, fit, ln_evidence))
    });
    let fits: Vec<_> = fits.collect();
    let (_, likeliest, most) = fits.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
    let errors = likeliest.errors()?;
    let mut log_odds = vec![0.0; places.len()];
    let mut total = 0.0;
    let mut scales = Vec::new();
    for (scale, fit, ln_evidence) in &fits {
        let weight = (ln_evidence - most).exp();
        total += weight;
        log_odds.iter_mut().zip(design.log_odds(fit)).for_each(|(sum, x)| *sum += weight * x);
        if weight > LIKELY {
            scales.push(*scale);
        }
    }
    let weights = likeliest.weights().to_vec();
    let mut shares = vec![(f64::NAN, 0.0); pooled.bins()];
    for ((place, log_odds), row) in places.iter().zip(log_odds).zip(design.rows()) {
        let share = logistic(offset + log_odds / total);
        shares[place.bin] = (share, CAUTION * share * (1.0 - share) * errors.of(row));
    }
    Some((shares, Surface { design, errors, weights, scales }))
}

/// Slopes and steps, and what each is times the value: but for the constant, which comes last.
const SLOPES: usize = 2 * (MIDDLES.len() + 2) - 1;
/// With the hinges.
const COLUMNS: usize = SLOPES + HINGES.len() * (1 + HINGED.end - HINGED.start);

/// What the regression looks at.
fn entry(place: &Place, column: usize) -> f64 {
    let step = |at: usize| ((place.up - MIDDLES[at]) / STEP_WIDTH).tanh();
    match column.checked_sub(SLOPES) {
        None if column == 0 => place.across,
        None => {
            let of_number = match (column - 1) / 2 {
                0 => place.up,
                at => step(at - 1),
            };
            if column.is_multiple_of(2) { place.across * of_number } else { of_number }
        }
        Some(at) => {
            let hinge = (place.across - HINGES[at % HINGES.len()]).abs();
            match at / HINGES.len() {
                0 => hinge,
                step_at => hinge * step(HINGED.start + step_at - 1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claim;
    use crate::witness::{Case, Statistic};
    use rand::{RngExt, SeedableRng};

    const CASES: usize = 10;
    const EDGES: i32 = 30;

    /// Ten lengths, each half as frequent as the one before, and 31 intervals of the last entry.
    fn scorer() -> Scorer {
        let edges: Vec<f64> = (0..EDGES).map(|at| f64::from(at - EDGES / 2)).collect();
        let case = |at: usize| Case { value: (at + 1) as f64, edges: edges.clone() };
        let (by, of) = (Statistic::Length, Statistic::Last);
        Scorer::Joint { by, of, cases: (0..CASES).map(case).collect() }
    }

    /// Counts of so many outcomes under each dataset, rounded down, if the privacy loss of a bin is
    /// this of its length (0 to 9) and its interval (0 to 30).
    fn tally(outcomes: f64, loss: impl Fn(usize, usize) -> f64) -> Tally {
        let scorer = scorer();
        let mut tally = Tally::new(scorer.bins());
        for (length, line) in scorer.lines().into_iter().enumerate() {
            let bins = line.len() as f64;
            for (at, bin) in line.enumerate() {
                let both = outcomes * 0.5f64.powi(length as i32) / bins;
                let share = logistic(loss(length, at));
                tally.d[bin] = (both * share) as u64;
                tally.d_prime[bin] = (both * (1.0 - share)) as u64;
            }
        }
        // What came otherwise makes both sides alike.
        let (d, d_prime) = (tally.trials_d(), tally.trials_d_prime());
        let last = scorer.bins() - 1;
        (tally.d[last], tally.d_prime[last]) = (d.max(d_prime) - d, d.max(d_prime) - d_prime);
        tally
    }

    fn goal(trials: u64) -> Goal {
        Goal::new(Claim::pure(0.1).unwrap(), 0.05, trials)
    }

    fn cut_of(counts: &Tally, trials: u64) -> Cut {
        surface_cut(&scorer(), counts, None, &goal(trials)).unwrap().0
    }

    #[test]
    fn a_rare_corner_is_found_by_what_leads_to_it() {
        // The loss grows with the length, where the last entry is small: at the end one of two
        // thousand outcomes has a loss of 0.45. Some thirty of them are seen, one in a bin under
        // either dataset: by themselves they tell nothing.
        let loss = |length: usize, at: usize| if at < 15 { 0.05 * length as f64 } else { 0.0 };
        let explored = tally(50_000.0, loss);
        let cut = cut_of(&explored, 10_000_000);
        let mut in_corner = [0, 0];
        for (length, line) in scorer().lines().into_iter().enumerate() {
            for (at, bin) in line.enumerate() {
                match cut.says[bin] {
                    Guess::D => in_corner[usize::from(length >= 6 && at < 16)] += 1,
                    Guess::DPrime => panic!("length {length}, interval {at}"),
                    Guess::Abstain => {}
                }
            }
        }
        assert!(in_corner[1] >= 12 && in_corner[0] == 0, "{in_corner:?}");
        assert!((0.2..0.45).contains(&cut.predicted), "{}", cut.predicted);
        assert!(cut.error.is_some_and(|error| error < 0.1), "{:?}", cut.error);
    }

    /// Each bin's outcomes are drawn from both datasets alike, with fixed seeds. The most that was
    /// promised when this was written is 0.04; the claim is 0.1.
    #[test]
    fn where_nothing_tells_next_to_nothing_is_promised() {
        let mut most: f64 = 0.0;
        for seed in 1..=60 {
            let mut random = crate::mechanism::Stream::seed_from_u64(seed);
            let mut counts = tally(100_000.0, |_, _| 0.0);
            for (d, d_prime) in counts.d.iter_mut().zip(&mut counts.d_prime) {
                let both = *d + *d_prime;
                *d = (0..both).map(|_| u64::from(random.random_bool(0.5))).sum();
                *d_prime = both - *d;
            }
            let cut = cut_of(&counts, 1_000_000);
            most = most.max(cut.predicted);
        }
        assert!(most < 0.1, "{most}");
    }

    #[test]
    fn sides_that_are_apart_and_empty_bins_end_in_finite_numbers() {
        let apart = tally(1000.0, |length, _| if length % 2 == 0 { 50.0 } else { -50.0 });
        let cut = cut_of(&apart, 10_000);
        assert!(cut.predicted > 1.0 && cut.predicted.is_finite(), "{}", cut.predicted);
    }

    #[test]
    fn a_few_bins_and_other_scorers_make_no_surface() {
        let first_of_lines = scorer().lines().into_iter().map(|line| line.start);
        let seconds = scorer().lines().into_iter().map(|line| line.start + 1);
        let bins: Vec<usize> = first_of_lines.chain(seconds).collect();
        let makes = |bins: &[usize]| {
            let mut few = Tally::new(scorer().bins());
            for &bin in bins {
                (few.d[bin], few.d_prime[bin]) = (9, 9);
            }
            surface_cut(&scorer(), &few, None, &goal(100)).is_some()
        };
        assert!(makes(&bins[..LEAST_BINS]));
        assert!(!makes(&bins[..LEAST_BINS - 1]));
        // One line is no plane.
        assert!(!makes(&scorer().lines()[0].clone().collect::<Vec<_>>()));
        let shape = Scorer::Shape { shapes: vec![] };
        let tally = Tally { d: vec![5], d_prime: vec![5] };
        assert!(surface_cut(&shape, &tally, None, &goal(100)).is_none());
    }
}

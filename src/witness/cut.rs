//! Cutting: which bins say D, which say D', by the bound that the confirm trials are predicted to
//! give. Everything here is an estimate from explore trials.

use super::curve::{self, Expected, Plain};
use super::folds::{Counts, Folds};
use super::free::{self, by_share, free_cut};
use super::line::{curve_cut, tail_cut};
use super::posterior;
use super::predict::{Goal, Seen, trials_a_side};
use super::scorer::Atom;
use super::statistic::Statistic;
use super::surface::surface_cut;
use super::{Guess, Scorer};
use crate::inference::{Corner, Test};
use crate::tally::Tally;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// A way to guess, with the bound it is predicted to certify.
#[derive(Clone, Debug)]
pub struct Cut {
    /// One guess a bin.
    pub says: Vec<Guess>,
    /// The test it is for.
    pub test: Test,
    /// Predicted lower bound on the claim's parameter (ε at its δ, or μ); negative: none.
    pub predicted: f64,
    /// Standard error of the log-odds of a right guess, where more tells of it than the counts of the
    /// bins on which it guesses.
    pub error: Option<f64>,
}

impl Cut {
    fn better(self, other: Self) -> Self {
        if other.predicted > self.predicted { other } else { self }
    }

    /// The mean of what it promises by itself and of what cuts that were made like it promise by their
    /// judges, weighed by how well each is known: it may be off by [`BIAS`], too.
    fn weighed_with(&self, judged: f64, pooled: &Tally) -> f64 {
        let surface = self.error.unwrap_or(f64::INFINITY).powi(2) + (BIAS * self.predicted).powi(2);
        let counts = self.error_by_counts(pooled).powi(2);
        if !(surface.is_finite() && counts.is_finite()) {
            return self.predicted;
        }
        (self.predicted * counts + judged.max(0.0) * surface) / (counts + surface)
    }

    /// Standard error of the log-odds of a right guess, by the counts of the bins on which it guesses;
    /// infinite where it never guessed.
    pub fn error_by_counts(&self, pooled: &Tally) -> f64 {
        let (mut right, mut made) = (0, 0);
        for (bin, says) in self.says.iter().enumerate() {
            let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
            let hits = match says {
                Guess::D => d,
                Guess::DPrime => d_prime,
                Guess::Abstain => continue,
            };
            right += hits;
            made += d + d_prime;
        }
        if made == 0 {
            return f64::INFINITY;
        }
        let (right, wrong) = (right as f64 + 0.5, (made - right) as f64 + 0.5);
        (1.0 / right + 1.0 / wrong).sqrt()
    }

    /// Never guesses.
    pub fn none(bins: usize) -> Self {
        Self { says: vec![Guess::Abstain; bins], test: Test::Guess, predicted: 0.0, error: None }
    }
}

/// Standard errors by which guessing on one side must promise more than guessing on both: on
/// intervals, and on atoms, of which a few often tell it all.
const ONE_SIDED_MARGIN: [f64; 2] = [1.0, 0.5];
/// Standard deviations by which counts are lowered, and their weights, to predict what a cut of any
/// bins gives: the best of a hundred cuts looks better than it is. Where bins have no order or are
/// few, and where they are many and have one, so that such a cut is the exception.
const HEDGES: &[(f64, f64)] = &[(2.0, 0.5), (1.0, 0.25), (0.5, 0.25)];
/// See [`HEDGES`].
const HEDGES_ON_LINES: &[(f64, f64)] = &[(4.0, 1.0)];
/// Standard deviations by which counts are lowered to predict what a tail of a long line gives: there
/// are as many tails as bins, but one is in the other.
const HEDGES_ON_TAILS: &[(f64, f64)] = &[(2.5, 1.0)];
/// Bins that are few.
const FEW_BINS: usize = 24;
/// Coarse words that are few enough to be drawn together: what that promises nobody judges, and of
/// many words too many look good by chance.
const FEW_WORDS: usize = 128;
/// Of many bins with an order, a cut of any must promise so many times what a cut of tails does: it
/// has more ways to look good by chance.
const PREFERENCE: f64 = 1.15;
/// Prior probability that bins stray from a curve: where they are few (a count, a position), and
/// where they are many intervals of a real number.
const ROUGH: [f64; 2] = [0.5, 0.01];
/// The part of what a surface promises by which it may be off, whatever the counts.
const BIAS: f64 = 0.1;
/// Fewest guesses by which a cut is judged to promise anything: of fewer all are right by luck too
/// often, where a thousand bins compete.
const LEAST_JUDGED: f64 = 8.0;
/// Prior odds of the plainest curves where bins are few, and where they are many: of a mechanism
/// that is said to be (ε, 0)-private the loss is bounded, and a step from far away; of others it
/// grows.
const FEW_PLAIN: Plain = Plain { line: 3.0, step: 3.0, laplace: 0.0 };
/// See [`FEW_PLAIN`].
const PURE_PLAIN: Plain = Plain { line: 10.0, step: 100.0, laplace: 0.0 };
/// See [`FEW_PLAIN`].
const APPROXIMATE_PLAIN: Plain = Plain { line: 100.0, step: 10.0, laplace: 0.0 };
/// Instead of [`PURE_PLAIN`], where somebody gave the pair: it is the one on which the claim is
/// tight, most likely. A search has reason to doubt that.
const TIGHT_PLAIN: Plain = Plain { line: 10.0, step: 100.0, laplace: 3000.0 };

/// The best cut of a scorer's bins by all counts, and what it promises: a bound, or a negative
/// number, the closer to 0 the more often it was right. Where there are counts to judge, the promise
/// is that of cuts that were made without their judges, whose counts are lowered by `caution`
/// standard deviations; else that of the cut itself. It is so, too, for a few lists whose losses are
/// drawn together, and partly for a surface: there a prior guards against luck.
pub fn judged_cut(counts: &Counts, scorer: &Scorer, caution: f64, goal: &Goal) -> (Cut, f64) {
    let cuts_by = |folds: &Folds, judged: bool| Cuts::of(folds, scorer, judged, goal);
    let Some(halves) = counts.halves() else {
        let cut = cuts_by(&counts.all(), false).best(goal);
        let promised = cut.predicted;
        return (cut, promised);
    };
    let [by_first, by_second] = &halves;
    let (cuts, (first, second)) = rayon::join(
        || cuts_by(&counts.all(), true),
        || rayon::join(|| cuts_by(&by_first.0, true), || cuts_by(&by_second.0, true)),
    );
    let judges = [&by_first.1, &by_second.1];
    let promise = |says: [&[Guess]; 2]| promise_of(says, judges, caution, goal);
    let usual = promise([&first.best(goal), &second.best(goal)].map(|cut| &cut.says[..]));
    let of_kind = |kind: usize| promise([&first, &second].map(|c| &c.kinds[kind].says[..]));
    let kinds = (0..cuts.kinds.len()).map(|kind| (kind, of_kind(kind)));
    let judged = match kinds.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((kind, promised)) if promised > 0.0 && promised > PREFERENCE * usual => {
            (cuts.kinds[kind].clone(), promised)
        }
        _ => (cuts.best(goal), usual),
    };
    // A few lists have no order and losses of all sizes, and on a plane the loss is smooth: a prior
    // for these mostly does better than half of the counts as judges. (On one line it does not.)
    let drawn = match scorer.looking() {
        Scorer::Joint { .. } => {
            let pooled = counts.all().pooled();
            surface_cut(scorer, &pooled, None, goal).map(|(cut, surface)| {
                let part = |folds: &Folds| {
                    let like = Some(&surface);
                    surface_cut(scorer, &folds.pooled(), like, goal).map(|(cut, _)| cut.says)
                };
                let by_judges = match rayon::join(|| part(&by_first.0), || part(&by_second.0)) {
                    (Some(first), Some(second)) => promise([&first, &second]),
                    _ => 0.0,
                };
                let promised = cut.weighed_with(by_judges, &pooled);
                // Of rare outcomes judges know little, and of three kinds the luckiest is best.
                (cut, promised, judged.0.error_by_counts(&pooled))
            })
        }
        _ => few_lists(scorer, counts).map(|pooled| {
            let cut = free::drawn_cut(&pooled, goal);
            let promised = cut.predicted;
            (cut, promised, 0.0)
        }),
    };
    match drawn {
        Some((cut, promised, margin)) if promised > (judged.1 - margin).max(0.0) => (cut, promised),
        _ => judged,
    }
}

/// The counts of a scorer that tells lists apart of which there are few: exactly, if no others came,
/// or coarsely.
fn few_lists(scorer: &Scorer, counts: &Counts) -> Option<Tally> {
    let atoms = match scorer.looking() {
        Scorer::Coarse(_) if scorer.bins() <= FEW_WORDS => return Some(counts.all().pooled()),
        Scorer::Atoms { atoms } => atoms,
        _ => return None,
    };
    if scorer.bins() > FEW_BINS || !atoms.iter().any(|atom| matches!(atom, Atom::Vector(_))) {
        return None;
    }
    let pooled = counts.all().pooled();
    let others = atoms.len();
    (pooled.d[others] + pooled.d_prime[others] == 0).then_some(pooled)
}

/// What two cuts promise together, each by its judge: a bound, or a negative number.
fn promise_of(says: [&[Guess]; 2], judges: [&Tally; 2], caution: f64, goal: &Goal) -> f64 {
    let mut seen = Seen::default();
    let mut surplus = 0.0;
    for (says, judge) in says.into_iter().zip(judges) {
        for (bin, &says) in says.iter().enumerate() {
            let (d, d_prime) = (judge.d[bin], judge.d_prime[bin]);
            let share = d as f64 / (d + d_prime).max(1) as f64;
            seen.add(says, d, d_prime, share, 0.0);
            surplus += match says {
                Guess::D => d as f64 - d_prime as f64,
                Guess::DPrime => d_prime as f64 - d as f64,
                Guess::Abstain => 0.0,
            };
        }
    }
    let pooled = judges[0].clone().plus(judges[1]);
    let made = seen.d_made + seen.prime_made;
    match seen.expect(&[(caution, 1.0)], trials_a_side(&pooled), goal) {
        Some((_, bound)) if bound > 0.0 && made >= LEAST_JUDGED => bound,
        // By how many standard deviations guesses were right more often than wrong.
        _ => -1.0 / (1.0 + (surplus / (1.0 + made).sqrt()).max(0.0)),
    }
}

/// Cuts of a scorer's bins, by several estimates of what each bin is worth.
struct Cuts {
    /// By a curve through the bins of a line, by the tails of a line, and bin by bin.
    kinds: [Cut; 3],
    /// What a cut of any bins must promise beyond one of a line.
    preference: f64,
    /// Share of D by bin.
    shares: Vec<f64>,
    /// All counts that they were made by.
    pooled: Tally,
}

impl Cuts {
    /// Cuts that other counts will judge may be of more kinds: the luckiest of them does not win.
    fn of(folds: &Folds, scorer: &Scorer, judged: bool, goal: &Goal) -> Self {
        let pooled = folds.pooled();
        let lines = scorer.ordered();
        let few = lines.is_empty() || pooled.bins() <= FEW_BINS;
        let (hedges, preference) = if few { (HEDGES, 1.0) } else { (HEDGES_ON_LINES, PREFERENCE) };
        let by_bin = posterior::bin_by_bin(&pooled);
        let free = || free_cut(folds, (&pooled, &by_bin), hedges, goal);
        let is_number =
            matches!(scorer.looking(), Scorer::Thresholds { statistic: Statistic::Value, .. });
        // Of an epsilon that is smaller than a loss of the usual size there is no step to be seen.
        let plain = match goal.claim.reference_point() {
            _ if few => FEW_PLAIN,
            (epsilon, 0.0) if goal.tight && is_number && epsilon >= goal.typical_loss() => {
                TIGHT_PLAIN
            }
            (_, 0.0) => PURE_PLAIN,
            _ => APPROXIMATE_PLAIN,
        };
        let rough = ROUGH[usize::from(!few)];
        // Of less is known too little to tell a plateau from a tail that rises slowly.
        let monotone = !few && goal.is_large();
        let expected = Expected { loss: goal.typical_loss(), rough, monotone, plain };
        let atoms = matches!(scorer.looking(), Scorer::Atoms { .. });
        let margin = ONE_SIDED_MARGIN[usize::from(atoms)];
        let along_lines = || {
            let mut shares = by_bin.clone();
            let [mut curve, mut tail] = [(); 2].map(|()| Cut::none(pooled.bins()));
            for line in lines {
                let places = scorer.places(&line);
                let Some(odds) = curve::along_line(&pooled, line.clone(), &places, expected) else {
                    continue;
                };
                curve = curve.better(curve_cut(&odds, line.clone(), margin, &pooled, goal));
                if few && !atoms {
                    tail = tail.better(tail_cut(line.clone(), &pooled, goal));
                } else if judged && !atoms {
                    let hedges = HEDGES_ON_TAILS;
                    tail = tail.better(free::tail_cut(line.clone(), &pooled, hedges, goal));
                }
                shares[line].copy_from_slice(&odds.mean);
            }
            (curve, tail, shares)
        };
        let (free, (mut curve, mut tail, shares)) = rayon::join(free, along_lines);
        let mut preference = preference;
        if let Some(line) = scorer.bits() {
            (curve, tail) = (free::tail_cut(line, &pooled, hedges, goal), Cut::none(pooled.bins()));
            preference = PREFERENCE;
        }
        Self { kinds: [curve, tail, free], preference, shares, pooled }
    }

    /// The one that promises most.
    fn best(&self, goal: &Goal) -> Cut {
        let [curve, tail, free] = &self.kinds;
        let by_line = curve.clone().better(tail.clone());
        let any = free.predicted > self.preference * by_line.predicted;
        let best = if any { free.clone() } else { by_line };
        if best.predicted > 0.0 { best } else { all_out(&self.pooled, &self.shares, goal) }
    }
}

/// When nothing promises a bound: a guess on every bin that was seen, so that the confirm trials
/// may still show what the explore trials were too few for. The promise is a negative number, the
/// larger the more bins seem to tell.
fn all_out(tally: &Tally, shares: &[f64], goal: &Goal) -> Cut {
    let half = tally.trials_d() as f64 / tally.trials().max(1) as f64;
    let both = goal.claim.as_epsilon_delta().is_some();
    let says = |share: &f64| match share {
        share if share.is_nan() => Guess::Abstain,
        share if *share >= half => Guess::D,
        _ if both => Guess::DPrime,
        _ => Guess::Abstain,
    };
    let advantage: f64 = (0..tally.bins())
        .filter(|&bin| shares[bin].is_finite())
        .map(|bin| (tally.d[bin] + tally.d_prime[bin]) as f64 * (shares[bin] - half).abs())
        .sum();
    let predicted = -1.0 / (1.0 + advantage);
    let test = if both { Test::Guess } else { Test::EventD };
    Cut { says: shares.iter().map(says).collect(), test, predicted, error: None }
}

/// How the order of an event test should weigh the errors of its two sides, by the rates that the
/// explore trials show.
pub fn corner(tally: &Tally, cut: &Cut, goal: &Goal) -> Corner {
    let says = if cut.test == Test::EventDPrime { Guess::DPrime } else { Guess::D };
    let bins = || (0..cut.says.len()).filter(|&bin| cut.says[bin] == says);
    let rate = |counts: &[u64], trials: u64| {
        (bins().map(|bin| counts[bin]).sum::<u64>() as f64 + 0.5) / (trials as f64 + 1.0)
    };
    let (d, d_prime) =
        (rate(&tally.d, tally.trials_d()), rate(&tally.d_prime, tally.trials_d_prime()));
    let (p, q) = if says == Guess::D { (d, d_prime) } else { (d_prime, d) };
    // Variances of the two terms of T: ln(p − δ) and ln q, or Φ⁻¹(p) and Φ⁻¹(q).
    let (own, other) = match goal.claim.as_epsilon_delta() {
        Some((_, delta)) => (p * (1.0 - p) / (p - delta).max(1e-9 * p).powi(2), (1.0 - q) / q),
        None => {
            let normal = Normal::standard();
            let term =
                |rate: f64| rate * (1.0 - rate) / normal.pdf(normal.inverse_cdf(rate)).powi(2);
            (term(p), term(q))
        }
    };
    Corner::leaning(goal.alpha, own / (own + other))
}

/// The bins from most to least typical of D.
pub fn order_of_bins(tally: &Tally) -> Vec<usize> {
    by_share(&posterior::bin_by_bin(tally))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claim;
    use crate::witness::Case;

    /// What is cut of four lists that came so often, and what it promises.
    fn of_lists(d: [u64; 4], d_prime: [u64; 4]) -> (Cut, f64) {
        for_goal(d, d_prime, &Goal::new(Claim::pure(1.0).unwrap(), 0.01, 10_000))
    }

    fn for_goal(d: [u64; 4], d_prime: [u64; 4], goal: &Goal) -> (Cut, f64) {
        let list = |x: f64| Atom::Vector(vec![x]);
        let scorer = Scorer::Atoms { atoms: (0..4).map(f64::from).map(list).collect() };
        let part = || {
            let quarter = |counts: [u64; 4]| {
                counts.iter().map(|count| count / 4).chain([0]).collect::<Vec<u64>>()
            };
            Tally { d: quarter(d), d_prime: quarter(d_prime) }
        };
        let judged = [(); 2].map(|()| Folds { a: part(), b: part() });
        judged_cut(&Counts::judged(judged), &scorer, 0.0, goal)
    }

    #[test]
    fn of_a_few_lists_that_promise_nothing_all_are_guessed_on() {
        let (cut, promised) = of_lists([400; 4], [400; 4]);
        assert!(promised < 0.0, "{promised}");
        assert!(cut.says[..4].iter().all(|says| *says != Guess::Abstain), "{:?}", cut.says);
    }

    #[test]
    fn of_a_few_lists_those_that_tell_are_guessed_on() {
        let (cut, promised) = of_lists([4000, 400, 4000, 4000], [4000, 1600, 4000, 4000]);
        assert!(promised > 0.0, "{promised}");
        let abstain = Guess::Abstain;
        assert_eq!(cut.says, [abstain, Guess::DPrime, abstain, abstain, abstain]);
        // Too rare to be drawn together with others, but it tells.
        let (cut, promised) = of_lists([4000, 4000, 4000, 28], [4000, 4000, 4000, 0]);
        assert!(promised > 0.0, "{promised}");
        assert_eq!(cut.says, [abstain, abstain, abstain, Guess::D, abstain]);
    }

    #[test]
    fn a_few_guesses_that_were_all_right_promise_nothing() {
        let lenient = Goal::new(Claim::pure(1.0).unwrap(), 0.1, 100_000);
        let promised = |rare| for_goal([4000, 4000, 4000, rare], [4000, 4000, 4000, 0], &lenient).1;
        assert!(promised(4) < 0.0, "{}", promised(4));
        assert!(promised(8) > 0.0, "{}", promised(8));
    }

    #[test]
    fn a_surface_is_believed_as_far_as_few_counts_and_its_own_error_allow() {
        let cut = |error: f64| {
            let says = vec![Guess::D, Guess::Abstain];
            Cut { says, test: Test::Guess, predicted: 0.4, error: Some(error) }
        };
        let tally =
            |outcomes: u64| Tally { d: vec![3 * outcomes, 0], d_prime: vec![2 * outcomes, 0] };
        let (many, few) = (tally(1_000_000), tally(10));
        // Judges that saw a million guesses are right, those that saw fifty are hardly heard.
        assert!((cut(0.01).weighed_with(0.2, &many) - 0.2).abs() < 0.001);
        assert!((cut(0.01).weighed_with(0.2, &few) - 0.4).abs() < 0.01);
        // By hand: variances 0.09 + 0.0016 and 1/30.5 + 1/20.5.
        let (own, counts) = (0.0916, 1.0 / 30.5 + 1.0 / 20.5);
        let expected = (0.4 * counts + 0.2 * own) / (counts + own);
        assert!((cut(0.3).weighed_with(0.2, &few) - expected).abs() < 1e-12);
        // What the judges refute promises nothing, rather than less.
        assert!(cut(0.3).weighed_with(-1.0, &few) > 0.0);
        // A cut that never guesses has nothing to be weighed by.
        let none = Cut { error: Some(f64::INFINITY), ..Cut::none(2) };
        assert!(none.weighed_with(0.2, &many).abs() < 1e-300);
    }

    #[test]
    fn on_a_plane_judges_that_saw_little_are_not_taken_at_their_word() {
        let edges: Vec<f64> = (0..5).map(f64::from).collect();
        let case = |length: u32| Case { value: f64::from(length), edges: edges.clone() };
        let (by, of) = (Statistic::Length, Statistic::Last);
        let scorer = Scorer::Joint { by, of, cases: (1..=4).map(case).collect() };
        let lines = scorer.lines();
        let lucky = [lines[0].start + 1, lines[0].start + 4];
        let half = |counts: [[u64; 2]; 2]| {
            let mut tally = Tally::new(scorer.bins());
            for (at, line) in lines.iter().enumerate() {
                let counts = if at < 2 { [4000, 4000] } else { [4600, 3400] };
                line.clone().for_each(|bin| [tally.d[bin], tally.d_prime[bin]] = counts);
            }
            for (bin, counts) in lucky.into_iter().zip(counts) {
                [tally.d[bin], tally.d_prime[bin]] = counts;
            }
            Folds { a: tally.clone(), b: tally }
        };
        let goal = Goal::new(Claim::pure(0.1).unwrap(), 0.05, 10_000_000);
        let cut = |first, second| {
            let counts = Counts::judged([half(first), half(second)]);
            judged_cut(&counts, &scorer, 0.0, &goal).0
        };
        // Lists of three or four numbers have a loss of 0.3. Two bins of a lone number look good to
        // one half of the trials each, and hardly so to the other.
        let (good, hardly) = ([60, 2], [15, 10]);
        let by_luck = cut([good, hardly], [hardly, good]);
        let long = lines[2].start..lines[3].end;
        assert!(by_luck.says[long].contains(&Guess::D), "{by_luck:?}");
        assert!(by_luck.predicted > 0.2, "{by_luck:?}");
        // To both.
        let told = cut([good, hardly], [good, hardly]);
        assert_eq!(told.says[lucky[0]], Guess::D, "{told:?}");
    }
}

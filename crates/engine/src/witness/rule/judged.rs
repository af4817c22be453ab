//! Cutting: the choice of the bins that say D, and those that say D', by the predicted bound of the
//! confirm trials. Everything here is an estimate from explore trials.

use crate::witness::Scorer;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::rule::curve::{self, Expected, Plain};
use crate::witness::rule::decision::DecisionRule;
use crate::witness::rule::folds::{Counts, Folds};
use crate::witness::rule::line::{curve_cut, tail_cut};
use crate::witness::rule::posterior;
use crate::witness::rule::predict::{Goal, Seen, trials_a_side};
use crate::witness::rule::unordered::{self, by_share, unordered_rule};
use plaudit_core::inference::{Corner, Test};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Standard errors by which guessing on one side must promise more than guessing on both: on
/// intervals, and on atoms, of which a few are often decisive. Not tuned: by luck one of two like
/// sides does with .16 and .31.
const ONE_SIDED_MARGIN: [f64; 2] = [1.0, 0.5];
/// Standard deviations by which counts are lowered, and their weights, to predict the results of a
/// cut of any bins where they have no order or are few: the best of a hundred independent cuts
/// looks 2.5 too good on average, and these share most of their bins. Not tuned.
const HEDGES: &[(f64, f64)] = &[(2.0, 0.5), (1.0, 0.25), (0.5, 0.25)];
/// As [`HEDGES`], where bins are many and have an order, so that such a cut is the exception: by
/// luck one looks this good with 3·10⁻⁵. Not tuned.
const HEDGES_ON_LINES: &[(f64, f64)] = &[(4.0, 1.0)];
/// Standard deviations by which counts are lowered to predict the results of a tail of a long line:
/// the best of a hundred independent ones looks better by 2.5 on average. There are as many tails
/// as bins, but each is in the next.
const HEDGES_ON_TAILS: &[(f64, f64)] = &[(2.5, 1.0)];
/// Number of bins that are few. Not tuned: between counts and positions, and the 48 intervals and
/// more of a number.
const FEW_BINS: usize = 24;
/// Factor by which a cut of any of many ordered bins must promise more than a cut of tails: it has
/// more ways to look good by chance. Not tuned.
const PREFERENCE: f64 = 1.15;
/// Prior probability that bins stray from a curve: where they are few (a count, a position), and
/// where they are many intervals of a real number. Not tuned: .01 costs ln 100 = 4.6 nats of the
/// evidence in the counts.
const ROUGH: [f64; 2] = [0.5, 0.01];
/// Fewest guesses by which a cut is judged to promise anything: on an uninformative bin eight are
/// all right by luck with 2⁻⁸, on four of a thousand bins that compete. Not tuned.
const LEAST_JUDGED: f64 = 8.0;
/// Prior odds of the plainest curves to any other of some 80 pairs of clamps: 4 % for each, where bins are few. Not tuned.
const FEW_PLAIN: Plain = Plain { line: 3.0, step: 3.0, laplace: 0.0, mixture: 0.0 };
/// For many bins and a claim of (ε, 0): the loss is bounded, and a step from far away, with a prior
/// of .5; a line has .05. Not tuned.
const PURE_PLAIN: Plain = Plain { line: 10.0, step: 100.0, laplace: 0.0, mixture: 0.0 };
/// For other claims the loss grows: a line has .5, a step .05, that of some subsample .02 (`plaudit
/// benchmark --filter gauss --trials 1e4 --seeds 9`: with ten times as much for subsamples two of
/// ten bounds are lower by .04, with this one).
const APPROXIMATE_PLAIN: Plain = Plain { line: 100.0, step: 10.0, laplace: 0.0, mixture: 0.1 };
/// Instead of [`PURE_PLAIN`], where the user gave the pair: the claim is most likely tight on it,
/// with .8. A search has reason to doubt that. Not tuned.
const TIGHT_PLAIN: Plain = Plain { line: 10.0, step: 100.0, laplace: 3000.0, mixture: 0.0 };

/// The best cut of a scorer's bins by all counts, and its promise: a bound, or a negative number,
/// the closer to 0 the more often it was right. Where there are counts to judge, the promise is
/// that of cuts made without their judges, whose counts are lowered by `caution` standard
/// deviations; else that of the cut itself.
pub fn judged_cut(
    counts: &Counts,
    scorer: &Scorer,
    caution: f64,
    goal: &Goal,
) -> (DecisionRule, f64) {
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
    match kinds.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((kind, promised)) if promised > 0.0 && promised > PREFERENCE * usual => {
            (cuts.kinds[kind].clone(), promised)
        }
        _ => (cuts.best(goal), usual),
    }
}

/// Joint promise of two cuts, each by its judge: a bound, or a negative number.
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
        // Standard deviations by which guesses were right more often than wrong.
        _ => -1.0 / (1.0 + (surplus / (1.0 + made).sqrt()).max(0.0)),
    }
}

/// Cuts of a scorer's bins, by several estimates of each bin's value.
struct Cuts {
    /// By a curve through the bins of a line, by the tails of a line, and bin by bin.
    kinds: [DecisionRule; 3],
    /// Factor by which a cut of any bins must promise more than one of a line.
    preference: f64,
    shares: Vec<f64>,
    /// All counts that they were made from.
    pooled: Tally,
    /// `true` if each bin exists because it is informative: a leaf of a partition, which paid for it.
    leaves: bool,
}

impl Cuts {
    /// Cuts that other counts will judge may be of more kinds: luck does not decide among them.
    fn of(folds: &Folds, scorer: &Scorer, judged: bool, goal: &Goal) -> Self {
        let pooled = folds.pooled();
        let lines = scorer.ordered();
        let few = lines.is_empty() || pooled.bins() <= FEW_BINS;
        let (hedges, preference) = if few { (HEDGES, 1.0) } else { (HEDGES_ON_LINES, PREFERENCE) };
        let by_bin = posterior::bin_by_bin(&pooled);
        let free = || unordered_rule(folds, (&pooled, &by_bin), hedges, goal);
        let is_number =
            matches!(scorer.looking(), Scorer::Thresholds { statistic: Statistic::Value, .. });
        // For an epsilon below a loss of the usual size a step cannot be seen.
        let plain = match goal.claim.reference_point() {
            _ if few => FEW_PLAIN,
            (epsilon, 0.0) if goal.tight && is_number && epsilon >= goal.typical_loss() => {
                TIGHT_PLAIN
            }
            (_, 0.0) => PURE_PLAIN,
            _ => APPROXIMATE_PLAIN,
        };
        let rough = ROUGH[usize::from(!few)];
        let expected = Expected { loss: goal.typical_loss(), rough, plain };
        let atoms = matches!(scorer.looking(), Scorer::Atoms { .. });
        let margin = ONE_SIDED_MARGIN[usize::from(atoms)];
        let along_lines = || {
            let mut shares = by_bin.clone();
            let [mut curve, mut tail] = [(); 2].map(|()| DecisionRule::none(pooled.bins()));
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
                    tail = tail.better(unordered::tail_cut(line.clone(), &pooled, hedges, goal));
                }
                shares[line].copy_from_slice(&odds.mean);
            }
            (curve, tail, shares)
        };
        let (free, (mut curve, mut tail, shares)) = rayon::join(free, along_lines);
        let mut preference = preference;
        if let Some(line) = scorer.bits() {
            (curve, tail) = (
                unordered::tail_cut(line, &pooled, hedges, goal),
                DecisionRule::none(pooled.bins()),
            );
            preference = PREFERENCE;
        }
        Self { kinds: [curve, tail, free], preference, shares, pooled, leaves: scorer.grows() }
    }

    fn best(&self, goal: &Goal) -> DecisionRule {
        let [curve, tail, free] = &self.kinds;
        let by_line = curve.clone().better(tail.clone());
        let any = free.predicted > self.preference * by_line.predicted;
        let best = if any { free.clone() } else { by_line };
        match best.predicted > 0.0 {
            true => best,
            false if self.leaves => on_one(&self.pooled, &self.shares, goal),
            false => all_out(&self.pooled, &self.shares, goal),
        }
    }
}

/// Without a promise of a bound: a guess on every bin that was seen, so that the confirm
/// trials may still show what the explore trials were too few for. The promise is a negative
/// number, the larger the more bins seem to tell.
fn all_out(tally: &Tally, shares: &[f64], goal: &Goal) -> DecisionRule {
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
    DecisionRule { says: shares.iter().map(says).collect(), test, predicted }
}

/// If no leaf of a partition promises a bound: a guess on the leaf that is most informative by itself, since
/// a rare one would be lost among the guesses on others.
fn on_one(tally: &Tally, shares: &[f64], goal: &Goal) -> DecisionRule {
    let half = tally.trials_d() as f64 / tally.trials().max(1) as f64;
    let tells =
        |bin: usize| (tally.d[bin] + tally.d_prime[bin]) as f64 * (shares[bin] - half).powi(2);
    let seen = (0..tally.bins()).filter(|bin| shares[*bin].is_finite());
    let mut cut = DecisionRule::none(tally.bins());
    if let Some(best) = seen.max_by(|a, b| tells(*a).total_cmp(&tells(*b))) {
        cut.says[best] = if shares[best] >= half { Guess::D } else { Guess::DPrime };
        cut.predicted = -1.0 / (1.0 + tells(best));
        if goal.claim.as_epsilon_delta().is_none() {
            let is_d = cut.says[best] == Guess::D;
            cut.test = if is_d { Test::EventD } else { Test::EventDPrime };
        }
    }
    cut
}

/// Weights of the errors of an event test's two sides, by the rates in explore.
pub fn corner(tally: &Tally, cut: &DecisionRule, goal: &Goal) -> Corner {
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
#[path = "../../../tests/unit/witness/rule/judged.rs"]
mod tests;

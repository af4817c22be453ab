//! Cuts along a line: the intervals of one number, by the curve through their shares of D, or by
//! the counts of a tail.

use crate::witness::rule::curve::Odds;
use crate::witness::rule::decision::DecisionRule;
use crate::witness::rule::posterior::logistic;
use crate::witness::rule::predict::{Goal, HEDGE, Seen, predict, trials_a_side};
use crate::witness::rule::unordered::SIDES;
use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use std::ops::Range;

/// The bins of a line whose share is farthest from a half, as many as give the best prediction.
pub(crate) fn curve_cut(
    odds: &Odds,
    line: Range<usize>,
    margin: f64,
    tally: &Tally,
    goal: &Goal,
) -> DecisionRule {
    let half = tally.trials_d() as f64 / tally.trials().max(1) as f64;
    let guess = |place: usize, (on_d, on_d_prime): (bool, bool)| match odds.mean[place] >= half {
        true if on_d => Guess::D,
        false if on_d_prime => Guess::DPrime,
        _ => Guess::Abstain,
    };
    let mut order: Vec<usize> = (0..line.len()).collect();
    let log_odds = |share: f64| (share / (1.0 - share)).ln();
    let loss = |place: usize| log_odds(odds.mean[place]) - log_odds(half);
    order.retain(|&place| loss(place).abs() > 0.0);
    order.sort_by(|&a, &b| loss(b).abs().total_cmp(&loss(a).abs()));
    let trials = trials_a_side(tally);
    let best_of = |sides: (bool, bool)| {
        let mut best: Option<(f64, f64, Test, usize)> = None;
        let mut seen = Seen::default();
        for (count, &place) in order.iter().enumerate() {
            let bin = line.start + place;
            let (d, d_prime) = (tally.d[bin], tally.d_prime[bin]);
            seen.add(guess(place, sides), d, d_prime, odds.mean[place], odds.deviation[place]);
            // Where the curve is flat the bins are one: a cut between them would follow chance.
            let (here, next) = (loss(place), order.get(count + 1).map(|&next| loss(next)));
            if next.is_some_and(|next| next.abs() > 0.999 * here.abs() && next * here > 0.0) {
                continue;
            }
            if sides == (true, true) && (seen.d_made == 0.0 || seen.prime_made == 0.0) {
                continue;
            }
            if let Some((test, predicted)) = predict(&seen, trials, goal) {
                // Bins never seen add nothing to the prediction, but belong to their tail.
                if best.is_none_or(|(most, ..)| predicted >= most) {
                    best = Some((predicted, seen.error(), test, count));
                }
            }
        }
        best.map(|(predicted, error, test, count)| (predicted, error, test, count, sides))
    };
    let [both, d, d_prime] = SIDES.map(best_of);
    let one = [d, d_prime].into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
    let chosen = match (both, one) {
        // Of two like sides the luckier one always looks better than both.
        (Some(both), Some(one)) if one.0 - margin * one.1 <= both.0 => Some(both),
        (both, one) => one.or(both),
    };
    let mut best = DecisionRule::none(tally.bins());
    if let Some((predicted, _, test, count, sides)) = chosen {
        (best.predicted, best.test) = (predicted, test);
        order[..=count].iter().for_each(|&p| best.says[line.start + p] = guess(p, sides));
    }
    best
}

/// A tail of a line by its own counts, with a prior loss like the claim's. The best of many tails
/// is one that few outcomes made look good, so its loss is lowered by its uncertainty.
pub(crate) fn tail_cut(line: Range<usize>, tally: &Tally, goal: &Goal) -> DecisionRule {
    let trials = trials_a_side(tally);
    let offset = (trials[0] / trials[1]).ln();
    let prior = goal.typical_loss().powi(2);
    let mut best = DecisionRule::none(tally.bins());
    let tails = (line.start + 1..line.end).flat_map(|at| [line.start..at, at..line.end]);
    for tail in tails {
        let sum = |counts: &[u64]| counts[tail.clone()].iter().sum::<u64>();
        let (d, d_prime) = (sum(&tally.d), sum(&tally.d_prime));
        let (x, y) = (d as f64 + 0.5, d_prime as f64 + 0.5);
        let (loss, variance) = ((x / y).ln() - offset, 1.0 / x + 1.0 / y);
        let share = logistic(offset + loss * prior / (prior + variance));
        let says = if loss > 0.0 { Guess::D } else { Guess::DPrime };
        // For the remaining uncertainty of the loss, in shares, a whole standard deviation.
        let open = share * (1.0 - share) * (prior * variance / (prior + variance)).sqrt();
        let mut seen = Seen::default();
        seen.add(says, d, d_prime, share, open / HEDGE);
        if let Some((test, predicted)) = predict(&seen, trials, goal)
            && predicted > best.predicted
        {
            best = DecisionRule { test, predicted, ..DecisionRule::none(tally.bins()) };
            best.says[tail].fill(says);
        }
    }
    best
}

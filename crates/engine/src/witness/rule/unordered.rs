//! Cuts of any bins, whatever their order: atoms, shapes, and bins that no curve fits.

use crate::witness::rule::decision::DecisionRule;
use crate::witness::rule::folds::Folds;
use crate::witness::rule::posterior;
use crate::witness::rule::predict::{Goal, Hedges, Seen, trials_a_side};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use std::ops::Range;

/// Sides that a guesser may name: D and D', D alone, D' alone.
pub(crate) const SIDES: [(bool, bool); 3] = [(true, true), (true, false), (false, true)];

/// The bins by share of D, largest first; those without estimate come last.
pub(crate) fn by_share(shares: &[f64]) -> Vec<usize> {
    let mut bins: Vec<usize> = (0..shares.len()).collect();
    let key = |bin: usize| {
        if shares[bin].is_nan() { -1.0 } else { shares[bin] }
    };
    bins.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    bins
}

/// A cut of any bins, those with the largest share on either side first. Each fold is ordered by
/// the other; the cut takes the same number of outcomes from both ends of the order. Both folds
/// come with their shares by [`posterior::bin_by_bin`].
pub(crate) fn unordered_rule(
    folds: &Folds,
    (pooled, shares): (&Tally, &[f64]),
    hedges: Hedges<'_>,
    goal: &Goal,
) -> DecisionRule {
    let (mut best, mut chosen) = (DecisionRule::none(pooled.bins()), None);
    let orders = [&folds.a, &folds.b].map(|fold| by_share(&posterior::bin_by_bin(fold)));
    let trials = trials_a_side(pooled);
    let mut mass = 1.0;
    // What was last seen of each choice of sides: with few bins most masses hold the same ones.
    let mut last = [Seen::default(); SIDES.len()];
    while mass * pooled.trials() as f64 > 1.0 {
        for (sides, last) in SIDES.into_iter().zip(&mut last) {
            let mut seen = Seen::default();
            for (order, (judged, judge)) in
                orders.iter().zip([(&folds.b, &folds.a), (&folds.a, &folds.b)])
            {
                let says = ends(order, judge, mass, sides);
                for (bin, says) in says.into_iter().enumerate() {
                    add_as_seen(&mut seen, says, bin, judged);
                }
            }
            if seen != std::mem::replace(last, seen)
                && let Some((test, predicted)) = seen.expect(hedges, trials, goal)
                && predicted > best.predicted
            {
                (best.predicted, best.test, chosen) = (predicted, test, Some((mass, sides)));
            }
        }
        mass *= 0.75;
    }
    if let Some((mass, sides)) = chosen {
        best.says = settled((pooled, shares), (mass, sides), hedges, goal);
    }
    best
}

/// The most promising tail of a line, by its own counts.
pub(crate) fn tail_cut(
    line: Range<usize>,
    pooled: &Tally,
    hedges: Hedges<'_>,
    goal: &Goal,
) -> DecisionRule {
    let trials = trials_a_side(pooled);
    let mut best = DecisionRule::none(pooled.bins());
    let mut chosen = None;
    for says in [Guess::D, Guess::DPrime] {
        let mut try_tails = |bins: &mut dyn Iterator<Item = usize>,
                             tail: &dyn Fn(usize) -> Range<usize>| {
            let mut seen = Seen::default();
            for bin in bins {
                add_as_seen(&mut seen, says, bin, pooled);
                if let Some((test, predicted)) = seen.expect(hedges, trials, goal)
                    && predicted > best.predicted
                {
                    (best.test, best.predicted) = (test, predicted);
                    chosen = Some((tail(bin), says));
                }
            }
        };
        let within = line.start + 1..line.end;
        try_tails(&mut (line.start..line.end.saturating_sub(1)), &|bin| line.start..bin + 1);
        try_tails(&mut within.rev(), &|bin| bin..line.end);
    }
    if let Some((tail, says)) = chosen {
        best.says[tail].fill(says);
    }
    best
}

/// The frozen cut: of those of the pooled order with this mass or less, the one with the best
/// prediction, so that a large uninformative bin does not join a small decisive one.
fn settled(
    (pooled, shares): (&Tally, &[f64]),
    (mass, sides): (f64, (bool, bool)),
    hedges: Hedges<'_>,
    goal: &Goal,
) -> Vec<Guess> {
    let order = by_share(shares);
    let trials = trials_a_side(pooled);
    let mut best = (f64::MIN, ends(&order, pooled, mass, sides));
    let (mut less, mut last) = (mass, vec![]);
    while less * pooled.trials() as f64 > 0.5 {
        let says = ends(&order, pooled, less, sides);
        less *= 0.75;
        if says == last {
            continue;
        }
        last.clone_from(&says);
        let mut seen = Seen::default();
        for (bin, &says) in says.iter().enumerate() {
            add_as_seen(&mut seen, says, bin, pooled);
        }
        let promised = seen.expect(hedges, trials, goal);
        let predicted = promised.map_or(f64::MIN, |(_, predicted)| predicted);
        if predicted > best.0 {
            best = (predicted, says);
        }
    }
    best.1
}

/// Adds a bin by its own counts.
fn add_as_seen(seen: &mut Seen, says: Guess, bin: usize, pooled: &Tally) {
    let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
    seen.add(says, d, d_prime, d as f64 / (d + d_prime).max(1) as f64, 0.0);
}

/// Guesses on the bins at the ends of an order that hold `mass` of the outcomes, half of it at each
/// end, or all at one; at least one bin at each.
fn ends(order: &[usize], tally: &Tally, mass: f64, sides: (bool, bool)) -> Vec<Guess> {
    let mut says = vec![Guess::Abstain; order.len()];
    let seen = |bin: &&usize| tally.d[**bin] + tally.d_prime[**bin] > 0;
    let part = if sides == (true, true) { 0.5 * mass } else { mass };
    let most = part * tally.trials() as f64;
    let mut fill = |bins: &mut dyn Iterator<Item = &usize>, guess: Guess| {
        let mut sum = 0.0;
        for (count, &bin) in bins.enumerate() {
            sum += (tally.d[bin] + tally.d_prime[bin]) as f64;
            if (sum > most && count > 0) || says[bin] != Guess::Abstain {
                break;
            }
            says[bin] = guess;
        }
    };
    if sides.0 {
        fill(&mut order.iter().filter(seen), Guess::D);
    }
    if sides.1 {
        fill(&mut order.iter().rev().filter(seen), Guess::DPrime);
    }
    says
}

//! Cutting: which bins say D, which say D', by the bound that the confirm trials are predicted to
//! give. Everything here is an estimate from explore trials.

use super::posterior::{self, Odds};
use super::{Guess, Scorer};
use crate::claim::{Claim, Region};
use crate::inference::{Corner, Test};
use crate::tally::Tally;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};
use std::ops::Range;

/// What a cut is chosen for.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    claim: Claim,
    /// Confirm trials.
    trials: f64,
    alpha: f64,
    /// One-sided normal quantile of α.
    z: f64,
}

impl Goal {
    /// The goal of refuting a claim at level `alpha` with so many confirm trials.
    pub fn new(claim: Claim, alpha: f64, trials: u64) -> Self {
        Self { claim, trials: trials as f64, alpha, z: -Normal::standard().inverse_cdf(alpha) }
    }
}

/// A way to guess, with the bound it is predicted to certify.
#[derive(Clone, Debug)]
pub struct Cut {
    /// One guess a bin.
    pub says: Vec<Guess>,
    /// The test it is for.
    pub test: Test,
    /// Predicted lower bound on the claim's parameter (ε at its δ, or μ); negative: none.
    pub predicted: f64,
}

impl Cut {
    fn better(self, other: Self) -> Self {
        if other.predicted > self.predicted { other } else { self }
    }

    /// Never guesses.
    pub fn none(bins: usize) -> Self {
        Self { says: vec![Guess::Abstain; bins], test: Test::Guess, predicted: 0.0 }
    }
}

/// Counts of two disjoint parts of the explore trials: what one suggests, the other judges.
#[derive(Clone, Debug)]
pub struct Folds {
    /// One part.
    pub a: Tally,
    /// The other.
    pub b: Tally,
}

/// Standard deviations by which a prediction is lowered for what a curve leaves open.
const HEDGE: f64 = 0.25;
/// Standard errors by which guessing on one side must promise more than guessing on both.
const ONE_SIDED_MARGIN: f64 = 0.5;
/// Standard deviations by which a curve may exceed what the counts themselves say.
const DOUBT: f64 = 1.0;
/// Standard deviations by which a prediction is lowered for cuts of any bins at all, because the
/// best of a hundred cuts looks better than it is: where bins have no order or are few, and where
/// they are many and have one, so that such a cut is the exception.
const FREE_HEDGE: f64 = 2.0;
/// See [`FREE_HEDGE`].
const FREE_HEDGE_ON_LINES: f64 = 4.0;
/// Bins that are few.
const FEW_BINS: usize = 24;
/// Of many bins with an order, a cut of any must promise so many times what a cut of tails does: it has more ways to look
/// good by chance.
const PREFERENCE: f64 = 1.15;

/// The best cut of a scorer's bins, by two estimates of what each bin is worth: by a curve through
/// the bins of each line, and bin by bin.
pub fn best_cut(folds: &Folds, scorer: &Scorer, goal: &Goal) -> Cut {
    let pooled = folds.a.clone().plus(&folds.b);
    let lines = scorer.ordered();
    let few = lines.is_empty() || pooled.bins() <= FEW_BINS;
    let (hedge, preference) =
        if few { (FREE_HEDGE, 1.0) } else { (FREE_HEDGE_ON_LINES, PREFERENCE) };
    let free = free_cut(folds, &pooled, hedge, goal);
    let lines = lines.into_iter().filter_map(|line| {
        let places = scorer.places(&line);
        let odds = posterior::along_line(&pooled, line.clone(), &places)?;
        Some(line_cut(&odds, line, &pooled, goal))
    });
    let by_line = lines.fold(Cut::none(pooled.bins()), Cut::better);
    let best = if free.predicted > preference * by_line.predicted { free } else { by_line };
    if best.predicted > 0.0 { best } else { all_out(&pooled, goal) }
}

/// When nothing promises a bound: a guess on every bin that was seen, so that the confirm trials
/// may still show what the explore trials were too few for. The promise is a negative number, the
/// larger the more bins seem to tell.
fn all_out(tally: &Tally, goal: &Goal) -> Cut {
    let half = tally.trials_d() as f64 / tally.trials().max(1) as f64;
    let shares = posterior::bin_by_bin(tally);
    let both = matches!(goal.claim, Claim::EpsilonDelta { .. });
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
    Cut { says: shares.iter().map(says).collect(), test, predicted }
}

/// How the order of an event test should weigh the errors of its two sides, by the rates that the
/// explore trials show.
pub fn corner(folds: &Folds, cut: &Cut, goal: &Goal) -> Corner {
    let tally = folds.a.clone().plus(&folds.b);
    let says = if cut.test == Test::EventDPrime { Guess::DPrime } else { Guess::D };
    let bins = || (0..cut.says.len()).filter(|&bin| cut.says[bin] == says);
    let rate = |counts: &[u64], trials: u64| {
        (bins().map(|bin| counts[bin]).sum::<u64>() as f64 + 0.5) / (trials as f64 + 1.0)
    };
    let (d, d_prime) =
        (rate(&tally.d, tally.trials_d()), rate(&tally.d_prime, tally.trials_d_prime()));
    let (p, q) = if says == Guess::D { (d, d_prime) } else { (d_prime, d) };
    // Variances of the two terms of T: ln(p − δ) and ln q, or Φ⁻¹(p) and Φ⁻¹(q).
    let (own, other) = match goal.claim {
        Claim::EpsilonDelta { delta, .. } => {
            (p * (1.0 - p) / (p - delta).max(1e-9 * p).powi(2), (1.0 - q) / q)
        }
        Claim::Gaussian { .. } => {
            let normal = Normal::standard();
            let term =
                |rate: f64| rate * (1.0 - rate) / normal.pdf(normal.inverse_cdf(rate)).powi(2);
            (term(p), term(q))
        }
    };
    Corner::leaning(goal.alpha, own / (own + other))
}

/// The bins from most to least typical of D.
pub fn order_of_bins(folds: &Folds) -> Vec<usize> {
    by_share(&posterior::bin_by_bin(&folds.a.clone().plus(&folds.b)))
}

/// The bins by share of D, largest first; those without estimate come last.
fn by_share(shares: &[f64]) -> Vec<usize> {
    let mut bins: Vec<usize> = (0..shares.len()).collect();
    let key = |bin: usize| if shares[bin].is_nan() { -1.0 } else { shares[bin] };
    bins.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    bins
}

/// Which sides a guesser may name.
const SIDES: [(bool, bool); 3] = [(true, true), (true, false), (false, true)];

/// The bins of a line whose share is farthest from a half, as many as give the best prediction.
fn line_cut(odds: &Odds, line: Range<usize>, tally: &Tally, goal: &Goal) -> Cut {
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
            if let Some((test, predicted)) = predict(&seen, tally, goal) {
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
        (Some(both), Some(one)) if one.0 - ONE_SIDED_MARGIN * one.1 <= both.0 => Some(both),
        (both, one) => one.or(both),
    };
    let mut best = Cut::none(tally.bins());
    if let Some((predicted, _, test, count, sides)) = chosen {
        (best.predicted, best.test) = (predicted, test);
        order[..=count].iter().for_each(|&p| best.says[line.start + p] = guess(p, sides));
    }
    best
}

/// Any bins at all, those with the largest share on either side first. Each fold is ordered by the
/// other; the cut takes the same number of outcomes from both ends of the order.
fn free_cut(folds: &Folds, pooled: &Tally, hedge: f64, goal: &Goal) -> Cut {
    let (mut best, mut chosen) = (Cut::none(pooled.bins()), None);
    let orders = [&folds.a, &folds.b].map(|fold| by_share(&posterior::bin_by_bin(fold)));
    let mut mass = 1.0;
    while mass * pooled.trials() as f64 > 1.0 {
        for sides in SIDES {
            let mut seen = Seen::default();
            for (order, (judged, judge)) in
                orders.iter().zip([(&folds.b, &folds.a), (&folds.a, &folds.b)])
            {
                let says = ends(order, judge, mass, sides);
                for (bin, says) in says.into_iter().enumerate() {
                    let (d, d_prime) = (judged.d[bin], judged.d_prime[bin]);
                    let share = d as f64 / (d + d_prime).max(1) as f64;
                    seen.add(says, d, d_prime, share, 0.0);
                }
            }
            seen.hedge(hedge);
            if let Some((test, predicted)) = predict(&seen, pooled, goal)
                && predicted > best.predicted
            {
                (best.predicted, best.test, chosen) = (predicted, test, Some((mass, sides)));
            }
        }
        mass *= 0.75;
    }
    if let Some((mass, sides)) = chosen {
        best.says = settled(pooled, mass, sides, hedge, goal);
    }
    best
}

/// The cut that is frozen: of those of the pooled order with this mass or less, the one with the
/// best prediction, so that a large bin that tells nothing does not join a small one that tells all.
fn settled(pooled: &Tally, mass: f64, sides: (bool, bool), hedge: f64, goal: &Goal) -> Vec<Guess> {
    let order = by_share(&posterior::bin_by_bin(pooled));
    let mut best = (f64::MIN, ends(&order, pooled, mass, sides));
    let mut less = mass;
    while less * pooled.trials() as f64 > 0.5 {
        let says = ends(&order, pooled, less, sides);
        let mut seen = Seen::default();
        for (bin, &says) in says.iter().enumerate() {
            let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
            let share = d as f64 / (d + d_prime).max(1) as f64;
            seen.add(says, d, d_prime, share, 0.0);
        }
        seen.hedge(hedge);
        let predicted = predict(&seen, pooled, goal).map_or(f64::MIN, |(_, predicted)| predicted);
        if predicted > best.0 {
            best = (predicted, says);
        }
        less *= 0.75;
    }
    best.1
}

/// Guesses on the bins at the ends of an order that hold `mass` of the outcomes, half of it at
/// each end, or all at one; at least one bin at each.
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

/// What the explore trials lead one to expect on the bins on which a guesser speaks.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Trials in D bins.
    d_made: f64,
    /// Those expected to be right.
    d_right: f64,
    /// Trials in D' bins.
    prime_made: f64,
    /// Those expected to be right.
    prime_right: f64,
    /// Standard deviation of the expected number of right guesses.
    deviation: f64,
    /// Right guesses as they were in fact.
    in_fact: f64,
}

impl Seen {
    fn add(&mut self, says: Guess, d: u64, d_prime: u64, share: f64, deviation: f64) {
        let made = (d + d_prime) as f64;
        match says {
            Guess::D => {
                self.d_made += made;
                self.d_right += made * share;
                self.in_fact += d as f64;
            }
            Guess::DPrime => {
                self.prime_made += made;
                self.prime_right += made * (1.0 - share);
                self.in_fact += d_prime as f64;
            }
            Guess::Abstain => return,
        }
        self.deviation += HEDGE * made * deviation;
    }

    /// Standard error of the estimated log-odds of a right guess.
    fn error(&self) -> f64 {
        let made = self.d_made + self.prime_made;
        let share = (self.d_right + self.prime_right) / made;
        1.0 / (made * share * (1.0 - share)).sqrt()
    }

    /// Lowers what is expected of raw counts by so many standard deviations.
    fn hedge(&mut self, hedge: f64) {
        let made = self.d_made + self.prime_made;
        if made > 0.0 {
            let low = deviance_lower(self.in_fact, made, 0.5 * hedge * hedge);
            self.deviation = self.in_fact - low * made;
            self.in_fact = low * made;
        }
    }
}

/// The best test for these counts, and the bound it is predicted to certify.
fn predict(seen: &Seen, tally: &Tally, goal: &Goal) -> Option<(Test, f64)> {
    let (n, m) = (tally.trials_d() as f64, tally.trials_d_prime() as f64);
    let half = goal.trials / 2.0;
    let made = seen.d_made + seen.prime_made;
    let expected = seen.d_right + seen.prime_right;
    // Whatever a curve says, the counts themselves must not contradict it.
    let doubt = (expected * (1.0 - expected / made) + 1.0).max(0.0).sqrt();
    let right = (expected - seen.deviation).min(seen.in_fact + DOUBT * doubt);
    // What is seen often by chance will be seen less often.
    let mass = (1.0 - 1.0 / made.sqrt()).max(0.0);
    let (made, right) = (made * mass, right * mass);
    let factor = right / expected;
    let guess = match goal.claim {
        Claim::EpsilonDelta { delta, .. } => predict_guess(right, made, n + m, delta, goal),
        Claim::Gaussian { .. } => None,
    };
    let event = if seen.prime_made == 0.0 {
        let hits = seen.d_right * factor;
        predict_event(hits / n, (made - hits) / m, half, goal).map(|bound| (Test::EventD, bound))
    } else if seen.d_made == 0.0 {
        let hits = seen.prime_right * factor;
        predict_event(hits / m, (made - hits) / n, half, goal)
            .map(|bound| (Test::EventDPrime, bound))
    } else {
        None
    };
    match (guess, event) {
        (Some(guess), Some((_, bound))) if guess * 1.001 >= bound => Some((Test::Guess, guess)),
        (Some(guess), None) => Some((Test::Guess, guess)),
        (_, event) => event,
    }
}

/// The guess test's bound at the confirm size.
fn predict_guess(right: f64, made: f64, trials: f64, delta: f64, goal: &Goal) -> Option<f64> {
    if 2.0 * right <= made {
        return None;
    }
    let share = right / made;
    let made = made / trials * goal.trials;
    let mut revealed = delta * goal.trials;
    if delta > 0.0 {
        revealed += (goal.z + 0.5) * revealed.sqrt() + 1.0;
    }
    let (right, made) = (share * made - revealed, made - revealed);
    if right <= 0.0 || 2.0 * right <= made {
        return None;
    }
    let theta = deviance_lower(right, made, 0.5 * goal.z * goal.z);
    (theta > 0.5).then(|| (theta / (1.0 - theta)).ln())
}

/// The event test's bound at the confirm size, by the delta method; rare events are left to the
/// guess test, where there is one.
fn predict_event(p: f64, q: f64, half: f64, goal: &Goal) -> Option<f64> {
    let (var_p, var_q) = (p * (1.0 - p) / half, q * (1.0 - q) / half);
    match goal.claim.region() {
        Region::EpsilonDelta { delta, .. } => {
            if q * half < 30.0 {
                // Each side by itself; 0.3 z² is what one of two equal parts must give.
                let exponent = 0.3 * goal.z * goal.z;
                let low = deviance_lower(p * half, half, exponent) - delta;
                let ratio = low / deviance_upper(q * half, half, exponent);
                return (delta > 0.0 && ratio > 1.0).then(|| ratio.ln());
            }
            // (p − δ − R q)² = z² (var p + R² var q), the smaller root in R = e^ε.
            let (a, z) = (p - delta, goal.z * goal.z);
            let square = q * q - z * var_q;
            let constant = a * a - z * var_p;
            let root = a * a * q * q - square * constant;
            if a <= 0.0 || square <= 0.0 || constant <= 0.0 || root < 0.0 {
                return None;
            }
            let ratio = (a * q - root.sqrt()) / square;
            (ratio > 1.0).then(|| ratio.ln())
        }
        Region::Gaussian { .. } => {
            let exponent = 0.3 * goal.z * goal.z;
            let low = deviance_lower(p * half, half, exponent);
            let high = deviance_upper(q * half, half, exponent);
            let normal = Normal::standard();
            let mu = normal.inverse_cdf(low) - normal.inverse_cdf(high);
            (low > 0.0 && high < 1.0 && mu > 0.0).then_some(mu)
        }
    }
}

/// The smallest θ with n KL(hits/n ‖ θ) <= `exponent`: the lower end of the likelihood-ratio
/// interval. Good for choosing; never for deciding.
fn deviance_lower(hits: f64, n: f64, exponent: f64) -> f64 {
    if hits <= 0.0 || n <= 0.0 {
        return 0.0;
    }
    let share = (hits / n).min(1.0);
    let level = exponent / n;
    if share >= 1.0 {
        return (-level).exp();
    }
    // Newton on a convex, falling function: from the second step on it comes from the left.
    let mut theta = share / (1.0 + (2.0 * level * (1.0 - share) / share).sqrt() + level / share);
    for _ in 0..6 {
        let excess = share * (share / theta).ln()
            + (1.0 - share) * ((1.0 - share) / (1.0 - theta)).ln()
            - level;
        let slope = (1.0 - share) / (1.0 - theta) - share / theta;
        let next = theta - excess / slope;
        let next = next.clamp(theta * 0.1, share);
        if (next - theta).abs() < 1e-7 * theta {
            return next;
        }
        theta = next;
        if slope == 0.0 {
            break;
        }
    }
    theta
}

/// The largest θ with n KL(hits/n ‖ θ) <= `exponent`, by bisection on ln θ.
fn deviance_upper(hits: f64, n: f64, exponent: f64) -> f64 {
    let share = (hits / n).clamp(0.0, 1.0);
    let excess = |theta: f64| {
        let right = if share > 0.0 { share * (share / theta).ln() } else { 0.0 };
        let wrong = (1.0 - share) * ((-share).ln_1p() - (-theta).ln_1p());
        n * (right + if share < 1.0 { wrong } else { 0.0 }) - exponent
    };
    let (mut low, mut high) = (share.max(1e-300).ln(), -1e-12);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle.exp()) > 0.0 { high = middle } else { low = middle }
    }
    high.exp()
}

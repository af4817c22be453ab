//! Prediction of the bound that the confirm trials would certify, from the explore trials.
//! Everything here is an estimate; no certified result depends on it.

use crate::witness::coordinate::rounding::Sight;
use plaudit_core::claim::{Claim, Region};
use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use statrs::distribution::{ContinuousCDF, Normal};

#[derive(Clone, Debug)]
pub struct Goal {
    pub(crate) claim: Claim,
    trials: f64,
    pub(crate) alpha: f64,
    z: f64,
    /// The claim's point at which bounds are quoted.
    reference: (f64, f64),
    /// `true` if only guesses count: no event test.
    by_guesses: bool,
    /// `true` if the claim is most likely tight on the pair.
    pub(crate) tight: bool,
    pub sight: Sight,
}

impl Goal {
    /// The goal of refuting a claim at level `alpha` with `trials` confirm trials.
    pub fn new(claim: Claim, alpha: f64, trials: u64) -> Self {
        Self {
            reference: claim.reference_point(),
            claim,
            trials: trials as f64,
            alpha,
            z: -Normal::standard().inverse_cdf(alpha),
            by_guesses: false,
            tight: false,
            sight: Sight::default(),
        }
    }

    /// The goal on the only pair that the user gave: the claim is most likely tight on it.
    #[must_use]
    pub fn on_given_pair(self) -> Self {
        Self { tight: true, ..self }
    }

    /// The goal with the betting test: it has no events, and a bet that is spread over many stakes
    /// needs e² times the odds.
    #[must_use]
    pub fn by_betting(self) -> Self {
        Self { z: (2.0 * (2.0 - self.alpha.ln())).sqrt(), by_guesses: true, ..self }
    }

    /// The goal for witnesses with this sight.
    #[must_use]
    pub fn seeing(self, sight: Sight) -> Self {
        Self { sight, ..self }
    }

    /// Sets the number of confirm trials.
    pub fn set_trials(&mut self, trials: u64) {
        self.trials = trials as f64;
    }

    /// Largest bound that the claim allows, in the units of predicted bounds.
    pub fn allowed(&self) -> f64 {
        match *self.claim.region() {
            Region::Gaussian { mu } => mu,
            Region::EpsilonDelta { epsilon, .. } => epsilon,
            Region::Polygon(_) => self.reference.0.max(0.01),
        }
    }

    /// Contradiction of the claim by `own` outcomes of one dataset, against `other` of the other,
    /// of `trials` of each: the log-likelihood ratio of the observation to the most that the claim
    /// allows; 0 if it allows that.
    pub(crate) fn against_claim(&self, own: u64, other: u64, trials: f64) -> f64 {
        let (epsilon, delta) = self.reference;
        let own = (own as f64 - delta * trials).max(0.0);
        let (share, rest) = (own / (own + other as f64), other as f64 / (own + other as f64));
        let allowed = 1.0 / (1.0 + (-epsilon).exp());
        if own == 0.0 || share <= allowed {
            return 0.0;
        }
        let of = |count: f64, seen: f64, most: f64| {
            if count > 0.0 { count * (seen / most).ln() } else { 0.0 }
        };
        of(own, share, allowed) + of(other as f64, rest, 1.0 - allowed)
    }

    /// Largest bound that the confirm trials can certify: if all guesses are right.
    pub fn most(&self) -> f64 {
        let level = 0.5 * self.z * self.z / self.trials.max(1.0);
        -level.exp_m1().ln()
    }

    /// A privacy loss of the usual size: the claim's ε.
    pub fn typical_loss(&self) -> f64 {
        self.reference.0.max(0.01)
    }
}

/// Standard deviations by which a prediction is lowered for a curve's uncertainty: it is too high
/// with .4. Not tuned.
pub(crate) const HEDGE: f64 = 0.25;
/// Standard deviations by which a curve may exceed the counts: by luck it does with .16. Not tuned.
const DOUBT: f64 = 1.0;
/// Standard deviations by which the number of guesses is lowered, as bins are chosen by it: it is
/// too high with .3. Not tuned.
const MASS: f64 = 0.5;

/// Numbers of standard deviations by which raw counts are lowered, with the weight of each.
pub type Hedges<'a> = &'a [(f64, f64)];

/// Expectations from the explore trials on the bins with a guess.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Seen {
    pub d_made: f64,
    d_right: f64,
    pub prime_made: f64,
    prime_right: f64,
    /// Standard deviation of the expected number of right guesses.
    deviation: f64,
    /// Actual number of right guesses.
    in_fact: f64,
}

impl Seen {
    /// Adds a bin with an expected share `share` from D, give or take `deviation`.
    pub fn add(&mut self, says: Guess, d: u64, d_prime: u64, share: f64, deviation: f64) {
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
    pub fn error(&self) -> f64 {
        let made = self.d_made + self.prime_made;
        let share = (self.d_right + self.prime_right) / made;
        1.0 / (made * share * (1.0 - share)).sqrt()
    }

    /// The mean prediction from raw counts, of these trials of D and of D', lowered by several
    /// hedges; the test is the one for the highest counts.
    pub fn expect(&self, hedges: Hedges<'_>, trials: [f64; 2], goal: &Goal) -> Option<(Test, f64)> {
        let mut sum = 0.0;
        let mut chosen = None;
        for (hedge, weight) in hedges {
            let mut lowered = *self;
            lowered.hedge(*hedge);
            if let Some((test, predicted)) = predict(&lowered, trials, goal) {
                sum += weight * predicted;
                chosen = Some(test);
            }
        }
        chosen.map(|test| (test, sum))
    }

    /// Lowers the expectation from raw counts by `hedge` standard deviations.
    fn hedge(&mut self, hedge: f64) {
        let made = self.d_made + self.prime_made;
        if made > 0.0 {
            let low = deviance_lower(self.in_fact, made, 0.5 * hedge * hedge);
            self.deviation = self.in_fact - low * made;
            self.in_fact = low * made;
        }
    }
}

/// The trials of D and of D'.
pub fn trials_a_side(tally: &Tally) -> [f64; 2] {
    [tally.trials_d() as f64, tally.trials_d_prime() as f64]
}

/// The best test for these counts, of `n` trials of D and `m` of D', and its predicted bound.
pub fn predict(seen: &Seen, [n, m]: [f64; 2], goal: &Goal) -> Option<(Test, f64)> {
    let half = goal.trials / 2.0;
    let made = seen.d_made + seen.prime_made;
    let expected = seen.d_right + seen.prime_right;
    if made <= 0.0 || expected <= 0.0 {
        return None;
    }
    // Whatever a curve suggests, the counts themselves must not contradict it.
    let doubt = (expected * (1.0 - expected / made) + 1.0).max(0.0).sqrt();
    let right = (expected - seen.deviation).min(seen.in_fact + DOUBT * doubt);
    // A high frequency by chance will be lower next time.
    let mass = (1.0 - MASS / made.sqrt()).max(0.0);
    let (made, right) = (made * mass, right * mass);
    let factor = right / expected;
    let point = goal.claim.as_epsilon_delta().or(goal.by_guesses.then_some(goal.reference));
    let guess = point.and_then(|(_, delta)| predict_guess(right, made, n + m, delta, goal));
    let event = if goal.by_guesses {
        None
    } else if seen.prime_made == 0.0 {
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
    match *goal.claim.region() {
        Region::EpsilonDelta { delta, .. } => {
            if q * half < 30.0 {
                // Each side by itself; 0.3 z² is the share of one of two equal parts.
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
        Region::Gaussian { .. } | Region::Polygon(_) => {
            let exponent = 0.3 * goal.z * goal.z;
            let low = deviance_lower(p * half, half, exponent);
            let high = deviance_upper(q * half, half, exponent);
            let normal = Normal::standard();
            let mu = normal.inverse_cdf(low) - normal.inverse_cdf(high);
            if !(low > 0.0 && high < 1.0 && mu > 0.0) {
                return None;
            }
            let Region::Polygon(polygon) = goal.claim.region() else { return Some(mu) };
            // In units of the shift that the claim allows there, which is not the same everywhere.
            let most = polygon.most_power(high);
            let allowed = normal.inverse_cdf(most) - normal.inverse_cdf(high);
            (most < 1.0).then_some(goal.reference.0.max(0.01) * mu / allowed.max(1e-9))
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
    if exponent <= 0.0 {
        return share;
    }
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

/// The largest θ with n KL(hits/n ‖ θ) <= `exponent`.
fn deviance_upper(hits: f64, n: f64, exponent: f64) -> f64 {
    let share = (hits / n).clamp(0.0, 1.0);
    let level = exponent / n;
    if share <= 0.0 {
        return -(-level).exp_m1();
    }
    if share >= 1.0 || level <= 0.0 {
        return share;
    }
    // Newton in u = −ln(1 − θ), in which the deviance is convex and rises: from the second step on u
    // comes from the right.
    let (least, start) = (-(-share).ln_1p(), share + (2.0 * level * share * (1.0 - share)).sqrt());
    let mut u = -(-(start + level).min(0.9 + 0.1 * share)).ln_1p();
    for _ in 0..12 {
        let theta = -(-u).exp_m1();
        let excess = share * (share / theta).ln() + (1.0 - share) * (u - least) - level;
        let slope = (1.0 - share) - share * (1.0 - theta) / theta;
        let next = (u - excess / slope).max(least);
        if (next - u).abs() < 1e-7 * u || slope == 0.0 {
            u = next;
            break;
        }
        u = next;
    }
    -(-u).exp_m1()
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/rule/predict.rs"]
mod tests;

//! Power: what a test would have refuted. Statements about a study that was not made, so they are
//! computed at expected counts; no bound rests on them.

use super::{BettingTest, Corner, EventCounts, EventTest, Guessed, Guesses, Stakes};
use super::{binomial, proportion};
use crate::claim::{Claim, LossUnit, Region};
use plaudit_accountant::normal;

/// True ε, at `delta`, of a mechanism for which the guess test would refute the claim (`claim_epsilon`, `delta`) with
/// each of these probabilities, on a witness that guesses in the share `guess_rate` of the trials. `None` if no ε would
/// be refuted.
///
/// The number of guesses is taken at its mean K. A witness that is right with probability r and wrong
/// with w a trial, r + w = `guess_rate`, shows r = e^ε w + δ if it names both datasets (`sides` =
/// 2), and r = e^ε w + δ/2 if it only ever names one. One that names one is right in at most half of the trials: when
/// the coin names this dataset.
pub fn guess_detectable_epsilon<const N: usize>(
    trials: u64,
    (guess_rate, sides): (f64, usize),
    (claim_epsilon, delta): (f64, f64),
    alpha: f64,
    probabilities: [f64; N],
) -> [Option<f64>; N] {
    let refuted = |guesses: Guesses| guesses.p_value(claim_epsilon, delta, alpha) <= alpha;
    detectable(trials, (guess_rate, sides), (claim_epsilon, delta), probabilities, refuted)
}

/// True ε for the betting test, likewise.
pub fn betting_detectable_epsilon<const N: usize>(
    trials: u64,
    (guess_rate, sides): (f64, Guessed),
    (claim_epsilon, delta): (f64, f64),
    (alpha, stakes): (f64, &Stakes),
    probabilities: [f64; N],
) -> [Option<f64>; N] {
    let test = |guesses| BettingTest::new(guesses, sides, stakes.clone());
    let refuted = |guesses| test(guesses).p_value(claim_epsilon, delta) <= alpha;
    let sides = if sides == Guessed::Both { 2 } else { 1 };
    detectable(trials, (guess_rate, sides), (claim_epsilon, delta), probabilities, refuted)
}

fn detectable<const N: usize>(
    trials: u64,
    (guess_rate, sides): (f64, usize),
    (claim_epsilon, delta): (f64, f64),
    probabilities: [f64; N],
    refuted: impl Fn(Guesses) -> bool,
) -> [Option<f64>; N] {
    let made = (trials as f64 * guess_rate).round() as u64;
    let least = smallest(made, |right| refuted(Guesses { right, made, trials }));
    probabilities.map(|probability| {
        let share = reaching(least?, made, probability);
        let wrong = guess_rate * (1.0 - share);
        let right = guess_rate * share;
        let revealed = delta * sides as f64 / 2.0;
        let most = sides as f64 / 2.0;
        let possible = wrong > 0.0 && right > revealed && right <= most;
        possible.then(|| ((right - revealed) / wrong).ln().max(claim_epsilon))
    })
}

/// The smallest probability of an event under one dataset, impossible under the other, for which
/// the guess test that names that dataset on it, and abstains elsewhere, refutes the claim with this
/// probability. `None` if no event is large enough.
pub fn guess_smallest_mass(
    trials: u64,
    claim_epsilon: f64,
    delta: f64,
    alpha: f64,
    probability: f64,
) -> Option<f64> {
    let refuted = |guesses: Guesses| guesses.p_value(claim_epsilon, delta, alpha) <= alpha;
    smallest_mass(trials, probability, refuted)
}

/// Smallest mass for the betting test, with a guesser that names one dataset.
pub fn betting_smallest_mass(
    trials: u64,
    (claim_epsilon, delta): (f64, f64),
    (alpha, stakes): (f64, &Stakes),
    probability: f64,
) -> Option<f64> {
    let test = |guesses| BettingTest::new(guesses, Guessed::One, stakes.clone());
    let refuted = |guesses| test(guesses).p_value(claim_epsilon, delta) <= alpha;
    smallest_mass(trials, probability, refuted)
}

fn smallest_mass(trials: u64, probability: f64, refuted: impl Fn(Guesses) -> bool) -> Option<f64> {
    let least = smallest(trials, |made| refuted(Guesses { right: made, made, trials }))?;
    // The coin names the event's dataset in half of the trials.
    let mass = 2.0 * reaching(least, trials, probability);
    (mass <= 1.0).then_some(mass)
}

/// Event for which the event test (`n` trials on the event's side, `m` on the other, where it has probability `q`)
/// refutes the claim with each of these probabilities: the smallest such p, and the loss of (q, p) in the unit of
/// [`loss_unit`]. `None` if it does not exist, or q = 0 (every loss; see [`event_smallest_mass`]).
///
/// By the test itself (Buehler), with y at its mean to find what is refuted and then the exact
/// probability of outcomes at least as extreme; exact except for the interval of q, which is that of
/// the mean y, and for blocks of y, each on its permissive side: of 800, half a block is .017 standard deviations of y.
pub fn event_detectable<const N: usize>(
    claim: &Claim,
    n: u64,
    m: u64,
    q: f64,
    (alpha, levels): (f64, Corner),
    probabilities: [f64; N],
) -> [Option<DetectableEvent>; N] {
    let other_hits = (m as f64 * q).round() as u64;
    let test = least_refuting(claim, n, (other_hits, m), q, (alpha, levels));
    let rate = |probability| test.as_ref()?.rate_reaching(q, probability);
    probabilities.map(|probability| {
        let p = rate(probability)?;
        Some(DetectableEvent { q, p, loss: loss_of(claim, q, p)? })
    })
}

/// An event that a test would refute a claim for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectableEvent {
    /// Its probability under the other dataset.
    pub q: f64,
    pub p: f64,
    /// The loss that it shows, in the unit of [`loss_unit`].
    pub loss: f64,
}

impl DetectableEvent {
    /// Least δ at ε, in the event's direction, of a mechanism of which the test sees this event: p − e^ε q, or the δ of
    /// Gaussian noise that shows the event, if that is larger. A mechanism whose best event at ε is another one shows
    /// less on this.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        let Self { q, p, .. } = *self;
        let gaussian = Claim::gaussian((normal::quantile(p) - normal::quantile(q)).max(0.0));
        let gaussian = gaussian.map_or(0.0, |claim| claim.delta_at(epsilon));
        (p - epsilon.exp() * q).max(gaussian)
    }
}

/// The unit in which the event test states what it could have seen of a claim.
pub fn loss_unit(claim: &Claim) -> LossUnit {
    match claim.region() {
        Region::EpsilonDelta { .. } => LossUnit::Epsilon,
        Region::Gaussian { .. } => LossUnit::Mu,
        Region::Polygon(_) => LossUnit::Claims,
    }
}

/// The loss, in the unit of the claim, of an event of these probabilities.
fn loss_of(claim: &Claim, q: f64, p: f64) -> Option<f64> {
    if q <= 0.0 || p >= 1.0 {
        return None;
    }
    match *claim.region() {
        Region::EpsilonDelta { epsilon, delta } if p > delta => {
            let steep = ((p - delta) / q).ln();
            let flat = ((1.0 - delta - q) / (1.0 - p)).ln();
            Some(steep.max(flat).max(epsilon))
        }
        Region::EpsilonDelta { .. } => None,
        Region::Gaussian { mu } => Some((normal::quantile(p) - normal::quantile(q)).max(mu)),
        Region::Polygon(_) => claim.times(q, p).map(|times| times.max(1.0)),
    }
}

/// The smallest probability of an event under the dataset with `n` trials, impossible under the
/// other with `m`, for which the event test refutes the claim with this probability. Exact: y is 0.
/// `None` if no event is large enough.
pub fn event_smallest_mass(
    claim: &Claim,
    n: u64,
    m: u64,
    (alpha, levels): (f64, Corner),
    probability: f64,
) -> Option<f64> {
    let counts = |hits| EventCounts { hits, n, other_hits: 0, other_n: m };
    let region = claim.region();
    let test = |hits| EventTest::rough(counts(hits), claim, alpha, levels);
    let refuted = |hits| test(hits).p_value(region) <= alpha;
    let least = smallest(n, refuted)?;
    Some(reaching(least, n, probability))
}

/// The test of an observation with these other hits and about the fewest hits that refute the claim.
fn least_refuting(
    claim: &Claim,
    n: u64,
    (other_hits, other_n): (u64, u64),
    q: f64,
    (alpha, levels): (f64, Corner),
) -> Option<EventTest> {
    let region = claim.region();
    let edge = region.most_power(q);
    let size = n as f64;
    let z = normal::upper_quantile(alpha);
    // Both sides' deviations, as counts of x.
    let other = region.most_power(q + (q * (1.0 - q) / other_n as f64).sqrt()) - edge;
    let deviation = (size * edge * (1.0 - edge) + (size * other).powi(2)).sqrt().max(1.0);
    let play = |hits: u64| {
        let counts = EventCounts { hits, n, other_hits, other_n };
        let test = EventTest::rough(counts, claim, alpha, levels);
        let p = test.p_value(region);
        (test, p)
    };
    let (mut low, mut high) = (0, None);
    let mut next = (size * edge + z * deviation).min(size) as u64;
    for step in 0..64 {
        let (test, p) = play(next);
        let missing = (z - normal::upper_quantile(p)).clamp(-4.0, 8.0);
        if p <= alpha {
            high = Some((next, test));
            if missing.abs() < 0.01 {
                break;
            }
        } else if next == n {
            return None;
        } else {
            low = next;
        }
        let most = high.as_ref().map_or(n + 1, |(hits, _)| *hits);
        if most - low <= 1 {
            break;
        }
        // Aims at a p-value a little below alpha: mostly a few counts away, so that halving what is left up to n would
        // take long.
        let aimed = (next as f64 + (missing + 0.005) * deviation).round().clamp(0.0, size) as u64;
        next = if step < 24 { aimed.clamp(low + 1, most - 1) } else { low + (most - low) / 2 };
    }
    high.map(|(_, test)| test)
}

/// The smallest count up to `most` for which `holds`, which holds from there on.
fn smallest(most: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(most) {
        return None;
    }
    // Doubling first: the answer is often far below `most`, and small counts are cheap.
    let mut high = 1;
    while high < most && !holds(high) {
        high *= 2;
    }
    let (mut low, mut high) = (high / 2, high.min(most));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The smallest p with P[Bin(n, p) >= k] >= `probability`.
fn reaching(k: u64, n: u64, probability: f64) -> f64 {
    let p = proportion::beta_quantile(probability, k, n - k + 1);
    debug_assert!(binomial::upper_tail(k, n, p) >= probability * (1.0 - 1e-9));
    p
}

#[cfg(test)]
#[path = "../../tests/unit/inference/power.rs"]
mod tests;

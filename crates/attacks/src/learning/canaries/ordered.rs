//! Guesses in the order of their confidence, and a test that holds at every number of them at once.
//!
//! The release alone, never a coin, puts the canaries into an order and gives each a guess. Coins are then revealed one after
//! another. Under (ε, 0)-DP, given the release and all other coins, a guess is right with probability at most
//! q = e^ε/(1 + e^ε). With v right and w wrong so far, and for any law of u in (0, 1),
//!
//! E = mean over u of (θ/q)^v ((1 − θ)/(1 − q))^w, θ = 1 − (1 − q) u, that is of (1 + (1 − u) e^−ε)^v u^w
//!
//! starts at 1 and has no upward drift. So P[E ≥ 1/a at any time] ≤ a (J. Ville 1939; A. Ramdas, P. Grünwald, V. Vovk, G.
//! Shafer, "Game-Theoretic Statistics and Safe Anytime-Valid Inference", 2023, section 2).
//!
//! **The law of u.** Near 0 that of Jeffreys for the chance of a wrong guess, density u^(−1/2)/2: not to know it costs a factor
//! that grows only as the root of the number of wrong guesses to expect. [`PARTS`] points (k − 1/2)²/[`PARTS`]² of equal weight
//! stand for it, as any law will do.
//!
//! **δ.** Call a right guess *given away* with the part of its probability above q, given the release y and the coins revealed;
//! the others are right with probability at most q at each step. More coins known make the expected part larger, as max(0, x)
//! is convex. With all others known, the part of canary j is the sum over y of max(0, P(s_j = g(y), y) − q P(y)) = (1 − q)/2 ·
//! max(0, P(y | g) − e^ε P(y | not g)), at most (1 − q) δ/2 for the y that guess *in*, and as much for those that guess *out*.
//! So an order that guesses on both sides gives away at most m δ (1 − q) in the mean, one on one side half of that, and i or
//! more with at most 1/i of it (Markov). With fewer than i given away, v is above that of a valid test by at most i − 1, so
//! E at (v − i + 1, w + i − 1) is below that test's. For three orders, each at a/3,
//!
//! P[refuted] ≤ a + 2 m δ (1 − q)/i = α, the level of the look, with i fixed beforehand: the least with i ≥ 2 m δ/α. So this
//! term is at most α (1 − q), a half of α or less, and a ≥ α q.
//!
//! The mean of the three in parallel is not valid: a guess of one order may be a coin that another has revealed.
//!
//! **One bound.** Where E ≥ 3/a, it falls faster as ε rises than a rises, so that every smaller ε is refuted too. With x =
//! (1 − u) e^−ε, E loses at the rate of the mean of v x/(1 + x) ≥ v x/2 under the law of u weighted by its part of E. That is at
//! least half the mean of the logarithm of that part, which is at least ln E, which is above ln 3: E loses at a rate above 0.54.
//! a = α − T, T = 2 m δ (1 − q)/i ≤ α (1 − q), gains at the rate T q/a ≤ T/α ≤ 1 − q ≤ 1/2.

use super::bounds::OneRunBounds;
use super::guesses::{CanaryGuesses, last};
use super::ranked::{CalledSides, Ranked};
use super::tradeoff::{gaussian_epsilon, gaussian_epsilon_above};
use plaudit_core::claim::gaussian_profile;

/// Points of the law of u.
const PARTS: u32 = 16;
/// Relative widening of a p-value: above the error of E for a million guesses.
const OUTWARD: f64 = 1e-9;
/// Largest ε and μ that are looked at.
const MOST: f64 = 256.0;

/// An order in which canaries are guessed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// The highest score, the lowest, the second highest, and so on.
    Both,
    Top,
    Bottom,
}

pub(super) const ORDERS: [Order; 3] = [Order::Both, Order::Top, Order::Bottom];

impl Order {
    /// The canaries that its first guesses call in and out.
    fn sides(self, made: usize) -> CalledSides {
        let (called_in, called_out) = match self {
            Self::Both => (made.div_ceil(2), made / 2),
            Self::Top => (made, 0),
            Self::Bottom => (0, made),
        };
        CalledSides { called_in, called_out }
    }
}

/// The test that all orders share.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderedTest {
    pub canaries: u64,
    pub delta: f64,
    pub alpha: f64,
}

/// By what a right and a wrong guess change ln E at each point of the law of u.
struct Laws(Vec<[f64; 2]>);

impl Laws {
    fn new(epsilon: f64) -> Self {
        let u = |part: u32| ((f64::from(part) - 0.5) / f64::from(PARTS)).powi(2);
        let steps = |u: f64| [((1.0 - u) * (-epsilon).exp()).ln_1p(), u.ln()];
        Self((1..=PARTS).map(u).map(steps).collect())
    }

    fn ln_evidence(&self, right: f64, wrong: f64) -> f64 {
        let part = |[hit, miss]: &[f64; 2]| right * hit + wrong * miss;
        let most = self.0.iter().map(part).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.0.iter().map(|steps| (part(steps) - most).exp()).sum();
        most + (sum / f64::from(PARTS)).ln()
    }
}

/// Guesses of one order.
pub(super) struct Path {
    order: Order,
    /// Right and wrong guesses after each run of right ones: a right guess never lowers E.
    counts: Vec<[u64; 2]>,
}

impl Path {
    pub(super) fn new(order: Order, ranked: &Ranked) -> Self {
        let right = |made| ranked.guesses(order.sides(made)).right;
        let of = (0..=ranked.count())
            .filter(|&made| made == ranked.count() || right(made + 1) == right(made));
        let counts = of.map(|made| [right(made), made as u64 - right(made)]).collect();
        Self { order, counts }
    }

    /// As if all guesses were right.
    pub(super) fn all_right(order: Order, count: usize) -> Self {
        Self { order, counts: vec![[count as u64, 0]] }
    }

    /// The number of guesses with the most evidence against `epsilon`, as right and wrong ones, and ln E there.
    fn most(&self, test: &OrderedTest, epsilon: f64) -> ([u64; 2], f64) {
        let (laws, spared) = (Laws::new(epsilon), test.given_away() - 1);
        let evidence = |[right, wrong]: [u64; 2]| match right.checked_sub(spared) {
            Some(right) => laws.ln_evidence(right as f64, (wrong + spared) as f64),
            None => 0.0,
        };
        let none = ([0, 0], 0.0);
        let all = self.counts.iter().map(|&counts| (counts, evidence(counts)));
        all.fold(none, |best, next| if next.1 > best.1 { next } else { best })
    }

    /// Upper bound on the probability of as much evidence if the training is (ε, δ)-DP, all orders counted.
    pub(super) fn p_value(&self, test: &OrderedTest, epsilon: f64) -> f64 {
        let (_, evidence) = self.most(test, epsilon);
        let lost = 2.0 * test.canaries as f64 * test.delta / (1.0 + epsilon.exp());
        let orders = ORDERS.len() as f64;
        let p = orders * (-evidence).exp() + lost / test.given_away() as f64;
        (p * (1.0 + OUTWARD)).clamp(f64::MIN_POSITIVE, 1.0)
    }

    pub(super) fn epsilon_lower(&self, test: &OrderedTest) -> f64 {
        last(|epsilon| self.p_value(test, epsilon) <= test.alpha, MOST)
    }

    /// The p-value of `mu`-GDP, by the ε that it implies at δ.
    pub(super) fn gaussian_p_value(&self, test: &OrderedTest, mu: f64) -> f64 {
        match gaussian_epsilon_above(mu, test.delta) {
            epsilon if epsilon < MOST => self.p_value(test, epsilon),
            _ => 1.0,
        }
    }

    /// Bounds on ε, and on the μ that imply a smaller ε at δ.
    pub(super) fn bounds(&self, test: &OrderedTest) -> OneRunBounds {
        let (epsilon, delta) = (self.epsilon_lower(test), test.delta);
        let implied =
            |mu: f64| epsilon > 0.0 && gaussian_profile(mu, epsilon) <= delta * (1.0 - 1e-9);
        let mu = if delta > 0.0 { last(implied, MOST) } else { 0.0 };
        OneRunBounds { epsilon, mu, gaussian_epsilon: gaussian_epsilon(mu, delta) }
    }

    /// The guesses with the most evidence against `epsilon`.
    pub(super) fn shown(&self, test: &OrderedTest, epsilon: f64) -> (CalledSides, CanaryGuesses) {
        let ([right, wrong], _) = self.most(test, epsilon);
        let made = right + wrong;
        let guesses = CanaryGuesses { canaries: test.canaries, made, right };
        (self.order.sides(made as usize), guesses)
    }
}

impl OrderedTest {
    /// Fewer coins given away than this are allowed for: i.
    pub(super) fn given_away(&self) -> u64 {
        ((2.0 * self.canaries as f64 * self.delta / self.alpha).ceil() as u64).max(1)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/ordered.rs"]
mod tests;

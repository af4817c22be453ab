//! A row substituted in a Poisson sample, with Laplace noise: (1 − r)N₀ + rN₊ against (1 − r)N₀ + rN₋, where N₀ is the
//! noise, and N₊ and N₋ are the same moved by a row's whole contribution in opposite directions.
//!
//! No other two rows do better. For any set S of outcomes with N₀(S) = t, N₊(S) is at most T(t) and N₋(S) at least
//! its counterpart B(t), where T and B are what a half-line of mass t has: by Neyman and Pearson, since the noise has a
//! monotone likelihood ratio under shifts; for Gaussian noise in any dimension by its isoperimetry. One half-line
//! reaches both, so the profile sup_t (1 − r)(1 − e^ε)t + r(T(t) − e^ε B(t)) is the largest for every ε
//! (docs/accountant-method.md).

use super::part::{LawPart, diluted_loss};

/// Bound on the relative error of δ of one use, but for that of its ε.
const ERROR: f64 = 2e-12;

/// The pair, in units in which the noise has scale 1: how far a row moves it, and the rate in (0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OpposedPair {
    pub a: f64,
    pub rate: f64,
}

impl OpposedPair {
    /// The losses that the law can have lie within ± this.
    pub fn end(self) -> f64 {
        diluted_loss(self.rate, self.a) - diluted_loss(self.rate, -self.a)
    }

    /// The outcome of a loss: monotone, odd.
    fn outcome(self, loss: f64) -> f64 {
        if loss < 0.0 {
            return -self.outcome(-loss);
        }
        // r e^(2x − a) = e^ℓ (1 − r + r e^(−a)) − (1 − r).
        let (a, rate) = (self.a, self.rate);
        let grown = loss.exp_m1() * (1.0 - rate + rate * (-a).exp()) / rate;
        (0.5 * (a + (grown + (-a).exp()).ln())).clamp(0.0, a)
    }

    pub fn atoms(self) -> Vec<LawPart> {
        let a = self.a;
        let whole = 0.5 * (-a).exp() * (1.0 - self.rate);
        let (most, least) = (whole + 0.5 * self.rate, whole + 0.5 * self.rate * (-2.0 * a).exp());
        let end = self.end();
        vec![LawPart { p: least, q: most, loss: -end }, LawPart { p: most, q: least, loss: end }]
    }

    /// The outcomes whose loss is in (low, high), without atoms.
    pub fn part(self, low: f64, high: f64) -> LawPart {
        if low + high < 0.0 {
            // The side on which P outweighs Q is the more accurate one.
            return self.part(-high, -low).reversed();
        }
        let (a, first, last) = (self.a, self.outcome(low), self.outcome(high));
        let rise = |from: f64, to: f64| 0.5 * (to - a).exp() * -(from - to).exp_m1();
        let fall = |from: f64, to: f64| 0.5 * (-from).exp() * -(from - to).exp_m1();
        // Left of 0 the noise alone rises, and only there can a part begin below it.
        let (left, right) = (first.min(0.0), first.max(0.0));
        let alone = fall(right, last) + if left < 0.0 { fall(0.0, -left) } else { 0.0 };
        let plus = rise(first, last);
        let minus = 0.5 * (-a - first).exp() * -(first - last).exp_m1();
        let p = (1.0 - self.rate) * alone + self.rate * plus;
        let q = (1.0 - self.rate) * alone + self.rate * minus;
        let loss = (p / q).ln();
        // Underflow: far out in the tail.
        let loss = if loss.is_nan() || p == 0.0 || q == 0.0 { low.max(0.0) } else { loss };
        LawPart { p, q, loss: loss.clamp(low, high) }
    }

    /// Bounds on δ(ε) for any ε between two that are near each other.
    pub fn delta(self, (low, high): (f64, f64)) -> (f64, f64) {
        // ε and losses are rounded.
        let room = |epsilon: f64| 16.0 * f64::EPSILON * epsilon.abs();
        let least = self.delta_near(high + room(high), -1.0);
        let greatest = self.delta_near(low - room(low), 1.0);
        (least * (1.0 - ERROR), greatest * (1.0 + ERROR))
    }

    /// δ(ε), the outcome of ε being rounded to the side that makes it smaller or larger.
    fn delta_near(self, epsilon: f64, side: f64) -> f64 {
        if epsilon < 0.0 {
            // δ(−ε) = 1 − e^(−ε) + e^(−ε) δ(ε), since the pair is symmetric.
            return -epsilon.exp_m1() + epsilon.exp() * self.delta_near(-epsilon, side);
        }
        if epsilon >= self.end() {
            return 0.0;
        }
        // With w = e^(x − a) at the outcome x of ε, r (1 − w)²/2 of it is between x and a, and r (1 − w²)/2 beyond.
        let away = self.outcome(epsilon) - self.a;
        (-self.rate * (away - side * 16.0 * f64::EPSILON * self.a).exp_m1()).max(0.0)
    }
}

//! A row substituted in a Poisson sample: (1 − r)N₀ + rN₊ against (1 − r)N₀ + rN₋, where N₀ is the noise, and N₊ and N₋
//! are the same moved by a row's whole contribution in opposite directions.
//!
//! No other two rows do better. For any set S of outcomes with N₀(S) = t, N₊(S) is at most T(t) and N₋(S) at least
//! its counterpart B(t), where T and B are what a half-line of mass t has: by Neyman and Pearson, since the noise has a
//! monotone likelihood ratio under shifts; for Gaussian noise in any dimension by its isoperimetry. One half-line
//! reaches both, so the profile sup_t (1 − r)(1 − e^ε)t + r(T(t) − e^ε B(t)) is the largest for every ε (docs/method.md).

use super::part::{GAUSS_8, LawPart, between};
use crate::normal;

/// Bound on the relative error of δ of one use, but for that of its ε.
const ERROR: f64 = 2e-12;
/// Most panels of the quadrature of a part.
const MOST_PANELS: f64 = 64.0;
/// Where e^(ε − ℓ) is nothing next to 1.
const STEEP: f64 = 40.0;

/// Noise in units in which its scale is 1, and how far a row moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OpposedNoise {
    Gaussian { mu: f64 },
    Laplace { a: f64 },
}

/// The pair, at a rate in (0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OpposedPair {
    pub noise: OpposedNoise,
    pub rate: f64,
}

impl OpposedPair {
    /// Half of the loss at ±∞: the losses that the law can have lie within ± this.
    pub fn end(self) -> f64 {
        match self.noise {
            OpposedNoise::Gaussian { .. } => f64::INFINITY,
            OpposedNoise::Laplace { a } => self.seen(a) - self.seen(-a),
        }
    }

    /// ln(1 − r + r e^ℓ).
    fn seen(self, loss: f64) -> f64 {
        if loss > 30.0 {
            loss + self.rate.ln() + ((1.0 - self.rate) / self.rate * (-loss).exp()).ln_1p()
        } else if self.rate == 1.0 {
            loss
        } else {
            (self.rate * loss.exp_m1()).ln_1p()
        }
    }

    /// The loss at an outcome.
    fn loss(self, x: f64) -> f64 {
        match self.noise {
            OpposedNoise::Gaussian { mu } => {
                let half = 0.5 * mu * mu;
                self.seen(mu * x - half) - self.seen(-mu * x - half)
            }
            OpposedNoise::Laplace { a } => {
                let of = |x: f64| (2.0 * x - a).clamp(-a, a);
                self.seen(of(x)) - self.seen(of(-x))
            }
        }
    }

    /// The outcome of a loss: monotone, odd.
    fn outcome(self, loss: f64) -> f64 {
        if loss < 0.0 {
            return -self.outcome(-loss);
        }
        if loss == f64::INFINITY {
            return loss;
        }
        let (absent, half) = (1.0 - self.rate, 0.5 * loss);
        match self.noise {
            OpposedNoise::Gaussian { mu } => {
                // With t = e^(μx) and b = r e^(−μ²/2): t = e^(ℓ/2) (w + √(w² + 1)), w = (1 − r) sinh(ℓ/2)/b.
                let ln_b = self.rate.ln() - 0.5 * mu * mu;
                let ln_sinh =
                    if half > 20.0 { half - std::f64::consts::LN_2 } else { half.sinh().ln() };
                let ln_w = absent.ln() + ln_sinh - ln_b;
                let arc =
                    if ln_w > 300.0 { ln_w + std::f64::consts::LN_2 } else { ln_w.exp().asinh() };
                (half + arc) / mu
            }
            OpposedNoise::Laplace { a } => {
                // r e^(2x − a) = e^ℓ (1 − r + r e^(−a)) − (1 − r).
                let grown = loss.exp_m1() * (absent + self.rate * (-a).exp()) / self.rate;
                (0.5 * (a + (grown + (-a).exp()).ln())).clamp(0.0, a)
            }
        }
    }

    /// Between which losses all finite ones that matter lie.
    pub fn range(self, floor: f64) -> (f64, f64) {
        match self.noise {
            OpposedNoise::Gaussian { mu } => {
                let end = self.loss(normal::upper_quantile(floor) + mu);
                (-end, end)
            }
            OpposedNoise::Laplace { .. } => (-self.end(), self.end()),
        }
    }

    pub fn atoms(self) -> Vec<LawPart> {
        let OpposedNoise::Laplace { a } = self.noise else { return Vec::new() };
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
        let (first, last) = (self.outcome(low), self.outcome(high));
        match self.noise {
            OpposedNoise::Gaussian { mu } => self.gaussian_part(mu, (first, last), (low, high)),
            OpposedNoise::Laplace { a } => {
                let rise = |from: f64, to: f64| 0.5 * (to - a).exp() * -(from - to).exp_m1();
                let fall = |from: f64, to: f64| 0.5 * (-from).exp() * -(from - to).exp_m1();
                // Left of 0 the noise alone rises, and only there can a part begin below it.
                let (left, right) = (first.min(0.0), first.max(0.0));
                let alone = fall(right, last) + if left < 0.0 { fall(0.0, -left) } else { 0.0 };
                let plus = rise(first, last);
                let minus = 0.5 * (-a - first).exp() * -(first - last).exp_m1();
                self.mixed(alone, plus, minus, (low, high))
            }
        }
    }

    fn mixed(self, alone: f64, plus: f64, minus: f64, (low, high): (f64, f64)) -> LawPart {
        let p = (1.0 - self.rate) * alone + self.rate * plus;
        let q = (1.0 - self.rate) * alone + self.rate * minus;
        let loss = (p / q).ln();
        // Underflow: far out in the tail.
        let loss = if loss.is_nan() || p == 0.0 || q == 0.0 { low.max(0.0) } else { loss };
        LawPart { p, q, loss: loss.clamp(low, high) }
    }

    fn gaussian_part(self, mu: f64, (first, last): (f64, f64), ends: (f64, f64)) -> LawPart {
        let width = last - first;
        let center = 0.5 * (first + last);
        // Within a panel neither density changes by more than about e.
        let panels = (width * (center.abs() + mu + 1.0)).ceil().max(1.0);
        if panels > MOST_PANELS {
            let mass = |shift: f64| interval(first - shift, last - shift);
            return self.mixed(mass(0.0), mass(mu), mass(-mu), ends);
        }
        let middle = self.loss(center);
        let half = 0.5 * width / panels;
        let (mut mass, mut moment, mut panel) = (0.0, 0.0, 0.0);
        while panel < panels {
            let start = first + half * (2.0 * panel + 1.0);
            for (node, weight) in GAUSS_8 {
                for x in [start - node * half, start + node * half] {
                    let share = weight * self.density_above(mu, x);
                    mass += share;
                    moment += share * (middle - self.loss(x)).exp_m1();
                }
            }
            panel += 1.0;
        }
        if mass == 0.0 {
            // Underflow: far out in a tail, or between two distant masses.
            return LawPart { p: 0.0, q: 0.0, loss: middle.clamp(ends.0, ends.1) };
        }
        // Q over P is the mean of e^(−ℓ) under P.
        let p = half * mass;
        let loss = (middle - (moment / mass).ln_1p()).clamp(ends.0, ends.1);
        LawPart { p, q: p * (-loss).exp(), loss }
    }

    /// Density under P.
    fn density_above(self, mu: f64, x: f64) -> f64 {
        (1.0 - self.rate) * normal::density(x) + self.rate * normal::density(x - mu)
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
        match self.noise {
            OpposedNoise::Gaussian { mu } => self.gaussian_delta(mu, epsilon),
            // With w = e^(x − a) at the outcome x of ε, r (1 − w)²/2 of it is between x and a, and r (1 − w²)/2 beyond.
            OpposedNoise::Laplace { a } if epsilon < self.end() => {
                let away = self.outcome(epsilon) - a;
                (-self.rate * (away - side * 16.0 * f64::EPSILON * a).exp_m1()).max(0.0)
            }
            OpposedNoise::Laplace { .. } => 0.0,
        }
    }

    /// ∫ p(x) (1 − e^(ε − ℓ(x))) dx from the outcome of ε on, where nothing cancels.
    fn gaussian_delta(self, mu: f64, epsilon: f64) -> f64 {
        const PANELS: u32 = 96;
        let start = self.outcome(epsilon);
        let t = start - mu;
        // Beyond this, p has less than e^(−90) of its mass from there on.
        let tail = if t > -1.0 { 90.0 / (t + (t * t + 90.0).sqrt()) } else { 13.5 - t };
        let steep = self.outcome(epsilon + STEEP) - start;
        let end = tail.min(steep);
        let half = 0.5 * end / f64::from(PANELS);
        let mut sum = 0.0;
        for panel in 0..PANELS {
            let center = start + half * f64::from(2 * panel + 1);
            for (node, weight) in GAUSS_8 {
                for x in [center - node * half, center + node * half] {
                    let gap = -(epsilon - self.loss(x)).exp_m1();
                    sum += weight * self.density_above(mu, x) * gap;
                }
            }
        }
        let rest = if steep < tail {
            let from = start + end;
            (1.0 - self.rate) * normal::cdf(-from) + self.rate * normal::cdf(mu - from)
        } else {
            0.0
        };
        half * sum + rest
    }
}

/// Φ(last) − Φ(first), where the two are near each other as well.
fn interval(first: f64, last: f64) -> f64 {
    let (center, width) = (0.5 * (first + last), last - first);
    if width * (center.abs() + 1.0) > 1.0 {
        return between(first, last);
    }
    let half = 0.5 * width;
    let pair = |(node, weight): (f64, f64)| {
        weight * (normal::density(center - node * half) + normal::density(center + node * half))
    };
    half * GAUSS_8.into_iter().map(pair).sum::<f64>()
}

#[cfg(test)]
#[path = "../../tests/unit/opposed.rs"]
mod tests;

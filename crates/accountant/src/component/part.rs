//! Sets of outcomes, and the normal law on an interval.

use crate::normal;

/// Gauss–Legendre on [−1, 1]: nodes and weights, half of them.
pub(super) const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// A set of outcomes: its probability under P and under Q, and ln(P/Q) of the two, which is more
/// accurate than the quotient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LawPart {
    pub p: f64,
    pub q: f64,
    pub loss: f64,
}

/// A loss, and its outcome where the law is known by outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub loss: f64,
    pub outcome: f64,
}

impl LawPart {
    /// Takes away Q-mass, and P-mass of the same loss.
    pub fn take(&mut self, q: f64) {
        self.p *= 1.0 - q / self.q;
        self.q -= q;
    }

    /// Outcomes with P and Q exchanged.
    pub fn reversed(self) -> Self {
        Self { p: self.q, q: self.p, loss: -self.loss }
    }
}

/// Φ(last) − Φ(first), without cancelling where both are in one tail.
pub(super) fn between(first: f64, last: f64) -> f64 {
    let difference = if first + last > 0.0 {
        normal::cdf(-first) - normal::cdf(-last)
    } else {
        normal::cdf(last) - normal::cdf(first)
    };
    difference.max(0.0)
}

/// ln of the same, where it underflows.
pub(super) fn ln_between(first: f64, last: f64) -> f64 {
    let tail = |near: f64, far: f64| {
        let (near, far) = (normal::ln_cdf(-near), normal::ln_cdf(-far));
        near + (-(far - near).exp()).ln_1p()
    };
    if first > 0.0 {
        tail(first, last)
    } else if last < 0.0 {
        tail(-last, -first)
    } else {
        between(first, last).ln()
    }
}

/// ln(1 − r + r e^ℓ).
pub(super) fn diluted_loss(rate: f64, loss: f64) -> f64 {
    if rate == 1.0 {
        loss
    } else if loss > 30.0 {
        loss + rate.ln() + ((1.0 - rate) / rate * (-loss).exp()).ln_1p()
    } else {
        (rate * loss.exp_m1()).ln_1p()
    }
}

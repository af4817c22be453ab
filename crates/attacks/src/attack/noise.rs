//! Laws of means of noise, exact.

use plaudit_accountant::EventKind;
use plaudit_accountant::normal;
use plaudit_core::inference::binomial;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "noise", rename_all = "kebab-case")]
pub enum Noise {
    Laplace { scale: f64 },
    Gaussian { sigma: f64 },
}

impl Noise {
    pub(super) fn kind(self, sensitivity: f64) -> EventKind {
        match self {
            Self::Laplace { scale } => EventKind::Laplace { scale, sensitivity },
            Self::Gaussian { sigma } => EventKind::Gaussian { sigma, sensitivity },
        }
    }
}

/// The probability that the mean of `count` >= 1 sums of `each` draws is above half of `distance` > 0. Noise is symmetric, so a
/// difference of two draws is a sum of two.
pub(super) fn mean_beyond_half(noise: Noise, distance: f64, (count, each): (u64, u64)) -> f64 {
    let sums = count as f64;
    match noise {
        Noise::Gaussian { sigma } => {
            normal::cdf(-distance * (sums / each as f64).sqrt() / (2.0 * sigma))
        }
        Noise::Laplace { scale } => {
            laplace_sum_beyond(sums * distance / (2.0 * scale), count * each)
        }
    }
}

/// P[S > x] for the sum S of `count` standard Laplace draws, x >= 0.
///
/// S = G − G' with independent Gamma(k, 1) (Kotz, Kozubowski, Podgórski 2001, section 2.3). G > x + G' if at most k − 1
/// arrivals of a Poisson process fall into x + G': m of them into x, and at most k − 1 − m into G', whose number is
/// negative binomial. So P[S > x] = Σ_{m<k} e^(−x) x^m/m! · P[Bin(2k − 1 − m, ½) >= k], a sum of positive terms.
fn laplace_sum_beyond(x: f64, count: u64) -> f64 {
    let mut ln_poisson = -x;
    let mut sum = 0.0;
    for arrivals in 0..count {
        if arrivals > 0 {
            ln_poisson += (x / arrivals as f64).ln();
        }
        // Below the least double there is nothing to add.
        if ln_poisson > -746.0 {
            sum += ln_poisson.exp() * binomial::upper_tail(count, 2 * count - 1 - arrivals, 0.5);
        }
    }
    sum.min(0.5)
}

#[cfg(test)]
#[path = "../../tests/unit/attack/noise.rs"]
mod tests;

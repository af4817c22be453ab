//! How far chance alone moves what is estimated from counts.

use crate::tally::Tally;
use plaudit_accountant::normal;

/// Standard errors that an estimate is given on both sides.
const WIDTH: f64 = 2.0;
/// Standard errors by which one bin of many must deviate.
const OUT: f64 = 4.0;
/// Standard errors from zero at which what chance adds to a positive part is below a double's last digit: E (μ + σZ)₊ − μ₊ is less
/// than φ(9)/9² σ ≈ 10⁻²⁰ σ there.
const SETTLED: f64 = 9.0;

/// Shares of a bin with the variance of p − ratio·q. A bin that was never seen might have been once.
struct BandShare {
    p: f64,
    q: f64,
    variance: f64,
}

fn sides(tally: &Tally, ratio: f64, reverse: bool) -> impl Iterator<Item = BandShare> {
    let (n, m) = (tally.trials_d().max(1) as f64, tally.trials_d_prime().max(1) as f64);
    tally.d.iter().zip(&tally.d_prime).filter(|(d, e)| **d + **e > 0).map(move |(d, e)| {
        let ((x, n), (y, m)) = ((*d as f64, n), (*e as f64, m));
        let ((x, n), (y, m)) = if reverse { ((y, m), (x, n)) } else { ((x, n), (y, m)) };
        let variance = x.max(1.0) / (n * n) + ratio * ratio * y.max(1.0) / (m * m);
        BandShare { p: x / n, q: y / m, variance }
    })
}

/// Band around the estimate of δ(ε), Σ (p − e^ε q)₊ over the bins in the worse direction. Chance adds to the positive
/// parts: the band extends below by its mean contribution, and by two standard errors to both sides.
pub fn delta_band(tally: &Tally, epsilon: f64) -> [f64; 2] {
    let ratio = epsilon.exp();
    let one = |reverse: bool| {
        let (mut estimate, mut variance, mut bias) = (0.0, 0.0, 0.0);
        for side in sides(tally, ratio, reverse) {
            let excess = side.p - ratio * side.q;
            let deviation = side.variance.sqrt();
            let z = excess.abs() / deviation;
            // E (μ + σZ)₊ − μ₊, with what was seen for μ.
            if z < SETTLED {
                let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
                bias += deviation * (density - z * normal::cdf(-z)).max(0.0);
            }
            if excess > 0.0 {
                estimate += excess;
                variance += side.variance;
            }
        }
        let spread = WIDTH * variance.sqrt();
        (estimate, [(estimate - bias - spread).max(0.0), (estimate + spread).min(1.0)])
    };
    let ((forth, band), (back, reversed)) = (one(false), one(true));
    if forth >= back { band } else { reversed }
}

/// Shares of the outcomes under D, and under D', in bins whose loss is beyond ε by more than chance, four standard errors.
pub fn beyond_chance(tally: &Tally, epsilon: f64) -> [f64; 2] {
    let ratio = epsilon.exp();
    [false, true].map(|reverse| {
        let out = |side: &BandShare| side.p - ratio * side.q > OUT * side.variance.sqrt();
        sides(tally, ratio, reverse).filter(out).map(|side| side.p).sum()
    })
}

//! Clopper–Pearson bounds of one proportion (Clopper & Pearson 1934), each one-sided.

use super::binomial::Chance;
use plaudit_accountant::normal;

/// Relative outward shift of bounds: above the error of the root, below what matters.
const OUTWARD: f64 = 4e-13;

/// Lower bound of the probability behind `hits` of `n`, wrong with probability at most `alpha`;
/// rounded down.
pub fn lower(hits: u64, n: u64, alpha: f64) -> f64 {
    if hits == 0 || alpha <= 0.0 {
        return 0.0;
    }
    if alpha >= 1.0 {
        return 1.0;
    }
    (solve(hits, n, alpha).rounded().0 * (1.0 - OUTWARD)).max(0.0)
}

/// Upper bound of the probability behind `hits` of `n`, wrong with probability at most `alpha`;
/// rounded up.
pub fn upper(hits: u64, n: u64, alpha: f64) -> f64 {
    if hits >= n || alpha <= 0.0 {
        return 1.0;
    }
    if alpha >= 1.0 {
        return 0.0;
    }
    // The bound's complement is the lower bound of the misses: solved on the upper tail, which does
    // not cancel.
    (solve(n - hits, n, alpha).rounded().1 * (1.0 + OUTWARD)).min(1.0)
}

/// The `alpha` quantile of Beta(a, b) for whole a, b >= 1, to about 10^-13, not rounded to any side.
pub fn beta_quantile(alpha: f64, a: u64, b: u64) -> f64 {
    if alpha <= 0.0 {
        0.0
    } else if alpha >= 1.0 {
        1.0
    } else {
        solve(a, a + b - 1, alpha).rounded().0
    }
}

/// The p with P[Bin(n, p) >= k] = `alpha`, for 1 <= k <= n and 0 < alpha < 1.
///
/// ln of the tail is increasing and concave in logit p, so Newton's method converges from anywhere
/// (after one step all iterates are on the left); near the root it is taken to third order
/// (Halley), as the second derivative costs nothing.
fn solve(k: u64, n: u64, alpha: f64) -> Chance {
    let (hits, size) = (k as f64, n as f64);
    if k == n {
        let ln_p = alpha.ln() / size;
        return from_parts(ln_p.exp(), -ln_p.exp_m1());
    }
    if k == 1 {
        let ln_q = (-alpha).ln_1p() / size;
        return from_parts(-ln_q.exp_m1(), ln_q.exp());
    }
    let target = alpha.ln();
    let mut chance = guess(hits, size - hits + 1.0, normal::upper_quantile(alpha));
    for _ in 0..200 {
        let (p, q) = chance.rounded();
        let ln_tail = chance.ln_upper_tail(k, n);
        let residual = ln_tail - target;
        // d ln tail / d logit p, and the logarithmic derivative of the tail's own derivative.
        let slope = (chance.ln_probability(k, n) - ln_tail).exp() * hits * q;
        let bend = hits - (size + 1.0) * p - slope;
        let newton = -residual / slope;
        let close = residual.abs() < 3e-5;
        let step = if residual.abs() < 0.3 { newton / (1.0 + 0.5 * newton * bend) } else { newton };
        // A start far on the flat side may ask for a huge step; logit p never needs more.
        chance = shifted(p, q, step.clamp(-50.0, 50.0));
        if close {
            break;
        }
    }
    chance
}

/// p and q = 1 − p of a chance whose logit is moved by `step`.
fn shifted(p: f64, q: f64, step: f64) -> Chance {
    let scale = 1.0 + p * step.exp_m1();
    from_parts(p * step.exp() / scale, q / scale)
}

/// The chance fixed by the smaller of its two parts: that one is exact, the other its complement.
fn from_parts(p: f64, q: f64) -> Chance {
    if p <= q { Chance::of(p) } else { Chance::of(q).mirrored() }
}

/// First guess of the quantile of Beta(a, b), a, b > 1 (Abramowitz & Stegun 26.5.22); `z` is the
/// normal's upper quantile.
fn guess(a: f64, b: f64, z: f64) -> Chance {
    let (ra, rb) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
    let lambda = (z * z - 3.0) / 6.0;
    let h = 2.0 / (ra + rb);
    let w =
        z * (h + lambda).max(0.0).sqrt() / h - (rb - ra) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
    let odds = (a.ln() - b.ln() - 2.0 * w).clamp(-690.0, 690.0).exp();
    from_parts(odds / (1.0 + odds), 1.0 / (1.0 + odds))
}

#[cfg(test)]
#[path = "../../tests/unit/inference/proportion.rs"]
mod tests;

//! Outcomes made from uniform numbers of few bits.
//!
//! A sampler that inverts a distribution function at k/M leaves M·F(x) near a whole number. Under the law M·F(X) is uniform
//! modulo 1, whatever M, up to the rounding of X. (Low bits of noise: Mironov 2012, *On significance of the least
//! significant bits for differential privacy*, CCS.)

use super::NoiseLaw;
use super::cells::{Cells, Grid};
use super::parts::{Evidence, Part, evidence, ln_mean};
use plaudit_accountant::number::{brief, grouped};

/// Most bits of a uniform number that are looked for; fewest.
const BITS: std::ops::RangeInclusive<i32> = 16..=40;
/// Distance from a whole number that is near.
const NEAR: f64 = 1.0 / 16.0;
/// Relative error of outcomes and of distribution functions that is not a deviation: 16 units in the last place.
const ROUNDOFF: f64 = 1.0 / (1u64 << 48) as f64;
/// Shares of near outcomes that are compared with the law's.
const SHARES: [f64; 6] = [0.25, 0.35, 0.5, 0.75, 0.95, 0.999];
/// Numbers of uniform values that are not powers of two.
const MODULI: [f64; 6] =
    [2147483647.0, 4294967295.0, 4294967294.0, 8589934590.0, 2147483649.0, 4294967297.0];

/// A number that is uniform on (0, 1) under the law, for each draw or each pair of draws.
struct Uniform {
    name: &'static str,
    values: Vec<f64>,
}

/// Largest probability of one outcome under the law, rounded as the draws are.
pub(super) fn largest_atom(cells: &Cells, grid: Grid) -> f64 {
    if !grid.step().is_finite() {
        return 1.0;
    }
    let (density, scaled) = cells.densities;
    let atom = density * (grid.step() + ROUNDOFF * cells.range * f64::EPSILON);
    (atom + scaled * grid.precision).min(1.0)
}

/// Evidence from draws; `None` if their rounding is too coarse to look.
pub(super) fn coarse(
    law: &dyn NoiseLaw,
    cells: &Cells,
    grid: Grid,
    draws: &[f64],
) -> Option<Evidence> {
    let (density, scaled) = cells.densities;
    // Half of the error of F(x), as the folded one has twice of it.
    let error = 2.0
        * (density * (grid.step() + ROUNDOFF * cells.range)
            + scaled * grid.precision.max(ROUNDOFF)
            + ROUNDOFF);
    let fits = |modulus: &f64| 2.0 * modulus * error <= NEAR;
    let bits = BITS.rev().map(|bits| 2f64.powi(bits)).find(fits);
    let moduli: Vec<f64> = bits.into_iter().chain(MODULI.into_iter().filter(fits)).collect();
    let mut found: Vec<(f64, String)> = Vec::new();
    for uniform in uniforms(law, draws) {
        for modulus in &moduli {
            let near = uniform.values.iter().filter(|u| is_near(**u * modulus)).count() as u64;
            let of = uniform.values.len() as u64;
            let share = 2.0 * (NEAR + modulus * error);
            let seen = format!(
                "{} of {} within 1/16 of a multiple of 1/{}, {} expected",
                grouped(near),
                grouped(of),
                grouped(*modulus as u64),
                brief(share * of as f64)
            );
            found.push((more_often(near, of, share), format!("{}: {seen}", uniform.name)));
        }
    }
    let share = 1.0 / found.len() as f64;
    let ln = ln_mean(&found.iter().map(|(ln, _)| (share, *ln)).collect::<Vec<_>>());
    let best = found.into_iter().max_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(evidence(Part::CoarseUniform, ln, best.1))
}

fn uniforms(law: &dyn NoiseLaw, draws: &[f64]) -> Vec<Uniform> {
    let below = law.tails(draws, false);
    let folded = below
        .iter()
        .zip(law.tails(draws, true))
        .map(|(below, above)| 2.0 * below.min(above))
        .collect();
    let mut all = vec![
        Uniform { name: "F(x)", values: below },
        Uniform { name: "2 min(F(x), 1 − F(x))", values: folded },
    ];
    if let Some(sigma) = law.gaussian_sigma() {
        // Box and Muller (1958): the squared radius of a pair is −2 ln u.
        let radius =
            |pair: &[f64]| (-0.5 * ((pair[0] / sigma).powi(2) + (pair[1] / sigma).powi(2))).exp();
        for skipped in 0..=1.min(draws.len()) {
            let values = draws[skipped..].chunks_exact(2).map(radius).collect();
            all.push(Uniform { name: "e^(−r²/2) of pairs", values });
        }
    }
    all
}

fn is_near(x: f64) -> bool {
    (x - x.round()).abs() <= NEAR
}

/// Likelihood of `hits` of `n` at larger shares over that at `share`, as the logarithm of their mean: an e-value for all
/// shares up to this one.
pub(super) fn more_often(hits: u64, n: u64, share: f64) -> f64 {
    let (k, rest) = (hits as f64, (n - hits) as f64);
    let at = |other: f64| k * (other / share).ln() + rest * ((1.0 - other) / (1.0 - share)).ln();
    let larger: Vec<(f64, f64)> =
        SHARES.iter().map(|other| (1.0 / SHARES.len() as f64, at(*other))).collect();
    ln_mean(&larger)
}

//! All parts, on the same draws.

use super::NoiseLaw;
use super::cells::{Cells, Grid};
use super::parts::{Evidence, Part, evidence, ln_mean};
use super::tilt::Scores;
use super::{lattice, order, tree};
use plaudit_accountant::number::brief;
use serde::Serialize;

/// First draws that only show the grid that the draws are on, and are not counted: a tenth of all, within these numbers, and
/// at most half. A grid twice as coarse as the true one has probability 2^−32 or so.
const READ: std::ops::RangeInclusive<usize> = 32..=1000;

/// Draws compared with a law.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Draws that were counted.
    pub draws: u64,
    /// Draws before them that only showed their grid.
    pub read: u64,
    /// Intervals in which they were counted: few where rounding is coarse; 0 if an outcome was impossible.
    pub cells: usize,
    /// `true` if the p-value is at most α.
    pub refuted: bool,
    /// Probability of as much evidence, at most, for independent draws of the law.
    #[serde(with = "plaudit_accountant::number::one")]
    pub p_value: f64,
    pub alpha: f64,
    /// Strongest first.
    pub evidence: Vec<Evidence>,
    /// Smallest relative increase of the scale, about the median, that would be found with probability 0.9, by an
    /// approximation; `null` for laws of whole numbers, and if no increase up to 100 % shows.
    pub least_scale: Option<f64>,
}

/// Compares draws with a law, at level α.
///
/// The null hypothesis: independent draws of the law, each rounded to a multiple of a grid and to its precision, up to 16
/// units in the last place of a double.
pub fn compare_with_law(law: &dyn NoiseLaw, draws: &[f64], alpha: f64) -> Comparison {
    let share = (draws.len() / 10).clamp(*READ.start(), *READ.end()).min(draws.len() / 2);
    let read = if law.is_discrete() { 0 } else { share };
    let counted = &draws[read..];
    let grid = if law.is_discrete() { Grid::of_discrete() } else { Grid::read(&draws[..read]) };
    let (evidence, cells, least_scale) = match impossible(law, grid, counted) {
        Some(found) => (vec![found], 0, None),
        None => all_parts(law, grid, counted, alpha),
    };
    let terms: Vec<(f64, f64)> =
        evidence.iter().map(|it| (it.part.share(), it.log10 * std::f64::consts::LN_10)).collect();
    let ln = match evidence[0].log10 {
        most if most == f64::INFINITY => f64::INFINITY,
        _ => ln_mean(&terms),
    };
    let p_value = (-ln).exp().min(1.0);
    let (draws, read) = (counted.len() as u64, read as u64);
    let refuted = p_value <= alpha;
    Comparison { draws, read, cells, refuted, p_value, alpha, evidence, least_scale }
}

/// Evidence of an outcome that the law does not have.
fn impossible(law: &dyn NoiseLaw, grid: Grid, draws: &[f64]) -> Option<Evidence> {
    let fits = |x: &f64| x.is_finite() && (!law.is_discrete() || x.fract() == 0.0);
    let outside = |seen: f64| {
        let words = format!("{}, which the law does not have", brief(seen));
        Some(evidence(Part::Support, f64::INFINITY, words))
    };
    if let Some(strange) = draws.iter().find(|x| !fits(x)) {
        return outside(*strange);
    }
    let ends = Ends::of(law, grid, draws);
    match ends.tails {
        [low, _] if low <= 0.0 => outside(ends.least),
        [_, high] if high <= 0.0 => outside(ends.most),
        _ => None,
    }
}

/// The smallest and the largest draw.
struct Ends {
    least: f64,
    most: f64,
    /// P(X ≤ least) and P(X ≥ most), where rounding is given the benefit of the doubt.
    tails: [f64; 2],
}

impl Ends {
    fn of(law: &dyn NoiseLaw, grid: Grid, draws: &[f64]) -> Self {
        let least = draws.iter().copied().fold(f64::INFINITY, f64::min);
        let most = draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (after, before) = if law.is_discrete() {
            (least, most - 1.0)
        } else {
            let moved = |x: f64| grid.step() + x.abs() * 2.0 * grid.precision;
            (
                (least + moved(least)).max(least.next_up()),
                (most - moved(most)).min(most.next_down()),
            )
        };
        let tails = [law.tails(&[after], false)[0], law.tails(&[before], true)[0]];
        Self { least, most, tails }
    }
}

fn all_parts(
    law: &dyn NoiseLaw,
    grid: Grid,
    draws: &[f64],
    alpha: f64,
) -> (Vec<Evidence>, usize, Option<f64>) {
    let reach = draws.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let cells = Cells::new(law, grid, draws.len(), reach);
    let scores = Scores::new(law, &cells);
    let least_scale = scores.least_scale(law, &cells, draws.len() as u64, alpha);
    (of_cells(law, (&cells, &scores), grid, draws), cells.len(), least_scale)
}

/// The evidence of all parts, strongest first.
fn of_cells(
    law: &dyn NoiseLaw,
    (cells, scores): (&Cells, &Scores),
    grid: Grid,
    draws: &[f64],
) -> Vec<Evidence> {
    let places: Vec<usize> = draws.iter().map(|x| cells.place(*x)).collect();
    let mut counts = vec![0; cells.len()];
    places.iter().for_each(|place| counts[*place] += 1);
    let mut all = vec![
        scores.evidence(cells, &counts),
        tree::intervals(cells, &counts),
        tree::both_sides(cells, &counts),
        order::consecutive(cells, &places),
        extremes(law, grid, draws),
    ];
    if !law.is_discrete() {
        all.extend(lattice::coarse(law, cells, grid, draws));
        all.push(order::repeats(draws, lattice::largest_atom(cells, grid)));
    }
    all.sort_by(|one, other| other.log10.total_cmp(&one.log10));
    all
}

/// Evidence from the smallest and the largest draw: ½ p^(−½), which calibrates a p-value (Vovk, Wang 2021).
fn extremes(law: &dyn NoiseLaw, grid: Grid, draws: &[f64]) -> Evidence {
    let Ends { least, most, tails } = Ends::of(law, grid, draws);
    let tail = tails[0].min(tails[1]);
    let p = if draws.is_empty() { 1.0 } else { (2.0 * draws.len() as f64 * tail).min(1.0) };
    let furthest = if tails[0] < tails[1] { least } else { most };
    let seen = format!("{}, beyond which the law has probability {}", brief(furthest), brief(tail));
    evidence(Part::Extremes, -(2.0f64.ln()) - 0.5 * p.ln(), seen)
}

#[cfg(test)]
#[path = "../../tests/unit/law/compare.rs"]
mod tests;

//! The linear program: the x in [0, 1]^n whose answers differ least, in sum, from those that were given.
//!
//! minimise Σ |answer_S − Σ_{i in S} x_i| with 0 <= x <= 1 (Dwork, McSherry, Talwar 2007), by the alternating direction method
//! of multipliers (Boyd and others 2011): one factor of a matrix of people times people serves all steps. Where it stops is
//! judged by duality, not by hope: any u with |u_S| <= 1 bounds the optimum from below by Σ_i min(0, Σ_{S∋i} u_S) − Σ_S u_S ·
//! answer_S, and x itself bounds it from above.

use super::factor::CholeskyFactor;
use super::subsets::Subsets;

const MOST_STEPS: usize = 10_000;
/// Steps between two looks at the bounds.
const LOOK: usize = 20;
/// Allowed excess of the sum over the optimum: relative, or to one answer in ten thousand being wrong by 1.
const NEAR: f64 = 1e-3;
/// Relaxation of each step: between 1 and 2.
const RELAXED: f64 = 1.6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solved {
    pub x: Vec<f64>,
    /// The sum of all residuals at x.
    pub total: f64,
    /// At least so large is it at any x.
    pub least: f64,
}

/// Solves it, from a first guess.
pub(super) fn solve(subsets: &Subsets, answers: &[f64], guess: Vec<f64>) -> Solved {
    let (entries, queries) = (subsets.entries(), subsets.queries());
    // Weight of being within [0, 1] next to one answer.
    let weight = 0.05 * queries as f64;
    let mut normal = subsets.together();
    normal.iter_mut().enumerate().for_each(|(place, row)| row[place] += weight);
    let factor = CholeskyFactor::of(normal);
    let mut x = guess;
    let residuals = |x: &[f64]| -> Vec<f64> {
        subsets.sums(x).iter().zip(answers).map(|(sum, answer)| sum - answer).collect()
    };
    let mut inside: Vec<f64> = x.iter().map(|x| x.clamp(0.0, 1.0)).collect();
    let mut left = residuals(&x);
    // A step may move each residual by about a third of what they are at the first guess.
    let mean = left.iter().map(|r| r.abs()).sum::<f64>() / queries as f64;
    let mut threshold = (mean / 3.0).max(1e-3);
    let mut far = vec![0.0; queries];
    let mut out = vec![0.0; entries];
    let mut best =
        Solved { x: inside.clone(), total: sum_of_sizes(&residuals(&inside)), least: 0.0 };
    for round in 1..=MOST_STEPS {
        let wanted: Vec<f64> =
            (0..queries).map(|query| answers[query] + left[query] - far[query]).collect();
        let mut right = subsets.sums_by_entry(&wanted);
        (0..entries).for_each(|entry| right[entry] += weight * (inside[entry] - out[entry]));
        x = factor.solve(&right);
        let of_x = residuals(&x);
        let mut moved = 0.0;
        let mut missed = 0.0;
        for query in 0..queries {
            let relaxed = RELAXED * of_x[query] + (1.0 - RELAXED) * left[query];
            let here = relaxed + far[query];
            let next = here.signum() * (here.abs() - threshold).max(0.0);
            moved += (next - left[query]).powi(2);
            missed += (next - of_x[query]).powi(2);
            left[query] = next;
            far[query] = here - next;
        }
        for entry in 0..entries {
            let relaxed = RELAXED * x[entry] + (1.0 - RELAXED) * inside[entry];
            let here = relaxed + out[entry];
            let next = here.clamp(0.0, 1.0);
            moved += weight * (next - inside[entry]).powi(2);
            missed += weight * (next - x[entry]).powi(2);
            inside[entry] = next;
            out[entry] = here - next;
        }
        if round % LOOK != 0 {
            continue;
        }
        let total = sum_of_sizes(&residuals(&inside));
        if total < best.total {
            (best.x, best.total) = (inside.clone(), total);
        }
        let dual: Vec<f64> = far.iter().map(|far| (far / threshold).clamp(-1.0, 1.0)).collect();
        best.least = best.least.max(least(subsets, answers, &dual));
        if best.total - best.least <= NEAR * best.total.max(1e-1 * (queries as f64).sqrt()) {
            break;
        }
        // What is scaled by the threshold is scaled with it.
        let factor = if missed > 25.0 * moved {
            0.5
        } else if moved > 25.0 * missed {
            2.0
        } else {
            continue;
        };
        threshold *= factor;
        far.iter_mut().chain(&mut out).for_each(|scaled| *scaled *= factor);
    }
    best
}

fn sum_of_sizes(residuals: &[f64]) -> f64 {
    residuals.iter().map(|r| r.abs()).sum()
}

/// A bound from below on the sum at any x, by duals within [−1, 1].
fn least(subsets: &Subsets, answers: &[f64], duals: &[f64]) -> f64 {
    let by_entry: f64 = subsets.sums_by_entry(duals).iter().map(|sum| sum.min(0.0)).sum();
    by_entry - duals.iter().zip(answers).map(|(dual, answer)| dual * answer).sum::<f64>()
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/linear.rs"]
mod tests;

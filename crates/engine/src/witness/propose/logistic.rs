//! Logistic regression by iteratively reweighted least squares (McCullagh & Nelder 1989, section
//! 4.4), with a normal prior, so that it ends even if the sides are separable.

use crate::witness::rule::posterior::logistic;
use rayon::prelude::*;

/// Numbers of outcomes, one row for each, with `true` for those from D.
pub(crate) struct Design {
    columns: usize,
    /// Row by row, each with a last entry 1 for the constant.
    rows: Vec<f64>,
    /// `true` for each row with an outcome from D.
    of_d: Vec<bool>,
}

/// A regression: the log-odds of D are a constant plus Σ weight × number.
pub(crate) struct Fit {
    /// One weight for each column, then the constant.
    weights: Vec<f64>,
    /// Negative curvature of the log-posterior there, or at the start of the last step.
    curvature: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weight {
    pub column: usize,
    pub weight: f64,
    pub error: f64,
}

/// Precision of the prior of each weight, 1/10²: a standard deviation of 10 for numbers clipped to
/// −1 to 1, beyond any expected weight. It bounds the weights of separable sides.
const PRIOR: f64 = 0.01;
/// Newton steps. The signals are weak or the sides are separable: in both cases a few are enough to
/// choose by. Not tuned: each passes over all rows once.
const STEPS: usize = 4;
/// Newton steps from weights that are close: Newton squares the error in each.
const STEPS_FROM_CLOSE: usize = 2;
/// Rows whose products are added up at a time: sums are read and written once for all of them, a
/// quarter as often.
const TOGETHER: usize = 4;
/// Rows that are summed up on one thread: 1 MiB of numbers for 64 columns.
const ROWS_A_PART: usize = 2048;

impl Design {
    pub fn new(columns: usize) -> Self {
        Self { columns, rows: Vec::new(), of_d: Vec::new() }
    }

    /// Adds an outcome, whose entries `number` gives in turn.
    pub fn push(&mut self, is_d: bool, number: impl Fn(usize) -> f64) {
        self.rows.extend((0..self.columns).map(number));
        self.rows.push(1.0);
        self.of_d.push(is_d);
    }

    pub fn len(&self) -> usize {
        self.of_d.len()
    }

    /// The regression with a weak prior, in a few steps; `None` if its equations have no solution.
    pub fn fit(&self) -> Option<Fit> {
        let width = self.columns + 1;
        self.fit_with(&vec![PRIOR; width], &vec![0.0; width], STEPS)
    }

    /// As [`Design::fit`], from the nearby end of a regression on other rows.
    pub fn fit_from(&self, start: &Fit) -> Option<Fit> {
        self.fit_with(&vec![PRIOR; self.columns + 1], &start.weights, STEPS_FROM_CLOSE)
    }

    /// The regression in at most `steps` steps from `start`, with a normal prior around 0 of each
    /// weight, and the constant, of this precision; `None` if its equations have no solution.
    pub fn fit_with(&self, precision: &[f64], start: &[f64], steps: usize) -> Option<Fit> {
        let width = self.columns + 1;
        let mut weights = start.to_vec();
        let mut last = Vec::new();
        for _ in 0..steps {
            let (mut gradient, mut curvature) = self.sums(&weights);
            for (at, &precision) in precision.iter().enumerate() {
                gradient[at] -= precision * weights[at];
                curvature[at * width + at] += precision;
            }
            let step = solve(&cholesky(curvature.clone(), width)?, &gradient);
            last = curvature;
            let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
            weights.iter_mut().zip(&step).for_each(|(w, s)| *w += s.clamp(-2.0, 2.0));
            if !largest.is_finite() {
                return None;
            }
            if largest < 1e-3 {
                break;
            }
        }
        for row in 0..width {
            (0..row).for_each(|column| last[column * width + row] = last[row * width + column]);
        }
        Some(Fit { weights, curvature: last })
    }

    /// Gradient and negative curvature (lower triangle) of the log-likelihood.
    fn sums(&self, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let width = weights.len();
        let empty = || (vec![0.0; width], vec![0.0; width * width]);
        let rows = self.rows.par_chunks(ROWS_A_PART * width);
        let parts = rows.zip(self.of_d.par_chunks(ROWS_A_PART)).map(|(rows, of_d)| {
            let (mut gradient, mut curvature) = empty();
            let weighted = rows.chunks_exact(width).zip(of_d).map(|(row, is_d)| {
                let share = logistic(dot(row, weights));
                let residual = f64::from(u8::from(*is_d)) - share;
                gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += residual * x);
                (row, share * (1.0 - share))
            });
            let weighted: Vec<(&[f64], f64)> = weighted.collect();
            weighted.chunks(TOGETHER).for_each(|rows| add_products(&mut curvature, rows));
            (gradient, curvature)
        });
        // Collected first: sums of doubles depend on their order, and threads must not.
        let parts: Vec<_> = parts.collect();
        parts.into_iter().fold(empty(), |mut sums, part| {
            sums.0.iter_mut().zip(part.0).for_each(|(sum, x)| *sum += x);
            sums.1.iter_mut().zip(part.1).for_each(|(sum, x)| *sum += x);
            sums
        })
    }
}

impl Fit {
    /// Twice the gain in log-likelihood over weights of 0, by the quadratic approximation, beyond
    /// the chance gain of as many weights.
    pub fn signal(&self) -> f64 {
        let width = self.weights.len();
        let lines = self.curvature.chunks_exact(width).zip(&self.weights).take(width - 1);
        let gain: f64 =
            lines.map(|(line, w)| w * dot(&line[..width - 1], &self.weights[..width - 1])).sum();
        gain - (width - 1) as f64
    }

    /// The remaining weights when the least certain column is removed repeatedly, until all are
    /// `sure` standard errors from 0, by the quadratic approximation. The constant stays.
    pub fn sure_of(&self, sure: f64) -> Vec<Weight> {
        let width = self.weights.len();
        let Some(factor) = cholesky(self.curvature.clone(), width) else { return vec![] };
        let unit = |at: usize| (0..width).map(move |i| f64::from(u8::from(i == at)));
        let mut covariance: Vec<Vec<f64>> =
            (0..width).map(|at| solve(&factor, &unit(at).collect::<Vec<_>>())).collect();
        let mut weights = self.weights.clone();
        let mut active: Vec<usize> = (0..width - 1).collect();
        loop {
            let of = |&column: &usize| {
                let error = covariance[column][column].sqrt();
                Weight { column, weight: weights[column], error }
            };
            let left: Vec<Weight> = active.iter().map(of).collect();
            if left.iter().any(|w| !(w.error > 0.0 && w.error.is_finite())) {
                return vec![];
            }
            let doubt = |at: usize| left[at].weight.abs() / left[at].error;
            let least = (0..left.len()).min_by(|&a, &b| doubt(a).total_cmp(&doubt(b)));
            let Some(place) = least.filter(|&at| doubt(at) < sure) else { return left };
            // The others, given that this one's weight is 0.
            let gone = active.remove(place);
            let (line, weight) = (covariance[gone].clone(), weights[gone]);
            for row in 0..width {
                let share = line[row] / line[gone];
                weights[row] -= share * weight;
                covariance[row].iter_mut().zip(&line).for_each(|(c, x)| *c -= share * x);
            }
        }
    }
}

/// Adds Σ weight × row × rowᵀ of at most [`TOGETHER`] rows to the lower triangle of a matrix.
fn add_products(matrix: &mut [f64], rows: &[(&[f64], f64)]) {
    let (first, width) = (rows[0].0, rows[0].0.len());
    let [a, b, c, d]: [_; TOGETHER] =
        std::array::from_fn(|at| rows.get(at).copied().unwrap_or((first, 0.0)));
    for (at, line) in matrix.chunks_exact_mut(width).enumerate() {
        let scaled = [a, b, c, d].map(|(row, weight)| weight * row[at]);
        let others = a.0.iter().zip(b.0).zip(c.0.iter().zip(d.0));
        for (sum, ((a, b), (c, d))) in line[..=at].iter_mut().zip(others) {
            *sum += (scaled[0] * a + scaled[1] * b) + (scaled[2] * c + scaled[3] * d);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The lower factor of a positive definite matrix, given its lower triangle.
fn cholesky(mut matrix: Vec<f64>, width: usize) -> Option<Vec<f64>> {
    for i in 0..width {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i * width + k] * matrix[j * width + k]).sum();
            let rest = matrix[i * width + j] - known;
            matrix[i * width + j] = if i == j {
                if !(rest > 0.0 && rest.is_finite()) {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / matrix[j * width + j]
            };
        }
    }
    Some(matrix)
}

fn solve_lower(factor: &[f64], b: &[f64]) -> Vec<f64> {
    let width = b.len();
    let mut x = b.to_vec();
    for i in 0..width {
        let known = dot(&factor[i * width..i * width + i], &x[..i]);
        x[i] = (x[i] - known) / factor[i * width + i];
    }
    x
}

/// Solves A x = b by the lower factor of A.
fn solve(factor: &[f64], b: &[f64]) -> Vec<f64> {
    let width = b.len();
    let mut x = solve_lower(factor, b);
    for i in (0..width).rev() {
        let known: f64 = (i + 1..width).map(|k| factor[k * width + i] * x[k]).sum();
        x[i] = (x[i] - known) / factor[i * width + i];
    }
    x
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/propose/logistic.rs"]
mod tests;

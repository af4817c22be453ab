//! The minimum of a regularised logistic loss, by Newton's method: no randomness, and nothing is allocated per
//! minimum.

use super::model::{dot, sigmoid};

/// Most steps, and most halvings of one. Few minima take more than ten steps.
const MOST_STEPS: usize = 500;
const MOST_HALVINGS: i32 = 60;
/// Gradient that counts as 0, relative to the larger of 1 and the linear term.
const TOLERANCE: f64 = 1e-12;

/// (1/n) Σ ln(1 + e^(−w·z)) + λ/2 ‖w‖², over n rows z, each the features of a row times its label, 1 or −1.
#[derive(Clone, Debug)]
pub(super) struct LogisticLoss {
    pub signed: Vec<f64>,
    pub width: usize,
    /// Number of them, from the first, in the regulariser.
    pub regularised: usize,
    pub lambda: f64,
}

impl LogisticLoss {
    pub(super) fn rows(&self) -> usize {
        self.signed.len() / self.width
    }

    /// The gradient at these weights, with `linear` added.
    fn gradient(&self, weights: &[f64], linear: &[f64], gradient: &mut [f64]) {
        let share = 1.0 / self.rows() as f64;
        gradient.copy_from_slice(linear);
        for (entry, weight) in gradient.iter_mut().zip(weights).take(self.regularised) {
            *entry += self.lambda * weight;
        }
        for row in self.signed.chunks_exact(self.width) {
            let slope = -share * sigmoid(-dot(weights, row));
            gradient.iter_mut().zip(row).for_each(|(entry, z)| *entry += slope * z);
        }
    }

    /// The lower half of the matrix of second derivatives.
    fn hessian(&self, weights: &[f64], hessian: &mut [f64]) {
        let share = 1.0 / self.rows() as f64;
        hessian.fill(0.0);
        for at in 0..self.regularised {
            hessian[at * self.width + at] = self.lambda;
        }
        for row in self.signed.chunks_exact(self.width) {
            let odds = dot(weights, row);
            let curvature = share * sigmoid(odds) * sigmoid(-odds);
            for (at, z) in row.iter().enumerate() {
                let line = &mut hessian[at * self.width..][..=at];
                line.iter_mut().zip(row).for_each(|(entry, other)| *entry += curvature * z * other);
            }
        }
    }
}

pub(super) struct Newton {
    gradient: Vec<f64>,
    step: Vec<f64>,
    tried: Vec<f64>,
    tried_gradient: Vec<f64>,
    hessian: Vec<f64>,
}

impl Newton {
    pub(super) fn new(width: usize) -> Self {
        let zeros = vec![0.0; width];
        Self {
            gradient: zeros.clone(),
            step: zeros.clone(),
            tried: zeros.clone(),
            tried_gradient: zeros,
            hessian: vec![0.0; width * width],
        }
    }

    /// Moves the weights to the minimum of the loss plus `linear`·w; `true` if they got there.
    ///
    /// A step is halved until the norm of the gradient falls: that of a convex function does along Newton's
    /// direction.
    pub(super) fn minimise(
        &mut self,
        loss: &LogisticLoss,
        linear: &[f64],
        weights: &mut [f64],
    ) -> bool {
        let small = TOLERANCE * norm(linear).max(1.0);
        loss.gradient(weights, linear, &mut self.gradient);
        let mut size = norm(&self.gradient);
        for _ in 0..MOST_STEPS {
            if size <= small {
                return true;
            }
            loss.hessian(weights, &mut self.hessian);
            self.step.copy_from_slice(&self.gradient);
            solve(&mut self.hessian, &mut self.step);
            let better = (0..MOST_HALVINGS).find_map(|halvings| {
                let part = 0.5f64.powi(halvings);
                for ((tried, weight), step) in self.tried.iter_mut().zip(&*weights).zip(&self.step)
                {
                    *tried = weight - part * step;
                }
                loss.gradient(&self.tried, linear, &mut self.tried_gradient);
                let tried = norm(&self.tried_gradient);
                (tried <= (1.0 - part / 4.0) * size).then_some(tried)
            });
            let Some(better) = better else { return false };
            size = better;
            weights.copy_from_slice(&self.tried);
            std::mem::swap(&mut self.gradient, &mut self.tried_gradient);
        }
        size <= small
    }
}

/// Solves matrix·x = right in place, for a positive definite matrix of which the lower half is given (Cholesky).
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let width = right.len();
    for row in 0..width {
        for column in 0..=row {
            let (a, b) = (row * width, column * width);
            let rest = matrix[a + column] - dot(&matrix[a..a + column], &matrix[b..b + column]);
            matrix[a + column] =
                if row == column { rest.sqrt() } else { rest / matrix[b + column] };
        }
        let line = &matrix[row * width..][..=row];
        right[row] = (right[row] - dot(&line[..row], &right[..row])) / line[row];
    }
    for row in (0..width).rev() {
        let below: f64 = (row + 1..width).map(|at| matrix[at * width + row] * right[at]).sum();
        right[row] = (right[row] - below) / matrix[row * width + row];
    }
}

pub(super) fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

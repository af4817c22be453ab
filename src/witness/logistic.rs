//! Logistic regression by iteratively reweighted least squares (McCullagh & Nelder 1989, section
//! 4.4), with a normal prior, so that it ends where the sides are apart.

use super::posterior::{ln_logistic, logistic};
use rayon::prelude::*;

/// Numbers looked at in outcomes, a row for outcomes of which all are the same, with how many of them
/// came from each dataset.
pub(super) struct Design {
    columns: usize,
    /// Row by row, each with a last entry 1 for the constant.
    rows: Vec<f64>,
    /// Outcomes of each row, under D and under D'.
    counts: Vec<[f64; 2]>,
    /// What is added to all log-odds.
    offset: f64,
}

/// A regression: the log-odds of D are a constant plus Σ weight × number.
pub(super) struct Fit {
    /// One weight a column, then the constant.
    weights: Vec<f64>,
    /// Negative curvature of the logarithm of the posterior there, or where the last step began: all
    /// of it.
    curvature: Vec<f64>,
}

/// A column with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    /// Number of the column.
    pub column: usize,
    /// Its weight.
    pub weight: f64,
    /// The weight's standard error.
    pub error: f64,
}

/// Precision of the prior of each weight: a standard deviation of 10.
const PRIOR: f64 = 0.01;
/// Newton steps. The signals are weak or the sides are apart: in both cases a few are enough to
/// choose by.
const STEPS: usize = 4;
/// Newton steps from weights that are close.
const STEPS_FROM_CLOSE: usize = 2;
/// Rows whose products are added up at a time: sums are read and written once for all of them.
const TOGETHER: usize = 4;
/// Rows that are summed up on one thread.
const ROWS_A_PART: usize = 2048;

impl Design {
    /// Without rows yet; `offset` is added to all log-odds.
    pub fn new(columns: usize, offset: f64) -> Self {
        Self { columns, rows: Vec::new(), counts: Vec::new(), offset }
    }

    /// Adds an outcome, of which `number` gives the entries in turn.
    pub fn push(&mut self, is_d: bool, number: impl Fn(usize) -> f64) {
        self.push_counts(if is_d { [1.0, 0.0] } else { [0.0, 1.0] }, number);
    }

    /// Adds so many outcomes under D and under D', of which `number` gives the entries in turn.
    pub fn push_counts(&mut self, counts: [f64; 2], number: impl Fn(usize) -> f64) {
        self.rows.extend((0..self.columns).map(number));
        self.rows.push(1.0);
        self.counts.push(counts);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// The regression with a weak prior, in a few steps; `None` if its equations have no solution.
    pub fn fit(&self) -> Option<Fit> {
        let width = self.columns + 1;
        self.fit_with(&vec![PRIOR; width], &vec![0.0; width], STEPS)
    }

    /// The regression like [`Design::fit`], from where one of other rows ended, close to here.
    pub fn fit_from(&self, start: &Fit) -> Option<Fit> {
        self.fit_with(&vec![PRIOR; self.columns + 1], &start.weights, STEPS_FROM_CLOSE)
    }

    /// The regression in at most so many steps from some weights, with a normal prior around 0 of
    /// each weight, and the constant, of this precision; `None` if its equations have no solution.
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

    /// The numbers of each row, the last of them 1.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.columns + 1)
    }

    /// The log-odds of D of each row, without what is added to all.
    pub fn log_odds(&self, fit: &Fit) -> impl Iterator<Item = f64> {
        self.rows().map(|row| dot(row, &fit.weights))
    }

    /// The logarithm of the evidence for a prior of this precision, by Laplace's approximation, but
    /// for a constant; `None` if it has none.
    pub fn ln_evidence(&self, fit: &Fit, precision: &[f64]) -> Option<f64> {
        let terms = self.log_odds(fit).zip(&self.counts).map(|(x, [d, d_prime])| {
            d * ln_logistic(self.offset + x) + d_prime * ln_logistic(-self.offset - x)
        });
        let of_prior = precision.iter().zip(&fit.weights).map(|(p, w)| 0.5 * (p.ln() - p * w * w));
        let width = precision.len();
        let factor = cholesky(fit.curvature.clone(), width)?;
        let half_of_determinant: f64 = (0..width).map(|at| factor[at * width + at].ln()).sum();
        Some(terms.sum::<f64>() + of_prior.sum::<f64>() - half_of_determinant)
    }

    /// Gradient and negative curvature (lower triangle) of the log-likelihood.
    fn sums(&self, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let width = weights.len();
        let empty = || (vec![0.0; width], vec![0.0; width * width]);
        let rows = self.rows.par_chunks(ROWS_A_PART * width);
        let parts = rows.zip(self.counts.par_chunks(ROWS_A_PART)).map(|(rows, counts)| {
            let (mut gradient, mut curvature) = empty();
            let seen =
                rows.chunks_exact(width).zip(counts).filter(|(_, [d, d_prime])| d + d_prime > 0.0);
            let weighted = seen.map(|(row, [d, d_prime])| {
                let share = logistic(self.offset + dot(row, weights));
                let residual = d - (d + d_prime) * share;
                gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += residual * x);
                (row, (d + d_prime) * share * (1.0 - share))
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
    /// One weight a column, then the constant.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Twice the gain in log-likelihood over weights of 0, of the quadratic approximation, beyond what
    /// as many weights gain of chance.
    pub fn signal(&self) -> f64 {
        let width = self.weights.len();
        let lines = self.curvature.chunks_exact(width).zip(&self.weights).take(width - 1);
        let gain: f64 =
            lines.map(|(line, w)| w * dot(&line[..width - 1], &self.weights[..width - 1])).sum();
        gain - (width - 1) as f64
    }

    /// What errors are told by; `None` if the curvature has no inverse.
    pub fn errors(&self) -> Option<Errors> {
        cholesky(self.curvature.clone(), self.weights.len()).map(|factor| Errors { factor })
    }

    /// The weights that are left when the least certain column is taken out again and again, until
    /// all are `sure` standard errors from 0; of the likelihood's quadratic approximation. The
    /// constant stays.
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

/// The posterior's inverse covariance, factored.
pub(super) struct Errors {
    factor: Vec<f64>,
}

impl Errors {
    /// The posterior standard deviation of the log-odds of a row, or of a mean of rows.
    pub fn of(&self, row: &[f64]) -> f64 {
        let reached = solve_lower(&self.factor, row);
        dot(&reached, &reached).sqrt()
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

/// The lower factor of a positive definite matrix of which the lower triangle is given.
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

/// Solves L x = b.
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
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// 40 000 rows of a known law. The errors are those of the estimate: six of them are exceeded
    /// with probability below 1e-8, over the choice of the seed.
    #[test]
    fn the_weights_of_a_known_law_are_found_within_six_standard_errors() {
        let truth = [0.8, -0.3, 0.0];
        let mut random = crate::mechanism::Stream::seed_from_u64(1);
        let mut design = Design::new(3, 0.0);
        for _ in 0..40_000 {
            let row: [f64; 3] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
            let odds: f64 = 0.2 + row.iter().zip(truth).map(|(x, w)| x * w).sum::<f64>();
            design.push(random.random_bool(logistic(odds)), |at| row[at]);
        }
        let fit = design.fit().unwrap();
        let all = fit.sure_of(0.0);
        assert_eq!(all.len(), 3);
        for (Weight { weight, error, .. }, truth) in all.iter().zip(truth) {
            assert!(
                (weight - truth).abs() < 6.0 * error && *error < 0.05,
                "{weight} {truth} {error}"
            );
        }
        let columns: Vec<usize> = fit.sure_of(6.0).iter().map(|w| w.column).collect();
        assert_eq!(columns, [0, 1]);
    }

    #[test]
    fn outcomes_that_are_counted_are_as_many_that_are_told_one_by_one() {
        let (mut counted, mut told) = (Design::new(1, 0.3), Design::new(1, 0.3));
        for (at, counts) in [[5_u32, 2], [0, 0], [3, 4]].into_iter().enumerate() {
            counted.push_counts(counts.map(f64::from), |_| at as f64);
            for (is_d, count) in [true, false].into_iter().zip(counts) {
                (0..count).for_each(|_| told.push(is_d, |_| at as f64));
            }
        }
        let precision = [1.0, 2.0];
        let fit = |design: &Design| {
            let fit = design.fit_with(&precision, &[0.0; 2], 20).unwrap();
            (design.ln_evidence(&fit, &precision).unwrap(), fit.weights, fit.curvature)
        };
        let (counted, told) = (fit(&counted), fit(&told));
        let all = |(evidence, weights, curvature): (f64, Vec<f64>, Vec<f64>)| {
            std::iter::once(evidence).chain(weights).chain(curvature).collect::<Vec<f64>>()
        };
        for (a, b) in all(counted).into_iter().zip(all(told)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    /// By a sum over a fine grid of weights, of which Laplace's approximation is short by less than a
    /// hundredth for so many outcomes; (2π)^(1/2) a weight is left out.
    #[test]
    fn the_evidence_is_the_mean_likelihood() {
        let mut design = Design::new(1, 0.0);
        for (x, counts) in [(-1.0, [400.0, 600.0]), (1.0, [700.0, 500.0])] {
            design.push_counts(counts, |_| x);
        }
        let precision = [1.0, 1.0];
        let fit = design.fit_with(&precision, &[0.0; 2], 20).unwrap();
        let approximate = design.ln_evidence(&fit, &precision).unwrap();
        let ln_likelihood = |slope: f64, constant: f64| {
            let term = |x: f64, d: f64, d_prime: f64| {
                let odds = constant + slope * x;
                d * ln_logistic(odds) + d_prime * ln_logistic(-odds)
            };
            term(-1.0, 400.0, 600.0) + term(1.0, 700.0, 500.0)
        };
        let most = ln_likelihood(fit.weights()[0], fit.weights()[1]);
        let step = 0.005;
        let grid = || (-200..=200).map(|at| f64::from(at) * step);
        let sum: f64 = grid()
            .flat_map(|slope| grid().map(move |constant| (slope, constant)))
            .map(|(slope, constant)| {
                let prior = -0.5 * (slope * slope + constant * constant);
                (ln_likelihood(slope, constant) - most + prior).exp() * step * step
            })
            .sum();
        let exact = most + sum.ln() - (2.0 * std::f64::consts::PI).ln();
        assert!((approximate - exact).abs() < 0.01, "{approximate} {exact}");
    }

    #[test]
    fn of_two_columns_that_are_alike_one_is_left() {
        let mut random = crate::mechanism::Stream::seed_from_u64(2);
        let mut design = Design::new(2, 0.0);
        for _ in 0..10_000 {
            let x: f64 = random.random_range(-1.0..1.0);
            design.push(
                random.random_bool(logistic(x)),
                |at| if at == 0 { x } else { x.powi(3) + x },
            );
        }
        let fit = design.fit().unwrap();
        assert_eq!(fit.sure_of(6.0).len(), 1);
    }

    #[test]
    fn sides_that_are_apart_and_columns_that_are_alike_end_in_finite_weights() {
        let mut design = Design::new(2, 0.0);
        (0..100).for_each(|i| design.push(i % 2 == 0, |_| if i % 2 == 0 { 1.0 } else { -1.0 }));
        let fit = design.fit().unwrap();
        assert!(fit.weights.iter().all(|w| w.is_finite()), "{:?}", fit.weights);
        assert!(fit.weights[0] + fit.weights[1] > 1.0, "{:?}", fit.weights);
    }
}

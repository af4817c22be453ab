//! Cholesky factors of dense matrices.

use rayon::prelude::*;

/// Rows and columns that are factored together.
const BLOCK: usize = 32;

/// L of L·Lᵀ: row `i` has the entries 0 to i.
#[derive(Clone, Debug)]
pub(super) struct CholeskyFactor {
    rows: Vec<Vec<f64>>,
}

impl CholeskyFactor {
    /// Factor of a positive definite matrix, of which row `i` has the entries 0 to i.
    ///
    /// Blocks of columns, left to right: a block of rows on the diagonal is finished first, and then all rows below it at
    /// once.
    pub(super) fn of(mut rows: Vec<Vec<f64>>) -> Self {
        for start in (0..rows.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(rows.len());
            let (done, below) = rows.split_at_mut(end);
            for row in start..end {
                let (above, rest) = done.split_at_mut(row);
                let this = &mut rest[0];
                finish(this, above, start..row);
                let square = this[row] - dot(&this[..row], &this[..row]);
                // Rounding may leave nothing of what is positive.
                this[row] = square.max(f64::MIN_POSITIVE).sqrt();
            }
            below.par_iter_mut().for_each(|row| finish(row, done, start..end));
        }
        Self { rows }
    }

    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for (i, row) in self.rows.iter().enumerate() {
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            let value = x[i] / row[i];
            x[i] = value;
            x[..i].iter_mut().zip(row).for_each(|(x, entry)| *x -= value * entry);
        }
        x
    }
}

/// The entries of a row in these columns, of which the rows above are done.
fn finish(row: &mut [f64], above: &[Vec<f64>], columns: std::ops::Range<usize>) {
    for column in columns {
        let other = &above[column];
        row[column] = (row[column] - dot(&row[..column], &other[..column])) / other[column];
    }
}

/// Σ x_i·y_i, in eight sums that the processor makes side by side.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x, x_rest) = x.as_chunks::<8>();
    let (y, y_rest) = y.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (x, y) in x.iter().zip(y) {
        for place in 0..8 {
            sums[place] += x[place] * y[place];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/factor.rs"]
mod tests;

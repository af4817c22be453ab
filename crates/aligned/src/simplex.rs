//! Small linear programs in doubles, by the dual simplex method (Lemke 1954).
//!
//! Its answers are guesses: whoever uses them rounds them to fractions and checks these exactly.

/// The least cost·x with x >= 0 and each row·x >= its bound. All costs are at least 0.
#[derive(Default)]
pub struct Program {
    cost: Vec<f64>,
    rows: Vec<(Vec<(usize, f64)>, f64)>,
}

const NEARLY: f64 = 1e-9;
/// Pivots before it gives up.
const MOST: usize = 20_000;
/// Largest table, in numbers.
const LARGEST: usize = 30_000_000;

impl Program {
    /// A new variable, by its place.
    pub fn variable(&mut self, cost: f64) -> usize {
        self.cost.push(cost);
        self.cost.len() - 1
    }

    /// A row: its sum is at least a bound.
    pub fn at_least(&mut self, row: Vec<(usize, f64)>, bound: f64) {
        self.rows.push((row, bound));
    }

    /// A row: its sum is this.
    pub fn equals(&mut self, row: Vec<(usize, f64)>, sum: f64) {
        let opposite = row.iter().map(|(at, factor)| (*at, -factor)).collect();
        self.rows.push((opposite, -sum));
        self.rows.push((row, sum));
    }

    /// The variables at the least cost; `None` if it finds no solution.
    pub fn solve(&self) -> Option<Vec<f64>> {
        let (rows, columns) = (self.rows.len(), self.cost.len());
        let width = columns + 1;
        if rows.checked_mul(width)? > LARGEST {
            return None;
        }
        // Basic variable of a row = bound − Σ factor · variable of the column; first the slacks.
        let mut table = vec![0.0; rows * width];
        for (row, (factors, bound)) in self.rows.iter().enumerate() {
            for (at, factor) in factors {
                table[row * width + at] -= factor;
            }
            table[row * width + columns] = -bound;
        }
        let mut cost = self.cost.clone();
        let mut basic: Vec<usize> = (columns..columns + rows).collect();
        let mut free: Vec<usize> = (0..columns).collect();
        for _ in 0..MOST {
            let bound = |row: usize| table[row * width + columns];
            let worst = (0..rows).min_by(|a, b| bound(*a).total_cmp(&bound(*b)));
            let Some(row) = worst.filter(|row| bound(*row) < -NEARLY) else {
                let mut solution = vec![0.0; columns];
                for (row, variable) in basic.iter().enumerate() {
                    if *variable < columns {
                        solution[*variable] = table[row * width + columns];
                    }
                }
                return Some(solution);
            };
            let factor = |column: usize| table[row * width + column];
            let ratio = |column: usize| (cost[column] / -factor(column), free[column]);
            let column =
                (0..columns).filter(|column| factor(*column) < -NEARLY).min_by(|a, b| {
                    ratio(*a).partial_cmp(&ratio(*b)).unwrap_or(std::cmp::Ordering::Equal)
                })?;
            pivot(&mut table, width, (row, column));
            let by = cost[column];
            for other in 0..columns {
                if other != column {
                    cost[other] = (cost[other] - by * table[row * width + other]).max(0.0);
                }
            }
            cost[column] = (-by * table[row * width + column]).max(0.0);
            std::mem::swap(&mut basic[row], &mut free[column]);
        }
        None
    }
}

/// Exchanges the basic variable of a row with the free one of a column.
fn pivot(table: &mut [f64], width: usize, (row, column): (usize, usize)) {
    let center = table[row * width + column];
    let own: Vec<f64> = (0..width)
        .map(|at| match at == column {
            true => 1.0 / center,
            false => table[row * width + at] / center,
        })
        .collect();
    for (at, line) in table.chunks_exact_mut(width).enumerate() {
        let factor = line[column];
        if at == row || factor == 0.0 {
            continue;
        }
        line[column] = 0.0;
        for (cell, own) in line.iter_mut().zip(&own) {
            *cell -= factor * own;
        }
    }
    table[row * width..(row + 1) * width].copy_from_slice(&own);
}

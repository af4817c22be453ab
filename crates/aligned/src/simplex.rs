//! Small linear programs, by the dual simplex method (Lemke 1954).
//!
//! Doubles choose which rows are tight; what solves these rows is then computed exactly. Where that breaks another row, a
//! program that is small enough is solved with rationals alone. Solutions are guesses all the same: whoever uses them
//! checks them.

use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Div, Mul, Neg, Sub};

/// The least cost·x with x >= 0 and each row·x >= its bound. All costs are at least 0.
#[derive(Default)]
pub struct Program {
    cost: Vec<RBig>,
    rows: Vec<(Vec<(usize, RBig)>, RBig)>,
}

/// Pivots before it gives up.
const MOST: usize = 20_000;
/// Largest table, in numbers: of doubles, and of rationals.
const LARGEST: usize = 30_000_000;
/// See [`LARGEST`].
const LARGEST_EXACT: usize = 4_000;

/// A number of a table.
trait Number:
    Clone
    + PartialOrd
    + Neg<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Sizes up to this count as 0.
    const NEARLY: Self;
    fn of(number: &RBig) -> Self;
}

impl Number for f64 {
    const NEARLY: Self = 1e-9;
    fn of(number: &RBig) -> Self {
        number.to_f64().value()
    }
}

impl Number for RBig {
    const NEARLY: Self = Self::ZERO;
    fn of(number: &RBig) -> Self {
        number.clone()
    }
}

impl Program {
    /// A new variable, by its place.
    pub fn variable(&mut self, cost: RBig) -> usize {
        self.cost.push(cost);
        self.cost.len() - 1
    }

    /// A row: its sum is at least a bound.
    pub fn at_least(&mut self, row: Vec<(usize, RBig)>, bound: RBig) {
        self.rows.push((row, bound));
    }

    /// A row: its sum is this.
    pub fn equals(&mut self, row: Vec<(usize, RBig)>, sum: RBig) {
        let opposite = row.iter().map(|(at, factor)| (*at, -factor)).collect();
        self.rows.push((opposite, -sum.clone()));
        self.rows.push((row, sum));
    }

    /// The variables at the least cost; `None` if it finds no solution.
    pub fn solve(&self) -> Option<Vec<RBig>> {
        let size = self.rows.len().checked_mul(self.cost.len() + 1)?;
        let tight = (size <= LARGEST).then(|| self.tight::<f64>()).flatten();
        let solution = tight.as_ref().and_then(|tight| self.solution(tight));
        if solution.is_some() || size > LARGEST_EXACT {
            return solution;
        }
        self.solution(&self.tight::<RBig>()?)
    }

    /// The variables that are not 0 and the rows that are tight at the least cost.
    fn tight<N: Number>(&self) -> Option<[Vec<usize>; 2]> {
        let (rows, columns) = (self.rows.len(), self.cost.len());
        let width = columns + 1;
        let zero = N::of(&RBig::ZERO);
        // Basic variable of a row = bound − Σ factor · variable of the column; first the slacks.
        let mut table = vec![zero.clone(); rows * width];
        for (row, (factors, bound)) in self.rows.iter().enumerate() {
            // Rows of any size count alike.
            let largest = factors.iter().map(|(_, factor)| size_of(factor)).max();
            let largest = largest.filter(|size| !size.is_zero()).unwrap_or(RBig::ONE);
            let share = |number: &RBig| match largest == RBig::ONE {
                true => -N::of(number),
                false => -N::of(&(number / &largest)),
            };
            for (at, factor) in factors {
                table[row * width + at] = share(factor);
            }
            table[row * width + columns] = share(bound);
        }
        let mut cost: Vec<N> = self.cost.iter().map(N::of).collect();
        let mut basic: Vec<usize> = (columns..columns + rows).collect();
        let mut free: Vec<usize> = (0..columns).collect();
        let order = |a: &N, b: &N| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        for _ in 0..MOST {
            let bound = |row: usize| &table[row * width + columns];
            let worst = (0..rows).min_by(|a, b| order(bound(*a), bound(*b)));
            let Some(row) = worst.filter(|row| *bound(*row) < -N::NEARLY) else {
                basic.retain(|variable| *variable < columns);
                let slacks = free.iter().filter_map(|slack| slack.checked_sub(columns));
                return Some([basic, slacks.collect()]);
            };
            let factor = |column: usize| &table[row * width + column];
            let column =
                (0..columns).filter(|column| *factor(*column) < -N::NEARLY).min_by(|a, b| {
                    let ratio = |column: usize| cost[column].clone() / -factor(column).clone();
                    order(&ratio(*a), &ratio(*b)).then(free[*a].cmp(&free[*b]))
                })?;
            pivot(&mut table, width, (row, column));
            let by = cost[column].clone();
            let own = |at: usize| &table[row * width + at];
            let at_least_0 = |number: N| if number < zero { zero.clone() } else { number };
            for other in (0..columns).filter(|other| *other != column) {
                cost[other] = at_least_0(cost[other].clone() - by.clone() * own(other).clone());
            }
            cost[column] = at_least_0(-(by * own(column).clone()));
            std::mem::swap(&mut basic[row], &mut free[column]);
        }
        None
    }

    /// What solves tight rows exactly, if it breaks no other row.
    fn solution(&self, [variables, tight]: &[Vec<usize>; 2]) -> Option<Vec<RBig>> {
        let mut open: Vec<(BTreeMap<usize, RBig>, RBig)> = Vec::new();
        for row in tight {
            let (factors, bound) = &self.rows[*row];
            let known =
                factors.iter().filter(|(at, factor)| variables.contains(at) && !factor.is_zero());
            open.push((known.cloned().collect(), bound.clone()));
        }
        let mut solved = Vec::new();
        while let Some(shortest) = (0..open.len()).min_by_key(|at| open[*at].0.len()) {
            let (mut row, sum) = open.swap_remove(shortest);
            let (variable, factor) = row.pop_first()?;
            row.values_mut().for_each(|other| *other /= &factor);
            let sum = sum / factor;
            for (other, bound) in &mut open {
                let Some(by) = other.remove(&variable) else { continue };
                for (at, factor) in &row {
                    let cell = other.entry(*at).or_insert(RBig::ZERO);
                    *cell -= &by * factor;
                    if cell.is_zero() {
                        other.remove(at);
                    }
                }
                *bound -= by * &sum;
            }
            solved.push((variable, row, sum));
        }
        let mut solution = vec![RBig::ZERO; self.cost.len()];
        for (variable, row, sum) in solved.into_iter().rev() {
            let rest =
                row.iter().fold(RBig::ZERO, |rest, (at, factor)| rest + factor * &solution[*at]);
            solution[variable] = sum - rest;
        }
        let reaches = |(factors, bound): &(Vec<(usize, RBig)>, RBig)| {
            let parts = factors.iter().filter(|(at, _)| !solution[*at].is_zero());
            let sum = parts.fold(RBig::ZERO, |sum, (at, factor)| sum + factor * &solution[*at]);
            sum >= *bound
        };
        let is_one = solution.iter().all(|x| *x >= RBig::ZERO) && self.rows.iter().all(reaches);
        is_one.then_some(solution)
    }
}

fn size_of(number: &RBig) -> RBig {
    if *number < RBig::ZERO { -number } else { number.clone() }
}

/// Exchanges the basic variable of a row with the free one of a column.
fn pivot<N: Number>(table: &mut [N], width: usize, (row, column): (usize, usize)) {
    let zero = N::of(&RBig::ZERO);
    let center = table[row * width + column].clone();
    let mut own = table[row * width..(row + 1) * width].to_vec();
    own[column] = N::of(&RBig::ONE);
    own.iter_mut().for_each(|cell| *cell = cell.clone() / center.clone());
    for (at, line) in table.chunks_exact_mut(width).enumerate() {
        let factor = line[column].clone();
        if at == row || factor == zero {
            continue;
        }
        line[column] = zero.clone();
        for (cell, own) in line.iter_mut().zip(&own) {
            *cell = cell.clone() - factor.clone() * own.clone();
        }
    }
    table[row * width..(row + 1) * width].clone_from_slice(&own);
}

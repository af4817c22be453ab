//! Screening of a coordinate: the gain of its best interval among cells with about equal numbers of outcomes.

use crate::witness::count::edges::sort;
use crate::witness::partition::gain::{Fraction, Gain, Labels};

/// Most cells: all 32 896 intervals of them are looked at, in some 40 µs.
const CELLS: usize = 256;
/// Numbers that determine the ends of cells. Not tuned: a cell of 8 of 2^11 numbers has a third more or less by chance.
const PILOT: usize = 1 << 11;

/// Cells of a number: one for each value if there are few.
pub struct Cells {
    /// Ascending first numbers of the cells but the first.
    edges: Vec<f64>,
}

impl Cells {
    /// Cells by some of these numbers.
    pub fn of(numbers: &[f64]) -> Self {
        let step = numbers.len().div_ceil(PILOT).max(1);
        let mut some: Vec<f64> = numbers
            .iter()
            .copied()
            .step_by(step)
            .filter(|x| !x.is_nan())
            .map(|x| x + 0.0)
            .collect();
        sort(&mut some);
        let mut values = some.clone();
        values.dedup();
        if values.len() > CELLS - 1 {
            values = (1..CELLS - 1).map(|at| some[at * some.len() / (CELLS - 1)]).collect();
            values.dedup();
        }
        Self { edges: values }
    }

    /// The cell of a number; NaN has the last one.
    fn cell(&self, x: f64) -> usize {
        if x.is_nan() {
            self.edges.len() + 1
        } else {
            self.edges.partition_point(|edge| *edge <= x)
        }
    }

    /// Labels by cell.
    fn counts(&self, numbers: &[f64], labels: &[bool]) -> Vec<Labels> {
        let mut counts = vec![[0u32; 2]; self.edges.len() + 2];
        for (x, is_d) in numbers.iter().zip(labels) {
            counts[self.cell(*x)][usize::from(!is_d)] += 1;
        }
        let labels = |[d, d_prime]: [u32; 2]| Labels { d: d.into(), d_prime: d_prime.into() };
        counts.into_iter().map(labels).collect()
    }
}

/// The gain of the best interval, in nats; `None` if the number does not vary.
pub fn gain(numbers: &[f64], labels: &[bool]) -> Option<f64> {
    let counts = Cells::of(numbers).counts(numbers, labels);
    if counts.iter().filter(|cell| cell.all() > 0.0).count() < 2 {
        return None;
    }
    let mut before = vec![Labels::default()];
    for cell in counts {
        let last = before[before.len() - 1];
        before.push(Labels { d: last.d + cell.d, d_prime: last.d_prime + cell.d_prime });
    }
    let gain = Gain::of(before[before.len() - 1]);
    let mut best = (Fraction { of: 0.0, over: 1.0 }, Labels::default());
    for from in 0..before.len() {
        for to in &before[from + 1..] {
            let part = to.less(before[from]);
            let told = gain.fraction(part);
            // Products, since quotients take several times as long.
            if told.of * best.0.over > best.0.of * told.over {
                best = (told, part);
            }
        }
    }
    Some(gain.exact(best.1))
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/grammar/screen.rs"]
mod tests;

//! Screening of a coordinate: the gain of its best interval among cells with about equal numbers of outcomes.

use crate::witness::count::edges::sort;
use crate::witness::partition::gain::{Fraction, Gain, Labels};

/// Most cells.
const CELLS: usize = 256;
/// Ratio of consecutive lengths of intervals, in cells: of 13 lengths up to all cells each interval of cells is looked at.
const SCALE: f64 = 1.5;
/// Numbers that determine the ends of cells. Not tuned: a cell of 8 of 2^11 numbers has a third more or less by chance.
const PILOT: usize = 1 << 11;

/// Cells of a number: one for each value if there are few.
pub struct Cells {
    /// Ascending first numbers of the cells but the first, and ∞ for those that are not needed.
    edges: [f64; CELLS],
    some: usize,
}

impl Cells {
    /// Cells by some of these numbers.
    pub fn of(numbers: &[f64]) -> Self {
        let step = numbers.len().div_ceil(PILOT).max(1);
        let pilot = numbers.iter().copied().step_by(step);
        let mut pilot: Vec<f64> = pilot.filter(|x| !x.is_nan()).map(|x| x + 0.0).collect();
        sort(&mut pilot);
        let mut values = pilot.clone();
        values.dedup();
        if values.len() > CELLS - 1 {
            values = (1..CELLS - 1).map(|at| pilot[at * pilot.len() / (CELLS - 1)]).collect();
            values.dedup();
        }
        let mut edges = [f64::INFINITY; CELLS];
        edges[..values.len()].copy_from_slice(&values);
        Self { edges, some: values.len() }
    }

    /// The cell of a number; NaN has the last one.
    fn cell(&self, x: f64) -> usize {
        if x.is_nan() {
            return self.some + 1;
        }
        // Without branches, which would be guessed wrong.
        let (mut at, mut step) = (0, CELLS / 2);
        while step > 0 {
            at += usize::from(self.edges[at + step - 1] <= x) * step;
            step /= 2;
        }
        at.min(self.some)
    }

    /// Labels by cell.
    fn counts(&self, numbers: &[f64], labels: &[bool]) -> Vec<Labels> {
        let mut counts = vec![[0u32; 2]; self.some + 2];
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
    let varies = counts.iter().filter(|cell| cell.all() > 0.0).count() > 1;
    varies.then(|| of_cells(counts.into_iter()))
}

/// The gain of the best interval of these cells, in nats.
pub fn of_cells(counts: impl Iterator<Item = Labels>) -> f64 {
    let mut before = vec![Labels::default()];
    for cell in counts {
        let last = before[before.len() - 1];
        before.push(Labels { d: last.d + cell.d, d_prime: last.d_prime + cell.d_prime });
    }
    let gain = Gain::of(before[before.len() - 1]);
    let mut best = (Fraction { of: 0.0, over: 1.0 }, Labels::default());
    let mut look = |part: Labels| {
        let told = gain.fraction(part);
        // Products, since quotients take several times as long.
        if told.of * best.0.over > best.0.of * told.over {
            best = (told, part);
        }
    };
    before.iter().for_each(|up_to| look(*up_to));
    let mut length = 1.0;
    while (length as usize) < before.len() {
        let ends = before.iter().zip(&before[length as usize..]);
        ends.for_each(|(from, to)| look(to.less(*from)));
        length = (length * SCALE).max(length + 1.0);
    }
    gain.exact(best.1)
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/grammar/screen.rs"]
mod tests;

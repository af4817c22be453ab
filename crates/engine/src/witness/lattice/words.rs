//! Lattices in words.

use crate::witness::coordinate::statistic::Statistic;
use crate::witness::lattice::{EXPONENTS, Lattice, Row, Sign};
use crate::witness::words::runs;
use plaudit_accountant::number;
use plaudit_core::tally::Guess;
use std::ops::Range;

/// A part of the table that is described at once: neighboring sizes with the same lowest set bits.
#[derive(Clone, Copy, PartialEq)]
struct Patch {
    sign: Sign,
    from: i32,
    to: i32,
    /// Least exponent of the lowest set bit.
    least: Option<i32>,
    below: Option<i32>,
}

impl Lattice {
    pub(in super::super) fn statistic_words(&self) -> String {
        format!("lowest set bit of {}", self.subject())
    }

    /// The number with the examined bits.
    fn subject(&self) -> String {
        let number = match &self.statistic {
            Statistic::Value => "the output".to_owned(),
            statistic => statistic.words(),
        };
        match self.offset {
            0.0 => number,
            offset if offset < 0.0 => format!("({number} + {})", number::words(-offset)),
            offset => format!("({number} - {})", number::words(offset)),
        }
    }

    pub(in super::super) fn labels(&self) -> Vec<String> {
        let cells = self.rows.iter().flat_map(|row| {
            (0..row.bins()).map(|bin| {
                let patch = patch(row, bin..bin + 1);
                let bits = match (patch.least, patch.below) {
                    (None, None) => "any lowest bit".to_owned(),
                    (Some(least), Some(below)) if below == least + 1 => {
                        format!("lowest bit 2^{least}")
                    }
                    (None, Some(below)) => format!("lowest bit below 2^{below}"),
                    (Some(least), None) => format!("lowest bit 2^{least} and above"),
                    (Some(least), Some(below)) => {
                        format!("lowest bit 2^{least} to 2^{}", below - 1)
                    }
                };
                match size(&patch, "x") {
                    Some(size) => format!("{size}, {bits}"),
                    None => bits,
                }
            })
        });
        cells.chain(["0".to_owned(), "anything else".to_owned()]).collect()
    }

    /// Conditions for this guess.
    pub(in super::super) fn parts(&self, says: &[Guess], guess: Guess) -> Vec<String> {
        let mut patches: Vec<Patch> = Vec::new();
        let mut first = 0;
        for row in &self.rows {
            let own = &says[first..first + row.bins()];
            first += row.bins();
            for run in runs(own, 0..own.len(), guess) {
                patches.push(patch(row, run));
            }
        }
        let subject = self.subject();
        let words = |patch: &Patch| {
            let bits = match (patch.least, patch.below) {
                (None, None) => None,
                (Some(least), None) => Some(format!("{subject} is a multiple of 2^{least}")),
                (None, Some(below)) => Some(format!("{subject} is not a multiple of 2^{below}")),
                (Some(least), Some(below)) if below == least + 1 => {
                    Some(format!("{subject} is an odd multiple of 2^{least}"))
                }
                (Some(least), Some(below)) => {
                    Some(format!("{subject} is a multiple of 2^{least} but not of 2^{below}"))
                }
            };
            match (size(patch, &subject), bits) {
                (Some(size), Some(bits)) => format!("{size} and {bits}"),
                (Some(words), None) | (None, Some(words)) => words,
                (None, None) => format!("{subject} is a number other than 0"),
            }
        };
        let mut parts: Vec<String> = joined(patches).iter().map(words).collect();
        if says[first] == guess {
            parts.push(format!("{subject} = 0"));
        }
        if says[first + 1] == guess {
            parts.push("the outcome is anything else".to_owned());
        }
        parts
    }
}

fn patch(row: &Row, bins: Range<usize>) -> Patch {
    Patch {
        sign: row.sign,
        from: row.from,
        to: row.to,
        least: bins.start.checked_sub(1).map(|at| row.edges[at]),
        below: row.edges.get(bins.end - 1).copied(),
    }
}

/// Fewer patches with the same meaning: joins neighboring sizes, then both signs, with the same
/// lowest set bits.
fn joined(patches: Vec<Patch>) -> Vec<Patch> {
    let mut by_size: Vec<Patch> = Vec::new();
    for patch in patches {
        let next_to = |other: &&mut Patch| {
            let same = Patch { from: patch.from, to: patch.to, ..**other } == patch;
            same && (other.from == patch.to || other.to == patch.from)
        };
        match by_size.iter_mut().find(next_to) {
            Some(other) => {
                (other.from, other.to) = (other.from.min(patch.from), other.to.max(patch.to));
            }
            None => by_size.push(patch),
        }
    }
    let mut all: Vec<Patch> = Vec::new();
    for patch in by_size {
        let mirrored = |other: &&mut Patch| {
            other.sign != patch.sign && Patch { sign: patch.sign, ..**other } == patch
        };
        match all.iter_mut().find(mirrored) {
            Some(other) => other.sign = Sign::Either,
            None => all.push(patch),
        }
    }
    all
}

/// The size in words; `None` if it does not matter.
fn size(patch: &Patch, subject: &str) -> Option<String> {
    let least = (patch.from > EXPONENTS.start).then(|| power(patch.from));
    let below = (patch.to < EXPONENTS.end).then(|| power(patch.to));
    match (patch.sign, least, below) {
        (Sign::Either, None, None) => None,
        (Sign::Either, None, Some(below)) => Some(format!("0 < |{subject}| < {below}")),
        (Sign::Either, Some(least), None) => Some(format!("|{subject}| >= {least}")),
        (Sign::Either, Some(least), Some(below)) => {
            Some(format!("{least} <= |{subject}| < {below}"))
        }
        (Sign::Positive, None, None) => Some(format!("{subject} > 0")),
        (Sign::Positive, None, Some(below)) => Some(format!("0 < {subject} < {below}")),
        (Sign::Positive, Some(least), None) => Some(format!("{subject} >= {least}")),
        (Sign::Positive, Some(least), Some(below)) => {
            Some(format!("{least} <= {subject} < {below}"))
        }
        (Sign::Negative, None, None) => Some(format!("{subject} < 0")),
        (Sign::Negative, None, Some(below)) => Some(format!("-{below} < {subject} < 0")),
        (Sign::Negative, Some(least), None) => Some(format!("{subject} <= -{least}")),
        (Sign::Negative, Some(least), Some(below)) => {
            Some(format!("-{below} < {subject} <= -{least}"))
        }
    }
}

/// A power of two, as a decimal where that is short.
fn power(exponent: i32) -> String {
    match exponent {
        -4..=20 => number::words(2f64.powi(exponent)).into_owned(),
        _ => format!("2^{exponent}"),
    }
}

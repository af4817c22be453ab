//! Float lattices: position of a double's lowest set bit, by its size.
//!
//! A sum x + noise of doubles is a multiple of the spacing of the doubles around the larger of its
//! terms. Close to 0 that reveals the size of the noise, and so x: some outcomes are possible under
//! one dataset and impossible under another (Mironov 2012).

mod search;
mod table;
mod words;

pub(super) use search::propose;
pub(super) use table::Table;

use crate::mechanism::OutcomeRef;
use crate::witness::coordinate::statistic::Statistic;
use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// A table of a number's size (rows: sign and binary exponent) by its lowest set bit (columns).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lattice {
    pub statistic: Statistic,
    /// Subtrahend: perhaps the answer without noise, or any other point of a suspected lattice.
    /// Unless it is 0, the difference is rounded to eight times the spacing of the doubles around
    /// the larger of the two, which removes the errors of both.
    #[serde(with = "number::one")]
    pub offset: f64,
    /// Rows; a number in several belongs to the first.
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub sign: Sign,
    /// Their least exponent: 2^from <= |x|.
    pub from: i32,
    /// Above their largest exponent: |x| < 2^to.
    pub to: i32,
    /// Exponents of lowest set bits, ascending. One bin is for those below the first, one from each
    /// to the next, one from the last up.
    pub edges: Vec<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    Negative,
    Positive,
    Either,
}

/// Exponents of doubles: 2^-1074 is the least one, and all are below 2^1024.
const EXPONENTS: std::ops::Range<i32> = -1074..1024;

/// A finite number other than 0, as its lowest set bit and its size.
#[derive(Clone, Copy)]
struct Parts {
    negative: bool,
    /// Exponent of the highest set bit.
    highest: i32,
    /// Exponent of the lowest set bit.
    lowest: i32,
}

impl Parts {
    #[inline]
    fn of(x: f64) -> Option<Self> {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
        let (unit, significand) = match field {
            0x7ff => return None,
            0 => (-1074, fraction),
            _ => (field - 1075, fraction | 1 << 52),
        };
        (significand != 0).then(|| Self {
            negative: x.is_sign_negative(),
            highest: unit + 63 - significand.leading_zeros() as i32,
            lowest: unit + significand.trailing_zeros() as i32,
        })
    }
}

/// The exponent of the lowest set bit of a number, if it is finite and not 0.
pub(super) fn lowest_bit(x: f64) -> Option<i32> {
    Parts::of(x).map(|parts| parts.lowest)
}

impl Row {
    fn all(edges: Vec<i32>) -> Self {
        Self { sign: Sign::Either, from: EXPONENTS.start, to: EXPONENTS.end, edges }
    }

    fn has(&self, parts: Parts) -> bool {
        let sign = match self.sign {
            Sign::Negative => parts.negative,
            Sign::Positive => !parts.negative,
            Sign::Either => true,
        };
        sign && (self.from..self.to).contains(&parts.highest)
    }

    fn bins(&self) -> usize {
        self.edges.len() + 1
    }
}

impl Lattice {
    /// The rows' bins, one for 0, and one for all that are not finite.
    pub(super) fn bins(&self) -> usize {
        self.rows.iter().map(Row::bins).sum::<usize>() + 2
    }

    pub(super) fn bin(&self, outcome: OutcomeRef<'_>) -> usize {
        self.statistic.read(outcome).map_or(self.bins() - 1, |x| self.bin_of(x))
    }

    fn bin_of(&self, x: f64) -> usize {
        let x = if self.offset == 0.0 { x } else { without(self.offset, x) };
        match Parts::of(x) {
            Some(parts) => self.bin_of_parts(parts),
            None if x == 0.0 => self.bins() - 2,
            None => self.bins() - 1,
        }
    }

    fn bin_of_parts(&self, parts: Parts) -> usize {
        let mut first = 0;
        for row in &self.rows {
            if row.has(parts) {
                return first + row.edges.partition_point(|edge| *edge <= parts.lowest);
            }
            first += row.bins();
        }
        self.bins() - 1
    }

    pub(super) fn is_sound(&self) -> bool {
        let known = |exponent: &i32| EXPONENTS.contains(exponent);
        self.offset.is_finite()
            && self.rows.iter().all(|row| {
                known(&row.from)
                    && row.from < row.to
                    && row.to <= EXPONENTS.end
                    && row.edges.iter().all(known)
                    && row.edges.is_sorted_by(|a, b| a < b)
            })
    }
}

/// Summand that, added to a number near the offset and subtracted again, rounds it: 1.5 times a
/// power of two, around which doubles have the desired spacing. By the exponent field of x; NaN
/// where the spacing is beyond the doubles.
fn rounding(offset: f64, field: u64) -> f64 {
    let larger = field.max(offset.to_bits() >> 52 & 0x7ff) + 3;
    let beyond = larger > 0x7fe || field == 0x7ff;
    if beyond { f64::NAN } else { f64::from_bits(larger << 52 | 1 << 51) }
}

/// x − offset, rounded to eight times the spacing of the doubles around the larger of the two; NaN
/// where that is beyond the doubles.
fn without(offset: f64, x: f64) -> f64 {
    let shift = rounding(offset, x.to_bits() >> 52 & 0x7ff);
    (x - offset + shift) - shift
}

#[cfg(test)]
#[path = "../../tests/unit/witness/lattice.rs"]
mod tests;

//! Float lattices: where the lowest set bit of a double is, by its size.
//!
//! A sum x + noise of doubles is a multiple of the spacing of the doubles around the larger of its
//! terms. Close to 0 that shows the size of the noise, and so x: outcomes are possible under one
//! dataset that are impossible under another (Mironov 2012).

mod search;
mod words;

pub(super) use search::propose;

use super::statistic::Statistic;
use crate::mechanism::OutcomeRef;
use crate::number;
use serde::{Deserialize, Serialize};

/// A table of a number's size (rows: sign and binary exponent) by its lowest set bit (columns).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lattice {
    /// The number that is looked at.
    pub statistic: Statistic,
    /// What is subtracted from it first: perhaps the answer without noise, or any other point of a
    /// lattice that is suspected. Unless it is 0, the difference is rounded to eight times the
    /// spacing of the doubles around the larger of the two, which takes the errors of both away.
    #[serde(with = "number::one")]
    pub offset: f64,
    /// Of a number that is in several, the first counts.
    pub rows: Vec<Row>,
}

/// Numbers of some size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Their sign.
    pub sign: Sign,
    /// Their least exponent: 2^from <= |x|.
    pub from: i32,
    /// Above their largest exponent: |x| < 2^to.
    pub to: i32,
    /// Exponents of lowest set bits, ascending. One bin is for those below the first, one from each
    /// to the next, one from the last up.
    pub edges: Vec<i32>,
}

/// Which numbers a row takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// Those below 0.
    Negative,
    /// Those above 0.
    Positive,
    /// Both.
    Either,
}

/// Exponents of doubles: 2^-1074 is the least one, and all are below 2^1024.
const EXPONENTS: std::ops::Range<i32> = -1074..1024;

/// A finite number other than 0, as its lowest set bit and its size are told apart.
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
    /// The rows' bins, one for 0, one for what is no finite number.
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

/// x − offset, rounded to eight times the spacing of the doubles around the larger of the two; NaN
/// where that is beyond the doubles.
#[inline]
fn without(offset: f64, x: f64) -> f64 {
    let larger = x.abs().max(offset.abs());
    let field = (larger.to_bits() >> 52) + 3;
    if field > 0x7fe || !x.is_finite() {
        return f64::NAN;
    }
    // 1.5 times a power of two: doubles are spaced like the rounding around it.
    let shift = f64::from_bits(field << 52 | 1 << 51);
    (x - offset + shift) - shift
}

/// A lattice made ready for counting: rows and columns are looked up, not searched.
pub(super) struct Table<'a> {
    lattice: &'a Lattice,
    /// By the sign and exponent fields of a double: where the bins of its row are in `bins`.
    rows: Vec<Columns>,
    /// By row and lowest set bit.
    bins: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Columns {
    /// The lowest set bit of the first column; lower ones are in it, too.
    first: i32,
    /// Columns after the first: the last one takes all higher bits.
    more: i32,
    /// Place of the first column.
    start: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(lattice: &'a Lattice) -> Self {
        let mut bins = Vec::new();
        let columns = |row: &Row| {
            let (low, high) = (row.edges.first()?, row.edges.last()?);
            Some((low - 1, high - low + 1))
        };
        let mut of_row: Vec<Columns> = Vec::new();
        let mut bin = 0;
        for row in &lattice.rows {
            let (first, more) = columns(row).unwrap_or((0, 0));
            of_row.push(Columns { first, more, start: bins.len() as u32 });
            let place = |lowest: i32| row.edges.partition_point(|edge| *edge <= lowest);
            bins.extend((first..=first + more).map(|lowest| (bin + place(lowest)) as u32));
            bin += row.bins();
        }
        // Subnormal and special numbers, and those in no row, are left to the search.
        let nowhere = Columns { first: 0, more: -1, start: 0 };
        let rows = (0..1 << 12).map(|field: i32| {
            let highest = (field & 0x7ff) - 1023;
            let parts = Parts { negative: field >> 11 == 1, highest, lowest: highest };
            let row = lattice.rows.iter().position(|row| row.has(parts));
            let special = matches!(field & 0x7ff, 0 | 0x7ff);
            row.filter(|_| !special).map_or(nowhere, |row| of_row[row])
        });
        Self { lattice, rows: rows.collect(), bins }
    }

    pub(super) fn statistic(&self) -> &Statistic {
        &self.lattice.statistic
    }

    /// The bin of a number, which may be NaN.
    #[inline]
    pub(super) fn bin(&self, x: f64) -> usize {
        let z = if self.lattice.offset == 0.0 { x } else { without(self.lattice.offset, x) };
        let bits = z.to_bits();
        let field = (bits >> 52) as usize;
        let columns = self.rows[field];
        if columns.more < 0 {
            return self.lattice.bin_of(x);
        }
        let lowest = (field as i32 & 0x7ff) - 1075 + (bits | 1 << 52).trailing_zeros() as i32;
        let column = (lowest - columns.first).clamp(0, columns.more);
        self.bins[columns.start as usize + column as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows() -> impl Strategy<Value = Vec<Row>> {
        let sign = prop_oneof![Just(Sign::Negative), Just(Sign::Positive), Just(Sign::Either)];
        let exponent = || prop_oneof![-1074..1024i32, -60..10i32];
        let edges = prop::collection::btree_set(exponent(), 0..6);
        let row = (sign, exponent(), 1..40i32, edges).prop_map(|(sign, from, size, edges)| Row {
            sign,
            from,
            to: (from + size).min(EXPONENTS.end),
            edges: edges.into_iter().collect(),
        });
        prop::collection::vec(row, 0..6)
    }

    /// Doubles of all sizes, and those near to 1 with many zeros at the end.
    fn numbers() -> impl Strategy<Value = f64> {
        let short = (any::<i64>(), 0..64u32, -70..10i32)
            .prop_map(|(i, zeros, exponent)| (i >> zeros) as f64 * 2f64.powi(exponent));
        prop_oneof![any::<f64>(), short, -3.0..3.0f64, Just(0.0), Just(-0.0), Just(f64::MAX)]
    }

    proptest! {
        #[test]
        fn the_table_finds_the_same_bin_as_a_search(
            rows in rows(),
            offset in prop_oneof![Just(0.0), numbers().prop_filter("finite", |x| x.is_finite())],
            points in prop::collection::vec(numbers(), 100),
        ) {
            let lattice = Lattice { statistic: Statistic::Value, offset, rows };
            prop_assert!(lattice.is_sound());
            let table = Table::new(&lattice);
            for x in points.into_iter().chain([offset, f64::NAN, f64::INFINITY]) {
                let bin = table.bin(x);
                prop_assert!(bin < lattice.bins());
                prop_assert_eq!(bin, lattice.bin(x.into()), "{:e}", x);
            }
        }

        #[test]
        fn the_highest_and_the_lowest_set_bit_are_what_they_say(x in numbers()) {
            let power = |exponent: i32| 2f64.powi(exponent.max(-1022)) * 2f64.powi((exponent + 1022).min(0));
            match Parts::of(x) {
                None => prop_assert!(x == 0.0 || !x.is_finite()),
                Some(parts) => {
                    let (highest, lowest) = (power(parts.highest), power(parts.lowest));
                    prop_assert!(highest <= x.abs() && x.abs() / 2.0 < highest);
                    prop_assert_eq!(x % lowest, 0.0);
                    prop_assert!(parts.lowest == parts.highest || x % (2.0 * lowest) != 0.0);
                    prop_assert_eq!(parts.negative, x < 0.0);
                }
            }
        }

        #[test]
        fn a_lattice_around_a_point_is_one_after_it_is_taken_away(
            (offset, steps) in (-8.0..8.0f64, -(1i64 << 28)..1 << 28),
        ) {
            let noise = steps as f64 * 2f64.powi(-24);
            let apart = without(offset, offset + noise);
            prop_assert_eq!(apart, noise);
        }
    }
}

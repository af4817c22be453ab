//! Float lattices: where the lowest set bit of a double is, by its size.
//!
//! A sum x + noise of doubles is a multiple of the spacing of the doubles around the larger of its
//! terms. Close to 0 that shows the size of the noise, and so x: outcomes are possible under one
//! dataset that are impossible under another (Mironov 2012).

mod search;
mod table;
mod words;

pub(super) use search::propose;
pub(super) use table::Table;

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

/// What, added to a number near the offset and taken away again, rounds it: 1.5 times a power of two,
/// around which doubles are spaced as is wanted. By the exponent field of x; NaN where the spacing is
/// beyond the doubles.
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
            for x in points.iter().copied().chain([offset, f64::NAN, f64::INFINITY]) {
                let bin = table.bin(x);
                prop_assert!(bin < lattice.bins());
                prop_assert_eq!(bin, lattice.bin(x.into()), "{:e}", x);
            }
            let [mut together, mut single] = [(); 2].map(|()| vec![0; lattice.bins()]);
            table.count(&points, &mut together);
            points.iter().for_each(|x| single[lattice.bin((*x).into())] += 1);
            prop_assert_eq!(together, single);
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

//! Counting by lattices: rows and columns are looked up, not searched.

use crate::witness::Statistic;
use crate::witness::lattice::{Lattice, Parts, Row, rounding};

/// Most bins that are counted in separate arrays: four of 4 bytes for each bin, 16 KiB of a first
/// cache of 32 KiB.
const MOST_BINS: usize = 1024;
/// Most numbers between two sums of these arrays: a counter has 32 bits.
const MOST_NUMBERS: usize = 1 << 30;

/// A lattice prepared for counting: rows and columns are looked up, not searched.
pub(in crate::witness) struct Table<'a> {
    lattice: &'a Lattice,
    /// Summand that rounds a double, by its exponent field, if there is an offset.
    rounding: Option<Box<[f64; 1 << 11]>>,
    /// Start of a row in `bins`, by the sign and exponent fields of a double.
    rows: Box<[Columns; 1 << 12]>,
    /// By row and lowest set bit.
    bins: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Columns {
    /// Position in the significand of the lowest set bit of the first column, or lower ones.
    first: i16,
    /// Columns after the first: the last one takes all higher bits. Negative: no columns.
    more: i16,
    start: u32,
}

impl<'a> Table<'a> {
    pub(in crate::witness) fn new(lattice: &'a Lattice) -> Self {
        let mut bins = Vec::new();
        let columns = |row: &Row| {
            let (low, high) = (row.edges.first()?, row.edges.last()?);
            Some((low - 1, high - low + 1))
        };
        let mut of_row: Vec<(i32, i32, u32)> = Vec::new();
        let mut bin = 0;
        for row in &lattice.rows {
            let (first, more) = columns(row).unwrap_or((0, 0));
            of_row.push((first, more, bins.len() as u32));
            let place = |lowest: i32| row.edges.partition_point(|edge| *edge <= lowest);
            bins.extend((first..=first + more).map(|lowest| (bin + place(lowest)) as u32));
            bin += row.bins();
        }
        // Subnormal and special numbers, and those without a row, are left to the search.
        let mut rows = Box::new([Columns { first: 0, more: -1, start: 0 }; 1 << 12]);
        for (field, columns) in (0..).zip(rows.iter_mut()) {
            let highest = (field & 0x7ff) - 1023;
            let parts = Parts { negative: field >> 11 == 1, highest, lowest: highest };
            let row = lattice.rows.iter().position(|row| row.has(parts));
            if let (Some(row), false) = (row, matches!(field & 0x7ff, 0 | 0x7ff)) {
                let (first, more, start) = of_row[row];
                // All exponents are between -1075 and 1023.
                let first = (first + 52 - highest) as i16;
                *columns = Columns { first, more: more as i16, start };
            }
        }
        let mut rounds = Box::new([0.0; 1 << 11]);
        for (field, shift) in (0..).zip(rounds.iter_mut()) {
            *shift = rounding(lattice.offset, field);
        }
        let rounding = (lattice.offset != 0.0).then_some(rounds);
        Self { lattice, rounding, rows, bins }
    }

    pub(in crate::witness) fn statistic(&self) -> &Statistic {
        &self.lattice.statistic
    }

    /// Adds numbers to the counts by bin.
    pub(in crate::witness) fn count(&self, numbers: &[f64], counts: &mut [u64]) {
        match &self.rounding {
            None => self.count_by(|x| self.bin_of_rest(x, x), numbers, counts),
            Some(rounding) => {
                self.count_by(|x| self.bin_of_rest(x, self.rest(rounding, x)), numbers, counts);
            }
        }
    }

    #[inline(always)]
    fn count_by(&self, bin: impl Fn(f64) -> usize, numbers: &[f64], counts: &mut [u64]) {
        if counts.len() > MOST_BINS {
            return numbers.iter().for_each(|&x| counts[bin(x)] += 1);
        }
        // Four counters in turn: the same bin twice in a row does not wait for itself.
        let mut own = [[0u32; MOST_BINS]; 4];
        for numbers in numbers.chunks(MOST_NUMBERS) {
            let mut fours = numbers.chunks_exact(4);
            for four in &mut fours {
                for (own, &x) in own.iter_mut().zip(four) {
                    own[bin(x) % MOST_BINS] += 1;
                }
            }
            fours.remainder().iter().for_each(|&x| own[0][bin(x) % MOST_BINS] += 1);
            for own in &mut own {
                counts.iter_mut().zip(own).for_each(|(count, own)| {
                    *count += u64::from(std::mem::take(own));
                });
            }
        }
    }

    /// The bin of a number, which may be NaN.
    pub(in crate::witness) fn bin(&self, x: f64) -> usize {
        let rest = self.rounding.as_ref().map_or(x, |rounding| self.rest(rounding, x));
        self.bin_of_rest(x, rest)
    }

    #[inline(always)]
    fn rest(&self, rounding: &[f64; 1 << 11], x: f64) -> f64 {
        let shift = rounding[(x.to_bits() >> 52 & 0x7ff) as usize];
        (x - self.lattice.offset + shift) - shift
    }

    #[inline(always)]
    fn bin_of_rest(&self, x: f64, rest: f64) -> usize {
        let bits = rest.to_bits();
        let columns = self.rows[(bits >> 52) as usize];
        if columns.more < 0 {
            return self.bin_by_search(x);
        }
        let lowest = (bits | 1 << 52).trailing_zeros() as i32;
        let column = (lowest - i32::from(columns.first)).clamp(0, columns.more.into());
        self.bins[columns.start as usize + column as usize] as usize
    }

    #[cold]
    #[inline(never)]
    fn bin_by_search(&self, x: f64) -> usize {
        self.lattice.bin_of(x)
    }
}

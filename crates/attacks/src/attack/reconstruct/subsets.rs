//! Random subsets as a matrix of bits, and its products.

use plaudit_core::random::Stream;
use rand::RngExt;
use rayon::prelude::*;

/// A matrix of bits, each row in words of its own.
#[derive(Clone, Debug)]
struct Bits {
    rows: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Bits {
    fn zero(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64).max(1);
        Self { rows, words, bits: vec![0; rows * words] }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    /// Rows times `x`. For each eight columns all 256 sums are made once, and looked up by every row.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut sums = vec![[0.0; 256]; 8 * self.words];
        for (sums, x) in sums.iter_mut().zip(x.chunks(8)) {
            for (place, x) in x.iter().enumerate() {
                let (known, next) = sums.split_at_mut(1 << place);
                next.iter_mut().zip(known).for_each(|(next, known)| *next = *known + x);
            }
            // Columns beyond the last are never set.
        }
        let of_row = |row: &[u64]| {
            let mut total = 0.0;
            for (word, sums) in row.iter().zip(sums.chunks_exact(8)) {
                for (byte, sums) in word.to_le_bytes().into_iter().zip(sums) {
                    total += sums[usize::from(byte)];
                }
            }
            total
        };
        self.bits.par_chunks(self.words).with_min_len(256).map(of_row).collect()
    }
}

/// Random subsets of people, one a query.
#[derive(Clone, Debug)]
pub(super) struct Subsets {
    by_query: Bits,
    by_entry: Bits,
}

impl Subsets {
    /// `queries` subsets, each of which has each person with probability a half.
    pub(super) fn drawn(entries: usize, queries: usize, random: &mut Stream) -> Self {
        let mut by_query = Bits::zero(queries, entries);
        let mut by_entry = Bits::zero(entries, queries);
        for query in 0..queries {
            for word in 0..entries.div_ceil(64) {
                let used = (entries - 64 * word).min(64);
                let bits = random.random::<u64>() & (u64::MAX >> (64 - used));
                by_query.bits[query * by_query.words + word] = bits;
                for place in (0..used).filter(|place| bits >> place & 1 == 1) {
                    let row = (64 * word + place) * by_entry.words;
                    by_entry.bits[row + query / 64] |= 1 << (query % 64);
                }
            }
        }
        Self { by_query, by_entry }
    }

    pub(super) fn queries(&self) -> usize {
        self.by_query.rows
    }

    pub(super) fn entries(&self) -> usize {
        self.by_entry.rows
    }

    /// A value for each query: the sum of `x` over its subset.
    pub(super) fn sums(&self, x: &[f64]) -> Vec<f64> {
        self.by_query.times(x)
    }

    /// A value for each person: the sum of `u` over the queries with that person.
    pub(super) fn sums_by_entry(&self, u: &[f64]) -> Vec<f64> {
        self.by_entry.times(u)
    }

    /// In how many queries each two people are together: row `i` of the answer has those with 0 to i.
    pub(super) fn together(&self) -> Vec<Vec<f64>> {
        let both = |one: usize, other: usize| {
            let words = self.by_entry.row(one).iter().zip(self.by_entry.row(other));
            words.map(|(one, other)| (one & other).count_ones()).sum::<u32>()
        };
        let row = |one: usize| (0..=one).map(|other| f64::from(both(one, other))).collect();
        (0..self.entries()).into_par_iter().map(row).collect()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/subsets.rs"]
mod tests;

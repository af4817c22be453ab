//! Proposal of lattices: only where low bits do not look like coin flips.

use crate::mechanism::Outcomes;
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::lattice::{EXPONENTS, Lattice, Parts, Row, Sign, without};
use crate::witness::propose::proposal::Proposal;
use crate::witness::scorer::Scorer;
use std::collections::BTreeMap;

/// Fewest numbers for a test of their bits: twice the least of `is_irregular`.
const LEAST_NUMBERS: usize = 128;
/// Least share and number of a row's numbers: one in 64, and 64, so that there are some 64 rows at
/// most. Not tuned.
const ROW: (usize, usize) = (64, 64);
/// Least share and number of a bin's numbers: of the 2^15 kept numbers 16.
const BIN: (usize, usize) = (2048, 8);

/// Tables of size and lowest set bit that may reveal something of a statistic; empty where the bits
/// are those of some smooth law on some grid.
pub(in super::super) fn propose(sample: &Sample<'_>, statistic: &Statistic) -> Vec<Proposal> {
    let sides = [&sample.d, &sample.d_prime].map(|batches| numbers(batches, statistic, 1));
    let pooled = sides.concat();
    let mut found: Vec<(Lattice, bool)> = Vec::new();
    if pooled.len() < LEAST_NUMBERS {
        return vec![];
    }
    let parts: Vec<Parts> = pooled.iter().filter_map(|x| Parts::of(*x)).collect();
    let lattice =
        |offset: f64, rows: Vec<Row>| Lattice { statistic: statistic.clone(), offset, rows };
    if is_irregular(&parts) {
        found.push((lattice(0.0, vec![Row::all(edges(&parts, bin_size(&parts)))]), false));
        found.push((lattice(0.0, rows(&parts)), false));
    }
    // The dataset of an outcome is known here, for the even places.
    let sides = [&sample.d, &sample.d_prime].map(|batches| numbers(batches, statistic, 2));
    let mut offsets: Vec<f64> = sides.iter().filter_map(|side| suspected(side)).collect();
    offsets.dedup();
    for offset in offsets {
        let apart = pooled.iter().filter_map(|x| Parts::of(without(offset, *x)));
        let apart: Vec<Parts> = apart.collect();
        let row = Row::all(edges(&apart, bin_size(&apart)));
        found.push((lattice(offset, vec![row]), true));
    }
    if found.is_empty() || !mostly_different(pooled) {
        return vec![];
    }
    let useful = found.into_iter().filter(|(lattice, _)| lattice.bins() > 3);
    useful.map(|(lattice, fitted)| Proposal { scorer: Scorer::Lattice(lattice), fitted }).collect()
}

/// The finite numbers of every `step`-th outcome.
fn numbers(batches: &[&Outcomes], statistic: &Statistic, step: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for batch in batches {
        match (statistic, batch.as_numbers()) {
            (Statistic::Value, Some(numbers)) => all.extend(numbers.iter().step_by(step)),
            _ => all.extend(batch.iter().step_by(step).filter_map(|o| statistic.read(o))),
        }
    }
    all.retain(|x| x.is_finite());
    all
}

/// `true` if half of the numbers or more occur only once; others are better matched one by one.
fn mostly_different(numbers: Vec<f64>) -> bool {
    let all = numbers.len();
    let mut bits: Vec<u64> = numbers.into_iter().map(f64::to_bits).collect();
    bits.sort_unstable();
    bits.dedup();
    2 * bits.len() >= all
}

/// `true` if the lowest bits differ from those of a smooth law on a grid of any spacing (that of
/// the doubles included): there, of the numbers of one sign and exponent, half are odd multiples of
/// the finest power of two of which all are multiples.
fn is_irregular(parts: &[Parts]) -> bool {
    /// With fewer the sum is not a chi-square; all of 64 miss the grid's own step, as even
    /// multiples of it, with 2⁻⁶⁴.
    const LEAST: u32 = 64;
    /// With fewer bits, of 2^16 numbers between two powers of two, a law need not be smooth from
    /// one to the next.
    const BITS: i32 = 16;
    // By sign and exponent: numbers, finest power of two, odd multiples of it.
    let mut rows =
        [[(0u32, EXPONENTS.end, 0u32); EXPONENTS.end.abs_diff(EXPONENTS.start) as usize]; 2];
    for part in parts {
        let (all, finest, odd) =
            &mut rows[usize::from(part.negative)][part.highest.abs_diff(EXPONENTS.start) as usize];
        *all += 1;
        if part.lowest < *finest {
            (*finest, *odd) = (part.lowest, 0);
        }
        *odd += u32::from(part.lowest == *finest);
    }
    let (mut square, mut count) = (0.0, 0.0);
    for side in rows {
        for (highest, (all, finest, odd)) in EXPONENTS.zip(side) {
            if all >= LEAST && highest - finest >= BITS {
                square += (2.0 * f64::from(odd) - f64::from(all)).powi(2) / f64::from(all);
                count += 1.0;
            }
        }
    }
    // Eight standard deviations of a chi-square sum, and more where it has few terms: of a million
    // regular samples at most a few are taken for irregular.
    square > count + 8.0 * (2.0 * count + 4.0f64).sqrt()
}

fn bin_size(parts: &[Parts]) -> usize {
    (parts.len() / BIN.0).max(BIN.1)
}

/// Edges between lowest set bits, with at least `least` numbers in each bin.
fn edges(parts: &[Parts], least: usize) -> Vec<i32> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    parts.iter().for_each(|part| *counts.entry(part.lowest).or_default() += 1);
    let (mut edges, mut count) = (Vec::new(), 0);
    for (lowest, here) in counts {
        if count >= least {
            edges.push(lowest);
            count = 0;
        }
        count += here;
    }
    if count < least {
        edges.pop();
    }
    edges
}

/// A row for each frequent sign and exponent; rare ones are combined, largest first.
fn rows(parts: &[Parts]) -> Vec<Row> {
    let (row, bin) = ((parts.len() / ROW.0).max(ROW.1), bin_size(parts));
    let mut rows = Vec::new();
    for (sign, negative) in [(Sign::Negative, true), (Sign::Positive, false)] {
        let mut own: Vec<Parts> =
            parts.iter().copied().filter(|part| part.negative == negative).collect();
        own.sort_by_key(|part| std::cmp::Reverse(part.highest));
        let mut to = EXPONENTS.end;
        let mut rest = &own[..];
        while to > EXPONENTS.start {
            // As few whole exponents as make a row, and leave enough for another.
            let mut size = 0;
            while size < row.min(rest.len()) {
                let highest = rest[size].highest;
                size += rest[size..].partition_point(|part| part.highest == highest);
            }
            if rest.len() - size < row {
                size = rest.len();
            }
            let (here, further) = rest.split_at(size);
            let from = match here.last() {
                Some(last) if !further.is_empty() => last.highest,
                _ => EXPONENTS.start,
            };
            rows.push(Row { sign, from, to, edges: edges(here, bin) });
            (to, rest) = (from, further);
        }
    }
    rows
}

/// Numbers of a candidate's trial, and how many of them on a lattice make it a suspect: by chance,
/// one is on a lattice in 2^10, 16 of 64 are with 3·10⁻³⁴; where a quarter is on one, none of the
/// first 16 is with .01.
const TRIED: usize = 64;
/// See [`TRIED`].
const SUSPECT: usize = 16;
/// Low zero bits of a number on a lattice; by chance, one number in 2^10 has them.
const ZEROS: i32 = 10;

/// A point whose distance from a good part of these numbers is on a coarse lattice, unless they are
/// on one themselves: a number near the median that has few digits, which may be the answer without
/// noise, or one of the numbers.
fn suspected(side: &[f64]) -> Option<f64> {
    if side.len() < LEAST_NUMBERS {
        return None;
    }
    let lattice = |x: f64, spacing: i32| {
        x == 0.0 || Parts::of(x).is_some_and(|p| p.lowest >= spacing + ZEROS)
    };
    let on_own = |x: &&f64| lattice(**x, Parts::of(**x).map_or(0, |p| p.highest - 52));
    if side.iter().take(TRIED).filter(on_own).count() >= SUSPECT {
        return None;
    }
    let fits = |offset: f64| {
        let apart = |x: f64| {
            let larger = Parts::of(x.abs().max(offset.abs())).map_or(0, |p| p.highest);
            lattice(without(offset, x), larger - 49)
        };
        let count =
            |numbers: &[f64]| numbers.iter().filter(|x| **x != offset && apart(**x)).count();
        // Most candidates are rejected after a few.
        count(&side[..SUSPECT]) > 0 && count(&side[..TRIED]) >= SUSPECT
    };
    decimals_near_the_median(side)
        .into_iter()
        .chain(side.iter().copied().take(4))
        .find(|&offset| offset != 0.0 && fits(offset))
}

/// Decimals within some standard errors of the median, those with the fewest digits first.
fn decimals_near_the_median(side: &[f64]) -> Vec<f64> {
    let mut sorted = side.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (median, range) = (sorted[n / 2], sorted[3 * n / 4] - sorted[n / 4]);
    let reach = 4.0 * range / (n as f64).sqrt();
    let mut found = Vec::new();
    if !(reach > 0.0 && reach.is_finite() && median.is_finite()) {
        return found;
    }
    let coarsest = (median.abs() + reach).log10().ceil() as i32;
    let finest = (reach / 200.0).log10().ceil() as i32;
    for digit in (finest..=coarsest).rev() {
        let step = 10f64.powi(digit);
        let (first, last) = (((median - reach) / step).ceil(), ((median + reach) / step).floor());
        // Beyond, there are no doubles between the decimals.
        if !(step.is_finite() && first.abs().max(last.abs()) < 2f64.powi(53)) {
            continue;
        }
        // Division by a power of ten that is a double gives the double nearest to the decimal.
        found.extend((first as i64..=last as i64).map(|k| match digit {
            ..0 => k as f64 / 10f64.powi(-digit),
            _ => k as f64 * step,
        }));
    }
    found.retain(|x| x.is_finite());
    found
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/lattice/search.rs"]
mod tests;

//! A search for coordinates: small operators composed, the most telling first.
//!
//! Outcome → list → list … → number → number, and two numbers → number. Each coordinate is screened on one sample by the
//! gain of its best interval ([`screen`]); lists made by the best operators get further ones; the best numbers are
//! combined. The best of all, no two of them nearly the same, go to one partition, which pays for all that were tried.
//! The work is bounded by counts, never by time, so that results do not depend on the machine.

mod keys;
mod learn;
mod lists;
mod pool;
mod screen;

use crate::witness::coordinate::operators::Pairing;
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::grammar::lists::of_lists;
use crate::witness::grammar::pool::{Pool, Rows, Scored, TELLS};

pub use crate::witness::grammar::screen::of_cells;

/// Coordinates that are combined in pairs: the best that tell, and the best numbers that outcomes hold, which may tell only
/// together; at most 190 pairs, each in four ways.
const PAIRED: usize = 12;
/// See [`PAIRED`].
const PAIRED_THEMSELVES: usize = 8;
/// Coordinates that are divided by small whole numbers.
const DIVIDED: usize = 32;
/// Divisors of whole numbers.
const DIVISORS: [f64; 5] = [2.0, 3.0, 4.0, 5.0, 10.0];
/// Coordinates that are returned.
const CHOSEN: usize = 12;
/// Squared correlation of ranks from which two coordinates are nearly the same.
const ALIKE: f64 = 0.98;

/// The most telling coordinates.
pub struct Found {
    pub coordinates: Vec<Statistic>,
    /// The most telling of the numbers that outcomes hold, which may tell only together.
    pub themselves: Vec<Statistic>,
    /// Number of coordinates that were tried.
    pub tried: usize,
}

/// The coordinates of these outcomes that tell most about their datasets; empty if none varies.
pub fn search(sample: &Sample<'_>) -> Found {
    let rows = Rows::of(sample);
    let (kept, themselves) = (Vec::new(), Vec::new());
    let mut pool = Pool { labels: &rows.labels, kept, themselves, tried: 0 };
    let simple = keys::of_keys(&rows);
    let numbers = |of: &Statistic, few: usize| {
        let some = rows.outcomes.iter().take(few);
        some.map(|outcome| of.read(outcome.clone()).unwrap_or(f64::NAN)).collect()
    };
    let screened = pool.screen(&simple, Statistic::clone, numbers);
    pool.add(screened);
    for source in keys::sources(&rows) {
        of_lists(&source, &rows, &mut pool);
    }
    remainders(&mut pool);
    pairs(&mut pool);
    let Pool { kept, tried, themselves, .. } = pool;
    let themselves = themselves.into_iter().map(|scored| scored.of).collect();
    Found { coordinates: chosen(kept), themselves, tried }
}

/// Remainders of the best whole numbers.
fn remainders(pool: &mut Pool<'_>) {
    let is_whole = |scored: &&Scored| {
        let simple = scored.of.is_simple() || matches!(scored.of, Statistic::Made(_));
        simple && scored.numbers.iter().all(|x| x.fract() == 0.0 || !x.is_finite())
    };
    let whole: Vec<Scored> = pool.kept.iter().filter(is_whole).take(DIVIDED).cloned().collect();
    let all: Vec<(&Scored, f64)> =
        whole.iter().flat_map(|scored| DIVISORS.map(|divisor| (scored, divisor))).collect();
    let named = |(scored, divisor): &(&Scored, f64)| Statistic::Remainder {
        of: Box::new(scored.of.clone()),
        divisor: *divisor,
    };
    let numbers = |(scored, divisor): &(&Scored, f64), few: usize| {
        scored.numbers[..few].iter().map(|x| x.rem_euclid(*divisor)).collect()
    };
    let found = pool.screen(&all, named, numbers);
    pool.add(found);
}

/// Numbers of the best two.
fn pairs(pool: &mut Pool<'_>) {
    let is_one = |scored: &&Scored| !matches!(scored.of, Statistic::Two { .. });
    let tells = |scored: &&Scored| scored.gain > TELLS;
    let best = pool.kept.iter().filter(is_one).filter(tells).take(PAIRED);
    let mut best: Vec<Scored> = best.cloned().collect();
    for held in pool.themselves.iter().take(PAIRED_THEMSELVES) {
        if best.iter().all(|known| known.of != held.of) {
            best.push(held.clone());
        }
    }
    let mut all = Vec::new();
    for (at, a) in best.iter().enumerate() {
        for b in &best[at + 1..] {
            all.extend(Pairing::ALL.map(|by| (a, b, by)));
        }
    }
    let named = |(a, b, by): &(&Scored, &Scored, Pairing)| Statistic::Two {
        by: *by,
        of: Box::new([a.of.clone(), b.of.clone()]),
    };
    let numbers = |(a, b, by): &(&Scored, &Scored, Pairing), few: usize| {
        a.numbers.iter().zip(&b.numbers).take(few).map(|(a, b)| by.of(*a, *b)).collect()
    };
    let found = pool.screen(&all, named, numbers);
    pool.add(found);
}

/// The first of these that are not nearly the same.
fn chosen(kept: Vec<Scored>) -> Vec<Statistic> {
    let mut chosen: Vec<(Statistic, Vec<f64>)> = Vec::new();
    for scored in kept {
        let ranks = standardized_ranks(&scored.numbers);
        let correlation =
            |other: &Vec<f64>| -> f64 { ranks.iter().zip(other).map(|(a, b)| a * b).sum() };
        if chosen.iter().all(|(_, other)| correlation(other).powi(2) < ALIKE) {
            chosen.push((scored.of, ranks));
        }
        if chosen.len() == CHOSEN {
            break;
        }
    }
    chosen.into_iter().map(|(of, _)| of).collect()
}

/// Mean ranks less their mean, with squares that add up to 1; missing numbers come last.
fn standardized_ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
    order.sort_unstable_by(|a, b| numbers[*a as usize].total_cmp(&numbers[*b as usize]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut first = 0;
    for group in order.chunk_by(|a, b| numbers[*a as usize] == numbers[*b as usize]) {
        let rank = first as f64 + 0.5 * (group.len() as f64 - numbers.len() as f64);
        group.iter().for_each(|at| ranks[*at as usize] = rank);
        first += group.len();
    }
    let size = ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    ranks.iter_mut().for_each(|rank| *rank /= size);
    ranks
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/grammar/mod.rs"]
mod tests;

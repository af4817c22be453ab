//! Tests whether characters of texts and bits of whole numbers are worth examining.

use crate::mechanism::{Outcome, OutcomeRef, Outcomes, View, large};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::vectors::LEAST;
use std::collections::HashSet;

/// Most different outcomes shown exactly: each gets a bin of its own (`propose/atoms.rs`).
const MANY: usize = 1 << 10;
/// Number of different texts that are few. Not tuned: of more, the length is also examined.
const FEW: usize = 16;
/// Bytes of spelled texts: each takes eight, 128 MiB. Fewer are kept if texts hardly recur.
const MOST_SPELLED: usize = 16 << 20;
/// Bytes of a text that distinguish it from others: as many as its first characters that are
/// spelled (`mechanism/spell.rs`).
const MOST_BYTES: usize = 1 << 10;
/// Digits that are more than a mere number: as many as of a date, 20260131. Not tuned.
const LONG: usize = 8;
/// Numbers per side that judge the bits: 63 bits of them are 1 MiB for both.
const MOST_NUMBERS: usize = 1 << 10;
/// Standard deviations beyond chance from which a bit is informative: by chance one of 63 does with
/// 1.2·10⁻⁷, and two must.
const TELLS: f64 = 6.0;

/// `true` if there are more than a few different texts; a few are best matched exactly.
pub(crate) fn are_many(sample: &Sample<'_>) -> bool {
    let mut texts = HashSet::new();
    sample.pooled().any(|outcome| match outcome {
        OutcomeRef::Text(text) => {
            texts.insert(text);
            texts.len() > FEW
        }
        _ => false,
    })
}

/// `true` if most outcomes are texts that hardly recur, or more different ones than are shown
/// exactly, even if their numbers are ignored.
pub fn of_texts(sample: &Sample<'_>) -> bool {
    let text = |outcome: &OutcomeRef<'_>| match *outcome {
        OutcomeRef::Text(text) => Some(text.to_owned()),
        // An integer beyond 64 bits.
        OutcomeRef::Structure(digits) => large(digits).map(|_| digits.to_owned()),
        _ => None,
    };
    let is_text = |outcome: &OutcomeRef<'_>| text(outcome).is_some();
    let bytes: usize = sample.pooled().filter(is_text).map(|text| text.bytes()).sum();
    if bytes > MOST_SPELLED {
        return false;
    }
    let mut texts = HashSet::new();
    for outcome in sample.pooled() {
        if let Some(text) = text(&outcome) {
            texts.insert(without_numbers(&text));
        }
        if texts.len() == MANY {
            return true;
        }
    }
    texts.len() > 1 && texts.len() * 8 >= sample.len() * 7
}

/// A text with `#` for its numbers. The digits of words with letters and of long whole numbers
/// stay: each may be significant.
fn without_numbers(text: &str) -> String {
    let bytes = &text.as_bytes()[..text.len().min(MOST_BYTES)];
    let mut rest = String::with_capacity(bytes.len());
    let in_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let letter =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let mut end = 0;
    for run in bytes.chunk_by(|a, b| in_number(a) == in_number(b)) {
        let start = end;
        end += run.len();
        let whole = !run.contains(&b'.');
        let in_word = letter(start.checked_sub(1)) || letter(Some(end));
        if !in_number(&run[0]) || whole && (in_word || run.len() >= LONG) {
            rest.push_str(&String::from_utf8_lossy(run));
        } else {
            rest.push('#');
        }
    }
    rest
}

/// `true` if outcomes are whole numbers, not negative and too many to be shown exactly, of which
/// several bits are set more often under one dataset: judged by the even places of the sample.
pub(crate) fn of_bits(sample: &Sample<'_>) -> bool {
    let (Some((d, largest)), Some((d_prime, largest_prime))) =
        (set_bits(&sample.d), set_bits(&sample.d_prime))
    else {
        return false;
    };
    let [n, m] = [d.len() as f64, d_prime.len() as f64];
    let bits = d.first().map_or(0, Vec::len);
    let tells = |bit: &usize| {
        let set = |side: &[Vec<f64>]| side.iter().map(|bits| bits[*bit]).sum::<f64>();
        let (a, b) = (set(&d), set(&d_prime));
        let share = (a + b) / (n + m);
        let error = (share * (1.0 - share) * (1.0 / n + 1.0 / m)).sqrt();
        (a / n - b / m).abs() > TELLS * error
    };
    largest.max(largest_prime) >= MANY as f64 && (0..bits).filter(tells).count() > 1
}

/// The bits of some outcomes in the even places of batches, and the largest number; `None` if there
/// are too few or other outcomes than such numbers.
fn set_bits(batches: &[&Outcomes]) -> Option<(Vec<Vec<f64>>, f64)> {
    let even = batches.iter().flat_map(|batch| (0..batch.len()).step_by(2).map(|at| batch.get(at)));
    let (mut all, mut largest) = (Vec::new(), 0.0f64);
    for outcome in even.take(MOST_NUMBERS) {
        largest = largest.max(match outcome {
            OutcomeRef::Integer(i) => i as f64,
            OutcomeRef::Number(x) => x,
            _ => return None,
        });
        let Some(Outcome::Vector(bits)) = View::Spelled.of(&outcome) else { return None };
        all.push(bits);
    }
    (all.len() >= LEAST).then_some((all, largest))
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/coordinate/spelled.rs"]
mod tests;

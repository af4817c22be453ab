//! Batches of outcomes, in columns.

use super::outcome::{Outcome, OutcomeRef};
use super::rounding::{rounded, to_grid};
use super::view::View;
use std::sync::OnceLock;

/// A batch of outcomes of one dataset, in a column of the type of the first of them.
///
/// Outcomes of other types (mostly failures) are kept apart with their place. A mechanism on the
/// fast path fills the column directly, without allocations once the buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    column: Buffer,
    /// Outcomes that do not fit the column, by position; it holds a placeholder there.
    exceptions: Vec<(usize, Outcome)>,
    /// Approximate bytes of the exceptions and of a mixed column.
    exception_bytes: usize,
    /// Nanoseconds of each release; as long as the batch only if all are known.
    durations: Vec<u64>,
    /// Cached results of [`Outcomes::seen`].
    pub(super) views: [OnceLock<Option<Box<Self>>>; View::COUNT],
}

/// Number of outcomes viewed at once where they are not kept.
pub(super) const AT_ONCE: usize = 512;

#[derive(Clone, Debug, Default)]
enum Buffer {
    #[default]
    Untyped,
    Numbers(Vec<f64>),
    Integers(Vec<i64>),
    Texts {
        bytes: String,
        ends: Vec<usize>,
    },
    Vectors {
        values: Vec<f64>,
        ends: Vec<usize>,
    },
    /// Outcomes of no fixed kind.
    Mixed(Vec<Outcome>),
}

impl Buffer {
    fn len(&self) -> usize {
        match self {
            Self::Untyped => 0,
            Self::Numbers(v) => v.len(),
            Self::Integers(v) => v.len(),
            Self::Mixed(v) => v.len(),
            Self::Texts { ends, .. } | Self::Vectors { ends, .. } => ends.len(),
        }
    }
}

impl Outcomes {
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of outcomes.
    pub fn len(&self) -> usize {
        match self.column {
            Buffer::Untyped => self.exceptions.len(),
            _ => self.column.len(),
        }
    }

    /// `true` if there are no outcomes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn bytes(&self) -> usize {
        let own = match &self.column {
            Buffer::Untyped | Buffer::Mixed(_) => 0,
            Buffer::Numbers(v) => 8 * v.len(),
            Buffer::Integers(v) => 8 * v.len(),
            Buffer::Texts { bytes, ends } => bytes.len() + 8 * ends.len(),
            Buffer::Vectors { values, ends } => 8 * (values.len() + ends.len()),
        };
        own + self.exception_bytes + 8 * self.durations.len()
    }

    /// Removes the outcomes and keeps the memory (and the column's type).
    pub fn clear(&mut self) {
        self.exceptions.clear();
        self.exception_bytes = 0;
        self.durations.clear();
        self.forget_views();
        match &mut self.column {
            Buffer::Untyped => {}
            Buffer::Numbers(v) => v.clear(),
            Buffer::Integers(v) => v.clear(),
            Buffer::Mixed(v) => v.clear(),
            Buffer::Texts { bytes, ends } => {
                bytes.clear();
                ends.clear();
            }
            Buffer::Vectors { values, ends } => {
                values.clear();
                ends.clear();
            }
        }
    }

    #[inline]
    pub fn push_number(&mut self, value: f64) {
        match &mut self.column {
            Buffer::Numbers(column) => column.push(value),
            _ => self.push_slow(Outcome::Number(value)),
        }
    }

    #[inline]
    pub fn push_integer(&mut self, value: i64) {
        match &mut self.column {
            Buffer::Integers(column) => column.push(value),
            _ => self.push_slow(Outcome::Integer(value)),
        }
    }

    pub fn push_text(&mut self, value: &str) {
        self.forget_views();
        match &mut self.column {
            Buffer::Texts { bytes, ends } => {
                bytes.push_str(value);
                ends.push(bytes.len());
            }
            _ => self.push_slow(Outcome::Text(value.to_owned())),
        }
    }

    #[inline]
    pub fn push_vector(&mut self, value: &[f64]) {
        match &mut self.column {
            Buffer::Vectors { values, ends } => {
                values.extend_from_slice(value);
                ends.push(values.len());
            }
            _ => self.push_slow(Outcome::Vector(value.to_vec())),
        }
    }

    pub fn push_failure(&mut self, message: impl Into<String>) {
        self.push_slow(Outcome::Failure(message.into()));
    }

    pub fn push(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Number(x) => self.push_number(x),
            Outcome::Integer(i) => self.push_integer(i),
            Outcome::Text(s) => self.push_text(&s),
            Outcome::Vector(v) => self.push_vector(&v),
            other => self.push_slow(other),
        }
    }

    /// Adds any outcome with its time in nanoseconds.
    pub fn push_timed(&mut self, outcome: Outcome, nanoseconds: u64) {
        // One unknown time makes those of the batch unknown.
        if self.durations.len() == self.len() {
            self.durations.push(nanoseconds);
        }
        self.push(outcome);
    }

    /// Nanoseconds of each release, if all are known.
    pub fn durations(&self) -> Option<&[u64]> {
        (self.durations.len() == self.len()).then_some(&self.durations)
    }

    pub fn push_ref(&mut self, outcome: OutcomeRef<'_>) {
        match outcome {
            OutcomeRef::Number(x) => self.push_number(x),
            OutcomeRef::Integer(i) => self.push_integer(i),
            OutcomeRef::Text(s) => self.push_text(s),
            OutcomeRef::Vector(v) => self.push_vector(v),
            other => self.push_slow(other.to_owned()),
        }
    }

    /// The first outcome that is a value types the column; others that do not fit are kept apart.
    #[cold]
    fn push_slow(&mut self, outcome: Outcome) {
        self.forget_views();
        let apart = 40 + outcome.as_ref().bytes();
        if let Buffer::Mixed(column) = &mut self.column {
            column.push(outcome);
            self.exception_bytes += apart;
            return;
        }
        if matches!(self.column, Buffer::Untyped) {
            self.column = match outcome {
                Outcome::Number(_) => Buffer::Numbers(Vec::new()),
                Outcome::Integer(_) => Buffer::Integers(Vec::new()),
                Outcome::Text(_) => Buffer::Texts { bytes: String::new(), ends: Vec::new() },
                Outcome::Vector(_) => Buffer::Vectors { values: Vec::new(), ends: Vec::new() },
                Outcome::Keyed(_) | Outcome::Structure(_) => Buffer::Mixed(Vec::new()),
                Outcome::Failure(_) => {
                    self.exceptions.push((self.exceptions.len(), outcome));
                    self.exception_bytes += apart;
                    return;
                }
            };
            for _ in 0..self.exceptions.len() {
                self.push_placeholder();
            }
            return self.push(outcome);
        }
        self.exceptions.push((self.len(), outcome));
        self.exception_bytes += apart;
        self.push_placeholder();
    }

    fn push_placeholder(&mut self) {
        match &mut self.column {
            Buffer::Untyped => {}
            Buffer::Numbers(v) => v.push(f64::NAN),
            Buffer::Integers(v) => v.push(0),
            Buffer::Mixed(v) => v.push(Outcome::Integer(0)),
            Buffer::Texts { bytes, ends } => ends.push(bytes.len()),
            Buffer::Vectors { values, ends } => ends.push(values.len()),
        }
    }

    /// The outcome at a position.
    ///
    /// # Panics
    /// If `index` is not below [`Outcomes::len`].
    pub fn get(&self, index: usize) -> OutcomeRef<'_> {
        if let Ok(at) = self.exceptions.binary_search_by_key(&index, |(place, _)| *place) {
            return self.exceptions[at].1.as_ref();
        }
        let span = |ends: &[usize]| index.checked_sub(1).map_or(0, |i| ends[i])..ends[index];
        match &self.column {
            Buffer::Untyped => panic!("outcome {index} of {}", self.len()),
            Buffer::Numbers(v) => OutcomeRef::Number(v[index]),
            Buffer::Integers(v) => OutcomeRef::Integer(v[index]),
            Buffer::Mixed(v) => v[index].as_ref(),
            Buffer::Texts { bytes, ends } => OutcomeRef::Text(&bytes[span(ends)]),
            Buffer::Vectors { values, ends } => OutcomeRef::Vector(&values[span(ends)]),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = OutcomeRef<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The column as numbers, if every outcome is a [`Outcome::Number`].
    pub fn as_numbers(&self) -> Option<&[f64]> {
        match &self.column {
            Buffer::Numbers(column) if self.exceptions.is_empty() => Some(column),
            _ => None,
        }
    }

    /// The column as integers, if every outcome is an [`Outcome::Integer`].
    pub fn as_integers(&self) -> Option<&[i64]> {
        match &self.column {
            Buffer::Integers(column) if self.exceptions.is_empty() => Some(column),
            _ => None,
        }
    }

    /// The column as vectors (all values, and the end of each vector), if every outcome is one.
    pub fn as_vectors(&self) -> Option<(&[f64], &[usize])> {
        match &self.column {
            Buffer::Vectors { values, ends } if self.exceptions.is_empty() => Some((values, ends)),
            _ => None,
        }
    }

    /// The batch with its numbers, and those in its views, rounded to a grid; with times.
    pub(crate) fn rounded(&self, grid: f64) -> Self {
        let all = |values: &[f64]| values.iter().map(|&x| to_grid(x, grid)).collect();
        let one =
            |outcome: &Outcome| rounded(&outcome.as_ref(), grid).unwrap_or_else(|| outcome.clone());
        let column = match &self.column {
            Buffer::Numbers(values) => Buffer::Numbers(all(values)),
            Buffer::Vectors { values, ends } => {
                Buffer::Vectors { values: all(values), ends: ends.clone() }
            }
            Buffer::Mixed(outcomes) => Buffer::Mixed(outcomes.iter().map(one).collect()),
            other => other.clone(),
        };
        let exceptions = self.exceptions.iter().map(|(place, outcome)| (*place, one(outcome)));
        let batch = Self {
            column,
            exceptions: exceptions.collect(),
            exception_bytes: self.exception_bytes,
            durations: self.durations.clone(),
            views: Default::default(),
        };
        // Rounded after unfolding: nested outcomes have no number before. Letters and bits of whole
        // numbers are not numbers.
        for (view, kept) in View::ALL.into_iter().zip(&batch.views) {
            let seen = self.seen(view).map(|seen| match view {
                View::Apart => seen.rounded(grid),
                View::Spelled => seen.clone(),
            });
            kept.get_or_init(|| seen.map(Box::new));
        }
        batch
    }

    /// Passes on the numbers and lists of the batch rounded to a grid, a few at a time, without
    /// keeping them; for outcomes of other kinds the batch as a whole.
    pub(crate) fn for_each_rounded(&self, grid: f64, mut take: impl FnMut(&Self)) {
        let Some(numbers) = self.as_numbers() else { return take(&self.rounded(grid)) };
        let mut few = Self::new();
        for numbers in numbers.chunks(AT_ONCE) {
            few.clear();
            let mut left = numbers.iter();
            few.extend_numbers(numbers.len(), || {
                left.next().map_or(f64::NAN, |&x| to_grid(x, grid))
            });
            take(&few);
        }
    }

    fn forget_views(&mut self) {
        self.views.iter_mut().for_each(|view| {
            view.take();
        });
    }

    /// Adds `runs` numbers, each drawn by `draw`: the fastest way to fill a batch of numbers.
    #[inline]
    pub fn extend_numbers(&mut self, runs: usize, mut draw: impl FnMut() -> f64) {
        if matches!(self.column, Buffer::Untyped) && self.exceptions.is_empty() {
            self.column = Buffer::Numbers(Vec::new());
        }
        match &mut self.column {
            Buffer::Numbers(column) => column.extend((0..runs).map(move |_| draw())),
            _ => (0..runs).for_each(|_| self.push_number(draw())),
        }
    }

    /// Adds numbers, each an outcome.
    pub fn extend_from_numbers(&mut self, values: &[f64]) {
        self.forget_views();
        match self.numbers_mut() {
            Some(column) => column.extend_from_slice(values),
            None => values.iter().for_each(|value| self.push_number(*value)),
        }
    }

    /// Adds integers, each an outcome.
    pub fn extend_from_integers(&mut self, values: &[i64]) {
        self.forget_views();
        match self.integers_mut() {
            Some(column) => column.extend_from_slice(values),
            None => values.iter().for_each(|value| self.push_integer(*value)),
        }
    }

    /// The column for adding numbers directly, if its type is numbers.
    pub(crate) fn numbers_mut(&mut self) -> Option<&mut Vec<f64>> {
        if self.is_empty() && !matches!(self.column, Buffer::Numbers(_)) {
            self.column = Buffer::Numbers(Vec::new());
        }
        match &mut self.column {
            Buffer::Numbers(column) => Some(column),
            _ => None,
        }
    }

    /// The column for adding integers directly, if its type is integers.
    pub(crate) fn integers_mut(&mut self) -> Option<&mut Vec<i64>> {
        if self.is_empty() && !matches!(self.column, Buffer::Integers(_)) {
            self.column = Buffer::Integers(Vec::new());
        }
        match &mut self.column {
            Buffer::Integers(column) => Some(column),
            _ => None,
        }
    }

    /// The columns for adding vectors directly (values, and ends), if their type is vectors.
    pub(crate) fn vectors_mut(&mut self) -> Option<(&mut Vec<f64>, &mut Vec<usize>)> {
        if self.is_empty() && !matches!(self.column, Buffer::Vectors { .. }) {
            self.column = Buffer::Vectors { values: Vec::new(), ends: Vec::new() };
        }
        match &mut self.column {
            Buffer::Vectors { values, ends } => Some((values, ends)),
            _ => None,
        }
    }

    /// Removes all outcomes after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.durations.truncate(length);
        self.forget_views();
        let kept = self.exceptions.partition_point(|(place, _)| *place < length);
        for (_, outcome) in self.exceptions.drain(kept..) {
            self.exception_bytes -= 40 + outcome.as_ref().bytes();
        }
        match &mut self.column {
            Buffer::Untyped => {}
            Buffer::Numbers(v) => v.truncate(length),
            Buffer::Integers(v) => v.truncate(length),
            Buffer::Texts { ends, .. } | Buffer::Vectors { ends, .. } => ends.truncate(length),
            Buffer::Mixed(v) => {
                for outcome in v.drain(length.min(v.len())..) {
                    self.exception_bytes -= 40 + outcome.as_ref().bytes();
                }
            }
        }
        self.settle();
    }

    /// Drops a vector that a panicking mechanism left incomplete, so that the batch ends with its
    /// last complete outcome.
    pub(crate) fn settle(&mut self) {
        match &mut self.column {
            Buffer::Texts { bytes, ends } => bytes.truncate(ends.last().copied().unwrap_or(0)),
            Buffer::Vectors { values, ends } => values.truncate(ends.last().copied().unwrap_or(0)),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/mechanism/outcomes.rs"]
mod tests;

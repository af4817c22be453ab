//! The witness in words.

use crate::witness::Witness;
use crate::witness::partition::Partition;
use crate::witness::scorer::{Atom, Scorer};
use plaudit_accountant::number;
use plaudit_core::tally::Guess;
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub struct BinWords {
    pub label: String,
    /// The interval of numbers, lower end included, `None` where it is unbounded.
    pub interval: Option<(Option<f64>, Option<f64>)>,
}

impl Witness {
    /// Its guesses and their conditions; on all other outcomes it does not guess.
    pub fn words(&self) -> String {
        let when = |guess: Guess| {
            let parts = self.parts(guess);
            let told = if parts.len() > MOST_TOLD + 1 { MOST_TOLD } else { parts.len() };
            let mut words = parts[..told].join(", or ");
            if parts.len() > told {
                words += &format!(", or {} more, which the certificate has", parts.len() - told);
            }
            words
        };
        let words = match (when(Guess::D), when(Guess::DPrime)) {
            (d, prime) if d.is_empty() && prime.is_empty() => "never guesses".into(),
            (d, prime) if prime.is_empty() => format!("says D when {d}"),
            (d, prime) if d.is_empty() => format!("says D' when {prime}"),
            (d, prime) => format!("says D when {d}; says D' when {prime}"),
        };
        let words = self.with_short_names(words);
        let words = match self.scorer.grid() {
            Some(grid) => {
                format!("rounds numbers to the nearest multiple of {} first: {words}", step(grid))
            }
            None => words,
        };
        match self.scorer {
            Scorer::Unfolded { .. } => format!("looks at the outcome taken apart: {words}"),
            Scorer::Spelled { .. } => format!(
                "looks at the outcome spelled out (the code points of a text's characters; the bits of \
                 a whole number, the lowest first): {words}"
            ),
            _ => words,
        }
    }

    /// Each long number that the words name twice is named once, by a letter.
    fn with_short_names(&self, mut words: String) -> String {
        let numbers = match self.scorer.looking() {
            Scorer::Thresholds { statistic, .. } => std::slice::from_ref(statistic),
            Scorer::Partition(partition) => &partition.coordinates,
            _ => return words,
        };
        let mut names = Vec::new();
        for (number, name) in numbers.iter().zip(["S", "T", "U", "V", "W", "X", "Y", "Z"]) {
            let long = number.words();
            if long.len() > LONG && words.matches(&long).count() > 1 {
                words = words.replace(&long, name);
                names.push(format!("{name} = {long}"));
            }
        }
        match names.is_empty() {
            true => words,
            false => format!("with {}: {words}", names.join(" and ")),
        }
    }

    /// The scorer's number, in words; empty where outcomes are only matched.
    pub fn statistic_words(&self) -> String {
        match self.scorer.looking() {
            Scorer::Shape { .. } | Scorer::Atoms { .. } | Scorer::Coarse(_) | Scorer::Keys(_) => {
                String::new()
            }
            Scorer::Thresholds { statistic, .. } => statistic.words(),
            Scorer::Lattice(lattice) => lattice.statistic_words(),
            Scorer::Partition(partition) => partition.words(),
            Scorer::Clock(clock) => clock.statistic_words(),
            Scorer::Unfolded { .. } | Scorer::Spelled { .. } | Scorer::Rounded { .. } => {
                String::new()
            }
        }
    }

    pub fn bin_words(&self) -> Vec<BinWords> {
        self.scorer.bin_words()
    }

    /// Conditions for this guess: runs of intervals as one, in the order of the bins.
    fn parts(&self, guess: Guess) -> Vec<String> {
        if let Scorer::Lattice(lattice) = self.scorer.looking() {
            return lattice.parts(&self.says, guess);
        }
        if let Scorer::Partition(partition) = self.scorer.looking() {
            return leaves_words(partition, &|leaf| self.says[leaf] == guess);
        }
        let lines = self.scorer.lines();
        let mut parts = Vec::new();
        for (line, range) in lines.iter().enumerate() {
            for run in runs(&self.says, range.clone(), guess) {
                parts.push(self.run_words(line, run.start - range.start..run.end - range.start));
            }
        }
        let mut first = lines.last().map_or(0, |line| line.end);
        if let Scorer::Keys(keys) = self.scorer.looking() {
            parts.extend(keys.conditions(|bin| self.says[bin] == guess));
            first = keys.facets.len() + 1;
        }
        let words = self.bin_words();
        if let Scorer::Atoms { atoms } = self.scorer.looking() {
            let named = (0..atoms.len()).filter(|&bin| self.says[bin] == guess);
            parts.extend(atoms_words(atoms, &named.collect::<Vec<_>>()));
            first = atoms.len();
        }
        let alone = (first..words.len()).filter(|&bin| self.says[bin] == guess);
        parts.extend(alone.map(|bin| format!("the outcome is {}", words[bin].label)));
        parts
    }

    fn run_words(&self, line: usize, run: Range<usize>) -> String {
        let (subject, edges) = match self.scorer.looking() {
            Scorer::Thresholds { statistic, edges, .. } => (statistic.words(), edges),
            Scorer::Clock(clock) => return clock.run_words(line, run),
            Scorer::Shape { .. }
            | Scorer::Atoms { .. }
            | Scorer::Coarse(_)
            | Scorer::Keys(_)
            | Scorer::Lattice(_)
            | Scorer::Partition(_)
            | Scorer::Unfolded { .. }
            | Scorer::Spelled { .. }
            | Scorer::Rounded { .. } => {
                return String::new();
            }
        };
        interval_words(&subject, edges, run)
    }
}

/// Condition that a number is in a run of the intervals between edges.
fn interval_words(subject: &str, edges: &[f64], run: Range<usize>) -> String {
    let from = run.start.checked_sub(1).map(|i| edges[i]);
    let to = edges.get(run.end - 1).copied();
    match (from, to) {
        (None, None) => format!("{subject} is a number"),
        (Some(from), Some(to)) if to == from.next_up() => {
            format!("{subject} = {}", number::released(from))
        }
        (None, Some(to)) => {
            let (beyond, to) = edge(to);
            format!("{subject} {} {to}", if beyond { "<=" } else { "<" })
        }
        (Some(from), None) => {
            let (beyond, from) = edge(from);
            format!("{subject} {} {from}", if beyond { ">" } else { ">=" })
        }
        (Some(from), Some(to)) => {
            let ((after, from), (upto, to)) = (edge(from), edge(to));
            let (first, second) = (if after { "<" } else { "<=" }, if upto { "<=" } else { "<" });
            format!("{from} {first} {subject} {second} {to}")
        }
    }
}

/// For one number, runs of intervals, however the tree cut them; else one condition for each leaf.
fn leaves_words(partition: &Partition, wanted: &dyn Fn(usize) -> bool) -> Vec<String> {
    let Some((of, edges, leaves)) = partition.line() else {
        let words = partition.leaf_words().into_iter().enumerate();
        return words.filter(|(leaf, _)| wanted(*leaf)).map(|(_, words)| words).collect();
    };
    let subject = of.words();
    let is_one: Vec<bool> = leaves.iter().map(|leaf| wanted(*leaf)).collect();
    let (mut parts, mut next) = (Vec::new(), 0);
    for run in is_one.chunk_by(|a, b| a == b) {
        if run[0] {
            parts.push(interval_words(&subject, &edges, next..next + run.len()));
        }
        next += run.len();
    }
    if wanted(partition.without_numbers()) {
        parts.push(format!("{subject} is NaN, not numeric or missing"));
    }
    parts
}

impl Scorer {
    pub(super) fn bin_words(&self) -> Vec<BinWords> {
        let plain = |label: String| BinWords { label, interval: None };
        let other = std::iter::once(plain("anything else".into()));
        match self.looking() {
            Scorer::Shape { shapes } => {
                shapes.iter().map(|shape| plain(shape.words())).chain(other).collect()
            }
            Scorer::Atoms { atoms } => {
                atoms.iter().map(|atom| plain(atom.words())).chain(other).collect()
            }
            Scorer::Thresholds { edges, shapes, .. } => {
                let intervals = (0..=edges.len()).map(|i| {
                    let (from, to) = (i.checked_sub(1).map(|i| edges[i]), edges.get(i).copied());
                    BinWords { label: interval_label(from, to), interval: Some((from, to)) }
                });
                let shapes = shapes.iter().map(|shape| plain(shape.words()));
                intervals.chain(shapes).chain(other).collect()
            }
            Self::Coarse(coarse) => coarse.labels().into_iter().map(plain).chain(other).collect(),
            Self::Keys(keys) => {
                let shapes = keys.shapes.iter().map(|shape| plain(shape.words()));
                keys.labels().into_iter().map(plain).chain(shapes).chain(other).collect()
            }
            Self::Lattice(lattice) => lattice.labels().into_iter().map(plain).collect(),
            Self::Partition(partition) => {
                let words = |leaf| leaves_words(partition, &|other| other == leaf).join(" or ");
                (0..partition.bins()).map(words).map(plain).collect()
            }
            Scorer::Clock(clock) => clock.bin_words(),
            Scorer::Unfolded { of } | Scorer::Spelled { of } | Scorer::Rounded { of, .. } => {
                of.bin_words()
            }
        }
    }
}

/// Conditions that are told; one more is told as well.
const MOST_TOLD: usize = 6;

/// Letters of a number's words from which it gets a name: less than half a line.
const LONG: usize = 40;

/// Most outcomes, or ranges of integers, that a long list names; the others are counted.
const MOST_NAMED: usize = 6;

/// Condition that the outcome is one of these atoms, ascending: consecutive whole numbers as one.
fn atoms_words(atoms: &[Atom], bins: &[usize]) -> Option<String> {
    let follows = |a: &usize, b: &usize| match (&atoms[*a], &atoms[*b]) {
        (Atom::Integer(a), Atom::Integer(b)) => a.checked_add(1) == Some(*b),
        (Atom::Number(a), Atom::Number(b)) => a.fract() == 0.0 && *a + 1.0 == *b && a != b,
        _ => false,
    };
    let mut named: Vec<(String, usize)> = Vec::new();
    for run in bins.chunk_by(follows) {
        match run {
            [first, .., last] if run.len() > 3 => {
                let (first, last) = (atoms[*first].words(), atoms[*last].words());
                let range = format!("any whole number from {first} to {last}");
                named.push((range, run.len()));
            }
            _ => named.extend(run.iter().map(|bin| (atoms[*bin].words(), 1))),
        }
    }
    let more: usize = named.iter().skip(MOST_NAMED).map(|(_, atoms)| atoms).sum();
    let mut told: Vec<String> =
        named.into_iter().take(MOST_NAMED).map(|(words, _)| words).collect();
    let last = if more > 0 { Some(format!("one of {more} others")) } else { told.pop() };
    let last = last?;
    Some(match told.is_empty() {
        true => format!("the outcome is {last}"),
        false => format!("the outcome is {} or {last}", told.join(", ")),
    })
}

/// A step of rounding in words: a power of two as one.
pub(crate) fn step(grid: f64) -> String {
    let exponent = grid.log2();
    match exponent.fract() == 0.0 && !(0.0..=3.0).contains(&exponent) {
        true => format!("2^{exponent}"),
        false => number::words(grid).into_owned(),
    }
}

fn interval_label(from: Option<f64>, to: Option<f64>) -> String {
    match (from, to) {
        (None, None) => "any number".into(),
        (Some(from), Some(to)) if to == from.next_up() => number::released(from).into_owned(),
        (None, Some(to)) => match edge(to) {
            (true, to) => format!("up to {to}"),
            (false, to) => format!("below {to}"),
        },
        (Some(from), None) => match edge(from) {
            (true, from) => format!("above {from}"),
            (false, from) => format!("{from} and above"),
        },
        (Some(from), Some(to)) => {
            let ((after, from), (upto, to)) = (edge(from), edge(to));
            let (open, close) = (if after { '(' } else { '[' }, if upto { ']' } else { ')' });
            format!("{open}{from}, {to}{close}")
        }
    }
}

/// An edge in words: itself, or, with far fewer digits, the double before it.
fn edge(x: f64) -> (bool, Cow<'static, str>) {
    let (own, before) = (number::words(x), number::words(x.next_down() + 0.0));
    if before.len() + BRIEFER <= own.len() || x == 0f64.next_up() {
        (true, before)
    } else {
        (false, own)
    }
}

/// Number of digits that are far fewer. Not tuned: 0.30000000000000004 after 0.3 saves sixteen.
const BRIEFER: usize = 6;

/// The maximal runs of bins in a range with this guess.
pub(super) fn runs(says: &[Guess], range: Range<usize>, guess: Guess) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for bin in range.filter(|&bin| says[bin] == guess) {
        match runs.last_mut() {
            Some(run) if run.end == bin => run.end += 1,
            _ => runs.push(bin..bin + 1),
        }
    }
    runs
}

#[cfg(test)]
#[path = "../../tests/unit/witness/words.rs"]
mod tests;

//! The clock: the time of a run, alone or with its outcome.

use crate::mechanism::{OutcomeRef, Outcomes};
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::count::edges::readings;
use crate::witness::propose::proposal::Proposal;
use crate::witness::scorer::{Clock, Scorer};
use crate::witness::words::BinWords;
use plaudit_accountant::number;
use std::ops::Range;

/// Most bins of the other scorer: of the 2^15 kept outcomes each has 800 at 40, which is 100 for
/// each interval of time.
const MOST_CASES: usize = 40;
/// Most intervals of a value with separate times: [`MOST_CASES`] then leaves 15. Not tuned.
const MOST_VALUES: usize = 24;
/// Fewest sampled runs in a bin with separate times: eight for each interval, see [`INTERVALS`].
const LEAST_RUNS: usize = 64;
/// Intervals of the time alone, as of any number, and in each of many bins, without the finer ones
/// at both ends. Not tuned: the more, the finer, and the fewer runs in each.
const INTERVALS: (usize, usize) = (48, 8);

/// Scorers of the running time for a sample with known times, and for proposals for its values.
pub(super) fn propose(sample: &Sample<'_>, of: &[Proposal]) -> Vec<Proposal> {
    if sample.batches().any(|batch| batch.durations().is_none()) {
        return Vec::new();
    }
    let beside = of.iter().filter_map(|proposal| match &proposal.scorer {
        Scorer::Shape { .. } | Scorer::Atoms { .. } => Some(proposal.scorer.clone()),
        Scorer::Thresholds { statistic: Statistic::Value, shapes, .. } => {
            let edges = coarse(readings(sample, &Statistic::Value));
            let (statistic, shapes) = (Statistic::Value, shapes.clone());
            Some(Scorer::Thresholds { statistic, edges, shapes })
        }
        _ => None,
    });
    let beside = beside.filter(|scorer| scorer.bins() <= MOST_CASES).map(Some);
    std::iter::once(None)
        .chain(beside)
        .map(|of| Scorer::Clock(Clock::fit(of.map(Box::new), sample)))
        .filter(|scorer| scorer.bins() > 2)
        .map(Proposal::from)
        .collect()
}

impl Clock {
    /// Edges for the times of a sample.
    fn fit(of: Option<Box<Scorer>>, sample: &Sample<'_>) -> Self {
        let cases = of.as_ref().map_or(1, |of| of.bins());
        let mut times: Vec<Vec<u64>> = vec![Vec::new(); cases];
        for batch in sample.batches() {
            for (outcome, &time) in batch.iter().zip(batch.durations().unwrap_or_default()) {
                times[of.as_ref().map_or(0, |of| of.bin(outcome))].push(time);
            }
        }
        let intervals = if of.is_some() { INTERVALS.1 } else { INTERVALS.0 };
        Self { of, edges: times.into_iter().map(|times| quantiles(times, intervals)).collect() }
    }

    pub(super) fn bins(&self) -> usize {
        self.edges.iter().map(|edges| edges.len() + 1).sum::<usize>() + 1
    }

    /// The bin of an outcome with this time.
    fn bin(&self, outcome: OutcomeRef<'_>, nanoseconds: u64) -> usize {
        let case = self.of.as_ref().map_or(0, |of| of.bin(outcome));
        let first: usize = self.edges[..case].iter().map(|edges| edges.len() + 1).sum();
        first + self.edges[case].partition_point(|edge| *edge <= nanoseconds)
    }

    /// Adds each outcome of a batch to the counts of its part, if it has one.
    pub(super) fn count_parts(
        &self,
        outcomes: &Outcomes,
        part: impl Fn(usize) -> Option<usize>,
        counts: &mut [&mut [u64]],
    ) {
        let durations = outcomes.durations();
        for (place, outcome) in outcomes.iter().enumerate() {
            let Some(part) = part(place) else { continue };
            let bin = match durations {
                Some(durations) => self.bin(outcome, durations[place]),
                None => self.bins() - 1,
            };
            counts[part][bin] += 1;
        }
    }

    pub(super) fn lines(&self) -> Vec<Range<usize>> {
        let mut first = 0;
        let mut line = |edges: &Vec<u64>| {
            let range = first..first + edges.len() + 1;
            first = range.end;
            range
        };
        self.edges.iter().map(&mut line).collect()
    }

    /// A typical value of each interval of a line: the logarithm of its middle.
    pub(super) fn places(&self, line: &Range<usize>) -> Vec<f64> {
        let Some(at) = self.lines().iter().position(|other| other == line) else { return vec![] };
        let edges: Vec<f64> =
            self.edges[at].iter().map(|&edge| (edge.max(1) as f64).ln()).collect();
        (0..=edges.len())
            .map(|bin| match (bin.checked_sub(1).map(|at| edges[at]), edges.get(bin)) {
                (Some(from), Some(to)) => 0.5 * (from + to),
                (Some(from), None) => from + 0.1,
                (None, Some(to)) => to - 0.1,
                (None, None) => 0.0,
            })
            .collect()
    }

    /// `true` if explore could have made it.
    pub(super) fn is_sound(&self) -> bool {
        let cases = match self.of.as_deref() {
            None => Some(1),
            Some(Scorer::Clock(_)) => None,
            Some(of) => of.is_sound().then(|| of.bins()),
        };
        cases == Some(self.edges.len())
            && self.edges.iter().all(|edges| edges.windows(2).all(|pair| pair[0] < pair[1]))
    }

    pub(super) fn statistic_words(&self) -> String {
        match self.of {
            None => "running time in nanoseconds".into(),
            Some(_) => "running time by what was released".into(),
        }
    }

    pub(super) fn bin_words(&self) -> Vec<BinWords> {
        let of = self.of.as_ref().map(|of| of.bin_words());
        let mut bins = Vec::new();
        for (case, edges) in self.edges.iter().enumerate() {
            for bin in 0..=edges.len() {
                let (from, to) = ends(edges, bin..bin + 1);
                let time = match (from, to) {
                    (None, None) => "any time".into(),
                    (None, Some(to)) => format!("below {}", time_label(to)),
                    (Some(from), None) => format!("{} and above", time_label(from)),
                    (Some(from), Some(to)) => interval_label(from, to),
                };
                let number = |edge: Option<u64>| edge.map(|edge| edge as f64);
                bins.push(match &of {
                    None => BinWords { label: time, interval: Some((number(from), number(to))) },
                    Some(of) => {
                        BinWords { label: format!("{}: {time}", of[case].label), interval: None }
                    }
                });
            }
        }
        bins.push(BinWords { label: "of unknown running time".into(), interval: None });
        bins
    }

    /// A run of intervals of one line, as a condition.
    pub(super) fn run_words(&self, line: usize, run: Range<usize>) -> String {
        let (from, to) = ends(&self.edges[line], run);
        let time = match (from.map(time_words), to.map(time_words)) {
            (None, None) => String::new(),
            (None, Some(to)) => format!("the run took less than {to}"),
            (Some(from), None) => format!("the run took at least {from}"),
            (Some(from), Some(to)) => format!("the run took {from} to {to}"),
        };
        let Some(of) = &self.of else { return time };
        let label = &of.bin_words()[line].label;
        let within = if label.starts_with('[') { "within " } else { "" };
        let and = if time.is_empty() { "" } else { " and " };
        format!("the outcome is {within}{label}{and}{time}")
    }
}

/// Edges for sorted values: one for each if there are few, else quantiles.
fn coarse(sorted: Vec<f64>) -> Vec<f64> {
    let mut values = sorted.clone();
    values.dedup();
    if values.len() > MOST_VALUES {
        let n = sorted.len();
        values = (1..MOST_VALUES).map(|i| sorted[i * n / MOST_VALUES]).collect();
        values.dedup();
    }
    values
}

/// The ends of a run of intervals.
fn ends(edges: &[u64], run: Range<usize>) -> (Option<u64>, Option<u64>) {
    (run.start.checked_sub(1).map(|at| edges[at]), edges.get(run.end - 1).copied())
}

/// Quantiles of times, ever finer towards both ends; empty if there are few.
fn quantiles(mut times: Vec<u64>, intervals: usize) -> Vec<u64> {
    let n = times.len();
    if n < LEAST_RUNS {
        return Vec::new();
    }
    times.sort_unstable();
    let mut ranks: Vec<usize> = (1..intervals).map(|i| i * n / intervals).collect();
    let mut rank = n as f64 / intervals as f64;
    while rank >= 8.0 {
        rank /= 2.0;
        ranks.extend([rank as usize, n - 1 - rank as usize]);
    }
    let mut edges: Vec<u64> = ranks.into_iter().map(|rank| times[rank]).collect();
    edges.sort_unstable();
    edges.dedup();
    // An edge at the shortest time of all would have nothing below it.
    edges.retain(|edge| *edge > times[0]);
    edges
}

/// Unit of a time in words: its nanoseconds, its name and its symbol.
fn unit(nanoseconds: u64) -> (f64, &'static str, &'static str) {
    match nanoseconds {
        0..1_000 => (1.0, "nanoseconds", "ns"),
        1_000..1_000_000 => (1e3, "microseconds", "µs"),
        1_000_000..1_000_000_000 => (1e6, "milliseconds", "ms"),
        _ => (1e9, "seconds", "s"),
    }
}

/// A time for readers: "940 nanoseconds", "1.3 microseconds", exact.
fn time_words(nanoseconds: u64) -> String {
    let (unit, name, _) = unit(nanoseconds);
    format!("{} {name}", number::words(nanoseconds as f64 / unit))
}

/// A short label of a time: "940 ns", "1.3 µs".
fn time_label(nanoseconds: u64) -> String {
    let (unit, _, symbol) = unit(nanoseconds);
    format!("{} {symbol}", number::words(nanoseconds as f64 / unit))
}

/// An interval of times, with one unit if both ends have it: "[1.3, 2) µs".
fn interval_label(from: u64, to: u64) -> String {
    let ((first, _, symbol), (last, _, same)) = (unit(from), unit(to));
    if symbol != same {
        return format!("[{}, {})", time_label(from), time_label(to));
    }
    let (from, to) = (number::words(from as f64 / first), number::words(to as f64 / last));
    format!("[{from}, {to}) {symbol}")
}

#[cfg(test)]
#[path = "../../tests/unit/witness/clock.rs"]
mod tests;

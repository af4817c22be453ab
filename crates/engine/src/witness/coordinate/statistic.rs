//! Statistics: one number of an outcome.

use crate::mechanism::{OutcomeRef, quoted};
use crate::witness::coordinate::facet::Facet;
use crate::witness::coordinate::list::Source;
use crate::witness::coordinate::operators::{Operator, Pairing, Within};
use plaudit_accountant::number;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// One number of an outcome. Undefined (`None`) where the outcome does not have such a number;
/// entries that are NaN ("no answer") are left out of sums, maxima and the like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The number or integer itself.
    Value,
    /// Length of a vector; of a text in bytes.
    Length,
    /// Number of entries that are NaN.
    Missing,
    /// One entry, counted from 0.
    Entry(usize),
    /// The last entry.
    Last,
    /// The last entry, of vectors with at least this length.
    LastOf(usize),
    /// The entry this many places before the last.
    FromEnd(usize),
    /// Position of the first entry that is not NaN.
    FirstPresent,
    /// Number of entries that are 0.
    Zeros,
    /// Sum of the entries.
    Sum,
    /// Largest entry.
    Max,
    /// Smallest entry.
    Min,
    /// Position of the largest entry.
    ArgMax,
    /// Sum of the absolute values.
    NormL1,
    /// Euclidean norm.
    NormL2,
    /// Entry `i + 1` minus entry `i`.
    Difference(usize),
    /// Largest absolute difference of neighboring entries.
    LargestStep,
    /// Length of the longest run of equal entries.
    LongestRun,
    /// Number of entries that equal the one before.
    Repeats,
    /// Remainder of a number after division, from 0 to below the divisor.
    Remainder {
        /// The number: not a remainder itself.
        of: Box<Self>,
        divisor: f64,
    },
    /// A weighted sum of clipped entries, for many weak signals: Σ w_i clamp((x_i − c_i)/s_i, ±1).
    Linear(Linear),
    /// A weighted sum of several statistics of a vector.
    Weighted(Vec<Term>),
    /// A sum of decision trees over several statistics of a vector.
    Trees(Box<Trees>),
    /// Number of keys of a set or map.
    Keys,
    /// The number under this key.
    Key(String),
    /// Number of keys that are not among these, ascending.
    NewKeys(Vec<String>),
    /// A weighted sum over keys, ascending by key.
    KeyTerms(Vec<KeyTerm>),
    /// 1 if a set or map has this key, or this value under it, else 0.
    Present(Facet),
    /// Position of the smallest entry.
    ArgMin,
    /// Position of the second largest entry.
    ArgSecond,
    /// Largest minus smallest entry.
    Range,
    /// The entry in the middle of the sorted ones; the upper of two.
    Median,
    /// Number of different entries.
    Distinct,
    /// Number of entries that are larger than the one before.
    Rises,
    /// Number of entries with another sign than the one before; 0 is positive.
    SignChanges,
    /// A statistic of the entries from `from` to below `below`.
    Within {
        #[serde(with = "number::one")]
        from: f64,
        #[serde(with = "number::one")]
        below: f64,
        read: Within,
    },
    /// A statistic of another list.
    Made(Box<Made>),
    /// A number made of two.
    Two { by: Pairing, of: Box<[Self; 2]> },
}

/// Coefficients of [`Statistic::Linear`], for vectors of exactly this length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// `true` to weight differences of neighboring entries, and the first entry as it is.
    pub differences: bool,
    /// w_i.
    #[serde(with = "number::list")]
    pub weights: Vec<f64>,
    /// c_i.
    #[serde(with = "number::list")]
    pub centers: Vec<f64>,
    /// s_i > 0.
    #[serde(with = "number::list")]
    pub scales: Vec<f64>,
}

/// A term of [`Statistic::Weighted`]: weight × clamp((x − center)/scale, ±1), or its square; 0
/// where the outcome does not have such a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The number x; not a weighted sum itself.
    pub of: Statistic,
    #[serde(with = "number::one")]
    pub weight: f64,
    /// Subtrahend.
    #[serde(with = "number::one")]
    pub center: f64,
    /// Divisor, above 0.
    #[serde(with = "number::one")]
    pub scale: f64,
    /// `true` if the term is squared.
    #[serde(default)]
    pub squared: bool,
}

/// A sum of trees: each adds the value of a vector's leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trees {
    pub features: Vec<Statistic>,
    /// Nodes, from the root at 0. The children of a node follow it, and each node has one parent.
    pub trees: Vec<Vec<Node>>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node {
    Leaf(#[serde(with = "number::one")] f64),
    Split {
        /// Index of the statistic among the features.
        feature: usize,
        #[serde(with = "number::one")]
        threshold: f64,
        /// The node where the statistic is below the threshold.
        below: usize,
        /// The node where it is not below.
        above: usize,
        /// The node where the outcome does not have such a number.
        missing: usize,
    },
}

/// A weighted sum over the present keys, for many weak signals: Σ (p_k + w_k clamp((x_k − c_k)/s_k,
/// ±1)), the second term where k has a number x_k.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTerm {
    /// k.
    pub key: String,
    /// p_k, for being present.
    #[serde(with = "number::one")]
    pub present: f64,
    /// w_k, for the number.
    #[serde(with = "number::one")]
    pub weight: f64,
    /// c_k.
    #[serde(with = "number::one")]
    pub center: f64,
    /// s_k > 0.
    #[serde(with = "number::one")]
    pub scale: f64,
}

impl Linear {
    /// The i-th number that it weighs.
    pub(crate) fn term(&self, vector: &[f64], i: usize) -> f64 {
        if self.differences && i > 0 { vector[i] - vector[i - 1] } else { vector[i] }
    }

    /// The i-th number without its weight.
    pub(crate) fn unweighted(&self, vector: &[f64], i: usize) -> f64 {
        ((self.term(vector, i) - self.centers[i]) / self.scales[i]).clamp(-1.0, 1.0)
    }

    fn read(&self, vector: &[f64]) -> Option<f64> {
        if vector.len() != self.weights.len() {
            return None;
        }
        let mut sum = 0.0;
        for (i, &weight) in self.weights.iter().enumerate() {
            if weight != 0.0 {
                sum += weight * self.unweighted(vector, i);
            }
        }
        Some(sum)
    }
}

impl Statistic {
    /// The number, if the outcome has it and it is not NaN.
    #[inline]
    pub fn read(&self, outcome: OutcomeRef<'_>) -> Option<f64> {
        let number = match (self, outcome) {
            (Self::Value, OutcomeRef::Number(x)) => Some(x),
            (Self::Value, OutcomeRef::Integer(i)) => Some(i as f64),
            (Self::Value, _) => None,
            (Self::Length, OutcomeRef::Text(text)) => Some(text.len() as f64),
            (Self::Remainder { of, divisor }, outcome) => {
                of.read(outcome).map(|x| remainder(x, *divisor))
            }
            (Self::Made(made), outcome) => made.read(&outcome),
            (Self::Two { by, of }, outcome) => {
                of[0].read(outcome.clone()).zip(of[1].read(outcome)).map(|(a, b)| by.of(a, b))
            }
            (_, OutcomeRef::Vector(vector)) => self.read_vector(vector),
            (_, OutcomeRef::Keyed(keyed)) => self.read_keyed(keyed),
            _ => None,
        };
        number.filter(|x| !x.is_nan())
    }

    /// `true` if it is a remainder that numbers rounded to this grid still show.
    pub(crate) fn is_coarser_than(&self, grid: f64) -> bool {
        matches!(self, Self::Remainder { divisor, .. } if *divisor >= 16.0 * grid)
    }

    /// The statistic for vectors that all have this length: entries are counted from the front.
    #[must_use]
    pub(crate) fn of_length(self, length: usize) -> Self {
        match self {
            Self::FromEnd(i) if i < length => Self::Entry(length - 1 - i),
            Self::Weighted(terms) => {
                let term = |term: Term| Term { of: term.of.of_length(length), ..term };
                Self::Weighted(terms.into_iter().map(term).collect())
            }
            Self::Trees(trees) => {
                let Trees { features, trees } = *trees;
                let features = features.into_iter().map(|of| of.of_length(length)).collect();
                Self::Trees(Box::new(Trees { features, trees }))
            }
            other => other,
        }
    }

    /// `true` if it is a number of the outcome, or its length.
    pub(crate) fn stands_for_itself(&self) -> bool {
        matches!(
            self,
            Self::Value | Self::Length | Self::Entry(_) | Self::Last | Self::Keys | Self::Key(_)
        )
    }

    /// Number of operators that it is composed of, beyond the statistic of the outcome.
    pub(crate) fn operators(&self) -> usize {
        match self {
            Self::Made(made) => made.by.len() + made.read.operators(),
            Self::Two { of, .. } => 1 + of[0].operators() + of[1].operators(),
            Self::Remainder { of, .. } => 1 + of.operators(),
            _ => 0,
        }
    }

    /// `true` if it is not made of other statistics.
    pub(crate) fn is_simple(&self) -> bool {
        !matches!(
            self,
            Self::Linear(_)
                | Self::Weighted(_)
                | Self::Trees(_)
                | Self::Remainder { .. }
                | Self::Made(_)
                | Self::Two { .. }
        )
    }

    /// The number of a vector.
    pub fn read_vector(&self, vector: &[f64]) -> Option<f64> {
        let present = || vector.iter().copied().filter(|x| !x.is_nan());
        let steps = || vector.windows(2).map(|pair| pair[1] - pair[0]);
        match self {
            Self::Value => None,
            Self::Remainder { of, divisor } => {
                of.read_vector(vector).map(|x| remainder(x, *divisor))
            }
            Self::Length => Some(vector.len() as f64),
            Self::Missing => Some(vector.iter().filter(|x| x.is_nan()).count() as f64),
            Self::Entry(i) => vector.get(*i).copied(),
            Self::Last => vector.last().copied(),
            Self::LastOf(least) if vector.len() < *least => None,
            Self::LastOf(_) => vector.last().copied(),
            Self::FromEnd(i) => vector.iter().rev().nth(*i).copied(),
            Self::FirstPresent => vector.iter().position(|x| !x.is_nan()).map(|i| i as f64),
            Self::Zeros => Some(vector.iter().filter(|x| **x == 0.0).count() as f64),
            Self::Sum => Some(present().sum()),
            Self::Max => present().reduce(f64::max),
            Self::Min => present().reduce(f64::min),
            Self::ArgMax => {
                let largest = present().reduce(f64::max)?;
                vector.iter().position(|x| *x == largest).map(|i| i as f64)
            }
            Self::NormL1 => Some(present().map(f64::abs).sum()),
            Self::NormL2 => Some(present().map(|x| x * x).sum::<f64>().sqrt()),
            Self::Difference(i) => Some(vector.get(i.checked_add(1)?)? - vector.get(*i)?),
            Self::LargestStep => steps().filter(|x| !x.is_nan()).map(f64::abs).reduce(f64::max),
            Self::LongestRun => {
                let (mut longest, mut run) = (usize::from(!vector.is_empty()), 1);
                for pair in vector.windows(2) {
                    run = if pair[0] == pair[1] { run + 1 } else { 1 };
                    longest = longest.max(run);
                }
                Some(longest as f64)
            }
            Self::Repeats => Some(steps().filter(|step| *step == 0.0).count() as f64),
            Self::Linear(linear) => linear.read(vector),
            Self::Weighted(terms) => Some(Term::sum(terms, vector)),
            Self::Trees(trees) => Some(trees.of_vector(vector)),
            Self::Keys | Self::Key(_) | Self::NewKeys(_) | Self::KeyTerms(_) | Self::Present(_) => {
                None
            }
            Self::ArgMin => {
                let least = present().reduce(f64::min)?;
                vector.iter().position(|x| *x == least).map(|i| i as f64)
            }
            Self::ArgSecond => {
                // The largest and the second largest so far, the first of equal ones.
                let (mut first, mut second) = (None::<(usize, f64)>, None::<(usize, f64)>);
                for (at, &x) in vector.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                    if first.is_none_or(|(_, most)| x > most) {
                        second = first.replace((at, x));
                    } else if second.is_none_or(|(_, most)| x > most) {
                        second = Some((at, x));
                    }
                }
                second.map(|(at, _)| at as f64)
            }
            Self::Range => Some(present().reduce(f64::max)? - present().reduce(f64::min)?),
            Self::Median => read_sorted(vector, |sorted| sorted.get(sorted.len() / 2).copied()),
            Self::Distinct => {
                read_sorted(vector, |sorted| Some(sorted.chunk_by(|a, b| a == b).count() as f64))
            }
            Self::Rises => Some(vector.windows(2).filter(|pair| pair[1] > pair[0]).count() as f64),
            Self::SignChanges => {
                let changes = vector.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0));
                Some(changes.count() as f64)
            }
            Self::Within { from, below, read } => read.read(vector, *from, *below),
            Self::Made(made) => made.read(&OutcomeRef::Vector(vector)),
            Self::Two { by, of } => {
                let [a, b] = [&of[0], &of[1]].map(|of| of.read_vector(vector));
                a.zip(b).map(|(a, b)| by.of(a, b))
            }
        }
    }

    /// The statistic in words, as the subject of "< 3".
    pub fn words(&self) -> String {
        match self {
            Self::Value => "output".into(),
            Self::Length => "length of the output".into(),
            Self::Missing => "number of missing entries".into(),
            Self::Entry(i) => format!("entry {i}"),
            Self::Last => "last entry".into(),
            Self::LastOf(least) => format!("last entry of at least {least}"),
            Self::FromEnd(i) => format!("entry {i} before the last"),
            Self::FirstPresent => "index of the first entry present".into(),
            Self::Zeros => "number of entries that are 0".into(),
            Self::Sum => "sum of the entries".into(),
            Self::Max => "largest entry".into(),
            Self::Min => "smallest entry".into(),
            Self::ArgMax => "index of the first largest entry".into(),
            Self::NormL1 => "sum of the absolute entries".into(),
            Self::NormL2 => "Euclidean norm of the output".into(),
            Self::Difference(i) => format!("entry {} minus entry {i}", i.saturating_add(1)),
            Self::LargestStep => "largest step between neighboring entries".into(),
            Self::LongestRun => "longest run of equal entries".into(),
            Self::Repeats => "number of entries equal to the one before".into(),
            Self::Remainder { of, divisor } => {
                format!("remainder of {} divided by {}", of.words(), number::words(*divisor))
            }
            Self::Linear(linear) => linear.words(),
            Self::Weighted(terms) => Term::sum_words(terms),
            Self::Trees(trees) => trees.words(),
            Self::Keys => "number of keys".into(),
            Self::Key(key) => format!("value under key {}", quoted(key)),
            Self::NewKeys(known) => format!("number of keys beyond {} known ones", known.len()),
            Self::KeyTerms(terms) => KeyTerm::sum_words(terms),
            Self::Present(facet) => format!("presence of {}", facet.words()),
            Self::ArgMin => "index of the first smallest entry".into(),
            Self::ArgSecond => "index of the second largest entry".into(),
            Self::Range => "largest minus smallest entry".into(),
            Self::Median => "median of the entries".into(),
            Self::Distinct => "number of different entries".into(),
            Self::Rises => "number of entries larger than the one before".into(),
            Self::SignChanges => "number of entries with another sign than the one before".into(),
            Self::Within { from, below, read } => read.words(*from, *below),
            Self::Made(made) => made.words(),
            Self::Two { by, of } => by.words(&of[0].words(), &of[1].words()),
        }
    }
}

/// Most operators between the source of a list and its statistic. Limits a certificate's cost.
const MOST_OPERATORS: usize = 4;

/// A statistic of a list that is made from the outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    pub source: Source,
    /// Applied in order.
    pub by: Vec<Operator>,
    pub read: Statistic,
}

thread_local! {
    /// Buffers for lists, so that nothing is allocated for an outcome.
    static SCRATCH: RefCell<[Vec<f64>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

impl Made {
    pub fn read(&self, outcome: &OutcomeRef<'_>) -> Option<f64> {
        if let (Source::Entries, OutcomeRef::Vector(vector), []) =
            (&self.source, outcome, &self.by[..])
        {
            return self.read.read_vector(vector);
        }
        SCRATCH.with_borrow_mut(|[list, spare]| {
            self.source.list(outcome, list)?;
            self.by.iter().for_each(|operator| operator.apply(list, spare));
            self.read.read_vector(list)
        })
    }

    /// `true` if explore could have made it: the statistic of a list reads that list alone.
    pub(crate) fn is_sound(&self) -> bool {
        self.by.len() <= MOST_OPERATORS
            && (self.read.is_simple() || matches!(self.read, Statistic::Linear(_)))
    }

    pub fn words(&self) -> String {
        let list = Operator::list_words(&self.by, self.source.words());
        let read = self.read.words();
        if (&self.source, &self.by[..]) == (&Source::Entries, &[]) {
            return read;
        }
        // Many statistics name the list that they read.
        let named = ["of the entries", "of the output"].into_iter().find(|of| read.ends_with(of));
        let start = named.map_or(read.as_str(), |of| read[..read.len() - of.len()].trim_end());
        format!("{start} of the {list}")
    }
}

thread_local! {
    /// A buffer for sorting, so that nothing is allocated for an outcome.
    static SORTED: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// Reads the sorted entries that are not NaN.
fn read_sorted(vector: &[f64], read: impl Fn(&[f64]) -> Option<f64>) -> Option<f64> {
    SORTED.with_borrow_mut(|sorted| {
        sorted.clear();
        sorted.extend(vector.iter().filter(|x| !x.is_nan()));
        sorted.sort_unstable_by(f64::total_cmp);
        read(sorted)
    })
}

/// The remainder from 0, never −0, to below the divisor.
fn remainder(x: f64, divisor: f64) -> f64 {
    let left = x.rem_euclid(divisor) + 0.0;
    // The remainder of a number just below 0 is rounded up.
    if left == divisor { 0.0 } else { left }
}

//! Scorers: from an outcome to a bin.

use crate::mechanism::{Keyed, OutcomeRef, View, order, rounded};
use crate::witness::coordinate::coarse::Coarse;
use crate::witness::coordinate::keys::KeyBins;
use crate::witness::coordinate::shape::{Shape, find_shape};
use crate::witness::coordinate::statistic::{Statistic, Term};
use crate::witness::count::dyadic_grid::interval;
use crate::witness::lattice::Lattice;
use crate::witness::partition::Partition;
use plaudit_accountant::number;
use serde::{Deserialize, Serialize};

/// Puts every outcome into one of finitely many bins. Frozen before the counting starts; the last
/// bin takes the remaining outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Scorer {
    /// One bin for each shape listed, and one for all others.
    Shape { shapes: Vec<Shape> },
    /// One bin for each exact outcome listed, and one for all others.
    Atoms { atoms: Vec<Atom> },
    /// Intervals of one number of the outcome: below the first edge, from edge to edge, from the
    /// last edge up. Then one bin for each shape listed, for outcomes without that number; then
    /// one for all others. A single value is the interval from it to the next double.
    Thresholds {
        statistic: Statistic,
        /// Ascending, not NaN.
        #[serde(with = "number::list")]
        edges: Vec<f64>,
        shapes: Vec<Shape>,
    },
    /// Lists by their recurring entries.
    Coarse(Coarse),
    /// Bins by the keys of a set or map.
    Keys(KeyBins),
    /// Sizes of one number by its lowest set bit; then one bin for 0 and one for all others.
    Lattice(Lattice),
    /// Boxes of several numbers.
    Partition(Partition),
    /// Intervals of the running time.
    Clock(Clock),
    /// The bins of another scorer, on unfolded lists, maps, and texts with numbers.
    Unfolded {
        /// Neither a clock nor a view.
        of: Box<Scorer>,
    },
    /// The bins of another scorer, on the characters of a text and the bits of a whole number.
    Spelled {
        /// Neither a clock nor a view.
        of: Box<Scorer>,
    },
    /// The bins of another scorer, on rounded numbers: their values, without the bits below.
    Rounded {
        /// Step of the rounding.
        #[serde(with = "number::one")]
        grid: f64,
        /// Neither a clock, a view nor another rounding.
        of: Box<Scorer>,
    },
}

/// Intervals of the running time: of all runs, or of those in each bin of another scorer. Below the
/// first edge, from edge to edge, from the last edge up; then one bin for runs of unknown time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Scorer of the outcome; `None` for the time alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<Box<Scorer>>,
    /// Edges in nanoseconds, ascending: one list for each bin of `of`, or a single one.
    pub edges: Vec<Vec<u64>>,
}

pub(super) enum Weighs {
    /// All alike.
    Alike,
    /// By weights that were fitted.
    Fitted,
}

/// An exact outcome, matched bit by bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Atom {
    Number(#[serde(with = "number::one")] f64),
    Integer(i64),
    Text(String),
    Vector(#[serde(with = "number::list")] Vec<f64>),
    /// A set or map.
    Keyed(Keyed),
    /// Anything else, as canonical JSON.
    Structure(String),
    Failure(String),
}

impl Atom {
    /// The atom of an outcome.
    pub fn of(outcome: &OutcomeRef<'_>) -> Self {
        match *outcome {
            OutcomeRef::Number(x) => Self::Number(x),
            OutcomeRef::Integer(i) => Self::Integer(i),
            OutcomeRef::Text(s) => Self::Text(s.to_owned()),
            OutcomeRef::Vector(v) => Self::Vector(v.to_vec()),
            OutcomeRef::Keyed(k) => Self::Keyed(k.clone()),
            OutcomeRef::Structure(s) => Self::Structure(s.to_owned()),
            OutcomeRef::Failure(m) => Self::Failure(m.to_owned()),
        }
    }

    fn as_outcome(&self) -> OutcomeRef<'_> {
        match self {
            Self::Number(x) => OutcomeRef::Number(*x),
            Self::Integer(i) => OutcomeRef::Integer(*i),
            Self::Text(s) => OutcomeRef::Text(s),
            Self::Vector(v) => OutcomeRef::Vector(v),
            Self::Keyed(k) => OutcomeRef::Keyed(k),
            Self::Structure(s) => OutcomeRef::Structure(s),
            Self::Failure(m) => OutcomeRef::Failure(m),
        }
    }

    /// The atom in words.
    pub fn words(&self) -> String {
        match self {
            Self::Number(x) => number::released(*x).into_owned(),
            Self::Integer(i) => i.to_string(),
            Self::Text(s) => format!("{s:?}"),
            Self::Failure(m) => format!("failure ({m})"),
            Self::Keyed(k) => k.words(),
            Self::Structure(s) => s.clone(),
            Self::Vector(v) => {
                let entries: Vec<_> = v.iter().map(|x| number::released(*x)).collect();
                format!("[{}]", entries.join(", "))
            }
        }
    }
}

impl Scorer {
    /// Number of bins, at least 1.
    pub fn bins(&self) -> usize {
        match self {
            Self::Shape { shapes } => shapes.len() + 1,
            Self::Atoms { atoms } => atoms.len() + 1,
            Self::Thresholds { edges, shapes, .. } => edges.len() + 1 + shapes.len() + 1,
            Self::Coarse(coarse) => coarse.bins(),
            Self::Keys(keys) => keys.bins(),
            Self::Lattice(lattice) => lattice.bins(),
            Self::Partition(partition) => partition.bins(),
            Self::Clock(clock) => clock.bins(),
            Self::Unfolded { of } | Self::Spelled { of } | Self::Rounded { of, .. } => of.bins(),
        }
    }

    /// The view that it uses, and the scorer of the view.
    pub(super) fn through(&self) -> Option<(View, &Self)> {
        match self {
            Self::Unfolded { of } => Some((View::Apart, of)),
            Self::Spelled { of } => Some((View::Spelled, of)),
            _ => None,
        }
    }

    /// The scorer with a view.
    pub(super) fn seen_through(self, view: View) -> Self {
        let of = Box::new(self);
        match view {
            View::Apart => Self::Unfolded { of },
            View::Spelled => Self::Spelled { of },
        }
    }

    /// The scorer on rounded numbers. Running times, letters and bits of whole numbers have none.
    pub(super) fn rounded(self, grid: f64) -> Self {
        match self {
            Self::Clock(Clock { of, edges }) => {
                Self::Clock(Clock { of: of.map(|of| Box::new(of.rounded(grid))), edges })
            }
            Self::Unfolded { of } => Self::Unfolded { of: Box::new(of.rounded(grid)) },
            Self::Spelled { .. } => self,
            of => Self::Rounded { grid, of: Box::new(of) },
        }
    }

    /// The grid for rounding numbers before it sees them, if any.
    pub fn grid(&self) -> Option<f64> {
        match self {
            Self::Rounded { grid, .. } => Some(*grid),
            Self::Unfolded { of } | Self::Spelled { of } => of.grid(),
            Self::Clock(clock) => clock.of.as_ref().and_then(|of| of.grid()),
            _ => None,
        }
    }

    /// `true` if all numbers that it sees are rounded to this grid.
    pub(crate) fn is_rounded_to(&self, grid: f64) -> bool {
        match self {
            Self::Rounded { grid: own, .. } => *own == grid,
            Self::Unfolded { of } => of.is_rounded_to(grid),
            Self::Spelled { .. } => true,
            _ => false,
        }
    }

    /// `true` if it uses the lowest bits of unrounded numbers.
    pub fn sees_bits(&self) -> bool {
        matches!(self.looking(), Self::Lattice(_)) && self.grid().is_none()
    }

    /// `true` if it uses the position of unrounded numbers between marks of a dyadic grid.
    pub(crate) fn sees_fine_structure(&self) -> bool {
        let of_remainder = |scorer: &Self| {
            matches!(scorer, Self::Thresholds { statistic: Statistic::Remainder { .. }, .. })
        };
        self.sees_bits() || of_remainder(self.looking()) && self.grid().is_none()
    }

    /// The innermost scorer: behind the view, and the rounding.
    pub(crate) fn looking(&self) -> &Self {
        match self {
            Self::Unfolded { of } | Self::Spelled { of } | Self::Rounded { of, .. } => of.looking(),
            _ => self,
        }
    }

    /// The bin of an outcome of unknown running time, below [`Scorer::bins`].
    pub fn bin(&self, outcome: OutcomeRef<'_>) -> usize {
        match self {
            Self::Shape { shapes } => find_shape(shapes, &outcome),
            Self::Atoms { atoms } => atoms
                .binary_search_by(|atom| order(&atom.as_outcome(), &outcome))
                .unwrap_or(atoms.len()),
            Self::Thresholds { statistic, edges, shapes } => {
                match statistic.read(outcome.clone()) {
                    Some(x) => interval(edges, x),
                    None => edges.len() + 1 + find_shape(shapes, &outcome),
                }
            }
            Self::Coarse(coarse) => match outcome {
                OutcomeRef::Vector(vector) => coarse.bin(vector),
                _ => coarse.bins() - 1,
            },
            Self::Keys(keys) => keys.bin(&outcome),
            Self::Lattice(lattice) => lattice.bin(outcome),
            Self::Partition(partition) => partition.bin(&outcome),
            Self::Clock(clock) => clock.bins() - 1,
            Self::Unfolded { .. } | Self::Spelled { .. } => {
                let (view, of) = self.through().expect("it looks through a view");
                match view.of(&outcome) {
                    Some(seen) => of.bin(seen.as_ref()),
                    None => of.bin(outcome),
                }
            }
            Self::Rounded { grid, of } => match rounded(&outcome, *grid) {
                Some(rounded) => of.bin(rounded.as_ref()),
                None => of.bin(outcome),
            },
        }
    }

    /// Kind of its weights, if it is a weighted sum.
    pub(super) fn weighs(&self) -> Option<Weighs> {
        let Self::Thresholds { statistic, .. } = self.looking() else { return None };
        match statistic {
            Statistic::Linear(linear) if linear.weights.iter().all(|w| *w == 1.0) => {
                Some(Weighs::Alike)
            }
            Statistic::Linear(_) | Statistic::Weighted(_) | Statistic::Trees(_) => {
                Some(Weighs::Fitted)
            }
            _ => None,
        }
    }

    /// `true` if a bin is one of failures.
    pub(crate) fn is_failure(&self, bin: usize) -> bool {
        let shape = |shapes: &[Shape], at: usize| matches!(shapes.get(at), Some(Shape::Failure(_)));
        match self.looking() {
            Self::Shape { shapes } => shape(shapes, bin),
            Self::Atoms { atoms } => matches!(atoms.get(bin), Some(Atom::Failure(_))),
            Self::Thresholds { edges, shapes, .. } => {
                bin.checked_sub(edges.len() + 1).is_some_and(|at| shape(shapes, at))
            }
            Self::Keys(keys) => {
                let facets = keys.facets.len() + 1;
                bin.checked_sub(facets).is_some_and(|at| shape(&keys.shapes, at))
            }
            _ => false,
        }
    }

    /// `true` if its bins, or some of them, are intervals.
    pub(crate) fn has_edges(&self) -> bool {
        self.grows() || !self.lines().is_empty()
    }

    /// `true` if it is the finer the more outcomes it is made from.
    pub(crate) fn grows(&self) -> bool {
        matches!(self.looking(), Self::Partition(_))
    }

    /// The word for its kind in reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Shape { .. } => "shape",
            Self::Atoms { .. } => "atoms",
            Self::Thresholds { .. } => "thresholds",
            Self::Coarse(_) => "coarse atoms",
            Self::Keys(_) => "keys",
            Self::Lattice(_) => "lattice",
            Self::Partition(_) => "partition",
            Self::Clock(_) => "clock",
            Self::Unfolded { of } | Self::Spelled { of } | Self::Rounded { of, .. } => of.kind(),
        }
    }

    /// The first and last bins of each run of intervals of one number, lowest first.
    pub(super) fn lines(&self) -> Vec<std::ops::Range<usize>> {
        match self {
            Self::Shape { .. }
            | Self::Atoms { .. }
            | Self::Coarse(_)
            | Self::Keys(_)
            | Self::Partition(_)
            | Self::Lattice(_) => vec![],
            Self::Thresholds { edges, .. } => std::iter::once(0..edges.len() + 1).collect(),
            Self::Clock(clock) => clock.lines(),
            Self::Unfolded { of } | Self::Spelled { of } | Self::Rounded { of, .. } => of.lines(),
        }
    }

    /// The runs of bins that have an order: lines, and atoms that are integers.
    pub(super) fn ordered(&self) -> Vec<std::ops::Range<usize>> {
        match self.looking() {
            Self::Atoms { atoms } if atoms.iter().all(|a| matches!(a, Atom::Integer(_))) => {
                std::iter::once(0..atoms.len()).collect()
            }
            _ => self.lines(),
        }
    }

    /// The bins of lowest set bits, lowest first, where a lattice does not distinguish sizes.
    pub(super) fn bits(&self) -> Option<std::ops::Range<usize>> {
        match self.looking() {
            Self::Lattice(lattice) => match &lattice.rows[..] {
                [row] => Some(0..row.edges.len() + 1),
                _ => None,
            },
            _ => None,
        }
    }

    /// A typical value of each interval of a line: the middle, or beyond the last edge by the width
    /// of the interval before it.
    pub(super) fn places(&self, line: &std::ops::Range<usize>) -> Vec<f64> {
        let edges = match self {
            Self::Shape { .. }
            | Self::Coarse(_)
            | Self::Keys(_)
            | Self::Partition(_)
            | Self::Lattice(_) => {
                return vec![];
            }
            Self::Atoms { atoms } => {
                let place = |atom: &Atom| match atom {
                    Atom::Integer(i) => *i as f64,
                    _ => f64::NAN,
                };
                return atoms.iter().map(place).collect();
            }
            Self::Clock(clock) => return clock.places(line),
            Self::Unfolded { of } | Self::Spelled { of } | Self::Rounded { of, .. } => {
                return of.places(line);
            }
            Self::Thresholds { edges, .. } => edges,
        };
        let finite: Vec<f64> = edges.iter().copied().filter(|edge| edge.is_finite()).collect();
        let width = |a: Option<&f64>, b: Option<&f64>| match (a, b) {
            (Some(a), Some(b)) => (b - a).abs(),
            _ => 1.0,
        };
        let first = finite.first().map(|edge| edge - width(Some(edge), finite.get(1)));
        let before_last = finite.len().checked_sub(2).map(|at| &finite[at]);
        let last = finite.last().map(|edge| edge + width(Some(edge), before_last));
        (0..=edges.len())
            .map(|bin| {
                let from = bin.checked_sub(1).map(|at| edges[at]).or(first);
                let to = edges.get(bin).copied().or(last);
                match (from, to) {
                    (Some(from), Some(to)) => 0.5 * from + 0.5 * to,
                    _ => f64::NAN,
                }
            })
            .collect()
    }

    /// `true` if explore could have made a certificate's scorer: sorted, without NaN.
    pub(crate) fn is_sound(&self) -> bool {
        let rising = |edges: &[f64]| edges.windows(2).all(|w| w[0] < w[1]) && !has_nan(edges);
        match self {
            Self::Shape { shapes } => shapes.is_sorted(),
            Self::Atoms { atoms } => {
                let keyed = |atom: &Atom| !matches!(atom, Atom::Keyed(k) if !k.is_sound());
                atoms.iter().all(keyed)
                    && atoms.is_sorted_by(|a, b| order(&a.as_outcome(), &b.as_outcome()).is_lt())
            }
            Self::Thresholds { edges, shapes, statistic } => {
                rising(edges) && shapes.is_sorted() && statistic_is_sound(statistic)
            }
            Self::Coarse(coarse) => coarse.is_sound(),
            Self::Keys(keys) => keys.is_sound(),
            Self::Lattice(lattice) => statistic_is_sound(&lattice.statistic) && lattice.is_sound(),
            Self::Partition(partition) => {
                partition.is_sound() && partition.coordinates.iter().all(statistic_is_sound)
            }
            Self::Clock(clock) => clock.is_sound(),
            Self::Unfolded { of } | Self::Spelled { of } => {
                of.through().is_none() && !matches!(**of, Self::Clock(_)) && of.is_sound()
            }
            Self::Rounded { grid, of } => {
                let inmost = !matches!(**of, Self::Clock(_) | Self::Rounded { .. });
                let possible = grid.is_finite() && *grid > 0.0;
                possible && inmost && of.through().is_none() && of.is_sound()
            }
        }
    }
}

fn statistic_is_sound(statistic: &Statistic) -> bool {
    match statistic {
        Statistic::Linear(l) => {
            l.weights.len() == l.centers.len() && l.weights.len() == l.scales.len()
        }
        Statistic::Weighted(terms) => terms.iter().all(Term::is_sound),
        Statistic::Trees(trees) => trees.is_sound(),
        Statistic::Remainder { of, divisor } => {
            let is_simple = of.is_simple() || matches!(**of, Statistic::Made(_));
            is_simple && statistic_is_sound(of) && divisor.is_finite() && *divisor > 0.0
        }
        Statistic::Within { from, below, .. } => from < below,
        Statistic::Made(made) => made.is_sound() && statistic_is_sound(&made.read),
        Statistic::Two { of, .. } => {
            of.iter().all(|of| !matches!(of, Statistic::Two { .. }) && statistic_is_sound(of))
        }
        Statistic::NewKeys(known) => known.is_sorted_by(|a, b| a < b),
        Statistic::KeyTerms(terms) => terms.is_sorted_by(|a, b| a.key < b.key),
        _ => true,
    }
}

fn has_nan(values: &[f64]) -> bool {
    values.iter().any(|x| x.is_nan())
}

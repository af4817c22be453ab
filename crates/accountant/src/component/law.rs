//! Laws of a use: pairs of laws, each in the sample through which it is seen, and one of them drawn in public.

use super::pair::{LawPair, LawPart};
use super::view::UseView;

/// How a pair is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Seen {
    /// As it is; it is its own reverse.
    Whole,
    /// As it is in one direction, and reversed in the other.
    Directed,
    /// In a Poisson sample of this rate.
    Poisson(f64),
    /// In a sample of this rate in which a row is substituted.
    Substituted(f64),
}

/// A pair, and with which probability it is the one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub weight: f64,
    pub pair: LawPair,
    pub seen: Seen,
}

impl Choice {
    /// Its view in one direction of the neighboring relation, or in the other.
    pub fn view(&self, absent: bool) -> UseView {
        match (self.seen, absent) {
            (Seen::Directed, true) => UseView::Exchanged,
            (Seen::Whole | Seen::Directed, _) => UseView::Whole,
            (Seen::Poisson(rate), false) => UseView::Present(rate),
            (Seen::Poisson(rate), true) => UseView::Absent(rate),
            (Seen::Substituted(rate), _) => UseView::Substituted(rate),
        }
    }
}

/// Pairs of which one is drawn, and known: their profiles are added up with their weights. Each mixture of pairs that
/// hides which one it is has a smaller profile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Law(pub Vec<Choice>);

impl Law {
    pub fn seen(pair: LawPair, seen: Seen) -> Self {
        Self(vec![Choice { weight: 1.0, pair, seen }])
    }

    /// The pair, if it is one alone, and how it is seen.
    pub fn alone(&self) -> Option<(&LawPair, Seen)> {
        match self.0.as_slice() {
            [Choice { pair, seen, .. }] => Some((pair, *seen)),
            _ => None,
        }
    }

    pub fn is_atoms(&self) -> bool {
        self.0.iter().all(|choice| matches!(choice.pair, LawPair::Atoms { .. }))
    }

    /// `true` if the directions of the neighboring relation differ.
    pub fn is_two_sided(&self) -> bool {
        self.0.iter().any(|choice| matches!(choice.seen, Seen::Directed | Seen::Poisson(_)))
    }

    /// `true` if neither direction is known to be the worse one.
    pub fn is_directed(&self) -> bool {
        self.0.iter().any(|choice| choice.seen == Seen::Directed)
    }

    /// `true` if an infinite loss, or arbitrarily large ones, have a probability.
    pub fn is_unbounded(&self) -> bool {
        self.0.iter().any(|choice| choice.pair.is_unbounded())
    }

    /// `true` if the density falls without an end, and no atoms are in it.
    fn has_tail(&self) -> bool {
        let has = |choice: &Choice| {
            choice.pair.support().1 == f64::INFINITY && choice.pair.atoms().is_empty()
        };
        self.0.iter().any(has)
    }

    /// The distance of which all atoms, or both ends, are multiples, counted from loss 0.
    pub fn spacing(&self) -> Option<f64> {
        self.alone().and_then(|(pair, _)| pair.spacing())
    }

    /// `true` if all atoms are multiples of the spacing, counted from one of them; under a sample,
    /// only two can be.
    pub fn fits_its_spacing(&self) -> bool {
        let finite = |parts: &[LawPart]| parts.iter().filter(|part| part.loss.is_finite()).count();
        match self.alone() {
            Some((LawPair::Atoms { parts, .. }, seen)) => {
                seen == Seen::Whole || (finite(parts) == 2 && parts.len() == 2)
            }
            _ => false,
        }
    }

    /// Least and greatest finite loss in one direction; `None` if it has no end.
    pub fn finite_ends(&self, absent: bool) -> Option<(f64, f64)> {
        let ends: Option<Vec<_>> =
            self.0.iter().map(|choice| choice.view(absent).finite_ends(&choice.pair)).collect();
        ends?.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Upper end of the finite losses in one direction; +∞ if it has no end.
    pub fn greatest(&self, absent: bool) -> f64 {
        let greatest = |choice: &Choice| choice.view(absent).greatest(&choice.pair);
        self.0.iter().map(greatest).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A finite loss that it does reach in one direction, or +∞ if it has no end.
    pub fn reached(&self, absent: bool) -> f64 {
        if self.has_tail() {
            return f64::INFINITY;
        }
        self.finite_ends(absent).map_or(0.0, |(_, end)| end)
    }

    /// The largest loss, ±∞ with the others, in the worse direction.
    pub fn largest(&self) -> f64 {
        let of = |choice: &Choice| {
            let (start, end) = choice.pair.support();
            let of = |absent: bool| {
                let view = choice.view(absent);
                view.loss(if view.is_reversed() { start } else { end })
            };
            of(false).max(of(true))
        };
        self.0.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Bounds on δ(ε) of one use for ε >= 0, in the worse direction.
    pub fn delta(&self, epsilon: f64) -> (f64, f64) {
        let of = |absent: bool| {
            let one = |choice: &Choice| {
                let (lower, upper) = choice.view(absent).delta(&choice.pair, epsilon);
                (choice.weight * lower, choice.weight * upper)
            };
            self.0.iter().map(one).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let one = of(false);
        let other = if self.is_two_sided() { of(true) } else { one };
        // Sums of weights are rounded.
        let room = if self.0.len() > 1 { 1e-14 } else { 0.0 };
        let (lower, upper) = (one.0.max(other.0) * (1.0 - room), one.1.max(other.1) * (1.0 + room));
        // Where the density underflows, there may still be something.
        let least = if self.has_tail() { 1e-300 } else { 0.0 };
        (lower.clamp(0.0, 1.0), upper.clamp(least, 1.0))
    }
}

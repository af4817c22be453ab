//! Privacy-loss distributions composed: the profile as a bracket.

use crate::component::law::Law;
use crate::component::uses::{Use, largest_losses};
use crate::compose::composed::{Composed, Ends};
use crate::method::Bracket;
use std::sync::OnceLock;

/// Brackets of a tight law that are wider than this share of ε are looked at on a lattice for smaller δ, by these
/// factors.
const WIDE: f64 = 0.01;
const FINER: [f64; 2] = [0.1, 0.01];

/// A composed profile. It is composed when it is first asked.
#[derive(Debug)]
pub(crate) struct Pld {
    uses: Vec<Use>,
    /// δ around which the lattice is at its finest.
    delta: f64,
    /// Largest total of finite losses from below and from above, in each direction; +∞ if it does not exist.
    largest: ([f64; 2], [f64; 2]),
    /// At least δ(0), from the closed forms of single uses.
    most: f64,
    /// Profile from above; also from below, unless some pair from below is of another kind.
    above: OnceLock<Composed>,
    below: OnceLock<Composed>,
}

impl Pld {
    /// Composes, with the finest lattice where δ is about `delta`.
    pub fn new(uses: Vec<Use>, delta: f64) -> Self {
        // The distance in total variation of a product is at most 1 − Π(1 − that of a factor).
        let together = |it: &Use| it.count as f64 * (-it.upper.delta(0.0).1).ln_1p();
        let most = -uses.iter().map(together).sum::<f64>().exp_m1() * (1.0 + 1e-12);
        let most = if most.is_nan() { 1.0 } else { most.clamp(0.0, 1.0) };
        let (above, below) = (OnceLock::new(), OnceLock::new());
        Self { largest: largest_losses(&uses), uses, delta, most, above, below }
    }

    /// See [`super::Curve::delta_at`]; ε >= 0.
    pub fn delta_at(&self, epsilon: f64) -> Bracket {
        let lower = || self.seen_below().lower(epsilon);
        let upper = || self.seen_above().upper(epsilon);
        let (lower, upper) = if self.is_apart() {
            rayon::join(lower, upper)
        } else {
            let upper = upper();
            (lower(), upper)
        };
        Bracket { lower, upper: if epsilon >= 0.0 { upper.min(self.most) } else { upper } }
    }

    /// See [`super::Curve::epsilon_at`].
    pub fn epsilon_at(&self, delta: f64) -> Bracket {
        if delta >= self.most {
            return Bracket { lower: 0.0, upper: 0.0 };
        }
        if delta == 0.0 {
            return self.pure();
        }
        let mut bracket = self.composed_epsilon(delta);
        for finer in FINER {
            if self.is_apart() || bracket.upper - bracket.lower <= WIDE * bracket.upper {
                break;
            }
            // Windows of rare but large losses may miss each other: both brackets hold.
            let other = Self::new(self.uses.clone(), finer * self.delta).composed_epsilon(delta);
            bracket.lower = bracket.lower.max(other.lower);
            bracket.upper = bracket.upper.min(other.upper);
        }
        bracket
    }

    fn composed_epsilon(&self, delta: f64) -> Bracket {
        let lower = || self.seen_below().epsilon_below(delta);
        let upper = || self.seen_above().epsilon_above(delta);
        let (lower, upper) = if self.is_apart() {
            rayon::join(lower, upper)
        } else {
            let upper = upper();
            (lower(), upper)
        };
        Bracket { lower, upper }
    }

    fn pure(&self) -> Bracket {
        let end = |unbounded: bool, largest: f64| if unbounded { f64::INFINITY } else { largest };
        let below = |it: &Use| it.lower.as_ref().is_some_and(Law::is_unbounded);
        let (below, above) =
            (self.uses.iter().any(below), self.uses.iter().any(|it| it.upper.is_unbounded()));
        let largest = self.largest.1[0].max(self.largest.1[1]);
        Bracket { lower: end(below, self.largest.0[0]), upper: end(above, largest) }
    }

    /// `true` if the pairs from below are so unlike those from above that their losses are elsewhere.
    fn is_apart(&self) -> bool {
        !self.uses.iter().all(Use::is_tight)
    }

    // In the two that follow: not `get_or_init` alone. While this thread waits for the other half
    // of the work, it may take up work that asks for the same.

    fn seen_above(&self) -> &Composed {
        if let Some(composed) = self.above.get() {
            return composed;
        }
        let ends = if self.is_apart() { Ends::Upper } else { Ends::Both };
        let composed = Composed::new(&self.uses, ends, self.delta, self.largest.1);
        self.above.get_or_init(|| composed)
    }

    fn seen_below(&self) -> &Composed {
        if !self.is_apart() {
            return self.seen_above();
        }
        if let Some(composed) = self.below.get() {
            return composed;
        }
        let uses: Vec<Use> = self.uses.iter().filter_map(Use::seen_from_below).collect();
        let composed = Composed::new(&uses, Ends::Lower, self.delta, self.largest.0);
        self.below.get_or_init(|| composed)
    }
}

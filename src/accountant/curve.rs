//! The privacy profile of a composition.

use super::Bracket;

/// The privacy profile of a composition: δ(ε) and ε(δ), each as a bracket.
#[derive(Clone, Debug)]
pub struct Curve {}

impl Curve {
    pub(super) fn trivial() -> Self {
        Self {}
    }

    /// The smallest δ at which (ε, δ)-DP holds, for finite ε.
    pub fn delta_at(&self, _epsilon: f64) -> Bracket {
        Bracket { lower: 0.0, upper: 1.0 }
    }

    /// The smallest ε >= 0 at which (ε, δ)-DP holds, for δ in [0, 1].
    pub fn epsilon_at(&self, _delta: f64) -> Bracket {
        Bracket { lower: 0.0, upper: f64::INFINITY }
    }
}

//! The cost of the answers, by the accountant.

use super::super::noise::Noise;
use plaudit_accountant::number;
use plaudit_accountant::{AccountantError, Bracket, Composition, Event, EventKind, Method};
use serde::Serialize;

/// The ε of all answers together. Each is counted as about everybody, in the query's subset or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// By basic composition, at δ; of Laplace noise at δ = 0.
    #[serde(with = "number::one")]
    pub basic: f64,
    /// By advanced composition at δ, if δ is not 0. Of Gaussian noise half of δ is shared among the answers first.
    pub advanced: Option<f64>,
    pub pld: Bracket,
}

/// ε of `answers` answers at δ.
pub(super) fn cost(noise: Noise, answers: u64, delta: f64) -> Result<Cost, AccountantError> {
    let once = Event::once(noise.kind(1.0));
    let all = Composition::new(vec![Event { count: answers, ..once.clone() }])?;
    let pld = all.epsilon_at(delta, Method::Pld)?;
    let (stated, at) = match noise {
        Noise::Laplace { .. } => (once, 0.0),
        Noise::Gaussian { .. } => {
            let share = 0.5 * delta / answers as f64;
            let epsilon = Composition::new(vec![once.clone()])?.epsilon_at(share, Method::Pld)?;
            (Event::once(EventKind::EpsilonDelta { epsilon: epsilon.upper, delta: share }), delta)
        }
    };
    let basic = all.epsilon_at(at, Method::Basic)?.upper;
    let advanced = Composition::new(vec![Event { count: answers, ..stated }])
        .and_then(|all| all.epsilon_at(delta, Method::Advanced))
        .ok()
        .map(|bracket| bracket.upper)
        .filter(|epsilon| epsilon.is_finite());
    Ok(Cost { basic, advanced, pld })
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/cost.rs"]
mod tests;

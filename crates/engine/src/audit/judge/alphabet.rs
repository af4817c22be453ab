//! Mechanisms with outcomes known beforehand: their loss is bounded from above.

use crate::mechanism::{Outcome, order};
use crate::witness::{Atom, Scorer};
use plaudit_core::claim::Claim;
use plaudit_core::finding::UpperBounds;
use plaudit_core::inference::AlphabetBounds;
use plaudit_core::tally::Tally;

pub enum Upper {
    /// Every outcome was in the alphabet.
    Bounds { bounds: UpperBounds, meet_the_claim: bool },
    /// Some outcomes, in words, were not: the declaration is wrong, and nothing follows.
    UndeclaredOutcomes(String),
}

/// One bin for each outcome of the alphabet, and the last for all others.
pub fn scorer(alphabet: &[Outcome]) -> Scorer {
    let mut outcomes: Vec<_> = alphabet.iter().map(Outcome::as_ref).collect();
    outcomes.sort_by(order);
    outcomes.dedup_by(|a, b| order(a, b).is_eq());
    Scorer::Atoms { atoms: outcomes.iter().map(Atom::of).collect() }
}

/// Bounds from the counts by outcome, all of them declared.
pub fn bounded(tally: &Tally, claim: &Claim, alpha: f64) -> Upper {
    let known = tally.bins() - 1;
    let bounds = AlphabetBounds::new(&tally.d[..known], &tally.d_prime[..known], alpha);
    let (epsilon, delta) = claim.reference_point();
    // A curve would have to be met at all of its points.
    let point = claim.as_epsilon_delta();
    Upper::Bounds {
        meet_the_claim: point.is_some_and(|(epsilon, delta)| bounds.delta_upper(epsilon) <= delta),
        bounds: UpperBounds {
            epsilon_upper: bounds.epsilon_upper(delta),
            delta_upper: bounds.delta_upper(epsilon),
            outcomes: known,
        },
    }
}

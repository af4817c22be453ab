//! The numbers of a finding, each with how it is known: which one it is about, and in which words.

use super::proof::{Bracket, Decision, Proof};
use super::quantity::{Headline, Known, Quantity};
use super::value::{Finding, Verdict};
use crate::claim::Region;
use crate::number::{Side, apart, brief, lower};

impl Finding {
    /// With the number that it is about in its JSON, too. What reports make of findings is complete.
    #[must_use]
    pub fn with_headline(self) -> Self {
        Self { headline: self.numbers().into_iter().next(), ..self }
    }

    /// All numbers of this finding that are known; the first is the one that it is about, which table, card
    /// and plots quote. None if nothing was counted and nothing proved.
    pub fn numbers(&self) -> Vec<Headline> {
        let check = self.sensitivity.as_ref();
        if let Some(check) = check.filter(|check| check.counterexample.is_some()) {
            let of = ["₁", "₂", "∞"][check.norm as usize];
            let words = match check.distance {
                Some(distance) => format!("Δ{of} ≥ {}", lower(distance)),
                None => format!("Δ{of} = ∞"),
            };
            let (quantity, known) = (Quantity::Sensitivity, Known::Proved);
            return vec![Headline { quantity, known, value: check.distance, words }];
        }
        let mut numbers = Vec::new();
        if let Some(proof) = &self.proof {
            let claimed = |quantity| self.claimed(quantity);
            numbers.push(proved(Quantity::Epsilon, proof, proof.epsilon, claimed));
            numbers.push(proved(Quantity::Delta, proof, proof.delta, claimed));
        }
        if self.tally.trials() > 0 {
            let at_least = |quantity, value: f64| {
                let digits = apart(value, self.claimed(quantity), Side::Down);
                let words = format!("{} ≥ {digits}", symbol(quantity));
                Headline { quantity, known: Known::CertifiedLower, value: Some(value), words }
            };
            numbers.extend(self.mu_lower.map(|mu| at_least(Quantity::Mu, mu)));
            numbers.push(at_least(Quantity::Epsilon, self.epsilon_lower));
            numbers.push(at_least(Quantity::Delta, self.delta_lower));
            if let Some(bounds) = &self.upper {
                let at_most = |quantity, value: f64| {
                    let digits = apart(value, self.claimed(quantity), Side::Up);
                    let words = format!("{} ≤ {digits}", symbol(quantity));
                    Headline { quantity, known: Known::CertifiedUpper, value: Some(value), words }
                };
                numbers.extend(bounds.epsilon_upper.map(|e| at_most(Quantity::Epsilon, e)));
                numbers.push(at_most(Quantity::Delta, bounds.delta_upper));
            }
        }
        // A verdict that a proof gives is about what was proved, and one that samples give about those.
        let known = match (self.verdict, &self.proof) {
            (Verdict::Verified, _) => Known::Proved,
            (Verdict::Violated, Some(Proof { decision: Decision::Refuted, .. })) => Known::Proved,
            (Verdict::Bounded, _) => Known::CertifiedUpper,
            _ => Known::CertifiedLower,
        };
        if let Some(at) = numbers.iter().position(|number| number.known == known) {
            numbers[..=at].rotate_right(1);
        }
        numbers
    }
}

impl Finding {
    /// The number of the claim that such a number is held against.
    fn claimed(&self, quantity: Quantity) -> f64 {
        match (quantity, self.claim.claim.region()) {
            (Quantity::Mu, Region::Gaussian { mu }) => *mu,
            (Quantity::Epsilon, _) => self.claim.reference_epsilon,
            (Quantity::Delta, _) => self.claim.reference_delta,
            _ => f64::NAN,
        }
    }
}

fn symbol(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Epsilon => "ε",
        Quantity::Delta => "δ",
        Quantity::Mu => "μ",
        Quantity::Sensitivity => "Δ",
    }
}

/// What was proved: as far as the decision needs it where it is not known to the last digit shown.
fn proved(
    quantity: Quantity,
    proof: &Proof,
    bracket: Bracket,
    claimed: impl Fn(Quantity) -> f64,
) -> Headline {
    let sign = symbol(quantity);
    let digits = |x: f64, side: Side| apart(x, claimed(quantity), side);
    let (value, words) = match (bracket.lower, bracket.upper) {
        (None, _) => (None, format!("{sign} = ∞")),
        // Of pairs that do not cover the relation: other neighbors may lose more.
        (Some(low), _) if !proof.covers_relation => {
            (Some(low), format!("{sign} ≥ {}", digits(low, Side::Down)))
        }
        (Some(low), Some(high)) if high - low <= 1e-9 * high => {
            // A claim that lies in the bracket is not told apart: nobody knows on which side it is.
            let within = (low..=high).contains(&claimed(quantity));
            let words = if within { brief(low) } else { digits(low, Side::Near) };
            (Some(low), format!("{sign} = {words}"))
        }
        (_, Some(high)) if proof.decision == Decision::Verified => {
            (Some(high), format!("{sign} ≤ {}", digits(high, Side::Up)))
        }
        (Some(low), _) => (Some(low), format!("{sign} ≥ {}", digits(low, Side::Down))),
    };
    Headline { quantity, known: Known::Proved, value, words }
}

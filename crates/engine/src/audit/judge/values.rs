//! Recorded outcomes that two programs spelled: the leak of their values alone.

use crate::audit::judge::JudgedWitness;
use plaudit_accountant::number;
use plaudit_core::claim::Claim;

/// Largest share of the bound that values leave if the spelling is the cause.
const SHARE: f64 = 0.8;

/// Leak of the values of recorded outcomes alone, where the two files spell values differently.
pub struct ValuesAlone {
    /// `true` if the spelling leaks more than the values.
    pub is_cause: bool,
    pub words: String,
}

impl ValuesAlone {
    /// For a violation, the differences in spelling, and the counts of outcomes as values.
    pub fn new(
        own: &JudgedWitness,
        difference: &str,
        values: &JudgedWitness,
        claim: &Claim,
    ) -> Self {
        let refutes = values.refutes();
        let (whole, alone) = (own.judgement.epsilon_lower, values.judgement.epsilon_lower);
        let is_cause = !refutes || alone < SHARE * whole;
        let (_, delta) = claim.reference_point();
        let at =
            if delta > 0.0 { format!(" at δ = {}", number::brief(delta)) } else { String::new() };
        let words = format!(
            "The two files spell values differently: {difference}. The values alone, however they are spelled, leak ε ≥ {}{at} \
             (confidence 1 − {}, by itself), which {} the claim {claim}.",
            number::lower(alone),
            number::chosen(values.alpha),
            if refutes { "refutes" } else { "does not refute" }
        );
        Self { is_cause, words }
    }
}

//! The composition rules that textbooks state, with the conditions that they are stated under.

use super::ClaimError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule for the composition of equal (ε, δ)-DP mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// (kε, kδ) (Dwork, Roth 2014, Theorem 3.16).
    Basic,
    /// (ε√(2k ln(1/δ')) + kε(e^ε − 1), kδ + δ') (Dwork, Rothblum, Vadhan 2010; Dwork, Roth 2014,
    /// Theorem 3.20), for 0 < δ' < 1.
    Advanced,
    /// (ε√(8k ln(1/δ')), kδ + δ') (Dwork, Roth 2014, Corollary 3.21), for 0 < δ' < 1, where this ε is
    /// below 1 and not below that of the long form (for large δ' it would be).
    AdvancedShort,
}

impl Rule {
    /// The (ε, δ) of `count` mechanisms, each (`epsilon`, `delta`)-DP.
    ///
    /// # Errors
    /// If the rule's conditions are not met.
    pub fn composed(
        self,
        (epsilon, delta): (f64, f64),
        count: u64,
        delta_prime: Option<f64>,
    ) -> Result<(f64, f64), ClaimError> {
        let bad = |name, value, must_be| Err(ClaimError { name, value, must_be });
        if count == 0 {
            return bad("count", 0.0, "at least 1");
        }
        let k = count as f64;
        let spent = k * delta;
        let delta_prime = match (self, delta_prime) {
            (Self::Basic, None) => 0.0,
            (Self::Basic, Some(value)) => {
                return bad("delta_prime", value, "left out of the basic rule");
            }
            (_, None) => return bad("delta_prime", 0.0, "given, between 0 and 1, for this rule"),
            (_, Some(value)) if value > 0.0 && value < 1.0 => value,
            (_, Some(value)) => return bad("delta_prime", value, "above 0 and below 1"),
        };
        let total = match self {
            Self::Basic => k * epsilon,
            Self::Advanced => {
                epsilon * (2.0 * k * -delta_prime.ln()).sqrt() + k * epsilon * epsilon.exp_m1()
            }
            Self::AdvancedShort => epsilon * (8.0 * k * -delta_prime.ln()).sqrt(),
        };
        if self == Self::AdvancedShort && total >= 1.0 {
            let must_be = "so small that the short form gives less than 1: above \
                           that the theorem does not hold; use rule = \"advanced\"";
            return bad("epsilon", epsilon, must_be);
        }
        let needed = (2.0 * k * -delta_prime.ln()).sqrt();
        if self == Self::AdvancedShort && k * epsilon.exp_m1() > needed {
            let must_be = "so small that the short form follows from the long one; use rule = \
                           \"advanced\"";
            return bad("delta_prime", delta_prime, must_be);
        }
        // Rounded up.
        let up = |x: f64| if x > 0.0 { x * (1.0 + 4.0 * f64::EPSILON) } else { 0.0 };
        Ok((up(total), up(spent + delta_prime).min(1.0)))
    }
}

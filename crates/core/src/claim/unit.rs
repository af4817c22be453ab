//! Units of a loss that is compared with a claim.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The unit of a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LossUnit {
    /// ε, at the claim's δ.
    #[default]
    Epsilon,
    /// μ of μ-GDP.
    Mu,
    /// Times the claim ([`Claim::times`](super::Claim::times)).
    Claims,
}

impl LossUnit {
    /// The symbol of a parameter in this unit.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Epsilon => "ε",
            Self::Mu => "μ",
            Self::Claims => "times the claim",
        }
    }

    /// A loss in this unit, its number as it is written: "ε = 1.2", "1.3 times the claim".
    pub fn words(self, number: &str) -> String {
        match self {
            Self::Epsilon | Self::Mu => format!("{} = {number}", self.symbol()),
            Self::Claims => format!("{number} times the claim"),
        }
    }

    /// A true loss of at least a number, as the subject of a sentence: "a true ε of 1.2 or more".
    pub fn at_least(self, number: &str) -> String {
        match self {
            Self::Epsilon | Self::Mu => format!("a true {} of {number} or more", self.symbol()),
            Self::Claims => format!("a true loss of {number} times the claim or more"),
        }
    }
}

//! Methods of accounting, and the brackets that they give.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two ends with the true value between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bracket {
    /// At most the true value; 0 where the method gives no lower bound; may be +∞.
    #[serde(with = "crate::number::one")]
    #[schemars(with = "serde_json::Value")]
    pub lower: f64,
    /// At least the true value; may be +∞.
    #[serde(with = "crate::number::one")]
    #[schemars(with = "serde_json::Value")]
    pub upper: f64,
}

impl Bracket {
    /// Bracket with 0 in place of −0.
    pub(super) fn plain(self) -> Self {
        Self { lower: self.lower + 0.0, upper: self.upper + 0.0 }
    }
}

/// How a composition is accounted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Privacy-loss distributions: a bracket, as narrow as discretisation allows.
    Pld,
    /// Rényi divergences at the best order: an upper bound.
    Rdp,
    /// Gaussian differential privacy: an upper bound.
    Gdp,
    /// The sum of ε and of δ: an upper bound.
    Basic,
    /// Advanced composition in its long form: an upper bound.
    Advanced,
    /// Advanced composition in its short form, for a total ε below 1: an upper bound.
    AdvancedShort,
}

impl Method {
    pub const ALL: [Self; 6] =
        [Self::Pld, Self::Rdp, Self::Gdp, Self::Basic, Self::Advanced, Self::AdvancedShort];

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Pld => "pld",
            Self::Rdp => "rdp",
            Self::Gdp => "gdp",
            Self::Basic => "basic",
            Self::Advanced => "advanced",
            Self::AdvancedShort => "advanced-short",
        }
    }
}

//! A number of a finding: what it is one of, how it is known, and its words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a number is known. These are the words for it wherever there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Known {
    /// Exact, or rounded outward; no chance is involved.
    #[serde(rename = "proved")]
    Proved,
    /// A bound from below that is wrong with a stated probability.
    #[serde(rename = "certified lower")]
    CertifiedLower,
    /// A bound from above that is wrong with a stated probability.
    #[serde(rename = "certified upper")]
    CertifiedUpper,
    /// The best guess from the counts; no verdict rests on it.
    #[serde(rename = "estimated")]
    Estimated,
}

impl Known {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::CertifiedLower => "certified lower",
            Self::CertifiedUpper => "certified upper",
            Self::Estimated => "estimated",
        }
    }
}

/// What a number is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// ε at the claim's δ (`claim.reference_delta`).
    Epsilon,
    /// δ at the claim's ε (`claim.reference_epsilon`).
    Delta,
    /// μ of μ-GDP.
    Mu,
    /// How far apart exact answers on neighbors are.
    Sensitivity,
}

/// A number of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Headline {
    /// What it is one of.
    pub quantity: Quantity,
    /// How it is known.
    pub known: Known,
    /// The number; `null`: infinite, or none that a number says.
    pub value: Option<f64>,
    /// It in symbols: "ε ≥ 1.557", rounded to the safe side.
    pub words: String,
}

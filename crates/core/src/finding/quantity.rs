//! A number of a finding: what it is one of, how it is known, and its words.

use plaudit_accountant::number::{brief, chosen};
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

/// Kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// ε at a δ.
    Epsilon,
    /// δ at an ε.
    Delta,
    /// μ of μ-GDP.
    Mu,
    /// A Rényi divergence at an order.
    Renyi,
    /// The order of a Rényi divergence.
    Order,
    /// How far apart exact answers on neighbors are.
    Sensitivity,
}

impl Quantity {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Epsilon => "ε",
            Self::Delta => "δ",
            Self::Mu => "μ",
            Self::Renyi => "Rényi ε",
            Self::Order => "α",
            Self::Sensitivity => "Δ",
        }
    }
}

/// The quantity that is fixed where two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fixed {
    /// Its kind.
    pub quantity: Quantity,
    /// Its value.
    pub value: f64,
}

impl Fixed {
    /// Symbols: "δ = 1e-5".
    pub fn words(self) -> String {
        let short = brief(self.value);
        let is_near = |x: f64| (x - self.value).abs() <= 1e-9 * self.value.abs();
        let digits = match short.parse().is_ok_and(is_near) {
            true => short,
            false => chosen(self.value),
        };
        format!("{} = {digits}", self.quantity.symbol())
    }
}

/// A number of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Headline {
    /// Its kind.
    pub quantity: Quantity,
    /// How it is known.
    pub known: Known,
    /// The number; `null`: infinite, or not expressible as a number.
    pub value: Option<f64>,
    /// It in symbols, with what is fixed: "ε ≥ 1.557 at δ = 1e-5", rounded to the safe side.
    pub words: String,
    /// The fixed quantity of a comparison: the δ of an ε, or the ε of a δ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Fixed>,
    /// The value that the claim allows there; of a sensitivity, the declared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<f64>,
    /// The same in digits that tell it from the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_words: Option<String>,
}

/// Upper bounds from samples, for a declared alphabet of outcomes; at `confidence`, of this pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UpperBounds {
    /// The mechanism's ε on the pair at the claim's δ (`claim.reference_delta`) is at most this;
    /// `null`: no bound is certified.
    pub epsilon_upper: Option<f64>,
    /// Its δ at the claim's ε (`claim.reference_epsilon`) is at most this.
    pub delta_upper: f64,
    /// Outcomes of the alphabet.
    pub outcomes: usize,
}

/// A point of a claim's own privacy profile that a violation breaks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenPoint {
    /// ε of the point.
    pub epsilon: f64,
    /// δ that the claim allows there.
    pub delta_claim: f64,
    /// Certified lower bound on δ there.
    pub delta_lower: f64,
}

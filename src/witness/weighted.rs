//! A weighted sum of several statistics of an outcome: what a linear classifier looks at.

use super::statistic::Statistic;
use crate::number;
use serde::{Deserialize, Serialize};

/// A term of [`Statistic::Weighted`]: weight × clamp((x − center)/scale, ±1), or its square; 0
/// where the outcome has no such number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The number x; none that is a weighted sum itself.
    pub of: Statistic,
    /// Its weight.
    #[serde(with = "number::one")]
    pub weight: f64,
    /// What is subtracted.
    #[serde(with = "number::one")]
    pub center: f64,
    /// What it is divided by, above 0.
    #[serde(with = "number::one")]
    pub scale: f64,
    /// Whether the square is taken.
    #[serde(default)]
    pub squared: bool,
}

impl Term {
    fn scaled(&self, x: Option<f64>) -> f64 {
        match x {
            Some(x) if !x.is_nan() => {
                let x = ((x - self.center) / self.scale).clamp(-1.0, 1.0);
                if self.squared { x * x } else { x }
            }
            _ => 0.0,
        }
    }

    /// The term of a vector without its weight.
    pub(super) fn unweighted(&self, vector: &[f64]) -> f64 {
        self.scaled(self.of.read_vector(vector))
    }

    /// Whether it is one that exploring could have made.
    pub(super) fn is_sound(&self) -> bool {
        let simple = self.of.is_simple();
        simple && self.scale > 0.0 && !self.center.is_nan() && self.weight.is_finite()
    }
}

/// The sum of a vector.
pub(super) fn of_vector(terms: &[Term], vector: &[f64]) -> f64 {
    terms.iter().map(|term| term.weight * term.unweighted(vector)).sum()
}

/// The sum in words: the heaviest terms.
pub(super) fn words(terms: &[Term]) -> String {
    let mut order: Vec<&Term> = terms.iter().collect();
    order.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    let name = |term: &Term| {
        let square = if term.squared { ", squared" } else { "" };
        format!("{:+.3} ({}{square})", term.weight, term.of.words())
    };
    let told: Vec<String> = order.iter().take(4).map(|term| name(term)).collect();
    let more = order.len().saturating_sub(4);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("weighted sum of clipped numbers ({}{more})", told.join(" "))
}

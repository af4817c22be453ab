//! Power, and how an audit that may end early splits its level between looks.

use crate::claim::LossUnit;
use plaudit_accountant::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The smallest loss that would have been refuted, and the rarest event that could be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Power {
    /// The true loss on this witness that would have refuted the claim with probability
    /// `probability`, in `unit`. `null`: no loss would have.
    pub detectable: Option<f64>,
    /// The unit of `detectable` and `nearly_surely`: ε at the claim's δ; μ for claims of μ-GDP; times the claim for other curves
    /// (ε at the claim's δ of Gaussian noise that shows what would have been refuted, over that of Gaussian noise that shows what the
    /// claim allows).
    #[serde(default)]
    pub unit: LossUnit,
    /// Of a claim that is a curve other than μ-GDP: where it would have been broken, and by which δ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<DetectablePoint>,
    /// The probability of refuting it, 0.9.
    pub probability: f64,
    /// The same with probability 0.99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearly_surely: Option<f64>,
    /// The smallest probability of an event under one dataset, impossible under the other, that
    /// would have refuted the claim with that probability.
    pub smallest_event_mass: Option<f64>,
    /// Both in a sentence.
    pub words: String,
}

/// A point of a claim's curve at which the witness looks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DetectablePoint {
    /// ε of the point.
    pub epsilon: f64,
    /// δ that the claim allows there.
    pub delta_claim: f64,
    /// The true δ there, in the direction of the witness, that would have refuted the claim with probability `probability`.
    pub delta: f64,
}

/// How an audit that may end early splits its level: each look is an audit with its own number of trials and level, so that
/// the levels together bound the chance of a false alarm, wherever it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Looks {
    /// The audit's false-alarm level: that of all looks together.
    pub alpha: f64,
    /// The looks that there may be, in order.
    pub looks: Vec<Look>,
    /// The loss (ε at the claim's δ, or μ) that is enough: the audit ends where nothing is wrong and it would have been refuted
    /// with probability 0.99. Left out where only a refutation ends it early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<f64>,
}

/// A look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Look {
    /// Runs of the mechanism.
    pub trials: u64,
    /// Its level.
    pub alpha: f64,
    /// p-value of the claim; `null`: the look was not needed.
    pub p_value: Option<f64>,
}

impl Looks {
    /// Factor from a loss on the found witness to the loss promised for the mechanism: another run finds another
    /// witness, which may see a little less of the same loss. Without it one of 21 mechanisms was red in 44 of 50 seeds
    /// where .99 was promised (`cargo bench --bench gate -- power`).
    pub const MARGIN: f64 = 1.05;

    /// Split of the level, and the end of the audit: "This is look 1 of 3 …".
    pub fn words(&self) -> String {
        let looks = self.looks.iter().map(|look| {
            let p_value =
                look.p_value.map_or_else(String::new, |p| format!(", {}", number::p_value(p)));
            format!(
                "{} runs at α = {}{p_value}",
                number::grouped(look.trials),
                number::brief(look.alpha)
            )
        });
        let (taken, all) = (self.taken(), self.looks.len());
        let whole = number::brief(self.alpha);
        let ended = if taken < all { " It decided, so the others were not needed." } else { "" };
        format!(
            "This is look {taken} of {all}. Each is an audit of its own, and their levels add up to the audit's α = {whole}: {}.{ended}",
            looks.collect::<Vec<_>>().join("; ")
        )
    }

    pub fn taken(&self) -> usize {
        self.looks.iter().filter(|look| look.p_value.is_some()).count()
    }
}

//! Looks: how an audit that may end early splits its level.

use crate::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an audit that may end early splits its level: each look is an audit of so many trials at a level of its own, so that
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
    /// What a loss on the witness that was found is multiplied by where it is promised of the mechanism: another run finds another
    /// witness, which may see a little less of the same loss. Without it one of 21 mechanisms was red in 44 of 50 seeds where .99
    /// was promised (`cargo bench --bench gate -- power`).
    pub const MARGIN: f64 = 1.05;

    /// How the level was split, and where the audit ended: "This is look 1 of 3 …".
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

    /// How many were taken.
    pub fn taken(&self) -> usize {
        self.looks.iter().filter(|look| look.p_value.is_some()).count()
    }
}

//! One thing that a gate looks at, and how it ended.

use super::rule::GateRule;
use crate::report::Telling;
use plaudit_core::finding::{MARGINS, MOVED};
use sha2::{Digest as _, Sha256};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    Passed,
    /// Not as expected, but accepted for a time.
    Accepted,
    /// Not as expected, or not tested properly, in an audit whose outcome has the running time in it: other load of the
    /// machine also decides.
    Advisory,
    /// It could not be tested properly. That is never a pass.
    Inconclusive,
    Failed,
}

/// One thing that the gate looked at.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GateCheck {
    pub name: String,
    pub status: CheckStatus,
    pub rule: GateRule,
    pub message: String,
    /// Smallest loss over its claim that would have been caught, in words; `None` where nothing was sampled.
    pub catches: Option<String>,
    /// The spec, and the line at which it begins there.
    pub place: Option<(String, usize)>,
    /// Fingerprint of the rule and of all that is audited (mechanism, contents of programs and data, pairs, relation,
    /// claim, doubles, …), without numbers that chance moves: the same from run to run.
    pub fingerprint: String,
    /// Fingerprint of the rule, the name and the claim: the same while the content of programs and data changes, so
    /// that a code host sees one alert.
    pub alert: String,
    pub seconds: Option<f64>,
    /// The report on the audit.
    pub telling: Option<Telling>,
    /// End and reason of its acceptance, if it is accepted.
    pub accepted: Option<String>,
    /// The loss that was certified or proved, if any.
    pub bound: Option<CheckBound>,
}

/// A certified loss, in the unit of the claim.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct CheckBound {
    pub lower: f64,
    /// Excess over the claim at which a loss becomes visible; 0 for proofs.
    pub margin: f64,
}

impl CheckBound {
    /// `true` if the loss is clearly larger than one that was accepted: by a tenth, and by more than other seeds of the same code
    /// differ.
    pub fn is_worse_than(self, accepted: f64) -> bool {
        self.lower > MOVED * accepted && self.lower - accepted > MARGINS * self.margin
    }
}

impl GateCheck {
    /// The message, and why a check that is not as expected leaves the gate green.
    pub fn words(&self) -> String {
        match (&self.accepted, self.status) {
            (Some(accepted), _) => format!("{} ({accepted})", self.message),
            (None, CheckStatus::Advisory) => {
                format!("{} (advisory: the running time is part of the outcome)", self.message)
            }
            (None, _) => self.message.clone(),
        }
    }
}

/// The SHA-256 of some words, each with its length.
pub(super) fn fingerprint(words: &[&str]) -> String {
    let mut all = Sha256::new();
    for word in words {
        all.update((word.len() as u64).to_le_bytes());
        all.update(word.as_bytes());
    }
    plaudit_accountant::number::hex(all.finalize())
}

//! The sampled claims of a run, tested together: besides the level of each audit, one level for all.

use plaudit_accountant::number::{brief, p_value};
use plaudit_core::finding::{Expectation, Finding, Report};
use plaudit_core::inference::holm;

/// Sampled claims that are not planted mistakes: those that chance alone may refute.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ClaimFamily {
    pub claims: usize,
    /// Number of them refuted together, by Holm's procedure.
    pub refuted: usize,
    /// Upper bound on the chance that any right claim among them is refuted: the level that the run was
    /// given.
    pub level: f64,
}

impl ClaimFamily {
    pub fn words(&self) -> String {
        let Self { claims, refuted, level } = self;
        let claims = if *claims == 1 {
            "1 sampled claim".into()
        } else {
            format!("{claims} sampled claims together")
        };
        format!("over the {claims} (Holm): {refuted} refuted at level {}", brief(*level))
    }

    /// Addition to the message of a claim that failed.
    pub(super) fn words_of(&self, adjusted: f64) -> String {
        format!(" Over the {} sampled claims together (Holm): {}.", self.claims, p_value(adjusted))
    }
}

/// The family of a report, and of each audit its adjusted p-value if it is one of them.
pub(super) fn together(report: &Report) -> (ClaimFamily, Vec<Option<f64>>) {
    let members: Vec<bool> = report.audits.iter().map(is_member).collect();
    let of_members = report.audits.iter().zip(&members).filter(|(_, member)| **member);
    let p_values: Vec<f64> = of_members.map(|(finding, _)| finding.p_value_over_looks()).collect();
    let adjusted = holm(&p_values);
    let level = report.run.alpha;
    let refuted = adjusted.iter().filter(|p_value| **p_value <= level).count();
    let family = ClaimFamily { claims: adjusted.len(), refuted, level };
    let mut left = adjusted.into_iter();
    (family, members.into_iter().map(|member| if member { left.next() } else { None }).collect())
}

/// Settled before anything is counted, so that no count decides who is held together.
fn is_member(finding: &Finding) -> bool {
    finding.trials.total > 0 && finding.expected == Expectation::NotViolated
}

#[cfg(test)]
#[path = "../../tests/unit/gate/family.rs"]
mod tests;

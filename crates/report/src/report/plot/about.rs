//! Words that several plots share.

use super::super::words::{cut, visible};
use plaudit_core::finding::{Finding, Verdict};

/// The finding's name with its verdict, for the title of its plots.
pub(super) fn named(finding: &Finding) -> String {
    format!("{} ({})", cut(&visible(&finding.name), 80), finding.verdict.word())
}

/// `true` if anything was counted on both datasets.
pub(super) fn counted(finding: &Finding) -> bool {
    finding.tally.trials_d() > 0 && finding.tally.trials_d_prime() > 0
}

/// Remark on a plot of counts if those do not refute the claim.
pub(super) fn proved_only(finding: &Finding) -> Option<&'static str> {
    let only = finding.verdict == Verdict::Violated && finding.p_value > finding.alpha;
    only.then_some("The violation was found without chance: these counts need not show it.")
}

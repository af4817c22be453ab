//! Exit codes: what a gate reads.

use crate::report::{Finding, Verdict};

/// Every verdict is as expected.
pub const AS_EXPECTED: u8 = 0;
/// A violation that nobody expected, or an expected one that was not found; for `replay`: the
/// violation did not show again.
pub const UNEXPECTED: u8 = 1;
/// Wrong usage, a mistake in a spec, or an I/O error: nothing is said of any claim.
pub const FAILED: u8 = 2;
/// Some claim could not be tested properly, and nothing worse. [`UNEXPECTED`] outranks it.
pub const INCONCLUSIVE: u8 = 3;
/// No audit was selected.
pub const NOTHING_SELECTED: u8 = 4;
/// Interrupted (Ctrl-C).
pub const INTERRUPTED: u8 = 130;

/// The codes, for `--help`.
pub(super) const HELP: &str = "\
Exit codes:
  0    every verdict is as expected
  1    a violation that nobody expected, or an expected one that was not found
       (replay: the violation did not show again)
  2    wrong usage, a mistake in a spec, or an I/O error
  3    inconclusive: some claim could not be tested properly (1 outranks 3)
  4    nothing selected
  130  interrupted";

/// The exit code of a run.
pub fn of_findings(findings: &[Finding]) -> u8 {
    let inconclusive = |finding: &Finding| finding.verdict == Verdict::Inconclusive;
    if findings.is_empty() {
        NOTHING_SELECTED
    } else if findings.iter().any(|finding| !finding.as_expected && !inconclusive(finding)) {
        UNEXPECTED
    } else if findings.iter().any(inconclusive) {
        INCONCLUSIVE
    } else {
        AS_EXPECTED
    }
}

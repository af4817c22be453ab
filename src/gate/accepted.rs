//! Findings that somebody accepted for a time, each with a reason.

use super::check::{CheckStatus, GateCheck};
use super::note::{GateNote, NoteLevel};

/// The rule of an acceptance that matches nothing.
pub(super) const STALE: &str = "stale-acceptance";

/// Rules whose failures can be accepted.
pub const ACCEPTABLE: [&str; 10] = [
    "violated",
    "missed-mistake",
    "attack",
    "loosened-claim",
    "other-neighbors",
    "removed-audit",
    "removed-mutant",
    "expects-violation",
    "waived-check",
    "ledger",
];

/// That a failure is accepted until some day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Name of the audit, or of the attack.
    pub audit: String,
    /// The rule that failed.
    pub rule: String,
    /// The fingerprint of the check, if no other one is accepted.
    pub fingerprint: Option<String>,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it is: "2026-12-31".
    pub expires: String,
    /// The file, and the line at which it begins there.
    pub place: (String, usize),
}

impl Acceptance {
    fn matches(&self, check: &GateCheck) -> bool {
        let is_it = |print: &String| print.eq_ignore_ascii_case(&check.fingerprint);
        check.status == CheckStatus::Failed
            && self.audit == check.name
            && self.rule == check.rule
            && self.fingerprint.as_ref().is_none_or(is_it)
    }
}

/// Accepts the failures that match, as of `today` ("2026-11-30"); says of those that match only what has expired when that
/// was, and notes acceptances that match nothing.
pub(super) fn accept(
    acceptances: &[Acceptance],
    today: &str,
    checks: &mut [GateCheck],
    notes: &mut Vec<GateNote>,
) {
    let mut used = vec![false; acceptances.len()];
    for check in checks {
        let all = acceptances.iter().enumerate().filter(|(_, it)| it.matches(check));
        let matching: Vec<(usize, &Acceptance)> = all.collect();
        matching.iter().for_each(|(at, _)| used[*at] = true);
        // Dates of this form are ordered as their words are. The one that holds longest counts.
        let longest = matching.iter().map(|(_, it)| *it).max_by_key(|it| &it.expires);
        match longest {
            Some(it) if today <= it.expires.as_str() => {
                check.status = CheckStatus::Accepted;
                check.accepted = Some(format!("accepted until {}: {}", it.expires, it.reason));
            }
            Some(it) => check.message.push_str(&format!(
                " (its acceptance expired on {}; the reason was: {})",
                it.expires, it.reason
            )),
            None => {}
        }
    }
    let stale = acceptances.iter().zip(used).filter(|(_, used)| !used);
    notes.extend(stale.map(|(it, _)| GateNote {
        name: it.audit.clone(),
        level: NoteLevel::Warning,
        rule: STALE,
        message: format!(
            "nothing failed that its acceptance as {:?} matches: take it out",
            it.rule
        ),
        place: Some(it.place.clone()),
    }));
}

#[cfg(test)]
#[path = "../../tests/unit/gate/accepted.rs"]
mod tests;

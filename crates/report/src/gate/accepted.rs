//! Findings accepted for a time, each with a reason.

use super::check::{CheckStatus, GateCheck};
use super::note::{GateNote, NoteLevel};
use super::rule::GateRule;
use plaudit_accountant::number::brief;

/// Acceptance of a failure until some day.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance {
    /// Name of the audit, or of the attack.
    pub audit: String,
    pub rule: GateRule,
    /// The fingerprint of the check, if no other one is accepted.
    pub fingerprint: Option<String>,
    /// The loss that was certified when it was accepted; one that is clearly larger is not accepted.
    pub bound: Option<f64>,
    pub reason: String,
    /// The last day on which it is: "2026-12-31".
    pub expires: String,
    /// The file, and the line at which it begins there.
    pub place: (String, usize),
}

/// Added to a failure that was accepted of something else.
const OTHER: &str = " (not as accepted: the acceptance has the fingerprint of another program, data, pair or claim)";

impl Acceptance {
    /// `true` if it names this failure; what is audited does not matter.
    fn names(&self, check: &GateCheck) -> bool {
        check.status == CheckStatus::Failed && self.audit == check.name && self.rule == check.rule
    }

    fn matches(&self, check: &GateCheck) -> bool {
        let is_it = |print: &String| print.eq_ignore_ascii_case(&check.fingerprint);
        self.names(check) && self.fingerprint.as_ref().is_none_or(is_it)
    }

    /// The loss in words, if it is clearly larger than the one that was accepted.
    fn exceeded_by(&self, check: &GateCheck) -> Option<String> {
        let (accepted, found) = (self.bound?, check.bound?);
        let words = || {
            let [found, accepted] = [found.lower, accepted].map(brief);
            format!("worse than when accepted: {found} is certified, and {accepted} was")
        };
        found.is_worse_than(accepted).then(words)
    }
}

/// Accepts the failures that match, as of `today` ("2026-11-30"); shows when acceptances that match only after their
/// end expired, and notes acceptances that match nothing.
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
        if matching.is_empty() && acceptances.iter().any(|it| it.names(check)) {
            check.message.push_str(OTHER);
        }
        // Dates of this form are ordered as their words are. The one that holds longest counts.
        let longest = matching.iter().map(|(_, it)| *it).max_by_key(|it| &it.expires);
        match longest {
            Some(it) if it.exceeded_by(check).is_some() => {
                let worse = it.exceeded_by(check).unwrap_or_default();
                check.message.push_str(&format!(" ({worse})"));
            }
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
    let open = acceptances.iter().zip(&used);
    let open = open.filter(|(it, used)| **used && it.fingerprint.is_none()).map(|(it, _)| it);
    notes.extend(open.map(|it| GateNote {
        name: it.audit.clone(),
        level: NoteLevel::Info,
        rule: GateRule::OpenAcceptance,
        message: "its acceptance has no fingerprint and covers any program, data, pair and claim: add the fingerprint that \
                  --summary prints"
            .into(),
        place: Some(it.place.clone()),
    }));
    let stale = acceptances.iter().zip(used).filter(|(_, used)| !used);
    notes.extend(stale.map(|(it, _)| GateNote {
        name: it.audit.clone(),
        level: NoteLevel::Warning,
        rule: GateRule::StaleAcceptance,
        message: format!(
            "nothing failed that matches its acceptance as \"{}\": remove it",
            it.rule
        ),
        place: Some(it.place.clone()),
    }));
}

#[cfg(test)]
#[path = "../../tests/unit/gate/accepted.rs"]
mod tests;

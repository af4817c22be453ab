//! What is worth saying and makes no gate red.

use super::check::fingerprint;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteLevel {
    Warning,
    Info,
}

impl NoteLevel {
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Info => "note",
        }
    }
}

/// Change since the baseline, outdated entry, or remark on the ledger.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GateNote {
    pub name: String,
    pub level: NoteLevel,
    /// Rule: "changed-bound", "changed-power", "changed-trials", "changed-level", "changed-verdict", "changed-witness",
    /// "changed-mechanism", "changed-claim", "changed-program", "new-audit", "changed", "stale-acceptance", "open-acceptance",
    /// "older-baseline", "ledger-note".
    pub rule: &'static str,
    pub message: String,
    /// The spec, and the line at which it begins there.
    pub place: Option<(String, usize)>,
}

/// The rule of an acceptance that matches nothing.
pub(super) const STALE: &str = "stale-acceptance";

/// The rule of an acceptance without a fingerprint.
pub(super) const OPEN: &str = "open-acceptance";

/// The rule of a baseline that an older plaudit wrote.
pub(super) const OLDER: &str = "older-baseline";

/// Rule of other remarks of the ledger.
pub(super) const NOTED: &str = "ledger-note";

impl GateNote {
    /// Fingerprint that is the same from run to run.
    pub(super) fn fingerprint(&self) -> String {
        fingerprint(&[self.rule, &self.name])
    }

    /// In a line: "warning: changed since the baseline: count: it ran …".
    pub fn words(&self) -> String {
        let since = if self.is_change() { "changed since the baseline: " } else { "" };
        format!("{}: {since}{}: {}", self.level.word(), self.name, self.message)
    }

    /// `true` if it is about a change since the baseline.
    pub(super) fn is_change(&self) -> bool {
        ![STALE, OPEN, OLDER, NOTED].contains(&self.rule)
    }
}

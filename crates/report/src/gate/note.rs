//! Notes that do not make a gate red.

use super::check::fingerprint;
use super::rule::GateRule;

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
    pub rule: GateRule,
    pub message: String,
    /// The spec, and the line at which it begins there.
    pub place: Option<(String, usize)>,
}

impl GateNote {
    /// Fingerprint that is the same from run to run.
    pub(super) fn fingerprint(&self) -> String {
        fingerprint(&[self.rule.id(), &self.name])
    }

    /// In a line: "warning: changed since the baseline: count: it ran …".
    pub fn words(&self) -> String {
        let since = if self.is_change() { "changed since the baseline: " } else { "" };
        format!("{}: {since}{}: {}", self.level.word(), self.name, self.message)
    }

    /// `true` if it is about a change since the baseline.
    pub(super) fn is_change(&self) -> bool {
        self.rule.is_change()
    }
}

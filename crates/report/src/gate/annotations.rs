//! Annotations, as GitHub reads them from the log of a job.

use super::check::CheckStatus;
use super::decide::GateDecision;
use super::note::NoteLevel;
use plaudit_core::visible::visible;
use std::collections::BTreeMap;

/// Most annotations of a kind: GitHub shows ten errors, ten warnings and ten notices of each step.
const MOST: usize = 10;

/// A line for each of the worst failures, then for each note.
pub fn annotations(decision: &GateDecision) -> String {
    let mut worst: Vec<_> = decision.open().collect();
    worst.sort_by_key(|check| std::cmp::Reverse(check.status));
    let checks = worst.into_iter().map(|check| {
        let level = if check.status == CheckStatus::Failed { "error" } else { "warning" };
        (level, &check.place, &check.name, check.message.clone())
    });
    let advisory = decision.with(CheckStatus::Advisory);
    let advisory = advisory.map(|check| ("warning", &check.place, &check.name, check.words()));
    let accepted = decision.with(CheckStatus::Accepted);
    let accepted = accepted.map(|check| ("notice", &check.place, &check.name, check.words()));
    let notes = decision.notes.iter().map(|note| {
        let level = if note.level == NoteLevel::Warning { "warning" } else { "notice" };
        (level, &note.place, &note.name, note.message.clone())
    });
    let mut out = String::new();
    let mut of_kind = BTreeMap::new();
    for (level, place, name, message) in checks.chain(advisory).chain(accepted).chain(notes) {
        let many = of_kind.entry(level).or_insert(0);
        *many += 1;
        if *many > MOST {
            continue;
        }
        let place = place.as_ref().map_or_else(String::new, |(file, line)| {
            format!("file={},line={line},", property(file))
        });
        let (title, message) = (property(name), data(&message));
        out.push_str(&format!("::{level} {place}title={title}::{message}\n"));
    }
    out
}

/// The text of a command: no line break, and no percent that is not its own.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

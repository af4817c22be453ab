//! Annotations, as GitHub reads them from the log of a job.

use super::check::CheckStatus;
use super::decide::GateDecision;
use crate::visible::visible;

/// Most annotations: GitHub shows ten of a kind for each step.
const MOST: usize = 10;

/// A line for each of the worst that did not pass.
pub fn annotations(decision: &GateDecision) -> String {
    let mut worst: Vec<_> =
        decision.checks.iter().filter(|check| check.status != CheckStatus::Passed).collect();
    worst.sort_by_key(|check| std::cmp::Reverse(check.status));
    let mut out = String::new();
    for check in worst.into_iter().take(MOST) {
        let level = if check.status == CheckStatus::Failed { "error" } else { "warning" };
        let place = check.place.as_ref().map_or_else(String::new, |(file, line)| {
            format!("file={},line={line},", property(file))
        });
        out.push_str(&format!(
            "::{level} {place}title={}::{}\n",
            property(&check.name),
            data(&check.message)
        ));
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

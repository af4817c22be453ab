//! The file of accepted findings.

use crate::cli::{Failure, output};
use plaudit_accountant::near::nearest;
use plaudit_report::gate::{Acceptance, GateRule};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;
use toml::value::Datetime;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    #[serde(default)]
    accepted: Vec<Spanned<AcceptedEntry>>,
}

/// Conditions for accepting a failure, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedEntry {
    audit: String,
    rule: String,
    fingerprint: Option<String>,
    bound: Option<f64>,
    reason: String,
    expires: Datetime,
}

pub(super) fn read(path: &Path) -> Result<Vec<Acceptance>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::of_file("cannot read --accepted", path, &error))?;
    let file = path.display().to_string();
    parsed(&text, &file).map_err(|(line, why)| {
        let path = output::path(path);
        Failure::Message(format!("`{path}`, line {line}: {why}"))
    })
}

/// The entries, or the line of the first mistake and what it is.
fn parsed(text: &str, file: &str) -> Result<Vec<Acceptance>, (usize, String)> {
    let line =
        |at: usize| 1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    let entries: AcceptedFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what =
            "an entry is [[accepted]] with audit, rule, reason, expires, and fingerprint and bound if wanted";
        (line(at), format!("{}; {what}", error.message()))
    })?;
    let of_entry = |entry: Spanned<AcceptedEntry>| {
        let line = line(entry.span().start);
        let wrong = |why: String| (line, why);
        let AcceptedEntry { audit, rule, fingerprint, bound, reason, expires } = entry.into_inner();
        let acceptable = || GateRule::ALL.into_iter().filter(|rule| rule.is_acceptable());
        let Some(rule) = acceptable().find(|it| it.id() == rule) else {
            let ids: Vec<&str> = acceptable().map(GateRule::id).collect();
            let meant = nearest(&rule, &ids)
                .map_or_else(String::new, |rule| format!("; did you mean {rule:?}?"));
            let rules = ids.join(", ");
            return Err(wrong(format!("no failure has the rule {rule:?}{meant} (one of {rules})")));
        };
        if audit.trim().is_empty() || reason.trim().is_empty() {
            return Err(wrong(
                "`audit` and `reason` must not be empty: state why it is accepted".into(),
            ));
        }
        let is_print = |print: &String| {
            print.len() == 64 && print.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        if !fingerprint.as_ref().is_none_or(is_print) {
            let why =
                "`fingerprint` must be the 64 hexadecimal digits that --summary or --sarif prints";
            return Err(wrong(why.into()));
        }
        if !bound.is_none_or(|bound| bound.is_finite() && bound >= 0.0) {
            let why = "`bound` must be a number that is not negative, such as the one that --summary prints";
            return Err(wrong(why.into()));
        }
        let (Some(date), None, None) = (expires.date, expires.time, expires.offset) else {
            return Err(wrong("`expires` must be a date alone, such as 2026-12-31".into()));
        };
        let (expires, place) = (date.to_string(), (file.to_owned(), line));
        Ok(Acceptance { audit, rule, fingerprint, bound, reason, expires, place })
    };
    entries.accepted.into_iter().map(of_entry).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/gate/accepted.rs"]
mod tests;

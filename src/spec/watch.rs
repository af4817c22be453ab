//! `watch`: which files of the repository decide about an audit.

use super::error::Mistake;
use super::read::{self, SpannedValue};
use glob::Pattern;

const EXAMPLE: &str = "[\"src/noise/**\", \"Cargo.lock\"]";

/// The patterns that are right; the others are mistakes.
pub(super) fn read(value: &SpannedValue<'_>, mistakes: &mut Vec<Mistake>) -> Vec<Pattern> {
    let Some(list) = read::keep(mistakes, read::list(value, "`watch`", EXAMPLE)) else {
        return Vec::new();
    };
    list.iter().filter_map(|entry| read::keep(mistakes, pattern(entry))).collect()
}

/// One pattern. What would match nothing by its form is refused: nobody would notice that the audit is never run.
fn pattern(value: &SpannedValue<'_>) -> Result<Pattern, Mistake> {
    let word = read::text(value, "a pattern of `watch`")?;
    let wrong = |message: &str, help: &str| Err(Mistake::new(value.span(), message, help));
    let plain = word.strip_prefix("./").unwrap_or(word).trim_end_matches('/');
    if plain.is_empty() {
        return wrong("a pattern of `watch` is empty", &format!("name files: {EXAMPLE}"));
    }
    if plain.starts_with('/') || plain.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let message = format!("`{word}` is no pattern of files below the root of the repository");
        return wrong(&message, "write paths from that root, with `/`: \"src/noise/**\"");
    }
    if plain.starts_with('!') || plain.contains(['{', '}', '\\']) {
        let message = format!("`!`, braces and `\\` mean nothing in the pattern `{word}`");
        return wrong(&message, "write one pattern for each, with `**`, `*`, `?` and `[..]`");
    }
    Pattern::new(plain).or_else(|error| {
        wrong(&format!("`{word}` is no pattern: {}", error.msg), "use `**`, `*`, `?` and `[..]`")
    })
}

//! Statements about a release, for the evaluation sheet of its report.

use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place, Value};
use plaudit_core::finding::{Evaluation, Topic};

const LONGEST: usize = 2_000;

/// Reads a table of answers, by question.
pub(super) fn read(what: &str, value: &Value<'_>, mistakes: &mut Vec<Mistake>) -> Evaluation {
    let fields = Fields::of(what, value, "{ unit = \"one person, who has one row\" }");
    let Some(fields) = read::keep(mistakes, fields) else { return Evaluation::new() };
    mistakes.extend(fields.unknown_keys(&Topic::ALL.map(Topic::key)));
    let mut stated = Evaluation::new();
    for topic in Topic::ALL {
        let words = read::keep(mistakes, fields.optional(topic.key(), answer)).flatten();
        stated.extend(words.map(|words| (topic, words)));
    }
    stated
}

fn answer(value: &Value<'_>, what: &str) -> Checked<String> {
    let words = read::text(value, what)?.trim();
    let many = words.chars().count();
    if words.is_empty() {
        let help = "answer it, or leave the key out: the sheet then shows \"not stated\"";
        return value.refuse("an answer is empty", help);
    }
    if many > LONGEST {
        let message = format!("an answer of {many} characters is too long: at most {LONGEST}");
        return value.refuse(message, "refer to a longer document");
    }
    Ok(words.to_owned())
}

//! What people state of a release, for the evaluation sheet of its report.

use super::error::Mistake;
use super::read::{self, Fields, SpannedValue};
use plaudit_core::finding::{Evaluation, Topic};

const LONGEST: usize = 2_000;

/// Reads a table of answers, by question.
pub(super) fn read(
    what: &str,
    value: &SpannedValue<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Evaluation {
    let fields = Fields::of(what, value, "{ unit = \"one person, who has one row\" }");
    let Some(fields) = read::keep(mistakes, fields) else { return Evaluation::new() };
    mistakes.extend(fields.unknown_keys(&Topic::ALL.map(Topic::key)));
    let mut stated = Evaluation::new();
    for topic in Topic::ALL {
        let Some(value) = fields.get(topic.key()) else { continue };
        let Some(words) = read::keep(mistakes, answer(topic, value)) else { continue };
        stated.insert(topic, words);
    }
    stated
}

fn answer(topic: Topic, value: &SpannedValue<'_>) -> Result<String, Mistake> {
    let words = read::text(value, &format!("`{}`", topic.key()))?.trim();
    let many = words.chars().count();
    if words.is_empty() {
        let help = "answer it, or leave the key out: the sheet says \"not stated\" then";
        return Err(Mistake::new(value.span(), "an answer is empty", help));
    }
    if many > LONGEST {
        let message = format!("an answer of {many} characters is too long: at most {LONGEST}");
        return Err(Mistake::new(value.span(), message, "name a document that says more"));
    }
    Ok(words.to_owned())
}

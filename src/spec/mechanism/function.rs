//! Functions of this process, from another language.

use super::built::{Built, FunctionSpec};
use super::program::{batch, seconds};
use crate::spec::error::Mistake;
use crate::spec::read::{self, Fields, SpannedValue};
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::MechanismSummary;
use plaudit_engine::mechanism::process::{FunctionCopies, Process};
use plaudit_engine::mechanism::program::{Format, ProgramSettings};
use std::path::PathBuf;

/// Seconds that a forked copy may take to answer: one that hangs was forked next to threads that it
/// needs.
const COPIES_ANSWER: f64 = 20.0;

/// Reads a function of this process: its name and place, and how to run it.
pub(super) fn read(
    fields: &Fields<'_, '_>,
    value: &SpannedValue<'_>,
    function: Option<&FunctionSpec>,
) -> Result<Built, Mistake> {
    const KEYS: [&str; 8] =
        ["function", "language", "module", "file", "line", "batch", "patience", "clean"];
    if let Some(mistake) = fields.unknown_keys(&KEYS).into_iter().next() {
        return Err(mistake);
    }
    let Some(FunctionSpec { function, copies, run_in_copies, .. }) = function else {
        let message = "a function is audited from the language it is written in";
        let help = "call plaudit.audit(function, …) in Python, or write mechanism = { command = \
                    [\"python3\", \"mechanism.py\"] }";
        return Err(Mistake::new(value.span(), message, help));
    };
    let word = |key: &str| {
        let word = fields.get(key).map(|value| read::text(value, &format!("`{key}`")));
        word.transpose().map(|word| word.map(str::to_owned))
    };
    let (name, language, file) =
        (word("function")?.unwrap_or_default(), word("language")?, word("file")?);
    let settings = ProgramSettings {
        // Without copies: its name in messages.
        command: copies.clone().unwrap_or_else(|| vec![name.clone()]),
        clean: None,
        folder: PathBuf::new(),
        format: Format::Json,
        timeout: COPIES_ANSWER,
        batch: batch(fields)?,
        patience: seconds(fields, "patience")?,
        interleaved: true,
    };
    settings.check().map_err(|(key, why)| {
        let span = fields.get(key).map_or_else(|| value.span(), |value| value.span());
        Mistake::new(span, why, "for example batch = 4096")
    })?;
    let mut description =
        format!("the {} function `{}`", language.unwrap_or_else(|| "foreign".into()), name);
    if let Some(file) = file {
        let line = fields.get("line").map(|value| read::whole(value, "`line`")).transpose()?;
        let line = line.map_or_else(String::new, |line| format!(", line {line}"));
        description.push_str(&format!(" ({file}{line})"));
    }
    if let Some(clean) = word("clean")? {
        description.push_str(&format!(
            ", for each run on the value of the clean stage `{clean}`, which ran once for each dataset. That assumes that \
             the clean stage draws nothing, and that `{name}` sees of the dataset only this value"
        ));
    }
    let summary = MechanismSummary {
        kind: MechanismKind::Function,
        parameters: super::to_json(value.get_ref()),
        description,
        post: Vec::new(),
    };
    let copies = match copies {
        None => FunctionCopies::None,
        Some(_) if *run_in_copies => FunctionCopies::All,
        Some(_) => FunctionCopies::Fresh,
    };
    let mechanism = Box::new(Process::of_function(function.clone(), settings, copies));
    Ok(Built { mechanism, summary, missing: None })
}

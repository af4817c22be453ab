//! Functions of this process, from another language.

use super::built::{Built, FunctionSpec};
use super::program::seconds;
use crate::spec::error::{Checked, Mistake};
use crate::spec::read::{self, Fields, Place, Value};
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
    fields: &Fields<'_>,
    value: &Value<'_>,
    function: Option<&FunctionSpec>,
) -> Checked<Built> {
    const KEYS: [&str; 8] =
        ["function", "language", "module", "file", "line", "batch", "patience", "clean"];
    fields.only(&KEYS)?;
    let Some(FunctionSpec { function, copies, run_in_copies, .. }) = function else {
        let message = "a function is audited from the language it is written in";
        let help = "call plaudit.audit(function, …) in Python, or write mechanism = { command = \
                    [\"python3\", \"mechanism.py\"] }";
        return value.refuse(message, help);
    };
    let name = fields.optional("function", read::owned)?.unwrap_or_default();
    let settings = ProgramSettings {
        // Without copies: its name in messages.
        command: copies.clone().unwrap_or_else(|| vec![name.clone()]),
        clean: None,
        folder: PathBuf::new(),
        format: Format::Json,
        timeout: COPIES_ANSWER,
        batch: fields.optional("batch", read::size)?,
        patience: seconds(fields, "patience")?,
        interleaved: true,
    };
    settings.check().map_err(|(key, why)| {
        Mistake::new(fields.place_of(key), why, "for example batch = 4096")
    })?;
    let summary = MechanismSummary {
        kind: MechanismKind::Function,
        parameters: super::to_json(value.get_ref()),
        description: description(fields, &name)?,
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

/// The function and its place, in words.
fn description(fields: &Fields<'_>, name: &str) -> Checked<String> {
    let language = fields.optional("language", read::text)?.unwrap_or("foreign");
    let mut description = format!("the {language} function `{name}`");
    if let Some(file) = fields.optional("file", read::text)? {
        let line = fields.optional("line", read::whole)?;
        let line = line.map_or_else(String::new, |line| format!(", line {line}"));
        description.push_str(&format!(" ({file}{line})"));
    }
    if let Some(clean) = fields.optional("clean", read::text)? {
        description.push_str(&format!(
            ", for each run on the value of the clean stage `{clean}`, which ran once for each dataset. That assumes that \
             the clean stage draws nothing, and that `{name}` sees of the dataset only this value"
        ));
    }
    Ok(description)
}

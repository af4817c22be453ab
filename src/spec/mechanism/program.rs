//! Programs as mechanisms: from TOML, and again from certificates.

use super::built::{Built, PROCESS};
use crate::spec::error::Mistake;
use crate::spec::read::{self, Fields, SpannedValue};
use plaudit_core::finding::MechanismSummary;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::mechanism::process::{Format, Process, ProgramSettings, find};
use serde_json::Value as Json;
use std::path::Path;

const EXAMPLE: &str = "{ command = [\"python3\", \"mechanism.py\"] }";
const KEYS: [&str; 6] = ["command", "format", "timeout", "batch", "patience", "interleaved"];

/// Reads a program; it will be started in the folder of `file`.
pub(super) fn read(
    fields: &Fields<'_, '_>,
    value: &SpannedValue<'_>,
    file: &Path,
) -> Result<Built, Mistake> {
    if let Some(mistake) = fields.unknown_keys(&KEYS).into_iter().next() {
        return Err(mistake);
    }
    let command = fields.require("command", EXAMPLE)?;
    let words = read::list(command, "`command`", "[\"python3\", \"mechanism.py\"]")?;
    let words = words.iter().map(|word| read::text(word, "a part of `command`").map(str::to_owned));
    let format = match fields.get("format") {
        None => Format::Json,
        Some(value) => match read::text(value, "`format`")? {
            "json" => Format::Json,
            "npy" => Format::Npy,
            other => {
                let message = format!("unknown format `{other}`");
                let help = "write format = \"json\" or format = \"npy\"";
                return Err(Mistake::new(value.span(), message, help));
            }
        },
    };
    let batch = batch(fields)?;
    let interleaved = fields.get("interleaved").map(|value| read::boolean(value, "`interleaved`"));
    let interleaved = interleaved.transpose()?;
    let settings = ProgramSettings {
        command: words.collect::<Result<_, _>>()?,
        folder: file.parent().unwrap_or_else(|| Path::new("")).to_owned(),
        format,
        timeout: seconds(fields, "timeout")?,
        batch,
        patience: seconds(fields, "patience")?,
        interleaved: interleaved.unwrap_or(false),
    };
    settings.check().map_err(|(key, why)| {
        let span = fields.get(key).map_or_else(|| value.span(), |value| value.span());
        Mistake::new(span, why, format!("for example mechanism = {EXAMPLE}"))
    })?;
    let parameters = serde_json::to_value(&settings).unwrap_or(Json::Null);
    let missing = find::check(&settings.command, &settings.folder).err().map(|missing| {
        let word = command.get_ref().as_array().and_then(|words| words.get(missing.word));
        let span = word.map_or_else(|| command.span(), |word| word.span());
        Mistake::new(span, missing.why, missing.help)
    });
    let mechanism: Box<dyn CatalogMechanism> = Box::new(Process::new(settings));
    let description = mechanism.describe();
    let (kind, post) = (PROCESS.to_owned(), Vec::new());
    let summary = MechanismSummary { kind, parameters, description, post };
    Ok(Built { mechanism, summary, missing })
}

pub(super) fn seconds(fields: &Fields<'_, '_>, key: &str) -> Result<f64, Mistake> {
    fields.get(key).map_or(Ok(60.0), |value| read::number(value, &format!("`{key}`")))
}

pub(super) fn batch(fields: &Fields<'_, '_>) -> Result<Option<usize>, Mistake> {
    let batch = fields.get("batch").map(|value| read::whole(value, "`batch`")).transpose()?;
    Ok(batch.map(|batch| usize::try_from(batch).unwrap_or(usize::MAX)))
}

/// A program again from the parameters of a certificate.
pub(super) fn rebuild(parameters: &Json) -> Result<Box<dyn CatalogMechanism>, String> {
    let settings: ProgramSettings = serde_json::from_value(parameters.clone())
        .map_err(|error| format!("the program's settings are damaged: {error}"))?;
    settings.check().map_err(|(_, why)| why)?;
    Ok(Box::new(Process::new(settings)))
}

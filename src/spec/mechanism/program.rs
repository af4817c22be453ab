//! Programs as mechanisms: from TOML, and again from certificates.

use super::built::{Built, NO_TIME};
use crate::spec::error::Mistake;
use crate::spec::read::{self, Fields, SpannedValue};
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::MechanismSummary;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::mechanism::{
    process::Process,
    program::{Format, ProgramSettings, find},
};
use serde_json::Value as Json;
use std::path::Path;

const EXAMPLE: &str = "{ command = [\"python3\", \"mechanism.py\"] }";
const STAGES: &str =
    "stages = { clean = [\"python3\", \"clean.py\"], noise = [\"python3\", \"noise.py\"] }";
const KEYS: [&str; 7] =
    ["command", "stages", "format", "timeout", "batch", "patience", "interleaved"];

/// Reads a program; it will be started in the folder of `file`.
pub(super) fn read(
    fields: &Fields<'_, '_>,
    value: &SpannedValue<'_>,
    file: &Path,
) -> Result<Built, Mistake> {
    if let Some(mistake) = fields.unknown_keys(&KEYS).into_iter().next() {
        return Err(mistake);
    }
    let [command, clean] = commands(fields)?;
    let command = command.ok_or_else(|| {
        Mistake::new(value.span(), "the mechanism has no `command`", format!("write {EXAMPLE}"))
    })?;
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
        command: words(command)?,
        clean: clean.map(words).transpose()?,
        folder: file.parent().unwrap_or_else(|| Path::new("")).to_owned(),
        format,
        timeout: seconds(fields, "timeout")?,
        batch,
        patience: seconds(fields, "patience")?,
        interleaved: interleaved.unwrap_or(false),
    };
    settings.check().map_err(|(key, why)| {
        let own = if key == "clean" { clean } else { fields.get(key) };
        let span = own.map_or_else(|| value.span(), |value| value.span());
        Mistake::new(span, why, format!("for example mechanism = {EXAMPLE}"))
    })?;
    let parameters = serde_json::to_value(&settings).unwrap_or(Json::Null);
    let own = [(Some(command), Some(&settings.command)), (clean, settings.clean.as_ref())];
    let missing = own.into_iter().find_map(|(value, words)| {
        let (value, missing) = (value?, find::check(words?, &settings.folder).err()?);
        let word = value.get_ref().as_array().and_then(|words| words.get(missing.word));
        let span = word.map_or_else(|| value.span(), |word| word.span());
        Some(Mistake::new(span, missing.why, missing.help))
    });
    let mechanism: Box<dyn CatalogMechanism> = Box::new(Process::new(settings));
    let description = mechanism.describe();
    let (kind, post) = (MechanismKind::Program, Vec::new());
    let summary = MechanismSummary { kind, parameters, description, post };
    Ok(Built { mechanism, summary, missing })
}

/// The command, or that of the noise stage, and that of the clean stage.
fn commands<'a, 'i>(fields: &Fields<'a, 'i>) -> Result<[Option<&'a SpannedValue<'i>>; 2], Mistake> {
    let Some(stages) = fields.get("stages") else { return Ok([fields.get("command"), None]) };
    if let Some(command) = fields.get("command") {
        let message = "`command` is the whole mechanism, and `stages` are its parts";
        return Err(Mistake::new(command.span(), message, "leave one of them out"));
    }
    if let Some(interleaved) = fields.get("interleaved") {
        return Err(Mistake::new(interleaved.span(), NO_TIME.0, NO_TIME.1));
    }
    let stages = Fields::of("`stages`", stages, STAGES)?;
    if let Some(mistake) = stages.unknown_keys(&["clean", "noise"]).into_iter().next() {
        return Err(mistake);
    }
    Ok([Some(stages.require("noise", STAGES)?), Some(stages.require("clean", STAGES)?)])
}

fn words(command: &SpannedValue<'_>) -> Result<Vec<String>, Mistake> {
    let words = read::list(command, "a command", "[\"python3\", \"mechanism.py\"]")?;
    words.iter().map(|word| read::text(word, "a part of a command").map(str::to_owned)).collect()
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

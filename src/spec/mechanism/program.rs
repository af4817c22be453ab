//! Programs as mechanisms: from TOML, and again from certificates.

use super::built::{Built, NO_TIME};
use crate::spec::error::{Checked, Mistake};
use crate::spec::read::{self, Fields, Place, Value};
use plaudit_core::finding::MechanismKind;
use plaudit_engine::mechanism::{
    process::Process,
    program::{Format, ProgramSettings, find},
};
use serde_json::Value as Json;
use std::path::Path;
use toml::de::DeValue;

const EXAMPLE: &str = "{ command = [\"python3\", \"mechanism.py\"] }";
const STAGES: &str =
    "stages = { clean = [\"python3\", \"clean.py\"], noise = [\"python3\", \"noise.py\"] }";
const KEYS: [&str; 7] =
    ["command", "stages", "format", "timeout", "batch", "patience", "interleaved"];

/// Reads a program; it will be started in the folder of `file`.
pub(super) fn read(fields: &Fields<'_>, value: &Value<'_>, file: &Path) -> Checked<Built> {
    const FORMATS: [(&str, Format); 2] = [("json", Format::Json), ("npy", Format::Npy)];
    fields.only(&KEYS)?;
    let [command, clean] = commands(fields)?;
    let no_command = || value.wrong("the mechanism has no `command`", format!("write {EXAMPLE}"));
    let command = command.ok_or_else(no_command)?;
    let format = fields.optional("format", |value, what| {
        read::word(value, what, &FORMATS, |other| {
            let help = "write format = \"json\" or format = \"npy\"";
            (format!("unknown format `{other}`"), help.to_owned())
        })
    })?;
    let settings = ProgramSettings {
        command: words(command)?,
        clean: clean.map(words).transpose()?,
        folder: read::beside(file, ""),
        format: format.unwrap_or(Format::Json),
        timeout: seconds(fields, "timeout")?,
        batch: fields.optional("batch", read::size)?,
        patience: seconds(fields, "patience")?,
        interleaved: fields.flag("interleaved")?,
    };
    settings.check().map_err(|(key, why)| {
        let span = clean.filter(|_| key == "clean").map(Value::span);
        let help = format!("for example mechanism = {EXAMPLE}");
        Mistake::new(span.unwrap_or_else(|| fields.place_of(key)), why, help)
    })?;
    let parameters = serde_json::to_value(&settings).unwrap_or(Json::Null);
    let missing = missing(command, &settings.command, &settings)
        .or_else(|| missing(clean?, settings.clean.as_ref()?, &settings));
    let process = Box::new(Process::new(settings));
    Ok(Built { missing, ..Built::new(MechanismKind::Program, parameters, process) })
}

/// Obstacle to starting a command, at its word.
fn missing(command: &Value<'_>, words: &[String], settings: &ProgramSettings) -> Option<Mistake> {
    let missing = find::check(words, &settings.folder).err()?;
    let word = command.get_ref().as_array().and_then(|words| words.get(missing.word));
    Some(word.unwrap_or(command).wrong(missing.why, missing.help))
}

/// The command, or that of the noise stage, and that of the clean stage.
fn commands<'a>(fields: &Fields<'a>) -> Checked<[Option<&'a Value<'a>>; 2]> {
    let Some(stages) = fields.get("stages") else { return Ok([fields.get("command"), None]) };
    if let Some(command) = fields.get("command") {
        let message =
            "`command` is the whole mechanism, while `stages` are its parts: give one of them";
        return command.refuse(message, "leave one of them out");
    }
    if let Some(interleaved) = fields.get("interleaved") {
        return interleaved.refuse(NO_TIME.0, NO_TIME.1);
    }
    let stages = Fields::with_keys("`stages`", stages, &["clean", "noise"], STAGES)?;
    Ok([Some(stages.require("noise", STAGES)?), Some(stages.require("clean", STAGES)?)])
}

fn words(command: &Value<'_>) -> Checked<Vec<String>> {
    let names = ("a command", "a part of a command", "[\"python3\", \"mechanism.py\"]");
    read::list_of(command, names, read::owned).map_err(|mistake| match command.get_ref() {
        DeValue::String(line) if !line.trim().is_empty() && !line.contains(['"', '\'', '\\']) => {
            let words: Vec<&str> = line.split_whitespace().collect();
            Mistake { help: format!("write it as an array: {words:?}"), ..mistake }
        }
        _ => mistake,
    })
}

pub(super) fn seconds(fields: &Fields<'_>, key: &str) -> Checked<f64> {
    Ok(fields.optional(key, read::number)?.unwrap_or(60.0))
}

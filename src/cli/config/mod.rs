//! Settings by source: the file `plaudit.toml`, the environment (`PLAUDIT_*`), the command line.
//!
//! A setting is the argument that it represents, so that each value passes the same parser and gets the same message
//! from any source. Flags override the environment, which overrides the file, and `[gate]` of the file overrides
//! `[audit]`.

mod environment;
mod file;
mod setting;

use super::args::{Arguments, ConfigArguments, OutputFormat};
use super::{Failure, exit, output};
use clap::CommandFactory as _;
use clap::parser::ValueSource;
use file::ConfigFile;
use plaudit_core::visible::visible;
use plaudit_report::report::columns;
use serde_json::{Value, json};
use setting::{Settable, Setting, settable};
use std::ffi::OsString;

/// Subcommands that have settings.
const COMMANDS: [&str; 2] = ["audit", "gate"];

/// The arguments with those that the file and the environment add; wrong arguments as they are.
pub(super) fn layered(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let Ok(matches) = Arguments::command().try_get_matches_from(&arguments) else {
        return Ok(arguments);
    };
    let Some((command, typed)) = matches.subcommand() else { return Ok(arguments) };
    let Some(command) = COMMANDS.into_iter().find(|name| *name == command) else {
        return Ok(arguments);
    };
    let layers = Layers::read()?;
    let more = settable(command).into_iter().filter_map(|option| {
        let is_typed = typed.value_source(&option.id) == Some(ValueSource::CommandLine);
        layers.of(command, &option.name).filter(|_| !is_typed).map(|it| it.arguments(&option))
    });
    let more: Vec<String> = more.flatten().collect();
    let at = place_of_subcommand(&arguments) + 1;
    arguments.splice(at..at, more.into_iter().map(OsString::from));
    Ok(arguments)
}

/// Index of the subcommand among right arguments: only `--color` may come before it.
fn place_of_subcommand(arguments: &[OsString]) -> usize {
    let mut at = 1;
    while arguments.get(at).is_some_and(|word| word.to_string_lossy().starts_with('-')) {
        at += if arguments[at] == "--color" { 2 } else { 1 };
    }
    at
}

/// Everything that is set, checked.
struct Layers {
    file: Option<ConfigFile>,
    environment: Vec<Setting>,
}

impl Layers {
    fn read() -> Result<Self, Failure> {
        let mut mistakes = Vec::new();
        let options = COMMANDS.map(settable);
        let file = ConfigFile::find(&options, &mut mistakes)?;
        let environment = environment::read(&options[1], &mut mistakes);
        let of_file = file.iter().flat_map(|file| file.tables());
        for (command, settings) in of_file.chain([("gate", &environment)]) {
            mistakes.extend(settings.iter().filter_map(|setting| setting.check(command)));
        }
        if mistakes.is_empty() {
            Ok(Self { file, environment })
        } else {
            Err(Failure::Message(mistakes.join("\n")))
        }
    }

    /// Effective setting of an option of a subcommand.
    fn of(&self, command: &str, name: &str) -> Option<&Setting> {
        let file = self.file.iter().flat_map(|file| {
            [&file.gate, &file.audit].into_iter().skip(usize::from(command != "gate"))
        });
        std::iter::once(&self.environment).chain(file).flatten().find(|it| it.name == name)
    }
}

/// `plaudit config`: what counts where no flag is given, and why.
pub(super) fn run(raw: &ConfigArguments) -> Result<u8, Failure> {
    let layers = Layers::read()?;
    let file = layers.file.as_ref().map(|file| file.path.display().to_string());
    let rows = |command| {
        settable(command).into_iter().map(|option| {
            let set = layers.of(command, &option.name);
            let (value, source) = match set {
                Some(setting) => (setting.value(&option), setting.source.clone()),
                None => (option.default.clone(), "default".to_owned()),
            };
            (option, value, source)
        })
    };
    match raw.format {
        OutputFormat::Json => {
            let entry = |(option, value, source): (Settable, Vec<String>, String)| {
                let value = match &value[..] {
                    _ if option.is_list => json!(value),
                    [] => Value::Null,
                    [one] => json!(one),
                    _ => json!(value),
                };
                json!({ "name": option.name, "value": value, "source": source })
            };
            let of = |command| rows(command).map(entry).collect::<Vec<_>>();
            output::print_json(&json!({ "file": file, "audit": of("audit"), "gate": of("gate") }))?;
        }
        OutputFormat::Human => {
            let mut words = match file {
                Some(file) => format!("file: {}\n", visible(&file)),
                None => {
                    format!("file: none ({} is searched up to the repository's root)\n", file::NAME)
                }
            };
            for command in COMMANDS {
                let cells = rows(command).map(|(option, value, source)| {
                    let value = if value.is_empty() { "-".to_owned() } else { value.join(" ") };
                    [option.name, visible(&value), visible(&source)]
                });
                words += &format!("\n{command}\n{}", table(cells.collect()));
            }
            output::print(&words)?;
        }
    }
    Ok(exit::AS_EXPECTED)
}

/// Rows in columns, with their heads.
fn table(mut rows: Vec<[String; 3]>) -> String {
    rows.insert(0, ["name", "value", "source"].map(str::to_owned));
    let width = |at: usize| rows.iter().map(|row| columns(&row[at])).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let pad = |cell: &str, width: usize| " ".repeat(width - columns(cell) + 2);
    let line = |[name, value, source]: &[String; 3]| {
        format!("  {name}{}{value}{}{source}\n", pad(name, first), pad(value, second))
    };
    rows.iter().map(line).collect()
}

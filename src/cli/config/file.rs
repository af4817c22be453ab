//! Settings from `plaudit.toml`.

use super::setting::{Settable, Setting};
use crate::cli::{Failure, output};
use plaudit_accountant::near::nearest;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

pub(super) const NAME: &str = "plaudit.toml";

pub(super) struct ConfigFile {
    /// Path from the current folder.
    pub path: PathBuf,
    /// For `plaudit audit`, and for `plaudit gate` unless that has its own.
    pub audit: Vec<Setting>,
    pub gate: Vec<Setting>,
}

impl ConfigFile {
    /// Reads the nearest file, if there is one; `options` are those of `audit` and of `gate`.
    pub fn find(
        options: &[Vec<Settable>; 2],
        mistakes: &mut Vec<String>,
    ) -> Result<Option<Self>, Failure> {
        let here = std::env::current_dir().map_err(|error| {
            Failure::Message(format!("cannot determine the current folder: {error}"))
        })?;
        let Some(folder) = nearest_folder(&here) else { return Ok(None) };
        let path = folder.join(NAME);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::of_file("cannot read", &path, &error))?;
        let [audit, gate] = options;
        let reader = ConfigReader { text: &text, place: output::path(&path), folder };
        let (audit, gate) = reader.tables(audit, gate, mistakes);
        Ok(Some(Self { path, audit, gate }))
    }

    /// Each table and the subcommand that it is for.
    pub fn tables(&self) -> [(&'static str, &Vec<Setting>); 2] {
        [("audit", &self.audit), ("gate", &self.gate)]
    }
}

/// The nearest folder with such a file, from the current one: its parents count up to the root of the repository.
fn nearest_folder(here: &Path) -> Option<PathBuf> {
    let root = here.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    let up = here.ancestors().take(root + 1).position(|folder| folder.join(NAME).exists())?;
    Some(std::iter::repeat_n("..", up).collect())
}

/// A file while it is read.
struct ConfigReader<'a> {
    text: &'a str,
    place: String,
    folder: PathBuf,
}

impl ConfigReader<'_> {
    fn tables(
        &self,
        audit: &[Settable],
        gate: &[Settable],
        mistakes: &mut Vec<String>,
    ) -> (Vec<Setting>, Vec<Setting>) {
        let mut read = (Vec::new(), Vec::new());
        let table = match DeTable::parse(self.text) {
            Ok(table) => table,
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                mistakes.push(self.at(at, &error.message().trim_end().replace('\n', ", ")));
                return read;
            }
        };
        for (key, value) in table.get_ref() {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            let (options, settings) = match name {
                "audit" => (audit, &mut read.0),
                "gate" => (gate, &mut read.1),
                _ => {
                    let help = match nearest(name, &["audit", "gate"]) {
                        Some(near) => format!("did you mean [{near}]?"),
                        None => "settings belong under [audit] or [gate]".to_owned(),
                    };
                    mistakes.push(self.at(at, &format!("unknown key `{name}`; {help}")));
                    continue;
                }
            };
            let DeValue::Table(entries) = value.get_ref() else {
                mistakes.push(self.at(at, &format!("`{name}` must be a table: write [{name}]")));
                continue;
            };
            for (key, value) in entries {
                let at = key.span().start;
                let known = options.iter().find(|option| option.name == key.get_ref().as_ref());
                let setting = match known {
                    Some(option) => self.setting(option, value.get_ref(), at),
                    None => Err(unknown(key.get_ref(), name, options, gate)),
                };
                match setting {
                    Ok(setting) => settings.push(setting),
                    Err(why) => mistakes.push(self.at(at, &why)),
                }
            }
        }
        read
    }

    fn setting(
        &self,
        option: &Settable,
        value: &DeValue<'_>,
        at: usize,
    ) -> Result<Setting, String> {
        let wrong = || {
            let wanted = match (option.is_list, option.is_flag) {
                (true, _) => "a string or an array of strings",
                (_, true) => "true or false",
                _ => "a string, a number, true or false",
            };
            format!("`{}` must be {wanted}", option.name)
        };
        let values = match value {
            DeValue::Array(entries) if option.is_list => {
                let text = |entry: &toml::Spanned<DeValue<'_>>| match entry.get_ref() {
                    DeValue::String(text) => Some(text.to_string()),
                    _ => None,
                };
                entries.iter().map(text).collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
            DeValue::Boolean(yes) if !option.is_list => vec![yes.to_string()],
            _ if option.is_flag => return Err(wrong()),
            DeValue::String(text) => vec![text.to_string()],
            DeValue::Integer(number) if !option.is_list => {
                let whole = i128::from_str_radix(number.as_str(), number.radix());
                vec![whole.map_err(|_| wrong())?.to_string()]
            }
            DeValue::Float(number) if !option.is_list => vec![number.as_str().to_owned()],
            _ => return Err(wrong()),
        };
        Ok(Setting {
            name: option.name.clone(),
            values,
            source: format!("{}:{}", self.place, self.line(at)),
            folder: self.folder.clone(),
        })
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|byte| *byte == b'\n').count()
    }

    fn at(&self, at: usize, why: &str) -> String {
        format!("{}:{}: {why}", self.place, self.line(at))
    }
}

fn unknown(key: &str, table: &str, options: &[Settable], gate: &[Settable]) -> String {
    let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    let help = match nearest(key, &names) {
        _ if gate.iter().any(|option| option.name == key) => "it belongs under [gate]".to_owned(),
        Some(near) => format!("did you mean `{near}`?"),
        None => "`plaudit config` lists the keys".to_owned(),
    };
    format!("unknown key `{key}` in [{table}]; {help}")
}

//! A setting, and the option that it represents.

use crate::cli::args::Arguments;
use clap::{ArgAction, CommandFactory as _};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// An option of a subcommand that may be set elsewhere.
pub(super) struct Settable {
    /// Name in clap.
    pub id: String,
    /// Its long flag without dashes, or `paths`.
    pub name: String,
    /// `true` if it takes no value.
    pub is_flag: bool,
    /// `true` if it is given without a flag, any number of times.
    pub is_list: bool,
    is_path: bool,
    /// Default value in words.
    pub default: Vec<String>,
}

/// All of a subcommand.
pub(super) fn settable(command: &str) -> Vec<Settable> {
    let all = Arguments::command();
    let arguments = all.find_subcommand(command).into_iter().flat_map(|it| it.get_arguments());
    let of = |argument: &clap::Arg| {
        let id = argument.get_id().to_string();
        let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
        let text = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let told = text.rsplit_once("[default: ").and_then(|(_, told)| told.split(']').next());
        let given = argument.get_default_values().iter().map(|it| it.to_string_lossy().into());
        Settable {
            name: argument.get_long().map_or_else(|| id.clone(), str::to_owned),
            id,
            is_flag,
            is_list: argument.is_positional(),
            is_path: argument.get_value_parser().type_id() == TypeId::of::<PathBuf>(),
            default: match told {
                _ if is_flag => vec!["false".to_owned()],
                Some(told) => vec![told.to_owned()],
                None => given.collect(),
            },
        }
    };
    arguments.filter(|argument| argument.get_id() != "help").map(of).collect()
}

/// A value and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub name: String,
    /// Its value, or several of a list.
    pub values: Vec<String>,
    /// "plaudit.toml:3", or the name of a variable.
    pub source: String,
    /// Base of its paths, from the current folder.
    pub folder: PathBuf,
}

impl Setting {
    /// The values, with paths from the current folder.
    pub fn value(&self, option: &Settable) -> Vec<String> {
        let from_here = |value: &String| match option.is_path {
            true => path_from_here(&self.folder, value),
            false => value.clone(),
        };
        self.values.iter().map(from_here).collect()
    }

    pub fn arguments(&self, option: &Settable) -> Vec<String> {
        let values = self.value(option);
        match (option.is_list, option.is_flag) {
            (true, _) => values,
            (_, true) if values == ["true"] => vec![format!("--{}", option.name)],
            (_, true) => Vec::new(),
            _ => values.iter().map(|value| format!("--{}={value}", option.name)).collect(),
        }
    }

    /// Mistake in it, in the words of the command line.
    pub fn check(&self, command: &str) -> Option<String> {
        let option = settable(command).into_iter().find(|option| option.name == self.name)?;
        if option.is_flag && !["true", "false"].contains(&&*self.values.concat()) {
            let value = self.values.concat();
            return Some(format!(
                "{}: `{}` is true or false, not `{value}`",
                self.source, self.name
            ));
        }
        let words = ["plaudit", command].map(str::to_owned).into_iter();
        let words = words.chain(self.arguments(&option));
        let error = Arguments::command().try_get_matches_from(words).err()?.to_string();
        let why = error.split("\n\nFor more information").next().unwrap_or(&error);
        let why = why.strip_prefix("error: ").unwrap_or(why);
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(format!("{}: {why}", self.source))
    }
}

fn path_from_here(folder: &Path, value: &str) -> String {
    let path = folder.join(value).display().to_string();
    // A path must not look like an option.
    if path.starts_with('-') { format!("./{path}") } else { path }
}

//! A program and the settings for running it.

use super::find;
use plaudit_core::dataset::{Dataset, FileDataset, sha256_of};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Output format of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    #[default]
    Json,
    Npy,
}

impl Format {
    /// The word in requests and specs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Npy => "npy",
        }
    }

    /// Default number of runs of a request, which keeps the cost of the request small.
    pub(in crate::mechanism) fn batch(self) -> usize {
        match self {
            Self::Json => 4096,
            Self::Npy => 1 << 15,
        }
    }
}

/// A program and the settings for running it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSettings {
    /// The program and its arguments; no shell is involved.
    pub command: Vec<String>,
    /// The clean stage, if it is a noise stage: a program and its arguments, whose answer it gets in place of the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clean: Option<Vec<String>>,
    /// The folder it is started in; empty: that of plaudit.
    #[serde(default)]
    pub folder: PathBuf,
    #[serde(default)]
    pub format: Format,
    /// Time limit of an answer in seconds.
    #[serde(default = "default_timeout")]
    pub timeout: f64,
    /// Most runs of a request; by default 4096, or 32768 as arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<usize>,
    /// Time limit in seconds for a program where every run needs a fresh copy.
    #[serde(default = "default_patience")]
    pub patience: f64,
    /// `true` if it answers requests for timed runs on both datasets in a given order.
    #[serde(default, skip_serializing_if = "is_false")]
    pub interleaved: bool,
}

fn is_false(yes: &bool) -> bool {
    !yes
}

fn default_timeout() -> f64 {
    60.0
}

fn default_patience() -> f64 {
    60.0
}

const MOST_BATCH: usize = 1 << 22;

impl ProgramSettings {
    /// The dataset in its form for the program. It may run in another folder than plaudit, so paths of files are
    /// absolute.
    pub(in crate::mechanism) fn wire(&self, dataset: &Dataset) -> String {
        match dataset.file() {
            Some(FileDataset { path, sha256 }) => {
                let path = find::full(path, &self.folder);
                Dataset::of_file(&path, sha256).to_wire()
            }
            None => dataset.to_wire(),
        }
    }

    /// Checks that a file still has its hash.
    pub(in crate::mechanism) fn unchanged(&self, file: FileDataset<'_>) -> Result<(), String> {
        let FileDataset { path, sha256 } = file;
        let full = self.folder.join(path);
        let path = path.escape_debug();
        match sha256_of(&full) {
            Err(error) => Err(format!("the file `{path}` cannot be read: {error}")),
            Ok(found) if found != sha256 => Err(format!(
                "the file `{path}` is not the expected one: its SHA-256 is {found}, not {}",
                sha256.escape_debug()
            )),
            Ok(_) => Ok(()),
        }
    }

    /// Checks that the numbers are valid.
    ///
    /// # Errors
    /// The name of the field, and its problem.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let seconds = |x: f64| x > 0.0 && x <= 1e6;
        let commands = [("command", Some(&self.command)), ("clean", self.clean.as_ref())];
        for (key, command) in commands {
            let Some(command) = command else { continue };
            if command.first().is_none_or(String::is_empty) {
                return Err((key, "the command is empty".into()));
            }
            if command.iter().any(|word| word.contains('\0')) {
                return Err((key, "no part of a command can hold the character 0".into()));
            }
        }
        if !seconds(self.timeout) {
            let message = format!("timeout = {} is invalid: above 0, at most 1e6", self.timeout);
            return Err(("timeout", message));
        }
        if !seconds(self.patience) {
            let message = format!("patience = {} is invalid: above 0, at most 1e6", self.patience);
            return Err(("patience", message));
        }
        if let Some(batch) = self.batch.filter(|batch| !(1..=MOST_BATCH).contains(batch)) {
            let message = format!("batch = {batch} is invalid: from 1 to {MOST_BATCH}");
            return Err(("batch", message));
        }
        if self.interleaved && self.format == Format::Npy {
            let message =
                "interleaved = true needs format = \"json\": an array has no room for `$ns`";
            return Err(("interleaved", message.into()));
        }
        Ok(())
    }
}

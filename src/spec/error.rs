//! Mistakes in specs, and where they are.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A mistake in a spec: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}\n  help: {help}", self.place())]
pub struct SpecError {
    /// The file, as it was named.
    pub file: PathBuf,
    /// Position in the file; `None` if it could not be read at all.
    pub position: Option<Position>,
    /// The mistake.
    pub message: String,
    /// The remedy.
    pub help: String,
    /// The text of the file, empty if it could not be read.
    pub source_text: Arc<str>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes of the text that are meant.
    pub span: Range<usize>,
}

impl SpecError {
    /// A file or folder that cannot be read.
    pub(super) fn of_file(file: &Path, message: String, help: &str) -> Self {
        Self {
            file: file.to_owned(),
            position: None,
            message,
            help: help.to_owned(),
            source_text: "".into(),
        }
    }

    fn place(&self) -> String {
        let file = self.file.display();
        match &self.position {
            Some(Position { line, column, .. }) => format!("{file}:{line}:{column}"),
            None => file.to_string(),
        }
    }
}

/// All mistakes of all specs; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(pub Vec<SpecError>);

impl std::fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}

/// Something that was read, or the mistake in it.
pub(in crate::spec) type Checked<T> = Result<T, Mistake>;

/// A mistake in a text whose file is known to the caller.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The mistake.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl Mistake {
    pub fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: help.into() }
    }
}

pub(crate) struct SpecSource {
    pub path: PathBuf,
    pub text: Arc<str>,
}

impl SpecSource {
    pub fn read(path: &Path) -> Result<Self, Box<SpecError>> {
        let bytes = std::fs::read(path).map_err(|error| {
            let message = format!("cannot read this spec: {error}");
            Box::new(SpecError::of_file(path, message, "check the path and its permissions"))
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("this spec is not UTF-8 text (at byte {at})");
            Box::new(SpecError::of_file(path, message, "save the file as UTF-8"))
        })?;
        Ok(Self { path: path.to_owned(), text: text.into() })
    }

    /// Adds the file, line and column.
    pub fn error(&self, mistake: Mistake) -> SpecError {
        let (line, column) = self.line_and_column(mistake.span.start);
        SpecError {
            file: self.path.clone(),
            position: Some(Position { line, column, span: mistake.span }),
            message: mistake.message,
            help: mistake.help,
            source_text: self.text.clone(),
        }
    }

    /// "file:line:column" of a byte.
    pub fn place(&self, byte: usize) -> String {
        let (line, column) = self.line_and_column(byte);
        format!("{}:{line}:{column}", self.path.display())
    }

    /// The line of a byte, from 1.
    pub fn line(&self, byte: usize) -> usize {
        self.line_and_column(byte).0
    }

    fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        (line, column)
    }
}

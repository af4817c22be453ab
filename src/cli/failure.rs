//! What keeps the program from an answer, and how it says so.

use super::{exit, interrupt, output};
use crate::spec::{SpecError, SpecErrors};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, ThemeCharacters,
    ThemeStyles,
};
use std::io::{IsTerminal, Write};

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong, or ask for help or the version.
    Usage(clap::Error),
    /// The specs have mistakes.
    Spec(SpecErrors),
    /// Anything else that went wrong: what it was and what to do.
    Message(String),
    /// Somebody interrupted it; what that means for the report.
    Interrupted(String),
    /// Nothing to do: why.
    NothingSelected(String),
}

impl Failure {
    /// A message about a file.
    pub(super) fn of_file(
        what: &str,
        file: &std::path::Path,
        error: &dyn std::fmt::Display,
    ) -> Self {
        Self::Message(format!("{what} {}: {error}", file.display()))
    }

    /// Tells it on standard error (help and version on standard output) and gives the exit code.
    pub fn tell(&self) -> u8 {
        let (code, words) = match self {
            Self::Usage(error) => {
                // 0 for help and version, else 2. Nobody is left to hear of an error here.
                let _ = error.print();
                return if error.use_stderr() { exit::FAILED } else { exit::AS_EXPECTED };
            }
            Self::Spec(errors) => (exit::FAILED, pages(errors)),
            Self::Message(message) => (exit::FAILED, output::error_line(message)),
            Self::Interrupted(message) => (interrupt::code(), output::error_line(message)),
            Self::NothingSelected(message) => (exit::NOTHING_SELECTED, output::error_line(message)),
        };
        // If standard error is closed, the exit code must do.
        let _ = write!(anstream::stderr().lock(), "{words}");
        code
    }
}

impl From<SpecErrors> for Failure {
    fn from(errors: SpecErrors) -> Self {
        Self::Spec(errors)
    }
}

/// A mistake in a spec, as a page with the place underlined.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.headline())]
struct Page<'a> {
    error: &'a SpecError,
    text: Option<NamedSource<String>>,
}

impl Page<'_> {
    /// The message, with the file if no place in it is shown.
    fn headline(&self) -> String {
        let SpecError { file, position, message, .. } = self.error;
        match position {
            Some(_) => message.clone(),
            None => format!("{}: {message}", file.display()),
        }
    }
}

impl Diagnostic for Page<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(&self.error.help))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.text.as_ref().map(|text| text as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.error.position.as_ref()?.span.clone();
        Some(Box::new(std::iter::once(LabeledSpan::underline(span))))
    }
}

/// One page a mistake. Colors that standard error does not take are taken out when it is written.
fn pages(errors: &SpecErrors) -> String {
    let characters = if std::io::stderr().is_terminal() {
        ThemeCharacters::unicode()
    } else {
        ThemeCharacters::ascii()
    };
    let theme = GraphicalTheme { characters, styles: ThemeStyles::ansi() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(output::width());
    let mut words = String::new();
    for error in &errors.0 {
        let text = error.position.as_ref().map(|_| {
            NamedSource::new(error.file.display().to_string(), error.source_text.to_string())
        });
        if handler.render_report(&mut words, &Page { error, text }).is_err() {
            // The place could not be shown: say it.
            words.push_str(&error.to_string());
        }
        words.push('\n');
    }
    let n = errors.0.len();
    let mistakes = if n == 1 { "1 mistake".to_owned() } else { format!("{n} mistakes") };
    words + &output::error_line(&format!("{mistakes} in the specs; nothing was run"))
}

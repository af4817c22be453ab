//! Messages about failures of the program.

use super::running::interrupt;
use super::{Failure, exit, output};
use crate::spec::{SpecError, SpecErrors};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use plaudit_core::visible::visible;
use std::io::{IsTerminal, Write};

impl Failure {
    pub(super) fn of_file(
        what: &str,
        file: &std::path::Path,
        error: &dyn std::fmt::Display,
    ) -> Self {
        Self::Message(format!("{what} {}: {error}", output::path(file)))
    }

    /// Prints it on standard error (help and version on standard output) and returns the exit code.
    pub fn tell(&self) -> u8 {
        let (code, words) = match self {
            Self::Usage(error) => {
                // 0 for help and version, else 2. An error here has no reader.
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

/// Mistakes that are shown. A spec that a program wrote may repeat one a thousand times.
const MOST_PAGES: usize = 50;

/// One page a mistake. Colors that standard error does not take are taken out when it is written.
pub fn pages(errors: &SpecErrors) -> String {
    let unicode = std::io::stderr().is_terminal();
    let decor = if unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    let renderer = Renderer::styled().decor_style(decor).term_width(output::width());
    let shown = errors.0.iter().take(MOST_PAGES);
    let mut words: String = shown.map(|error| page(&renderer, error) + "\n\n").collect();
    let mistakes = match errors.0.len() {
        1 => "1 mistake".to_owned(),
        n if n > MOST_PAGES => format!("{n} mistakes, of which {MOST_PAGES} are shown,"),
        n => format!("{n} mistakes"),
    };
    words += &output::error_line(&format!("{mistakes} in the specs; nothing was run"));
    words
}

/// A mistake with its place underlined, or with its file if it has no place.
fn page(renderer: &Renderer, error: &SpecError) -> String {
    let SpecError { file, position, message, help, source_text } = error;
    let (file, message) = (output::path(file), visible(message));
    let help = Level::HELP.message(visible(help));
    let Some(position) = position else {
        let title = Level::ERROR.primary_title(format!("{file}: {message}"));
        return renderer.render(&[title.element(help)]);
    };
    // Of several lines the first is enough.
    let start = position.span.start.min(source_text.len());
    let rest = source_text.get(start..position.span.end.min(source_text.len())).unwrap_or("");
    let end = start + rest.lines().next().map_or(0, str::len);
    let place = AnnotationKind::Primary.span(start..end);
    let snippet = Snippet::source(&**source_text).path(file).annotation(place);
    renderer.render(&[Level::ERROR.primary_title(message).element(snippet).element(help)])
}

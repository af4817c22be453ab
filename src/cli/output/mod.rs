//! Where words go, how wide and in which colors.

mod failure;

pub use failure::Failure;

use super::args::Color;
use crate::visible::{visible, visible_lines};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Columns where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 100;

/// Decides on colors for everything that is printed after.
pub(super) fn choose_colors(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Least width of anything.
const LEAST_WIDTH: usize = 40;

/// Columns: those of the variable COLUMNS, else of the terminal.
pub(super) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let said = said.filter(|&columns: &usize| columns > 0);
    let terminal = || {
        let (terminal_size::Width(columns), _) = terminal_size::terminal_size()?;
        Some(usize::from(columns))
    };
    said.or_else(terminal).unwrap_or(DEFAULT_WIDTH).max(LEAST_WIDTH)
}

/// A path as it may be shown.
pub(super) fn path(path: &std::path::Path) -> String {
    visible(&path.display().to_string())
}

/// A line that starts with a red "error:".
pub(super) fn error_line(message: &str) -> String {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    format!("{red}error:{red:#} {}\n", visible_lines(message))
}

/// Prints a result on standard output. A reader who has left (`| head`) has what it wanted.
pub(super) fn print(words: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(words.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Message(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as JSON on standard output.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::Message(format!("cannot write the result as JSON: {error}")))?;
    print(&(json + "\n"))
}

/// Says something that is no result on standard error. If that is closed, it goes unsaid.
pub(super) fn note(words: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{words}");
}

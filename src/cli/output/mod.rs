//! Where words go, how wide and in which colors.

mod failure;

pub use failure::Failure;

use super::args::Color;
use super::parse::OutputFormat;
use anstyle::{AnsiColor, Style};
use plaudit_core::visible::{visible, visible_lines};
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Columns without a terminal.
const DEFAULT_WIDTH: usize = 140;

/// Decides on colors for everything that is printed after.
pub(super) fn choose_colors(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

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

/// Text whose lines are at most `width` columns wide where words allow it; what follows is indented by four more than the
/// line. Rows of tables, which have blanks side by side, stay whole.
fn wrapped(text: &str, width: usize) -> String {
    let wrap = |line: &str| {
        let prose = line.trim_start_matches(' ');
        if prose.contains("   ") {
            return line.to_owned();
        }
        let indent = " ".repeat(line.len() - prose.len());
        let further = format!("{indent}    ");
        let options = Options::new(width)
            .initial_indent(&indent)
            .subsequent_indent(&further)
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation);
        textwrap::fill(prose, options)
    };
    text.split('\n').map(wrap).collect::<Vec<_>>().join("\n")
}

/// A path as it may be shown.
pub(super) fn path(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// A line that starts with a red "error:".
pub(super) fn error_line(message: &str) -> String {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    format!("{red}error:{red:#} {}\n", visible_lines(message))
}

/// Prints a result on standard output, on a terminal with its prose wrapped. A reader who has left (`| head`) has what it
/// wanted.
pub(super) fn print(words: &str) -> Result<(), Failure> {
    let wrapped = std::io::stdout().is_terminal().then(|| wrapped(words, width()));
    let words = wrapped.as_deref().unwrap_or(words);
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
    print(&(json(value)? + "\n"))
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Failure::Message(format!("cannot write the result as JSON: {error}")))
}

/// An answer for people and as JSON, and its exit code.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Lines for people.
    pub words: String,
    /// The same as JSON.
    pub json: String,
    /// One of [`exit`](super::exit).
    pub code: u8,
    /// Remarks, which are no result.
    pub notes: Vec<String>,
}

impl Answer {
    pub(super) fn new(value: &impl Serialize, words: String, code: u8) -> Result<Self, Failure> {
        Ok(Self { words, json: json(value)?, code, notes: Vec::new() })
    }

    /// Prints it, and gives its exit code.
    pub(super) fn print(&self, format: OutputFormat) -> Result<u8, Failure> {
        self.notes.iter().for_each(|words| note(words));
        match format {
            OutputFormat::Json => print(&format!("{}\n", self.json))?,
            OutputFormat::Human => print(&self.words)?,
        }
        Ok(self.code)
    }
}

/// Prints a remark, which is not a result, on standard error. If that is closed, it is lost.
pub(super) fn note(words: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{words}");
}

/// Checks before a long run that a file can be written: its folder exists.
pub fn check_folder(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::of_file("cannot write", file, &"its folder does not exist"))
        }
        _ if file.is_dir() => Err(Failure::of_file("cannot write", file, &"it is a folder")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn prose_is_wrapped_and_tables_are_not() {
        let text = "a   table that is wide\n  \u{1b}[31mone\u{1b}[0m two three four\nshort\n\nlast words here";
        let expected = "a   table that is wide\n  \u{1b}[31mone\u{1b}[0m two\n      three\n      four\nshort\n\nlast words\n    here";
        assert_eq!(wrapped(text, 10), expected);
        assert_eq!(wrapped(text, 100), text);
    }
}

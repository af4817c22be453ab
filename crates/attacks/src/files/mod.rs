//! Files of numbers and labels as people have them: the one reader of all commands that take scores or draws.
//!
//! ```text
//! .csv                     a table; the first row names the columns
//! .jsonl, .ndjson, others  one JSON object per line if columns are named, otherwise one number per line
//! .npy                     one array of numpy.save, of one dimension
//! .npz                     arrays of numpy.savez, each with a name
//! .parquet                 flat columns (with the feature `parquet`)
//! ```
//!
//! Files are read as streams: memory holds the numbers that are asked for and one batch of the file.

mod array;
mod cell;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

pub(crate) use array::names as array_names;

use plaudit_core::visible::{excerpt, visible};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Kind of the numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberKind {
    /// Its noun in the plural, and in the singular.
    nouns: [&'static str; 2],
    /// Reason to reject NaN.
    nan: Option<&'static str>,
    /// Shape that a file of them has.
    remedy: &'static str,
    /// Meaning of a label that is not one, and the labels that are.
    label: [&'static str; 2],
}

const ONE_A_LINE: &str = "write one number per line, or name a column of a table with --column";

impl NumberKind {
    pub const SCORES: Self = Self {
        nouns: ["scores", "score"],
        nan: Some(
            "this score is NaN, which is neither above nor below any threshold: leave such people out of both groups, or \
             give them a score that does not depend on their membership",
        ),
        remedy: ONE_A_LINE,
        label: [
            "does not state whether this is a member",
            "write 1, true or member if it is, 0, false or non-member if not",
        ],
    };
    /// Outcomes of a sampler, which can be NaN.
    pub const DRAWS: Self =
        Self { nouns: ["draws", "draw"], nan: None, remedy: ONE_A_LINE, label: ["", ""] };
    pub(crate) const CANARIES: Self = Self {
        nouns: ["canaries", "canary"],
        nan: Some(
            "this score is NaN, which is neither above nor below any other: leave this canary out only if its coin \
             did not influence that",
        ),
        remedy: "write digits and a decimal point, such as 0.5",
        label: [
            "does not state whether the canary was in",
            "write 1 or true if the canary was in, 0 or false if not",
        ],
    };
    /// Canaries of several versions: a label is the place or the name of a version, and is kept as it is written.
    pub(crate) const VERSIONS: Self = Self { label: ["", ""], ..Self::CANARIES };
}

/// A column of a file, and the option that names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    pub name: &'a str,
    pub option: &'static str,
}

/// The columns to read.
#[derive(Clone, Debug)]
pub(crate) struct Wanted<'a> {
    /// Columns of numbers; without any, the only column of the file.
    pub numbers: Vec<Named<'a>>,
    /// Column of the labels.
    pub label: Option<Named<'a>>,
    pub kind: NumberKind,
}

impl Wanted<'_> {
    /// `true` if a file of plain lines can have it.
    fn is_plain(&self) -> bool {
        self.numbers.is_empty() && self.label.is_none()
    }

    /// `true` if each row keeps its line, for errors that are found later.
    fn keeps_lines(&self) -> bool {
        self.label.is_some()
    }
}

/// Columns that were read, all of one length.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Columns {
    /// One list for each column of numbers.
    pub numbers: Vec<Vec<f64>>,
    /// `true` for a member, or for a canary that was in; empty if no label was wanted.
    pub labels: Vec<bool>,
    /// Labels as they are written, of [`NumberKind::VERSIONS`].
    pub words: Vec<String>,
    /// Line of each row, or its place from 1 on where a file has no lines; can be empty if no label was wanted.
    pub lines: Vec<u64>,
}

/// Mistake in a file, with its line.
#[derive(Debug, PartialEq)]
pub(crate) struct BadLine {
    pub line: Option<u64>,
    pub why: String,
}

impl Columns {
    fn add_label(&mut self, word: &str, kind: NumberKind) -> Result<(), String> {
        match kind {
            NumberKind::VERSIONS => self.words.push(word.trim().to_owned()),
            _ => self.labels.push(cell::label(word, kind)?),
        }
        Ok(())
    }
}

impl BadLine {
    fn line(line: u64, why: impl Into<String>) -> Self {
        Self { line: Some(line), why: why.into() }
    }

    fn of_file(why: impl std::fmt::Display) -> Self {
        Self { line: None, why: why.to_string() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Table,
    Lines,
    Array,
    Arrays,
    Parquet,
    /// Any other name: plain numbers, or JSON lines.
    Text,
}

impl FileFormat {
    pub fn of(path: &Path) -> Self {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => Self::Table,
            "jsonl" | "ndjson" => Self::Lines,
            "npy" => Self::Array,
            "npz" => Self::Arrays,
            "parquet" => Self::Parquet,
            _ => Self::Text,
        }
    }
}

/// Reads the columns of a file, whose extension gives the format. `-` is standard input, for draws.
///
/// # Errors
/// A message with the file, the line or row where there is one, and the remedy.
pub(crate) fn read(path: &Path, wanted: &Wanted<'_>) -> Result<Columns, String> {
    let place = visible(&path.display().to_string());
    let [many, one] = wanted.kind.nouns;
    let of_file =
        |error: &dyn std::fmt::Display| format!("cannot read the {many} in {place}: {error}");
    if path.is_dir() {
        return Err(of_file(&"it is a folder"));
    }
    let names: Vec<&str> = wanted.numbers.iter().map(|named| named.name).collect();
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, it)| names[..*at].contains(it)) {
        let twice = excerpt(twice.as_bytes());
        return Err(format!("the column `{twice}` is named twice: name each once"));
    }
    let columns = by_format(path, wanted).map_err(|BadLine { line, why }| match line {
        Some(line) => format!("{place}:{line}: {why}"),
        None => of_file(&why),
    })?;
    if columns.numbers.first().is_none_or(Vec::is_empty) {
        let why = match wanted.is_plain() {
            true => format!("it holds no {one}: {}", wanted.kind.remedy),
            false => format!("it holds no {one}"),
        };
        return Err(of_file(&why));
    }
    Ok(columns)
}

fn by_format(path: &Path, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    let open = || -> Result<Box<dyn Read>, BadLine> {
        match path.to_str() {
            Some("-") if wanted.kind == NumberKind::DRAWS => Ok(Box::new(std::io::stdin())),
            _ => Ok(Box::new(File::open(path).map_err(BadLine::of_file)?)),
        }
    };
    match FileFormat::of(path) {
        FileFormat::Table => table::read(open()?, wanted),
        FileFormat::Array => array::read(open()?, wanted),
        FileFormat::Arrays => array::read_several(path, wanted),
        FileFormat::Parquet => of_parquet(path, wanted),
        FileFormat::Lines | FileFormat::Text if wanted.is_plain() => {
            lines::read(open()?, wanted.kind)
        }
        FileFormat::Text if wanted.label.is_none() => Err(BadLine::of_file(
            "--column is for files that end in .csv, .jsonl, .ndjson, .npz or .parquet",
        )),
        FileFormat::Lines | FileFormat::Text => lines::read_objects(open()?, wanted),
    }
}

#[cfg(feature = "parquet")]
fn of_parquet(path: &Path, wanted: &Wanted<'_>) -> Result<Columns, BadLine> {
    parquet::read(path, wanted)
}

#[cfg(not(feature = "parquet"))]
fn of_parquet(_: &Path, _: &Wanted<'_>) -> Result<Columns, BadLine> {
    Err(BadLine::of_file(
        "this plaudit was built without Parquet: build it with `cargo install --features parquet`, or write the columns \
         as .csv or .npz",
    ))
}

/// Names of the wanted columns of numbers, and of labels, among those of a file whose columns have names.
fn found<'a>(
    wanted: &Wanted<'a>,
    names: &'a [String],
) -> Result<(Vec<&'a str>, Option<&'a str>), BadLine> {
    let find = |named: Named<'a>| match names.iter().any(|name| name == named.name) {
        true => Ok(named.name),
        false => Err(BadLine::of_file(no_column(named, names))),
    };
    let label = wanted.label.map(find).transpose()?;
    let others: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| Some(*name) != label).collect();
    let numbers = match (&wanted.numbers[..], &others[..]) {
        ([], [only]) => vec![*only],
        ([], _) => return Err(BadLine::of_file(choose_one(names))),
        (named, _) => named.iter().copied().map(find).collect::<Result<_, _>>()?,
    };
    Ok((numbers, label))
}

/// The error for a column that is not there.
fn no_column(wanted: Named<'_>, names: &[String]) -> String {
    let Named { name, option } = wanted;
    format!(
        "there is no column `{}` (there are {}): name it with {option}",
        excerpt(name.as_bytes()),
        listed(names)
    )
}

/// The error for a file with several columns of which none was named.
fn choose_one(names: &[String]) -> String {
    format!("there are {} columns ({}): choose one with --column", names.len(), listed(names))
}

fn listed(names: &[String]) -> String {
    let names: Vec<_> =
        names.iter().map(|name| format!("`{}`", excerpt(name.as_bytes()))).collect();
    names.join(", ")
}

#[cfg(test)]
#[path = "../../tests/unit/files/mod.rs"]
mod tests;

#[cfg(test)]
#[path = "../../tests/unit/files/canaries.rs"]
mod canary_tests;

//! Tables of people: some columns of a CSV file, read row by row.

use csv::{ByteRecord, ErrorKind, Position, Reader, ReaderBuilder};
use memchr::memchr_iter;
use plaudit_core::visible::excerpt;
use plaudit_core::visible::visible;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// A file, and how many quotes were read of it.
struct Quoted {
    file: File,
    quotes: usize,
}

impl Read for Quoted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.quotes += memchr_iter(b'"', &buffer[..length]).count();
        Ok(length)
    }
}

/// A table whose first row was read.
pub(super) struct PeopleTable<'a> {
    path: &'a Path,
    reader: Reader<Quoted>,
    /// Indexes of the columns, in the order asked for, with their names.
    columns: Vec<(usize, &'a str)>,
    id: Option<(usize, &'a str)>,
}

impl<'a> PeopleTable<'a> {
    /// Opens a file and looks for the columns in its first row.
    pub(super) fn open(
        path: &'a Path,
        columns: &'a [String],
        id: Option<&'a str>,
    ) -> Result<Self, String> {
        let (reader, first) = head(path)?;
        let wrong = |why: String| at(path, first.position(), &why);
        let place = |name: &'a str| {
            let mut found = (0..first.len()).filter(|place| first[*place] == *name.as_bytes());
            let shown = excerpt(name.as_bytes());
            match (found.next(), found.next()) {
                (Some(place), None) => Ok((place, name)),
                (Some(_), Some(_)) => {
                    Err(wrong(format!("two columns are called `{shown}`: rename one")))
                }
                (None, _) => {
                    let names: Vec<_> =
                        first.iter().map(|name| format!("`{}`", excerpt(name))).collect();
                    let names = excerpt(names.join(", ").as_bytes());
                    Err(wrong(format!("there is no column `{shown}` (there are {names})")))
                }
            }
        };
        let columns = columns.iter().map(|name| place(name)).collect::<Result<_, _>>()?;
        let id = id.map(place).transpose()?;
        Ok(Self { path, reader, columns, id })
    }

    /// Hands each row's values and its identifier (empty without one) to `add`; its refusal is told with the line.
    pub(super) fn rows(
        mut self,
        mut add: impl for<'r> FnMut(&mut dyn Iterator<Item = &'r [u8]>, &'r [u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        let (mut row, mut last) = (ByteRecord::new(), None);
        while read(self.path, &mut self.reader, &mut row)? {
            last = row.position().map(|start| (start.clone(), spans_lines(&row)));
            for (place, name) in self.columns.iter().chain(&self.id) {
                let value = &row[*place];
                if std::str::from_utf8(value).is_err() {
                    let why =
                        format!("`{}` is not UTF-8: {}", excerpt(name.as_bytes()), excerpt(value));
                    return Err(at(self.path, row.position(), &why));
                }
            }
            let id = match self.id {
                Some((place, name)) if row[place].is_empty() => {
                    let why = format!(
                        "`{}` is empty: give each row an identifier, or leave out --truth",
                        excerpt(name.as_bytes())
                    );
                    return Err(at(self.path, row.position(), &why));
                }
                Some((place, _)) => &row[place],
                None => &[],
            };
            add(&mut self.columns.iter().map(|(place, _)| &row[*place]), id)
                .map_err(|why| at(self.path, row.position(), &why))?;
        }
        match last {
            None => {
                let why = "it has no rows but the one that names the columns";
                Err(of_file(self.path, &why))
            }
            // A quote that is not closed takes all that follows into one value.
            Some((start, true)) if self.reader.get_ref().quotes % 2 == 1 => {
                Err(at(self.path, Some(&start), "a quote that opens in this row does not close"))
            }
            Some(_) => Ok(()),
        }
    }
}

/// Names of all columns of a file, from its first row.
pub(super) fn names(path: &Path) -> Result<Vec<String>, String> {
    let (_, first) = head(path)?;
    Ok(first.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

/// Opens a file and reads its first row.
fn head(path: &Path) -> Result<(Reader<Quoted>, ByteRecord), String> {
    let of_file = |error: &dyn std::fmt::Display| of_file(path, error);
    if path.is_dir() {
        return Err(of_file(&"it is a folder"));
    }
    let file = File::open(path).map_err(|error| of_file(&error))?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(BUFFER)
        .from_reader(Quoted { file, quotes: 0 });
    let mut first = ByteRecord::new();
    if !read(path, &mut reader, &mut first)? {
        return Err(of_file(&"it is empty: its first row must name the columns"));
    }
    if let Some(name) = first.iter().find(|name| std::str::from_utf8(name).is_err()) {
        let why = format!("this name of a column is not UTF-8: {}", excerpt(name));
        return Err(at(path, first.position(), &why));
    }
    Ok((reader, first))
}

/// Reads the next row; whether there is one.
fn read(path: &Path, reader: &mut Reader<Quoted>, row: &mut ByteRecord) -> Result<bool, String> {
    reader.read_byte_record(row).map_err(|error| match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let why = format!("this row has {len} entries, but the first row has {expected_len}");
            at(path, pos.as_ref(), &why)
        }
        _ => of_file(path, &error),
    })
}

fn of_file(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("cannot read the table in {}: {error}", visible(&path.display().to_string()))
}

/// A mistake with its file and line.
fn at(path: &Path, position: Option<&Position>, why: &str) -> String {
    let line = position.map_or(0, |start| line(path, start).unwrap_or(start.line()));
    format!("{}:{line}: {why}", visible(&path.display().to_string()))
}

/// The line of the row that starts here. The reader itself counts neither empty lines before a row nor the second half of
/// the line break before it, so the file is read again, if it is one that can be.
fn line(path: &Path, start: &Position) -> Option<u64> {
    if !path.is_file() {
        return None;
    }
    let mut file = BufReader::with_capacity(BUFFER, File::open(path).ok()?);
    let (mut line, mut left) = (1, start.byte());
    loop {
        let buffer = file.fill_buf().ok()?;
        if buffer.is_empty() {
            return Some(line);
        }
        let before = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let breaks = buffer[before..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let end = before + breaks.count();
        line += memchr_iter(b'\n', &buffer[..end]).count() as u64;
        if end < buffer.len() {
            return Some(line);
        }
        left -= before as u64;
        file.consume(end);
    }
}

/// `true` if a value has a line break in it.
fn spans_lines(row: &ByteRecord) -> bool {
    memchr::memchr(b'\n', row.as_slice()).is_some()
}

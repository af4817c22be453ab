//! Blank lines of CSV files: in a table of one column each is a row whose only cell is empty.
//!
//! That is how polars, pyarrow, DuckDB and `fwrite` of R write a missing value. Readers of CSV skip such lines;
//! [`BlankLines`] rewrites each as `""`, which is the same row and is not skipped. In tables of several columns a blank
//! line is not a row, and is left to the reader. The end of the last line is not a row either.
//!
//! Ends of lines outside of quotes become `\n`, since `csv` 1.4 counts the `\n` of `\r\n` to the next row, which seems to
//! begin a line too early.

use std::io::{self, Read};

/// Bytes that are read at once.
const PART: usize = 1 << 16;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// `true` if a cell spells a missing value.
pub fn is_missing(cell: &str) -> bool {
    const WORDS: [&str; 8] = ["", "na", "n/a", "<na>", "null", "none", "nil", "nat"];
    let cell = cell.trim();
    WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// A CSV file whose blank lines are rows, if it has one column, and whose lines end with `\n`. Line numbers stay as they are.
#[derive(Debug)]
pub struct BlankLines<R> {
    inner: R,
    part: Vec<u8>,
    /// The rewritten bytes, of which those up to `given` were handed on.
    ready: Vec<u8>,
    given: usize,
    place: CellPlace,
    seen: u64,
    /// Columns, as far as the first row that is not blank shows them.
    columns: Columns,
    /// `true` if lines before the first that is not blank are also rows.
    leading: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Columns {
    /// No row came that is not blank.
    NoRow,
    /// The first such row has not ended.
    FirstRow,
    One,
    Several,
}

/// Position of a byte in a table; quotes are read as the crate `csv` reads them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CellPlace {
    Line,
    Field,
    Bare,
    Quoted,
    /// After a quote within quotes, which ends them or is doubled.
    Closed,
    Return,
    /// After two of them: `\r\r\n` is one end of a line (Windows makes it of `\r\n` in text mode).
    Returns,
}

impl<R: Read> BlankLines<R> {
    /// Blank lines before the first row are rows like others.
    pub fn new(inner: R) -> Self {
        let (part, ready) = (vec![0; PART], Vec::with_capacity(PART));
        let (place, columns) = (CellPlace::Line, Columns::NoRow);
        Self { inner, part, ready, given: 0, place, seen: 0, columns, leading: true }
    }

    /// The first row that is not blank names the columns; lines before it are not rows.
    pub fn with_header(inner: R) -> Self {
        Self { leading: false, ..Self::new(inner) }
    }

    fn rewrite(&mut self, length: usize) {
        let part = std::mem::take(&mut self.part);
        for &byte in &part[..length] {
            let marks = self.seen < 3 && byte == BYTE_ORDER_MARK[self.seen as usize];
            self.seen += 1;
            let before = self.place;
            if !marks {
                self.place = self.step(byte);
            }
            match (before, byte) {
                // The rest of the end of a line.
                (CellPlace::Return | CellPlace::Returns, b'\n' | b'\r') => {}
                (before, b'\r') if before != CellPlace::Quoted => self.ready.push(b'\n'),
                _ => self.ready.push(byte),
            }
        }
        self.part = part;
    }

    /// The place after a byte; adds what must come before it.
    fn step(&mut self, byte: u8) -> CellPlace {
        use CellPlace as P;
        match (self.place, byte) {
            (P::Quoted, b'"') => P::Closed,
            (P::Quoted, _) | (P::Field | P::Closed, b'"') => P::Quoted,
            (P::Return | P::Returns, b'\n') => P::Line,
            (P::Return, b'\r') => P::Returns,
            (P::Returns, b'\r') => {
                self.blank();
                self.ready.push(b'\n');
                P::Returns
            }
            (P::Returns, _) => {
                self.blank();
                self.ready.push(b'\n');
                self.begin(byte)
            }
            (P::Line, b'\n') => {
                self.blank();
                P::Line
            }
            (P::Line, b'\r') => {
                self.blank();
                P::Return
            }
            (P::Line | P::Return, _) => self.begin(byte),
            (P::Field | P::Bare | P::Closed, b'\n' | b'\r') => {
                if self.columns == Columns::FirstRow {
                    self.columns = Columns::One;
                }
                if byte == b'\n' { P::Line } else { P::Return }
            }
            (P::Field | P::Bare | P::Closed, b',') => {
                if self.columns == Columns::FirstRow {
                    self.columns = Columns::Several;
                }
                P::Field
            }
            (P::Field | P::Bare | P::Closed, _) => P::Bare,
        }
    }

    /// The place after the first byte of a row.
    fn begin(&mut self, byte: u8) -> CellPlace {
        if self.columns == Columns::NoRow {
            self.columns = Columns::FirstRow;
        }
        self.place = CellPlace::Field;
        self.step(byte)
    }

    /// Adds a row whose only cell is empty where a blank line is one.
    fn blank(&mut self) {
        let is_row = match self.columns {
            Columns::NoRow => self.leading,
            Columns::FirstRow | Columns::One => true,
            Columns::Several => false,
        };
        if is_row {
            self.ready.extend_from_slice(b"\"\"");
        }
    }
}

impl<R: Read> Read for BlankLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            let length = self.inner.read(&mut self.part)?;
            self.rewrite(length);
            if length == 0 && self.place == CellPlace::Returns {
                self.blank();
                self.place = CellPlace::Line;
            }
        }
        let length = buffer.len().min(self.ready.len() - self.given);
        buffer[..length].copy_from_slice(&self.ready[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
#[path = "../tests/unit/blank.rs"]
mod tests;

//! Outcomes as arrays of `numpy.save`, versions 1 to 3 of its format.
//!
//! No dimension: one outcome, a scalar. One dimension: a scalar for each run. Two: a vector for
//! each run. Doubles and singles are numbers (each single is a double exactly), integers and bools
//! are integers; in vectors all are doubles.
//!
//! The format is described with `numpy.lib.format`: the magic string, two bytes of version, the
//! length of the header (2 bytes little-endian in version 1, 4 after it), the header as a Python
//! dictionary, and the numbers.

mod header;

use header::fill;
pub use header::{Header, NumberType};

use super::WireError;
use crate::mechanism::{Outcome, Outcomes};
use std::io::Read;

pub const MOST_BYTES: u64 = 1 << 30;
/// Numbers that are read at once: memory grows with the input, not with the size in its header.
const PART: usize = 8192;

/// Reads one array and adds its outcomes; returns their number.
///
/// # Errors
/// If the input is not an array, or one of more than `most_runs` outcomes or 2³⁰ bytes, or not of
/// numbers, or breaks off. Earlier outcomes may have been added.
pub fn read_array(
    reader: &mut impl Read,
    most_runs: usize,
    outcomes: &mut Outcomes,
) -> Result<usize, WireError> {
    let header = Header::read(reader)?;
    if header.runs > most_runs as u64 {
        let Header { runs, .. } = header;
        let message =
            format!("the array holds {runs} outcomes, and at most {most_runs} are allowed");
        return Err(WireError::Array(message));
    }
    if header.bytes() > MOST_BYTES {
        let bytes = header.bytes();
        let message =
            format!("the array takes {bytes} bytes, and at most {MOST_BYTES} are allowed");
        return Err(WireError::Array(message));
    }
    // At most `most_runs`, which is one.
    let runs = header.runs as usize;
    if header.columns_first() {
        header.read_transposed(reader, runs, outcomes)?;
    } else {
        header.read_runs(reader, runs, outcomes)?;
    }
    Ok(runs)
}

impl Header {
    /// `true` if the entries of a vector are not consecutive (Fortran order).
    pub fn columns_first(&self) -> bool {
        self.fortran_order && self.runs > 1 && self.width.is_some_and(|width| width > 1)
    }

    /// Reads the next runs of an array with consecutive runs.
    ///
    /// # Errors
    /// If the array breaks off or reading fails. Earlier outcomes may have been added.
    pub fn read_runs(
        &self,
        reader: &mut impl Read,
        runs: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        match (self.width, self.kind) {
            (None, NumberType::Float(_)) => self.read_numbers(reader, runs, outcomes),
            (None, _) => self.read_integers(reader, runs, outcomes),
            (Some(width), NumberType::Signed(8)) => self.read_large(reader, runs, width, outcomes),
            (Some(width), _) => self.read_vectors(reader, runs, width, outcomes),
        }
    }

    fn read_numbers(
        &self,
        reader: &mut impl Read,
        runs: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        if let Some(column) = outcomes.numbers_mut() {
            return self.read_doubles(reader, runs, column);
        }
        let mut numbers = Vec::new();
        let read = self.read_doubles(reader, runs, &mut numbers);
        numbers.into_iter().for_each(|x| outcomes.push_number(x));
        read
    }

    fn read_integers(
        &self,
        reader: &mut impl Read,
        runs: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        if let (Some(column), NumberType::Signed(8)) = (outcomes.integers_mut(), self.kind) {
            let start = column.len();
            let order = if self.big_endian { i64::from_be } else { i64::from_le };
            let read = read_into(reader, runs, column);
            column[start..].iter_mut().for_each(|i| *i = order(*i));
            return read;
        }
        self.read_each(reader, runs, |bytes| outcomes.push_integer(self.integer(bytes)))
    }

    /// Vectors of anything but integers of 64 bits.
    fn read_vectors(
        &self,
        reader: &mut impl Read,
        runs: usize,
        width: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        if let Some((values, ends)) = outcomes.vectors_mut() {
            let start = values.len();
            let read = self.read_doubles(reader, runs * width, values);
            let whole = (values.len() - start).checked_div(width).unwrap_or(runs);
            values.truncate(start + whole * width);
            ends.extend((1..=whole).map(|run| start + run * width));
            return read;
        }
        let mut vector = Vec::new();
        for _ in 0..runs {
            vector.clear();
            self.read_doubles(reader, width, &mut vector)?;
            outcomes.push_vector(&vector);
        }
        Ok(())
    }

    /// Vectors of integers of 64 bits: those that doubles do not hold are kept exactly.
    fn read_large(
        &self,
        reader: &mut impl Read,
        runs: usize,
        width: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        let mut integers = Vec::new();
        for _ in 0..runs {
            integers.clear();
            self.read_each(reader, width, |bytes| integers.push(self.integer(bytes)))?;
            push_integers(&integers, outcomes);
        }
        Ok(())
    }

    /// Reads `runs` runs in Fortran order: the first entries of all of them first.
    ///
    /// # Errors
    /// If the array breaks off or reading fails. Earlier outcomes may have been added.
    pub fn read_transposed(
        &self,
        reader: &mut impl Read,
        runs: usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), WireError> {
        let width = self.width.unwrap_or(1);
        if self.kind == NumberType::Signed(8) {
            let mut columns = Vec::new();
            self.read_each(reader, runs * width, |bytes| columns.push(self.integer(bytes)))?;
            for run in 0..runs {
                let vector: Vec<_> = columns[run..].iter().step_by(runs).copied().collect();
                push_integers(&vector, outcomes);
            }
            return Ok(());
        }
        let mut columns = Vec::new();
        self.read_doubles(reader, runs * width, &mut columns)?;
        let mut vector = Vec::with_capacity(width);
        for run in 0..runs {
            vector.clear();
            vector.extend(columns[run..].iter().step_by(runs));
            outcomes.push_vector(&vector);
        }
        Ok(())
    }

    /// Adds `count` numbers to a column, without a copy where the bytes match their form in memory.
    fn read_doubles(
        &self,
        reader: &mut impl Read,
        count: usize,
        column: &mut Vec<f64>,
    ) -> Result<(), WireError> {
        if self.kind != NumberType::Float(8) {
            return self.read_each(reader, count, |bytes| column.push(self.double(bytes)));
        }
        let start = column.len();
        let order = if self.big_endian { u64::from_be } else { u64::from_le };
        let read = read_into(reader, count, column);
        if self.big_endian != cfg!(target_endian = "big") {
            let turn = |x: &mut f64| *x = f64::from_bits(order(x.to_bits()));
            column[start..].iter_mut().for_each(turn);
        }
        read
    }

    /// Reads `count` numbers and passes on the bytes of each.
    fn read_each(
        &self,
        reader: &mut impl Read,
        count: usize,
        mut each: impl FnMut(&[u8]),
    ) -> Result<(), WireError> {
        let size = self.kind.bytes();
        let mut buffer = [0; 8 * PART];
        let mut left = count;
        while left > 0 {
            let part = &mut buffer[..size * left.min(PART)];
            let read = fill(reader, part)?;
            part[..read].chunks_exact(size).for_each(&mut each);
            if read < part.len() {
                return Err(WireError::Truncated { missing: (left * size - read) as u64 });
            }
            left -= read / size;
        }
        Ok(())
    }

    /// The exact number of some bytes (except integers of 64 bits).
    #[inline]
    fn double(&self, bytes: &[u8]) -> f64 {
        match self.kind {
            NumberType::Float(4) => f32::from_bits(self.unsigned(bytes) as u32).into(),
            NumberType::Float(_) => f64::from_bits(self.unsigned(bytes)),
            #[allow(clippy::cast_precision_loss)] // of at most 32 bits
            _ => self.integer(bytes) as f64,
        }
    }

    #[inline]
    fn integer(&self, bytes: &[u8]) -> i64 {
        let unsigned = self.unsigned(bytes);
        match self.kind {
            NumberType::Bool => i64::from(unsigned != 0),
            NumberType::Signed(size) => {
                let above = 64 - 8 * u32::from(size);
                (unsigned << above).cast_signed() >> above
            }
            _ => unsigned.cast_signed(),
        }
    }

    #[inline]
    fn unsigned(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// Adds a vector of integers, as a structure if doubles do not hold it.
fn push_integers(integers: &[i64], outcomes: &mut Outcomes) {
    if integers.iter().all(|i| i.unsigned_abs() <= 1 << 53) {
        #[allow(clippy::cast_precision_loss)] // it is exact up to 2^53
        let vector: Vec<f64> = integers.iter().map(|i| *i as f64).collect();
        return outcomes.push_vector(&vector);
    }
    let words = integers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    outcomes.push(Outcome::Structure(format!("[{words}]")));
}

/// Adds `count` numbers to a column, with their bytes unchanged.
fn read_into<T: bytemuck::Pod>(
    reader: &mut impl Read,
    count: usize,
    column: &mut Vec<T>,
) -> Result<(), WireError> {
    let size = size_of::<T>();
    let end = column.len() + count;
    while column.len() < end {
        let start = column.len();
        column.resize(end.min(start + PART), T::zeroed());
        let part = bytemuck::cast_slice_mut(&mut column[start..]);
        let read = fill(reader, part);
        let whole = *read.as_ref().unwrap_or(&0);
        let complete = whole == part.len();
        column.truncate(start + whole / size);
        read?;
        if !complete {
            let missing = ((end - start) * size - whole) as u64;
            return Err(WireError::Truncated { missing });
        }
    }
    Ok(())
}

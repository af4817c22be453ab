//! Writing outcomes to files that can be read back.

use crate::mechanism::wire::{push_line, write_line};
use crate::mechanism::{OutcomeRef, Outcomes};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Common shape of all outcomes of an audit, if an array can hold them.
#[derive(Clone, Copy, PartialEq)]
enum ArrayShape {
    Numbers,
    Integers,
    Vectors(usize),
}

/// Writes the outcomes under D and under D' (each in batches) to two files of a folder, creating it
/// if needed: arrays if they all are numbers, integers or vectors of one length, else JSON lines.
/// Existing files are replaced; on any error, none is.
///
/// # Errors
/// If a file cannot be written, or JSON lines cannot express an outcome.
pub fn write(folder: &Path, name: &str, sides: &[Vec<Outcomes>; 2]) -> io::Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder)?;
    let shape = shape(sides);
    let extension = if shape.is_some() { "npy" } else { "jsonl" };
    let write = |side: usize| {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let mut writer = BufWriter::new(file.as_file_mut());
        match shape {
            Some(shape) => write_array(&mut writer, shape, &sides[side])?,
            None => write_lines(&mut writer, &sides[side])?,
        }
        writer.flush()?;
        drop(writer);
        readable(file.as_file())?;
        Ok::<_, io::Error>(file)
    };
    let files = [write(0)?, write(1)?];
    let paths = ["d", "d_prime"].map(|side| folder.join(format!("{name}-{side}.{extension}")));
    for (file, path) in files.into_iter().zip(&paths) {
        file.persist(path).map_err(|error| error.error)?;
    }
    Ok(paths)
}

/// Makes results readable for others; temporary files are for their owner alone.
fn readable(file: &std::fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let _ = file;
    Ok(())
}

fn shape(sides: &[Vec<Outcomes>; 2]) -> Option<ArrayShape> {
    let mut shapes = sides.iter().flatten().filter(|batch| !batch.is_empty()).map(of_batch);
    let first = shapes.next()??;
    shapes.all(|shape| shape == Some(first)).then_some(first)
}

fn of_batch(batch: &Outcomes) -> Option<ArrayShape> {
    if batch.as_numbers().is_some() {
        return Some(ArrayShape::Numbers);
    }
    if batch.as_integers().is_some() {
        return Some(ArrayShape::Integers);
    }
    let (values, ends) = batch.as_vectors()?;
    let width = values.len() / ends.len();
    let equal = ends.iter().zip(1..).all(|(end, run)| *end == run * width);
    equal.then_some(ArrayShape::Vectors(width))
}

fn write_array(writer: &mut impl Write, shape: ArrayShape, batches: &[Outcomes]) -> io::Result<()> {
    let runs: usize = batches.iter().map(Outcomes::len).sum();
    let descr = if shape == ArrayShape::Integers { "<i8" } else { "<f8" };
    let size = match shape {
        ArrayShape::Vectors(width) => format!("({runs}, {width})"),
        _ => format!("({runs},)"),
    };
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {size}, }}");
    // The numbers start at a multiple of 64 bytes.
    let padding = 63 - (10 + header.len()) % 64;
    writer.write_all(b"\x93NUMPY\x01\x00")?;
    writer.write_all(&((header.len() + padding + 1) as u16).to_le_bytes())?;
    writeln!(writer, "{header}{:padding$}", "")?;
    for outcome in batches.iter().flat_map(Outcomes::iter) {
        match outcome {
            OutcomeRef::Number(x) => writer.write_all(&x.to_le_bytes())?,
            OutcomeRef::Integer(i) => writer.write_all(&i.to_le_bytes())?,
            OutcomeRef::Vector(v) => {
                v.iter().try_for_each(|x| writer.write_all(&x.to_le_bytes()))?
            }
            other => return Err(io::Error::other(format!("{other:?} does not fit an array"))),
        }
    }
    Ok(())
}

fn write_lines(writer: &mut impl Write, batches: &[Outcomes]) -> io::Result<()> {
    let mut back = Outcomes::new();
    for outcome in batches.iter().flat_map(Outcomes::iter) {
        let line = write_line(&outcome);
        back.clear();
        // Closures may release outcomes that no line can express, such as keys that start with `$`.
        let read = push_line(line.as_bytes(), &mut back);
        let same = read.is_ok() && format!("{:?}", back.get(0)) == format!("{outcome:?}");
        if !same {
            let words: String = line.chars().take(80).collect();
            return Err(io::Error::other(format!("no line can represent the outcome {words}")));
        }
        writeln!(writer, "{line}")?;
    }
    Ok(())
}

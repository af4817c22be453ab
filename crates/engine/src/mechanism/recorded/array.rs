//! Recorded outcomes in an array of `numpy.save`.

use super::{BATCH, BATCH_BYTES, File, Kept};
use crate::mechanism::wire::npy::Header;
use crate::mechanism::{Outcomes, Trouble};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

const MOST_BYTES: u64 = 64 << 20;

impl File {
    /// The array, at its first outcome, and its header; checked against the length of the file.
    pub(super) fn array(&self) -> Result<(BufReader<std::fs::File>, Header), Trouble> {
        let mut reader = BufReader::with_capacity(1 << 18, self.open()?);
        let header = Header::read(&mut reader).map_err(|error| self.broken(error))?;
        let metadata = reader.get_ref().metadata().map_err(|error| self.broken(error))?;
        let wanted = header.length.saturating_add(header.bytes());
        if header.run_bytes() == 0 {
            // Nothing in the file would give their number.
            return Err(self.broken("its outcomes are empty vectors"));
        }
        if header.run_bytes() > MOST_BYTES {
            let bytes = header.run_bytes();
            return Err(self.broken(format!(
                "an outcome takes {bytes} bytes: at most {MOST_BYTES} are allowed"
            )));
        }
        match metadata.len() {
            length if length < wanted => {
                let missing = wanted - length;
                Err(self.broken(format!("the array breaks off: {missing} bytes are missing")))
            }
            length if length > wanted => {
                let more = length - wanted;
                Err(self.broken(format!("{more} bytes follow the array: save one array per file")))
            }
            _ => Ok((reader, header)),
        }
    }

    pub(super) fn pass_array<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        mut kept: Kept<'_, K, T>,
    ) -> Result<u64, Trouble> {
        let (mut reader, header) = self.array()?;
        let fitting = BATCH_BYTES as u64 / header.run_bytes().max(1);
        let most = fitting.clamp(1, BATCH as u64);
        let mut read = Outcomes::new();
        let mut left = header.runs;
        while left > 0 {
            kept.check_interrupted()?;
            read.clear();
            let runs = left.min(most);
            if header.columns_first() {
                let part = of_columns(&mut reader, &header, header.runs - left, runs as usize);
                let part = part.map_err(|error| self.broken(error))?;
                header.read_transposed(&mut &part[..], runs as usize, &mut read)
            } else {
                header.read_runs(&mut reader, runs as usize, &mut read)
            }
            .map_err(|error| self.broken(error))?;
            match read.as_numbers() {
                Some(numbers) => {
                    for &x in numbers {
                        if (kept.keep)() {
                            kept.outcomes.push_number(x);
                        }
                    }
                }
                None => {
                    for outcome in read.iter() {
                        if (kept.keep)() {
                            kept.outcomes.push_ref(outcome);
                        }
                    }
                }
            }
            kept.hand_on();
            left -= runs;
        }
        kept.finish();
        Ok(header.runs)
    }
}

/// The bytes of some runs from `first` on in an array in Fortran order, column by column: each column of the file is
/// one piece, as long as there are runs.
fn of_columns(
    reader: &mut BufReader<std::fs::File>,
    header: &Header,
    first: u64,
    runs: usize,
) -> io::Result<Vec<u8>> {
    let (size, width) = (header.kind.bytes(), header.width.unwrap_or(1));
    let mut part = vec![0; runs * width * size];
    for (place, piece) in (0_u64..).zip(part.chunks_exact_mut(runs * size)) {
        let start = header.length + (place * header.runs + first) * size as u64;
        reader.seek(SeekFrom::Start(start))?;
        reader.read_exact(piece)?;
    }
    Ok(part)
}

//! Recorded outcomes as JSON lines.

use super::{File, Kept};
use crate::mechanism::wire::push_line;
use crate::mechanism::{Outcomes, Trouble};
use std::io::{BufRead, BufReader, Read};

const MOST_BYTES: u64 = 64 << 20;
/// Lines between two checks for an interruption.
const LOOK: u64 = 1 << 14;

impl File {
    pub(super) fn pass_lines<K: FnMut() -> bool, T: FnMut(&mut Outcomes)>(
        &self,
        mut kept: Kept<'_, K, T>,
    ) -> Result<u64, Trouble> {
        let mut reader = BufReader::with_capacity(1 << 18, self.open()?);
        let mut line = Vec::new();
        let mut lines = 0;
        while lines < kept.most {
            line.clear();
            let mut bounded = (&mut reader).take(MOST_BYTES);
            let length =
                bounded.read_until(b'\n', &mut line).map_err(|error| self.broken(error))?;
            if length == 0 {
                break;
            }
            lines += 1;
            if line.pop_if(|last| *last == b'\n').is_none() && length as u64 == MOST_BYTES {
                let why = format!("this line has more than {MOST_BYTES} bytes");
                return Err(self.broken_line(lines, why));
            }
            if (kept.keep)() {
                push_line(&line, &mut kept.outcomes)
                    .map_err(|error| self.broken_line(lines, error))?;
                kept.hand_on();
            }
            if lines % LOOK == 0 {
                kept.check_interrupted()?;
            }
        }
        kept.finish();
        Ok(lines)
    }
}

//! The seed of a run: a given one, or a fresh one.

use super::super::{Failure, output};
use super::arguments::SeedChoice;
use rand::TryRng as _;
use rand::rngs::SysRng;

/// The seed; a fresh one is drawn from the system, and printed, so that the run can be repeated.
pub(super) fn drawn(choice: SeedChoice) -> Result<u64, Failure> {
    match choice {
        SeedChoice::Given(seed) => Ok(seed),
        SeedChoice::Fresh => {
            let drawn = SysRng.try_next_u64().map_err(|error| {
                Failure::Message(format!(
                    "--seed fresh: the system provides no randomness ({error}): name a seed yourself"
                ))
            })?;
            let seed = fit(drawn);
            output::note(&format!("seed {seed} (fresh)"));
            Ok(seed)
        }
    }
}

/// 53 of the bits: a whole number that every reader of JSON reads as it is, so that the seed of a report repeats its run.
fn fit(drawn: u64) -> u64 {
    drawn >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_seed_is_exact_as_a_double() {
        for drawn in [0, 1, u64::MAX, 0x8000_0000_0000_0801] {
            let seed = fit(drawn);
            assert_eq!(seed as f64 as u64, seed);
        }
        assert_eq!(fit(u64::MAX), (1 << 53) - 1);
    }
}

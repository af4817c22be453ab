//! All paths of a mechanism.

use super::affine::{Affine, Unknown};
use super::draws::Aligned;
use super::sampler::Sampler;
use super::tape::{NotFollowed, Path, Tape};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An [`Aligned`] mechanism as a value.
pub trait Written: Send + Sync {
    /// Runs it once on doubles; the outcome's cells are appended to those of the sampler.
    fn sample(&self, answers: &[f64], sampler: &mut Sampler<'_>);

    /// Runs it once on unknowns, along one path.
    fn follow(&self, answers: &[Affine], tape: &mut Tape);
}

impl<M: Aligned> Written for M {
    fn sample(&self, answers: &[f64], sampler: &mut Sampler<'_>) {
        self.run(answers, sampler);
    }

    fn follow(&self, answers: &[Affine], tape: &mut Tape) {
        self.run(answers, tape);
    }
}

/// Conditions of all paths together, at most: a loop that ends by chance has ever longer ones.
const MOST_ROWS: usize = 100_000;

/// Follows a mechanism along all its paths, on lists of `answers` numbers.
///
/// # Errors
/// If it has more than `most` paths, more than 20 000 draws or branches on one, more than
/// 100 000 conditions in all, computes with numbers that are not finite, draws noise of a
/// scale that is not above 0, or panics.
pub fn paths(
    mechanism: &dyn Written,
    answers: usize,
    most: usize,
) -> Result<Vec<Path>, NotFollowed> {
    let answers: Vec<Affine> = (0..answers).map(|at| Affine::of(Unknown::Answer(at))).collect();
    let mut found: Vec<Path> = Vec::new();
    let mut rows = 0;
    let mut prefix: Vec<(usize, usize)> = Vec::new();
    loop {
        let mut tape = Tape::new(prefix);
        let end = catch_unwind(AssertUnwindSafe(|| mechanism.follow(&answers, &mut tape)));
        match (end, tape.trouble) {
            (_, Some(trouble)) => return Err(trouble),
            (Err(_), None) => return Err(NotFollowed::Panics),
            (Ok(()), None) => found.push(tape.path),
        }
        rows += found.last().map_or(0, |path| path.rows.len());
        if found.len() > most || rows > MOST_ROWS {
            return Err(NotFollowed::TooLong(most.min(MOST_ROWS)));
        }
        prefix = tape.prefix;
        while let Some((way, ways)) = prefix.pop() {
            if way + 1 < ways {
                prefix.push((way + 1, ways));
                break;
            }
        }
        if prefix.is_empty() {
            return Ok(found);
        }
    }
}

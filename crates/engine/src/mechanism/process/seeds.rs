//! Check before an audit that the program follows the seed that it is given.
//!
//! Equal answers to equal seeds only show that where answers to other seeds differ: a program with
//! a nearly constant answer gives equal answers whatever it does with its seed.

use super::diagnosis::Seeds;
use super::probe::{CopyAnswers, Probe};
use crate::mechanism::program::Broken;
use crate::mechanism::{OutcomeRef, Outcomes, order};
use std::time::Instant;

/// Probability below which equal answers are not due to chance. A program that is wrongly taken to
/// follow its seed then counts as one with state, which costs power and proves nothing false.
const CHANCE: f64 = 1e-3;
/// Most runs compared on each dataset where a few did not decide.
const MOST: usize = 1 << 12;
/// Seconds after which no more are requested on a dataset.
const SECONDS: f64 = 2.0;
/// Divisor for the share of an audit's trials that one copy is asked for, to see whether it lasts.
pub(super) const LASTING: u64 = 4;

impl Seeds {
    pub(super) fn of(compared: &[Compared<'_>]) -> Self {
        if compared.iter().any(|both| !same(both.one, both.other)) {
            return Self::Ignored;
        }
        let ln_chance: f64 = compared.iter().map(|both| ln_chance(both.one, both.elsewhere)).sum();
        if ln_chance < CHANCE.ln() { Self::Followed } else { Self::Unseen }
    }
}

/// Answers of two copies to the same seeds, and outcomes of other seeds on the same dataset.
#[derive(Clone, Copy)]
pub(super) struct Compared<'a> {
    pub one: &'a [Outcomes],
    pub other: &'a [Outcomes],
    pub elsewhere: &'a [Outcomes],
}

/// Logarithm of the probability that a program that draws freely gives these outcomes again, by the
/// rule of succession from its other outcomes, so that unseen ones are not impossible.
fn ln_chance(said: &[Outcomes], elsewhere: &[Outcomes]) -> f64 {
    let mut others: Vec<OutcomeRef<'_>> = elsewhere.iter().flat_map(Outcomes::iter).collect();
    others.sort_unstable_by(order);
    let all = others.len() + 1;
    let share = |outcome: OutcomeRef<'_>| {
        let below = others.partition_point(|other| order(other, &outcome).is_lt());
        let up_to = others.partition_point(|other| order(other, &outcome).is_le());
        (up_to - below + 1) as f64 / all as f64
    };
    said.iter().flat_map(Outcomes::iter).map(|outcome| share(outcome).ln()).sum()
}

impl Probe<'_> {
    /// Compares fresh copies by more runs, on both datasets, in requests of a given size: where few
    /// runs were nearly constant, rare outcomes must decide. `known` are outcomes of fresh copies
    /// to other seeds, by dataset.
    pub(super) fn seeds_by_more(
        &mut self,
        known: [&CopyAnswers; 2],
        runs: usize,
    ) -> Result<Seeds, Broken> {
        let datasets = self.datasets;
        let most = MOST.min(usize::try_from(self.planned.most / LASTING).unwrap_or(MOST));
        // Both at once: a program may take long to start. They get the same questions, so that they
        // keep the same state.
        let [mut first, mut second] = [self.started(datasets[0])?, self.started(datasets[1])?];
        let mut said = [(); 2].map(|()| [CopyAnswers::new(), CopyAnswers::new()]);
        let mut found = Seeds::Unseen;
        for at in 0..2 {
            let start = Instant::now();
            for _ in 0..most.div_ceil(runs) {
                let question = (runs, self.seed());
                let [one, other] = &mut said[at];
                one.push(self.question(&mut first, datasets[at], question)?);
                other.push(self.question(&mut second, datasets[at], question)?);
                if !same(&one[one.len() - 1..], &other[other.len() - 1..])
                    || start.elapsed().as_secs_f64() > SECONDS
                {
                    break;
                }
            }
            let compared = [0, 1].map(|of| {
                let [one, other] = &said[of];
                Compared { one, other, elsewhere: known[of] }
            });
            found = Seeds::of(&compared);
            if found != Seeds::Unseen {
                break;
            }
        }
        first.stop();
        second.stop();
        Ok(found)
    }
}

/// `true` if two answers have the same outcomes, bit by bit (all NaNs are equal).
pub(super) fn same(a: &[Outcomes], b: &[Outcomes]) -> bool {
    let same_batch = |(a, b): (&Outcomes, &Outcomes)| {
        a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| order(&a, &b).is_eq())
    };
    a.len() == b.len() && a.iter().zip(b).all(same_batch)
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/seeds.rs"]
mod tests;

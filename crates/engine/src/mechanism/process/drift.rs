//! Signs of state in programs that follow no seed: correlated outcomes of one copy where those of
//! fresh copies are not.

use super::diagnosis::State;
use super::probe::Probe;
use super::questions::{Early, Late};
use crate::mechanism::program::{Broken, Copy};
use crate::mechanism::{Outcome, OutcomeRef, Outcomes, order};
use statrs::distribution::{Binomial, DiscreteCDF as _, Hypergeometric};
use std::time::Instant;

/// Number of fresh copies that are asked whether they all give the constant answer of one copy: at
/// least the start, and, within a tenth of the patience, at most the end.
const COPIES: std::ops::Range<usize> = 12..64;
/// Fresh copies that are asked at most for a second one that differs, where one did and the living copy never changes: at a
/// rate of 10⁻⁴ one of 64 copies differs once in 150 programs without state, and then of 192 more once in 50.
const MORE_COPIES: usize = 256;
/// Copies of which more than one must differ to be a sign.
const SETTLED: usize = 128;
/// Number of differing fresh copies after which no more are asked.
const UNLIKE_COPIES: usize = 3;
/// Runs of one copy that show whether its constant answer was only frequent.
const LIVED: usize = 1 << 12;
/// Probability below which differing fresh copies are not due to chance. Missed state makes
/// verdicts wrong; the reverse only costs time.
const CHANCE: f64 = 0.01;
/// Probability above which differences of fresh copies are chance without further requests.
const UNCLEAR: f64 = 0.1;

/// Summary of one copy's outcomes.
struct Look {
    /// The only outcome, if it is one.
    constant: Option<Outcome>,
    /// Late runs, and failures among them.
    late: (usize, usize),
}

/// Fresh copies: how many were asked, failed, and gave another outcome than the constant one.
#[derive(Default)]
struct FreshCopies {
    asked: usize,
    failures: usize,
    unlike: usize,
}

impl Look {
    fn of(early: &Early, late: &Late) -> Self {
        let first = early.on_d[0].get(0);
        let after = || late.on_d.iter().chain(&late.another).flat_map(Outcomes::iter);
        let mut all = early.on_d.iter().flat_map(Outcomes::iter).chain(after());
        let constant = all.all(|outcome| order(&outcome, &first).is_eq());
        let (runs, failures) = (after().count(), after().filter(is_failure).count());
        Self { constant: constant.then(|| first.to_owned()), late: (runs, failures) }
    }

    fn is_failing(&self) -> bool {
        let (runs, failures) = self.late;
        2 * failures > runs
    }

    /// Probability that by chance so few of the fresh copies fail.
    fn chance(&self, FreshCopies { asked, failures, .. }: &FreshCopies) -> f64 {
        fewer_failures((*asked, *failures), self.late)
    }
}

fn is_failure(outcome: &OutcomeRef<'_>) -> bool {
    matches!(outcome, OutcomeRef::Failure(_))
}

impl Probe<'_> {
    /// Signs that one copy's outcomes are correlated: it always gives the same one and fresh copies do
    /// not, or it fails and fresh copies do not as often. Fresh copies are asked for up to a tenth of the patience, and
    /// the one copy for more as long again, this number of runs at once.
    pub(super) fn correlated(
        &mut self,
        one: &mut Copy,
        early: &Early,
        late: &Late,
    ) -> Result<Option<State>, Broken> {
        let look = Look::of(early, late);
        if !look.is_failing() && look.constant.is_none() {
            return Ok(None);
        }
        let seconds = self.process.settings.patience / 10.0;
        let mut fresh = FreshCopies::default();
        self.fresh_copies(&mut fresh, &look, (COPIES.end, seconds))?;
        if look.is_failing() && look.chance(&fresh) < CHANCE {
            return Ok(Some(State::Fails));
        }
        if fresh.unlike == 0 {
            return Ok(None);
        }
        let lived = [&early.on_d, &late.on_d, &late.another];
        let runs = lived.into_iter().flatten().map(Outcomes::len).sum();
        let changes = self.changes(one, (runs, late.many.len()), seconds)?;
        if (fresh.unlike, changes.1) == (1, 0) {
            self.fresh_copies(&mut fresh, &look, (MORE_COPIES, seconds))?;
        }
        Ok(hang_together((fresh.asked, fresh.unlike), changes).then_some(State::Repeats))
    }

    /// Asks fresh copies, until so many were asked in all or these seconds are over.
    fn fresh_copies(
        &mut self,
        fresh: &mut FreshCopies,
        look: &Look,
        (most, seconds): (usize, f64),
    ) -> Result<(), Broken> {
        let dataset = self.datasets[0];
        let start = Instant::now();
        while fresh.asked < most && fresh.unlike < UNLIKE_COPIES {
            if fresh.asked >= COPIES.start {
                if start.elapsed().as_secs_f64() > seconds {
                    break;
                }
                // For failures alone, a few copies mostly settle it.
                if look.constant.is_none() && !(CHANCE..UNCLEAR).contains(&look.chance(fresh)) {
                    break;
                }
            }
            let mut copy = self.started(dataset)?;
            let outcome = self.one_run(&mut copy, dataset)?;
            copy.stop();
            fresh.asked += 1;
            fresh.failures += usize::from(is_failure(&outcome.as_ref()));
            let unlike = |first: &Outcome| order(&outcome.as_ref(), &first.as_ref()).is_ne();
            fresh.unlike += usize::from(look.constant.as_ref().is_some_and(unlike));
        }
        Ok(())
    }

    /// Further outcomes of one copy that always gave the same: their total number, and how many differ
    /// from the one before.
    fn changes(
        &mut self,
        one: &mut Copy,
        (lived, at_once): (usize, usize),
        seconds: f64,
    ) -> Result<(usize, usize), Broken> {
        let start = Instant::now();
        let (mut runs, mut changes) = (lived, 0);
        let mut last: Option<Outcome> = None;
        while runs < LIVED && start.elapsed().as_secs_f64() <= seconds {
            let seed = self.seed();
            let batch = self.question(one, self.datasets[0], (at_once, seed))?;
            for outcome in batch.iter() {
                let same = |last: &Outcome| order(&last.as_ref(), &outcome).is_eq();
                changes += usize::from(last.as_ref().is_some_and(|last| !same(last)));
                last = Some(outcome.to_owned());
            }
            runs += batch.len();
        }
        Ok((runs, changes))
    }
}

/// Probability that by chance so few of the runs of fresh copies fail, if they fail as often as
/// those of one copy: Fisher's exact test.
fn fewer_failures((asked, failures): (usize, usize), (runs, failed): (usize, usize)) -> f64 {
    let [all, failing, drawn] = [asked + runs, failures + failed, asked].map(|n| n as u64);
    Hypergeometric::new(all, failing, drawn).map_or(0.0, |law| law.cdf(failures as u64))
}

/// `true` if fresh copies differ more often than a living one changes its answer, by more than
/// chance: the outcomes of a copy without state are equivalent to those of fresh ones, and a rare one
/// makes two changes. A complete lack of changes is not trusted, but where only one of many copies differs.
fn hang_together((asked, unlike): (usize, usize), (runs, changes): (usize, usize)) -> bool {
    let share = asked as f64 / (asked + runs) as f64;
    let all = (unlike + changes) as u64;
    let Ok(chance) = Binomial::new(share, all) else { return true };
    let is_constant = changes == 0 && (unlike > 1 || asked < SETTLED);
    unlike > 0 && (is_constant || chance.sf(unlike as u64 - 1) < CHANCE)
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/drift.rs"]
mod tests;

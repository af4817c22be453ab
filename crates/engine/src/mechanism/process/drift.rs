//! Signs of state in programs that follow no seed: correlated outcomes of one copy where those of
//! fresh copies are not.

use super::broken::Broken;
use crate::mechanism::{Outcome, OutcomeRef, Outcomes, order};
use statrs::distribution::{Binomial, DiscreteCDF as _, Hypergeometric};
use std::time::Instant;

/// Number of fresh copies that are asked whether they all give the constant answer of one copy: at
/// least the start, and, within a tenth of the patience, at most the end.
const COPIES: std::ops::Range<usize> = 12..64;
/// Number of differing fresh copies after which no more are asked.
const UNLIKE_COPIES: usize = 3;
/// Runs of one copy that show whether its constant answer was only frequent.
const LIVED: usize = 1 << 12;
/// Probability below which differing fresh copies are not due to chance. Missed state makes
/// verdicts wrong; the reverse only costs time.
const CHANCE: f64 = 0.01;
/// Probability above which differences of fresh copies are chance without further requests.
const UNCLEAR: f64 = 0.1;

/// Signs that one copy's outcomes are correlated: it always gives the same one and fresh copies do
/// not, or it fails (its outcomes after many others are `late`) and fresh copies do not as often.
/// Fresh copies are asked for up to `seconds`, and the one copy for more as long again.
pub(super) fn drift(
    on_d: &[&Outcomes],
    late: &[&Outcomes],
    seconds: f64,
    (mut fresh, more): (
        impl FnMut() -> Result<Outcome, Broken>,
        impl FnMut() -> Result<Outcomes, Broken>,
    ),
) -> Result<Option<String>, Broken> {
    let fails = |outcome: &OutcomeRef<'_>| matches!(outcome, OutcomeRef::Failure(_));
    let late_runs: usize = late.iter().map(|batch| batch.len()).sum();
    let late_failures = late.iter().flat_map(|batch| batch.iter()).filter(fails).count();
    let failing = 2 * late_failures > late_runs;
    let first = on_d[0].get(0).to_owned();
    let constant = on_d
        .iter()
        .all(|batch| batch.iter().all(|outcome| order(&outcome, &first.as_ref()).is_eq()));
    if !failing && !constant {
        return Ok(None);
    }
    let start = Instant::now();
    let (mut asked, mut failures, mut unlike) = (0, 0, 0);
    while asked < COPIES.end && unlike < UNLIKE_COPIES {
        if asked >= COPIES.start {
            if start.elapsed().as_secs_f64() > seconds {
                break;
            }
            // For failures alone, a few copies mostly settle it.
            let chance = fewer_failures((asked, failures), (late_runs, late_failures));
            if !constant && !(CHANCE..UNCLEAR).contains(&chance) {
                break;
            }
        }
        let outcome = fresh()?;
        asked += 1;
        failures += usize::from(fails(&outcome.as_ref()));
        unlike += usize::from(constant && order(&outcome.as_ref(), &first.as_ref()).is_ne());
    }
    if failing && fewer_failures((asked, failures), (late_runs, late_failures)) < CHANCE {
        return Ok(Some("it fails after earlier runs, and fresh copies do not".into()));
    }
    if unlike == 0 {
        return Ok(None);
    }
    let lived: usize = on_d.iter().map(|batch| batch.len()).sum();
    let changes = changes(lived, seconds, more)?;
    let repeats = || "its outcomes repeat, and those of fresh copies differ".to_owned();
    Ok(hang_together((asked, unlike), changes).then(repeats))
}

/// Probability that by chance so few of the runs of fresh copies fail, if they fail as often as
/// those of one copy: Fisher's exact test.
fn fewer_failures((asked, failures): (usize, usize), (runs, failed): (usize, usize)) -> f64 {
    let [all, failing, drawn] = [asked + runs, failures + failed, asked].map(|n| n as u64);
    Hypergeometric::new(all, failing, drawn).map_or(0.0, |law| law.cdf(failures as u64))
}

/// Further outcomes of one copy that always gave the same: their total number, and how many differ
/// from the one before.
fn changes(
    lived: usize,
    seconds: f64,
    mut more: impl FnMut() -> Result<Outcomes, Broken>,
) -> Result<(usize, usize), Broken> {
    let start = Instant::now();
    let (mut runs, mut changes) = (lived, 0);
    let mut last: Option<Outcome> = None;
    while runs < LIVED && start.elapsed().as_secs_f64() <= seconds {
        let batch = more()?;
        for outcome in batch.iter() {
            let same = |last: &Outcome| order(&last.as_ref(), &outcome).is_eq();
            changes += usize::from(last.as_ref().is_some_and(|last| !same(last)));
            last = Some(outcome.to_owned());
        }
        runs += batch.len();
    }
    Ok((runs, changes))
}

/// `true` if fresh copies differ more often than a living one changes its answer, by more than
/// chance: the outcomes of a copy without state are as good as those of fresh ones, and a rare one
/// makes two changes. A complete lack of changes is not trusted.
fn hang_together((asked, unlike): (usize, usize), (runs, changes): (usize, usize)) -> bool {
    let share = asked as f64 / (asked + runs) as f64;
    let all = (unlike + changes) as u64;
    let Ok(chance) = Binomial::new(share, all) else { return true };
    unlike > 0 && (changes == 0 || chance.sf(unlike as u64 - 1) < CHANCE)
}

#[cfg(test)]
#[path = "../../../tests/unit/mechanism/process/drift.rs"]
mod tests;

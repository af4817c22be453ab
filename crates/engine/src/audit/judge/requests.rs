//! Independence of the counted runs of programs that are asked for many runs at once.
//!
//! A test that counts runs assumes that they are independent. A program that draws something once
//! for each request, or that keeps what it drew, makes counts vary between its requests by more
//! than chance (overdispersion). If the runs of a dataset are independent draws, then given the
//! totals the counts of its blocks have a multivariate hypergeometric law, whatever the law of the
//! outcomes. So the observed variance exceeds that of each of n draws from it with probability at
//! most 1/(n + 1) (Lehmann & Romano, *Testing Statistical Hypotheses*, 15.2).

use crate::game::{ByRequest, Phase, RequestCounts, Streams};
use plaudit_core::random::Stream;
use rand::RngExt;
use rand_distr::{Distribution, Hypergeometric};
use statrs::function::factorial::ln_factorial;

/// Number of draws that the observed variance must exceed: independent runs fail the check with
/// probability at most 1/1000.
const DRAWS: usize = 999;
/// Relative amount by which it must exceed them: sums in another order round differently.
const ROUNDING: f64 = 1e-9;

const SHARED: &str = "the number of guesses of the witness varied between requests by more than \
                      in each of 999 draws from the law of independent runs. So the program's runs share state, \
                      or it keeps state from run to run.";

/// Checks whether counts vary between requests by more than chance, for each frozen witness with
/// whether it would refute the claim.
///
/// # Errors
/// Reason why the counts prove nothing, if they would refute the claim and vary too much. If they
/// refute nothing, this is a note instead.
pub fn check(
    (seed, audit): (u64, &str),
    refute: &[bool],
    counts: &ByRequest,
) -> Result<Option<String>, String> {
    let streams = Streams::new(seed, &format!("{audit}: requests"));
    let mut random = streams.block(0, Phase::Confirm)(0);
    let mut note = None;
    for (witness, refutes) in refute.iter().enumerate() {
        if !vary_too_much(&counts.of_witness(witness), &mut random) {
            continue;
        }
        if *refutes {
            return Err(format!(
                "The counts would refute the claim, but nothing follows from them: {SHARED} Make a separate \
                 request for each run (`batch = 1`), or test each run given all before it (`stateful = true`)."
            ));
        }
        note = Some(format!(
            "The bounds assume independent runs, but these are not: {SHARED} `batch = 1` or `stateful = true` in the \
             spec give bounds that hold."
        ));
    }
    Ok(note)
}

/// `true` if the counts of a witness on either dataset vary between blocks by more than chance.
fn vary_too_much(observed: &[Vec<RequestCounts>; 2], random: &mut Stream) -> bool {
    let totals = observed.each_ref().map(|blocks| total(blocks));
    let width = |drawn: &[Vec<RequestCounts>; 2]| -> f64 {
        drawn.iter().zip(&totals).map(|(blocks, total)| variance(blocks, *total)).sum()
    };
    let least = width(observed) * (1.0 - ROUNDING);
    let mut drawn = observed.clone();
    (0..DRAWS).all(|_| {
        drawn.iter_mut().zip(&totals).for_each(|(blocks, total)| redraw(blocks, *total, random));
        width(&drawn) < least
    })
}

fn total(blocks: &[RequestCounts]) -> RequestCounts {
    blocks.iter().fold(RequestCounts::default(), |sum, block| RequestCounts {
        runs: sum.runs + block.runs,
        said: [sum.said[0] + block.said[0], sum.said[1] + block.said[1]],
    })
}

/// Pearson's sum: squared deviations of the blocks from their share, over the expected count.
fn variance(blocks: &[RequestCounts], total: RequestCounts) -> f64 {
    let of = |which: usize| {
        let share = total.said[which] as f64 / total.runs.max(1) as f64;
        let each = |block: &RequestCounts| {
            let expected = block.runs as f64 * share;
            (block.said[which] as f64 - expected).powi(2) / (expected * (1.0 - share))
        };
        let vary = share > 0.0 && share < 1.0;
        if vary { blocks.iter().filter(|block| block.runs > 0).map(each).sum() } else { 0.0 }
    };
    of(0) + of(1)
}

/// Deals the totals to the blocks again.
fn redraw(blocks: &mut [RequestCounts], total: RequestCounts, random: &mut Stream) {
    let mut left = total;
    for block in blocks {
        // The block's share of the remaining runs: of the first kind, then of the second.
        let first = hypergeometric(left.runs, left.said[0], block.runs, random);
        let others = left.runs - left.said[0];
        let second = hypergeometric(others, left.said[1], block.runs - first, random);
        block.said = [first, second];
        left.runs -= block.runs;
        left.said = [left.said[0] - first, left.said[1] - second];
    }
}

/// Mean below which a draw uses inversion. `Hypergeometric` also inverts below 10, but in time that
/// grows with `all`, and refuses parameters for which its products overflow.
const FEW: f64 = 16.0;

/// Number of marked items among `drawn` items, drawn without replacement.
fn hypergeometric(all: u64, marked: u64, drawn: u64, random: &mut Stream) -> u64 {
    // The law is the same for the unmarked items, and for those not drawn.
    let (fewer, less) = (marked.min(all - marked), drawn.min(all - drawn));
    let mut found = if fewer as f64 * less as f64 / (all.max(1) as f64) < FEW {
        by_inversion(all, fewer, less, random)
    } else {
        let law = Hypergeometric::new(all, fewer, less);
        law.expect("what it refuses has a mode below 10, and is drawn above").sample(random)
    };
    if less != drawn {
        found = fewer - found;
    }
    if fewer == marked { found } else { drawn - found }
}

/// Probability of a term after which the rest of the law is negligible.
const NOTHING: f64 = 1e-20;

/// Draw from the law by inversion, from 0 upwards; at most half are marked and at most half are
/// drawn. The probability of 0 is known to about 1e-16 ln(`all`!), so the terms may add up to a
/// little less than one (or more, which cuts off as little of the tail): draws beyond them are
/// repeated, and each number has its exact share of the rest.
fn by_inversion(all: u64, marked: u64, drawn: u64, random: &mut Stream) -> u64 {
    let others = all - marked;
    // No marked item: C(others, drawn)/C(all, drawn).
    let ln_none = ln_factorial(others) - ln_factorial(others - drawn) - ln_factorial(all)
        + ln_factorial(all - drawn);
    let mean = marked as f64 * drawn as f64 / all.max(1) as f64;
    loop {
        let (mut left, mut here, mut found) = (random.random::<f64>(), ln_none.exp(), 0);
        while left > here && found < marked.min(drawn) && (here > NOTHING || found as f64 <= mean) {
            left -= here;
            found += 1;
            here *= ((marked - found + 1) * (drawn - found + 1)) as f64
                / (found * (others - drawn + found)) as f64;
        }
        if left <= here {
            return found;
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/audit/judge/requests.rs"]
mod tests;

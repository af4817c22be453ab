//! Possible causes of a violation, from how it shows: the most specific first.

use crate::audit::course::Played;
use crate::witness::{Scorer, Witness};
use plaudit_core::finding::cause::MOST_DELTA;
use plaudit_core::finding::{Cause, LeakKind};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Causes of a violation, at most three.
pub fn causes<D>(played: &Played<'_, D>, claimed_delta: Option<f64>) -> Vec<Cause> {
    let judged = &played.own;
    let delta = judged.judgement.delta_lower;
    let missing_delta = claimed_delta == Some(0.0) && delta > 0.0 && delta <= MOST_DELTA;
    if played.values.as_ref().is_some_and(|values| values.is_cause) {
        let others = of_counts(&judged.witness, &judged.tally, missing_delta);
        return [Cause::Spelling].into_iter().chain(others).take(3).collect();
    }
    let mut causes = of_counts(&judged.witness, &judged.tally, missing_delta);
    let other = played.other.as_ref();
    if other.is_some_and(|other| other.headline == LeakKind::Values && other.judged.refutes()) {
        causes.truncate(2);
        causes.push(Cause::LowBits);
    }
    causes
}

/// Causes of the signal in a witness and its counts.
pub fn of_counts(witness: &Witness, tally: &Tally, missing_delta: bool) -> Vec<Cause> {
    let scorer = &witness.scorer;
    let missing_delta = missing_delta.then_some(Cause::MissingDelta);
    if scorer.sees_fine_structure() {
        return vec![Cause::LowBits];
    }
    if matches!(scorer.looking(), Scorer::Clock(_)) {
        return vec![Cause::RunningTime];
    }
    let sides = [(Guess::D, 0), (Guess::DPrime, 1)];
    // `true` if errors are most of the witness's signal on one of the datasets.
    let fails = sides.into_iter().any(|(side, at)| {
        let failed =
            on_both(witness, tally, |bin| witness.says[bin] == side && scorer.is_failure(bin))[at];
        failed > 0 && 2 * failed >= on_both(witness, tally, |bin| witness.says[bin] == side)[at]
    });
    if fails {
        return vec![Cause::Errors];
    }
    if matches!(scorer.looking(), Scorer::Keys(_)) {
        return [Cause::Keys].into_iter().chain(missing_delta).collect();
    }
    let only_on_one = sides.into_iter().any(|(side, at)| {
        let seen = on_both(witness, tally, |bin| witness.says[bin] == side);
        seen[at] > 0 && seen[1 - at] == 0
    });
    if only_on_one {
        return [Cause::OutputRange, Cause::NoiseSupport]
            .into_iter()
            .chain(missing_delta)
            .collect();
    }
    vec![Cause::NoiseScale, Cause::Accounting, Cause::ReusedNoise]
}

/// Runs on D and on D' in some bins.
fn on_both(witness: &Witness, tally: &Tally, chosen: impl Fn(usize) -> bool) -> [u64; 2] {
    let bins = (0..witness.says.len()).filter(|bin| chosen(*bin));
    bins.fold([0, 0], |[d, d_prime], bin| [d + tally.d[bin], d_prime + tally.d_prime[bin]])
}

#[cfg(test)]
#[path = "../../../tests/unit/audit/judge/causes.rs"]
mod tests;

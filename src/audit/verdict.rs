//! The verdict of an audit that was played, and why, in a sentence: what the counts say, unless nothing could
//! have been found.

use super::alphabet::Upper;
use super::leaks::Judged;
use super::{Audit, Played, floor, no_difference};
use crate::claim::Region;
use crate::finding::{BrokenPoint, Verdict};
use crate::game::Runs;
use crate::number::{self, Side, apart};

/// The verdict and why.
pub fn verdict<D>(audit: &Audit<D>, played: &Played<'_, D>) -> (Verdict, String) {
    let said = with_upper(by_counts(audit, played), audit, played);
    let said = unless_dull(said, audit, played);
    unless_alike(unless_weak(said, audit, played), audit, played)
}

/// What the counts say, in a sentence.
fn by_counts<D>(audit: &Audit<D>, played: &Played<'_, D>) -> (Verdict, String) {
    let judgement = &played.own.judgement;
    let claim = &audit.claim;
    let bound = match (judgement.mu_lower, claim.reference_point()) {
        (Some(mu), _) => {
            let claimed = match *claim.region() {
                Region::Gaussian { mu } => mu,
                _ => f64::NAN,
            };
            format!("mu >= {}", apart(mu, claimed, Side::Down))
        }
        (None, (epsilon, 0.0)) => {
            format!("epsilon >= {}", apart(judgement.epsilon_lower, epsilon, Side::Down))
        }
        (None, (epsilon, delta)) => {
            let epsilon = apart(judgement.epsilon_lower, epsilon, Side::Down);
            format!("epsilon >= {epsilon} at delta = {delta}")
        }
    };
    if played.own.refutes() {
        let why = format!(
            "The claim {claim} is refuted: certified {bound} with confidence 1 - {} ({}).{}",
            number::brief(audit.alpha),
            number::p_value(p_value(audit, &played.own)),
            judgement.broken_point.as_ref().map_or_else(String::new, broken_words)
        );
        return (Verdict::Violated, why);
    }
    if claim.region().most_power(0.0) >= 1.0 {
        return (Verdict::NotRefuted, "The claim allows everything: no event can break it.".into());
    }
    if judgement.power.smallest_event_mass.is_none() {
        let why = "The claim could not be tested: with so few trials not even an event that one \
                   dataset alone can show would refute it. Run more trials.";
        return (Verdict::Inconclusive, why.into());
    }
    if judgement.guesses == 0 {
        let why = "The claim could not be tested: none of the outcomes on which the witness speaks \
                   came up in the trials that count. Run more trials.";
        return (Verdict::Inconclusive, why.into());
    }
    let (given, surveyed) = (given(audit, played), played.surveyed);
    if surveyed < given {
        let why = format!(
            "The trials are too few for so many pairs: only {surveyed} of {given} were looked at, \
             and none was found to refute the claim. Run more trials, or name fewer pairs."
        );
        return (Verdict::Inconclusive, why);
    }
    let p = number::p_value(p_value(audit, &played.own));
    let why = format!("The claim {claim} is not refuted ({p}): certified is {bound}.");
    (Verdict::NotRefuted, why)
}

/// What a declared alphabet adds to a verdict.
fn with_upper<D>(
    (verdict, reason): (Verdict, String),
    audit: &Audit<D>,
    played: &Played<'_, D>,
) -> (Verdict, String) {
    match &played.upper {
        Some(Upper::Strangers(words))
            if matches!(verdict, Verdict::NotRefuted | Verdict::Inconclusive) =>
        {
            let why = format!(
                "{words} came up that are not among those that were declared, while the audit prepared, \
                 explored or confirmed, so nothing bounds the mechanism from above: mend `outcomes`. \
                 {reason}"
            );
            (Verdict::Inconclusive, why)
        }
        Some(Upper::Bounds { bounds, meet_the_claim: true })
            if verdict == Verdict::NotRefuted && audit.pairs.len() == 1 =>
        {
            let why = format!(
                "The claim {} is met by upper bounds from samples, on this pair of datasets: with \
                 confidence 1 - {}, if the {} outcomes that were declared are all there are, delta \
                 is at most {} at its epsilon.",
                audit.claim,
                number::brief(audit.alpha),
                bounds.outcomes,
                number::upper(bounds.delta_upper)
            );
            (Verdict::Bounded, why)
        }
        _ => (verdict, reason),
    }
}

/// What is not refuted says something only if something could have been.
fn unless_weak<D>(
    (verdict, reason): (Verdict, String),
    audit: &Audit<D>,
    played: &Played<'_, D>,
) -> (Verdict, String) {
    let Some((parameter, wanted)) = floor::wanted(&audit.claim, audit.min_power, played.own.test)
    else {
        return (verdict, reason);
    };
    if verdict != Verdict::NotRefuted {
        return (verdict, reason);
    }
    let judged = std::iter::once(&played.own).chain(played.other.iter().map(|other| &other.judged));
    let detectable = judged.filter_map(|judged| judged.judgement.power.detectable);
    let detectable = detectable.fold(f64::INFINITY, f64::min);
    if detectable <= wanted {
        return (verdict, reason);
    }
    let would = match detectable.is_finite() {
        true => format!("only a true {parameter} of {} or more", number::brief(detectable)),
        false => format!("no true {parameter}"),
    };
    let why = format!(
        "The audit could not have seen a loss of {} times the claim: with its trials and witness {would} would have \
         been refuted with probability 0.9, and {parameter} = {} is what `min_power` asks for. Run more trials, give \
         a pair that tells more, or say `min_power = false`. {reason}",
        number::brief(audit.min_power),
        number::brief(wanted)
    );
    (Verdict::Inconclusive, why)
}

/// Outcomes that show nothing leave nothing to say.
fn unless_dull<D>(
    (verdict, reason): (Verdict, String),
    audit: &Audit<D>,
    played: &Played<'_, D>,
) -> (Verdict, String) {
    // A running time is an outcome, too, whatever comes with it.
    let looked_at = is_green(verdict) && !audit.may_be_constant && played.runs != Runs::Timed;
    let Some(dull) = played.dull.as_ref().filter(|_| looked_at) else { return (verdict, reason) };
    let request = audit.mechanism.example_request(&played.pair.d);
    (Verdict::Inconclusive, dull.words(request.as_deref()))
}

/// A pair on which nothing differs refutes no claim, however wrong.
fn unless_alike<D>(
    (verdict, reason): (Verdict, String),
    audit: &Audit<D>,
    played: &Played<'_, D>,
) -> (Verdict, String) {
    let alike = if is_green(verdict) { no_difference::found(audit, played) } else { None };
    let words = alike.map(|alike| alike.words(played.surveyed, played.answers.as_ref()));
    words.map_or((verdict, reason), |words| (Verdict::Inconclusive, words))
}

fn is_green(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::NotRefuted | Verdict::Bounded)
}

/// The point of a curve that is broken, in words.
fn broken_words(point: &BrokenPoint) -> String {
    let BrokenPoint { epsilon, delta_claim, delta_lower } = point;
    format!(
        " It breaks its own curve at epsilon = {}: delta may be {} there, and is at least {}.",
        number::brief(*epsilon),
        number::upper(*delta_claim),
        number::lower(*delta_lower)
    )
}

/// The p-value of the claim, over all witnesses that were judged: this one's over its share of α.
pub fn p_value<D>(audit: &Audit<D>, judged: &Judged) -> f64 {
    let most = if judged.refutes() { audit.alpha } else { 1.0 };
    (judged.judgement.p_value * (audit.alpha / judged.alpha)).min(most)
}

/// Pairs that there were to look at.
pub fn given<D>(audit: &Audit<D>, played: &Played<'_, D>) -> usize {
    if audit.search.is_some() { played.surveyed } else { audit.pairs.len() }
}

//! Reasons in sentences.

use super::{CertifiedBound, Contradiction, Degenerate, MissingPower, Reason, Stage};
use crate::claim::LossUnit;
use crate::finding::{BrokenPoint, WrittenAnswer};
use plaudit_accountant::number::{self, RoundingSide, apart};

/// Longest request that is shown: a longer one is not typed by hand.
const LONGEST_REQUEST: usize = 1_000;

pub fn told(reasons: &[Reason]) -> String {
    reasons.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

fn sentence(reason: &Reason) -> String {
    match reason {
        Reason::SensitivityExceeded { declared, relation, answers, distance, pairs, domain } => {
            let [d, d_prime] = answers;
            let apart = distance.map_or_else(
                || "not at a distance that a number expresses".to_owned(),
                |distance| format!("{} apart", number::words(distance)),
            );
            format!(
                "The declared {declared} is exceeded, exactly and regardless of the noise: on two datasets that \
                 are neighbors under {relation} the query without noise answers {d} and {d_prime}, \
                 {apart}. So noise that is calibrated to it is too little. It was found among {pairs} pairs \
                 from {domain}; no sampling was needed."
            )
        }
        Reason::SensitivityUnchecked(why) => {
            format!("The declared sensitivity could not be checked: {why}.")
        }
        Reason::SensitivityHeld(pairs) => format!(
            "Without noise, none of {pairs} pairs of neighbors had answers further apart than the \
             declared sensitivity; that proves nothing of the others."
        ),
        Reason::Interrupted(stage) => interrupted(*stage),
        Reason::Broken(why) | Reason::Leaks(why) | Reason::Proved(why) | Reason::Sentences(why) => {
            why.clone()
        }
        Reason::CaughtByOther { by, expected } => {
            let missed = match expected {
                Some(expected) => format!("Its mistake is in {}.", expected.words()),
                None => "Correct noise in doubles also has that leak: round it (`floats`), or write `expect_leak = \"bits\"` \
                         if it is the mistake."
                    .to_owned(),
            };
            format!("Caught by {} only. {missed}", by.words())
        }
        Reason::Refuted { claim, bound, alpha, p_value, broken_point } => format!(
            "The claim {claim} is refuted. Certified lower bound: {}, with confidence 1 − {} ({}).{}",
            certified(*bound),
            number::brief(*alpha),
            number::p_value(*p_value),
            broken_point.as_ref().map_or_else(String::new, broken)
        ),
        Reason::NotRefuted { claim, bound, p_value } => {
            let p = number::p_value(*p_value);
            format!(
                "The claim {claim} is not refuted ({p}). Certified lower bound: {}.",
                certified(*bound)
            )
        }
        Reason::AllowsEverything => {
            "The claim allows everything, so there was nothing to test. Correct it: its δ is 1 at every ε.".into()
        },
        Reason::TooFewTrials => {
            "The claim could not be tested: with this number of trials not even an event that one \
             dataset alone can show would refute it. Run more trials."
                .into()
        }
        Reason::WitnessSilent => {
            "The claim could not be tested: no counted trial had an outcome on which \
             the witness decides. Run more trials."
                .into()
        }
        Reason::PairsLeft { surveyed, given } => format!(
            "The trials are too few for this number of pairs: only {surveyed} of {given} were examined, \
             and none refutes the claim. Run more trials, or name fewer pairs."
        ),
        Reason::Undeclared(outcomes) => format!(
            "{outcomes} came up that are not among those that were declared, while the audit prepared, \
             explored or confirmed, so nothing bounds the mechanism from above: add them to `outcomes`."
        ),
        Reason::MetByUpperBounds { claim, alpha, outcomes, delta_upper } => format!(
            "The claim {claim} is met by upper bounds from samples, on this pair of datasets: with \
             confidence 1 − {}, if the {outcomes} outcomes that were declared are all there are, δ \
             is at most {} at its ε.",
            number::brief(*alpha),
            number::upper(*delta_upper)
        ),
        Reason::TooLittlePower(power) => too_little(*power),
        Reason::Degenerate { how, request } => degenerate(how, request.as_deref()),
        Reason::BreaksDown { on: [d, d_prime], p_value, level } => format!(
            "The program broke down {d} times on D and {d_prime} times on D′ while trials were played, and was asked again: \
             more one-sided than chance makes it ({}; at most {} is), and no count has the runs that broke off. An \
             adversary who sees breakdowns can tell the datasets apart. Let it answer with an outcome (`{{\"$error\": …}}`) where it \
             breaks down, which is judged as any other, or mend it.",
            number::p_value(*p_value),
            number::brief(*level)
        ),
        Reason::NoDifference { looked_at, p_value, level, answer } => {
            no_difference(*looked_at, (*p_value, *level), answer.as_ref())
        }
        Reason::Contradicted { by, alpha } => format!(
            "The measurement contradicts the proof: {}. Either this is \
             the one audit in {:.0} with a certified bound wrong by chance, or plaudit has a bug. Run \
             it with another seed, and report it if it persists.",
            contradiction(*by),
            alpha.recip()
        ),
        Reason::MeasuredToo => "Measured as well:".into(),
        Reason::Measured => "Measured:".into(),
        Reason::NotSampled => {
            "That is a proof of the code itself, so no trials were run.".into()
        }
        Reason::ProvedAgainst => "Proved:".into(),
        Reason::Agrees(epsilon) => format!(
            "What was measured agrees. Certified lower bound: ε ≥ {}.",
            number::lower(*epsilon)
        ),
        Reason::Searched { looked_at, domain } => {
            format!("The pair is the best of {looked_at} searched pairs, from {domain}.")
        }
        Reason::Shrunk { d, d_prime, difference } => {
            let between = match difference.is_empty() {
                true => String::new(),
                false => format!(": {difference}"),
            };
            format!(
                "It was shrunk to {d} against {d_prime}{between}; there the violation was confirmed on fresh \
                 trials."
            )
        }
        Reason::Batches(batches) => format!(
            "It was to end as soon as it was clear: {batches} batches of runs, each counted by a witness that was frozen before \
             it, were judged together by the betting test, which holds whenever one stops."
        ),
        Reason::Betting => {
            "Runs may depend on one another, so they were run one after another and judged by \
             the anytime-valid betting test, which tests the claim for each run given \
             all runs before it."
                .into()
        }
        Reason::BettingOnTime => {
            "The running time is part of the outcome, so runs were made one after another and \
             judged by the anytime-valid betting test; the result holds for this \
             machine and its load, and a rerun with the same seed gives other counts."
                .into()
        }
    }
}

fn interrupted(stage: Stage) -> String {
    const EXPLORING: &str =
        "Interrupted while it explored: nothing was counted, and nothing is certified.";
    match stage {
        Stage::NotBegun => "Interrupted before it began.".into(),
        Stage::Checking => {
            "Interrupted while the declared sensitivity was checked; nothing was sampled.".into()
        }
        Stage::Proving => {
            "Interrupted while the claim was being proved; nothing was sampled.".into()
        }
        Stage::Exploring(None) => EXPLORING.into(),
        Stage::Exploring(Some(looked_at)) => format!(
            "{EXPLORING} Of {looked_at} pairs that the search had looked at so far, the one that is shown \
             looked best."
        ),
        Stage::Confirming => {
            "Interrupted while the counted trials were run. A test with a fixed number of \
             trials is not valid for fewer, so they were not tested. The pair and the witness are those of these trials."
                .into()
        }
    }
}

fn certified(bound: CertifiedBound) -> String {
    match bound {
        CertifiedBound::Mu { lower, claimed } => {
            format!("μ ≥ {}", apart(lower, claimed, RoundingSide::Down))
        }
        CertifiedBound::Epsilon { lower, claimed, delta } => {
            let epsilon = apart(lower, claimed, RoundingSide::Down);
            match delta {
                0.0 => format!("ε ≥ {epsilon}"),
                _ => format!("ε ≥ {epsilon} at δ = {delta}"),
            }
        }
    }
}

fn broken(point: &BrokenPoint) -> String {
    let BrokenPoint { epsilon, delta_claim, delta_lower } = point;
    format!(
        " The claimed curve is broken at ε = {}: it allows δ = {} there, and δ ≥ {} is certified.",
        number::brief(*epsilon),
        number::upper(*delta_claim),
        number::lower(*delta_lower)
    )
}

fn too_little(MissingPower { times, unit, detectable, wanted }: MissingPower) -> String {
    let would = match (detectable, unit) {
        (Some(loss), _) => format!("only {}", unit.at_least(&number::brief(loss))),
        (None, LossUnit::Claims) => "no true loss".to_owned(),
        (None, _) => format!("no true {}", unit.symbol()),
    };
    format!(
        "The audit could not have seen a loss of {} times the claim: with its trials and witness {would} would have \
         been refuted with probability 0.9, and {} is what `min_power` asks for. Run more trials, give \
         a more informative pair, or write `min_power = false`.",
        number::brief(times),
        unit.words(&number::brief(wanted))
    )
}

fn degenerate(how: &Degenerate, request: Option<&str>) -> String {
    const ALLOW: &str = "If this is intended, write `constant = \"allowed\"`.";
    const REFUSES: &str = " If refusing these datasets is the point, as of a fixed bug, write `constant = \"allowed\"`, or play the old \
                           certificate with `plaudit audit --regression`.";
    let (what, remedy) = match how {
        Degenerate::Fails(share, message) => {
            let percent = (share * 1000.0).floor() / 10.0;
            let all = if *share == 1.0 { "all".into() } else { format!("{percent} % of the") };
            let what = format!("{all} outcomes on both datasets were failures or NaN.");
            match (message, request.filter(|request| request.len() <= LONGEST_REQUEST)) {
                (None, _) => (what, ALLOW.to_owned()),
                // Something is broken: that is not to be allowed, but to be fixed.
                (Some(message), None) => {
                    (what, format!("The first failure says: {message:?}. Fix that first.{REFUSES}"))
                }
                (Some(message), Some(request)) => {
                    let remedy = format!(
                        "The first failure says: {message:?}. Fix that first.{REFUSES} To see it by hand, send the \
                         program this line: {}",
                        request.trim_end()
                    );
                    (what, remedy)
                }
            }
        }
        Degenerate::Constant(outcome) => {
            let what = format!("all outcomes on both datasets were the same: {outcome}.");
            (what, ALLOW.to_owned())
        }
    };
    format!("The claim could not be tested: {what} {remedy}")
}

fn no_difference(
    looked_at: usize,
    (p_value, level): (f64, f64),
    answer: Option<&WrittenAnswer>,
) -> String {
    let pair = match looked_at {
        0 | 1 => "the pair".to_owned(),
        many => format!("the best of {many} pairs"),
    };
    let p_value = number::p_value(p_value);
    let answers = answer.map_or_else(String::new, |answer| {
        format!(" Without noise, the answers are the same: {answer}.")
    });
    format!(
        "The claim could not be tested: on {pair} the outcomes show no difference between D and D′ ({p_value} for \
         none; at most {} would show one), and such a pair refutes no claim, no matter how wrong.{answers} Give a pair \
         on which the answers differ, or a `domain` to look for one; if no difference is expected, write \
         `no_difference = \"allowed\"`.",
        number::brief(level)
    )
}

fn contradiction(by: Contradiction) -> String {
    match by {
        Contradiction::Verified => {
            "the claim was refuted by sampling and verified by proof".to_owned()
        }
        Contradiction::Beyond { parameter, lower, upper } => {
            let parameter = parameter.symbol();
            format!("{parameter} ≥ {lower} was certified, and at most {upper} was proved")
        }
    }
}

//! `plaudit attack membership`.

use crate::cli::args::{MembershipArguments, OutputFormat};
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{self, brief, chosen, grouped, lower, upper};
use plaudit_attacks::attack::{
    Attacker, Bound, Interval, Membership, NumberKind, Question, Rates, Scores, Sizes, Tail,
    is_one_file, measure, read_numbers,
};
use plaudit_core::claim::{Claim, ClaimError, REFERENCE_DELTA};
use plaudit_core::random::{Phase, Streams};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// Default ε at which δ is bounded.
const REFERENCE_EPSILON: f64 = 1.0;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct PrintedAttack {
    files: [String; 2],
    seed: u64,
    #[serde(flatten)]
    found: Membership,
}

/// Reads the scores, measures, and prints the result.
pub(super) fn run(raw: &MembershipArguments) -> Result<u8, Failure> {
    let wrong = |error: ClaimError| Failure::Message(error.to_string());
    let question = question(raw).map_err(wrong)?;
    let files = [&raw.members, &raw.non_members];
    if is_one_file(files) {
        let why = "members and non-members are the same file: give the scores of each in a file of its own";
        return Err(Failure::of_file(why, files[0], &"nothing was computed"));
    }
    let read = |file: &Path| {
        read_numbers(file, raw.column.as_deref(), NumberKind::SCORES).map_err(Failure::Message)
    };
    let scores = Scores::new(read(files[0])?, read(files[1])?)
        .map_err(|error| Failure::Message(error.to_string()))?;
    let mut random = Streams::new(raw.seed, "attack membership").block(0, Phase::Split)(0);
    let found = measure(scores, &question, &mut random).map_err(wrong)?;
    let refuted = found.judged.as_ref().is_some_and(|judged| judged.refuted);
    let answer =
        PrintedAttack { files: files.map(|file| output::path(file)), seed: raw.seed, found };
    match raw.format {
        OutputFormat::Json => output::print_json(&answer)?,
        OutputFormat::Human => output::print(&human(&answer))?,
    }
    Ok(if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

fn question(raw: &MembershipArguments) -> Result<Question, ClaimError> {
    let delta = raw.delta.unwrap_or(REFERENCE_DELTA) + 0.0;
    let epsilon = raw.epsilon.unwrap_or(REFERENCE_EPSILON) + 0.0;
    // Both are checked, claimed or not.
    let point = Claim::approximate(epsilon, delta)?;
    let claim = match raw.mu {
        Some(mu) => Some(Claim::gaussian(mu + 0.0)?),
        None => raw.epsilon.map(|_| point),
    };
    Ok(Question { delta, epsilon, alpha: raw.alpha, claim })
}

fn human(answer: &PrintedAttack) -> String {
    let PrintedAttack { files, seed, found } = answer;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    line(format!("members:     {}", of_side(&files[0], found.members)));
    line(format!("non-members: {}", of_side(&files[1], found.non_members)));
    line(format!(
        "Events were chosen on one half of each, drawn at random (seed {seed}), and counted on the other.\n"
    ));
    let bounds = &found.certified;
    line("certified                          estimate  event".to_owned());
    let names = [
        (format!("epsilon at delta = {}", chosen(found.at_delta)), &bounds.epsilon),
        (format!("delta at epsilon = {}", chosen(found.at_epsilon)), &bounds.delta),
        ("mu".to_owned(), &bounds.mu),
        ("advantage".to_owned(), &bounds.advantage),
    ];
    for (name, bound) in &names {
        let certified = format!("{name} ≥ {}", lower(bound.lower));
        line(format!("{certified:<34} {:<9} {}", brief(bound.estimate), of_event(bound)));
    }
    line(format!(
        "All four hold at once with confidence 1 − {}: each is wrong with probability at most {}.\n",
        chosen(found.alpha),
        upper(bounds.level)
    ));
    let who = match found.attacker {
        Attacker::CallsHighMembers => "above",
        Attacker::CallsLowMembers => "below",
    };
    line(format!(
        "members are those with scores {who} a threshold: AUC {} (estimate)",
        brief(found.area)
    ));
    for Rates { target, threshold, true_positives, false_positives } in &found.rates {
        line(format!(
            "threshold {} for FPR {}: TPR {}, FPR {}",
            brief(*threshold),
            chosen(*target),
            of_interval(true_positives),
            of_interval(false_positives)
        ));
    }
    line(format!(
        "intervals: each with confidence 1 − {}; the ROC curve (--format json): TPR ± {}, FPR ± {} at all thresholds at once",
        chosen(found.alpha),
        upper(found.roc.true_positives_margin),
        upper(found.roc.false_positives_margin)
    ));
    for warning in &found.warnings {
        line(format!("\nwarning: {warning}"));
    }
    if let Some(judged) = &found.judged {
        let verdict = if judged.refuted { "refuted" } else { "not refuted" };
        line(format!(
            "\nthe claim {}: {verdict} ({}; refuted at {} or below)",
            judged.claim,
            number::p_value(judged.p_value),
            lower(bounds.level)
        ));
    }
    line(
        "\nThis holds for scores that are independent of one another, such as one from each of many runs of the \
         training. Scores of people in one trained model depend on one another."
            .to_owned(),
    );
    out
}

fn of_side(file: &str, sizes: Sizes) -> String {
    let Sizes { scores, distinct, choosing, counting } = sizes;
    let [scores, distinct] = [scores, distinct].map(grouped);
    let [choosing, counting] = [choosing, counting].map(grouped);
    format!(
        "{file}: {scores} scores ({distinct} different), {choosing} to choose and {counting} to count"
    )
}

fn of_event(bound: &Bound) -> String {
    let (event, counted) = (&bound.event, bound.counted);
    let tail = match event.event.tail {
        Tail::Above => "above",
        Tail::AtMost => "at most",
    };
    let likelier = event.event.likelier;
    format!(
        "{tail} {}: {} of {} {}, {} of {} {} (threshold {} of {})",
        brief(event.event.threshold),
        grouped(counted.hits),
        grouped(counted.of),
        likelier.words(),
        grouped(counted.other_hits),
        grouped(counted.other_of),
        likelier.other().words(),
        grouped(event.place as u64),
        grouped(event.thresholds as u64)
    )
}

fn of_interval(interval: &Interval) -> String {
    let Interval { estimate, lower: low, upper: high } = interval;
    format!("{} ({} to {})", brief(*estimate), lower(*low), upper(*high))
}

//! The result of `plaudit attack membership` in words.

use plaudit_accountant::number::{self, brief, chosen, grouped, lower, upper};
use plaudit_attacks::attack::{Attacker, Bound, Interval, Judged, Membership, Rates, Sizes, Tail};
use std::fmt::Write as _;

/// The bounds of one column of scores, in words; `files` are those of members and of others, or one for both.
pub(super) fn of_scores(files: &[String], seed: u64, found: &Membership) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    line(format!("members:     {}", of_side(&files[0], found.members)));
    line(format!("non-members: {}", of_side(&files[files.len() - 1], found.non_members)));
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
        line(judgement(judged, bounds.level));
    }
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

pub(super) fn of_interval(interval: &Interval) -> String {
    let Interval { estimate, lower: low, upper: high } = interval;
    format!("{} ({} to {})", brief(*estimate), lower(*low), upper(*high))
}

/// The verdict on a claim, in words.
pub(super) fn judgement(judged: &Judged, level: f64) -> String {
    let verdict = if judged.refuted { "refuted" } else { "not refuted" };
    format!(
        "\nthe claim {}: {verdict} ({}; refuted at {} or below)",
        judged.claim,
        number::p_value(judged.p_value),
        lower(level)
    )
}

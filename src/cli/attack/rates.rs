//! `plaudit attack membership --counts`.

use super::membership_words::{judgement, of_interval};
use plaudit_accountant::number::{chosen, grouped, lower, upper};
use plaudit_attacks::attack::{CountedRates, Group, RateBound};
use std::fmt::Write as _;

/// The result in words.
pub(super) fn human(found: &CountedRates) -> String {
    let calls = &found.calls;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    for (name, called, of, interval) in [
        ("members:     ", calls.true_positives, calls.members, &found.true_positives),
        ("non-members: ", calls.false_positives, calls.non_members, &found.false_positives),
    ] {
        line(format!(
            "{name}{} of {} called members: {}",
            grouped(called),
            grouped(of),
            of_interval(interval)
        ));
    }
    line(format!("intervals: each with confidence 1 − {}\n", chosen(found.alpha)));
    let bounds = &found.certified;
    line("certified                          event".to_owned());
    for (name, bound) in [
        (format!("epsilon at delta = {}", chosen(found.at_delta)), &bounds.epsilon),
        (format!("delta at epsilon = {}", chosen(found.at_epsilon)), &bounds.delta),
        ("mu".to_owned(), &bounds.mu),
        ("advantage".to_owned(), &bounds.advantage),
    ] {
        let certified = format!("{name} ≥ {}", lower(bound.lower));
        line(format!("{certified:<34} {}", of_event(bound)));
    }
    line(format!(
        "All four hold at once with confidence 1 − {}: each has two events, called a member or not, and each event is wrong \
         with probability at most {}.",
        chosen(found.alpha),
        upper(bounds.level)
    ));
    if let Some(judged) = &found.judged {
        line(judgement(judged, bounds.level));
    }
    line(
        "\nThis holds if the threshold was fixed before these people were scored, and scores are independent of one \
         another, such as one from each of many runs of the training."
            .to_owned(),
    );
    out
}

fn of_event(bound: &RateBound) -> String {
    let counted = bound.counted;
    let event = match bound.likelier {
        Group::Members => "called a member",
        Group::NonMembers => "not called a member",
    };
    format!(
        "{event}: {} of {} {}, {} of {} {}",
        grouped(counted.hits),
        grouped(counted.of),
        bound.likelier.words(),
        grouped(counted.other_hits),
        grouped(counted.other_of),
        bound.likelier.other().words()
    )
}

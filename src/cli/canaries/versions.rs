//! Canaries of several versions each.

use super::arguments::CanariesArguments;
use crate::cli::output::Answer;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{self, brief, chosen, grouped, lower};
use plaudit_attacks::learning::canaries::{
    CanaryColumns, CanaryQuestion, OneRunOfVersions, measure_versions, read_versions,
};
use plaudit_core::random::{Phase, Streams};
use plaudit_core::visible::visible;
use serde::Serialize;
use std::fmt::Write as _;

const DRAWS: &str = "\nThis holds if the version of each canary was drawn uniformly, apart from the others, and the scores were made without \
                     knowing the draws.";

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct PrintedVersions {
    file: String,
    seed: u64,
    /// Names of the columns, a version each.
    versions: Vec<String>,
    #[serde(flatten)]
    found: OneRunOfVersions,
}

pub(super) fn answer(
    raw: &CanariesArguments,
    columns: &CanaryColumns,
    question: &CanaryQuestion,
) -> Result<Answer, Failure> {
    if columns.scores.len() < 2 {
        let message = "--versions needs a --score-column for each of at least 2 versions";
        return Err(Failure::Message(message.to_owned()));
    }
    if raw.guesses.is_some_and(|guesses| guesses.of_sides) {
        let message = "--versions guesses which version was in, and calls none out: write --guesses K in place of IN,OUT";
        return Err(Failure::Message(message.to_owned()));
    }
    let file = output::path(&raw.scores);
    let canaries = read_versions(&raw.scores, columns).map_err(Failure::Message)?;
    let mut random = Streams::new(raw.seed, "canaries").block(0, Phase::Split)(0);
    let found = measure_versions(&canaries, question, &mut random)
        .map_err(|error| Failure::Message(format!("{file}:{}: {error}", error.line())))?;
    let mut notes = Vec::new();
    if found.draws.unlikely {
        notes.push(format!(
            "warning: the numbers of canaries of each version are {:?}, which uniform draws show with probability {}; \
             without a uniform draw for each canary the bounds do not hold",
            found.draws.counts,
            brief(found.draws.p_value)
        ));
    } else if found.draws.exactly_equal {
        notes.push(
            "warning: all versions were in exactly equally often; if these numbers were fixed, the draws were not \
             independent, and the bounds do not hold"
                .to_owned(),
        );
    }
    let refuted = found.judged.as_ref().is_some_and(|judged| judged.refuted);
    let versions = columns.scores.clone();
    let answer = PrintedVersions { file, seed: raw.seed, versions, found };
    let code = if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED };
    Ok(Answer { notes, ..Answer::new(&answer, human(&answer), code)? })
}

fn human(answer: &PrintedVersions) -> String {
    let PrintedVersions { file, seed, versions, found } = answer;
    let draws = &found.draws;
    let counts: Vec<String> = versions
        .iter()
        .zip(&draws.counts)
        .map(|(name, count)| format!("{} of {}", grouped(*count), visible(name)))
        .collect();
    let mut out = format!(
        "canaries: {file}: {} of {} versions each: {} (uniform draws: {})\n",
        grouped(draws.counts.iter().sum()),
        versions.len(),
        counts.join(", "),
        number::p_value(draws.p_value)
    );
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    let (numbers, level) = (found.looks.len(), lower(found.level));
    line(match numbers {
        1 => format!(
            "The number of guesses was fixed beforehand; equal gaps in random order (seed {seed}).\n"
        ),
        _ => format!(
            "{numbers} numbers of guesses, each at level {level}; equal gaps in random order (seed {seed}).\n"
        ),
    });
    for look in &found.looks {
        line(format!(
            "{} guessed (highest scores at least {} above the next): {} right",
            grouped(look.guesses.made),
            brief(look.gap_from),
            grouped(look.guesses.right)
        ));
    }
    line(format!(
        "\ncertified: epsilon at delta = {} ≥ {} (at most {} in this run) with confidence 1 − {},\nfor replacing one version of \
         a canary by another; not for adding or removing one.",
        chosen(found.at_delta),
        lower(found.epsilon),
        lower(found.ceiling),
        chosen(found.alpha)
    ));
    for warning in &found.warnings {
        line(format!("\nwarning: {warning}"));
    }
    if let Some(judged) = &found.judged {
        let verdict = if judged.refuted { "refuted" } else { "not refuted" };
        line(format!(
            "\nthe claim {} for replacing: {verdict} ({}; refuted at {level} or below)",
            judged.claim,
            number::p_value(judged.p_value)
        ));
    }
    out + DRAWS + "\n"
}

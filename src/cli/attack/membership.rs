//! `plaudit attack membership`.

use super::membership_arguments::MembershipArguments;
use super::{membership_words, rates};
use crate::cli::columns::{Column, Columns};
use crate::cli::output::Answer;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{self, brief, chosen, grouped, lower};
use plaudit_attacks::attack::{
    Bound, Calls, Groups, GroupsCompared, Membership, Question, ScoreFiles, Scores, compare_groups,
    measure, measure_calls,
};
use plaudit_core::claim::{Claim, ClaimError, REFERENCE_DELTA};
use plaudit_core::random::{Phase, Streams};
use plaudit_core::visible::visible;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Default ε at which δ is bounded.
const REFERENCE_EPSILON: f64 = 1.0;
const DEPENDENT: &str = "\nThis holds for scores that are independent of one another, such as one from each of many runs of the \
     training. Scores of people in one trained model depend on one another.";

/// Question and result of one column of scores, for `--format json`.
#[derive(Debug, Serialize)]
struct PrintedAttack {
    files: Vec<String>,
    seed: u64,
    /// Comparison of the groups without the model; absent without their rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<GroupsCompared>,
    #[serde(flatten)]
    found: Membership,
}

/// Question and results of several columns.
#[derive(Debug, Serialize)]
struct PrintedColumns {
    files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<GroupsCompared>,
    #[serde(flatten)]
    all: Columns<Membership, BestBounds>,
}

/// The largest bound of any column.
#[derive(Debug, Serialize)]
struct BestBounds {
    epsilon: BestBound,
    delta: BestBound,
    mu: BestBound,
    advantage: BestBound,
}

#[derive(Debug, Serialize)]
struct BestBound {
    lower: f64,
    column: String,
}

/// Reads the scores, and measures.
pub(super) fn answer(raw: &MembershipArguments) -> Result<Answer, Failure> {
    let question = question(raw).map_err(wrong)?;
    let groups = raw.rows.as_deref().map(|rows| groups(rows, raw.seed)).transpose()?;
    if let Some(calls) = raw.counts {
        return by_counts(calls, &question);
    }
    let files = files(raw)?;
    let scores = files.read(&raw.column).map_err(Failure::Message)?;
    let files: Vec<String> = files.paths().into_iter().map(|path| output::path(path)).collect();
    let found = measure_columns(scores, &question, raw.seed)?;
    let is_refuted = |found: &Membership| found.judged.as_ref().is_some_and(|it| it.refuted);
    let refuted = found.iter().any(is_refuted);
    let seed = raw.seed;
    let code = if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED };
    match <[Membership; 1]>::try_from(found) {
        Ok([found]) => {
            let words = membership_words::of_scores(&files, seed, &found);
            let of_groups = groups.as_ref().map(of_groups).unwrap_or_default();
            let words = format!("{words}{of_groups}{DEPENDENT}\n");
            Answer::new(&PrintedAttack { files, seed, groups, found }, words, code)
        }
        Err(found) => {
            let columns = Column::all(raw.column.clone(), found);
            let best = best(&columns);
            let refuted = question.claim.as_ref().map(|_| refuted);
            let all = Columns { seed, alpha: question.alpha, columns, best, refuted };
            let answer = PrintedColumns { files, groups, all };
            Answer::new(&answer, of_columns(&answer), code)
        }
    }
}

fn wrong(error: ClaimError) -> Failure {
    Failure::Message(error.to_string())
}

/// The files of scores, by the arguments.
fn files(raw: &MembershipArguments) -> Result<ScoreFiles, Failure> {
    let members = raw.members.clone().unwrap_or_default();
    Ok(match (&raw.non_members, &raw.label) {
        (Some(others), _) => ScoreFiles::Apart([members, others.clone()]),
        (None, Some(label)) => {
            if raw.column.contains(label) {
                let message = "--column and --label name the same column";
                return Err(Failure::Message(message.to_owned()));
            }
            ScoreFiles::Labeled { table: members, label: label.clone() }
        }
        (None, None) => ScoreFiles::Archive(members),
    })
}

/// The level at which groups are refused.
const GROUPS_LEVEL: f64 = 0.01;

/// Compares the rows of the groups.
///
/// # Errors
/// If a file cannot be read, or the groups differ without any model.
fn groups(paths: &[PathBuf], seed: u64) -> Result<GroupsCompared, Failure> {
    let read = Groups::read([&paths[0], &paths[1]]);
    let groups = read.map_err(|why| Failure::Message(format!("--rows: {why}")))?;
    let mut random = Streams::new(seed, "attack membership groups").block(0, Phase::Split)(0);
    let found = compare_groups(&groups, GROUPS_LEVEL, &mut random);
    if !found.differ {
        return Ok(found);
    }
    Err(Failure::Message(format!(
        "members and others differ without any model: {} {} apart ({}, AUC {} of a classifier that never saw it), so the \
         attack's number would not be about the model. Draw members and others from the same people at random, or leave out \
         --rows and say that the groups differ",
        found
            .most_by
            .iter()
            .map(|name| format!("`{}`", visible(name)))
            .collect::<Vec<_>>()
            .join(" and "),
        if found.most_by.len() == 1 { "tells them" } else { "together tell them" },
        number::p_value(found.p_value),
        brief(found.auc),
    )))
}

fn of_groups(found: &GroupsCompared) -> String {
    format!(
        "\nThe rows of {} members and {} others do not tell the groups apart without the model ({}; AUC {} of a classifier).\n",
        grouped(found.members),
        grouped(found.others),
        number::p_value(found.p_value),
        brief(found.auc)
    )
}

fn by_counts(calls: Calls, question: &Question) -> Result<Answer, Failure> {
    let found = measure_calls(calls, question).map_err(wrong)?;
    let refuted = found.judged.as_ref().is_some_and(|judged| judged.refuted);
    let code = if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED };
    Answer::new(&found, rates::human(&found), code)
}

/// Measures each column at its share of the level, with a split of its own.
fn measure_columns(
    scores: Vec<Scores>,
    question: &Question,
    seed: u64,
) -> Result<Vec<Membership>, Failure> {
    let question = question.shared(scores.len());
    let streams = Streams::new(seed, "attack membership");
    let stream = streams.block(0, Phase::Split);
    let one = |(place, scores)| measure(scores, &question, &mut stream(place)).map_err(wrong);
    (0..).zip(scores).map(one).collect()
}

fn best(columns: &[Column<Membership>]) -> BestBounds {
    let of = |bound: fn(&Membership) -> &Bound| {
        let lower = |column: &&Column<Membership>| bound(&column.found).lower;
        let mut best = &columns[0];
        for column in columns {
            if lower(&column) > lower(&best) {
                best = column;
            }
        }
        BestBound { lower: lower(&best), column: best.column.clone() }
    };
    BestBounds {
        epsilon: of(|found| &found.certified.epsilon),
        delta: of(|found| &found.certified.delta),
        mu: of(|found| &found.certified.mu),
        advantage: of(|found| &found.certified.advantage),
    }
}

fn of_columns(answer: &PrintedColumns) -> String {
    let PrintedColumns { files, groups, all } = answer;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    line(all.head());
    for Column { column, found } in &all.columns {
        let words = membership_words::of_scores(files, all.seed, found);
        line(format!("\ncolumn {}\n{}", visible(column), words.trim_end()));
    }
    let (found, best) = (&all.columns[0].found, &all.best);
    line("\nbest of all columns                 column".to_owned());
    for (name, bound) in [
        (format!("epsilon at delta = {}", chosen(found.at_delta)), &best.epsilon),
        (format!("delta at epsilon = {}", chosen(found.at_epsilon)), &best.delta),
        ("mu".to_owned(), &best.mu),
        ("advantage".to_owned(), &best.advantage),
    ] {
        let certified = format!("{name} ≥ {}", lower(bound.lower));
        line(format!("{certified:<34}  {}", visible(&bound.column)));
    }
    let claim = found.judged.as_ref().map(|judged| &judged.claim);
    all.verdict(claim).into_iter().for_each(&mut line);
    line(format!("{}{DEPENDENT}", groups.as_ref().map(of_groups).unwrap_or_default()));
    out
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

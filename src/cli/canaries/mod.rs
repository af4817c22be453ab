//! `plaudit canaries`.

pub(super) mod arguments;
mod versions;

use super::columns::{Column, Columns};
use super::{Failure, exit, output};
use crate::cli::output::Answer;
use arguments::CanariesArguments;
use plaudit_accountant::number::{self, brief, chosen, grouped, lower};
use plaudit_attacks::learning::canaries::{
    Canaries, CanariesError, Canary, CanaryColumns, CanaryQuestion, CountedGuesses, Guessing,
    NormalScores, OneRun, level_in_turn, measure, read_canaries,
};
use plaudit_core::claim::{Claim, ClaimError, REFERENCE_DELTA};
use plaudit_core::random::{Phase, Streams};
use plaudit_core::visible::visible;
use serde::Serialize;
use std::fmt::Write as _;

const COINS: &str = "\nThis holds if each canary was in or out by a fair coin of its own, and the scores were made without knowing the coins.";

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct PrintedRun {
    file: String,
    seed: u64,
    #[serde(flatten)]
    found: OneRun,
}

/// Question and results of several columns of scores.
#[derive(Debug, Serialize)]
struct PrintedColumns {
    file: String,
    /// Looks one after another at one training.
    #[serde(flatten)]
    in_turn: Option<InTurn>,
    #[serde(flatten)]
    all: Columns<OneRun, BestBounds>,
}

#[derive(Debug, Serialize)]
struct InTurn {
    in_turn: bool,
    /// The first column that refutes the claim, if one does.
    first_refuting: Option<String>,
}

/// The largest bound of any column.
#[derive(Debug, Serialize)]
struct BestBounds {
    epsilon: f64,
    mu: f64,
}

/// Reads the scores, measures, and prints the result.
pub(super) fn run(raw: &CanariesArguments) -> Result<u8, Failure> {
    answer(raw)?.print(raw.format)
}

/// Answers without printing.
pub(super) fn answer(raw: &CanariesArguments) -> Result<Answer, Failure> {
    let asked = question(raw).map_err(|error| Failure::Message(error.to_string()))?;
    let columns =
        CanaryColumns { scores: raw.score_column.clone(), included: raw.in_column.clone() };
    if columns.scores.contains(&columns.included) {
        let message = "--score-column and --in-column name the same column";
        return Err(Failure::Message(message.to_owned()));
    }
    if matches!((asked.guessing, raw.mu), (Guessing::Ordered, Some(_))) && asked.delta == 0.0 {
        let message = "--choose ordered bounds mu by delta alone, and at delta 0 not at all: give --delta, or another --choose";
        return Err(Failure::Message(message.to_owned()));
    }
    if raw.versions {
        return versions::answer(raw, &columns, &asked);
    }
    let file = output::path(&raw.scores);
    let in_file = |place: u64, error: CanariesError| {
        let column = match &columns.scores[..] {
            several @ [_, _, ..] if error.is_of_scores() => {
                format!("the column `{}`: ", visible(&several[place as usize]))
            }
            _ => String::new(),
        };
        Failure::Message(format!("{file}:{}: {column}{error}", error.line()))
    };
    let read = read_canaries(&raw.scores, &columns).map_err(Failure::Message)?;
    let level = |place: u64| match raw.in_turn {
        true => level_in_turn(asked.alpha, place as usize),
        // An equal share for each column (Bonferroni).
        false => asked.alpha / read.len() as f64,
    };
    let streams = Streams::new(raw.seed, "canaries");
    let stream = streams.block(0, Phase::Split);
    let one = |(place, canaries): (u64, &Vec<Canary>)| {
        let question = CanaryQuestion { alpha: level(place), ..asked.clone() };
        Canaries::new(canaries.clone())
            .and_then(|canaries| measure(canaries, &question, &mut stream(place)))
            .map_err(|error| in_file(place, error))
    };
    let found = (0..).zip(&read).map(one).collect::<Result<Vec<_>, Failure>>()?;
    let notes = warning(&found[0]).into_iter().collect();
    let refuted = found.iter().any(is_refuted);
    let seed = raw.seed;
    let printed = match <[OneRun; 1]>::try_from(found) {
        Ok([found]) if !raw.in_turn => {
            PrintedAnswer::One(Box::new(PrintedRun { file, seed, found }))
        }
        Ok(found) => PrintedAnswer::Several(several(raw, &asked, file, found.into())),
        Err(found) => PrintedAnswer::Several(several(raw, &asked, file, found)),
    };
    let words = match &printed {
        PrintedAnswer::One(run) => format!("{}{COINS}\n", human(run)),
        PrintedAnswer::Several(answer) => of_columns(answer),
    };
    let code = if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED };
    Ok(Answer { notes, ..Answer::new(&printed, words, code)? })
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PrintedAnswer {
    One(Box<PrintedRun>),
    Several(PrintedColumns),
}

fn is_refuted(found: &OneRun) -> bool {
    found.judged.as_ref().is_some_and(|it| it.refuted)
}

/// The answer of several columns, or of one of many to come.
fn several(
    raw: &CanariesArguments,
    asked: &CanaryQuestion,
    file: String,
    found: Vec<OneRun>,
) -> PrintedColumns {
    let columns = Column::all(raw.score_column.clone(), found);
    let most = |bound: fn(&OneRun) -> f64| {
        columns.iter().map(|column| bound(&column.found)).fold(0.0, f64::max)
    };
    let best = BestBounds {
        epsilon: most(|found| found.certified.epsilon),
        mu: most(|found| found.certified.mu),
    };
    let first = columns.iter().find(|column| is_refuted(&column.found));
    let refuted = asked.claim.as_ref().map(|_| first.is_some());
    let first_refuting = first.map(|column| column.column.clone());
    let in_turn = raw.in_turn.then_some(InTurn { in_turn: true, first_refuting });
    let all = Columns { seed: raw.seed, alpha: asked.alpha, columns, best, refuted };
    PrintedColumns { file, in_turn, all }
}

/// Several columns, in words.
fn of_columns(answer: &PrintedColumns) -> String {
    let PrintedColumns { file, in_turn, all } = answer;
    let head = match &in_turn {
        Some(_) => format!(
            "{} looks in turn at one training, look k at level {alpha}/(k (k + 1)): all bounds of all looks, and of any to \
             come, hold at once with confidence 1 − {alpha}.",
            all.columns.len(),
            alpha = chosen(all.alpha)
        ),
        None => all.head(),
    };
    let mut out = head + "\n";
    let first = &all.columns[0].found;
    let (epsilon, mu) = (lower(all.best.epsilon), lower(all.best.mu));
    let best = format!(
        "\nbest of all columns: epsilon at delta = {} ≥ {epsilon}, mu ≥ {mu}\n",
        chosen(first.at_delta)
    );
    let verdict = all.verdict(first.judged.as_ref().map(|judged| &judged.claim));
    for Column { column, found } in &all.columns {
        let words = of_run(file, all.seed, found);
        // Writing to a string cannot fail.
        let _ = write!(out, "\ncolumn {}\n{words}", visible(column));
    }
    out += &best;
    out += &verdict.map_or_else(String::new, |verdict| verdict + "\n");
    if let Some(first) = in_turn.as_ref().and_then(|it| it.first_refuting.as_ref()) {
        let _ = writeln!(out, "first refuted by column {}", visible(first));
    }
    out + COINS + "\n"
}

fn question(raw: &CanariesArguments) -> Result<CanaryQuestion, ClaimError> {
    let delta = raw.delta.unwrap_or(REFERENCE_DELTA) + 0.0;
    // δ is checked, claimed or not.
    let point = Claim::approximate(raw.epsilon.unwrap_or(0.0) + 0.0, delta)?;
    let claim = match raw.mu {
        Some(mu) => Some(Claim::gaussian(mu + 0.0)?),
        None => raw.epsilon.map(|_| point),
    };
    Ok(CanaryQuestion { delta, alpha: raw.alpha, guessing: raw.guessing(), claim })
}

/// Warns if the coins look unfair.
fn warning(found: &OneRun) -> Option<String> {
    let coins = found.coins;
    if coins.unlikely {
        Some(format!(
            "warning: {} of {} canaries are in, which fair coins show with probability {}; without a fair coin for each \
             canary the bounds do not hold",
            grouped(coins.included),
            grouped(coins.of),
            brief(coins.p_value)
        ))
    } else if coins.exactly_half {
        Some(
            "warning: exactly half of the canaries are in; if that number was fixed, their coins were not independent, and \
             the bounds do not hold"
                .to_owned(),
        )
    } else {
        None
    }
}

fn human(answer: &PrintedRun) -> String {
    let PrintedRun { file, seed, found } = answer;
    of_run(file, *seed, found)
}

/// One column, in words.
fn of_run(file: &str, seed: u64, found: &OneRun) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    let coins = found.coins;
    line(format!(
        "canaries: {file}: {} ({} different scores), {} in and {} out (fair coins: {})",
        grouped(coins.of),
        grouped(found.distinct),
        grouped(coins.included),
        grouped(coins.of - coins.included),
        number::p_value(coins.p_value)
    ));
    line(of_choice(found, seed));
    line(String::new());
    line(of_looks(found));
    let delta = chosen(found.at_delta);
    let (certified, ceiling) = (&found.certified, &found.ceiling);
    line("certified                          at most in this run (all guesses right)".to_owned());
    for (name, bound, most) in [
        (format!("epsilon at delta = {delta}"), certified.epsilon, ceiling.epsilon),
        ("mu".to_owned(), certified.mu, ceiling.mu),
    ] {
        line(format!("{:<34} {}", format!("{name} ≥ {}", lower(bound)), lower(most)));
    }
    line(format!(
        "Both hold at once with confidence 1 − {}. The training is not mu-GDP for any smaller mu.",
        chosen(found.alpha)
    ));
    // In order, the μ follows from the ε, and at 0 says nothing.
    if found.guessing != Guessing::Ordered || certified.mu > 0.0 {
        line(format!(
            "If its trade-off curve is Gaussian, epsilon at delta = {delta} ≥ {} (at most {}).",
            lower(certified.gaussian_epsilon),
            lower(ceiling.gaussian_epsilon)
        ));
    }
    if let Some(normal) = &found.normal {
        line(of_normal(normal, &delta, &chosen(found.alpha)));
    }
    for warning in &found.warnings {
        line(format!("\nwarning: {warning}"));
    }
    if let Some(judged) = &found.judged {
        let verdict = if judged.refuted { "refuted" } else { "not refuted" };
        line(format!(
            "\nthe claim {}: {verdict} ({}; refuted at {} or below)",
            judged.claim,
            number::p_value(judged.p_value),
            lower(found.level)
        ));
    }
    out
}

fn of_normal(normal: &NormalScores, delta: &str, alpha: &str) -> String {
    let fit = number::p_value(normal.p_value);
    match &normal.certified {
        Some(bounds) => format!(
            "If scores are normal, in and out, with one variance (not contradicted: {fit}), epsilon at delta = {delta} ≥ {} and \
             mu ≥ {} with confidence 1 − {alpha}.",
            lower(bounds.epsilon),
            lower(bounds.mu)
        ),
        None => format!(
            "The scores are not normal with one variance ({fit}), so only guesses bound epsilon."
        ),
    }
}

fn of_choice(found: &OneRun, seed: u64) -> String {
    let [choosing, counting] = [found.choosing, found.counting].map(grouped);
    match found.guessing {
        Guessing::Split { .. } => format!(
            "The number of guesses was chosen on {choosing} of them, drawn at random (seed {seed}); guesses on the other {counting} \
             were counted."
        ),
        Guessing::Bonferroni => format!(
            "{} numbers of guesses, each at level {}; equal scores in random order (seed {seed}).",
            found.looks.len(),
            lower(found.level)
        ),
        Guessing::Ordered => format!(
            "All numbers of guesses at once, on both sides and on each alone; below, those with the most evidence. Equal scores \
             in random order (seed {seed})."
        ),
        Guessing::Fixed(_) => format!(
            "The number of guesses was fixed beforehand; equal scores in random order (seed {seed})."
        ),
    }
}

/// Guesses, a line for each number of them, or order.
fn of_looks(found: &OneRun) -> String {
    let is_shown =
        |look: &&CountedGuesses| found.guessing != Guessing::Ordered || look.guesses.made > 0;
    let lines: Vec<String> = found.looks.iter().filter(is_shown).map(of_guesses).collect();
    let mut out = match &lines[..] {
        [] => "no number of guesses is evidence\n".to_owned(),
        lines => lines.join("\n") + "\n",
    };
    if let Some(given) = found.given_away {
        let (given, wrong) = (grouped(given), grouped(given - 1));
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "For delta, fewer than {given} coins given away are allowed for, so {wrong} of the right guesses count as wrong."
        );
    }
    out
}

fn of_guesses(look: &CountedGuesses) -> String {
    let side = |who: &str, count: usize, score: Option<f64>, words: &str| {
        let score = score.map(|score| format!(" (scores {words} {})", brief(score)));
        format!("{} called {who}{}", grouped(count as u64), score.unwrap_or_default())
    };
    format!(
        "{}, {}: {} of {} right",
        side("in", look.sides.called_in, look.in_from, "from"),
        side("out", look.sides.called_out, look.out_to, "up to"),
        grouped(look.guesses.right),
        grouped(look.guesses.made)
    )
}

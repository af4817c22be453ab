//! `plaudit law`.

pub(super) mod arguments;

use super::parse::OutputFormat;
use super::{Failure, exit, output};
use arguments::LawArguments;
use plaudit_accountant::number::{self, brief, chosen, grouped};
use plaudit_attacks::attack::{NumberKind, read_numbers};
use plaudit_core::law::{Comparison, Evidence, Part, compare_with_law};
use serde::Serialize;
use std::fmt::Write as _;

/// Fewest draws that are compared.
const LEAST: usize = 20;

/// Question and result, for `--format json`.
#[derive(Serialize)]
struct PrintedComparison {
    law: String,
    file: String,
    answer: f64,
    #[serde(flatten)]
    found: Comparison,
}

/// Reads the draws, compares them with the law, and prints the result.
pub(super) fn run(raw: &LawArguments) -> Result<u8, Failure> {
    let read = read_numbers(&raw.draws, raw.column.as_deref(), NumberKind::DRAWS);
    let mut draws = read.map_err(Failure::Message)?;
    let file = output::path(&raw.draws);
    if draws.len() < LEAST {
        return Err(Failure::Message(format!(
            "{file} has {} draws, which is too few to compare: give at least {LEAST}, better 100 000",
            draws.len()
        )));
    }
    draws.iter_mut().for_each(|x| *x -= raw.answer);
    let found = compare_with_law(&raw.law, &draws, raw.alpha);
    let refuted = found.refuted;
    let answer = PrintedComparison { law: raw.law.to_string(), file, answer: raw.answer, found };
    match raw.format {
        OutputFormat::Json => output::print_json(&answer)?,
        OutputFormat::Human => output::print(&human(&answer))?,
    }
    Ok(if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

fn human(answer: &PrintedComparison) -> String {
    let PrintedComparison { law, file, found, .. } = answer;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(out, "{words}");
    };
    let verdict = if found.refuted { "refuted" } else { "not refuted" };
    line(format!("law:    {law}"));
    let read = match found.read {
        0 => String::new(),
        read => format!(", {} more only to see their grid", grouped(read)),
    };
    line(format!("draws:  {} of {file}{read}", grouped(found.draws)));
    line(format!(
        "{verdict} ({}; refuted at {} or below)\n",
        number::p_value(found.p_value),
        chosen(found.alpha)
    ));
    line("evidence                  log10  most telling".to_owned());
    for Evidence { part, log10, seen } in &found.evidence {
        let size = match log10 {
            x if *x == f64::INFINITY => "∞".to_owned(),
            x if *x < 0.0 => "< 0".to_owned(),
            x => format!("{x:.1}"),
        };
        line(format!("{:<24} {size:>6}  {seen}", of_part(*part)));
    }
    if let Some(least) = found.least_spread.filter(|_| !found.refuted) {
        line(format!(
            "\nA spread that differs by {} % would have been found with probability 0.9; other deviations can be as large and \
             unseen.",
            brief(100.0 * least)
        ));
    }
    out
}

/// A part of the evidence, for people.
fn of_part(part: Part) -> &'static str {
    match part {
        Part::Support => "impossible outcomes",
        Part::Spread => "spread and position",
        Part::Interval => "an interval",
        Part::BothSides => "intervals on both sides",
        Part::Extremes => "extremes",
        Part::Order => "consecutive draws",
        Part::Repeats => "repeated draws",
        Part::CoarseUniform => "coarse uniform numbers",
    }
}

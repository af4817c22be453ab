//! `plaudit law`.

pub(super) mod arguments;

use super::parse::OutputFormat;
use super::running::interrupt;
use super::{Failure, exit, output};
use crate::spec::{self, LawTest, Loaded, Overrides};
use arguments::LawArguments;
use plaudit_accountant::number::{self, brief, chosen, grouped};
use plaudit_attacks::attack::{NumberKind, read_numbers};
use plaudit_core::law::{Comparison, Evidence, NamedLaw, Part, compare_with_law};
use plaudit_core::random::{Phase, Streams};
use plaudit_core::visible::visible;
use plaudit_engine::mechanism::{OutcomeRef, Outcomes, Planned, Trouble, release_unless};
use plaudit_report::report::cut;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Fewest draws that are compared.
const LEAST: usize = 20;
/// Fewest intervals that need no remark.
const FEW: usize = 32;
/// Runs of a request.
const BLOCK: usize = 1 << 16;

/// Question and result, for `--format json`.
#[derive(Serialize)]
struct PrintedComparison {
    law: String,
    /// File of the draws, or name of the audit.
    source: String,
    #[serde(flatten)]
    found: Comparison,
}

/// Compares the draws, or those of mechanisms, with their laws, and prints the results.
pub(super) fn run(raw: &LawArguments) -> Result<u8, Failure> {
    let answers = match (&raw.law, &raw.draws) {
        (Some(law), Some(draws)) => vec![of_file(raw, law, draws)?],
        _ => of_specs(raw)?,
    };
    let refuted = answers.iter().any(|answer| answer.found.refuted);
    match (raw.format, &answers[..]) {
        (OutputFormat::Json, [answer]) if raw.spec.is_empty() => output::print_json(answer)?,
        (OutputFormat::Json, _) => output::print_json(&answers)?,
        (OutputFormat::Human, _) => {
            let words: Vec<String> = answers.iter().map(human).collect();
            output::print(&words.join("\n"))?;
        }
    }
    Ok(if refuted { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

/// Draws in a file.
fn of_file(raw: &LawArguments, law: &NamedLaw, path: &Path) -> Result<PrintedComparison, Failure> {
    if !raw.answer.is_finite() {
        return Err(Failure::Message("--answer is not a finite number".to_owned()));
    }
    let read = read_numbers(path, raw.column.as_deref(), NumberKind::DRAWS);
    let mut draws = read.map_err(Failure::Message)?;
    let source = output::path(path);
    if draws.len() < LEAST {
        return Err(Failure::Message(format!(
            "{source} has {} draws, which is too few to compare: give at least {LEAST}, better 100 000",
            draws.len()
        )));
    }
    draws.iter_mut().for_each(|x| *x -= raw.answer);
    let found = compare_with_law(law, &draws, raw.alpha);
    Ok(PrintedComparison { law: law.to_string(), source, found })
}

/// Mechanisms of the audits that have a law.
fn of_specs(raw: &LawArguments) -> Result<Vec<PrintedComparison>, Failure> {
    let mut loaded = spec::load(&raw.spec, &Overrides::default())?;
    let is_named = |name: &str| raw.filter.as_ref().is_none_or(|filter| filter.is_match(name));
    loaded.retain(|loaded| loaded.law.is_some());
    let all = loaded.len();
    loaded.retain(|loaded| is_named(&loaded.audit.name));
    if all > 0 && loaded.is_empty() {
        let why = format!("none of the {all} audits with a `law` has a name that matches --filter");
        return Err(Failure::NothingSelected(why));
    }
    if loaded.is_empty() {
        let why = "no audit of these specs has a `law`, such as law = { noise = \"laplace(scale=1)\", answer = 10.0 }";
        return Err(Failure::NothingSelected(why.to_owned()));
    }
    spec::check_startable(&loaded)?;
    let interrupted = interrupt::listen()?;
    let one = |loaded: &Loaded| {
        let name = &loaded.audit.name;
        let asked = loaded.law.as_ref().expect("those without were left out");
        let draws =
            drawn(loaded, asked, raw.seed, interrupted).map_err(|trouble| match trouble {
                Trouble::Interrupted => {
                    Failure::Interrupted("interrupted: no law was tested".into())
                }
                trouble => Failure::Message(format!("{name}: {trouble}")),
            })?;
        let found = compare_with_law(&asked.noise, &draws, raw.alpha);
        Ok(PrintedComparison { law: asked.noise.to_string(), source: name.clone(), found })
    };
    loaded.iter().map(one).collect()
}

/// Outcomes of a mechanism on the first dataset, less its answer.
fn drawn(
    loaded: &Loaded,
    asked: &LawTest,
    seed: u64,
    interrupted: &AtomicBool,
) -> Result<Vec<f64>, Trouble> {
    let (audit, broken) = (&loaded.audit, |why: &str| Trouble::Broken(why.to_owned()));
    let pair = audit.pairs.first();
    let pair = pair.ok_or_else(|| broken("a law needs a pair: a domain has no first dataset"))?;
    let mechanism = audit.mechanism.as_ref();
    let stream = |phase| Streams::new(seed, &audit.name).block(0, phase)(0);
    let planned =
        Planned { trials: asked.draws, most: asked.draws, one_by_one: false, seconds: None };
    let mut outcomes = Outcomes::new();
    let runs = usize::try_from(asked.draws).map_err(|_| broken("too many draws"))?;
    let made = mechanism
        .prepare([&pair.d, &pair.d_prime], planned, &mut stream(Phase::Prepare), interrupted)
        .and_then(|_| {
            let mut random = stream(Phase::Confirm);
            while outcomes.len() < runs {
                let block = (runs - outcomes.len()).min(BLOCK);
                release_unless(interrupted, mechanism, &pair.d, block, &mut random, &mut outcomes)?;
            }
            Ok(())
        });
    mechanism.finish();
    made?;
    noise(&outcomes, &asked.answers).map_err(Trouble::Broken)
}

/// The entries of all outcomes, less their answers.
fn noise(outcomes: &Outcomes, answers: &[f64]) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for outcome in outcomes.iter() {
        let entries = match outcome {
            OutcomeRef::Number(x) => vec![x],
            OutcomeRef::Integer(x) => vec![x as f64],
            OutcomeRef::Vector(entries) => entries.to_vec(),
            other => {
                let shown = cut(&visible(&format!("{:?}", other.to_owned())), 80);
                return Err(format!("an outcome is not a number: {shown}"));
            }
        };
        if entries.len() != answers.len() {
            return Err(format!(
                "an outcome has {} entries, and `answer` has {}: write one answer for each",
                entries.len(),
                answers.len()
            ));
        }
        all.extend(entries.iter().zip(answers).map(|(entry, answer)| entry - answer));
    }
    Ok(all)
}

fn human(answer: &PrintedComparison) -> String {
    let PrintedComparison { law, source, found } = answer;
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
    line(format!("draws:  {} of {source}{read}", grouped(found.draws)));
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
    if !found.refuted && found.cells < FEW {
        line(format!(
            "\nOnly {} intervals were compared: the law has few values, or the draws are rounded coarsely (write all digits).",
            found.cells
        ));
    }
    if let Some(least) = found.least_scale.filter(|_| !found.refuted) {
        line(format!(
            "\nA scale that is {} % larger would have been found with probability 0.9; other deviations can be as large and \
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

//! `plaudit attack infer`.

use super::infer_arguments::InferArguments;
use super::rows::{self, Files};
use crate::cli::parse::OutputFormat;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::grouped;
use plaudit_attacks::attack::anonymity::{of_excess, of_others};
use plaudit_attacks::attack::{InferQuestion, Inference};
use plaudit_core::visible::excerpt;
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct InferenceJson<'a> {
    files: Files,
    secret: &'a str,
    known: &'a [String],
    neighbors: u64,
    tolerance: f64,
    alpha: f64,
    at_most: Option<f64>,
    /// Whether more is certified than is allowed.
    exceeded: Option<bool>,
    #[serde(flatten)]
    found: Inference,
}

/// Guesses from the release, compares with the other tables, and prints the result.
pub(super) fn run(raw: &InferArguments) -> Result<u8, Failure> {
    let question = InferQuestion {
        original: raw.original.clone(),
        released: raw.released.clone(),
        control: raw.control.clone(),
        secret: raw.secret.clone(),
        known: raw.known.clone(),
        neighbors: raw.neighbors,
        tolerance: raw.tolerance,
        alpha: raw.alpha,
        at_most: raw.at_most,
    };
    let found = question.answer().map_err(Failure::Message)?;
    let exceeded = found.excess.zip(raw.at_most).map(|(excess, most)| excess.lower > most);
    let answer = InferenceJson {
        files: Files::new([&raw.original, &raw.released], raw.control.as_deref()),
        secret: &raw.secret,
        known: &raw.known,
        neighbors: raw.neighbors,
        tolerance: raw.tolerance,
        alpha: raw.alpha,
        at_most: raw.at_most,
        exceeded,
        found,
    };
    match raw.format {
        OutputFormat::Json => output::print_json(&answer)?,
        OutputFormat::Human => output::print(&human(&answer))?,
    }
    Ok(if exceeded == Some(true) { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

fn human(answer: &InferenceJson<'_>) -> String {
    let InferenceJson { files, found, .. } = answer;
    let known: Vec<String> = answer.known.iter().map(|name| excerpt(name.as_bytes())).collect();
    let mut out = format!(
        "released: {}: {}\n{} is guessed from {} by {}\n\n",
        files.released,
        rows::counted(found.released),
        excerpt(answer.secret.as_bytes()),
        known.join(", "),
        match answer.neighbors {
            1 => "the nearest released row".to_owned(),
            several => format!("the {} nearest released rows", grouped(several)),
        }
    );
    out.push_str(&rows::head("guesses about"));
    out.push_str(&rows::of_guesses(&format!("the original, {}", files.original), &found.original));
    if let (Some(file), Some(control)) = (&files.control, &found.control) {
        out.push_str(&rows::of_guesses(&format!("the control, {file}"), control));
    }
    out.push_str(&rows::of_guesses("the original, one guess for everyone", &found.constant));
    if found.left_out > 0 {
        let left_out = rows::counted(found.left_out);
        out.push_str(&format!("left out, without a secret: {left_out}\n"));
    }
    out.push('\n');
    out.push_str(&match &found.excess {
        Some(excess) => of_excess(excess, answer.at_most, answer.alpha),
        None => rows::UNCONTROLLED.to_owned(),
    });
    out.push('\n');
    if let Some(others) = of_others(found) {
        out.push_str(&format!("{others}\n"));
    }
    out
}

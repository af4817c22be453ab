//! `plaudit attack infer`.

use super::infer_arguments::InferArguments;
use super::rows::{self, Asked};
use crate::cli::Failure;
use crate::cli::output::Answer;
use plaudit_accountant::number::grouped;
use plaudit_attacks::attack::anonymity::{of_excess, of_others};
use plaudit_attacks::attack::{InferQuestion, Inference};
use plaudit_core::visible::excerpt;
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct InferenceJson<'a> {
    #[serde(flatten)]
    asked: Asked,
    secret: &'a str,
    known: &'a [String],
    neighbors: u64,
    tolerance: f64,
    #[serde(flatten)]
    found: Inference,
}

/// Guesses from the release, and compares with the other tables.
pub(super) fn answer(raw: &InferArguments) -> Result<Answer, Failure> {
    let question = InferQuestion {
        original: raw.release.original.clone(),
        released: raw.release.released.clone(),
        control: raw.release.control.clone(),
        secret: raw.secret.clone(),
        known: raw.known.clone(),
        neighbors: raw.neighbors,
        tolerance: raw.tolerance,
        alpha: raw.release.alpha,
        at_most: raw.release.at_most,
    };
    let found = question.answer().map_err(Failure::Message)?;
    let asked = Asked::of(&raw.release, found.excess.as_ref());
    let answer = InferenceJson {
        asked,
        secret: &raw.secret,
        known: &raw.known,
        neighbors: raw.neighbors,
        tolerance: raw.tolerance,
        found,
    };
    Answer::new(&answer, human(&answer), answer.asked.code())
}

fn human(answer: &InferenceJson<'_>) -> String {
    let InferenceJson { asked, found, .. } = answer;
    let files = &asked.files;
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
        Some(excess) => of_excess(excess, asked.at_most, asked.alpha),
        None => rows::UNCONTROLLED.to_owned(),
    });
    out.push('\n');
    if let Some(others) = of_others(found) {
        out.push_str(&format!("{others}\n"));
    }
    out
}

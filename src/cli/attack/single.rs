//! `plaudit attack single-out`.

use super::rows::{self, Asked};
use super::single_arguments::SingleArguments;
use crate::cli::Failure;
use crate::cli::output::Answer;
use plaudit_accountant::number::{brief, grouped};
use plaudit_attacks::attack::anonymity::{OF_SIZE, of_excess};
use plaudit_attacks::attack::{SingleOut, SingleQuestion};
use plaudit_core::visible::excerpt;
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct SingleJson {
    #[serde(flatten)]
    asked: Asked,
    columns: Vec<String>,
    seed: u64,
    #[serde(flatten)]
    found: SingleOut,
}

/// Guesses from the release, and counts in the other tables.
pub(super) fn answer(raw: &SingleArguments) -> Result<Answer, Failure> {
    let question = SingleQuestion {
        original: raw.release.original.clone(),
        released: raw.release.released.clone(),
        control: raw.release.control.clone(),
        columns: raw.columns.clone(),
        guesses: raw.guesses,
        conditions: raw.conditions,
        alpha: raw.release.alpha,
        at_most: raw.release.at_most,
    };
    let (found, columns) = question.answer(raw.seed).map_err(Failure::Message)?;
    let asked = Asked::of(&raw.release, found.compared.as_ref().map(|compared| &compared.excess));
    let answer = SingleJson { asked, columns, seed: raw.seed, found };
    Answer::new(&answer, human(&answer), answer.asked.code())
}

fn human(answer: &SingleJson) -> String {
    let SingleJson { asked, columns, found, .. } = answer;
    let files = &asked.files;
    let mut out = rows::of_tables(&[
        ("released", Some((&files.released, found.released))),
        ("original", Some((&files.original, found.original))),
        ("control", files.control.as_ref().zip(found.control)),
    ]);
    let names: Vec<String> = columns.iter().map(|name| excerpt(name.as_bytes())).collect();
    out.push_str(&format!(
        "columns:  {}\n{} guesses of {}, each satisfied by one released row (seed {})\n\n{}",
        names.join(", "),
        grouped(found.guessed.of),
        match found.conditions {
            1 => "1 condition".to_owned(),
            several => format!("{several} conditions"),
        },
        answer.seed,
        rows::head("satisfied by one row of")
    ));
    out.push_str(&rows::of_guesses("the original", &found.guessed));
    out.push_str(&rows::of_guesses("the original, guessed without the release", &found.blind));
    if let Some(compared) = &found.compared {
        let size = grouped(compared.rows);
        out.push_str("guesses about different people:\n");
        out.push_str(&rows::of_guesses(
            &format!("  {size} rows of the original"),
            &compared.original,
        ));
        out.push_str(&rows::of_guesses(
            &format!("  {size} rows of the control"),
            &compared.control,
        ));
    }
    for words in &found.examples {
        out.push_str(&format!("\nsingled out: {words}"));
    }
    out.push_str(if found.examples.is_empty() { "\n" } else { "\n\n" });
    out.push_str(&format!(
        "A guess that knows nothing is right with probability at most {}.\n",
        brief(found.chance)
    ));
    match &found.compared {
        Some(compared) => {
            out.push_str(&of_excess(&compared.excess, asked.at_most, asked.alpha));
            out.push('\n');
            if compared.excess.lower > 0.0 {
                out.push_str(&format!("{OF_SIZE}\n"));
            }
            if compared.rows < found.original {
                out.push_str("The control has fewer rows than the original, and only as many are compared: a larger one shows more.\n");
            }
        }
        None => out.push_str(&format!("{}\n", rows::UNCONTROLLED)),
    }
    out
}

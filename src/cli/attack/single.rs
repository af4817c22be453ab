//! `plaudit attack single-out`.

use super::rows::{self, Files};
use super::single_arguments::SingleArguments;
use crate::cli::parse::OutputFormat;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::number::{brief, grouped};
use plaudit_attacks::attack::anonymity::of_excess;
use plaudit_attacks::attack::{SingleOut, SingleQuestion};
use plaudit_core::visible::excerpt;
use serde::Serialize;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct SingleJson {
    files: Files,
    columns: Vec<String>,
    alpha: f64,
    at_most: Option<f64>,
    /// Whether more is certified than is allowed.
    exceeded: Option<bool>,
    seed: u64,
    #[serde(flatten)]
    found: SingleOut,
}

/// Guesses from the release, counts in the other tables, and prints the result.
pub(super) fn run(raw: &SingleArguments) -> Result<u8, Failure> {
    let question = SingleQuestion {
        original: raw.original.clone(),
        released: raw.released.clone(),
        control: raw.control.clone(),
        columns: raw.columns.clone(),
        guesses: raw.guesses,
        conditions: raw.conditions,
        alpha: raw.alpha,
        at_most: raw.at_most,
    };
    let (found, columns) = question.answer(raw.seed).map_err(Failure::Message)?;
    let lower = found.compared.as_ref().map(|compared| compared.excess.lower);
    let exceeded = lower.zip(raw.at_most).map(|(lower, most)| lower > most);
    let answer = SingleJson {
        files: Files::new([&raw.original, &raw.released], raw.control.as_deref()),
        columns,
        alpha: raw.alpha,
        at_most: raw.at_most,
        exceeded,
        seed: raw.seed,
        found,
    };
    match raw.format {
        OutputFormat::Json => output::print_json(&answer)?,
        OutputFormat::Human => output::print(&human(&answer))?,
    }
    Ok(if exceeded == Some(true) { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

fn human(answer: &SingleJson) -> String {
    let SingleJson { files, columns, found, .. } = answer;
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
            out.push_str(&of_excess(&compared.excess, answer.at_most, answer.alpha));
            out.push('\n');
            if compared.rows < found.original {
                out.push_str("The control has fewer rows than the original, and only as many are compared: a larger one shows more.\n");
            }
        }
        None => out.push_str(&format!("{}\n", rows::UNCONTROLLED)),
    }
    out
}

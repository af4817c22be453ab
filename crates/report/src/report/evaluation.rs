//! The evaluation sheet: what an evaluation of a privacy guarantee should state, question by question.

use super::answers::{SheetAnswer, answers};
use super::words::{count, visible};
use plaudit_core::finding::{Finding, Provenance, Report, Topic};
use serde::Serialize;

/// Distinct answers to a question that are shown for several audits at once.
const MOST_ANSWERS: usize = 6;
/// Names of audits that are shown with an answer.
const MOST_NAMES: usize = 4;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    pub audit: String,
    pub answers: Vec<SheetAnswer>,
}

/// The sheets of a report, one an audit.
pub fn sheets(report: &Report) -> Vec<Sheet> {
    let sheet = |finding: &Finding| {
        let mut answers = answers(finding);
        for answer in &mut answers {
            if answer.topic == Topic::Evaluator {
                answer.found = Some(evaluator(report));
            }
        }
        Sheet { audit: finding.name.clone(), answers }
    };
    report.audits.iter().map(sheet).collect()
}

/// With what and when it was evaluated, and how to repeat it.
fn evaluator(report: &Report) -> String {
    let tool = format!("{} {}, seed {}", report.tool.name, report.tool.version, report.run.seed);
    match &report.provenance {
        Some(Provenance { started, command, .. }) => {
            format!("{tool}, {started}; repeat it: {}", super::words::shell(command))
        }
        None => tool,
    }
}

/// The sheets as Markdown: a section with a table for each audit.
pub fn markdown(report: &Report) -> String {
    let mut out = String::from(
        "# Evaluation sheet\n\nAlong the questions of NIST SP 800-226, *Guidelines for Evaluating Differential Privacy \
         Guarantees* (2025). Answers from the audit come first, statements by people are marked, and \
         unanswered questions are \"not stated\".\n",
    );
    for Sheet { audit, answers } in sheets(report) {
        out.push_str(&format!("\n## {}\n\n| question | answer |\n|---|---|\n", escaped(&audit)));
        for answer in answers {
            out.push_str(&format!("| {} | {} |\n", answer.question, escaped(&answer.words())));
        }
    }
    out
}

/// Text from outside in Markdown, in a table or not: no markup, no line breaks.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '|' | '<' | '>' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' | '!' | '&' => {
                out.extend(['\\', c])
            }
            c => out.push(c),
        }
    }
    out
}

/// A question with the answers that a report's audits give: each distinct one once, with whose it is.
pub(super) struct AskedQuestion {
    pub question: &'static str,
    pub answers: Vec<(String, String)>,
    /// Audits whose answers are not shown here.
    pub left: usize,
}

pub(super) fn asked(report: &Report) -> Vec<AskedQuestion> {
    let sheets = sheets(report);
    let many = sheets.len();
    let question = |at: usize| {
        let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
        for sheet in &sheets {
            let words = sheet.answers[at].words();
            match answers.iter_mut().find(|(said, _)| *said == words) {
                Some((_, names)) => names.push(&sheet.audit),
                None => answers.push((words, vec![&sheet.audit])),
            }
        }
        answers.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
        let left = answers.iter().skip(MOST_ANSWERS).map(|(_, names)| names.len()).sum();
        answers.truncate(MOST_ANSWERS);
        let answers =
            answers.into_iter().map(|(words, names)| (words, whose(&names, many))).collect();
        AskedQuestion { question: Topic::ALL[at].question(), answers, left }
    };
    (0..Topic::ALL.len()).map(question).collect()
}

/// Owners of an answer, among `many` audits; empty if all share it.
fn whose(names: &[&str], many: usize) -> String {
    match names.len() {
        all if all == many => String::new(),
        few if few <= MOST_NAMES => names.join(", "),
        some => format!("{} audits", count(some as u64)),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/report/evaluation.rs"]
mod tests;

//! A comment for a merge request.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use super::note::GateNote;
use super::rule::GateRule;
use plaudit_core::visible::markdown_text;

/// Rows of a table at most: hosts cut long comments.
const MOST: usize = 50;

/// Tables of failures, of claims that could not be tested properly, and of advisory or accepted checks, then changes
/// since the baseline, and losses that would have been caught.
pub fn markdown(decision: &GateDecision) -> String {
    let [words, family] = [decision.words(), decision.family.words()].map(|it| markdown_text(&it));
    let mut out = format!("### {words}\n\n{family}\n");
    if let Some(ledger) = &decision.ledger {
        out.push_str(&format!("\n{}\n", markdown_text(&ledger.words())));
    }
    for (status, heading) in [
        (CheckStatus::Failed, "Failed"),
        (CheckStatus::Inconclusive, "Inconclusive: no pass"),
        (CheckStatus::Advisory, "Advisory: running times"),
        (CheckStatus::Accepted, "Accepted"),
    ] {
        let checks: Vec<&GateCheck> = decision.with(status).collect();
        if checks.is_empty() {
            continue;
        }
        out.push_str(&format!("\n**{heading}**\n\n| audit | what | |\n|---|---|---|\n"));
        for check in checks.iter().take(MOST) {
            let place = check
                .place
                .as_ref()
                .map_or_else(String::new, |(file, line)| markdown_text(&format!("{file}:{line}")));
            out.push_str(&format!(
                "| {} | {} | {place} |\n",
                markdown_text(&check.name),
                markdown_text(&check.words())
            ));
        }
        if checks.len() > MOST {
            out.push_str(&format!("\n{} more.\n", checks.len() - MOST));
        }
    }
    out.push_str(&left_out(decision));
    out.push_str(&notes(decision));
    let caught = decision
        .with(CheckStatus::Passed)
        .filter_map(|check| Some((check, check.catches.as_ref()?)));
    let caught: Vec<String> = caught
        .take(MOST)
        .map(|(check, catches)| {
            format!("| {} | {} |\n", markdown_text(&check.name), markdown_text(catches))
        })
        .collect();
    if !caught.is_empty() {
        out.push_str(&format!(
            "\n<details><summary>What each audit would have caught, with probability 0.99</summary>\n\n| audit | on its witness |\n|---|---|\n{}\n</details>\n",
            caught.concat()
        ));
    }
    out
}

/// An audit or attack that was not run, and why.
fn left_out(decision: &GateDecision) -> String {
    let all = &decision.left_out;
    if all.is_empty() {
        return String::new();
    }
    let mut out = "\n**Left out**\n\n| audit | why |\n|---|---|\n".to_owned();
    for it in all.iter().take(MOST) {
        out.push_str(&format!("| {} | {} |\n", markdown_text(&it.audit), markdown_text(&it.why)));
    }
    if all.len() > MOST {
        out.push_str(&format!("\n{} more.\n", all.len() - MOST));
    }
    out
}

fn notes(decision: &GateDecision) -> String {
    let mut out = String::new();
    type IsOne = fn(&GateNote) -> bool;
    let kinds: [(IsOne, &str); 3] = [
        (GateNote::is_change, "Changed since the baseline"),
        (|note| note.rule == GateRule::StaleAcceptance, "Out of date"),
        (|note| note.rule == GateRule::LedgerNote, "Ledger"),
    ];
    for (is_one, heading) in kinds {
        let all: Vec<_> = decision.notes.iter().filter(|note| is_one(note)).collect();
        if all.is_empty() {
            continue;
        }
        out.push_str(&format!("\n**{heading}**\n\n| | audit | what |\n|---|---|---|\n"));
        for note in all.iter().take(MOST) {
            let [name, message] = [&note.name, &note.message].map(|text| markdown_text(text));
            out.push_str(&format!("| {} | {name} | {message} |\n", note.level.word()));
        }
        if all.len() > MOST {
            out.push_str(&format!("\n{} more.\n", all.len() - MOST));
        }
    }
    out
}

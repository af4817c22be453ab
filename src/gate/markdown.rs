//! A comment for a merge request.

use super::check::{CheckStatus, GateCheck};
use super::decide::GateDecision;
use crate::visible::visible;

/// Rows of a table at most: hosts cut long comments.
const MOST: usize = 50;

/// What did not pass as a table, what could not be tested properly in its own, and what would have been caught.
pub fn markdown(decision: &GateDecision) -> String {
    let mut out = format!("### {}\n", escaped(&decision.words()));
    for (status, heading) in
        [(CheckStatus::Failed, "Failed"), (CheckStatus::Inconclusive, "Inconclusive: no pass")]
    {
        let checks: Vec<&GateCheck> = decision.with(status).collect();
        if checks.is_empty() {
            continue;
        }
        out.push_str(&format!("\n**{heading}**\n\n| audit | what | |\n|---|---|---|\n"));
        for check in checks.iter().take(MOST) {
            let place = check
                .place
                .as_ref()
                .map_or_else(String::new, |(file, line)| escaped(&format!("{file}:{line}")));
            out.push_str(&format!(
                "| {} | {} | {place} |\n",
                escaped(&check.name),
                escaped(&check.message)
            ));
        }
        if checks.len() > MOST {
            out.push_str(&format!("\n{} more.\n", checks.len() - MOST));
        }
    }
    let caught = decision
        .with(CheckStatus::Passed)
        .filter_map(|check| Some((check, check.catches.as_ref()?)));
    let caught: Vec<String> = caught
        .take(MOST)
        .map(|(check, catches)| format!("| {} | {} |\n", escaped(&check.name), escaped(catches)))
        .collect();
    if !caught.is_empty() {
        out.push_str(&format!(
            "\n<details><summary>What each audit would have caught, with probability 0.9</summary>\n\n| audit | on its witness |\n|---|---|\n{}\n</details>\n",
            caught.concat()
        ));
    }
    out
}

/// Text that stays text in a cell: no mark-up, no mention, no link, no end of the cell.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // An entity, so that no address and no mention is made of it.
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '#' => out.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

//! A violation as a text that can be pasted into an issue tracker: what is claimed, the event, the counts, the command.

use super::evaluation::escaped;
use super::telling::{Fact, Telling};
use super::words::visible;
use plaudit_core::finding::{Finding, PairSummary, Report, Verdict};

/// Maximum bytes of a dataset in the text; larger ones are complete only in the certificate.
const MOST: usize = 4_000;

/// Text of a violation, in Markdown; `None` if nothing is violated. `slug` names its certificate.
pub(super) fn reproducer(report: &Report, finding: &Finding, slug: &str) -> Option<String> {
    if finding.verdict != Verdict::Violated {
        return None;
    }
    let telling = Telling::of(finding, slug);
    let mut out = format!("### {} violates {}\n\n", escaped(&telling.name), telling.claim);
    for Fact { kind, words } in &telling.facts {
        out.push_str(&format!("* **{}:** {}\n", kind.heading(), escaped(words)));
    }
    let exceeded = finding.sensitivity.as_ref().and_then(|check| check.counterexample.as_ref());
    let pair = exceeded.map_or(&finding.pair, |found| &found.pair);
    out.push_str(&datasets(pair));
    let parameters = &finding.mechanism.parameters;
    if !parameters.is_null() {
        out.push_str(&fenced("Parameters", parameters));
    }
    if let Some(replay) = &telling.replay {
        out.push_str(&format!(
            "\nCheck it with fresh randomness, from the folder of the report:\n\n```text\n{}\n```\n",
            visible(replay)
        ));
    }
    let Report { tool, .. } = report;
    let (name, version) = (visible(&tool.name), visible(&tool.version));
    out.push_str(&format!("\nFound by {name} {version}, seed {}.\n", finding.seed));
    Some(out)
}

fn datasets(pair: &PairSummary) -> String {
    fenced("D", &pair.d) + &fenced("D′", &pair.d_prime)
}

/// A value as JSON in a block of its own. JSON on one line cannot end the block.
fn fenced(what: &str, value: &serde_json::Value) -> String {
    let json = value.to_string();
    if json.len() > MOST {
        return format!("\n{what}: {} bytes of JSON; the certificate has it.\n", json.len());
    }
    format!("\n{what}:\n\n```json\n{}\n```\n", visible(&json))
}

#[cfg(test)]
#[path = "../../tests/unit/report/reproducer.rs"]
mod tests;

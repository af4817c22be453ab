//! A violation as a text that can be pasted into an issue tracker: what is claimed, the event, the counts, the command.

use super::evaluation::escaped;
use super::words::{brief, claim, p_value, typeset, visible};
use plaudit_core::finding::{Finding, PairSummary, Report, Verdict};

/// Maximum bytes of a dataset in the text; larger ones are complete only in the certificate.
const MOST: usize = 4_000;

/// Text of a violation, in Markdown; `None` if nothing is violated. `replay` is the command that checks it, if there is
/// a certificate.
pub(super) fn reproducer(
    report: &Report,
    finding: &Finding,
    replay: Option<&str>,
) -> Option<String> {
    if finding.verdict != Verdict::Violated {
        return None;
    }
    let claim = claim(finding);
    let mut out = format!("### {} violates {claim}\n\n", escaped(&finding.name));
    let mut line = |what: &str, words: &str| out.push_str(&format!("* **{what}:** {words}\n"));
    if let Some(about) = &finding.about {
        line("About", &escaped(about));
    }
    let mechanism = &finding.mechanism;
    line(
        "Mechanism",
        &format!("{} ({})", escaped(&mechanism.description), escaped(&mechanism.kind.to_string())),
    );
    line("Neighbors", &escaped(&finding.scope.neighbors));
    line("Claim", &escaped(&finding.claim.words));
    if let Some(number) = finding.numbers().into_iter().next() {
        let allows = number
            .allowed_words
            .map_or_else(String::new, |words| format!(", claim allows {words}"));
        line("Found", &format!("{} ({}){allows}", number.words, number.known.word()));
    }
    let mut pair = &finding.pair;
    match finding.sensitivity.as_ref().and_then(|check| check.counterexample.as_ref()) {
        Some(found) => {
            pair = &found.pair;
            let [d, d_prime] =
                [&found.answer_d, &found.answer_d_prime].map(|it| escaped(&it.to_string()));
            line(
                "Answers without noise",
                &format!("{d} on D, {d_prime} on D′; no chance is involved"),
            );
        }
        None if finding.tally.trials() > 0 => {
            line("Event", &escaped(&typeset(&finding.witness.description)));
            line("Counts", &escaped(&typeset(&finding.evidence.words)));
            let level = format!("{}, α = {}", p_value(finding.p_value), brief(finding.alpha));
            line("p-value of the claim", &level);
        }
        None => {}
    }
    if finding.p_value > finding.alpha && pair == &finding.pair {
        line("Verdict", "by proof; the counts alone do not refute the claim");
    }
    if let Some(worst) = finding.proof.as_ref().and_then(|proof| proof.worst.as_ref()) {
        let outcomes: Vec<String> = worst.outcome.iter().map(|words| escaped(words)).collect();
        let (d, d_prime) = (brief(worst.probability_d), brief(worst.probability_d_prime));
        let on = format!(
            "{} has probability {d} on {} and {d_prime} on {}",
            outcomes.join(", "),
            escaped(&worst.d.to_string()),
            escaped(&worst.d_prime.to_string())
        );
        line("Proved", &on);
    }
    if let Some(leaks) = &finding.leaks {
        line("Values and lowest bits", &escaped(&leaks.words));
    }
    out.push_str(&datasets(pair));
    if !mechanism.parameters.is_null() {
        out.push_str(&fenced("Parameters", &mechanism.parameters));
    }
    if let Some(replay) = replay {
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

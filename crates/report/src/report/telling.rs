//! The description of a finding, generated once: terminal, page, Markdown, JUnit, SARIF, pytest and notebooks
//! lay it out, each in its own way.
//!
//! All texts are as they are in the finding: a renderer escapes them for its format.

use super::words::{self, brief, p_value, typeset};
use super::{answers, scope, triage};
use plaudit_core::finding::{Finding, Headline, Verdict};
use serde::Serialize;

/// The description of a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telling {
    pub name: String,
    /// The verdict as a reader sees it: "violated (low bits)".
    pub verdict: String,
    /// Where a violation shows: "values", "low bits", "time", "failure", "shape" or "sensitivity".
    pub leak: Option<&'static str>,
    /// "as expected", "UNEXPECTED" or "interrupted".
    pub judgement: &'static str,
    /// The claim in the field's notation.
    pub claim: String,
    /// The number that the finding is about, how it is known, and what the claim allows; `None` if nothing was counted
    /// and nothing proved.
    pub found: Option<String>,
    /// The verdict and its reasons.
    pub reason: String,
    /// Its support, in the order of a reader's questions.
    pub facts: Vec<Fact>,
    /// Possible causes of a violation, the most specific first.
    pub causes: Vec<String>,
    /// Notes on how the mechanism was run.
    pub notes: Vec<String>,
    /// Scope of the verdict and its limits: headings with a sentence each.
    pub scope: Vec<(&'static str, String)>,
    /// The next step.
    pub next: &'static str,
    /// The command that plays a violation again, from the folder of the report.
    pub replay: Option<String>,
}

/// A fact that supports a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    pub kind: FactKind,
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    About,
    Mechanism,
    Neighbors,
    Claim,
    Found,
    Answers,
    Witness,
    Counts,
    PValue,
    ByProof,
    Proved,
    Trace,
    Leaks,
    Power,
}

impl FactKind {
    pub fn heading(self) -> &'static str {
        match self {
            Self::About => "About",
            Self::Mechanism => "Mechanism",
            Self::Neighbors => "Neighbors",
            Self::Claim => "Claim",
            Self::Found => "Found",
            Self::Answers => "Answers without noise",
            Self::Witness => "Witness",
            Self::Counts => "Counts",
            Self::PValue => "p-value of the claim",
            Self::ByProof => "Verdict",
            Self::Proved => "Proved",
            Self::Trace => "Trace",
            Self::Leaks => "Values and lowest bits",
            Self::Power => "Detection power",
        }
    }

    /// `true` if it is what an audit found, and the reason does not say it already.
    fn is_new(self) -> bool {
        !matches!(
            self,
            Self::About
                | Self::Mechanism
                | Self::Neighbors
                | Self::Claim
                | Self::Found
                | Self::PValue
        )
    }
}

impl Telling {
    /// `slug` names the certificate: "count" for certificates/count.json.
    pub fn of(finding: &Finding, slug: &str) -> Self {
        let numbers = finding.numbers();
        Self {
            name: finding.name.clone(),
            verdict: finding.verdict_words(),
            leak: triage::leak(finding),
            judgement: match (finding.interrupted, finding.as_expected) {
                (true, _) => "interrupted",
                (false, true) => "as expected",
                (false, false) => "UNEXPECTED",
            },
            claim: words::claim(finding),
            found: numbers.first().map(found),
            reason: finding.reasons.to_string(),
            facts: facts(finding, numbers.first()),
            causes: finding.cause_words(),
            notes: finding.notes.clone(),
            scope: scope::rows(finding),
            next: scope::next_step(finding),
            replay: words::replay(finding, slug),
        }
    }

    /// The words of a fact, if it has it.
    pub fn fact(&self, kind: FactKind) -> Option<&str> {
        self.facts.iter().find(|fact| fact.kind == kind).map(|fact| fact.words.as_str())
    }

    /// Lines below the reason: what the audit found, possible causes of a violation, what to do, and how to check it.
    pub fn lines(&self) -> Vec<String> {
        let line = |heading: &str, words: &str| format!("{}: {words}", words::small(heading));
        let facts = self.facts.iter().filter(|fact| fact.kind.is_new());
        let mut lines: Vec<String> =
            facts.map(|fact| line(fact.kind.heading(), &fact.words)).collect();
        for (at, cause) in self.causes.iter().enumerate() {
            lines.push(line(if at == 0 { "possible cause" } else { "or" }, cause));
        }
        lines.push(line("next", self.next));
        lines.extend(self.replay.iter().map(|command| line("check it", command)));
        lines
    }
}

fn found(number: &Headline) -> String {
    let allows = number.allowed_words.as_ref();
    let allows = allows.map_or_else(String::new, |words| format!(", claim allows {words}"));
    format!("{} ({}){allows}", number.words, number.known.word())
}

fn facts(finding: &Finding, number: Option<&Headline>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |kind, words: String| facts.push(Fact { kind, words });
    if let Some(about) = &finding.about {
        add(FactKind::About, about.clone());
    }
    add(FactKind::Mechanism, answers::mechanism_words(finding));
    add(FactKind::Neighbors, finding.scope.neighbors.clone());
    add(FactKind::Claim, finding.claim.words.clone());
    if let Some(number) = number {
        add(FactKind::Found, found(number));
    }
    let exceeded = finding.sensitivity.as_ref().and_then(|check| check.counterexample.as_ref());
    match exceeded {
        Some(found) => {
            let answers = format!(
                "{} on D, {} on D′; no chance is involved",
                found.answer_d, found.answer_d_prime
            );
            add(FactKind::Answers, answers);
        }
        None if finding.tally.trials() > 0 => {
            add(FactKind::Witness, typeset(&finding.witness.description));
            if !finding.evidence.words.is_empty() {
                add(FactKind::Counts, typeset(&finding.evidence.words));
            }
            let level = format!("{}, α = {}", p_value(finding.p_value), brief(finding.alpha));
            add(FactKind::PValue, level);
        }
        None => {}
    }
    if finding.verdict == Verdict::Violated && finding.p_value > finding.alpha && exceeded.is_none()
    {
        let words = "by proof; the counts alone do not refute the claim";
        add(FactKind::ByProof, words.into());
    }
    if let Some(worst) = finding.proof.as_ref().and_then(|proof| proof.worst.as_ref()) {
        let (d, d_prime) = (brief(worst.probability_d), brief(worst.probability_d_prime));
        let outcomes = worst.outcome.join(", ");
        let on = format!(
            "{outcomes} has probability {d} on {} and {d_prime} on {}",
            worst.d, worst.d_prime
        );
        add(FactKind::Proved, on);
    }
    if let Some(trace) = &finding.trace {
        add(FactKind::Trace, trace.sentence());
    }
    if let Some(leaks) = &finding.leaks {
        add(FactKind::Leaks, leaks.words.clone());
    }
    // After a violation, detection power does not matter.
    if finding.verdict != Verdict::Violated && !finding.power.words.is_empty() {
        add(FactKind::Power, finding.power.words.clone());
    }
    facts
}

#[cfg(test)]
#[path = "../../tests/unit/report/telling.rs"]
mod tests;

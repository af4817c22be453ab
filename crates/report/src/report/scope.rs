//! Scope of a verdict and its limits, in words.

use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{Expectation, Finding, Floats, ProofOf, Verdict};

/// Scope of the verdict and its limits: headings with a sentence or list each, in the order in which a reviewer asks.
/// Every finding has the same rows.
pub(super) fn rows(finding: &Finding) -> Vec<(&'static str, String)> {
    vec![
        ("Unit of privacy", unit_words(finding)),
        ("Neighbors", neighbors_words(finding)),
        ("The observer sees", observed(finding)),
        ("Tried", tried(finding)),
        ("Not tested", not_tested(finding).join("; ")),
        ("Trusted", trusted(finding).join("; ")),
        ("Waived", waived(finding)),
    ]
}

/// Unit of privacy: as stated in the evaluation, else that of the relation.
fn unit_words(finding: &Finding) -> String {
    match &finding.scope.unit {
        Some(unit) => unit.clone(),
        None if !finding.scope.checked => "not stated".into(),
        None => "not stated: the relation is defined on answers, not on people".into(),
    }
}

fn neighbors_words(finding: &Finding) -> String {
    let checked = if finding.scope.checked { "checked for every pair" } else { "not checked" };
    format!("{} ({checked})", finding.scope.neighbors)
}

fn observed(finding: &Finding) -> String {
    let doubles = match finding.floats {
        Floats::AsReleased => "doubles with all their bits".to_owned(),
        Floats::Rounded(step) => format!("numbers rounded to multiples of {step}"),
        Floats::Ideal => "numbers, without their lowest bits".to_owned(),
    };
    let time = if finding.scope.clock { ", and how long each run takes" } else { "" };
    let outcome = match &finding.post {
        Some(post) => format!("every outcome after post-processing: {}", post.words),
        None => "every outcome in full".to_owned(),
    };
    format!("{outcome} ({doubles}; errors and their messages count){time}")
}

fn tried(finding: &Finding) -> String {
    let pairs = match (finding.pair.given.max(finding.pair.surveyed), finding.pair.surveyed) {
        (0 | 1, _) => "one pair of datasets".to_owned(),
        (given, looked_at) if looked_at > 0 && looked_at < given => {
            format!("{looked_at} of {given} pairs of datasets")
        }
        (given, _) => format!("{given} pairs of datasets"),
    };
    let from =
        finding.scope.domain.as_ref().map_or_else(String::new, |domain| format!(" from {domain}"));
    let proved = match &finding.proof {
        Some(proof) => format!("; proof: {}", proof.domain.words),
        None => String::new(),
    };
    format!("{pairs}{from}{proved}")
}

fn not_tested(finding: &Finding) -> Vec<String> {
    let mut list = Vec::new();
    let covers = finding.proof.as_ref().is_some_and(|proof| proof.covers_relation);
    if !covers {
        list.push(match &finding.scope.domain {
            Some(_) => {
                "pairs that the search did not examine, and datasets outside its domain".to_owned()
            }
            None => "other pairs of datasets".to_owned(),
        });
    }
    if let Some(post) = &finding.post {
        list.push(format!("outcomes before post-processing: see {}", post.before));
    }
    if !finding.scope.clock {
        list.push("running time".into());
    }
    match finding.floats {
        Floats::AsReleased => {}
        Floats::Rounded(step) => list.push(format!("digits below multiples of {step}")),
        Floats::Ideal => list.push("the lowest bits of doubles".into()),
    }
    if !finding.scope.stateful && !finding.scope.clock {
        list.push(match finding.mechanism.kind.is_asked() {
            true => "state between runs, beyond the signs that were looked for".into(),
            false => "state between runs".into(),
        });
    }
    list.push("other releases of the same data (composition)".into());
    list
}

fn trusted(finding: &Finding) -> Vec<String> {
    let mut list = Vec::new();
    if !finding.scope.checked {
        list.push("that D and D′ are neighbors".to_owned());
    }
    match finding.mechanism.kind {
        MechanismKind::Program => {
            list.push("that the program runs in production as it ran here".into())
        }
        MechanismKind::Recorded => {
            list.push("that the files hold independent runs on D and on D′".into());
        }
        MechanismKind::Closure | MechanismKind::Function => {
            list.push("that runs of the function do not depend on one another".into())
        }
        MechanismKind::Catalog(_) => {
            list.push("that what is deployed is this mechanism with these parameters".into())
        }
    }
    list
}

fn waived(finding: &Finding) -> String {
    let all: Vec<_> = finding.scope.waived.iter().map(|waiver| waiver.words()).collect();
    if all.is_empty() { "nothing".into() } else { all.join("; ") }
}

pub(super) fn next_step(finding: &Finding) -> &'static str {
    if finding.expected == Expectation::Violated {
        return match finding.verdict {
            Verdict::Violated => "No action needed: this planted mistake was caught.",
            _ => {
                "This planted mistake was missed: give the audit more --trials, or a pair that shows it."
            }
        };
    }
    match (finding.verdict, finding.proof.as_ref().map(|proof| proof.of)) {
        (Verdict::Violated, _) => {
            "Fix the mechanism, or claim what it does; then run the audit again."
        }
        (Verdict::Verified, Some(ProofOf::Model | ProofOf::RealCode)) => {
            "The proof is for real-valued noise: also audit the code that draws it, with all bits of its doubles."
        }
        (Verdict::Verified, _) => {
            "Check that the domain of the proof and its relation match the release."
        }
        (Verdict::Bounded, _) => {
            "The bound is for one pair: audit other pairs, or prove the claim (verify)."
        }
        (Verdict::NotRefuted, _) => {
            "Finding nothing is not a proof. More --trials detect smaller losses, a domain searches other \
             pairs, and verify proves claims where possible."
        }
        (Verdict::Inconclusive, _) => "Fix the problem described above, then run the audit again.",
    }
}

#[cfg(test)]
#[path = "../../tests/unit/report/scope.rs"]
mod tests;

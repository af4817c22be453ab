//! What an earlier report had that this one has not.

use super::check::{CheckStatus, GateCheck, fingerprint};
use crate::claim::Claim;
use crate::finding::{Expectation, Finding, Report};

/// Points ε at which two claims are compared.
const POINTS: [f64; 13] = [0.0, 0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0];
/// Relative difference that is rounding.
const ROUNDING: f64 = 1e-9;

/// Adds what makes the gate weaker than it was: claims that allow more, audits that are gone, mistakes that are no longer
/// expected to be caught.
pub(super) fn compare(before: &Report, now: &Report, checks: &mut Vec<GateCheck>) {
    for old in &before.audits {
        let new = now.audits.iter().find(|finding| finding.name == old.name);
        let (rule, message) = match new {
            None => ("removed-audit", removed(old)),
            Some(new) if is_looser(&old.claim.claim, &new.claim.claim) => {
                let words = (&old.claim.words, &new.claim.words);
                ("loosened-claim", format!("the claim was {}, and is {} now", words.0, words.1))
            }
            Some(new) if old.expected == Expectation::Violated && new.expected != old.expected => {
                ("removed-mutant", "it was a planted mistake, and is none now".to_owned())
            }
            Some(new) if old.scope.neighbors != new.scope.neighbors => {
                let words = (&old.scope.neighbors, &new.scope.neighbors);
                (
                    "other-neighbors",
                    format!("neighbors were: {}; they are now: {}", words.0, words.1),
                )
            }
            Some(_) => continue,
        };
        let place =
            checks.iter().find(|check| check.name == old.name).and_then(|it| it.place.clone());
        checks.push(failed(rule, &old.name, message, place));
    }
    compare_attacks(before, now, checks);
}

/// The same of attacks: those that are gone, and those that are now expected to succeed.
fn compare_attacks(before: &Report, now: &Report, checks: &mut Vec<GateCheck>) {
    for old in &before.attacks {
        let new = now.attacks.iter().find(|attack| attack.name == old.name);
        let (rule, message) = match new {
            None => ("removed-audit", "this attack is gone".to_owned()),
            Some(new) if new.expected && !old.expected => {
                ("loosened-claim", "it was expected to fail, and is expected to succeed now".into())
            }
            Some(_) => continue,
        };
        checks.push(failed(rule, &old.name, message, None));
    }
}

fn failed(
    rule: &'static str,
    name: &str,
    message: String,
    place: Option<(String, usize)>,
) -> GateCheck {
    GateCheck {
        name: name.to_owned(),
        status: CheckStatus::Failed,
        rule,
        message,
        catches: None,
        place,
        fingerprint: fingerprint(&[rule, name]),
        seconds: None,
    }
}

fn removed(old: &Finding) -> String {
    let what = match old.expected {
        Expectation::Violated => "planted mistake",
        Expectation::NotViolated => "audit",
    };
    format!("this {what} is gone: it claimed {}", old.claim.words)
}

/// Whether a claim allows more than another one did, at some point.
fn is_looser(old: &Claim, new: &Claim) -> bool {
    let own = old
        .as_epsilon_delta()
        .into_iter()
        .chain(new.as_epsilon_delta())
        .map(|(epsilon, _)| epsilon);
    let mut points = POINTS.into_iter().chain(own);
    points.any(|epsilon| new.delta_at(epsilon) > old.delta_at(epsilon) * (1.0 + ROUNDING) + 1e-300)
}

#[cfg(test)]
#[path = "../../tests/unit/gate/baseline.rs"]
mod tests;

//! The identity of a planned attack: its settings, and the contents of what it attacks.

use super::infer::InferQuestion;
use super::link::LinkQuestion;
use super::membership::Question;
use super::planned::{AttackPlan, PlannedAttack};
use super::reconstruct::Setup;
use super::scores::Scores;
use super::single::SingleQuestion;
use plaudit_accountant::number;
use plaudit_core::claim::Claim;
use plaudit_core::dataset::sha256_of;
use plaudit_core::finding::{Identity, IdentityPart, PartIdentity};
use serde_json::{Value, json};
use std::path::PathBuf;

impl PlannedAttack {
    /// Everything that makes the attack, but its name and its seed.
    pub fn identity(&self) -> Identity {
        use IdentityPart as Part;
        let expected = if self.expected { "succeeds" } else { "fails" };
        let expected = (Part::Expectation, PartIdentity::of(&json!(expected), expected));
        let attack = |value: Value| (Part::Attack, PartIdentity::of(&value, told(&value)));
        let mut parts = vec![expected];
        match &self.of {
            AttackPlan::Average { service, queries, below } => parts
                .push(attack(json!({ "average": service, "queries": queries, "below": below }))),
            AttackPlan::Reconstruct { entries, setups } => {
                let setups: Vec<Value> = setups.iter().map(of_setup).collect();
                parts.push(attack(json!({ "reconstruct": entries, "setups": setups })));
            }
            AttackPlan::Membership { scores, question } => {
                let Question { delta, epsilon, alpha, claim } = question;
                parts.push(attack(json!({ "membership": { "delta": delta, "epsilon": epsilon } })));
                parts.push((Part::Alpha, PartIdentity::of_number(*alpha)));
                parts.push((Part::Data, of_scores(scores)));
                parts.extend(claim.as_ref().map(|claim| (Part::Claim, of_claim(claim))));
            }
            AttackPlan::Link(question) => {
                let LinkQuestion { on, truth, counts, alpha, .. } = question;
                parts.push(attack(json!({ "link": on, "truth": truth, "counts": counts })));
                parts.push((Part::Alpha, PartIdentity::of_number(*alpha)));
                let LinkQuestion { released, known, .. } = question;
                let files = [("released", Some(released)), ("known", Some(known))];
                parts.push((Part::Data, of_tables(&files)));
            }
            AttackPlan::SingleOut(question) => {
                let SingleQuestion { columns, guesses, conditions, alpha, at_most, .. } = question;
                parts.push(attack(json!({
                    "single-out": columns, "guesses": guesses, "conditions": conditions, "at_most": at_most,
                })));
                parts.push((Part::Alpha, PartIdentity::of_number(*alpha)));
                let SingleQuestion { original, released, control, .. } = question;
                parts.push((Part::Data, of_release([original, released], control.as_ref())));
            }
            AttackPlan::Infer(question) => {
                let InferQuestion { secret, known, neighbors, tolerance, alpha, at_most, .. } =
                    question;
                parts.push(attack(json!({
                    "infer": secret, "known": known, "neighbors": neighbors, "tolerance": tolerance,
                    "at_most": at_most,
                })));
                parts.push((Part::Alpha, PartIdentity::of_number(*alpha)));
                let InferQuestion { original, released, control, .. } = question;
                parts.push((Part::Data, of_release([original, released], control.as_ref())));
            }
        }
        Identity::of(parts)
    }
}

/// Settings for a sentence: JSON without braces and quotes.
fn told(value: &Value) -> String {
    value.to_string().replace(['{', '}', '"'], "").replace(',', ", ").replace(':', " ")
}

fn of_setup(setup: &Setup) -> Value {
    let Setup { disturbance, decoder, queries, delta } = setup;
    json!({ "disturbance": disturbance, "decoder": decoder, "queries": queries, "delta": delta })
}

fn of_claim(claim: &Claim) -> PartIdentity {
    PartIdentity::of(&json!(claim), claim.to_string())
}

/// The scores themselves: the same scores in another file are the same.
fn of_scores(scores: &Scores) -> PartIdentity {
    let groups = [scores.members(), scores.non_members()];
    let bits = groups.map(|group| group.iter().map(|score| score.to_bits()).collect::<Vec<_>>());
    let mean = |group: &[f64]| {
        let sum: f64 = group.iter().sum();
        number::brief(sum / group.len().max(1) as f64)
    };
    let [members, others] = groups;
    let words = format!(
        "{} members with a mean score of {}, {} others with {}",
        members.len(),
        mean(members),
        others.len(),
        mean(others)
    );
    PartIdentity::of(&json!(bits), words)
}

fn of_release([original, released]: [&PathBuf; 2], control: Option<&PathBuf>) -> PartIdentity {
    of_tables(&[("original", Some(original)), ("released", Some(released)), ("control", control)])
}

/// Contents of files: the same tables in other files are the same. One that is not given is left out.
fn of_tables(files: &[(&str, Option<&PathBuf>)]) -> PartIdentity {
    let given = files.iter().filter_map(|(name, file)| file.map(|file| (name, file)));
    let (mut hashes, mut words) = (Vec::new(), Vec::new());
    for (name, file) in given {
        let hash = sha256_of(file).ok();
        let short = match &hash {
            Some(hash) => hash.chars().take(8).collect(),
            None => "unread".to_owned(),
        };
        words.push(format!("{name} {short}"));
        hashes.push(hash);
    }
    PartIdentity::of(&json!(hashes), words.join(", "))
}

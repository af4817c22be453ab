//! `plaudit verify`.

use super::args::{OutputFormat, VerifyArguments};
use super::running::{interrupt, jobs};
use super::{Failure, audit, exit, output};
use crate::spec::{self, Loaded, Overrides};
use plaudit_accountant::number;
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{Decision, Expectation, Proof, Verdict};
use plaudit_core::visible::visible;
use plaudit_engine::audit::AuditError;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

#[derive(Serialize)]
struct VerifiedAudit<'a> {
    name: &'a str,
    file: String,
    mechanism: &'a MechanismKind,
    claim: String,
    relation: String,
    expected: Expectation,
    /// `true` if the proof decides as expected; `null` without one.
    as_expected: Option<bool>,
    /// `null` without a proof; `reason` explains it.
    proof: Option<Proof>,
    reason: String,
}

/// Proves what can be proved of the specs' claims.
pub(super) fn run(raw: VerifyArguments) -> Result<u8, Failure> {
    let mut loaded = spec::load(&raw.paths, &Overrides::default())?;
    if loaded.is_empty() {
        return Err(audit::no_specs(&raw.paths));
    }
    if let Some(filter) = raw.filter {
        loaded.retain(|loaded| filter.is_match(&loaded.audit.name));
    }
    if loaded.is_empty() {
        let message = "none of the audits has a name that matches the filter";
        return Err(Failure::NothingSelected(message.into()));
    }
    let interrupted = interrupt::listen()?;
    let pool = jobs::pool(raw.jobs)?;
    let entries: Vec<VerifiedAudit<'_>> = pool.install(|| {
        loaded
            .iter()
            .map(|loaded| entry(loaded, raw.all, interrupted))
            .collect::<Result<_, Failure>>()
    })?;
    if entries.iter().all(|entry| entry.as_expected.is_none()) {
        let message = "nothing was proved: no audit asks for a proof with `verify` \
                       (--all also tries the others), or its mechanism cannot be proved";
        return Err(Failure::NothingSelected(message.into()));
    }
    match raw.format {
        OutputFormat::Human => output::print(&human(&entries))?,
        OutputFormat::Json => output::print_json(&entries)?,
    }
    let verdicts = entries.iter().filter_map(|entry| {
        let verdict = entry.proof.as_ref().map_or(Verdict::Inconclusive, verdict);
        Some((verdict, entry.as_expected?))
    });
    Ok(exit::of_verdicts(verdicts))
}

fn entry<'a>(
    loaded: &'a Loaded,
    all: bool,
    interrupted: &AtomicBool,
) -> Result<VerifiedAudit<'a>, Failure> {
    let audit = &loaded.audit;
    let attempt = match all || audit.verify.is_some() {
        true => audit.prove(interrupted).map_err(|error| match error {
            AuditError::Interrupted => {
                Failure::Interrupted("interrupted: nothing is proved".into())
            }
            error => Failure::Message(error.to_string()),
        })?,
        false => None,
    };
    let (proof, reason) = match attempt {
        None if !all && audit.verify.is_none() => {
            (None, "the spec does not ask for a proof: add --all, or `verify`".to_owned())
        }
        None => {
            let why = "the mechanism is neither written against choices or draws nor noise with a closed form";
            (None, why.to_owned())
        }
        Some(Err(why)) => (None, why),
        Some(Ok(proof)) => {
            let reason = proof.statement.clone();
            (Some(proof), reason)
        }
    };
    let as_expected = proof.as_ref().map(|proof| match audit.settings.expect {
        Expectation::Violated => proof.decision == Decision::Refuted,
        Expectation::NotViolated => verdict(proof) == Verdict::Verified,
    });
    // A mechanism by choices that gave no proof is one that could not be tested.
    let tried = audit.verify.is_some();
    let as_expected = as_expected.or(tried.then_some(false));
    Ok(VerifiedAudit {
        name: &audit.name,
        file: loaded.file.display().to_string(),
        mechanism: &audit.summary.kind,
        claim: audit.claim.to_string(),
        relation: audit.relation(),
        expected: audit.settings.expect,
        as_expected,
        proof,
        reason,
    })
}

fn verdict(proof: &Proof) -> Verdict {
    match proof.decision {
        Decision::Verified if proof.covers_relation => Verdict::Verified,
        Decision::Refuted => Verdict::Violated,
        // On its own pairs alone an audit is not refuted, and this command is asked for proofs.
        Decision::Verified | Decision::Undecided => Verdict::Inconclusive,
    }
}

fn decision(proof: &Proof) -> String {
    match (proof.decision, proof.covers_relation) {
        (Decision::Verified, false) => "proved on these pairs only".into(),
        (Decision::Verified, true) => {
            format!("{} ({})", proof.decision.word(), proof.of.word())
        }
        (decision, _) => decision.word().into(),
    }
}

/// A line for each proof, and the number of audits without one.
fn human(entries: &[VerifiedAudit<'_>]) -> String {
    let mut words = String::new();
    let mut without = 0;
    for entry in entries {
        let Some(as_expected) = entry.as_expected else {
            without += 1;
            continue;
        };
        let decision = entry.proof.as_ref().map_or_else(|| "no proof".into(), decision);
        let expected = if as_expected { "as expected" } else { "UNEXPECTED" };
        words.push_str(&format!("{decision}, {expected}  {}: {}\n", entry.name, entry.reason));
        if let Some(worst) = entry.proof.as_ref().and_then(|proof| proof.worst.as_ref()) {
            let outcomes = visible(&worst.outcome.join(", "));
            let more = worst.outcomes.saturating_sub(worst.outcome.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            words.push_str(&format!(
                "    worst: {outcomes}{more}, of probability {} on {} and {} on {}\n",
                number::brief(worst.probability_d),
                worst.d,
                number::brief(worst.probability_d_prime),
                worst.d_prime
            ));
        }
    }
    let audits = if without == 1 { "audit has" } else { "audits have" };
    if without > 0 {
        words.push_str(&format!(
            "{without} more {audits} no proof: none was asked for, or nothing can be proved.\n"
        ));
    }
    words
}

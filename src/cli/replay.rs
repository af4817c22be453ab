//! `plaudit replay`.

use super::args::{Format, ReplayArguments};
use super::{Failure, exit, interrupt, jobs, output, recheck};
use crate::audit::{Certificate, Counterexample, Replay, ReplayError, SmallestPair};
use crate::dataset::{Dataset, Pair};
use crate::game::{Control, GameError};
use crate::mechanism::catalog::CatalogMechanism;
use crate::number;
use crate::report::{MechanismSummary, SCHEMA_VERSION};
use crate::spec;
use crate::tally::Tally;
use crate::witness::{Scorer, Witness};
use rand::TryRng as _;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes of a certificate: beyond, it is none.
const MAX_BYTES: u64 = 1 << 30;

/// A certificate that may be played: everything in it is possible.
struct Playable {
    certificate: Certificate,
    mechanism: Box<dyn CatalogMechanism>,
    pair: Pair<Dataset>,
    smallest: Option<Pair<Dataset>>,
}

/// What `plaudit audit` writes of a violation.
enum Evidence {
    Trials(Box<Certificate>),
    Exact(Box<Counterexample>),
}

/// What is printed for `--format json`.
#[derive(Serialize)]
struct Answer<'a> {
    audit: &'a str,
    claim: String,
    alpha: f64,
    #[serde(flatten)]
    replay: &'a Replay,
    /// What came of playing the smallest pair, if the certificate has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<&'a Replay>,
}

/// Plays a certificate again and says whether it holds.
pub(super) fn run(raw: &ReplayArguments) -> Result<u8, Failure> {
    let refused =
        |why: String| Failure::of_file("cannot replay", &raw.certificate, &output::harmless(&why));
    let certificate = match read(&raw.certificate).map_err(refused)? {
        Evidence::Trials(certificate) => *certificate,
        Evidence::Exact(counterexample) => return recheck::run(raw, &counterexample),
    };
    consented(raw, &certificate.mechanism).map_err(refused)?;
    let Playable { certificate, mechanism, pair, smallest } =
        check(certificate).map_err(refused)?;
    let recorded = spec::is_recorded(&certificate.mechanism);
    let seed = match raw.seed {
        Some(seed) if recorded && seed != certificate.seed => {
            return Err(refused(
                "recorded outcomes cannot be run again with another seed: leave --seed out, and \
                 the files are counted again"
                    .into(),
            ));
        }
        Some(seed) => seed,
        None if recorded => certificate.seed,
        None => fresh_seed()?,
    };
    let pool = jobs::pool(raw.jobs)?;
    let interrupted = interrupt::listen()?;
    let control = Control { interrupted, progress: &|_| {}, recorder: None, strangers: None };
    let play = || {
        let replay = certificate.replay::<Dataset>(&*mechanism, &pair, seed, control)?;
        let smallest = match &smallest {
            // Files would only be counted once more.
            Some(_) if recorded => None,
            Some(pair) => certificate.replay_smallest(&*mechanism, pair, seed, control)?,
            None => None,
        };
        mechanism.finish();
        Ok((replay, smallest))
    };
    let (replay, smallest) = pool.install(play).map_err(|error| match error {
        ReplayError::Game(GameError::Interrupted) => {
            Failure::Interrupted("interrupted: no answer".into())
        }
        ReplayError::Game(error) => {
            refused(format!("{error}{}", started_in(&certificate.mechanism)))
        }
        error @ ReplayError::Damaged(_) => refused(error.to_string()),
    })?;
    let answer = Answer {
        audit: &certificate.audit,
        claim: certificate.claim.to_string(),
        alpha: certificate.alpha,
        replay: &replay,
        smallest: smallest.as_ref(),
    };
    match raw.format {
        Format::Json => output::print_json(&answer)?,
        Format::Human if recorded => output::print(&recounted(&answer, certificate.confirm))?,
        Format::Human => output::print(&human(&answer, &certificate))?,
    }
    // The same files give the same counts; others are not what the certificate is about.
    let holds = replay.holds && (replay.same_counts || !recorded);
    Ok(if holds { exit::AS_EXPECTED } else { exit::UNEXPECTED })
}

/// Where a program was looked for, if that depends on where plaudit is started.
fn started_in(mechanism: &MechanismSummary) -> String {
    let folder = mechanism.parameters.get("folder").and_then(Value::as_str).map(Path::new);
    match folder {
        Some(folder) if folder.is_relative() => {
            let folder = Path::new(".").join(folder);
            format!(
                " (it was started in `{}`, from here: start plaudit where the audit was run)",
                folder.display()
            )
        }
        _ => String::new(),
    }
}

fn human(answer: &Answer<'_>, certificate: &Certificate) -> String {
    let Answer { claim, alpha, replay, .. } = answer;
    let audit = output::harmless(answer.audit);
    let Replay { seed, p_value, .. } = replay;
    let played = replay.tally.trials();
    let epsilon = number::floored(replay.epsilon_lower);
    let found = if replay.holds {
        format!("{audit}: the violation of {claim} holds")
    } else {
        format!("{audit}: the violation of {claim} did not show again")
    };
    let mut words = format!(
        "{found}\n  {played} trials with seed {seed}: p-value {p_value:.3e}, level {alpha:e}, \
         certified epsilon at least {epsilon}\n"
    );
    if matches!(certificate.witness.scorer, Scorer::Clock(_)) {
        words.push_str("  The runs were timed anew, on this machine and under its load.\n");
    } else if replay.same_seed && replay.same_counts {
        words.push_str(
            "  This is the certificate's own seed: it repeats the same counts, and is no new \
             evidence.\n",
        );
    } else if replay.same_seed {
        words.push_str(
            "  This is the certificate's own seed, and yet the counts are not the certificate's: \
             it was altered, or another version of the program wrote it.\n",
        );
    }
    if let Some(smallest) = answer.smallest {
        let found = if smallest.holds { "holds there, too" } else { "did not show there" };
        words.push_str(&format!(
            "  The smallest pair that it was shrunk to: the violation {found} ({} trials: p-value {:.3e}, \
             certified epsilon at least {}).\n",
            smallest.tally.trials(),
            smallest.p_value,
            number::floored(smallest.epsilon_lower),
        ));
    }
    words
}

/// Recorded outcomes cannot be run again: what came of counting the files once more.
fn recounted(answer: &Answer<'_>, confirm: u64) -> String {
    let Answer { claim, replay, .. } = answer;
    let audit = output::harmless(answer.audit);
    if !replay.same_counts {
        return format!(
            "{audit}: the files do not give the certificate's counts\n  They are not those that \
             the certificate is about, or it was altered: it says nothing of these outcomes.\n"
        );
    }
    let found = if replay.holds { "show" } else { "do not show" };
    format!(
        "{audit}: the outcomes in the files {found} the violation of {claim}\n  Recorded outcomes \
         cannot be run again: the same {confirm} were counted once more, with the same result \
         (p-value {:.3e}). This checks the count and is no new evidence.\n",
        replay.p_value
    )
}

/// A program is only run if somebody says so.
pub(super) fn consented(raw: &ReplayArguments, mechanism: &MechanismSummary) -> Result<(), String> {
    if !spec::is_program(mechanism) || raw.run_program {
        return Ok(());
    }
    let what = &mechanism.description;
    Err(format!(
        "it asks to run a program on this machine ({what}); if you trust it, say so with \
         --run-program"
    ))
}

fn fresh_seed() -> Result<u64, Failure> {
    rand::rngs::SysRng.try_next_u64().map_err(|error| {
        Failure::Message(format!("the system gives no randomness: {error}; choose a --seed"))
    })
}

fn read(path: &Path) -> Result<Evidence, String> {
    /// What only a counterexample has.
    #[derive(Deserialize)]
    struct Mark {
        #[serde(default)]
        sensitivity: Option<IgnoredAny>,
    }

    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let none = |error: serde_json::Error| format!("it is no certificate: {error}");
    let mark: Mark = serde_json::from_str(&text).map_err(none)?;
    match mark.sensitivity {
        Some(_) => serde_json::from_str(&text).map(Box::new).map(Evidence::Exact),
        None => serde_json::from_str(&text).map(Box::new).map(Evidence::Trials),
    }
    .map_err(none)
}

/// Believes nothing in a certificate: what it says must be possible, what it asks for bounded.
fn check(certificate: Certificate) -> Result<Playable, String> {
    if certificate.schema_version != SCHEMA_VERSION {
        let version = &certificate.schema_version;
        return Err(format!(
            "it has schema version {version:?}, and this program knows {SCHEMA_VERSION:?}"
        ));
    }
    spec::check_trials(certificate.confirm).map_err(|why| format!("`confirm`: {why}"))?;
    spec::check_alpha(certificate.alpha)?;
    let Certificate { tally, witness, p_value, .. } = &certificate;
    check_tally(tally, witness, *p_value, Some(certificate.confirm))?;
    if let Some(SmallestPair { tally, witness, p_value, .. }) = &certificate.smallest {
        check_tally(tally, witness, *p_value, None)
            .map_err(|why| format!("the smallest pair: {why}"))?;
    }
    let mechanism = spec::rebuild(&certificate.mechanism)?;
    let pair = dataset_pair(&certificate.pair)?;
    fits(&certificate, &*mechanism, &pair)?;
    let smallest = certificate.smallest.as_ref().map(|smallest| {
        let pair = dataset_pair(&smallest.pair)?;
        fits(&certificate, &*mechanism, &pair).map(|()| pair)
    });
    let smallest = smallest.transpose().map_err(|why| format!("the smallest pair: {why}"))?;
    Ok(Playable { certificate, mechanism, pair, smallest })
}

/// Whether the datasets are neighbors, and the mechanism takes them.
fn fits(
    certificate: &Certificate,
    mechanism: &dyn CatalogMechanism,
    pair: &Pair<Dataset>,
) -> Result<(), String> {
    match spec::relation_from_words(&certificate.relation) {
        // The datasets of recorded outcomes are not known.
        _ if spec::is_recorded(&certificate.mechanism) => {}
        Some(relation) => {
            let size = certificate.claim.group_size();
            relation
                .check_group(&pair.d, &pair.d_prime, size)
                .map_err(|error| error.to_string())?;
        }
        // What makes the datasets of a program neighbors may be said in words.
        None if spec::is_program(&certificate.mechanism) => {}
        None => return Err(format!("unknown relation `{}`", certificate.relation)),
    }
    takes(mechanism, pair)
}

/// Whether the mechanism can run on both datasets.
pub(super) fn takes(mechanism: &dyn CatalogMechanism, pair: &Pair<Dataset>) -> Result<(), String> {
    [("D", &pair.d), ("D'", &pair.d_prime)].into_iter().try_for_each(|(which, dataset)| {
        let accepted = mechanism.accepts(dataset);
        accepted.map_err(|why| format!("the mechanism cannot run on {which}: {why}"))
    })
}

fn check_tally(
    tally: &Tally,
    witness: &Witness,
    p_value: f64,
    confirm: Option<u64>,
) -> Result<(), String> {
    let total = |counts: &[u64]| counts.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n));
    let counted =
        total(&tally.d).zip(total(&tally.d_prime)).and_then(|(d, d_prime)| d.checked_add(d_prime));
    if tally.d.len() != tally.d_prime.len() {
        return Err("its tally has more bins under one dataset than under the other".into());
    }
    if tally.d.len() != witness.scorer.bins() {
        return Err("its tally does not have the bins of its witness".into());
    }
    if !(0.0..=1.0).contains(&p_value) {
        return Err("its p-value is not between 0 and 1".into());
    }
    if counted.is_none() || confirm.is_some() && counted != confirm {
        return Err("its tally does not add up to `confirm`".into());
    }
    Ok(())
}

/// A pair of a certificate, read back.
pub(super) fn dataset_pair(pair: &Pair<Value>) -> Result<Pair<Dataset>, String> {
    let dataset = |which: &str, value: &Value| {
        let dataset: Dataset = serde_json::from_value(value.clone())
            .map_err(|error| format!("{which} is no dataset: {error}"))?;
        match dataset.table() {
            Some(table) if table.rows.iter().any(|row| row.len() != table.columns.len()) => {
                Err(format!("{which} has a row that does not fit its columns"))
            }
            _ => Ok(dataset),
        }
    };
    Ok(Pair {
        name: pair.name.clone(),
        d: dataset("D", &pair.d)?,
        d_prime: dataset("D'", &pair.d_prime)?,
    })
}

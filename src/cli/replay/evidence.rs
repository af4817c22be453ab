//! Certificates and counterexamples as files, of which nothing is believed.

use crate::audit::{Certificate, Counterexample, Disagreement, Seal};
use crate::cli::args::ReplayArguments;
use crate::cli::{Failure, output};
use crate::dataset::{Dataset, Pair, Relation};
use crate::finding::{MechanismSummary, SCHEMA_VERSION};
use crate::mechanism::catalog::CatalogMechanism;
use crate::spec;
use crate::visible::visible;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes of a certificate: beyond, it is none.
const MAX_BYTES: u64 = 1 << 30;
/// What a certificate is.
const WANTED: &str = "a certificate is a JSON file in the folder `certificates` of a report, where `plaudit \
                      audit` writes one for each violation";

/// What `plaudit audit` writes of a violation.
pub(super) enum Evidence {
    Trials(Box<Certificate>),
    Exact(Box<Counterexample>),
}

/// A certificate that may be played: everything in it is possible, and what follows from the rest does.
pub(super) struct Playable {
    pub certificate: Certificate,
    pub mechanism: Box<dyn CatalogMechanism>,
    pub pair: Pair<Dataset>,
    pub smallest: Option<Pair<Dataset>>,
}

/// Reads a file; and says whether it is as it was written.
pub(super) fn read(path: &Path) -> Result<(Evidence, Seal), String> {
    if path.is_dir() {
        return Err(format!("it is a folder: {WANTED}{}", certificates_in(path)));
    }
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let none = |error: serde_json::Error| format!("it is no certificate: {error}; {WANTED}");
    let json: Value = serde_json::from_str(&text).map_err(none)?;
    drop(text);
    if json.get("audits").is_some_and(Value::is_array) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let there = certificates_in(folder);
        return Err(format!("it is a report, and replay wants a certificate: {WANTED}{there}"));
    }
    let witness = json.get("witness").unwrap_or(&Value::Null);
    if let Some(kind) = GONE.into_iter().find(|kind| has_kind(witness, kind)) {
        return Err(format!(
            "it was made by an older version: this one has no witnesses of kind `{kind}` any more; the version that \
             wrote it replays it"
        ));
    }
    let seal = Seal::of(&json);
    // Only a counterexample has a sensitivity.
    let evidence = match json.get("sensitivity") {
        Some(_) => serde_json::from_value(json).map(Box::new).map(Evidence::Exact),
        None => serde_json::from_value(json).map(Box::new).map(Evidence::Trials),
    };
    Ok((evidence.map_err(none)?, seal))
}

/// Kinds of scorers that earlier versions wrote.
const GONE: [&str; 1] = ["joint"];

/// Whether any object of a document is of this kind.
fn has_kind(json: &Value, kind: &str) -> bool {
    match json {
        Value::Object(fields) => {
            fields.get("kind").and_then(Value::as_str) == Some(kind)
                || fields.values().any(|value| has_kind(value, kind))
        }
        Value::Array(values) => values.iter().any(|value| has_kind(value, kind)),
        _ => false,
    }
}

/// Which certificates there are beside a report.
fn certificates_in(folder: &Path) -> String {
    const SHOWN: usize = 5;
    let folder = folder.join("certificates");
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| output::path(&path))
        .collect();
    names.sort();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(SHOWN);
    match names.is_empty() {
        true => format!(" (`{}` has none)", output::path(&folder)),
        false => format!("; here: {}{more}", names.join(", ")),
    }
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

/// Why a certificate is not played; it may be words of strangers.
pub(super) fn refused(raw: &ReplayArguments, why: &str) -> Failure {
    Failure::of_file("cannot replay", &raw.certificate, &visible(why))
}

/// Checks a certificate.
pub(super) fn check(certificate: Certificate, seal: &Seal) -> Result<Playable, String> {
    known_version(&certificate.schema_version)?;
    spec::check_trials(certificate.confirm).map_err(|why| format!("`confirm`: {why}"))?;
    spec::check_alpha(certificate.alpha)?;
    let mechanism = spec::rebuild(&certificate.mechanism)?;
    let pair = dataset_pair(&certificate.pair)?;
    fits(&certificate, &*mechanism, &pair)?;
    let smallest = certificate.smallest.as_ref().map(|smallest| {
        let pair = dataset_pair(&smallest.pair)?;
        fits(&certificate, &*mechanism, &pair).map(|()| pair)
    });
    let smallest = smallest.transpose().map_err(|why| format!("the smallest pair: {why}"))?;
    let found = certificate.disagreements()?;
    agrees(found, (&certificate.mechanism, &*mechanism), seal)?;
    Ok(Playable { certificate, mechanism, pair, smallest })
}

/// Checks a counterexample.
pub(super) fn check_exact(
    counterexample: &Counterexample,
    seal: &Seal,
) -> Result<(Box<dyn CatalogMechanism>, Pair<Dataset>), String> {
    known_version(&counterexample.schema_version)?;
    let mechanism = spec::rebuild(&counterexample.mechanism)?;
    let pair = dataset_pair(&counterexample.pair)?;
    let relation = counterexample
        .neighbors
        .clone()
        .or_else(|| spec::relation_from_words(&counterexample.relation))
        .ok_or_else(|| format!("unknown relation `{}`", counterexample.relation))?;
    counterexample.check(&pair, &relation)?;
    takes(&*mechanism, &pair)?;
    let found = counterexample.disagreements()?;
    agrees(found, (&counterexample.mechanism, &*mechanism), seal)?;
    Ok((mechanism, pair))
}

fn known_version(version: &str) -> Result<(), String> {
    match version == SCHEMA_VERSION {
        true => Ok(()),
        false => Err(format!(
            "it has schema version {version:?}, and this program knows {SCHEMA_VERSION:?}"
        )),
    }
}

/// Refuses a certificate that says otherwise than what follows from it, or that was changed.
fn agrees(
    mut found: Vec<Disagreement>,
    (summary, mechanism): (&MechanismSummary, &dyn CatalogMechanism),
    seal: &Seal,
) -> Result<(), String> {
    let (says, follows) = (&summary.description, mechanism.describe());
    const FROM: &str = "its kind and parameters";
    found.extend(Disagreement::of_words("mechanism.description", says, &follows, FROM));
    let changed = match seal {
        Seal::Broken { says, holds } => Some(format!(
            "its digest says {says}, and its content has {holds}: it was changed after it was written"
        )),
        Seal::Whole | Seal::Missing => None,
    };
    if found.is_empty() && changed.is_none() {
        return Ok(());
    }
    let why: Vec<_> = found.iter().map(ToString::to_string).chain(changed).collect();
    Err(format!(
        "it does not agree with itself, so nothing was played: {}. Audit the claim again, or get the \
         certificate from where it was written",
        why.join("; ")
    ))
}

/// The relation of a certificate, if it is one that can be checked.
fn relation(certificate: &Certificate) -> Option<Relation> {
    certificate.neighbors.clone().or_else(|| spec::relation_from_words(&certificate.relation))
}

/// Whether the datasets are neighbors, and the mechanism takes them.
fn fits(
    certificate: &Certificate,
    mechanism: &dyn CatalogMechanism,
    pair: &Pair<Dataset>,
) -> Result<(), String> {
    match relation(certificate) {
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
fn takes(mechanism: &dyn CatalogMechanism, pair: &Pair<Dataset>) -> Result<(), String> {
    [("D", &pair.d), ("D'", &pair.d_prime)].into_iter().try_for_each(|(which, dataset)| {
        let accepted = mechanism.accepts(dataset);
        accepted.map_err(|why| format!("the mechanism cannot run on {which}: {why}"))
    })
}

/// A pair of a certificate, read back.
fn dataset_pair(pair: &Pair<Value>) -> Result<Pair<Dataset>, String> {
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

/// Says so on standard error if a certificate has no digest.
pub(super) fn remark(seal: &Seal) {
    if *seal == Seal::Missing {
        output::note(
            "note: the certificate has no digest, so that a change of what does not follow from its counts \
             goes unseen: an earlier version of plaudit wrote it, or somebody took the digest out",
        );
    }
}

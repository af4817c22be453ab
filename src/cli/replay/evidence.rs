//! Certificates of all kinds as files, of which nothing is believed.

use crate::cli::args::ReplayArguments;
use crate::cli::{Failure, output};
use crate::rebuild;
use crate::spec;
use plaudit_core::dataset::{Dataset, Pair, Relation};
use plaudit_core::finding::MechanismSummary;
use plaudit_core::visible::visible;
use plaudit_engine::audit::{
    AnyCertificate, Content, Disagreement, Envelope, ReplayError, Seal, UnreadCertificate,
};
use plaudit_engine::game::GameError;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::mechanism::program::find;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Maximum bytes of a certificate.
const MAX_BYTES: u64 = 1 << 30;
const WANTED: &str = "a certificate is a JSON file in the folder `certificates` of a report, where `plaudit \
                      audit` writes one for each violation";

pub(super) trait Replayable: Content {
    /// Checks that its numbers are consistent.
    fn check(&self) -> Result<(), String>;

    /// Checks that the datasets are neighbors under the relation, if possible.
    fn check_pair(
        certificate: &Envelope<Self>,
        pair: &Pair<Dataset>,
        relation: Option<&Relation>,
    ) -> Result<(), String>;

    /// Runs the mechanism again, and prints whether the certified bound holds.
    fn run(raw: &ReplayArguments, playable: Playable<Self>) -> Result<u8, Failure>;
}

/// A certificate that may be played: everything in it is possible, and what follows from the rest does.
pub(super) struct Playable<C> {
    pub certificate: Envelope<C>,
    pub mechanism: Box<dyn CatalogMechanism>,
    pub pair: Pair<Dataset>,
    pub smallest: Option<Pair<Dataset>>,
}

/// Reads a file, and returns whether it is unchanged since it was written.
pub(super) fn read(path: &Path) -> Result<(AnyCertificate, Seal), String> {
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
    let none = |error: serde_json::Error| format!("not a certificate: {error}; {WANTED}");
    let json: Value = serde_json::from_str(&text).map_err(none)?;
    drop(text);
    if json.get("audits").is_some_and(Value::is_array) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let there = certificates_in(folder);
        return Err(format!("it is a report, and replay wants a certificate: {WANTED}{there}"));
    }
    AnyCertificate::read(json).map_err(|error| match error {
        UnreadCertificate::None(error) => none(error),
        other => other.to_string(),
    })
}

/// Certificates next to a report.
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

/// A program is only run with consent.
pub(super) fn consented(raw: &ReplayArguments, mechanism: &MechanismSummary) -> Result<(), String> {
    if !rebuild::is_program(mechanism) || raw.run_program {
        return Ok(());
    }
    let what = &mechanism.description;
    Err(format!(
        "it would run a program on this machine ({what}); if you trust \
         it, add --run-program"
    ))
}

/// Error for a certificate that is not played; `why` may be untrusted text.
pub(super) fn refused(raw: &ReplayArguments, why: &str) -> Failure {
    Failure::of_file("cannot replay", &raw.certificate, &visible(why))
}

pub(super) fn check<C: Replayable>(
    certificate: Envelope<C>,
    seal: &Seal,
) -> Result<Playable<C>, String> {
    certificate.content.check()?;
    let mechanism = rebuild::rebuild(&certificate.mechanism)?;
    let relation = certificate.neighbors.clone();
    let relation = relation.or_else(|| spec::relation_from_words(&certificate.relation));
    let fitting = |pair: &Pair<Value>| {
        let pair = dataset_pair(pair)?;
        C::check_pair(&certificate, &pair, relation.as_ref())?;
        takes(&*mechanism, &pair).map(|()| pair)
    };
    let pair = fitting(&certificate.pair)?;
    let smallest = certificate.content.smallest().map(fitting).transpose();
    let smallest = smallest.map_err(|why| format!("the smallest pair: {why}"))?;
    let found = certificate.disagreements()?;
    agrees(found, (&certificate.mechanism, &*mechanism), seal)?;
    Ok(Playable { certificate, mechanism, pair, smallest })
}

/// Reason why a relation cannot be checked.
pub(super) fn unknown_relation<C>(certificate: &Envelope<C>) -> String {
    format!("unknown relation `{}`", certificate.relation)
}

/// Error of a replay that began but has no answer.
pub(super) fn failed(
    raw: &ReplayArguments,
    mechanism: &MechanismSummary,
    error: ReplayError,
) -> Failure {
    match error {
        ReplayError::Game(GameError::Interrupted) => {
            Failure::Interrupted("interrupted: no answer".into())
        }
        ReplayError::Game(error) => refused(raw, &format!("{error}{}", started_in(mechanism))),
        error @ ReplayError::Damaged(_) => refused(raw, &error.to_string()),
    }
}

/// Folders searched for a program, if they depend on where plaudit is started.
fn started_in(mechanism: &MechanismSummary) -> String {
    let folder = mechanism.parameters.get("folder").and_then(Value::as_str).map(Path::new);
    match folder {
        Some(folder) if folder.is_relative() => {
            let folder = Path::new(".").join(folder);
            format!(
                " (it was started in `{}`, from here: start plaudit where the audit was run)",
                output::path(&folder)
            )
        }
        _ => String::new(),
    }
}

/// A certificate whose program, or whose recorded files, are looked for where they are: paths are relative to where the audit was
/// run. What is not found from here is looked for from the folders above the certificate, the nearest first.
pub(super) fn located<C>(mut certificate: Envelope<C>, file: &Path) -> Envelope<C> {
    let Ok(file) = std::path::absolute(file) else { return certificate };
    let bases: Vec<&Path> = file.ancestors().skip(1).collect();
    let is_program = rebuild::is_program(&certificate.mechanism);
    let Some(parameters) = certificate.mechanism.parameters.as_object_mut() else {
        return certificate;
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
    if is_program {
        let command = |key: &str| -> Vec<String> {
            let words = parameters.get(key).and_then(Value::as_array);
            words.into_iter().flatten().map(|word| text(Some(word))).collect()
        };
        let (command, clean) = (command("command"), command("clean"));
        let folder = PathBuf::from(text(parameters.get("folder")));
        let is_there = |command: &[String], folder: &Path| find::check(command, folder).is_ok();
        let runs = |folder: &Path| {
            is_there(&command, folder) && (clean.is_empty() || is_there(&clean, folder))
        };
        if folder.is_relative()
            && !runs(&folder)
            && let Some(base) = bases.iter().find(|base| runs(&base.join(&folder)))
        {
            let found = base.join(&folder);
            output::note(&format!("the program is started in `{}`", output::path(&found)));
            parameters.insert("folder".into(), Value::from(found.to_string_lossy()));
        }
        return certificate;
    }
    for key in ["d", "d_prime"] {
        let path = PathBuf::from(text(parameters.get(key)));
        let is_missing = !path.as_os_str().is_empty() && path.is_relative() && !path.is_file();
        if is_missing && let Some(base) = bases.iter().find(|base| base.join(&path).is_file()) {
            parameters.insert(key.into(), Value::from(base.join(&path).to_string_lossy()));
        }
    }
    certificate
}

/// Refuses a certificate whose content was changed.
pub(super) fn unchanged(seal: &Seal) -> Result<(), String> {
    match seal {
        Seal::Broken { says, holds } => Err(format!(
            "its digest is {says}, but its content has {holds}: it was changed after it was written"
        )),
        Seal::Whole | Seal::Missing => Ok(()),
    }
}

/// Refuses a certificate that contradicts itself, or that was changed.
fn agrees(
    mut found: Vec<Disagreement>,
    (summary, mechanism): (&MechanismSummary, &dyn CatalogMechanism),
    seal: &Seal,
) -> Result<(), String> {
    let (says, follows) = (&summary.description, mechanism.describe());
    const FROM: &str = "its kind and parameters";
    found.extend(Disagreement::of_words("mechanism.description", says, &follows, FROM));
    let changed = unchanged(seal).err();
    if found.is_empty() && changed.is_none() {
        return Ok(());
    }
    let why: Vec<_> = found.iter().map(ToString::to_string).chain(changed).collect();
    Err(format!(
        "it is inconsistent, so nothing was run: {}. Audit the claim again, or get the \
         certificate from where it was written",
        why.join("; ")
    ))
}

/// Checks that the mechanism can run on both datasets.
fn takes(mechanism: &dyn CatalogMechanism, pair: &Pair<Dataset>) -> Result<(), String> {
    [("D", &pair.d), ("D'", &pair.d_prime)].into_iter().try_for_each(|(which, dataset)| {
        let accepted = mechanism.accepts(dataset);
        accepted.map_err(|why| format!("the mechanism cannot run on {which}: {why}"))
    })
}

/// A pair of a certificate, read back.
pub(super) fn dataset_pair(pair: &Pair<Value>) -> Result<Pair<Dataset>, String> {
    let dataset = |which: &str, value: &Value| {
        let dataset: Dataset = serde_json::from_value(value.clone())
            .map_err(|error| format!("{which} is not a dataset: {error}"))?;
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

/// Warns on standard error if a certificate has no digest.
pub(super) fn remark(seal: &Seal) {
    if *seal == Seal::Missing {
        output::note(
            "note: the certificate has no digest, so changes to parts that do not follow from its \
             counts cannot be detected: an earlier version of plaudit wrote it, or the digest was removed",
        );
    }
}

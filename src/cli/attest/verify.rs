//! `plaudit attest verify`.

use super::arguments::VerifyArguments;
use super::folder::{ReportFolder, digest};
use super::key;
use super::refusal::{Refusal, unreadable};
use crate::cli::running::bounded;
use crate::cli::{Failure, exit, output};
use plaudit_core::visible::visible;
use plaudit_report::attestation::{
    PREDICATE_TYPE, Predicate, Role, STATEMENT_TYPE, Statement, Subject, difference, programs,
};
use serde_json::Value;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Bytes of an attestation.
const MOST: u64 = 1 << 26;
const REMEDY: &str = "give an attestation that `plaudit attest make` wrote";

/// Checks an attestation, and prints what agrees or why it is refused.
pub(super) fn run(raw: &VerifyArguments) -> Result<u8, Failure> {
    match check(raw) {
        Ok(words) => {
            output::print(&words)?;
            Ok(exit::AS_EXPECTED)
        }
        Err(Refusal::Refused(why)) => {
            let path = output::path(&raw.attestation);
            output::note(output::error_line(&format!("`{path}` is refused: {why}")).trim_end());
            Ok(exit::UNEXPECTED)
        }
        Err(Refusal::Failed(failure)) => Err(failure),
    }
}

fn check(raw: &VerifyArguments) -> Result<String, Refusal> {
    let path = &raw.attestation;
    let text = bounded::read(path, MOST).map_err(|e| unreadable(path, &e, REMEDY))?;
    if let Some(public) = &raw.key {
        let signature = raw.signature.clone().unwrap_or_else(|| key::signature_file(path));
        key::check(public, &signature, &text)?;
    }
    let statement = parse(path, &text)?;
    let folder = raw.report.clone().unwrap_or_else(|| parent(path));
    let found = ReportFolder::read(&folder)?;
    let (programs_of, files): (Vec<Subject>, Vec<Subject>) =
        statement.subject.iter().cloned().partition(|file| file.annotations.role == Role::Program);
    same_files(&files, &found.files, &folder)?;
    let report = found.report().map_err(|why| unreadable(&folder, &why, REMEDY))?;
    same_results(&text, &Predicate::of(&report))?;
    let recorded = programs(&report).map_err(|error| Refusal::Refused(error.to_string()))?;
    same_programs(&programs_of, &recorded)?;
    let missing = missing_programs(&programs_of, raw.program_root.as_deref())?;
    Ok(agreement(raw, &statement, &missing))
}

fn parent(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_owned()
}

fn parse(path: &Path, text: &[u8]) -> Result<Statement, Failure> {
    let statement: Statement =
        serde_json::from_slice(text).map_err(|error| unreadable(path, &error, REMEDY))?;
    for (field, value, expected) in [
        ("_type", &statement.statement_type, STATEMENT_TYPE),
        ("predicateType", &statement.predicate_type, PREDICATE_TYPE),
    ] {
        if value != expected {
            let why = format!("its {field} is \"{}\", not \"{expected}\"", visible(value));
            return Err(unreadable(path, &why, REMEDY));
        }
    }
    Ok(statement)
}

/// Compares report.json and the certificates with their attested digests.
fn same_files(attested: &[Subject], found: &[Subject], folder: &Path) -> Result<(), Refusal> {
    let folder = output::path(folder);
    for file in attested {
        let name = visible(&file.name);
        match found.iter().find(|other| other.name == file.name) {
            Some(other) if other == file => {}
            Some(_) => {
                return Err(Refusal::Refused(format!(
                    "`{name}` in `{folder}` is not the attested file: its SHA-256 differs; get the report again from the signer, \
                     or make a new attestation of this one"
                )));
            }
            None => {
                return Err(Refusal::Refused(format!(
                    "`{name}` is attested and is not in `{folder}`; give the folder of the attested report with --report"
                )));
            }
        }
    }
    match found.iter().find(|file| !attested.contains(file)) {
        Some(file) => Err(Refusal::Refused(format!(
            "`{}` in `{folder}` is not attested; remove it, or make a new attestation of this report",
            visible(&file.name)
        ))),
        None => Ok(()),
    }
}

/// Compares the attested results and operating ranges with those of the report: as JSON, in which no field is ignored.
fn same_results(statement: &[u8], reported: &Predicate) -> Result<(), Refusal> {
    let attested: Value =
        serde_json::from_slice(statement).expect("a text that was read as a statement is JSON");
    match difference(&attested["predicate"], reported) {
        None => Ok(()),
        Some(found) => Err(Refusal::Refused(format!(
            "it contradicts the report, {}: {} is attested, {} is reported; do not rely on it, and ask the signer for one \
             that `plaudit attest make` wrote",
            found.place, found.attested, found.reported
        ))),
    }
}

/// Compares the attested program files with those that the report records.
fn same_programs(attested: &[Subject], recorded: &[Subject]) -> Result<(), Refusal> {
    let one = attested.iter().find(|file| !recorded.contains(file));
    let other = || recorded.iter().find(|file| !attested.contains(file));
    match one.or_else(other) {
        None => Ok(()),
        Some(file) => Err(Refusal::Refused(format!(
            "it contradicts the report: the program file `{}` is not the same in both; do not rely on it, and ask the signer \
             for one that `plaudit attest make` wrote",
            visible(&file.name)
        ))),
    }
}

/// Compares the program files that are here with their attested digests, and returns those that are not here.
fn missing_programs(attested: &[Subject], root: Option<&Path>) -> Result<Vec<String>, Refusal> {
    let mut missing = Vec::new();
    for file in attested {
        let path = place(&file.name, root);
        match digest(&path) {
            Ok(found) if found == file.digest.sha256 => {}
            Ok(_) => {
                return Err(Refusal::Refused(format!(
                    "the program file `{}` is not the audited one: its SHA-256 differs; audit it again, or give the folder of the \
                     audited program with --program-root",
                    output::path(&path)
                )));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => missing.push(visible(&file.name)),
            Err(error) => {
                let remedy = "make it readable, or give another folder with --program-root";
                return Err(unreadable(&path, &error, remedy).into());
            }
        }
    }
    Ok(missing)
}

/// Place of a program file: where it was, or below `root`. Absolute paths also begin there, as those of interpreters do, of
/// which this machine may have others.
fn place(name: &str, root: Option<&Path>) -> PathBuf {
    match root {
        None => name.into(),
        Some(root) => {
            let below = Path::new(name).components();
            let below =
                below.filter(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
            root.join(below.collect::<PathBuf>())
        }
    }
}

/// The words for an attestation that is not refused.
fn agreement(raw: &VerifyArguments, statement: &Statement, missing: &[String]) -> String {
    let count =
        |role| statement.subject.iter().filter(|file| file.annotations.role == role).count();
    let signature = match raw.unsigned {
        true => "signature not checked (--unsigned)",
        false => "signature valid",
    };
    let (certificates, programs) = (count(Role::Certificate), count(Role::Program));
    let mut words = format!(
        "{}: {signature}; report.json, {certificates} certificate{} and {} of {programs} program file{} unchanged\n",
        output::path(&raw.attestation),
        if certificates == 1 { "" } else { "s" },
        programs - missing.len(),
        if programs == 1 { "" } else { "s" },
    );
    for name in missing {
        words.push_str(&format!("    not here, so not compared: {name}\n"));
    }
    for audit in &statement.predicate.audits {
        words.push_str(&format!(
            "{}: {}, {} ({})\n",
            visible(&audit.name),
            visible(&audit.claim.words),
            audit.verdict.word(),
            visible(&audit.range.relation)
        ));
    }
    words
}

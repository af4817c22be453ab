//! `plaudit attest make`.

use super::arguments::MakeArguments;
use super::folder::ReportFolder;
use super::key;
use super::refusal::unreadable;
use crate::cli::{Failure, exit, output};
use plaudit_report::attestation::{Role, Statement};
use std::path::Path;

const FILE: &str = "attestation.json";

/// Writes the statement about a report, and its signature.
pub(super) fn run(raw: &MakeArguments) -> Result<u8, Failure> {
    let files = ReportFolder::read(&raw.folder)?;
    let remedy = "give the folder of a report that `plaudit audit` wrote";
    let report = files.report().map_err(|why| unreadable(&raw.folder, &why, remedy))?;
    let statement =
        Statement::of(&report, files.files).map_err(|error| Failure::Message(error.to_string()))?;
    let mut text = serde_json::to_vec_pretty(&statement).map_err(|error| {
        Failure::Message(format!("cannot write the attestation as JSON: {error}"))
    })?;
    text.push(b'\n');
    let target = raw.output.clone().unwrap_or_else(|| raw.folder.join(FILE));
    output::check_folder(&target)?;
    // Signed before anything is written: a wrong password leaves an earlier attestation unchanged.
    let signature = match &raw.key {
        Some(path) => Some(key::sign(&key::secret(path)?, &text)?),
        None => None,
    };
    write(&target, &text)?;
    let written = output::path(&target);
    match signature {
        Some(signature) => {
            let file = key::signature_file(&target);
            write(&file, signature.as_bytes())?;
            output::print(&format!("wrote {written} and {}\n", output::path(&file)))?;
        }
        None => output::print(&format!("wrote {written}, which is not signed\n"))?,
    }
    if !statement.subject.iter().any(|file| file.annotations.role == Role::Program) {
        output::note(
            "note: the report records no program files, so the attestation covers none: its mechanisms are of the catalog, or it \
             was written with --no-provenance",
        );
    }
    Ok(exit::AS_EXPECTED)
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| Failure::of_file("cannot write", path, &error))
}

//! Mechanisms again, from their descriptions in reports and certificates.

use plaudit_accountant::near::nearest;
use plaudit_catalog as catalog;
use plaudit_core::finding::{MechanismKind, MechanismSummary};
use plaudit_engine::mechanism::recorded::Source;
use plaudit_engine::mechanism::{CatalogMechanism, PostProcessed, PostProcessing, Recordings};
#[cfg(unix)]
use plaudit_engine::mechanism::{process::Process, program::ProgramSettings};
use serde_json::Value as Json;

/// `true` if a report or certificate is about a program.
pub fn is_program(summary: &MechanismSummary) -> bool {
    summary.kind == MechanismKind::Program
}

/// `true` if a report or certificate is about recorded outcomes.
pub fn is_recorded(summary: &MechanismSummary) -> bool {
    summary.kind == MechanismKind::Recorded
}

/// Rebuilds a mechanism from its description in a report or certificate.
///
/// # Errors
/// The mistake in its kind or parameters, in a sentence. A closure cannot be built from words.
pub fn rebuild(summary: &MechanismSummary) -> Result<Box<dyn CatalogMechanism>, String> {
    let mechanism = rebuild_as_released(summary)?;
    if summary.post.is_empty() {
        return Ok(mechanism);
    }
    let post = PostProcessing::parse(summary.post.iter().map(String::as_str))
        .map_err(|why| format!("post-processing: {why}"))?;
    Ok(Box::new(PostProcessed::new(mechanism, post)))
}

fn rebuild_as_released(summary: &MechanismSummary) -> Result<Box<dyn CatalogMechanism>, String> {
    let kind = match &summary.kind {
        MechanismKind::Closure => {
            return Err("the mechanism is a closure of a Rust program, which no file can carry: replay it from that \
                        program, with `Certificate::replay`"
                .into());
        }
        MechanismKind::Function => {
            return Err("the mechanism is a function of a program in another language, which no file can store: \
                        replay it from there (in Python: result.certificate.replay(function))"
                .into());
        }
        MechanismKind::Program => return program(&summary.parameters),
        MechanismKind::Recorded => return recorded(&summary.parameters),
        MechanismKind::Catalog(kind) => kind,
    };
    if !catalog::KINDS.contains(&kind.as_str()) {
        let help = match nearest(kind, catalog::KINDS) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the kinds are `{}`", catalog::KINDS.join("`, `")),
        };
        return Err(format!("unknown mechanism `{kind}`: {help}"));
    }
    catalog::build_from_json(kind, &summary.parameters)
        .map_err(|error| format!("mechanism `{}`: {error}", kind))
}

#[cfg(unix)]
fn program(parameters: &Json) -> Result<Box<dyn CatalogMechanism>, String> {
    let settings: ProgramSettings = serde_json::from_value(parameters.clone())
        .map_err(|error| format!("the program's settings are damaged: {error}"))?;
    settings.check().map_err(|(_, why)| why)?;
    Ok(Box::new(Process::new(settings)))
}

#[cfg(not(unix))]
fn program(_: &Json) -> Result<Box<dyn CatalogMechanism>, String> {
    Err("programs can be audited only on Unix systems, where all their child processes can be stopped".into())
}

fn recorded(parameters: &Json) -> Result<Box<dyn CatalogMechanism>, String> {
    let source: Source = serde_json::from_value(parameters.clone())
        .map_err(|error| format!("its entry for recorded outcomes is damaged: {error}"))?;
    Ok(Box::new(Recordings::new(&source)?))
}

#[cfg(test)]
#[path = "../tests/unit/rebuild.rs"]
mod tests;

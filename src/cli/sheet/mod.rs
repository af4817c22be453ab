//! `plaudit sheet`: sheets of the audits of a report.

pub(super) mod arguments;

use super::previous::parse;
use super::running::bounded;
use super::{Failure, exit, output};
use arguments::{SheetArguments, SheetFormat};
use plaudit_accountant::near::nearest;
use plaudit_core::finding::Report;
use plaudit_core::visible::visible;
use plaudit_report::report::{evaluation, registry};
use std::path::Path;

/// Bytes of a report.
const MOST_REPORT: u64 = 1 << 28;

/// At the start of each record.
const HEADER: &str =
    "# Draft of a record for https://github.com/opendp/deployments-registry-data: fill in the fields that
# are marked, give the tier, and save it as deployments/NAME.yaml (small letters, digits and underscores).
";

/// Writes the sheets.
pub(super) fn run(raw: &SheetArguments) -> Result<u8, Failure> {
    let mut report = read(&raw.report)?;
    if let Some(name) = &raw.audit {
        select(&mut report, name)?;
    }
    if report.audits.is_empty() {
        return Err(Failure::NothingSelected("the report has no audit".into()));
    }
    let text = match raw.format {
        SheetFormat::Markdown => evaluation::markdown(&report),
        SheetFormat::Json => {
            serde_json::to_string_pretty(&evaluation::sheets(&report)).map_err(|error| {
                Failure::Message(format!("cannot write the sheets as JSON: {error}"))
            })? + "\n"
        }
        SheetFormat::Registry => records(&report)?,
    };
    match &raw.output {
        Some(file) => std::fs::write(file, text)
            .map_err(|error| Failure::of_file("cannot write", file, &error))?,
        None => output::print(&text)?,
    }
    Ok(exit::AS_EXPECTED)
}

fn read(path: &Path) -> Result<Report, Failure> {
    let text = bounded::read_text(path, MOST_REPORT).map_err(|error| error.to_string());
    text.and_then(|text| parse(&text)).map_err(|why| {
        let path = output::path(path);
        Failure::Message(format!(
            "cannot read `{path}`: {}; give a report.json that `plaudit audit` wrote",
            visible(&why)
        ))
    })
}

/// Leaves the audits of this name.
fn select(report: &mut Report, name: &str) -> Result<(), Failure> {
    let names: Vec<String> = report.audits.iter().map(|audit| audit.name.clone()).collect();
    report.audits.retain(|audit| audit.name == name);
    if !report.audits.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let help = match nearest(name, &names) {
        Some(near) => format!("did you mean `{}`?", visible(near)),
        None => "`plaudit sheet` without --audit lists all".to_owned(),
    };
    let name = visible(name);
    Err(Failure::NothingSelected(format!("the report has no audit `{name}`; {help}")))
}

/// The records as YAML documents. The fields to fill in are also listed on standard error.
fn records(report: &Report) -> Result<String, Failure> {
    let mut documents = Vec::new();
    for finding in &report.audits {
        let record = registry::record(report, finding)
            .map_err(|error| Failure::Message(format!("{error}; please report this as a bug")))?;
        output::note(&format!(
            "{}: fill in {}; if known, also {}",
            visible(&record.audit),
            record.required.join(", "),
            record.optional.join(", ")
        ));
        if finding.verdict.is_violation() {
            let name = visible(&record.audit);
            output::note(&format!("{name}: the audit refuted its claim; the record states this"));
        }
        documents.push(format!("{HEADER}{}", record.yaml));
    }
    Ok(documents.join("---\n"))
}

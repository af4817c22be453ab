//! `plaudit diff`.

use super::args::{DiffArguments, DiffFormat};
use super::previous::Previous;
use super::{Failure, exit, output};
use plaudit_report::report::ReportDiff;

/// Compares two reports, and prints the differences.
pub(super) fn run(raw: &DiffArguments) -> Result<u8, Failure> {
    let [old, new] = [Previous::named(&raw.old, "OLD")?, Previous::named(&raw.new, "NEW")?];
    let diff = ReportDiff::of(old.report(), new.report());
    let text = match raw.format {
        DiffFormat::Human => diff.terminal(),
        DiffFormat::Markdown => diff.markdown(),
        DiffFormat::Html => diff.page(),
        DiffFormat::Json => {
            serde_json::to_string_pretty(&diff).map(|json| json + "\n").map_err(|error| {
                Failure::Message(format!("cannot write the result as JSON: {error}"))
            })?
        }
    };
    match &raw.out {
        Some(file) => std::fs::write(file, anstream::adapter::strip_str(&text).to_string())
            .map_err(|error| Failure::of_file("cannot write", file, &error))?,
        None => output::print(&text)?,
    }
    Ok(if raw.exit_code && !diff.is_empty() { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

//! `plaudit mutant`.

use super::args::MutantArguments;
use super::{Failure, exit, output};
use crate::mutants;
use plaudit_core::visible::visible;

/// Prints a spec of mutants, and lists on standard error the audits without one.
pub(super) fn run(raw: &MutantArguments) -> Result<u8, Failure> {
    let text = std::fs::read_to_string(&raw.spec)
        .map_err(|error| Failure::of_file("cannot read", &raw.spec, &error))?;
    let mutants = mutants::mutants(&text, &raw.spec)?;
    for (name, why) in &mutants.without {
        output::note(&format!("no mutant of {name}: {why}"));
    }
    if mutants.names.is_empty() {
        let spec = output::path(&raw.spec);
        return Err(Failure::NothingSelected(format!("no audit in {spec} has a mutant")));
    }
    let name = raw.spec.file_name().unwrap_or_default().to_string_lossy();
    let name = visible(&name);
    output::print(&format!(
        "# Mutants of the audits of {name}: the same mechanisms with half the noise, and the same claims.\n\
         # Keep this file in the folder of {name}: paths in it are relative to that. A mutant that is not found means\n\
         # that the audit would not detect missing half of the noise: give it more trials, or claim less.\n\n{}",
        mutants.text.trim_end().to_owned() + "\n"
    ))?;
    Ok(exit::AS_EXPECTED)
}

//! `plaudit completions` and `plaudit man`: the definitions of the arguments, for shells and for `man`.

use super::args::{Arguments, CompletionsArguments, ManArguments};
use super::{Failure, exit, output};
use clap::CommandFactory as _;

/// Prints a script for a shell.
pub(super) fn completions(raw: &CompletionsArguments) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(raw.shell, &mut Arguments::command(), "plaudit", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(exit::AS_EXPECTED)
}

/// Writes a page for the program and one for each subcommand.
pub(super) fn man(raw: &ManArguments) -> Result<u8, Failure> {
    let cannot =
        |error: std::io::Error| Failure::of_file("cannot write pages to", &raw.folder, &error);
    std::fs::create_dir_all(&raw.folder).map_err(cannot)?;
    clap_mangen::generate_to(Arguments::command(), &raw.folder).map_err(cannot)?;
    output::note(&format!("wrote the pages to {}", output::path(&raw.folder)));
    Ok(exit::AS_EXPECTED)
}

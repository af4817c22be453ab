//! Specs: TOML files that name audits.
//!
//! ```toml
//! [defaults]              # optional: trials, alpha and seed of the audits of this file
//! trials = 1_000_000
//!
//! [[audit]]
//! name = "laplace"        # unique in a run
//! about = "a sentence"    # optional
//! mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
//! relation = { linf = 1.0 }      # or { l1 }, { l2 }, "substitution", "add-remove", "histogram"
//! pairs = [{ d = [0.0], d_prime = [1.0], name = "zero and one" }]
//! claim = { epsilon = 1.0 }      # or { epsilon, delta }, or { mu }
//! expect = "not violated"        # or "violated"
//! trials = 4_000_000             # optional, as are alpha and seed
//! ```
//!
//! A setting comes from the command line ([`Overrides`]), else from the audit, else from the `[defaults]` of its file,
//! else from the constants here. [`load`] checks all files before it returns anything, and every [`SpecError`] has
//! file, line, column and remedy.

mod attack;
mod audit;
mod claim;
mod data;
mod document;
mod domain;
mod error;
mod evaluation;
mod files;
mod law;
mod loaded;
mod mechanism;
mod pairs;
mod read;
mod relation;
mod settings;
mod subject;

pub(crate) use error::{Mistake, SpecSource};
pub use error::{Position, SpecError, SpecErrors};
pub use law::LawTest;
pub use loaded::{Loaded, LoadedAttack, LoadedSpecs, check_startable};
pub use mechanism::FunctionSpec;
pub use relation::relation_from_words;
pub use settings::{
    DEFAULT_ALPHA, DEFAULT_SEED, DEFAULT_TRIALS, MAX_TRIALS, MIN_TRIALS, Overrides, check_alpha,
    check_confirm, check_min_power, check_trials, time_from_words,
};

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Reads the audits of files and folders, in the order given; of a folder, the files `*.toml`
/// directly in it, by name, except for `*.regressions.toml` and `plaudit.toml`. Empty if the folders hold no spec.
///
/// # Errors
/// All mistakes of all files, if there is any.
pub fn load(paths: &[PathBuf], overrides: &Overrides) -> Result<Vec<Loaded>, SpecErrors> {
    load_all(paths, overrides).map(|specs| specs.audits)
}

/// Audits as in [`load`], and attacks.
///
/// # Errors
/// Same as [`load`].
pub fn load_all(paths: &[PathBuf], overrides: &Overrides) -> Result<LoadedSpecs, SpecErrors> {
    let mut errors = Vec::new();
    let paths = files::collect(paths, &mut errors);
    read_all(paths.iter().map(|path| SpecSource::read(path)), errors, overrides, None)
}

/// Reads the audits of a spec in memory; `file` is its name in messages, and paths in it are relative to its folder.
///
/// # Errors
/// All its mistakes, if there are any.
pub fn parse(text: &str, file: &Path, overrides: &Overrides) -> Result<Vec<Loaded>, SpecErrors> {
    let source = SpecSource { path: file.to_owned(), text: text.into() };
    read_all(std::iter::once(Ok(source)), Vec::new(), overrides, None).map(|specs| specs.audits)
}

/// Reads the audit of a function of this process: `text` is a spec of one audit whose mechanism is
/// `{ function = "name", language = "Python", file = "where.py", line = 12 }`, with `batch` and `patience` as a program
/// has them, and without `pairs`.
///
/// # Errors
/// All its mistakes, if there is any; `file` is what they call it.
pub fn parse_function(
    text: &str,
    file: &Path,
    overrides: &Overrides,
    function: &FunctionSpec,
) -> Result<Vec<Loaded>, SpecErrors> {
    let source = SpecSource { path: file.to_owned(), text: text.into() };
    let read = read_all(std::iter::once(Ok(source)), Vec::new(), overrides, Some(function))?;
    Ok(read.audits)
}

fn read_all(
    sources: impl Iterator<Item = Result<SpecSource, Box<SpecError>>>,
    mut errors: Vec<SpecError>,
    overrides: &Overrides,
    function: Option<&FunctionSpec>,
) -> Result<LoadedSpecs, SpecErrors> {
    let mut loaded = LoadedSpecs::default();
    let mut names: HashMap<String, String> = HashMap::new();
    for source in sources {
        let Some(source) = source.map_err(|error| errors.push(*error)).ok() else { continue };
        let document = document::read(&source, overrides, function);
        let mut mistakes = document.mistakes;
        for (name, span) in document.names {
            let place = source.place(span.start);
            if let Some(first) = names.get(&name) {
                let message = format!("the name `{name}` is already used, first at {first}");
                let help = "give each audit and attack of a run its own name";
                mistakes.push(Mistake::new(span, message, help));
            } else {
                names.insert(name, place);
            }
        }
        mistakes.sort_by_key(|mistake| mistake.span.start);
        errors.extend(mistakes.into_iter().map(|mistake| source.error(mistake)));
        loaded.audits.extend(document.audits);
        loaded.attacks.extend(document.attacks);
    }
    if errors.is_empty() { Ok(loaded) } else { Err(SpecErrors(errors)) }
}

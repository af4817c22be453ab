//! Pairs on which a search found a violation, in a file next to the spec: `svt.regressions.toml` next to `svt.toml`.
//! They are tried first in the next run.

use crate::spec::{Loaded, Mistake, SpecErrors, SpecSource};
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_engine::mechanism::Mechanism as _;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Most pairs that are kept of one audit; the newest stay.
const MOST_PAIRS: usize = 20;
/// Most entries of a pair that is kept: larger ones are found again by the same seed.
const MOST_ENTRIES: usize = 10_000;

const HEADER: &str = "# Pairs of datasets on which `plaudit audit` found a violation by search. They are \
                      tried first in the\n# next run: keep this file beside the spec, and under version \
                      control.\n\n";

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(default)]
    pair: Vec<Regression>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Regression {
    audit: String,
    d: Dataset,
    d_prime: Dataset,
}

/// The file of a spec's regressions.
pub fn regressions_of(spec: &Path) -> PathBuf {
    spec.with_extension("regressions.toml")
}

/// Makes each audit that searches try its stored pairs first. Pairs that are not neighbors in its domain, or that its
/// mechanism does not take, are skipped: the spec has changed.
///
/// # Errors
/// If there is such a file, and it cannot be read.
pub fn recall(audits: &mut [Loaded]) -> Result<(), SpecErrors> {
    let mut errors = Vec::new();
    let mut files: HashMap<PathBuf, Stored> = HashMap::new();
    for Loaded { audit, file, .. } in audits {
        let Some(search) = &mut audit.search else { continue };
        let stored = files.entry(regressions_of(file)).or_insert_with_key(|path| {
            read(path).unwrap_or_else(|error| {
                errors.extend(error.0);
                Stored::default()
            })
        });
        let own = stored.pair.iter().filter(|entry| entry.audit == audit.name);
        for (number, Regression { d, d_prime, .. }) in own.enumerate() {
            let neighborhood = &search.neighborhood;
            let fits = |dataset: &Dataset| {
                let own = neighborhood.domain.own(dataset.clone())?;
                audit.mechanism.accepts(&own).ok().map(|()| own)
            };
            let (Some(d), Some(d_prime)) = (fits(d), fits(d_prime)) else { continue };
            if neighborhood.relation.check_group(&d, &d_prime, neighborhood.group).is_ok() {
                let name = format!("found before ({number})");
                search.first.push(Pair { name, d, d_prime });
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(SpecErrors(errors)) }
}

/// Stores a pair for the next run of an audit, and the pair that it was shrunk to, before those that are there. Nothing is stored if
/// the pair is there already; a pair that is too large is left out. The file is written whole or not at all.
///
/// # Errors
/// If what is there cannot be read, or the file cannot be written.
pub fn keep(
    spec: &Path,
    audit: &str,
    pair: &Pair<Dataset>,
    smallest: Option<&Pair<Dataset>>,
) -> Result<(), String> {
    let path = regressions_of(spec);
    let mut stored = read(&path).map_err(|errors| errors.to_string())?;
    let wires = |pair: &Regression| (pair.audit.clone(), pair.d.to_wire(), pair.d_prime.to_wire());
    let entry = |pair: &Pair<Dataset>| Regression {
        audit: audit.to_owned(),
        d: pair.d.clone(),
        d_prime: pair.d_prime.clone(),
    };
    let fits = |pair: &&Pair<Dataset>| pair.d.entries().max(pair.d_prime.entries()) <= MOST_ENTRIES;
    let known: Vec<_> = stored.pair.iter().map(wires).collect();
    if known.contains(&wires(&entry(pair))) {
        return Ok(());
    }
    let new = std::iter::once(pair).chain(smallest).filter(fits).map(entry);
    let new: Vec<Regression> = new.filter(|entry| !known.contains(&wires(entry))).collect();
    if new.is_empty() {
        return Ok(());
    }
    stored.pair.splice(0..0, new);
    let mut of_this = 0;
    stored.pair.retain(|entry| {
        of_this += usize::from(entry.audit == audit);
        entry.audit != audit || of_this <= MOST_PAIRS
    });
    write(&path, &stored).map_err(|why| format!("cannot write {}: {why}", path.display()))
}

fn write(path: &Path, stored: &Stored) -> Result<(), Box<dyn std::error::Error>> {
    let text = toml::to_string(stored)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(HEADER.as_bytes())?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn read(path: &Path) -> Result<Stored, SpecErrors> {
    if !path.exists() {
        return Ok(Stored::default());
    }
    let source = SpecSource::read(path).map_err(|error| SpecErrors(vec![*error]))?;
    toml::from_str(&source.text).map_err(|error| {
        let message = format!("these are not stored pairs: {}", error.message());
        let help = "fix the file, delete it, or skip it with --no-regressions";
        SpecErrors(vec![source.error(Mistake::new(error.span().unwrap_or(0..0), message, help))])
    })
}

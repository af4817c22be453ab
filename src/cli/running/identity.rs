//! Parts of an audit's identity beyond its spec: contents of programs, of watched files and of recorded outcomes.

use super::changed::WatchedFiles;
use super::provenance::{self, ProgramFiles};
use crate::rebuild;
use crate::spec::Loaded;
use plaudit_core::finding::{IdentityPart, PartIdentity, ProgramFile};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Digits of a hash that are shown.
const SHORT: usize = 8;

/// Fixes the identity of each audit, as its spec and the files that it names are now. No path of this machine enters.
pub(in crate::cli) fn identify(audits: &mut [Loaded], programs: &mut ProgramFiles) {
    let (mut watched, mut hashes) = (WatchedFiles::default(), HashMap::new());
    for loaded in audits {
        let mut known = Vec::new();
        if rebuild::is_program(&loaded.audit.summary) {
            known.push((IdentityPart::Program, of_program(&programs.of(loaded))));
        }
        if loaded.watch.is_some() {
            let files = watched.of(loaded);
            known.push((IdentityPart::Watched, of_watched(&files, &mut hashes)));
        }
        if rebuild::is_recorded(&loaded.audit.summary) {
            known.push((IdentityPart::Data, of_recorded(loaded, &mut hashes)));
        }
        loaded.audit.identify(known);
    }
}

fn of_program(files: &[ProgramFile]) -> PartIdentity {
    // What is installed is named by its version: another build of it is the same program.
    let content = |file: &ProgramFile| json!(file.version.as_ref().or(file.sha256.as_ref()));
    let name = |file: &ProgramFile| {
        let name = Path::new(&file.path).file_name().unwrap_or_default().to_string_lossy();
        match (&file.version, &file.sha256) {
            (Some(version), _) => format!("{name} ({version})"),
            (None, Some(hash)) => format!("{name} {}", short(hash)),
            (None, None) => format!("{name} (unread)"),
        }
    };
    let words: Vec<String> = files.iter().map(name).collect();
    let words = if words.is_empty() { "not known".to_owned() } else { words.join(", ") };
    PartIdentity::of(&files.iter().map(content).collect(), words)
}

fn of_watched(
    files: &[(String, PathBuf)],
    hashes: &mut HashMap<PathBuf, Option<String>>,
) -> PartIdentity {
    let all: Vec<Value> =
        files.iter().map(|(name, path)| json!([name, hash(path, hashes)])).collect();
    let value = Value::from(all);
    let whole = PartIdentity::of(&value, "");
    let many = files.len();
    let words = format!("{many} file{} {}", if many == 1 { "" } else { "s" }, short(&whole.sha256));
    PartIdentity { words, ..whole }
}

fn of_recorded(loaded: &Loaded, hashes: &mut HashMap<PathBuf, Option<String>>) -> PartIdentity {
    let parameters = &loaded.audit.summary.parameters;
    let mut of = |key: &str| {
        let path = parameters[key].as_str().unwrap_or_default();
        hash(Path::new(path), hashes)
    };
    let files = [of("d"), of("d_prime")];
    let shown = |file: &Option<String>| file.as_deref().map_or("unread".to_owned(), short);
    let words = format!("D {}, D' {}", shown(&files[0]), shown(&files[1]));
    PartIdentity::of(&json!(files), words)
}

fn hash(path: &Path, known: &mut HashMap<PathBuf, Option<String>>) -> Option<String> {
    known.entry(path.to_owned()).or_insert_with(|| provenance::hash(path)).clone()
}

fn short(hash: &str) -> String {
    hash.chars().take(SHORT).collect()
}

//! Datasets for programs: any value, or a file that the program reads.

use crate::spec::error::Checked;
use crate::spec::mechanism;
use crate::spec::read::{self, Fields, Place, Value};
use plaudit_core::dataset::{Dataset, Pair, json_words, sha256_of, shortened};
use std::path::Path;
use toml::de::DeValue;

const FILE: &str = "{ file = \"people.npy\" }, relative to the folder of this spec";
const KEYS: [&str; 2] = ["file", "sha256"];
/// Characters of a value in the name of a pair.
const SHOWN: usize = 24;

/// Both datasets of a pair, of any kind: a program gets values as they are written.
pub(super) fn pair(d: &Value<'_>, fields: &Fields<'_>, spec: &Path) -> Checked<Pair<Dataset>> {
    let d_prime = fields.require("d_prime", "add the neighbor: d_prime = [1.0]")?;
    let [d, d_prime] = [dataset(d, spec)?, dataset(d_prime, spec)?];
    let name = fields.optional("name", read::owned)?;
    let name = name.unwrap_or_else(|| format!("{} | {}", start(&d), start(&d_prime)));
    let same = match (d.file(), d_prime.file()) {
        (Some(d), Some(d_prime)) => d.sha256 == d_prime.sha256,
        _ => d == d_prime,
    };
    if same {
        return fields
            .refuse("the datasets are the same, and can show no violation", "change one of them");
    }
    Ok(Pair { name, d, d_prime })
}

/// `true` if it is meant as a file: a table of `file`, and perhaps `sha256`, alone.
pub(super) fn is_file(value: &Value<'_>) -> bool {
    match value.get_ref() {
        DeValue::Table(table) => {
            table.contains_key("file") && table.keys().all(|key| KEYS.contains(&&**key.get_ref()))
        }
        _ => false,
    }
}

fn dataset(value: &Value<'_>, spec: &Path) -> Checked<Dataset> {
    if !is_file(value) {
        return Ok(Dataset::Json(mechanism::dataset(value.get_ref())));
    }
    let fields = Fields::of("a dataset", value, FILE)?;
    let written = fields.require("file", FILE)?;
    let path = read::text(written, "`file`")?;
    let full = read::beside(spec, path);
    let wrong = |why: &str| {
        let help = format!("write the path of a file: {FILE}");
        written.wrong(format!("the dataset `{}` {why}", path.escape_debug()), help)
    };
    if path.is_empty() || full.is_dir() {
        return Err(wrong("is a folder, not a file"));
    }
    // A pipe or a device would give its bytes once, or for ever.
    if full.exists() && !full.is_file() {
        return Err(wrong("is not a regular file"));
    }
    let sha256 = sha256_of(&full).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    if let Some(said) = fields.get("sha256") {
        let expected = read::text(said, "`sha256`")?;
        if !expected.eq_ignore_ascii_case(&sha256) {
            let message = format!("the file has another SHA-256: {sha256}");
            return said.refuse(message, "it was changed: correct `sha256`, or leave it out");
        }
    }
    Ok(Dataset::of_file(path, &sha256))
}

/// A dataset in a few words, for the name of a pair.
fn start(dataset: &Dataset) -> String {
    let words = match (dataset.file(), dataset) {
        (Some(file), _) => return file.path.to_owned(),
        (None, Dataset::Json(value)) => json_words(value),
        (None, _) => dataset.to_wire(),
    };
    shortened(&words, SHOWN)
}

//! Datasets for programs: any value, or a file that the program reads.

use crate::spec::error::Mistake;
use crate::spec::mechanism;
use crate::spec::read::{self, Fields, SpannedValue};
use plaudit_core::dataset::{Dataset, Pair, json_words, sha256_of, shortened};
use std::path::Path;
use toml::de::DeValue;

const FILE: &str = "{ file = \"people.npy\" }, relative to the folder of this spec";
const KEYS: [&str; 2] = ["file", "sha256"];
/// Characters of a value in the name of a pair.
const SHOWN: usize = 24;

/// Both datasets of a pair, of any kind: a program gets values as they are written.
pub(super) fn pair(
    d: &SpannedValue<'_>,
    fields: &Fields<'_, '_>,
    spec: &Path,
) -> Result<Pair<Dataset>, Mistake> {
    let d_prime = fields.require("d_prime", "give the neighbor: d_prime = [1.0]")?;
    let folder = spec.parent().unwrap_or_else(|| Path::new(""));
    let [d, d_prime] = [dataset(d, folder)?, dataset(d_prime, folder)?];
    let name = fields.get("name").map(|value| read::text(value, "`name`")).transpose()?;
    let name = name.map_or_else(|| format!("{} | {}", start(&d), start(&d_prime)), str::to_owned);
    let same = match (d.file(), d_prime.file()) {
        (Some(d), Some(d_prime)) => d.sha256 == d_prime.sha256,
        _ => d == d_prime,
    };
    if same {
        let message = "the datasets are the same, and show nothing";
        return Err(Mistake::new(fields.span(), message, "change one of them"));
    }
    Ok(Pair { name, d, d_prime })
}

/// `true` if it is meant as a file: a table of `file`, and perhaps `sha256`, alone.
pub(super) fn is_file(value: &SpannedValue<'_>) -> bool {
    match value.get_ref() {
        DeValue::Table(table) => {
            table.contains_key("file") && table.keys().all(|key| KEYS.contains(&&**key.get_ref()))
        }
        _ => false,
    }
}

fn dataset(value: &SpannedValue<'_>, folder: &Path) -> Result<Dataset, Mistake> {
    if !is_file(value) {
        return Ok(Dataset::Json(mechanism::dataset(value.get_ref())));
    }
    let fields = Fields::of("a dataset", value, FILE)?;
    let written = fields.require("file", FILE)?;
    let path = read::text(written, "`file`")?;
    let full = folder.join(path);
    let wrong = |why: &str| {
        let help = format!("write the path of a file: {FILE}");
        Mistake::new(written.span(), format!("the dataset `{}` {why}", path.escape_debug()), help)
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
            let help = "it was changed: correct `sha256`, or leave it out";
            return Err(Mistake::new(said.span(), message, help));
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

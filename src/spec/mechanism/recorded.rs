//! Outcomes that were recorded elsewhere.

use super::built::Built;
use crate::spec::error::{Checked, Mistake};
use crate::spec::read::{self, Fields, Place, Value};
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::MechanismKind;
use plaudit_engine::mechanism::Recordings;
use plaudit_engine::mechanism::recorded::{CsvColumns, Source};
use serde_json::{Value as Json, json};
use std::path::Path;

/// Key of recorded outcomes in a spec, and of their files in a dataset.
pub(in crate::spec) const RECORDED: &str = "recorded";

const EXAMPLE: &str = "recorded = { d = \"d.npy\", d_prime = \"d_prime.npy\" }";

/// Recorded outcomes, as far as a spec describes them.
pub(in crate::spec) struct Read {
    pub built: Built,
    pub pair: Pair<Dataset>,
    /// Maximum number of trials.
    pub most_trials: u64,
}

/// Reads `recorded`; paths are relative to the folder of `file`.
pub(in crate::spec) fn read(
    value: &Value<'_>,
    audit: &Fields<'_>,
    file: &Path,
    mistakes: &mut Vec<Mistake>,
) -> Option<Read> {
    for key in ["mechanism", "data", "pairs", "stateful", "clock"] {
        if let Some(other) = audit.get(key) {
            let message = format!("an audit of recorded outcomes has no `{key}`: nothing is run");
            mistakes.push(other.wrong(message, format!("leave `{key}` out")));
        }
    }
    let fields = read::keep(mistakes, Fields::of("`recorded`", value, EXAMPLE))?;
    mistakes.extend(fields.unknown_keys(&["d", "d_prime", "column", "columns"]));
    let source = read::keep(mistakes, source(&fields, file))?;
    let recordings = Recordings::new(&source)
        .map_err(|why| value.wrong(why, "paths are relative to the folder of this spec"));
    let recordings = read::keep(mistakes, recordings)?;
    let begins = recordings.look();
    read::keep(mistakes, begins.map_err(|(why, help)| value.wrong(why, help)))?;
    if recordings.are_the_same().unwrap_or(false) {
        let message = "`d` and `d_prime` hold the same outcomes: they show no difference";
        let help = "name the file of each dataset; each dataset needs its own outcomes";
        mistakes.push(value.wrong(message, help));
        return None;
    }
    let most_trials = recordings.most_trials();
    let name = |path: &Path| Dataset::Json(json!({ (RECORDED): path.to_string_lossy() }));
    let pair =
        Pair { name: "as recorded".into(), d: name(&source.d), d_prime: name(&source.d_prime) };
    let parameters = serde_json::to_value(&source).unwrap_or(Json::Null);
    let built = Built::new(MechanismKind::Recorded, parameters, Box::new(recordings));
    Some(Read { built, pair, most_trials })
}

fn source(fields: &Fields<'_>, file: &Path) -> Checked<Source> {
    let path = |key: &str| {
        let path = fields.needed(key, &format!("name both files: {EXAMPLE}"), read::text)?;
        Ok::<_, Mistake>(read::beside(file, path))
    };
    let columns = fields.optional("columns", |names, what| {
        if fields.has("column") {
            let message = "`column` and `columns` cannot both be given";
            let help = "outcomes are numbers of one column, or vectors of several";
            return names.refuse(message, help);
        }
        let columns = read::list_of(names, (what, "a column", "[\"x\", \"y\"]"), read::owned)?;
        if columns.is_empty() {
            let help = "name the columns of the vectors: columns = [\"x\", \"y\"]";
            return names.refuse("there is no column", help);
        }
        Ok(CsvColumns::Several(columns))
    })?;
    let column = fields.optional("column", read::owned)?.map(CsvColumns::One);
    let columns = columns.or(column).unwrap_or(CsvColumns::Only);
    Ok(Source { d: path("d")?, d_prime: path("d_prime")?, columns })
}

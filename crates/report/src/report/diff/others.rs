//! Fields of two reports that differ without a difference of an audit: seeds, notes, small changes of numbers.

use plaudit_core::finding::{Report, ReportDifference};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// Fields of the provenance that differ from run to run of the same thing.
const TIMES: [&str; 5] = ["started", "wall_s", "jobs", "command", "audits"];
/// Fields of a report that are compared audit by audit, or that compare it with yet another one.
const APART: [&str; 4] = ["audits", "attacks", "provenance", "changes"];

/// The fields, those of an audit with its name: "run.seed", "count: notes". Of audits with differences nothing is added. The number of
/// audits and attacks that have some comes second.
pub(super) fn others(
    old: &Report,
    new: &Report,
    told: &[ReportDifference],
) -> (Vec<String>, usize) {
    let whole = [old, new].map(|report| serde_json::to_value(report).unwrap_or_default());
    let [before, now] = whole.each_ref().map(object);
    let mut all = Vec::new();
    for key in differing(before, now).into_iter().filter(|key| !APART.contains(&&**key)) {
        let inner = [before, now].map(|it| it.get(&key).and_then(Value::as_object));
        match inner {
            [Some(a), Some(b)] => {
                all.extend(differing(a, b).into_iter().map(|inner| format!("{key}.{inner}")));
            }
            _ => all.push(key),
        }
    }
    if let [Some(a), Some(b)] = [before, now].map(|it| it.get("provenance")?.as_object()) {
        let fields = differing(a, b).into_iter().filter(|key| !TIMES.contains(&&**key));
        all.extend(fields.map(|key| format!("provenance.{key}")));
    }
    let mut audits = 0;
    for list in ["audits", "attacks"] {
        let entries =
            |report| Map::get(report, list).and_then(Value::as_array).into_iter().flatten();
        for entry in entries(now) {
            let name = entry["name"].as_str().unwrap_or_default();
            let earlier = entries(before).find(|it| it["name"] == name);
            let Some(earlier) = earlier.filter(|_| told.iter().all(|it| it.audit != name)) else {
                continue;
            };
            let mut fields = differing(object(earlier), object(entry));
            if origin(before, name, "program") != origin(now, name, "program") {
                fields.push("files of the program".into());
            }
            if !fields.is_empty() {
                audits += 1;
                all.push(format!("{name}: {}", fields.join(", ")));
            }
        }
    }
    (all, audits)
}

/// A field of where an audit comes from.
fn origin<'a>(report: &'a Map<String, Value>, name: &str, field: &str) -> Option<&'a Value> {
    let origins = report.get("provenance")?["audits"].as_array()?;
    origins.iter().find(|origin| origin["audit"] == name)?.get(field)
}

fn object(value: &Value) -> &Map<String, Value> {
    static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    value.as_object().unwrap_or(&EMPTY)
}

fn differing(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let added = new.keys().filter(|key| !old.contains_key(*key));
    let keys = old.keys().chain(added).filter(|key| old.get(*key) != new.get(*key));
    keys.cloned().collect()
}

//! One spec file.

use super::audit;
use super::error::{Mistake, SpecSource};
use super::evaluation;
use super::loaded::Document;
use super::read::{self, Fields};
use super::settings::{self, Overrides};
use toml::de::DeTable;

const EMPTY: &str = "start one with [[audit]], and give it a name, a mechanism, a relation, pairs \
                     and a claim";

/// Reads a file.
pub(super) fn read(source: &SpecSource, overrides: &Overrides) -> Document {
    let mut document = Document::default();
    let table = match DeTable::parse(&source.text) {
        Ok(table) => table,
        Err(error) => {
            document.mistakes.push(syntax(&error));
            return document;
        }
    };
    let mistakes = &mut document.mistakes;
    let fields = Fields::new("a spec", 0..0, table.get_ref());
    mistakes.extend(fields.unknown_keys(&["defaults", "evaluation", "audit"]));
    let defaults = fields.get("defaults").and_then(|value| {
        let fields = Fields::of("[defaults]", value, "{ trials = 1_000_000 }");
        let fields = read::keep(mistakes, fields)?;
        mistakes.extend(fields.unknown_keys(&settings::KEYS));
        Some(settings::read(&fields, mistakes))
    });
    let stated = fields.get("evaluation");
    let stated = stated.map(|value| evaluation::read("[evaluation]", value, mistakes));
    let Some(value) = fields.get("audit") else {
        // If `audit` is only misspelt, that has been said.
        if mistakes.is_empty() {
            mistakes.push(Mistake::new(0..0, "this spec has no audit", EMPTY));
        }
        return document;
    };
    let list = read::list(value, "`audit`", "[[audit]]").map_err(|mistake| Mistake {
        help: "write [[audit]], in double brackets, and the keys of one audit under it".into(),
        ..mistake
    });
    let Some(list) = read::keep(mistakes, list) else { return document };
    if list.is_empty() {
        mistakes.push(Mistake::new(value.span(), "this spec has no audit", EMPTY));
    }
    let context = audit::Context {
        source,
        command: *overrides,
        defaults: defaults.unwrap_or_default(),
        evaluation: stated.unwrap_or_default(),
    };
    for value in list {
        audit::read(value, &context, &mut document);
    }
    document
}

/// A TOML syntax error.
fn syntax(error: &toml::de::Error) -> Mistake {
    let message = error.message().trim_end().replace('\n', ", ");
    let help = if message.starts_with("duplicate key") {
        "give each key once"
    } else {
        "this is not TOML: see https://toml.io for how it is written"
    };
    Mistake::new(error.span().unwrap_or(0..0), message, help)
}

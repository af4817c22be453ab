//! One spec file.

use super::error::{Mistake, SpecSource};
use super::evaluation;
use super::loaded::Document;
use super::mechanism::FunctionSpec;
use super::read::{self, Fields};
use super::settings::{self, Overrides};
use super::{attack, audit};
use toml::de::DeTable;

const EMPTY: &str = "start one with [[audit]], and give it a name, a mechanism, a relation, pairs \
                     and a claim";

pub(super) fn read(
    source: &SpecSource,
    overrides: &Overrides,
    function: Option<&FunctionSpec>,
) -> Document {
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
    mistakes.extend(fields.unknown_keys(&["defaults", "evaluation", "audit", "attack"]));
    let defaults = fields.get("defaults").and_then(|value| {
        let fields = Fields::of("[defaults]", value, "{ trials = 1_000_000 }");
        let fields = read::keep(mistakes, fields)?;
        mistakes.extend(fields.unknown_keys(&settings::KEYS));
        Some(settings::read(&fields, mistakes))
    });
    let stated = fields.get("evaluation");
    let stated = stated.map(|value| evaluation::read("[evaluation]", value, mistakes));
    let defaults = defaults.unwrap_or_default();
    let attacks = fields.get("attack").map(|value| in_brackets(value, "attack"));
    let attacks = read::keep(mistakes, attacks.transpose()).flatten();
    for value in attacks.into_iter().flatten() {
        attack::read(value, (source, *overrides, defaults), &mut document);
    }
    let mistakes = &mut document.mistakes;
    let Some(value) = fields.get("audit") else {
        // If `audit` is only misspelt, that has been reported.
        if mistakes.is_empty() && document.attacks.is_empty() {
            mistakes.push(Mistake::new(0..0, "this spec has no audit", EMPTY));
        }
        return document;
    };
    let Some(list) = read::keep(mistakes, in_brackets(value, "audit")) else { return document };
    if list.is_empty() {
        mistakes.push(Mistake::new(value.span(), "this spec has no audit", EMPTY));
    }
    let context = audit::Context {
        source,
        command: *overrides,
        defaults,
        evaluation: stated.unwrap_or_default(),
        function,
    };
    for value in list {
        audit::read(value, &context, &mut document);
    }
    document
}

fn in_brackets<'a, 'i>(
    value: &'a read::SpannedValue<'i>,
    key: &str,
) -> Result<&'a toml::de::DeArray<'i>, Mistake> {
    read::list(value, &format!("`{key}`"), &format!("[[{key}]]")).map_err(|mistake| Mistake {
        help: format!("write [[{key}]], in double brackets, and the keys of one {key} under it"),
        ..mistake
    })
}

fn syntax(error: &toml::de::Error) -> Mistake {
    let message = error.message().trim_end().replace('\n', ", ");
    let help = if message.starts_with("duplicate key") {
        "give each key once"
    } else {
        "this is not TOML: see https://toml.io for how it is written"
    };
    Mistake::new(error.span().unwrap_or(0..0), message, help)
}

//! One spec file.

use super::error::{Checked, Mistake, SpecSource};
use super::evaluation;
use super::loaded::Document;
use super::mechanism::FunctionSpec;
use super::read::{self, Fields, Place};
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
    let context = audit::Context {
        source,
        command: *overrides,
        defaults: defaults.unwrap_or_default(),
        evaluation: stated.unwrap_or_default(),
        function,
    };
    let attacks = read::keep(mistakes, fields.optional("attack", in_brackets)).flatten();
    let audits = read::keep(mistakes, fields.optional("audit", in_brackets));
    for value in attacks.into_iter().flatten() {
        attack::read(value, (source, *overrides, context.defaults), &mut document);
    }
    let mistakes = &mut document.mistakes;
    match (audits, fields.get("audit")) {
        // If `audit` is only misspelt, that has been reported.
        (Some(None), _) if mistakes.is_empty() && document.attacks.is_empty() => {
            mistakes.push(fields.wrong("this spec has no audit", EMPTY));
        }
        (Some(Some(list)), Some(value)) if list.is_empty() => {
            mistakes.push(value.wrong("this spec has no audit", EMPTY));
        }
        (audits, _) => {
            for value in audits.flatten().into_iter().flatten() {
                audit::read(value, &context, &mut document);
            }
        }
    }
    document
}

fn in_brackets<'a>(value: &'a read::Value<'a>, what: &str) -> Checked<&'a toml::de::DeArray<'a>> {
    let key = what.trim_matches('`');
    read::list(value, what, "").map_err(|mistake| Mistake {
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

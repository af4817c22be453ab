//! Neighboring relations.

use super::error::Checked;
use super::read::{self, Fields, Place, Value, did_you_mean};
use plaudit_core::dataset::{People, Relation, Stated, UNCHECKED};
use toml::de::DeValue;

const WORDS: [&str; 3] = ["substitution", "add-remove", "histogram"];
const NORMS: [&str; 3] = ["l1", "l2", "linf"];
const PEOPLE: [&str; 3] = ["remove_all", "replace_all", "most_rows"];
const EXAMPLE: &str = "write relation = \"substitution\", \"add-remove\" or \"histogram\", or a \
                       distance: { l1 = 1.0 }, { l2 = 1.0 } or { linf = 1.0 }, or, if people \
                       have several rows, { remove_all = \"id\" } or { replace_all = \"id\" }";

/// Reads the relation; `of_any` if it may be one in words.
pub(super) fn read(audit: &Fields<'_>, of_any: bool) -> Checked<Stated> {
    let value = audit.require("relation", EXAMPLE)?;
    match value.get_ref() {
        DeValue::String(word) if word.starts_with(UNCHECKED) && !of_any => {
            let message =
                "only a program, or recorded outcomes, can have a relation that is not checked";
            value.refuse(message, EXAMPLE)
        }
        DeValue::String(word) if word.starts_with(UNCHECKED) => {
            said(value, word.trim_start_matches(UNCHECKED))
        }
        DeValue::String(word) => by_word(word).map(Stated::Checked).ok_or_else(|| {
            let help = match NORMS.iter().find(|norm| *norm == word) {
                Some(norm) => format!("write the distance: relation = {{ {norm} = 1.0 }}"),
                None => did_you_mean(word, &WORDS, "relations in one word"),
            };
            value.wrong(format!("unknown relation `{word}`"), help)
        }),
        DeValue::Table(table) if of_any && table.contains_key("words") => in_words(value),
        DeValue::Table(table) if PEOPLE.iter().any(|key| table.contains_key(*key)) => {
            people(value).map(Stated::Checked)
        }
        DeValue::Table(_) => distance(value).map(Stated::Checked),
        _ => value.refuse("`relation` must be a word or a table", EXAMPLE),
    }
}

/// A relation as reports write it ([`Relation`]'s display form), if it is one.
pub fn relation_from_words(words: &str) -> Option<Relation> {
    by_word(words).or_else(|| Relation::people_from_words(words)).or_else(|| {
        let (norm, distance) = words.split_once(" distance ")?;
        let distance = distance.parse().ok().filter(|&x: &f64| x > 0.0 && x.is_finite())?;
        by_norm(norm, distance)
    })
}

fn in_words(value: &Value<'_>) -> Checked<Stated> {
    const WORDS: &str = "{ words = \"one purchase more\" }";
    let fields = Fields::with_keys("`relation`", value, &["words"], WORDS)?;
    said(value, fields.needed("words", WORDS, read::text)?)
}

fn said(value: &Value<'_>, words: &str) -> Checked<Stated> {
    let words = words.trim();
    if words.is_empty() {
        let message = "the relation has no description";
        let help =
            "state what makes the datasets neighbors: relation = \"unchecked: one purchase more\"";
        return value.refuse(message, help);
    }
    Ok(Stated::Words(words.to_owned()))
}

fn distance(value: &Value<'_>) -> Checked<Relation> {
    let known: Vec<&str> = NORMS.iter().chain(&PEOPLE).copied().collect();
    let fields = Fields::with_keys("`relation`", value, &known, "{ linf = 1.0 }")?;
    let given: Vec<_> = fields.entries().collect();
    let [(norm, value)] = given[..] else {
        return value.refuse(format!("a relation has one distance, not {}", given.len()), EXAMPLE);
    };
    let distance = read::number(value, &format!("`{norm}`"))?;
    if !(distance > 0.0 && distance.is_finite()) {
        let message = format!("{norm} = {distance} is invalid: a distance is above 0 and finite");
        return value
            .refuse(message, "write the largest distance between the answers on two neighbors");
    }
    by_norm(norm, distance).ok_or_else(|| value.wrong("no such norm", EXAMPLE))
}

/// People with many rows: `{ remove_all = "id" }`, or `{ replace_all = "id", most_rows = 3 }`.
fn people(value: &Value<'_>) -> Checked<Relation> {
    const WRITE: &str = "write { remove_all = \"id\" } or { replace_all = \"id\" }, with the column \
                         that identifies the person; optionally add most_rows = 3";
    let fields = Fields::with_keys("`relation`", value, &PEOPLE, "{ remove_all = \"id\" }")?;
    let (key, relation): (_, fn(People) -> Relation) = match fields.given(&PEOPLE[..2])[..] {
        [key @ "remove_all"] => (key, Relation::RemoveAll),
        [key] => (key, Relation::ReplaceAll),
        [] => {
            let message =
                "`most_rows` limits the rows of a person, but not which datasets are neighbors";
            return value.refuse(message, WRITE);
        }
        _ => return value.refuse("a relation is `remove_all` or `replace_all`, not both", WRITE),
    };
    let id = fields.needed(key, WRITE, |column, what| match read::text(column, what)? {
        "" => column.refuse(format!("{what} names no column"), WRITE),
        id => Ok(id.to_owned()),
    })?;
    let most_rows = fields.optional("most_rows", |most, what| match read::whole(most, what)? {
        0 => most.refuse(
            "most_rows = 0 is invalid: a person has at least one row",
            "write at least 1, or leave it out",
        ),
        rows => Ok(rows),
    })?;
    Ok(relation(People { id, most_rows }))
}

fn by_word(word: &str) -> Option<Relation> {
    match word {
        "substitution" => Some(Relation::Substitution),
        "add-remove" => Some(Relation::AddRemove),
        "histogram" => Some(Relation::Histogram),
        _ => None,
    }
}

fn by_norm(norm: &str, distance: f64) -> Option<Relation> {
    match norm {
        "l1" => Some(Relation::L1(distance)),
        "l2" => Some(Relation::L2(distance)),
        "linf" => Some(Relation::Linf(distance)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/spec/relation.rs"]
mod tests;

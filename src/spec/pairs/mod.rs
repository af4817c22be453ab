//! Pairs of neighbors.

mod values;

use super::data::{self, Data};
use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place, Value, did_you_mean};
use super::subject::Subject;
use plaudit_core::dataset::pairs::PairError;
use plaudit_core::dataset::{Cell, Dataset, Pair, People, Relation, Table, pairs, pattern};
use serde_json::Value as Json;
use std::ops::Range;
use std::path::Path;

/// Sources of pairs, and their requirements.
pub(super) struct PairNeeds<'a> {
    pub data: &'a Data,
    pub subject: &'a Subject,
    pub seed: u64,
    /// The spec: paths are relative to its folder.
    pub file: &'a Path,
}

#[derive(Default)]
pub(super) struct ReadPairs {
    pub pairs: Vec<Pair<Dataset>>,
    /// Pairs that the seed drew, one range a line.
    pub drawn: Vec<Range<usize>>,
}

impl ReadPairs {
    pub fn of(pairs: Vec<Pair<Dataset>>) -> Self {
        Self { pairs, drawn: Vec::new() }
    }
}

/// Ways to write a pair: the key that identifies it, and the keys next to it.
const WAYS: [(&str, &[&str]); 7] = [
    ("d", &["d_prime", "name"]),
    ("pattern", &["size"]),
    ("remove", &[]),
    ("add", &[]),
    ("replace", &["with"]),
    ("extremes", &[]),
    ("random", &[]),
];
const EXAMPLES: &str = "write { d = [0.0], d_prime = [1.0] } or { pattern = \"one-up-rest-down\", \
                        size = 5 }; with `data`: { remove = 17 }, { add = { age = 31 } }, { replace \
                        = 3, with = { age = 31 } }, { extremes = \"age\" } or { random = 3 }";
/// Most pairs that one line may ask for: each carries both datasets.
const MAX_PAIRS: u64 = 1_000;
const MAX_SIZE: u64 = 100_000;
/// Rows and entries are counted in 32 bits here: no spec has more.
const MAX_INDEX: u64 = u32::MAX as u64;
const WITH: &str = "give the new values: with = { age = 31 }, or with = 1.5 for numbers";

/// Reads the pairs, and notes their mistakes.
pub(super) fn read(
    audit: &Fields<'_>,
    wanted: &PairNeeds<'_>,
    mistakes: &mut Vec<Mistake>,
) -> ReadPairs {
    let mut read = ReadPairs::default();
    let value = audit.require("pairs", "write pairs = [{ d = [0.0], d_prime = [1.0] }]");
    let Some(value) = read::keep(mistakes, value) else { return read };
    let list = read::list(value, "`pairs`", "[{ d = [0.0], d_prime = [1.0] }]");
    let Some(list) = read::keep(mistakes, list) else { return read };
    if list.is_empty() {
        mistakes.push(value.wrong("there is no pair of datasets", EXAMPLES));
    }
    let mut uses_data = false;
    for entry in list {
        let fields = Fields::of("a pair", entry, "{ d = [0.0], d_prime = [1.0] }");
        let Some(fields) = read::keep(mistakes, fields) else { continue };
        let way = way(&fields);
        uses_data |= !matches!(way, Ok("d" | "pattern"));
        let is_drawn = matches!(way, Ok("random"));
        let made = way.and_then(|way| {
            let made = make(way, &fields, wanted)?;
            made.iter().try_for_each(|pair| fits(pair, entry, wanted))?;
            Ok(made)
        });
        let from = read.pairs.len();
        read.pairs.extend(read::keep(mistakes, made).into_iter().flatten());
        read.drawn.extend(Some(from..read.pairs.len()).filter(|it| is_drawn && !it.is_empty()));
    }
    if let (Data::Given(_, span), false, false) = (wanted.data, uses_data, list.is_empty()) {
        let message = "no pair uses this data";
        let help = "add a pair such as { remove = 0 } or { random = 3 }, or leave `data` out";
        mistakes.push(Mistake::new(span.clone(), message, help));
    }
    read
}

/// Pairs without a text, such as those of a function of this process.
pub(super) fn given(
    pairs: &[Pair<Dataset>],
    audit: &Fields<'_>,
    wanted: &PairNeeds<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Pair<Dataset>> {
    if pairs.is_empty() {
        let help = "give two neighboring datasets, or a domain to search in";
        mistakes.push(audit.wrong("there is no pair of datasets", help));
    }
    let fits = |pair: &&Pair<Dataset>| {
        let fits = if pair.d == pair.d_prime {
            audit.refuse(
                "the datasets are the same, and can show no violation",
                "change one of them",
            )
        } else {
            fits(pair, audit, wanted)
        };
        read::keep(mistakes, fits).is_some()
    };
    pairs.iter().filter(fits).cloned().collect()
}

/// The way in which a pair is written.
fn way(fields: &Fields<'_>) -> Checked<&'static str> {
    let given: Vec<_> = WAYS.iter().filter(|(key, _)| fields.has(key)).collect();
    match given[..] {
        [&(way, beside)] => {
            let known: Vec<&str> = std::iter::once(way).chain(beside.iter().copied()).collect();
            fields.only(&known).map(|()| way)
        }
        [] => {
            let mut known: Vec<&str> = WAYS.iter().map(|(key, _)| *key).collect();
            known.extend(["d_prime", "name", "size", "with"]);
            fields.only(&known)?;
            fields.refuse("this pair defines no datasets", EXAMPLES)
        }
        [(first, _), (second, _), ..] => {
            let message = format!(
                "a pair must be defined in exactly one way: `{first}` or `{second}`, not both"
            );
            fields.refuse(message, "write two pairs")
        }
    }
}

/// The pairs that one entry asks for.
fn make(way: &str, fields: &Fields<'_>, wanted: &PairNeeds<'_>) -> Checked<Vec<Pair<Dataset>>> {
    let value = fields.require(way, EXAMPLES)?;
    match way {
        "d" if wanted.subject.is_program => Ok(vec![values::pair(value, fields, wanted.file)?]),
        "d" => Ok(vec![explicit(value, fields)?]),
        "pattern" => by_pattern(value, fields),
        _ => from_data(way, value, fields, wanted),
    }
}

/// The pairs that change `data`.
fn from_data(
    way: &str,
    value: &Value<'_>,
    fields: &Fields<'_>,
    wanted: &PairNeeds<'_>,
) -> Checked<Vec<Pair<Dataset>>> {
    match wanted.data {
        Data::Given(Dataset::Table(table), _) => of_rows(way, value, fields, table, wanted),
        Data::Given(Dataset::Numbers(numbers), _) => {
            of_numbers(way, value, fields, numbers, read::finite, Dataset::Numbers)
        }
        // The numbers of a program, as they are written.
        Data::Given(Dataset::Json(Json::Array(numbers)), _) => {
            let dataset = |list: Vec<Json>| Dataset::Json(list.into());
            of_numbers(way, value, fields, numbers, data::written, dataset)
        }
        // Its mistake has been reported, and this pair cannot be known. JSON is a list of numbers.
        Data::Wrong | Data::Given(Dataset::Json(_), _) => Ok(Vec::new()),
        Data::Absent => {
            let message = format!("`{way}` changes data, and this audit has no `data`");
            fields.refuse(message, "add data = { csv = \"people.csv\", columns = [\"age\"] }")
        }
    }
}

/// A named pattern, or a group of them.
fn by_pattern(value: &Value<'_>, fields: &Fields<'_>) -> Checked<Vec<Pair<Dataset>>> {
    let name = read::text(value, "`pattern`")?;
    if !pattern::NAMES.contains(&name) {
        let help = did_you_mean(name, pattern::NAMES, "patterns");
        return value.refuse(format!("unknown pattern `{name}`"), help);
    }
    let size = fields.require("size", "give the length of the vectors: size = 5")?;
    let length = at_most(size, "`size`", MAX_SIZE)?;
    size.check(pattern::named(name, length), "write for example size = 5")
}

/// Changes of rows of a table.
fn of_rows(
    way: &str,
    value: &Value<'_>,
    fields: &Fields<'_>,
    table: &Table,
    wanted: &PairNeeds<'_>,
) -> Checked<Vec<Pair<Dataset>>> {
    let what = format!("`{way}`");
    // If the relation was wrong any will do: nothing will be run.
    let relation = &wanted.subject.checked_relation().unwrap_or(Relation::AddRemove);
    match way {
        "remove" => {
            let row = at_most(value, &what, MAX_INDEX)?;
            match relation {
                Relation::RemoveAll(people) => pairs::remove_person(table, row, people),
                _ => pairs::remove(table, row),
            }
            .map(|pair| vec![pair])
        }
        "add" => pairs::add(table, cells(value, &what, table)?).map(|pair| vec![pair]),
        "replace" => {
            let row = at_most(value, &what, MAX_INDEX)?;
            let with = cells(fields.require("with", WITH)?, "`with`", table)?;
            pairs::replace(table, row, with).map(|pair| vec![pair])
        }
        "extremes" => pairs::extremes(table, read::text(value, &what)?, relation),
        _ => pairs::random(table, relation, at_most(value, &what, MAX_PAIRS)?, wanted.seed),
    }
    .map_err(|error| {
        let of_relation = |people: &People| table.column(&people.id).is_none();
        let help = match &error {
            PairError::NoSuchColumn { .. } if relation.people().is_some_and(of_relation) => {
                "in `relation`, name the column of `data` that identifies the person"
            }
            _ => remedy(way),
        };
        value.wrong(error.to_string(), help)
    })
}

/// Changes of single numbers, with what reads one, and what makes a dataset of them.
fn of_numbers<T: Clone>(
    way: &str,
    value: &Value<'_>,
    fields: &Fields<'_>,
    numbers: &[T],
    number: impl Fn(&Value<'_>, &str) -> Checked<T>,
    dataset: impl Fn(Vec<T>) -> Dataset,
) -> Checked<Vec<Pair<Dataset>>> {
    let what = format!("`{way}`");
    let entry = || {
        let entry = at_most(value, &what, MAX_INDEX)?;
        if entry < numbers.len() {
            return Ok(entry);
        }
        let message = format!("there is no entry {entry}: `data` has {}", numbers.len());
        value.refuse(message, remedy(way))
    };
    let mut changed = numbers.to_vec();
    let name = match way {
        "remove" => {
            let entry = entry()?;
            changed.remove(entry);
            format!("entry {entry} removed")
        }
        "add" => {
            changed.push(number(value, &what)?);
            "entry added".to_owned()
        }
        "replace" => {
            let entry = entry()?;
            changed[entry] = number(fields.require("with", WITH)?, "`with`")?;
            format!("entry {entry} replaced")
        }
        _ => {
            let message = format!("`{way}` chooses rows, but `data` is a list of numbers");
            return fields.refuse(message, "use remove, add or replace, or give `data` as rows");
        }
    };
    Ok(vec![Pair { name, d: dataset(numbers.to_vec()), d_prime: dataset(changed) }])
}

fn explicit(d: &Value<'_>, fields: &Fields<'_>) -> Checked<Pair<Dataset>> {
    if values::is_file(d) {
        let message = "only a program can read a dataset from a file";
        let help =
            "write numbers, or name a table: data = { csv = \"people.csv\", columns = [\"age\"] }";
        return d.refuse(message, help);
    }
    let d_prime = fields.require("d_prime", "add the neighbor: d_prime = [1.0]")?;
    let d = data::numbers(d, "`d`")?;
    let d_prime = data::numbers(d_prime, "`d_prime`")?;
    let name = fields.optional("name", read::owned)?;
    let name = name.unwrap_or_else(|| format!("{} | {}", short(&d), short(&d_prime)));
    Ok(Pair { name, d: Dataset::Numbers(d), d_prime: Dataset::Numbers(d_prime) })
}

/// A vector in a few words, for the name of a pair.
fn short(values: &[f64]) -> String {
    const SHOWN: usize = 5;
    let mut words: Vec<_> = values
        .iter()
        .take(SHOWN)
        .map(|&x| plaudit_accountant::number::words(x).into_owned())
        .collect();
    if values.len() > SHOWN {
        words.push("…".into());
    }
    words.join(", ")
}

/// Cells of a row, by column.
fn cells<'a>(value: &'a Value<'a>, what: &str, table: &Table) -> Checked<Vec<(&'a str, Cell)>> {
    let fields = Fields::of(what, value, "{ age = 31 }")?;
    let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    fields.only(&columns)?;
    fields
        .entries()
        .map(|(column, value)| Ok((column, data::cell(value, &format!("`{column}`"))?)))
        .collect()
}

/// A whole number that may not be larger than `most`.
fn at_most(value: &Value<'_>, what: &str, most: u64) -> Checked<usize> {
    let n = read::whole(value, what)?;
    usize::try_from(n).ok().filter(|_| n <= most).ok_or_else(|| {
        value.wrong(format!("{what} = {n} is too large"), format!("write at most {most}"))
    })
}

/// Remedy for a pair that cannot be made.
fn remedy(way: &str) -> &'static str {
    match way {
        "remove" | "replace" => "`data` is counted from 0",
        "add" => "name every column: add = { age = 31, vote = 1 }",
        "extremes" => "name a column of `data` that holds numbers",
        _ => "request at least one pair, at most one per row or person, under a relation on rows",
    }
}

/// A pair must be neighbors, and of datasets that the mechanism takes.
fn fits(pair: &Pair<Dataset>, entry: &impl Place, wanted: &PairNeeds<'_>) -> Checked<()> {
    if let Some(relation) = wanted.subject.checked_relation() {
        relation.check_group(&pair.d, &pair.d_prime, wanted.subject.group()).map_err(|error| {
            let help = match relation.people() {
                Some(People { id, .. }) if pair.d.numbers().is_some() => {
                    &format!("give rows with a column `{id}`, by `data` or to a program, or change the relation")
                }
                _ => "change one of the datasets, or the relation",
            };
            entry.wrong(error.to_string(), help)
        })?;
    }
    if let Some(mechanism) = wanted.subject.mechanism() {
        for (which, dataset) in [("D", &pair.d), ("D'", &pair.d_prime)] {
            mechanism.accepts(dataset).map_err(|why| {
                let message = format!("the mechanism cannot run on {which} of this pair: {why}");
                entry.wrong(message, "change the pair, or the mechanism")
            })?;
        }
    }
    Ok(())
}

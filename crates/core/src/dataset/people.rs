//! People with many rows: whose row is whose, and how many people apart two datasets are.

use super::{Cell, Dataset, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Whose row it is: rows with the same value in a column are those of one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// The column that names the person.
    pub id: String,
    /// Most rows of a person, in both datasets; as many as they like if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_rows: Option<u64>,
}

/// `"user"`, or `"user", most_rows = 3`.
impl std::fmt::Display for People {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // As JSON, so that any name can be read back.
        write!(f, "{}", Value::from(self.id.as_str()))?;
        self.most_rows.map_or(Ok(()), |most| write!(f, "{MOST_ROWS}{most}"))
    }
}

const MOST_ROWS: &str = ", most_rows = ";

impl People {
    /// People as their display form has them, if it is one.
    pub(crate) fn from_words(words: &str) -> Option<Self> {
        // A name ends with a quote, so that nothing in it reads as a number of rows.
        let (id, most_rows) = match words.strip_suffix('"') {
            Some(_) => (words, None),
            None => {
                let (id, most) = words.rsplit_once(MOST_ROWS)?;
                (id, Some(most.parse().ok().filter(|most| *most > 0)?))
            }
        };
        Some(Self { id: serde_json::from_str(id).ok()?, most_rows })
    }
}

/// Identity of a person. Equal numbers are one person, however they are written: a program that compares them
/// cannot distinguish them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Person {
    Number(u64),
    Text(String),
}

impl Person {
    fn of_number(x: f64) -> Self {
        // Of both zeros the one without a sign.
        Self::Number((x + 0.0).to_bits())
    }

    fn of_text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::Text(text.to_owned()))
    }

    fn of_cell(cell: &Cell) -> Option<Self> {
        Self::of_value(&cell.to_json())
    }

    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::of_text(text),
            Value::Number(number) => match whole(number) {
                // Integers beyond the doubles are distinguished to the last digit.
                Some(n) if n as f64 as i128 != n => Some(Self::Text(format!("\0{n}"))),
                _ => number.as_f64().map(Self::of_number),
            },
            _ => None,
        }
    }
}

fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// The rows of two datasets as far as people matter.
struct Rows<'a> {
    /// Persons of the rows of both datasets.
    persons: [Vec<Person>; 2],
    /// `true` if row i of the first is row j of the second.
    same: Box<dyn Fn(usize, usize) -> bool + 'a>,
}

/// Reason why the owner of the rows is unknown.
fn no_rows(people: &People) -> String {
    format!(
        "it concerns people with several rows, and needs rows with columns: a table, or a list of objects, in which \
         `{}` identifies the person",
        people.id
    )
}

fn nobody(people: &People, row: usize, which: &str) -> String {
    format!(
        "row {row} of {which} belongs to no person: its `{}` must be a number or a text that is not empty",
        people.id
    )
}

fn rows<'a>(d: &'a Dataset, d_prime: &'a Dataset, people: &People) -> Result<Rows<'a>, String> {
    match (d, d_prime) {
        (Dataset::Table(a), Dataset::Table(b)) => of_tables(a, b, people),
        (Dataset::Json(Value::Array(a)), Dataset::Json(Value::Array(b))) => {
            let persons = |rows: &[Value], which| {
                let person = |(at, row): (usize, &Value)| {
                    let row = row.as_object().ok_or_else(|| no_rows(people))?;
                    row.get(&people.id)
                        .and_then(Person::of_value)
                        .ok_or_else(|| nobody(people, at, which))
                };
                rows.iter().enumerate().map(person).collect::<Result<Vec<_>, String>>()
            };
            let persons = [persons(a, "D")?, persons(b, "D'")?];
            Ok(Rows { persons, same: Box::new(|i, j| a[i] == b[j]) })
        }
        _ => Err(no_rows(people)),
    }
}

fn of_tables<'a>(a: &'a Table, b: &'a Table, people: &People) -> Result<Rows<'a>, String> {
    let persons = |table: &Table, which| {
        let column = table.column(&people.id).ok_or_else(|| {
            format!(
                "there is no column `{}`; the table has {}",
                people.id,
                table.columns.join(", ")
            )
        })?;
        let person = |(at, row): (usize, &Vec<Cell>)| {
            Person::of_cell(&row[column]).ok_or_else(|| nobody(people, at, which))
        };
        table.rows.iter().enumerate().map(person).collect::<Result<Vec<_>, String>>()
    };
    let persons = [persons(a, "D")?, persons(b, "D'")?];
    // Equal numbers in this column are one person, and still two data.
    let same = |i: usize, j: usize| a.rows[i].iter().zip(&b.rows[j]).all(|(a, b)| a.is_same(b));
    Ok(Rows { persons, same: Box::new(same) })
}

/// Checks that each person holds few enough rows.
fn few_enough(rows: &Rows<'_>, people: &People) -> Result<(), String> {
    let Some(most) = people.most_rows else { return Ok(()) };
    for (persons, which) in rows.persons.iter().zip(["D", "D'"]) {
        let mut held: HashMap<&Person, u64> = HashMap::new();
        for (row, person) in persons.iter().enumerate() {
            let count = held.entry(person).or_default();
            *count += 1;
            if *count > most {
                return Err(format!(
                    "the person of row {row} of {which} holds more than {most} rows, and most_rows = {most}"
                ));
            }
        }
    }
    Ok(())
}

/// Changes in the rows of people.
struct Changed {
    /// People of D alone, and of D' alone.
    alone: [usize; 2],
    /// People of both whose rows differ, or have another position among those of others.
    both: usize,
}

/// Branches that are looked at: beyond, datasets with rows in another order are refused.
const BRANCHES: usize = 4096;
/// Rows that are compared for them, about.
const COMPARED: usize = 100_000_000;

/// The fewest people without whose rows both datasets are the same, if at most `most` steps; people of both
/// count as `cost` steps.
fn changed(rows: &Rows<'_>, cost: usize, most: usize) -> Option<Changed> {
    let [a, b] = &rows.persons;
    let [of_a, of_b] = [a, b].map(|persons| persons.iter().collect::<HashSet<_>>());
    let alone = [of_a.difference(&of_b).count(), of_b.difference(&of_a).count()];
    let mut gone: HashSet<&Person> = of_a.symmetric_difference(&of_b).copied().collect();
    // People whose own rows are others, in their order.
    let places = |persons: &'_ [Person]| {
        let mut places: HashMap<Person, Vec<usize>> = HashMap::new();
        persons.iter().enumerate().for_each(|(at, person)| {
            places.entry(person.clone()).or_default().push(at);
        });
        places
    };
    let (places_a, places_b) = (places(a), places(b));
    for (person, own) in &places_a {
        let Some(other) = places_b.get(person) else { continue };
        let alike =
            own.len() == other.len() && own.iter().zip(other).all(|(&i, &j)| (rows.same)(i, j));
        if !alike {
            gone.insert(of_a.get(person)?);
        }
    }
    let both = gone.len() - alone[0] - alone[1];
    let spent = alone[0].max(if cost == 1 { alone[1] } else { alone[0] + alone[1] });
    let left = most.checked_sub(spent)? / cost;
    let left = left.checked_sub(both)?.min(BRANCHES);
    let mut branches = (COMPARED / (a.len() + 1)).clamp(8, BRANCHES);
    let more = (0..=left).find(|more| in_order(rows, &mut gone, *more, &mut branches))?;
    Some(Changed { alone, both: both + more })
}

/// `true` if the rest is in the same order without `more` people. Of two in another order one must be left out.
fn in_order<'a>(
    rows: &'a Rows<'_>,
    gone: &mut HashSet<&'a Person>,
    more: usize,
    branches: &mut usize,
) -> bool {
    let [a, b] = &rows.persons;
    let first = {
        let rest = |persons: &'a [Person]| persons.iter().filter(|person| !gone.contains(person));
        rest(a).zip(rest(b)).find(|(x, y)| x != y)
    };
    let Some((x, y)) = first else { return true };
    if more == 0 || *branches == 0 {
        return false;
    }
    *branches -= 1;
    [x, y].into_iter().any(|person| {
        gone.insert(person);
        let found = in_order(rows, gone, more - 1, branches);
        gone.remove(person);
        found
    })
}

/// Checks that one dataset is the other less all rows of at most `size` people; a person of both whose rows are
/// others is removed and added.
pub(super) fn removed(
    d: &Dataset,
    d_prime: &Dataset,
    people: &People,
    size: u64,
) -> Result<(), String> {
    let rows = rows(d, d_prime, people)?;
    few_enough(&rows, people)?;
    let most = usize::try_from(size).unwrap_or(usize::MAX);
    match changed(&rows, 2, most) {
        Some(Changed { alone: [0, 0], both: 0 }) => Err(SAME.into()),
        Some(_) => Ok(()),
        None if size > 1 => Err(format!("they are more than {size} people apart")),
        None => Err(match people_alone(&rows) {
            [0, 0] => "both hold the same people; one must have exactly one more person".into(),
            [0, 1] | [1, 0] => {
                "rows of another person differ (rows are compared in order)".to_owned()
            }
            alone => in_words(alone),
        }),
    }
}

/// Checks that all rows of at most `size` people are replaced by rows of as many people, at least one row each.
pub(super) fn replaced(
    d: &Dataset,
    d_prime: &Dataset,
    people: &People,
    size: u64,
) -> Result<(), String> {
    let rows = rows(d, d_prime, people)?;
    few_enough(&rows, people)?;
    let [d, d_prime] = people_alone(&rows);
    if d != d_prime {
        return Err(format!(
            "{}; both must hold the same number of people",
            in_words([d, d_prime])
        ));
    }
    let most = usize::try_from(size).unwrap_or(usize::MAX);
    match changed(&rows, 1, most) {
        Some(Changed { alone: [0, 0], both: 0 }) => Err(SAME.into()),
        Some(_) => Ok(()),
        None if size > 1 => Err(format!("they are more than {size} people apart")),
        None => Err("rows of more than one person differ (rows are compared in order)".into()),
    }
}

const SAME: &str = "identical datasets can show no violation";

fn people_alone(rows: &Rows<'_>) -> [usize; 2] {
    let [of_a, of_b] = rows.persons.each_ref().map(|list| list.iter().collect::<HashSet<_>>());
    [of_a.difference(&of_b).count(), of_b.difference(&of_a).count()]
}

/// "1 person is in D alone, 2 in D' alone".
fn in_words([d, d_prime]: [usize; 2]) -> String {
    let people = if d == 1 { "person is" } else { "people are" };
    format!("{d} {people} in D alone, {d_prime} in D' alone")
}

/// Change of one person in words: "person id 2 removed: 3 rows". `None` if more than one changed, or the rows
/// have no owner.
pub(super) fn words(d: &Dataset, d_prime: &Dataset, people: &People) -> Option<String> {
    let rows = rows(d, d_prime, people).ok()?;
    changed(&rows, 1, 1)?;
    let [a, b] = &rows.persons;
    let [of_a, of_b] = [a, b].map(|persons| persons.iter().collect::<HashSet<_>>());
    let gone: Vec<_> = of_a.difference(&of_b).collect();
    let come: Vec<_> = of_b.difference(&of_a).collect();
    let count =
        |persons: &[Person], person: &Person| persons.iter().filter(|p| *p == person).count();
    let many = |n: usize| if n == 1 { "1 row".to_owned() } else { format!("{n} rows") };
    let name = |dataset: &Dataset, persons: &[Person], person: &Person| {
        let row = persons.iter().position(|p| p == person)?;
        let id = match dataset {
            Dataset::Table(table) => table.rows[row][table.column(&people.id)?].to_string(),
            Dataset::Json(list) => list.get(row)?.get(&people.id)?.to_string(),
            Dataset::Numbers(_) => return None,
        };
        Some(format!("person {} {id}", people.id))
    };
    match (&gone[..], &come[..]) {
        ([gone], []) => Some(format!("{} removed: {}", name(d, a, gone)?, many(count(a, gone)))),
        ([], [come]) => {
            Some(format!("{} added: {}", name(d_prime, b, come)?, many(count(b, come))))
        }
        ([gone], [come]) => Some(format!(
            "{} ({}) replaced by {} ({})",
            name(d, a, gone)?,
            many(count(a, gone)),
            name(d_prime, b, come)?,
            many(count(b, come))
        )),
        ([], []) => {
            let differs = |person: &&&Person| {
                let of = |persons: &[Person]| -> Vec<usize> {
                    (0..persons.len()).filter(|at| persons[*at] == ***person).collect()
                };
                let (own, other) = (of(a), of(b));
                own.len() != other.len()
                    || own.iter().zip(&other).any(|(&i, &j)| !(rows.same)(i, j))
            };
            // Maximum number of people compared: this is for display.
            const LOOKED_AT: usize = 64;
            let mut differ = of_a.iter().take(LOOKED_AT).filter(differs);
            let (person, None) = (differ.next()?, differ.next()) else { return None };
            Some(format!(
                "{}: {} replaced by {}",
                name(d, a, person)?,
                many(count(a, person)),
                many(count(b, person))
            ))
        }
        _ => None,
    }
}

/// Rows of the person of a row, in order.
pub(super) fn rows_of(table: &Table, column: usize, row: usize) -> Vec<usize> {
    let person = Person::of_cell(&table.rows[row][column]);
    let own = |at: &usize| *at == row || Person::of_cell(&table.rows[*at][column]) == person;
    (0..table.rows.len()).filter(|at| person.is_some() && own(at) || *at == row).collect()
}

/// The first row of each person, in order.
pub(super) fn first_rows(table: &Table, column: usize) -> Vec<usize> {
    let mut seen = HashSet::new();
    let person = |at: &usize| Person::of_cell(&table.rows[*at][column]);
    (0..table.rows.len()).filter(|at| person(at).is_some_and(|who| seen.insert(who))).collect()
}

//! Shrinking: pairs that are simpler than a given pair, the boldest first.

use super::domain::Values;
use super::people;
use super::plan::Neighborhood;
use plaudit_core::dataset::{Cell, Dataset, Pair, Table};
use serde_json::Value;
use std::borrow::Cow;

/// Pairs of the domain that are simpler than this one: fewer rows, then simpler values: 0 and 1,
/// the ends of the domain, values that occur in the pair, and those closer to 0. Each is made when
/// it is requested. Replacing a pair by one of its list, which excludes itself, ends.
pub fn simpler<'a>(
    pair: &'a Pair<Dataset>,
    neighborhood: &'a Neighborhood,
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let least = *neighborhood.domain.size().start();
    let fewer = cuts(rows(&pair.d), rows(&pair.d_prime), least);
    let fewer = fewer.map(|(from, of_d, of_d_prime)| Pair {
        name: String::new(),
        d: without(&pair.d, from, of_d),
        d_prime: without(&pair.d_prime, from, of_d_prime),
    });
    people::fewer(pair, neighborhood).chain(fewer).chain(plainer(pair, neighborhood)).filter_map(
        move |other| {
            let Neighborhood { domain, relation, group } = neighborhood;
            // Plainer values are written as the domain writes them.
            let (d, d_prime) = (domain.own(other.d)?, domain.own(other.d_prime)?);
            relation.check_group(&d, &d_prime, *group).ok()?;
            Some(Pair { name: other.name, d, d_prime })
        },
    )
}

fn rows(dataset: &Dataset) -> usize {
    match dataset {
        Dataset::Numbers(numbers) => numbers.len(),
        Dataset::Table(table) => table.rows.len(),
        Dataset::Json(_) => dataset.entries(),
    }
}

/// Runs of rows that may be removed, longest first: their starts, and their number in each dataset.
/// Where one dataset is longer, the additional row is before or after the removed ones.
fn cuts(
    of_d: usize,
    of_d_prime: usize,
    least: usize,
) -> impl Iterator<Item = (CountedFrom, usize, usize)> {
    let shorter = of_d.min(of_d_prime);
    let lengths =
        std::iter::successors(Some(shorter.saturating_sub(least)), |length| Some(length / 2));
    lengths.take_while(|length| *length > 0).flat_map(move |length| {
        let step = length.max(shorter / PLACES);
        (0..=shorter - length).step_by(step).flat_map(move |at| {
            let front = (CountedFrom::Front(at), length, length);
            let back = (CountedFrom::Back(at), length, length);
            // From the back it is another cut only where the lengths differ.
            [Some(back), (of_d != of_d_prime).then_some(front)].into_iter().flatten()
        })
    })
}

/// Approximate number of places where a run of rows may start: each is a copy of both datasets.
const PLACES: usize = 16;

#[derive(Clone, Copy)]
enum CountedFrom {
    Front(usize),
    Back(usize),
}

fn without(dataset: &Dataset, from: CountedFrom, many: usize) -> Dataset {
    fn kept<T: Clone>(rows: &[T], from: CountedFrom, many: usize) -> Vec<T> {
        let start = match from {
            CountedFrom::Front(at) => at,
            CountedFrom::Back(at) => rows.len().saturating_sub(at + many),
        };
        let end = (start + many).min(rows.len());
        [&rows[..start], &rows[end..]].concat()
    }
    match dataset {
        Dataset::Numbers(numbers) => Dataset::Numbers(kept(numbers, from, many)),
        Dataset::Table(table) => {
            let mut fewer = Table { columns: table.columns.clone(), rows: vec![] };
            fewer.rows = kept(&table.rows, from, many);
            Dataset::Table(fewer)
        }
        Dataset::Json(Value::Array(list)) => Dataset::Json(kept(list, from, many).into()),
        Dataset::Json(value) => Dataset::Json(value.clone()),
    }
}

/// The same rows with plainer values.
fn plainer<'a>(
    pair: &'a Pair<Dataset>,
    neighborhood: &Neighborhood,
) -> Box<dyn Iterator<Item = Pair<Dataset>> + 'a> {
    let ends: Vec<[f64; 2]> = neighborhood.domain.columns().iter().map(Values::ends).collect();
    if let (Some(d), Some(d_prime), [ends]) =
        (pair.d.as_numbers(), pair.d_prime.as_numbers(), &ends[..])
    {
        return Box::new(plainer_numbers(d, d_prime, *ends));
    }
    match (&pair.d, &pair.d_prime) {
        (Dataset::Table(d), Dataset::Table(d_prime)) => {
            Box::new(plainer_tables(Cow::Borrowed(d), Cow::Borrowed(d_prime), ends))
        }
        (Dataset::Json(d), Dataset::Json(d_prime)) => match (column(d), column(d_prime)) {
            (Some(d), Some(d_prime)) => {
                let plainer = plainer_tables(Cow::Owned(d), Cow::Owned(d_prime), ends);
                Box::new(plainer.map(|Pair { name, d, d_prime }| {
                    let [d, d_prime] = [d, d_prime].map(list);
                    Pair { name, d, d_prime }
                }))
            }
            _ => Box::new(std::iter::empty()),
        },
        _ => Box::new(std::iter::empty()),
    }
}

/// A list of values as the only column of a table.
fn column(list: &Value) -> Option<Table> {
    let cells = list.as_array()?.iter().map(Cell::of_json);
    let rows = cells.map(|cell| Some(vec![cell?])).collect::<Option<_>>()?;
    Some(Table { columns: vec![String::new()], rows })
}

fn list(column: Dataset) -> Dataset {
    match column {
        Dataset::Table(table) => {
            Dataset::Json(table.rows.iter().flatten().map(Cell::to_json).collect())
        }
        other => other,
    }
}

/// Number of rows whose values are tried elsewhere, or made plainer one by one.
const LOOKED_AT: usize = 12;

/// Copies a cell over a less plain one in its column: everywhere, or in one row of both datasets,
/// or of one.
fn plainer_tables<'a>(
    d: Cow<'a, Table>,
    d_prime: Cow<'a, Table>,
    ends: Vec<[f64; 2]>,
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let ends_of = move |column: usize| ends.get(column).copied().unwrap_or_default();
    let edits = (0..d.columns.len()).flat_map(|column| {
        let mut to: Vec<Cell> =
            [[0.0, 1.0], ends_of(column)].concat().iter().map(|x| Cell::Number(*x)).collect();
        for row in d.rows.iter().chain(&d_prime.rows).take(LOOKED_AT) {
            let cell = &row[column];
            let shares = [1.0, 0.5].map(|share| cell.number().map(|x| (share * x).trunc()));
            to.push(cell.clone());
            to.extend(shares.into_iter().flatten().map(Cell::Number));
        }
        let mut once: Vec<Cell> = Vec::new();
        for cell in to {
            if !once.contains(&cell) {
                once.push(cell);
            }
        }
        let rows = d.rows.len().max(d_prime.rows.len()).min(LOOKED_AT);
        once.into_iter().flat_map(move |to| {
            let places = std::iter::once(None).chain((0..rows).map(Some));
            places.flat_map(move |place| {
                let to = to.clone();
                [[true, true], [true, false], [false, true]]
                    .map(move |sides| (column, place, sides, to.clone()))
            })
        })
    });
    let edits: Vec<_> = edits.collect();
    edits.into_iter().filter_map(move |(column, place, sides, to)| {
        let mut plain = [&d, &d_prime].map(|table| Table::clone(table));
        for (table, _) in plain.iter_mut().zip(sides).filter(|(_, side)| *side) {
            let mut changed = false;
            for (at, cells) in table.rows.iter_mut().enumerate() {
                if place.is_none_or(|place| place == at)
                    && is_plainer(&to, &cells[column], ends_of(column))
                {
                    cells[column] = to.clone();
                    changed = true;
                }
            }
            if !changed {
                return None;
            }
        }
        let [d, d_prime] = plain.map(Dataset::Table);
        Some(Pair { name: String::new(), d, d_prime })
    })
}

/// `true` if a cell is plainer than another: a number of less weight, false, text that sorts first;
/// and numbers before booleans before texts.
fn is_plainer(a: &Cell, b: &Cell, ends: [f64; 2]) -> bool {
    let kind = |cell: &Cell| match cell {
        Cell::Whole(_) | Cell::Number(_) => 0,
        Cell::Bool(_) => 1,
        Cell::Text(_) => 2,
    };
    match (a, b) {
        (Cell::Text(a), Cell::Text(b)) => a < b,
        (Cell::Bool(a), Cell::Bool(b)) => a < b,
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => weight(a, ends) < weight(b, ends),
            _ => kind(a) < kind(b),
        },
    }
}

/// Measure of how plain a number is: 0 and 1 are first, then the ends of the domain, then others by
/// their fraction, size and sign. NaN is the least plain.
fn weight(x: f64, ends: [f64; 2]) -> (u8, bool, u64, bool) {
    let rank = match x {
        _ if x == 0.0 || x == 1.0 => 0,
        _ if ends.contains(&x) => 1,
        _ => 2,
    };
    let size = if x.is_nan() { u64::MAX } else { x.abs().to_bits() };
    (rank, x.fract() != 0.0, size, x.is_sign_negative())
}

#[derive(Clone, Copy)]
enum Edit {
    /// Entries that are the same in both become this.
    Shared(f64),
    /// All entries of one value get another one.
    Merged(f64, f64),
    Truncated,
    /// Reduces all in both, or one entry in both: their distance stays.
    Moved(f64, Option<usize>),
    /// An entry of D, and of D', becomes something else.
    Set(usize, [Option<f64>; 2]),
}

impl Edit {
    fn apply(self, numbers: &[f64], other: &[f64], side: usize) -> Vec<f64> {
        let plain = |(at, &x): (usize, &f64)| match self {
            Self::Shared(to) if other.get(at) == Some(&x) => to,
            Self::Merged(from, to) if x == from => to,
            Self::Truncated => x.trunc(),
            Self::Moved(by, place) if place.is_none_or(|place| place == at) => x - by,
            Self::Set(place, to) if place == at => to[side].unwrap_or(x),
            _ => x,
        };
        numbers.iter().enumerate().map(plain).collect()
    }
}

fn plainer_numbers<'a>(
    d: Cow<'a, [f64]>,
    d_prime: Cow<'a, [f64]>,
    ends: [f64; 2],
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let all = d.iter().take(LOOKED_AT).map(|&x| Edit::Moved(x, None));
    let single = (0..d.len().max(d_prime.len()).min(LOOKED_AT)).flat_map(|place| {
        let of = |numbers: &[f64]| numbers.get(place).copied().unwrap_or(0.0);
        let (x, y) = (of(&d), of(&d_prime));
        let set = |of_d: Option<f64>, of_d_prime: Option<f64>| Edit::Set(place, [of_d, of_d_prime]);
        [
            Edit::Moved(x, Some(place)),
            Edit::Moved(y, Some(place)),
            set(Some(0.0), Some(0.0)),
            set(Some(y), None),
            set(None, Some(x)),
            set(Some(0.0), None),
            set(None, Some(0.0)),
            set(Some(x.trunc()), None),
            set(None, Some(y.trunc())),
        ]
    });
    let marks = [0.0, 1.0, ends[0], ends[1]];
    let to_marks = (0..d.len().max(d_prime.len()).min(LOOKED_AT)).flat_map(|place| {
        marks[1..].iter().flat_map(move |&to| {
            let sides = [[Some(to); 2], [Some(to), None], [None, Some(to)]];
            sides.map(|sides| Edit::Set(place, sides))
        })
    });
    let shared = marks.into_iter().map(Edit::Shared);
    let edits = shared.chain([Edit::Truncated]).chain(all).chain(merged(&d, &d_prime, ends));
    let edits: Vec<_> = edits.chain(single).chain(to_marks).collect();
    edits.into_iter().filter_map(move |edit| {
        let (a, b) = (edit.apply(&d, &d_prime, 0), edit.apply(&d_prime, &d, 1));
        is_less((&a, &b), (&d, &d_prime), ends).then(|| Pair {
            name: String::new(),
            d: Dataset::Numbers(a),
            d_prime: Dataset::Numbers(b),
        })
    })
}

/// Fewer distinct values: each becomes the plainest of the pair.
fn merged(d: &[f64], d_prime: &[f64], ends: [f64; 2]) -> Vec<Edit> {
    let mut values: Vec<f64> = d.iter().chain(d_prime).take(LOOKED_AT).copied().collect();
    values.sort_by_key(|x| weight(*x, ends));
    values.dedup_by_key(|x| x.to_bits());
    let Some((&plainest, others)) = values.split_first() else { return Vec::new() };
    others.iter().rev().map(|&x| Edit::Merged(x, plainest)).collect()
}

/// `true` if numbers are plainer than others: fewer places where the datasets differ, and then the
/// weights of all entries, the heaviest first.
fn is_less(new: (&[f64], &[f64]), old: (&[f64], &[f64]), ends: [f64; 2]) -> bool {
    let measure = |(d, d_prime): (&[f64], &[f64])| {
        let differ = d.iter().zip(d_prime).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let mut weights: Vec<_> = d.iter().chain(d_prime).map(|x| weight(*x, ends)).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        (differ, weights)
    };
    measure(new) < measure(old)
}

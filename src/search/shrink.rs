//! Shrinking: pairs that are simpler than a pair, the boldest first.

use super::people;
use super::plan::Neighborhood;
use crate::dataset::{Cell, Dataset, Pair, Table};

/// Pairs of the domain that are simpler than this one: fewer rows, then simpler values, closer to 0.
/// Each is made when it is asked for. None is the pair itself, and going from one to a pair of its own
/// list comes to an end.
pub fn simpler<'a>(
    pair: &'a Pair<Dataset>,
    hood: &'a Neighborhood,
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let least = *hood.domain.size().start();
    let fewer = cuts(rows(&pair.d), rows(&pair.d_prime), least);
    let fewer = fewer.map(|(from, of_d, of_d_prime)| Pair {
        name: String::new(),
        d: without(&pair.d, from, of_d),
        d_prime: without(&pair.d_prime, from, of_d_prime),
    });
    people::fewer(pair, hood).chain(fewer).chain(plainer(pair)).filter(move |other| {
        let Neighborhood { domain, relation, group } = hood;
        domain.contains(&other.d)
            && domain.contains(&other.d_prime)
            && relation.check_group(&other.d, &other.d_prime, *group).is_ok()
    })
}

fn rows(dataset: &Dataset) -> usize {
    match dataset {
        Dataset::Numbers(numbers) => numbers.len(),
        Dataset::Table(table) => table.rows.len(),
        Dataset::Json(_) => 0,
    }
}

/// Runs of rows that may go, longest first: where they begin, and how many of each dataset. Where one
/// dataset is longer, the additional row is before those that go, or behind them.
fn cuts(
    of_d: usize,
    of_d_prime: usize,
    least: usize,
) -> impl Iterator<Item = (Ends, usize, usize)> {
    let shorter = of_d.min(of_d_prime);
    let lengths =
        std::iter::successors(Some(shorter.saturating_sub(least)), |length| Some(length / 2));
    lengths.take_while(|length| *length > 0).flat_map(move |length| {
        let step = length.max(shorter / PLACES);
        (0..=shorter - length).step_by(step).flat_map(move |at| {
            let front = (Ends::Front(at), length, length);
            let back = (Ends::Back(at), length, length);
            // From the back it is another cut only where the lengths differ.
            [Some(back), (of_d != of_d_prime).then_some(front)].into_iter().flatten()
        })
    })
}

/// Places where a run of rows may begin, about: each is a copy of both datasets.
const PLACES: usize = 16;

/// Where rows are counted from.
#[derive(Clone, Copy)]
enum Ends {
    Front(usize),
    Back(usize),
}

fn without(dataset: &Dataset, from: Ends, many: usize) -> Dataset {
    fn kept<T: Clone>(rows: &[T], from: Ends, many: usize) -> Vec<T> {
        let start = match from {
            Ends::Front(at) => at,
            Ends::Back(at) => rows.len().saturating_sub(at + many),
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
        Dataset::Json(value) => Dataset::Json(value.clone()),
    }
}

/// The same rows with plainer values.
fn plainer(pair: &Pair<Dataset>) -> Box<dyn Iterator<Item = Pair<Dataset>> + '_> {
    match (&pair.d, &pair.d_prime) {
        (Dataset::Numbers(d), Dataset::Numbers(d_prime)) => Box::new(plainer_numbers(d, d_prime)),
        (Dataset::Table(d), Dataset::Table(d_prime)) => Box::new(plainer_tables(d, d_prime)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Rows of which the values are tried elsewhere, or made plainer one by one.
const LOOKED_AT: usize = 12;

/// A cell goes to where a less plain one stands in its column: everywhere, or in one row of both
/// datasets, or of one.
fn plainer_tables<'a>(
    d: &'a Table,
    d_prime: &'a Table,
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let edits = (0..d.columns.len()).flat_map(move |column| {
        let mut to: Vec<Cell> = vec![Cell::Number(0.0), Cell::Number(1.0)];
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
    edits.filter_map(move |(column, place, sides, to)| {
        let mut plain = [d.clone(), d_prime.clone()];
        for (table, _) in plain.iter_mut().zip(sides).filter(|(_, side)| *side) {
            let mut changed = false;
            for (at, cells) in table.rows.iter_mut().enumerate() {
                if place.is_none_or(|place| place == at) && is_plainer(&to, &cells[column]) {
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

/// Whether a cell is plainer than another: text that comes first, a number that is nearer to 0, whole
/// or above 0.
fn is_plainer(a: &Cell, b: &Cell) -> bool {
    match (a, b) {
        (Cell::Number(a), Cell::Number(b)) => weight(*a) < weight(*b),
        (Cell::Text(a), Cell::Text(b)) => a < b,
        (Cell::Number(_), Cell::Text(_)) => true,
        (Cell::Text(_), Cell::Number(_)) => false,
    }
}

/// How far a number is from being plain: its size, its fraction, its sign. NaN is the least plain.
fn weight(x: f64) -> (bool, u64, bool) {
    let size = if x.is_nan() { u64::MAX } else { x.abs().to_bits() };
    (x.fract() != 0.0, size, x.is_sign_negative())
}

/// What makes numbers plainer.
#[derive(Clone, Copy)]
enum Edit {
    /// Entries that are the same in both become 0.
    Shared,
    /// All lose their fractions.
    Truncated,
    /// All become less by this in both, or one entry does: their distance stays.
    Moved(f64, Option<usize>),
    /// An entry of D, and of D', becomes something else.
    Set(usize, [Option<f64>; 2]),
}

impl Edit {
    fn apply(self, numbers: &[f64], other: &[f64], side: usize) -> Vec<f64> {
        let plain = |(at, &x): (usize, &f64)| match self {
            Self::Shared if other.get(at) == Some(&x) => 0.0,
            Self::Truncated => x.trunc(),
            Self::Moved(by, place) if place.is_none_or(|place| place == at) => x - by,
            Self::Set(place, to) if place == at => to[side].unwrap_or(x),
            _ => x,
        };
        numbers.iter().enumerate().map(plain).collect()
    }
}

fn plainer_numbers<'a>(
    d: &'a [f64],
    d_prime: &'a [f64],
) -> impl Iterator<Item = Pair<Dataset>> + 'a {
    let all = d.iter().take(LOOKED_AT).map(|&x| Edit::Moved(x, None));
    let single = (0..d.len().max(d_prime.len()).min(LOOKED_AT)).flat_map(move |place| {
        let of = |numbers: &[f64]| numbers.get(place).copied().unwrap_or(0.0);
        let (x, y) = (of(d), of(d_prime));
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
    let edits = [Edit::Shared, Edit::Truncated].into_iter().chain(all).chain(single);
    edits.filter_map(move |edit| {
        let (a, b) = (edit.apply(d, d_prime, 0), edit.apply(d_prime, d, 1));
        is_less((&a, &b), (d, d_prime)).then(|| Pair {
            name: String::new(),
            d: Dataset::Numbers(a),
            d_prime: Dataset::Numbers(b),
        })
    })
}

/// Whether numbers are plainer than others: fewer places where the datasets differ, and then the weights
/// of all entries, the heaviest first.
fn is_less(new: (&[f64], &[f64]), old: (&[f64], &[f64])) -> bool {
    let measure = |(d, d_prime): (&[f64], &[f64])| {
        let differ = d.iter().zip(d_prime).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let mut weights: Vec<_> = d.iter().chain(d_prime).map(|x| weight(*x)).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        (differ, weights)
    };
    measure(new) < measure(old)
}

//! Pairs in which people hold many rows: all rows of one person are removed, or become other rows.
//!
//! One person's rows are alike or all differ, so that a leak repeats as often as the relation and
//! the domain allow; other people are absent, or hold one row each.

use super::block::PersonRows;
use super::domain::Values;
use super::person;
use super::plan::{Fill, Neighborhood, Plan, PlanChange};
use plaudit_core::dataset::{Cell, Dataset, Pair, People, Relation, Table};

/// Values per column that are combined with one another.
const COMBINED: usize = 4;
/// Most columns that are changed one at a time.
const MOST_COLUMNS: usize = 8;
/// Rows of others besides all patterns of one person.
const SOME_OTHERS: usize = 2;

/// The column of people, if the relation is about them and the domain has it.
pub(super) fn column(neighborhood: &Neighborhood) -> Option<usize> {
    neighborhood.domain.column(&neighborhood.relation.people()?.id)
}

fn cap(neighborhood: &Neighborhood) -> usize {
    let most = *neighborhood.domain.size().end();
    let People { most_rows, .. } = match neighborhood.relation.people() {
        Some(people) => people,
        None => return most,
    };
    most_rows.map_or(most, |rows| usize::try_from(rows).unwrap_or(usize::MAX).min(most)).max(1)
}

/// Numbers of rows of a person, the most telling first, and very large (slow) ones last.
pub(super) fn many(neighborhood: &Neighborhood) -> Vec<usize> {
    let cap = cap(neighborhood);
    once([cap.min(10), 2, 1, 3, 5, 20, cap].into_iter().filter(|rows| *rows <= cap))
}

fn once(all: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    all.filter(|n| seen.insert(*n)).collect()
}

/// Numbers of rows of other people besides a block: none or the fewest allowed, then some, then as
/// many as fit.
fn others(rows: usize, neighborhood: &Neighborhood) -> Vec<usize> {
    let (least, most) = (*neighborhood.domain.size().start(), *neighborhood.domain.size().end());
    let spare = most - rows.min(most);
    once([least, least + 1, least + 5, spare].into_iter().filter(|n| *n <= spare && *n >= least))
}

/// At most `rows` rows of one person, with the fewest others, if not all fit.
fn fitted(rows: usize, neighborhood: &Neighborhood, removes: bool) -> usize {
    let (least, most) = (*neighborhood.domain.size().start(), *neighborhood.domain.size().end());
    let group = usize::try_from(neighborhood.group).unwrap_or(usize::MAX).max(1);
    if removes { rows.min((most - least.min(most)) / group).max(1) } else { rows }
}

/// All rows of one person are removed or replaced, among none, few and many other people.
pub(super) fn named(neighborhood: &Neighborhood, most: usize) -> Vec<Plan> {
    let Some(id) = column(neighborhood) else { return Vec::new() };
    let columns = neighborhood.domain.columns();
    let profiles = profiles(columns, id);
    let removes = matches!(neighborhood.relation, Relation::RemoveAll(_));
    let sizes =
        once(many(neighborhood).into_iter().map(|rows| fitted(rows, neighborhood, removes)));
    let [lower, upper] = [|x: (f64, f64)| x.0, |x: (f64, f64)| x.1]
        .map(|end| columns.iter().map(|values| end(values.bounds())).collect::<Vec<f64>>());
    let group = usize::try_from(neighborhood.group).unwrap_or(usize::MAX);
    let plan = |rows: usize, background: &[f64], block: PersonRows, to: Option<PersonRows>| {
        let mut fills: Vec<Fill> = background.iter().map(|x| Fill::Constant(*x)).collect();
        // Others hold one row each, as far as there are people.
        let first = lower[id];
        fills[id] = Fill::Ramp(first, first + rows.saturating_sub(1) as f64);
        let change = match to {
            None => PlanChange::RemoveAll(0, block),
            Some(to) => PlanChange::ReplaceAll(0, block, to),
        };
        Plan { rows, fills, edits: Vec::new(), change }
    };
    let least_others = |rows: usize| match removes {
        true => *neighborhood.domain.size().start(),
        false => neighborhood.domain.size().start().saturating_sub(rows),
    };
    let total = |rows: usize, others: usize| {
        rows.saturating_mul(group).saturating_add(others).min(*neighborhood.domain.size().end())
    };
    // Patterns of one person, with as few others as possible, then with some.
    let largest = fitted(cap(neighborhood), neighborhood, removes);
    let end = *neighborhood.domain.size().end();
    let with_others = |rows: usize| (rows, SOME_OTHERS.min(end - rows.min(end)));
    let beside = largest.min(end.saturating_sub(SOME_OTHERS) / group.max(1)).max(1);
    let alone = person::ladder(largest).into_iter().map(|rows| (rows, 0));
    let mut early = Vec::new();
    for (rows, others) in alone.chain([with_others(person::ladder(beside)[0])]) {
        for own in person::patterns(columns, id, rows) {
            let background = own.with.clone();
            if removes {
                let all = total(rows, others.max(least_others(rows)));
                early.push(plan(all, &background, own, None));
                continue;
            }
            for to in person::replacements(&own, columns, id) {
                let all = total(rows, others.max(least_others(to.rows.min(rows))));
                early.push(plan(all, &background, own.clone(), Some(to)));
            }
        }
    }
    let mut plans = Vec::new();
    // The boldest ones of each profile first.
    let mut push = |rows: usize, background: &[f64], block: PersonRows, to: Option<PersonRows>| {
        let plan = plan(rows, background, block, to);
        if plans.len() < 64 * most.max(1) && !plans.contains(&plan) {
            plans.push(plan);
        }
    };
    for &rows in &sizes {
        for (at, own) in profiles.iter().enumerate() {
            let own_rows = PersonRows::alike(rows, own);
            if removes {
                push(total(rows, least_others(rows)), own, own_rows, None);
                continue;
            }
            for other in profiles.iter().skip(at + 1).chain([own]) {
                // The same rows, or as few as possible.
                for to_rows in once([rows, 1].into_iter()) {
                    let to = PersonRows::alike(to_rows, other);
                    push(
                        total(rows, least_others(to_rows.min(rows))),
                        own,
                        own_rows.clone(),
                        Some(to),
                    );
                }
            }
            // Another person instead.
            let mut other = profiles[(at + 1) % profiles.len()].clone();
            other[id] = upper[id];
            push(rows, own, own_rows, Some(PersonRows::alike(1, &other)));
        }
    }
    for &rows in &sizes {
        for own in &profiles {
            for others in others(rows, neighborhood) {
                for background in [&lower, &upper, own] {
                    let own_rows = PersonRows::alike(rows, own);
                    let to = (!removes).then(|| {
                        let other = profiles.iter().find(|profile| *profile != own).unwrap_or(own);
                        PersonRows::alike(rows, other)
                    });
                    push(total(rows, others), background, own_rows, to);
                }
            }
        }
    }
    by_turns(early, plans)
}

/// Alternates between two lists.
fn by_turns(one: Vec<Plan>, other: Vec<Plan>) -> Vec<Plan> {
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let mut all = Vec::with_capacity(one.len() + other.len());
    while one.len() + other.len() > 0 {
        all.extend(one.next());
        all.extend(other.next());
    }
    all
}

/// Possible rows of a person: extremes, levels of all columns together, and of one at a time.
fn profiles(columns: &[Values], id: usize) -> Vec<Vec<f64>> {
    let levels: Vec<Vec<f64>> = columns.iter().map(Values::levels).collect();
    let person = columns[id].bounds().0;
    let lower: Vec<f64> = columns.iter().map(|values| values.bounds().0).collect();
    let upper: Vec<f64> = columns.iter().map(|values| values.bounds().1).collect();
    let others = || (0..columns.len()).filter(move |column| *column != id);
    let deepest = others().map(|column| levels[column].len()).max().unwrap_or(0);
    let nth = |n: usize| levels.iter().map(|levels| levels[n % levels.len()]).collect();
    let mut profiles = vec![lower.clone(), upper];
    profiles.extend((0..deepest).map(nth));
    for column in others().take(MOST_COLUMNS) {
        for &level in levels[column].iter().take(COMBINED) {
            let mut profile = lower.clone();
            profile[column] = level;
            profiles.push(profile);
        }
    }
    profiles.iter_mut().for_each(|profile| profile[id] = person);
    let mut seen = std::collections::HashSet::new();
    profiles.retain(|profile| seen.insert(profile.iter().map(|x| x.to_bits()).collect::<Vec<_>>()));
    profiles
}

/// A change of a person's rows, for a quasi-random plan.
pub(super) fn anywhere(
    neighborhood: &Neighborhood,
    at: usize,
    row: Vec<f64>,
    mut share: impl FnMut() -> f64,
) -> PlanChange {
    let sizes = many(neighborhood);
    let mut size = || sizes[((share() * sizes.len() as f64) as usize).min(sizes.len() - 1)];
    let (rows, to_rows) = (size(), size());
    let id = column(neighborhood);
    // All alike in every second one.
    let columns = 0..neighborhood.domain.columns().len();
    let spread: Vec<usize> = columns.filter(|column| Some(*column) != id).collect();
    let spread = if share() < 0.5 { Vec::new() } else { spread };
    let block = PersonRows { rows, with: row, spread: spread.clone() };
    if matches!(neighborhood.relation, Relation::RemoveAll(_)) {
        return PlanChange::RemoveAll(at, block);
    }
    let mut with: Vec<f64> =
        neighborhood.domain.columns().iter().map(|values| values.at_share(share())).collect();
    // The same person in every second one.
    if let Some(id) = id.filter(|_| share() < 0.5) {
        with[id] = block.with[id];
    }
    PlanChange::ReplaceAll(at, block, PersonRows { rows: to_rows, with, spread })
}

/// Approximate number of places for removed runs of rows, and for people that both hold.
const PLACES: usize = 16;

/// The pair with fewer rows of the changed person, the boldest first, or fewer people.
pub(super) fn fewer<'a>(
    pair: &'a Pair<Dataset>,
    neighborhood: &'a Neighborhood,
) -> Box<dyn Iterator<Item = Pair<Dataset>> + 'a> {
    let (Dataset::Table(d), Dataset::Table(d_prime), Some(id)) =
        (&pair.d, &pair.d_prime, column(neighborhood))
    else {
        return Box::new(std::iter::empty());
    };
    let table = |table: &Table, rows: Vec<Vec<Cell>>| {
        Dataset::Table(Table { columns: table.columns.clone(), rows })
    };
    let mut others: Vec<&Cell> = Vec::new();
    for row in d.rows.iter().chain(&d_prime.rows).take(4 * PLACES) {
        if !others.contains(&&row[id]) {
            others.push(&row[id]);
        }
    }
    let without = others.into_iter().take(PLACES).map(move |person| {
        let rest = |of: &Table| of.rows.iter().filter(|row| row[id] != *person).cloned().collect();
        (rest(d), rest(d_prime))
    });
    let shorter = [true, false].into_iter().flat_map(move |of_d| {
        let rows = if of_d { &d.rows } else { &d_prime.rows };
        let lengths = std::iter::successors(Some(rows.len()), |length| Some(length / 2));
        lengths.take_while(|length| *length > 0).flat_map(move |length| {
            let step = length.max(rows.len() / PLACES).max(1);
            (0..=rows.len() - length).step_by(step).map(move |at| {
                let rest = [&rows[..at], &rows[at + length..]].concat();
                if of_d { (rest, d_prime.rows.clone()) } else { (d.rows.clone(), rest) }
            })
        })
    });
    let fewer = without
        .chain(shorter)
        .filter(move |(a, b)| a.len() + b.len() < d.rows.len() + d_prime.rows.len());
    Box::new(fewer.map(move |(a, b)| Pair {
        name: String::new(),
        d: table(d, a),
        d_prime: table(d_prime, b),
    }))
}

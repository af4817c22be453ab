//! Small changes of a plan: a row more, an entry at a bound, entries that become equal, or 0.

use super::block::PersonRows;
use super::domain::Values;
use super::people;
use super::plan::{Fill, Neighborhood, Plan, PlanChange};
use plaudit_core::dataset::Relation;
use plaudit_core::random::Stream;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

/// Most entries of a plan that are written out one by one.
const MOST_EDITS: usize = 64;

/// A plan that differs from this one in one to three respects.
pub fn mutate(plan: &Plan, neighborhood: &Neighborhood, random: &mut Stream) -> Plan {
    let mut mutant = plan.clone();
    for _ in 0..random.random_range(1..=3) {
        match random.random_range(0..8) {
            0 => mutant.rows = other_size(mutant.rows, neighborhood, random),
            1 | 2 => refill(&mut mutant, neighborhood, random),
            3 | 4 => edit(&mut mutant, neighborhood, random),
            5 if !mutant.edits.is_empty() => {
                let at = random.random_range(0..mutant.edits.len());
                mutant.edits.swap_remove(at);
            }
            _ => rechange(&mut mutant, neighborhood, random),
        }
    }
    mutant
}

fn other_size(rows: usize, neighborhood: &Neighborhood, random: &mut Stream) -> usize {
    let size = neighborhood.domain.size();
    let near = [rows + 1, rows.saturating_sub(1), 2 * rows, rows / 2, *size.start(), *size.end()];
    let chosen = near.choose(random).copied().unwrap_or(rows);
    chosen.clamp(*size.start(), *size.end())
}

/// Another value in place of one.
fn other_value(x: f64, values: &Values, random: &mut Stream) -> f64 {
    let levels = values.levels();
    let chosen = match random.random_range(0..6) {
        0 => 0.0,
        1 => x + if random.random() { 1.0 } else { -1.0 },
        2 => x * if random.random() { 2.0 } else { 0.5 },
        3 => values.at_share(random.random()),
        _ => levels.choose(random).copied().unwrap_or(x),
    };
    values.nearest(chosen)
}

fn refill(plan: &mut Plan, neighborhood: &Neighborhood, random: &mut Stream) {
    let column = random.random_range(0..plan.fills.len());
    let values = &neighborhood.domain.columns()[column];
    let fill = &mut plan.fills[column];
    match random.random_range(0..4) {
        // Another shape of the same values.
        0 => {
            let [a, b] = fill.values().map(|x| *x);
            let seed = random.random();
            let shapes = [
                Fill::Constant(a),
                Fill::Constant(b),
                Fill::Halves(a, b),
                Fill::Head(a, b),
                Fill::Tail(a, b),
                Fill::Ramp(a, b),
                Fill::Scattered(seed, a, b),
            ];
            *fill = shapes.choose(random).copied().unwrap_or(shapes[0]);
        }
        1 => {
            let x = *fill.values()[0];
            *fill = Fill::Constant(other_value(x, values, random));
        }
        _ => {
            let place: usize = random.random_range(0..2);
            let [a, b] = fill.values();
            let x = if place == 0 { a } else { b };
            *x = other_value(*x, values, random);
        }
    }
}

fn edit(plan: &mut Plan, neighborhood: &Neighborhood, random: &mut Stream) {
    if plan.rows == 0 {
        return;
    }
    if plan.edits.len() >= MOST_EDITS {
        plan.edits.remove(0);
    }
    // Already changed places are chosen more often than others.
    let row = match plan.edits.choose(random) {
        Some(&(row, _, _)) if random.random() => row,
        _ => random.random_range(0..plan.rows),
    };
    let column = random.random_range(0..plan.fills.len());
    let x = plan.edits.iter().rev().find(|edit| (edit.0, edit.1) == (row, column));
    let x = x.map_or(0.0, |edit| edit.2);
    let x = other_value(x, &neighborhood.domain.columns()[column], random);
    plan.edits.retain(|edit| (edit.0, edit.1) != (row, column));
    plan.edits.push((row, column, x));
}

/// Changes a person's number of rows, a value in them, or the columns in which they differ.
fn other_block(block: &mut PersonRows, neighborhood: &Neighborhood, random: &mut Stream) {
    let id = people::column(neighborhood);
    let what = random.random_range(0..8);
    if what < 3 {
        let most = people::many(neighborhood).into_iter().max().unwrap_or(1);
        let near =
            [block.rows + 1, block.rows.saturating_sub(1), 2 * block.rows, block.rows / 2, 1, most];
        block.rows = near.choose(random).copied().unwrap_or(1).clamp(1, most);
        return;
    }
    let column = random.random_range(0..block.with.len());
    let values = &neighborhood.domain.columns()[column];
    match what {
        3 if id != Some(column) => match block.spread.iter().position(|own| *own == column) {
            Some(at) => drop(block.spread.remove(at)),
            None => block.spread.push(column),
        },
        // A little more or less.
        4 if matches!(values, Values::Numbers { .. }) => {
            let by: f64 = random.random_range(0.7..1.4);
            block.with[column] = values.nearest(block.with[column] * by);
        }
        _ => block.with[column] = other_value(block.with[column], values, random),
    }
}

fn rechange(plan: &mut Plan, neighborhood: &Neighborhood, random: &mut Stream) {
    let last = plan.rows.max(1);
    let alone = !matches!(neighborhood.relation, Relation::Linf(_));
    match &mut plan.change {
        PlanChange::Remove(row) => *row = random.random_range(0..last),
        PlanChange::Replace(row, with) => match random.random_range(0..4) {
            0 => *row = random.random_range(0..last),
            _ => {
                let column = random.random_range(0..with.len());
                with[column] =
                    other_value(with[column], &neighborhood.domain.columns()[column], random);
            }
        },
        PlanChange::RemoveAll(row, block) => match random.random_range(0..4) {
            0 => *row = random.random_range(0..last),
            _ => other_block(block, neighborhood, random),
        },
        PlanChange::ReplaceAll(row, block, to) => match random.random_range(0..6) {
            0 => *row = random.random_range(0..last),
            1 | 2 => other_block(block, neighborhood, random),
            3 => std::mem::swap(block, to),
            _ => other_block(to, neighborhood, random),
        },
        PlanChange::Count(entry, by) => match random.random_range(0..2) {
            0 => *entry = random.random_range(0..last),
            _ => *by = -*by,
        },
        // Where all entries may move as far, one alone reveals less.
        PlanChange::Shift(fill, edits) => {
            match random.random_range(if alone { 0..4 } else { 0..3 }) {
                0 => {
                    let seed = random.random();
                    let signs = [-1.0, 0.0, 1.0];
                    let mut sign = || signs.choose(random).copied().unwrap_or(1.0);
                    let (a, b) = (sign(), sign());
                    let shapes = [
                        Fill::Constant(a),
                        Fill::Halves(a, b),
                        Fill::Head(a, b),
                        Fill::Tail(a, b),
                        Fill::Alternating(a, b),
                        Fill::Scattered(seed, -1.0, 1.0),
                    ];
                    *fill = shapes.choose(random).copied().unwrap_or(shapes[0]);
                    edits.clear();
                }
                3 => {
                    *fill = Fill::Constant(0.0);
                    let by = if random.random() { 1.0 } else { -1.0 };
                    *edits = vec![(random.random_range(0..last), by)];
                }
                _ => {
                    let entry = random.random_range(0..last);
                    let by = [-1.0, 0.0, 1.0].choose(random).copied().unwrap_or(1.0);
                    edits.retain(|edit| edit.0 != entry);
                    if edits.len() >= MOST_EDITS {
                        edits.remove(0);
                    }
                    edits.push((entry, by));
                }
            }
        }
    }
}

//! Shrinking of large pairs by their plans, so that only the examined pair is in memory.

use super::block::PersonRows;
use super::plan::{Fill, Neighborhood, Plan, PlanChange};
use plaudit_core::dataset::{Dataset, Pair};
use sha2::{Digest, Sha256};

/// Plans that are simpler than this one, the boldest first: fewer rows, then fewer edited entries,
/// constant columns, values closer to 0. Replacing a plan by one of its list ends.
pub fn simpler_plans(plan: &Plan, neighborhood: &Neighborhood) -> Vec<Plan> {
    let least = (*neighborhood.domain.size().start()).max(1);
    let divided = [usize::MAX, 4096, 256, 64, 16, 4, 2].map(|by| plan.rows / by);
    let fewer =
        divided.into_iter().chain([least, least + 1]).map(|rows| with_rows(plan, rows.max(least)));
    let mut plans: Vec<Plan> = fewer.collect();
    plans.sort_by_key(|plan| plan.rows);
    plans.dedup();
    plans.push(Plan { edits: Vec::new(), ..plan.clone() });
    for (column, values) in neighborhood.domain.columns().iter().enumerate() {
        let mut own = plan.fills[column];
        let [a, b] = own.values().map(|x| *x);
        for x in [0.0, 1.0, values.bounds().0, a, b] {
            let mut simpler = plan.clone();
            simpler.fills[column] = Fill::Constant(values.nearest(x));
            plans.push(simpler);
        }
    }
    plans.extend(simpler_changes(&plan.change).map(|change| Plan { change, ..plan.clone() }));
    plans.retain(|other| complexity(other) < complexity(plan));
    plans
}

/// A pair in a few bytes, to distinguish it from others.
pub fn fingerprint(pair: &Pair<Dataset>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for dataset in [&pair.d, &pair.d_prime] {
        match dataset {
            Dataset::Numbers(numbers) => {
                hash.update((numbers.len() as u64).to_le_bytes());
                numbers.iter().for_each(|x| hash.update(x.to_bits().to_le_bytes()));
            }
            Dataset::Table(table) => {
                hash.update((table.rows.len() as u64).to_le_bytes());
                for cell in table.rows.iter().flatten() {
                    match cell.number() {
                        Some(x) => hash.update(x.to_bits().to_le_bytes()),
                        None => {
                            let words = cell.to_string();
                            hash.update((words.len() as u64).to_le_bytes());
                            hash.update(words);
                        }
                    }
                }
            }
            Dataset::Json(value) => hash.update(value.to_string()),
        }
    }
    hash.finalize().into()
}

/// The plan with fewer rows; changes of later rows apply to the last.
fn with_rows(plan: &Plan, rows: usize) -> Plan {
    let at = |row: usize| row.min(rows.saturating_sub(1));
    let mut plan = plan.clone();
    plan.rows = rows.min(plan.rows);
    plan.edits.iter_mut().for_each(|edit| edit.0 = at(edit.0));
    match &mut plan.change {
        PlanChange::Remove(row) | PlanChange::Replace(row, _) | PlanChange::Count(row, _) => {
            *row = at(*row)
        }
        // The person has most room in the first row.
        PlanChange::RemoveAll(row, block) => {
            *row = if block.rows > rows.saturating_sub(*row) { 0 } else { *row };
            block.rows = block.rows.min(rows);
        }
        PlanChange::ReplaceAll(row, block, to) => {
            *row = if block.rows > rows.saturating_sub(*row) { 0 } else { *row };
            block.rows = block.rows.min(rows);
            to.rows = to.rows.min(rows);
        }
        PlanChange::Shift(_, edits) => edits.iter_mut().for_each(|edit| edit.0 = at(edit.0)),
    }
    plan
}

fn simpler_changes(change: &PlanChange) -> impl Iterator<Item = PlanChange> {
    let simpler: Vec<PlanChange> = match change {
        PlanChange::Remove(_) => vec![PlanChange::Remove(0)],
        PlanChange::Count(_, by) => vec![PlanChange::Count(0, *by)],
        PlanChange::Replace(row, with) => {
            let plain = |x: f64| PlanChange::Replace(*row, vec![x; with.len()]);
            vec![PlanChange::Replace(0, with.clone()), plain(0.0), plain(1.0)]
        }
        PlanChange::RemoveAll(_, block) => {
            let plainer = plainer_blocks(block).map(|block| PlanChange::RemoveAll(0, block));
            plainer.chain([PlanChange::RemoveAll(0, block.clone())]).collect()
        }
        PlanChange::ReplaceAll(_, block, to) => {
            let of_d =
                plainer_blocks(block).map(|plain| PlanChange::ReplaceAll(0, plain, to.clone()));
            let of_d_prime =
                plainer_blocks(to).map(|plain| PlanChange::ReplaceAll(0, block.clone(), plain));
            let first = PlanChange::ReplaceAll(0, block.clone(), to.clone());
            of_d.chain(of_d_prime).chain([first]).collect()
        }
        PlanChange::Shift(fill, _) => vec![
            PlanChange::Shift(*fill, Vec::new()),
            PlanChange::Shift(Fill::Constant(1.0), Vec::new()),
            PlanChange::Shift(Fill::Constant(-1.0), Vec::new()),
        ],
    };
    simpler.into_iter()
}

/// Fewer rows of a person, then plainer ones.
fn plainer_blocks(block: &PersonRows) -> impl Iterator<Item = PersonRows> {
    let PersonRows { rows, with, spread } = block.clone();
    let fewer = [1, rows / 16, rows / 2, rows - rows.min(1)];
    let fewer = fewer.map(|rows| PersonRows { rows: rows.max(1), ..block.clone() });
    let alike = (!spread.is_empty()).then(|| PersonRows::alike(rows, &with));
    let plain = [0.0, 1.0].map(|x| vec![x; with.len()]);
    let plain = plain.map(|with| PersonRows { rows, with, spread: spread.clone() });
    fewer.into_iter().chain(alike).chain(plain)
}

/// Complexity of a plan.
fn complexity(plan: &Plan) -> (usize, usize, usize, u128) {
    let uneven = |fill: &Fill| usize::from(!matches!(fill, Fill::Constant(_)));
    let size = |x: f64| u128::from(x.abs().to_bits()) * 2 + u128::from(x.is_sign_negative());
    let of_fill = |mut fill: Fill| match fill {
        Fill::Constant(x) => size(x),
        _ => fill.values().map(|x| size(*x)).into_iter().sum(),
    };
    let of_row = |with: &[f64]| with.iter().map(|x| size(*x)).sum::<u128>();
    let (edits, shape, values) = match &plan.change {
        PlanChange::Remove(row) => (0, 0, *row as u128),
        PlanChange::Count(row, _) => (0, 0, *row as u128),
        PlanChange::Replace(row, with) => {
            (0, 0, *row as u128 + with.iter().map(|x| size(*x)).sum::<u128>())
        }
        PlanChange::RemoveAll(row, block) => {
            (block.rows, block.spread.len(), *row as u128 + of_row(&block.with))
        }
        PlanChange::ReplaceAll(row, block, to) => {
            let values = *row as u128 + of_row(&block.with) + of_row(&to.with);
            (block.rows.saturating_add(to.rows), block.spread.len() + to.spread.len(), values)
        }
        PlanChange::Shift(fill, edits) => (edits.len(), uneven(fill), of_fill(*fill)),
    };
    (
        plan.rows,
        plan.edits.len() + edits,
        plan.fills.iter().map(uneven).sum::<usize>() + shape,
        plan.fills.iter().map(|fill| of_fill(*fill)).sum::<u128>() + values,
    )
}

#[cfg(test)]
#[path = "../../tests/unit/search/smaller.rs"]
mod tests;

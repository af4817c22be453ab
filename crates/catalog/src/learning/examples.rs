//! The dataset as examples to learn from: features and a label a row.

use plaudit_core::dataset::{Cell, Dataset, Table};
use std::collections::HashMap;
use std::ops::Range;

/// The labels of rows whose gradient is fixed: along the direction of the canary, and against it.
const CANARIES: [(&str, f64); 2] = [("canary", 1.0), ("-canary", -1.0)];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// To be classified: 1 or 0.
    Class(f64),
    /// Nothing. The row contributes a gradient of the clipping norm along the first parameter, with this sign.
    Canary(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Examples {
    features: Vec<f64>,
    targets: Vec<Target>,
    width: usize,
    /// The rows of each unit whose privacy is claimed, which follow one another: a row, or all rows of a person.
    units: Vec<Range<usize>>,
}

impl Examples {
    /// Rows of a table whose last column is the label. With a column of ids, the rows of each id are one unit.
    ///
    /// # Errors
    /// If it is not a table, has no rows or too few columns, lacks the column of ids, or a cell does not fit its column.
    pub(super) fn read(
        dataset: &Dataset,
        canaries: bool,
        person: Option<&str>,
    ) -> Result<Self, String> {
        let Table { columns, rows } = dataset.table().ok_or(
            "the mechanism learns from a table whose last column is the label, but the dataset is not a table",
        )?;
        let [features @ .., label] = &columns[..] else {
            return Err(
                "the mechanism learns from a table with columns, but this one has none".into()
            );
        };
        let id = person.map(|person| {
            features.iter().position(|column| column == person).ok_or_else(|| {
                format!("`person` is \"{person}\", which is not a column of features: write the column of ids")
            })
        });
        let id = id.transpose()?;
        let width = features.len() - usize::from(id.is_some());
        if width == 0 {
            return Err(format!(
                "the mechanism needs features, but the table has only the label `{label}`"
            ));
        }
        if rows.is_empty() {
            return Err("the mechanism needs at least one row, but the table is empty".into());
        }
        let (order, units) = units(rows, id);
        let targets = Vec::with_capacity(rows.len());
        let mut examples = Self { features: Vec::new(), targets, width, units };
        for (at, row) in order.into_iter().map(|at| (at, &rows[at])) {
            let features = features.iter().zip(row).enumerate();
            for (_, (column, cell)) in features.filter(|(place, _)| Some(*place) != id) {
                let number = cell.number().filter(|x| x.is_finite());
                examples.features.push(number.ok_or_else(|| {
                    format!("row {at}: {column} is {cell}, but a feature must be a finite number")
                })?);
            }
            let written = &row[columns.len() - 1];
            let target = target(written, canaries);
            examples
                .targets
                .push(target.map_err(|why| format!("row {at}: {label} is {written}, {why}"))?);
        }
        Ok(examples)
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Number of rows, or of persons.
    pub(super) fn units(&self) -> usize {
        self.units.len()
    }

    /// The rows of a unit.
    pub(super) fn unit(&self, unit: usize) -> Range<usize> {
        self.units[unit].clone()
    }

    /// Number of features of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The features of a row, and what it asks.
    pub(super) fn get(&self, row: usize) -> (&[f64], Target) {
        (&self.features[row * self.width..][..self.width], self.targets[row])
    }

    /// The rows that have a class.
    pub(super) fn classified(&self) -> impl Iterator<Item = (&[f64], f64)> {
        (0..self.len()).map(|row| self.get(row)).filter_map(|(features, target)| match target {
            Target::Class(class) => Some((features, class)),
            Target::Canary(_) => None,
        })
    }
}

/// The rows in an order where those of a unit follow one another, and the places of each unit there.
fn units(rows: &[Vec<Cell>], id: Option<usize>) -> (Vec<usize>, Vec<Range<usize>>) {
    let Some(id) = id else {
        return ((0..rows.len()).collect(), (0..rows.len()).map(|row| row..row + 1).collect());
    };
    let mut of_id = HashMap::new();
    let mut people: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let person = *of_id.entry(row[id].key()).or_insert(people.len());
        if person == people.len() {
            people.push(Vec::new());
        }
        people[person].push(at);
    }
    let mut end = 0;
    let place = |rows: &Vec<usize>| {
        end += rows.len();
        end - rows.len()..end
    };
    let units = people.iter().map(place).collect();
    (people.concat(), units)
}

fn target(label: &Cell, canaries: bool) -> Result<Target, &'static str> {
    let sign = |text: &str| CANARIES.iter().find(|(name, _)| *name == text).map(|(_, sign)| *sign);
    match (label.number(), label) {
        (Some(1.0), _) => Ok(Target::Class(1.0)),
        (Some(0.0 | -1.0), _) => Ok(Target::Class(0.0)),
        (None, Cell::Text(text)) if let Some(sign) = sign(text) => match canaries {
            true => Ok(Target::Canary(sign)),
            false => Err("and only `dp-sgd` with `canary = \"gradient\"` takes that label"),
        },
        _ => Err("and a label is 1 or 0, or 1 or -1"),
    }
}

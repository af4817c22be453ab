//! The dataset as examples to learn from: features and a label a row.

use plaudit_core::dataset::{Cell, Dataset, Table};

/// The label of a row whose gradient is fixed.
const CANARY: &str = "canary";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// To be classified: 1 or 0.
    Class(f64),
    /// Nothing. The row contributes a gradient of the clipping norm along the first parameter.
    Canary,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Examples {
    features: Vec<f64>,
    targets: Vec<Target>,
    width: usize,
}

impl Examples {
    /// Rows of a table whose last column is the label.
    ///
    /// # Errors
    /// If it is not a table, has no rows or too few columns, or a cell does not fit its column.
    pub(super) fn read(dataset: &Dataset, canaries: bool) -> Result<Self, String> {
        let Table { columns, rows } = dataset.table().ok_or(
            "the mechanism learns from a table whose last column is the label, but the dataset is not a table",
        )?;
        let [features @ .., label] = &columns[..] else {
            return Err(
                "the mechanism learns from a table with columns, but this one has none".into()
            );
        };
        if features.is_empty() {
            return Err(format!(
                "the mechanism needs features, but the table has only the label `{label}`"
            ));
        }
        if rows.is_empty() {
            return Err("the mechanism needs at least one row, but the table is empty".into());
        }
        let width = features.len();
        let mut examples =
            Self { features: Vec::new(), targets: Vec::with_capacity(rows.len()), width };
        for (at, row) in rows.iter().enumerate() {
            for (column, cell) in features.iter().zip(row) {
                let number = cell.number().filter(|x| x.is_finite());
                examples.features.push(number.ok_or_else(|| {
                    format!("row {at}: {column} is {cell}, but a feature must be a finite number")
                })?);
            }
            let target = target(&row[width], canaries);
            examples
                .targets
                .push(target.map_err(|why| format!("row {at}: {label} is {}, {why}", row[width]))?);
        }
        Ok(examples)
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
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
            Target::Canary => None,
        })
    }
}

fn target(label: &Cell, canaries: bool) -> Result<Target, &'static str> {
    match (label.number(), label) {
        (Some(1.0), _) => Ok(Target::Class(1.0)),
        (Some(0.0 | -1.0), _) => Ok(Target::Class(0.0)),
        (None, Cell::Text(text)) if text == CANARY => match canaries {
            true => Ok(Target::Canary),
            false => Err("and only `dp-sgd` with `canary = \"gradient\"` takes that label"),
        },
        _ => Err("and a label is 1 or 0, or 1 or -1"),
    }
}

//! Queries on tables: count, sum, mean, histogram and median, each with the noise of choice and
//! the sensitivity that its author declares, so that a wrong one can be claimed.

mod bounds;
mod median;

use super::additive::calibration::Calibration;
use super::additive::noise::{AskedNoise, NoiseKind, SizedNoise};
use super::family::Family;
use super::parameter::{Finite, Positive, Probability};
use bounds::{Bounds, BoundsFrom, Clamping};
pub(super) use median::Median;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Sensitivity, Table};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// Exact answers and the noise they get.
pub(super) struct Answers {
    answers: Vec<f64>,
    noise: SizedNoise,
}

impl Answers {
    fn new(answers: Vec<f64>, noise: SizedNoise) -> Result<Self, String> {
        noise.fits(&answers)?;
        Ok(Self { answers, noise })
    }

    fn draw(&self, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        self.noise.draw(&self.answers, runs, random, outcomes);
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Where {
    column: String,
    equals: Cell,
}

/// Description of a mechanism's query, in its `impl Family`.
macro_rules! shows_its_query {
    () => {
        fn query<'e>(&self, exact: &'e Answers) -> Option<&'e [f64]> {
            Some(&exact.answers)
        }

        fn sensitivity(&self) -> Option<Sensitivity> {
            self.declared
        }
    };
}

/// Declares the parameters of a query: its own, and those of its noise. Not `serde(flatten)`,
/// which would lose the places of wrong values in the file.
macro_rules! noisy_parameters {
    ($(#[$doc:meta])* $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            $($(#[$attribute])* $field: $type,)*
            noise: NoiseKind,
            scale: Option<Positive>,
            sigma: Option<Positive>,
            epsilon: Option<Positive>,
            delta: Option<Probability>,
            sensitivity: Option<Positive>,
            calibration: Option<Calibration>,
        }

        impl $name {
            fn asked(&self) -> AskedNoise {
                AskedNoise {
                    scale: self.scale,
                    sigma: self.sigma,
                    epsilon: self.epsilon,
                    delta: self.delta,
                    sensitivity: self.sensitivity,
                    calibration: self.calibration,
                }
            }
        }
    };
}

noisy_parameters!(CountParameters { r#where: Where });
noisy_parameters!(HistogramParameters {
    column: String,
    cells: Vec<Cell>,
});
noisy_parameters!(SumParameters {
    column: String,
    lower: Option<Finite>,
    upper: Option<Finite>,
    bounds: Option<BoundsFrom>,
    #[serde(default)]
    clamping: Clamping,
});
noisy_parameters!(MeanParameters {
    column: String,
    lower: Option<Finite>,
    upper: Option<Finite>,
    bounds: Option<BoundsFrom>,
    #[serde(default)]
    clamping: Clamping,
    /// The number of rows, if it is public: what the sum is divided by.
    rows: Option<NonZeroUsize>,
});

/// `count`: how many rows have a value. Sensitivity 1 under add/remove and under substitution.
#[derive(Deserialize)]
#[serde(try_from = "CountParameters")]
pub(super) struct Count {
    r#where: Where,
    noise: SizedNoise,
    declared: Option<Sensitivity>,
}

/// `histogram`: how many rows have each of the `cells`' values. Sensitivity 1 (L1 and L2) under
/// add/remove; under substitution 2 in L1 and √2 in L2, since a row leaves one cell for another.
#[derive(Deserialize)]
#[serde(try_from = "HistogramParameters")]
pub(super) struct Histogram {
    column: String,
    cells: Vec<Cell>,
    noise: SizedNoise,
    declared: Option<Sensitivity>,
}

/// `sum` of a column clamped to bounds. Sensitivity max(|lower|, |upper|) under add/remove,
/// upper − lower under substitution.
#[derive(Deserialize)]
#[serde(try_from = "SumParameters")]
pub(super) struct Sum {
    column: String,
    bounds: Bounds,
    declared: Option<Sensitivity>,
}

/// `mean` of a column clamped to bounds: the sum divided by the number of rows n, or by `rows`
/// where that number is public. Sensitivity (upper − lower)/n under substitution; under add/remove
/// with a public n, max(|lower|, |upper|)/n.
#[derive(Deserialize)]
#[serde(try_from = "MeanParameters")]
pub(super) struct Mean {
    column: String,
    bounds: Bounds,
    rows: Option<NonZeroUsize>,
    declared: Option<Sensitivity>,
}

impl TryFrom<CountParameters> for Count {
    type Error = String;
    fn try_from(parameters: CountParameters) -> Result<Self, String> {
        let noise = parameters.asked().of_kind(parameters.noise)?;
        let declared = parameters.asked().declared(parameters.noise);
        Ok(Self { r#where: parameters.r#where, noise, declared })
    }
}

impl TryFrom<HistogramParameters> for Histogram {
    type Error = String;
    fn try_from(parameters: HistogramParameters) -> Result<Self, String> {
        let noise = parameters.asked().of_kind(parameters.noise)?;
        let declared = parameters.asked().declared(parameters.noise);
        let HistogramParameters { column, cells, .. } = parameters;
        if cells.is_empty() {
            return Err("a histogram has at least one cell: list the values in `cells`".into());
        }
        match cells.iter().enumerate().find(|(at, cell)| cells[..*at].contains(cell)) {
            Some((_, twice)) => Err(format!("cell {twice} is listed twice")),
            None => Ok(Self { column, cells, noise, declared }),
        }
    }
}

impl TryFrom<SumParameters> for Sum {
    type Error = String;
    fn try_from(parameters: SumParameters) -> Result<Self, String> {
        let asked = parameters.asked();
        let SumParameters { column, lower, upper, bounds, clamping, noise, .. } = parameters;
        let declared = asked.declared(noise);
        let bounds = Bounds::new(lower, upper, bounds, clamping, noise, asked)?;
        Ok(Self { column, bounds, declared })
    }
}

impl TryFrom<MeanParameters> for Mean {
    type Error = String;
    fn try_from(parameters: MeanParameters) -> Result<Self, String> {
        let asked = parameters.asked();
        let MeanParameters { column, lower, upper, bounds, clamping, rows, noise, .. } = parameters;
        let declared = asked.declared(noise);
        let bounds = Bounds::new(lower, upper, bounds, clamping, noise, asked)?;
        Ok(Self { column, bounds, rows, declared })
    }
}

impl Family for Count {
    type Exact = Answers;

    fn read(&self, dataset: &Dataset) -> Result<Answers, String> {
        let table = table(dataset)?;
        let column = column(table, &self.r#where.column)?;
        let count = table.rows.iter().filter(|row| row[column] == self.r#where.equals).count();
        Answers::new(vec![count as f64], self.noise)
    }

    fn draw(&self, exact: &Answers, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        exact.draw(runs, random, outcomes);
    }

    shows_its_query!();

    fn describe(&self) -> String {
        let Where { column, equals } = &self.r#where;
        format!("counts the rows with {column} {equals} and adds {}", self.noise.words())
    }
}

impl Family for Histogram {
    type Exact = Answers;

    fn read(&self, dataset: &Dataset) -> Result<Answers, String> {
        let table = table(dataset)?;
        let column = column(table, &self.column)?;
        let mut counts = vec![0.0; self.cells.len()];
        for row in &table.rows {
            if let Some(cell) = self.cells.iter().position(|cell| *cell == row[column]) {
                counts[cell] += 1.0;
            }
        }
        Answers::new(counts, self.noise)
    }

    fn draw(&self, exact: &Answers, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        exact.draw(runs, random, outcomes);
    }

    shows_its_query!();

    fn describe(&self) -> String {
        let (column, cells) = (&self.column, self.cells.len());
        let noise = self.noise.words();
        format!("counts the rows of each of {cells} values of {column} and adds {noise} to each")
    }
}

impl Family for Sum {
    type Exact = Answers;

    fn read(&self, dataset: &Dataset) -> Result<Answers, String> {
        let values = numbers(table(dataset)?, &self.column)?;
        let (sum, noise) = self.bounds.sum(&values)?;
        Answers::new(vec![sum], noise)
    }

    fn draw(&self, exact: &Answers, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        exact.draw(runs, random, outcomes);
    }

    shows_its_query!();

    fn describe(&self) -> String {
        format!("sums {} ({})", self.column, self.bounds.words())
    }
}

impl Family for Mean {
    type Exact = Answers;

    fn read(&self, dataset: &Dataset) -> Result<Answers, String> {
        let values = numbers(table(dataset)?, &self.column)?;
        let divisor = self.rows.map_or(values.len(), NonZeroUsize::get);
        let (mean, noise) = self.bounds.mean(&values, divisor as f64)?;
        Answers::new(vec![mean], noise)
    }

    fn draw(&self, exact: &Answers, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        exact.draw(runs, random, outcomes);
    }

    shows_its_query!();

    fn describe(&self) -> String {
        let divisor =
            self.rows.map_or(String::new(), |rows| format!(", divided by {rows} rows whatever"));
        format!("averages {} ({}{divisor})", self.column, self.bounds.words())
    }
}

pub(super) fn table(dataset: &Dataset) -> Result<&Table, String> {
    dataset.table().ok_or_else(|| {
        "the mechanism queries a table, but the dataset is a list of numbers".to_owned()
    })
}

pub(super) fn column(table: &Table, name: &str) -> Result<usize, String> {
    table
        .column(name)
        .ok_or_else(|| format!("no column `{name}`; the table has {}", table.columns.join(", ")))
}

/// Number of rows with each value of a column; values ascending, in words.
pub(super) fn count_by_key(table: &Table, column: usize) -> Vec<(String, i64)> {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for row in &table.rows {
        *counts.entry(row[column].key()).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn numbers(table: &Table, name: &str) -> Result<Vec<f64>, String> {
    let column = column(table, name)?;
    let cells = table.rows.iter().enumerate().map(|(row, cells)| match cells[column].number() {
        Some(x) if x.is_finite() => Ok(x),
        Some(x) => Err(format!("column `{name}`, row {row}: {} is not finite", words(x))),
        None => Err(format!("column `{name}`, row {row}: {} is not a number", cells[column])),
    });
    cells.collect()
}

//! Datasets of Rust's types that a search can make.

use plaudit_core::dataset::{Dataset, Table};

/// Data that can be made from the description of a dataset.
pub trait Described: Sized {
    /// The data of a described dataset; `None` if this type cannot hold it.
    fn of_dataset(dataset: Dataset) -> Option<Self>;
}

impl Described for Dataset {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        Some(dataset)
    }
}

impl Described for Table {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        match dataset {
            Dataset::Table(table) => Some(table),
            Dataset::Numbers(_) | Dataset::Json(_) => None,
        }
    }
}

impl Described for Vec<f64> {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        match dataset {
            Dataset::Numbers(numbers) => Some(numbers),
            Dataset::Table(_) | Dataset::Json(_) => None,
        }
    }
}

/// Whole numbers; those beyond 2⁵³ cannot be described.
impl Described for Vec<i64> {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        const MOST: f64 = 9_007_199_254_740_992.0;
        let whole = |x: &f64| (x.fract() == 0.0 && x.abs() <= MOST).then_some(*x as i64);
        Vec::of_dataset(dataset)?.iter().map(whole).collect()
    }
}

impl Described for f64 {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        match Vec::of_dataset(dataset)?[..] {
            [number] => Some(number),
            _ => None,
        }
    }
}

//! Mechanisms that specs name.

use super::{Mechanism, Outcomes, release};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_core::random::Stream;

/// A mechanism of the catalog: it validates its datasets and describes itself.
pub trait CatalogMechanism: Mechanism<Dataset> + Send {
    /// Description in a sentence, with the parameters' values.
    fn describe(&self) -> String;

    /// `true` if neighbors of at most `rows` rows with these values reveal as much as any neighbors
    /// of such sizes, under substitution or add/remove: these are all values that a row may have,
    /// or others are distinguished no better. `false` if unknown.
    fn covers(&self, _values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        false
    }

    /// A function that adds outcomes on a dataset, which is read here, once.
    ///
    /// # Errors
    /// As [`Mechanism::accepts`].
    fn reading<'a>(&'a self, dataset: &Dataset) -> Result<Releases<'a>, String> {
        self.accepts(dataset)?;
        let dataset = dataset.clone();
        Ok(Box::new(move |runs, random, outcomes| {
            let before = outcomes.len();
            if let Err(trouble) = release(self, &dataset, runs, random, outcomes) {
                let missing = (before + runs).saturating_sub(outcomes.len());
                (0..missing).for_each(|_| outcomes.push_failure(trouble.to_string()));
            }
        }))
    }
}

/// Function that adds a number of outcomes on one dataset, drawn from a stream, to a batch.
pub type Releases<'a> = Box<dyn Fn(usize, &mut Stream, &mut Outcomes) + 'a>;

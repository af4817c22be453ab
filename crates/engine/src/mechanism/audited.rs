//! The mechanisms that specs name.

use super::{Mechanism, Outcomes, release};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_core::random::Stream;

/// A mechanism of the catalog: it knows what datasets it takes and how to say what it does.
pub trait CatalogMechanism: Mechanism<Dataset> + Send {
    /// What it does, in a sentence with its parameters' values.
    fn describe(&self) -> String;

    /// Whether neighbors of at most so many rows of these values tell as much as any neighbors of such
    /// sizes, under substitution or add/remove: these are all values that a row may have, or others are
    /// told apart no better. `false` where that is not known.
    fn covers(&self, _values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        false
    }

    /// What adds so many outcomes on a dataset that is read here, once.
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

/// Adds outcomes of one mechanism on one dataset: how many, drawn from what, and where to.
pub type Releases<'a> = Box<dyn Fn(usize, &mut Stream, &mut Outcomes) + 'a>;

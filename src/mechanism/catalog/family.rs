//! What each family of the catalog defines, and the mechanism that is made of it.

use crate::dataset::{Cell, Dataset, Relation, Sensitivity};
use crate::mechanism::{
    AddedNoise, Answer, Capabilities, Mechanism, Outcomes, Query, Release, Trouble, release,
};
use crate::random::Stream;
use std::sync::atomic::AtomicBool;

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

/// What each mechanism of the catalog defines: how the dataset is read, once a batch, and how
/// outcomes are drawn from what was read.
pub(super) trait Family: Send + Sync {
    /// All that the outcomes depend on: exact answers, weights, scales.
    type Exact;

    /// Reads the dataset.
    ///
    /// # Errors
    /// What is wrong with the dataset and what is wanted, in a sentence.
    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String>;

    /// Draws outcomes. Nothing is allocated per run.
    fn draw(&self, exact: &Self::Exact, runs: usize, random: &mut Stream, outcomes: &mut Outcomes);

    /// See [`CatalogMechanism::describe`].
    fn describe(&self) -> String;

    /// The noise on each number of the dataset, if that is all that it adds.
    fn added_noise(&self) -> Option<AddedNoise> {
        None
    }

    /// See [`Capabilities::releases`].
    fn releases(&self) -> Option<Vec<Release>> {
        self.added_noise().map(|noise| vec![Release::once(noise)])
    }

    /// The exact answers, if that is what it adds noise to. See [`Capabilities::query`].
    fn query<'e>(&self, exact: &'e Self::Exact) -> Option<&'e [f64]> {
        let _ = exact;
        None
    }

    /// See [`Capabilities::sensitivity`].
    fn sensitivity(&self) -> Option<Sensitivity> {
        None
    }
}

/// A family's mechanism as the rest of the house sees it.
pub(super) struct OfFamily<F>(pub F);

impl<F: Family> Mechanism<Dataset> for OfFamily<F> {
    fn accepts(&self, dataset: &Dataset) -> Result<(), String> {
        self.0.read(dataset).map(drop)
    }

    fn fill(
        &self,
        dataset: &Dataset,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        match self.0.read(dataset) {
            Ok(exact) => self.0.draw(&exact, runs, random, outcomes),
            Err(why) => (0..runs).for_each(|_| outcomes.push_failure(why.clone())),
        }
        Ok(())
    }

    fn capabilities(&self) -> Capabilities<'_, Dataset> {
        Capabilities {
            releases: self.0.releases(),
            query: Some(self),
            sensitivity: self.0.sensitivity(),
            ..Capabilities::independent()
        }
    }
}

impl<F: Family> Query<Dataset> for OfFamily<F> {
    fn answer(&self, dataset: &Dataset, _: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        Ok(match self.0.read(dataset) {
            Ok(exact) => self.0.query(&exact).map(|answers| Ok(answers.to_vec())),
            Err(why) => Some(Err(why)),
        })
    }
}

impl<F: Family> CatalogMechanism for OfFamily<F> {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn reading<'a>(&'a self, dataset: &Dataset) -> Result<Releases<'a>, String> {
        let exact = self.0.read(dataset)?;
        Ok(Box::new(move |runs, random, outcomes| self.0.draw(&exact, runs, random, outcomes)))
    }
}

/// The dataset as at least one finite number.
pub(super) fn finite_numbers(dataset: &Dataset) -> Result<Vec<f64>, String> {
    let values = dataset
        .numbers()
        .ok_or("the mechanism takes a list of numbers, and the dataset is a table")?;
    if values.is_empty() {
        return Err("the mechanism takes at least one number, and the dataset is empty".into());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(at) => Err(format!("entry {at} is not finite")),
        None => Ok(values.to_vec()),
    }
}

/// The dataset as a single finite number.
pub(super) fn single_number(dataset: &Dataset) -> Result<f64, String> {
    match finite_numbers(dataset)?[..] {
        [value] => Ok(value),
        ref values => Err(format!("the mechanism takes one number, not {}", values.len())),
    }
}

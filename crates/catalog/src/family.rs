//! Definition of a family of the catalog, and the mechanism built from it.

use plaudit_aligned::Written;
use plaudit_core::dataset::{Dataset, Sensitivity};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{
    AddedNoise, Answer, Capabilities, CatalogMechanism, Mechanism, Outcomes, Query, Release,
    Releases, Trouble,
};
use std::sync::atomic::AtomicBool;

/// Definition of a mechanism of the catalog: how the dataset is read, once a batch, and how
/// outcomes are drawn from the result.
pub(super) trait Family: Send + Sync {
    /// All that the outcomes depend on: exact answers, weights, scales.
    type Exact;

    /// Reads the dataset.
    ///
    /// # Errors
    /// A sentence with the mistake in the dataset and the expected form.
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

    /// See [`Capabilities::drawn`].
    fn drawn(&self) -> Option<&dyn Written> {
        None
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
            drawn: self.0.drawn(),
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
        .ok_or("the mechanism takes a list of numbers, but the dataset is a table")?;
    if values.is_empty() {
        return Err("the mechanism takes at least one number, but the dataset is empty".into());
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

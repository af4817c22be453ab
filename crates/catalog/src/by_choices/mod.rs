//! Mechanisms that take all their randomness from [`Choices`]: audits run them, and proofs
//! enumerate their laws. What they draw is drawn exactly, with integers.

pub(super) mod noise;
pub(super) mod response;
pub(super) mod selection;
pub(super) mod sparse_vector;
pub(super) mod stable_histogram;

use super::family::finite_numbers;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::choice::{Fraction, Rational};
use plaudit_engine::mechanism::{
    Capabilities, ChoiceMechanism, Choices, Mechanism, Outcome, Outcomes, Trouble,
};
use plaudit_engine::mechanism::{CatalogMechanism, Releases};
use serde::Deserialize;
use std::sync::atomic::AtomicBool;

/// Definition of such a mechanism: a [`Family`](super::Family) whose draws are choices.
pub(super) trait ChoiceFamily: Send + Sync {
    /// All that the outcomes depend on.
    type Exact;

    /// Reads the dataset.
    ///
    /// # Errors
    /// A sentence with the mistake in the dataset and the expected form.
    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String>;

    fn release(&self, exact: &Self::Exact, choices: &mut Choices<'_>) -> Outcome;

    /// Releases many: as [`ChoiceFamily::release`] does, perhaps without allocating for each.
    fn fill(
        &self,
        exact: &Self::Exact,
        runs: usize,
        choices: &mut Choices<'_>,
        outcomes: &mut Outcomes,
    ) {
        (0..runs).for_each(|_| outcomes.push(self.release(exact, choices)));
    }

    /// See [`CatalogMechanism::describe`].
    fn describe(&self) -> String;

    /// See [`CatalogMechanism::covers`]; the mechanism takes these values.
    fn covers(&self, _values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        false
    }
}

/// A family's mechanism as the rest of the house sees it.
pub(super) struct BuiltByChoices<F>(pub F);

impl<F: ChoiceFamily> Mechanism<Dataset> for BuiltByChoices<F> {
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
            Ok(exact) => self.0.fill(&exact, runs, &mut Choices::random(random), outcomes),
            Err(why) => (0..runs).for_each(|_| outcomes.push_failure(why.clone())),
        }
        Ok(())
    }

    fn capabilities(&self) -> Capabilities<'_, Dataset> {
        Capabilities { choices: Some(self), ..Capabilities::independent() }
    }
}

impl<F: ChoiceFamily> ChoiceMechanism<Dataset> for BuiltByChoices<F> {
    fn release(&self, dataset: &Dataset, choices: &mut Choices<'_>) -> Outcome {
        match self.0.read(dataset) {
            Ok(exact) => self.0.release(&exact, choices),
            Err(why) => Outcome::Failure(why),
        }
    }
}

impl<F: ChoiceFamily> CatalogMechanism for BuiltByChoices<F> {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn covers(&self, values: &[Cell], rows: usize, relation: &Relation) -> bool {
        self.0.covers(values, rows, relation)
    }

    fn reading<'a>(&'a self, dataset: &Dataset) -> Result<Releases<'a>, String> {
        let exact = self.0.read(dataset)?;
        Ok(Box::new(move |runs, random, outcomes| {
            self.0.fill(&exact, runs, &mut Choices::random(random), outcomes);
        }))
    }
}

/// A fraction above 0 whose parts 32 bits hold, for the size of noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "Fraction")]
pub(super) struct Size(Fraction);

impl Size {
    pub(super) fn get(self) -> Fraction {
        self.0
    }

    /// `factor` times its reciprocal: the scale of noise for an ε.
    pub(super) fn scale_for(self, factor: u64) -> Result<Fraction, String> {
        let scale = self.0.reciprocal().and_then(|reciprocal| reciprocal.times(factor));
        scale.map(Self::try_from).transpose()?.map(Self::get).ok_or_else(|| {
            format!("epsilon = {} needs a scale that does not fit in 64 bits", self.0)
        })
    }
}

impl TryFrom<Fraction> for Size {
    type Error = String;
    fn try_from(fraction: Fraction) -> Result<Self, String> {
        let small = |part: u64| part > 0 && part <= u64::from(u32::MAX);
        if small(fraction.numerator()) && small(fraction.denominator()) {
            Ok(Self(fraction))
        } else {
            Err(format!(
                "{fraction} is invalid: must be above 0, of numerator and denominator below 2^32"
            ))
        }
    }
}

/// The probability that a parameter names: its decimal, or the double itself if that is too long.
pub(super) fn probability(value: f64) -> Rational {
    Fraction::of_decimal(value)
        .map(Rational::from)
        .or_else(|_| Rational::try_from(value))
        .unwrap_or(Rational::ZERO)
}

/// The dataset as whole numbers, at least one.
pub(super) fn whole_numbers(dataset: &Dataset) -> Result<Vec<i64>, String> {
    let values = finite_numbers(dataset)?;
    match values.iter().position(|x| x.fract() != 0.0 || x.abs() > 1e15) {
        Some(at) => Err(format!(
            "the mechanism takes whole numbers, but entry {at} is {}",
            words(values[at])
        )),
        None => Ok(values.into_iter().map(|x| x as i64).collect()),
    }
}

/// Whole numbers as an outcome: an integer, or a vector if there are several.
pub(super) fn released(values: &[i64]) -> Outcome {
    match values {
        [value] => Outcome::Integer(*value),
        values => Outcome::Vector(values.iter().map(|&value| value as f64).collect()),
    }
}

//! Mechanisms with known truth: right ones and known-broken ones, one file a family.
//!
//! A broken mechanism is the right one with the mistake as a parameter (`calibration = "classic"`,
//! `clamping = "forgotten"`), so that both run the same code but for the mistake.

mod broken;
mod by_choices;
mod composition;
mod discrete;
mod floats;
mod gaussian;
mod grid;
mod noise;
mod parameter;
mod query;
mod randomized_response;
pub mod sample;
mod selection;
mod snapping;
mod sparse_vector;
mod stable_histogram;

use super::{
    AddedNoise, Answer, Capabilities, Mechanism, Outcomes, Query, Release, Trouble, release,
};
use crate::dataset::{Cell, Dataset, Relation, Sensitivity};
use crate::random::Stream;
use by_choices::sparse_vector::{Endless as ExactEndless, Svt as ExactSvt};
use by_choices::{BuiltByChoices, ChoiceFamily, noise as exact, selection as select};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value as Json;
use sparse_vector::{Endless, NumericalSvt, Svt};
use std::sync::atomic::AtomicBool;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Value as Toml};

pub use gaussian::analytic_sigma;
pub(crate) use stable_histogram::threshold_for;

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

/// The kinds that [`build`] knows, in alphabetical order.
pub const KINDS: &[&str] = &[
    "bounded-noise",
    "composition",
    "count",
    "discrete-gaussian",
    "discrete-laplace",
    "exact-bounded-noise",
    "exact-discrete-gaussian",
    "exact-discrete-laplace",
    "exact-exponential-mechanism",
    "exact-noisy-max",
    "exact-permute-and-flip",
    "exact-stable-histogram",
    "exact-svt-1",
    "exact-svt-2",
    "exact-svt-3",
    "exact-svt-4",
    "exact-svt-5",
    "exact-svt-6",
    "exponential-mechanism",
    "fault",
    "gaussian",
    "gaussian-in-floats",
    "histogram",
    "k-ary-randomized-response",
    "laplace",
    "laplace-in-floats",
    "laplace-parallel",
    "mean",
    "median",
    "noisy-max",
    "numerical-svt",
    "one-time-rappor",
    "permute-and-flip",
    "prefix-sum",
    "randomized-response",
    "rappor",
    "snapping",
    "stable-histogram",
    "subsample",
    "sum",
    "svt-1",
    "svt-2",
    "svt-3",
    "svt-4",
    "svt-5",
    "svt-6",
    "truncated-geometric",
];

/// Builds a mechanism from its kind and the parameters that a report or certificate holds.
///
/// By way of TOML text, so that the parameters of every mechanism are read in one way only: the code for a second
/// one would be built for each of them.
///
/// # Errors
/// As [`build`], in words.
pub(crate) fn build_from_json(
    kind: &str,
    parameters: &Json,
) -> Result<Box<dyn CatalogMechanism>, String> {
    let text = toml::to_string(&to_toml(parameters)?).map_err(|error| error.to_string())?;
    let words = |error: toml::de::Error| error.message().to_owned();
    let table = DeTable::parse(&text).map_err(words)?;
    let value = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    build(kind, ValueDeserializer::from(value)).map_err(words)
}

/// Parameters as reports hold them, back as TOML, which has words for all numbers.
pub(crate) fn to_toml(value: &Json) -> Result<Toml, String> {
    Ok(match value {
        Json::Null => return Err("a parameter of a mechanism cannot be null".into()),
        Json::Bool(x) => Toml::Boolean(*x),
        Json::Number(x) => match (x.as_i64(), x.as_f64()) {
            (Some(x), _) => Toml::Integer(x),
            (None, Some(x)) => Toml::Float(x),
            (None, None) => return Err(format!("{x} is too large a number")),
        },
        Json::String(word) => match word.as_str() {
            "NaN" => Toml::Float(f64::NAN),
            "+infinity" => Toml::Float(f64::INFINITY),
            "-infinity" => Toml::Float(f64::NEG_INFINITY),
            text => Toml::String(text.to_owned()),
        },
        Json::Array(array) => Toml::Array(array.iter().map(to_toml).collect::<Result<_, _>>()?),
        Json::Object(map) => {
            let entry = |(key, value): (&String, &Json)| Ok((key.clone(), to_toml(value)?));
            Toml::Table(map.iter().map(entry).collect::<Result<_, String>>()?)
        }
    })
}

/// Builds a mechanism from its kind and its parameters (a map without `kind`).
///
/// # Errors
/// If the kind is unknown, a parameter is missing, unknown, of a wrong type or impossible.
pub fn build<'de, D: Deserializer<'de>>(
    kind: &str,
    parameters: D,
) -> Result<Box<dyn CatalogMechanism>, D::Error> {
    match kind {
        "bounded-noise" => read::<broken::BoundedNoise, D>(parameters),
        "composition" => read::<composition::ComposedMechanism, D>(parameters),
        "count" => read::<query::Count, D>(parameters),
        "discrete-gaussian" => read::<discrete::DiscreteGaussian, D>(parameters),
        "discrete-laplace" => read::<discrete::DiscreteLaplace, D>(parameters),
        "exact-bounded-noise" => by_choices::<exact::BoundedNoise, D>(parameters),
        "exact-discrete-gaussian" => by_choices::<exact::DiscreteGaussian, D>(parameters),
        "exact-discrete-laplace" => by_choices::<exact::DiscreteLaplace, D>(parameters),
        "exact-exponential-mechanism" => by_choices::<select::ExponentialMechanism, D>(parameters),
        "exact-noisy-max" => by_choices::<select::NoisyMax, D>(parameters),
        "exact-permute-and-flip" => by_choices::<select::PermuteAndFlip, D>(parameters),
        "exact-stable-histogram" => {
            by_choices::<by_choices::stable_histogram::StableHistogram, D>(parameters)
        }
        "exact-svt-1" => settled(ExactSvt::deserialize(parameters)?.first()),
        "exact-svt-2" => settled(ExactSvt::deserialize(parameters)?.second()),
        "exact-svt-3" => settled(ExactSvt::deserialize(parameters)?.third()),
        "exact-svt-4" => settled(ExactSvt::deserialize(parameters)?.fourth()),
        "exact-svt-5" => settled(ExactEndless::deserialize(parameters)?.fifth()),
        "exact-svt-6" => settled(ExactEndless::deserialize(parameters)?.sixth()),
        "exponential-mechanism" => read::<selection::ExponentialMechanism, D>(parameters),
        "fault" => read::<broken::Faulty, D>(parameters),
        "gaussian" => read::<gaussian::Gaussian, D>(parameters),
        "gaussian-in-floats" => read::<floats::GaussianInFloats, D>(parameters),
        "histogram" => read::<query::Histogram, D>(parameters),
        "k-ary-randomized-response" => {
            by_choices::<by_choices::response::KAryRandomizedResponse, D>(parameters)
        }
        "laplace" => read::<noise::Laplace, D>(parameters),
        "laplace-in-floats" => read::<floats::LaplaceInFloats, D>(parameters),
        "laplace-parallel" => read::<noise::LaplaceParallel, D>(parameters),
        "mean" => read::<query::Mean, D>(parameters),
        "median" => read::<query::Median, D>(parameters),
        "noisy-max" => read::<selection::NoisyMax, D>(parameters),
        "numerical-svt" => boxed(NumericalSvt::deserialize(parameters)?.algorithm()),
        "one-time-rappor" => by_choices::<randomized_response::OneTimeRappor, D>(parameters),
        "permute-and-flip" => read::<selection::PermuteAndFlip, D>(parameters),
        "prefix-sum" => read::<broken::PrefixSum, D>(parameters),
        "randomized-response" => {
            by_choices::<randomized_response::RandomizedResponse, D>(parameters)
        }
        "rappor" => read::<randomized_response::Rappor, D>(parameters),
        "snapping" => read::<snapping::Snapping, D>(parameters),
        "stable-histogram" => read::<stable_histogram::StableHistogram, D>(parameters),
        "subsample" => by_choices::<broken::Subsample, D>(parameters),
        "sum" => read::<query::Sum, D>(parameters),
        "svt-1" => boxed(Svt::deserialize(parameters)?.first()),
        "svt-2" => boxed(Svt::deserialize(parameters)?.second()),
        "svt-3" => boxed(Svt::deserialize(parameters)?.third()),
        "svt-4" => boxed(Svt::deserialize(parameters)?.fourth()),
        "svt-5" => boxed(Endless::deserialize(parameters)?.fifth()),
        "svt-6" => boxed(Endless::deserialize(parameters)?.sixth()),
        "truncated-geometric" => by_choices::<discrete::TruncatedGeometric, D>(parameters),
        _ => Err(D::Error::unknown_variant(kind, KINDS)),
    }
}

fn read<'de, F: Family + Deserialize<'de> + 'static, D: Deserializer<'de>>(
    parameters: D,
) -> Result<Box<dyn CatalogMechanism>, D::Error> {
    boxed(F::deserialize(parameters)?)
}

fn boxed<E>(family: impl Family + 'static) -> Result<Box<dyn CatalogMechanism>, E> {
    Ok(Box::new(OfFamily(family)))
}

fn by_choices<'de, F: ChoiceFamily + Deserialize<'de> + 'static, D: Deserializer<'de>>(
    parameters: D,
) -> Result<Box<dyn CatalogMechanism>, D::Error> {
    Ok(Box::new(BuiltByChoices(F::deserialize(parameters)?)))
}

/// A mechanism whose parameters fit together, or do not.
fn settled<E: serde::de::Error>(
    family: Result<impl ChoiceFamily + 'static, String>,
) -> Result<Box<dyn CatalogMechanism>, E> {
    Ok(Box::new(BuiltByChoices(family.map_err(E::custom)?)))
}

/// What each mechanism of the catalog defines: how the dataset is read, once a batch, and how
/// outcomes are drawn from what was read.
trait Family: Send + Sync {
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
struct OfFamily<F>(F);

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
fn finite_numbers(dataset: &Dataset) -> Result<Vec<f64>, String> {
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
fn single_number(dataset: &Dataset) -> Result<f64, String> {
    match finite_numbers(dataset)?[..] {
        [value] => Ok(value),
        ref values => Err(format!("the mechanism takes one number, not {}", values.len())),
    }
}

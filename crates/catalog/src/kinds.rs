//! The kinds of the catalog, by name.

use super::by_choices::sparse_vector::{Endless as ExactEndless, Svt as ExactSvt};
use super::by_choices::{self, BuiltByChoices, ChoiceFamily, noise as exact, selection as select};
use super::family::{Family, OfFamily};
use super::local::{bits, hashing, sets};
use super::propose_test_release::ProposeTestRelease;
use super::sparse_vector::{Endless, GapSvt, GaussianSvt, NumericalSvt, Svt};
use super::{
    additive, broken, composition, counting, learning, local, query, randomized_response,
    selection, stable_histogram,
};
use plaudit_engine::mechanism::CatalogMechanism;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value as Json;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Value as Toml};

/// The kinds that [`build`] knows, in alphabetical order.
pub const KINDS: &[&str] = &[
    "binary-tree",
    "bounded-noise",
    "composition",
    "count",
    "count-mean-sketch",
    "cube-privunit",
    "discrete-gaussian",
    "discrete-laplace",
    "dp-sgd",
    "erm",
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
    "gap-svt",
    "gaussian",
    "gaussian-in-floats",
    "gaussian-svt",
    "hadamard-count-mean-sketch",
    "hadamard-response",
    "histogram",
    "k-ary-randomized-response",
    "laplace",
    "laplace-in-floats",
    "laplace-parallel",
    "laplace-shares",
    "local-hashing",
    "mean",
    "median",
    "memoised-rappor",
    "noisy-max",
    "numerical-svt",
    "one-bit-mean",
    "one-time-rappor",
    "partition-selection",
    "pate",
    "permute-and-flip",
    "prefix-sum",
    "propose-test-release",
    "randomized-response",
    "rappor",
    "snapping",
    "stable-histogram",
    "subsample",
    "subset-selection",
    "sum",
    "svt-1",
    "svt-2",
    "svt-3",
    "svt-4",
    "svt-5",
    "svt-6",
    "thresholded-histogram-encoding",
    "truncated-geometric",
    "unary-encoding",
];

/// Builds a mechanism from its kind and the parameters that a report or certificate holds.
///
/// By way of TOML text, so that the parameters of every mechanism are read in one way only: the code for a second
/// one would be built for each of them.
///
/// # Errors
/// Same as [`build`], in words.
pub fn build_from_json(kind: &str, parameters: &Json) -> Result<Box<dyn CatalogMechanism>, String> {
    let text = toml::to_string(&to_toml(parameters)?).map_err(|error| error.to_string())?;
    let words = |error: toml::de::Error| error.message().to_owned();
    let table = DeTable::parse(&text).map_err(words)?;
    let value = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    build(kind, ValueDeserializer::from(value)).map_err(words)
}

/// Parameters as reports hold them, back as TOML, which has words for all numbers.
pub fn to_toml(value: &Json) -> Result<Toml, String> {
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
        "binary-tree" => Ok(counting::BinaryTree::deserialize(parameters)?.boxed()),
        "bounded-noise" => read::<broken::BoundedNoise, D>(parameters),
        "composition" => {
            let read = composition::CompositionParameters::<OfAnyKind>::deserialize(parameters)?;
            boxed(read.composed().map_err(D::Error::custom)?)
        }
        "count" => read::<query::Count, D>(parameters),
        "count-mean-sketch" => {
            settled(hashing::CountMeanSketch::deserialize(parameters)?.hashing())
        }
        "cube-privunit" => settled(sets::CubePrivUnit::deserialize(parameters)?.sets()),
        "discrete-gaussian" => read::<additive::discrete::DiscreteGaussian, D>(parameters),
        "discrete-laplace" => read::<additive::discrete::DiscreteLaplace, D>(parameters),
        "dp-sgd" => read::<learning::DpSgd, D>(parameters),
        "erm" => read::<learning::Erm, D>(parameters),
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
        "gap-svt" => Ok(GapSvt::deserialize(parameters)?.algorithm().boxed()),
        "gaussian" => read::<additive::gaussian::Gaussian, D>(parameters),
        "gaussian-in-floats" => read::<additive::floats::GaussianInFloats, D>(parameters),
        "gaussian-svt" => Ok(GaussianSvt::deserialize(parameters)?.algorithm().boxed()),
        "hadamard-count-mean-sketch" => {
            settled(hashing::HadamardCountMeanSketch::deserialize(parameters)?.hashing())
        }
        "hadamard-response" => settled(sets::HadamardResponse::deserialize(parameters)?.sets()),
        "histogram" => read::<query::Histogram, D>(parameters),
        "k-ary-randomized-response" => {
            by_choices::<by_choices::response::KAryRandomizedResponse, D>(parameters)
        }
        "laplace" => read::<additive::noise::Laplace, D>(parameters),
        "laplace-in-floats" => read::<additive::floats::LaplaceInFloats, D>(parameters),
        "laplace-parallel" => read::<additive::noise::LaplaceParallel, D>(parameters),
        "laplace-shares" => by_choices::<local::shares::LaplaceShares, D>(parameters),
        "local-hashing" => settled(hashing::LocalHashing::deserialize(parameters)?.hashing()),
        "mean" => read::<query::Mean, D>(parameters),
        "median" => read::<query::Median, D>(parameters),
        "memoised-rappor" => settled(bits::MemoisedRappor::deserialize(parameters)?.bits()),
        "noisy-max" => Ok(selection::NoisyMax::deserialize(parameters)?.boxed()),
        "numerical-svt" => Ok(NumericalSvt::deserialize(parameters)?.algorithm().boxed()),
        "one-bit-mean" => by_choices::<local::mean::OneBitMean, D>(parameters),
        "one-time-rappor" => by_choices::<randomized_response::OneTimeRappor, D>(parameters),
        "partition-selection" => Ok(counting::PartitionSelection::deserialize(parameters)?.boxed()),
        "pate" => read::<learning::Pate, D>(parameters),
        "permute-and-flip" => read::<selection::PermuteAndFlip, D>(parameters),
        "prefix-sum" => read::<broken::PrefixSum, D>(parameters),
        "propose-test-release" => Ok(ProposeTestRelease::deserialize(parameters)?.boxed()),
        "randomized-response" => {
            by_choices::<randomized_response::RandomizedResponse, D>(parameters)
        }
        "rappor" => read::<randomized_response::Rappor, D>(parameters),
        "snapping" => read::<additive::snapping::Snapping, D>(parameters),
        "stable-histogram" => read::<stable_histogram::StableHistogram, D>(parameters),
        "subsample" => by_choices::<broken::Subsample, D>(parameters),
        "subset-selection" => settled(sets::SubsetSelection::deserialize(parameters)?.sets()),
        "sum" => read::<query::Sum, D>(parameters),
        "svt-1" => Ok(Svt::deserialize(parameters)?.first().boxed()),
        "svt-2" => Ok(Svt::deserialize(parameters)?.second().boxed()),
        "svt-3" => Ok(Svt::deserialize(parameters)?.third().boxed()),
        "svt-4" => Ok(Svt::deserialize(parameters)?.fourth().boxed()),
        "svt-5" => Ok(Endless::deserialize(parameters)?.fifth().boxed()),
        "svt-6" => Ok(Endless::deserialize(parameters)?.sixth().boxed()),
        "thresholded-histogram-encoding" => {
            settled(bits::ThresholdedHistogramEncoding::deserialize(parameters)?.bits())
        }
        "truncated-geometric" => {
            by_choices::<additive::discrete::TruncatedGeometric, D>(parameters)
        }
        "unary-encoding" => settled(bits::UnaryEncoding::deserialize(parameters)?.bits()),
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

/// A mechanism of the kind that its table names.
struct OfAnyKind(Box<dyn CatalogMechanism>);

impl From<OfAnyKind> for Box<dyn CatalogMechanism> {
    fn from(OfAnyKind(mechanism): OfAnyKind) -> Self {
        mechanism
    }
}

impl<'de> Deserialize<'de> for OfAnyKind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut table = serde_json::Map::deserialize(from)?;
        let Some(Json::String(kind)) = table.remove("kind") else {
            return Err(D::Error::custom("a step's mechanism has no `kind`"));
        };
        if kind == "composition" {
            return Err(D::Error::custom(
                "a composition of compositions: write its steps in one list",
            ));
        }
        build_from_json(&kind, &Json::Object(table))
            .map_err(|error| D::Error::custom(format!("in `{kind}`: {error}")))
            .map(Self)
    }
}

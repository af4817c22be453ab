//! Mechanisms of the catalog one after another on the same data, each free to look at what came
//! before.

use super::family::Family;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{CatalogMechanism, Releases};
use plaudit_engine::mechanism::{OutcomeRef, Outcomes, Release};
use serde::Deserialize;
use std::num::NonZeroUsize;

const MOST_RELEASES: usize = 1000;

/// `composition`: the releases of all steps, in a vector (or in words, if some are not numbers). An
/// adaptive step chooses its entry of the data by the last number released.
pub(super) struct ComposedMechanism {
    steps: Vec<BuiltStep>,
}

/// The parameters of [`ComposedMechanism`], whose mechanisms are read as `M`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompositionParameters<M> {
    steps: Vec<ComposedStep<M>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComposedStep<M> {
    mechanism: M,
    /// Number of times it is run.
    #[serde(default = "once")]
    count: NonZeroUsize,
    /// The one entry of a list of numbers that it gets; all of the data without it.
    entry: Option<usize>,
    /// The entry that it gets if the last number released is above 0.
    entry_if_positive: Option<usize>,
}

type BuiltStep = ComposedStep<Box<dyn CatalogMechanism>>;

fn once() -> NonZeroUsize {
    NonZeroUsize::MIN
}

impl<M: Into<Box<dyn CatalogMechanism>>> CompositionParameters<M> {
    /// The mechanism.
    ///
    /// # Errors
    /// If there are no steps or too many, or a step does not name its entry.
    pub(super) fn composed(self) -> Result<ComposedMechanism, String> {
        let Self { steps } = self;
        if steps.is_empty() {
            return Err("a composition has at least one step".into());
        }
        let releases =
            steps.iter().fold(0, |sum: usize, step| sum.saturating_add(step.count.get()));
        if releases > MOST_RELEASES {
            return Err(format!("{releases} releases are too many: at most {MOST_RELEASES}"));
        }
        if let Some(at) =
            steps.iter().position(|s| s.entry_if_positive.is_some() && s.entry.is_none())
        {
            return Err(format!("step {at} has `entry_if_positive`, and no `entry` otherwise"));
        }
        let built =
            |ComposedStep { mechanism, count, entry, entry_if_positive }: ComposedStep<M>| {
                ComposedStep { mechanism: mechanism.into(), count, entry, entry_if_positive }
            };
        Ok(ComposedMechanism { steps: steps.into_iter().map(built).collect() })
    }
}

/// Data of a step: by default, and if the last number released is above 0.
pub(super) struct StepData {
    usual: Dataset,
    if_positive: Option<Dataset>,
}

fn entry(dataset: &Dataset, at: usize) -> Result<Dataset, String> {
    let numbers = dataset.numbers().ok_or("an `entry` is one of a list of numbers")?;
    match numbers.get(at) {
        Some(number) => Ok(Dataset::Numbers(vec![*number])),
        None => Err(format!("there is no entry {at}: the dataset has {}", numbers.len())),
    }
}

impl Family for ComposedMechanism {
    type Exact = Vec<StepData>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<StepData>, String> {
        let asked = |step: &BuiltStep| {
            let of = |at: usize| entry(dataset, at);
            let usual = step.entry.map(of).transpose()?.unwrap_or_else(|| dataset.clone());
            let if_positive = step.entry_if_positive.map(of).transpose()?;
            for dataset in std::iter::once(&usual).chain(&if_positive) {
                step.mechanism.accepts(dataset)?;
            }
            Ok(StepData { usual, if_positive })
        };
        let numbered = self.steps.iter().enumerate();
        numbered
            .map(|(at, step)| asked(step).map_err(|why: String| format!("step {at}: {why}")))
            .collect()
    }

    fn draw(
        &self,
        asked: &Vec<StepData>,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
    ) {
        fn reading<'a>(step: &'a BuiltStep, dataset: &Dataset) -> Option<Releases<'a>> {
            step.mechanism.reading(dataset).ok()
        }
        let steps = self.steps.iter().zip(asked);
        let steps: Vec<_> = steps
            .map(|(step, asked)| {
                let if_positive = asked.if_positive.as_ref().and_then(|other| reading(step, other));
                (step.count.get(), reading(step, &asked.usual), if_positive)
            })
            .collect();
        let (mut numbers, mut released) = (Vec::new(), Outcomes::new());
        for _ in 0..runs {
            numbers.clear();
            let mut words = Vec::new();
            for (count, usual, if_positive) in &steps {
                for _ in 0..*count {
                    let positive = numbers.last().is_some_and(|last| *last > 0.0);
                    let release = if_positive.as_ref().filter(|_| positive).or(usual.as_ref());
                    released.clear();
                    if let Some(release) = release {
                        release(1, random, &mut released);
                    }
                    // An outcome that is not a number is in the words.
                    let outcome = released.get(0);
                    if !append(&outcome, &mut numbers) {
                        words.push(format!("{outcome:?}"));
                    }
                }
            }
            if words.is_empty() {
                outcomes.push_vector(&numbers);
            } else {
                outcomes.push_text(&format!("{numbers:?} {}", words.join(" ")));
            }
        }
    }

    fn describe(&self) -> String {
        let step = |step: &BuiltStep| {
            let times = match step.count.get() {
                1 => String::new(),
                count => format!("{count} times: "),
            };
            let on = match (step.entry, step.entry_if_positive) {
                (Some(entry), Some(other)) => format!(
                    " (of entry {entry}, or of entry {other} if the last number released is above 0)"
                ),
                (Some(entry), None) => format!(" (of entry {entry})"),
                _ => String::new(),
            };
            format!("{times}{}{on}", step.mechanism.describe())
        };
        let steps: Vec<String> = self.steps.iter().map(step).collect();
        format!("releases, one after another: {}", steps.join("; then "))
    }

    fn releases(&self) -> Option<Vec<Release>> {
        let release = |step: &BuiltStep| {
            let noise = step.mechanism.capabilities().added_noise()?;
            let of_one_entry = step.entry.is_some();
            Some(Release { noise, count: step.count.get(), of_one_entry })
        };
        self.steps.iter().map(release).collect()
    }
}

/// Adds the numbers of an outcome; `false` if it has none.
fn append(outcome: &OutcomeRef<'_>, numbers: &mut Vec<f64>) -> bool {
    match outcome {
        OutcomeRef::Number(x) => numbers.push(*x),
        OutcomeRef::Integer(i) => numbers.push(*i as f64),
        OutcomeRef::Vector(v) => numbers.extend_from_slice(v),
        _ => return false,
    }
    true
}

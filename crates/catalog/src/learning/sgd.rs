//! DP-SGD as a mechanism of the catalog: its parameters, and what it releases.

use super::examples::Examples;
use super::mistake::TrainingMistake as Mistake;
use super::model::Classifier;
use super::training::{Adaptive, Batching, Hyperparameters, Trainer};
use crate::family::Family;
use crate::parameter::{Positive, Probability};
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;
use std::num::NonZeroUsize;

/// Most steps of a training, and most units of a network.
const MOST: usize = 10_000;
const MOST_NUMBERS: usize = 100_000;

/// `dp-sgd`: a classifier, trained by stochastic gradient descent on clipped gradients with Gaussian noise
/// (Abadi et al. 2016). Under add/remove, with all rows in each batch, (√steps/sigma)-GDP; with Poisson
/// samples, the composition of subsampled Gaussian mechanisms. A substituted row moves a sum by twice the norm.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(crate) struct DpSgd {
    settings: Hyperparameters,
    released: TrainingOutcome,
    canaries: bool,
    /// The column of the ids of persons, if a person's examples are clipped together.
    person: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TrainingOutcome {
    Parameters,
    Iterates,
    /// The inner product of the sum of all noisy steps with the direction of the canary: the first parameter.
    Score,
    /// The inner product of each noisy step with that direction.
    Scores,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModelName {
    Logistic,
    TwoLayer,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BatchSampling {
    FullBatch,
    Poisson(Probability),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CanaryKind {
    Gradient,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Clipping {
    PerLayer,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct AdaptiveClip {
    quantile: Probability,
    rate: Positive,
    sigma: Positive,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    model: ModelName,
    hidden: Option<NonZeroUsize>,
    sampling: BatchSampling,
    clip: Positive,
    clipping: Option<Clipping>,
    adaptive: Option<AdaptiveClip>,
    sigma: Positive,
    steps: NonZeroUsize,
    rate: Positive,
    batch: Positive,
    microbatches: Option<NonZeroUsize>,
    person: Option<String>,
    releases: TrainingOutcome,
    canary: Option<CanaryKind>,
    mistake: Option<Mistake>,
    stop_below: Option<Positive>,
}

impl TryFrom<Parameters> for DpSgd {
    type Error = String;
    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { steps, mistake, stop_below, .. } = parameters;
        if steps.get() > MOST {
            return Err(format!("{steps} steps are too many: at most {MOST}"));
        }
        if stop_below.is_some() && mistake != Some(Mistake::DataDependentSteps) {
            return Err("`stop_below` is the mean loss at which a training with `mistake = \
                        \"data-dependent-steps\"` stops: it takes one, and no other training does"
                .into());
        }
        parameters.fit()?;
        let settings = Hyperparameters {
            model: parameters.classifier()?,
            batching: parameters.batching()?,
            clip: parameters.clip.get(),
            sigma: parameters.sigma.get(),
            steps: steps.get(),
            rate: parameters.rate.get(),
            batch: parameters.batch.get(),
            per_layer: parameters.clipping.is_some(),
            microbatches: parameters.microbatches.map_or(1, NonZeroUsize::get),
            adaptive: parameters.adaptive.map(|it| Adaptive {
                quantile: it.quantile.get(),
                rate: it.rate.get(),
                sigma: it.sigma.get(),
            }),
            mistake,
            stop_below: stop_below.map(Positive::get),
            keeps_iterates: parameters.releases == TrainingOutcome::Iterates,
        };
        Ok(Self {
            settings,
            released: parameters.releases,
            canaries: parameters.canary.is_some(),
            person: parameters.person,
        })
    }
}

impl Parameters {
    /// Checks that a mistake has what it needs, and that the noise on a count leaves a budget.
    fn fit(&self) -> Result<(), String> {
        let has = |parameter| match parameter {
            "stop_below" => self.stop_below.is_some(),
            "person" => self.person.is_some(),
            "clipping" => self.clipping.is_some(),
            "microbatches" => self.microbatches.is_some(),
            _ => self.adaptive.is_some(),
        };
        if let Some((parameter, meaning)) = self.mistake.and_then(Mistake::needs)
            && !has(parameter)
        {
            return Err(format!("this `mistake` needs `{parameter}`, {meaning}: add it"));
        }
        let Some(adaptive) = self.adaptive else { return Ok(()) };
        if self.clipping.is_some() {
            return Err(
                "`adaptive` has one clipping norm for all layers: leave out `clipping`".into()
            );
        }
        let (sigma, least) = (adaptive.sigma.get(), self.sigma.get() / 2.0);
        if sigma <= least {
            return Err(format!(
                "`adaptive.sigma` is {}, but the noise on a count needs more than {}, half of `sigma`, to \
                 leave a budget for the gradients",
                words(sigma),
                words(least)
            ));
        }
        Ok(())
    }

    fn classifier(&self) -> Result<Classifier, String> {
        match (self.model, self.hidden) {
            (ModelName::Logistic, None) => Ok(Classifier::Logistic),
            (ModelName::Logistic, Some(_)) => {
                Err("logistic regression has no `hidden` units".into())
            }
            (ModelName::TwoLayer, Some(hidden)) if hidden.get() <= MOST => {
                Ok(Classifier::TwoLayer { hidden })
            }
            (ModelName::TwoLayer, Some(hidden)) => {
                Err(format!("{hidden} hidden units are too many: at most {MOST}"))
            }
            (ModelName::TwoLayer, None) => {
                Err("a two-layer network takes `hidden`, the number of its units".into())
            }
        }
    }

    fn batching(&self) -> Result<Batching, String> {
        let fixed = self.mistake.filter(|mistake| mistake.fixes_the_batch());
        match (self.sampling, fixed) {
            (BatchSampling::FullBatch, None) => Ok(Batching::All),
            (BatchSampling::Poisson(rate), None) => Ok(Batching::Poisson(rate.get())),
            (BatchSampling::FullBatch, Some(_)) => Err("batches of a fixed size are a mistake \
                 where Poisson samples are claimed: give `sampling = { poisson = .. }`"
                .into()),
            (BatchSampling::Poisson(_), Some(mistake)) => {
                let batch = self.batch.get();
                if batch.fract() != 0.0 || batch > 1e9 {
                    return Err(format!(
                        "a fixed batch size must be a whole number, but `batch` is {}",
                        words(batch)
                    ));
                }
                Ok(match mistake {
                    Mistake::Shuffled => Batching::Shuffled(batch as usize),
                    _ => Batching::FixedSize(batch as usize),
                })
            }
        }
    }
}

impl Family for DpSgd {
    type Exact = Examples;

    fn read(&self, dataset: &Dataset) -> Result<Examples, String> {
        let examples = Examples::read(dataset, self.canaries, self.person.as_deref())?;
        let Hyperparameters { model, batching, steps, .. } = self.settings;
        if let Batching::FixedSize(size) | Batching::Shuffled(size) = batching
            && size > examples.units()
        {
            let of = if self.person.is_some() { "persons" } else { "rows" };
            return Err(format!(
                "a batch has {size} {of}, but the table only {}",
                examples.units()
            ));
        }
        let parameters = model.parameters(examples.width());
        let numbers = match self.released {
            TrainingOutcome::Iterates => steps.saturating_mul(parameters),
            TrainingOutcome::Scores => steps.max(parameters),
            TrainingOutcome::Parameters | TrainingOutcome::Score => parameters,
        };
        if numbers > MOST_NUMBERS {
            return Err(format!(
                "{numbers} numbers are too many for an outcome or a model: at most {MOST_NUMBERS}"
            ));
        }
        Ok(examples)
    }

    fn draw(&self, examples: &Examples, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let mut trainer = Trainer::new(&self.settings, examples);
        let mut with_more = Vec::new();
        for _ in 0..runs {
            trainer.train(random);
            let score = [trainer.scores().iter().sum()];
            let released = match self.released {
                TrainingOutcome::Parameters => trainer.parameters(),
                TrainingOutcome::Iterates => trainer.iterates(),
                TrainingOutcome::Score => &score,
                TrainingOutcome::Scores => trainer.scores(),
            };
            let loss = self.settings.mistake == Some(Mistake::UnclippedLoss);
            let loss = loss.then(|| trainer.mean_loss());
            if loss.is_some() || self.settings.adaptive.is_some() {
                with_more.clear();
                with_more.extend_from_slice(released);
                with_more.extend(trainer.adapted_norm().into_iter().chain(loss));
                outcomes.push_vector(&with_more);
            } else if self.released == TrainingOutcome::Score {
                outcomes.push_number(score[0]);
            } else {
                outcomes.push_vector(released);
            }
        }
    }

    fn describe(&self) -> String {
        let Hyperparameters { model, batching, clip, sigma, steps, rate, batch, .. } =
            self.settings;
        let model = match model {
            Classifier::Logistic => "logistic regression".to_owned(),
            Classifier::TwoLayer { hidden } => format!("a network of {hidden} hidden units"),
        };
        let rows = match batching {
            Batching::All => "all rows".to_owned(),
            Batching::Poisson(q) => format!("Poisson samples of rate {}", words(q)),
            Batching::FixedSize(size) => format!("samples of {size} rows"),
            Batching::Shuffled(size) => format!("{size} rows each of shuffled epochs"),
        };
        let released = match self.released {
            TrainingOutcome::Parameters => "the parameters",
            TrainingOutcome::Iterates => "the parameters after each step",
            TrainingOutcome::Score => "the sum of the noisy steps along the first parameter",
            TrainingOutcome::Scores => "each noisy step along the first parameter",
        };
        format!(
            "trains {model} by {steps} steps of DP-SGD on {rows} (clipping norm {}, noise multiplier {}, learning rate {}, batch {}) and releases {released}{}",
            words(clip),
            words(sigma),
            words(rate),
            words(batch),
            self.describe_more()
        )
    }
}

impl DpSgd {
    /// How the training differs from the usual one, and its mistake.
    fn describe_more(&self) -> String {
        let Hyperparameters { per_layer, microbatches, adaptive, mistake, .. } = self.settings;
        let person =
            |id: &String| format!("; the examples of a person ({id}) are clipped together");
        let follows = |it: Adaptive| {
            let [quantile, rate, sigma] = [it.quantile, it.rate, it.sigma].map(words);
            format!(
                "; the clipping norm follows the quantile {quantile} of the norms (rate {rate}, noise {sigma})"
            )
        };
        [
            self.person.as_ref().map(person),
            per_layer.then(|| "; each layer is clipped by itself".to_owned()),
            (microbatches > 1)
                .then(|| format!("; gradients are summed up in {microbatches} parts")),
            adaptive.map(follows),
            mistake.map(|it| format!("; mistake: {}", it.words())),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

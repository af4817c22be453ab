//! One training run by DP-SGD, over and over in the same buffers.

use super::examples::{Examples, Target};
use super::mistake::TrainingMistake as Mistake;
use super::model::{self, Classifier, dot};
use crate::grid::PowerOfTwoGrid;
use crate::sample;
use plaudit_core::random::Stream;
use rand::RngExt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Batching {
    All,
    /// Each with this probability, independently of the others.
    Poisson(f64),
    /// Number of rows, drawn again without replacement for each step.
    FixedSize(usize),
    /// Number of rows: the next ones of an order that is drawn again for each epoch.
    Shuffled(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Hyperparameters {
    pub model: Classifier,
    pub batching: Batching,
    /// The norm that gradients are clipped to.
    pub clip: f64,
    /// The noise multiplier: the standard deviation of the noise is this times `clip`.
    pub sigma: f64,
    pub steps: usize,
    pub rate: f64,
    pub batch: f64,
    pub mistake: Option<Mistake>,
    /// The mean loss at which the training stops.
    pub stop_below: Option<f64>,
    /// `true` if the parameters after each step are kept.
    pub keeps_iterates: bool,
}

/// A training on given examples, with its buffers.
///
/// Each noisy sum of gradients is rounded to a grid for the scale of its noise, so that its lowest bits reveal nothing.
/// All releases are functions of these sums.
pub(super) struct Trainer<'a> {
    settings: &'a Hyperparameters,
    examples: &'a Examples,
    parameters: Vec<f64>,
    /// The parameters after each step, step by step, if they are kept.
    iterates: Vec<f64>,
    /// The first entry of the noisy sum of each step.
    scores: Vec<f64>,
    gradient: Vec<f64>,
    /// A second gradient, of the other row of a microbatch.
    other: Vec<f64>,
    sum: Vec<f64>,
    noise: Vec<f64>,
    /// The norm of each row's features and 1.
    lengths: Vec<f64>,
    norms: Vec<f64>,
    batch: Vec<usize>,
    order: Vec<usize>,
    /// Number of rows of the order that this epoch has seen.
    seen: usize,
}

impl<'a> Trainer<'a> {
    pub(super) fn new(settings: &'a Hyperparameters, examples: &'a Examples) -> Self {
        let (rows, size) = (examples.len(), settings.model.parameters(examples.width()));
        let zeros = vec![0.0; size];
        Self {
            settings,
            examples,
            iterates: Vec::with_capacity(if settings.keeps_iterates {
                settings.steps * size
            } else {
                0
            }),
            scores: Vec::with_capacity(settings.steps),
            parameters: zeros.clone(),
            gradient: zeros.clone(),
            other: zeros.clone(),
            sum: zeros.clone(),
            noise: zeros,
            lengths: (0..rows).map(|row| norm_with_one(examples.get(row).0)).collect(),
            norms: Vec::with_capacity(rows),
            batch: Vec::with_capacity(rows),
            order: Vec::with_capacity(rows),
            seen: 0,
        }
    }

    pub(super) fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Parameters after each step, step by step; empty if they are not kept.
    pub(super) fn iterates(&self) -> &[f64] {
        &self.iterates
    }

    /// The inner product of each noisy step with the direction of a canary.
    pub(super) fn scores(&self) -> &[f64] {
        &self.scores
    }

    pub(super) fn train(&mut self, random: &mut Stream) {
        let Hyperparameters { model, steps, rate, batch, mistake, .. } = *self.settings;
        model.start(&mut self.parameters);
        self.iterates.clear();
        self.scores.clear();
        self.order.clear();
        self.order.extend(0..self.examples.len());
        self.seen = self.order.len();
        for _ in 0..steps {
            self.choose(random);
            let clip = self.clip();
            self.sum.fill(0.0);
            match mistake {
                Some(Mistake::ClipBatch) => self.sum_clipped_at_last(clip),
                Some(Mistake::Microbatch) => self.sum_of_pairs(clip),
                _ if model == Classifier::Logistic => self.sum_of_residuals(clip),
                _ => self.sum_of_clipped(clip),
            }
            self.add_noise(clip, random);
            self.scores.push(self.sum[0]);
            let along = -rate / batch;
            add(&mut self.parameters, &self.sum, along);
            if self.settings.keeps_iterates {
                self.iterates.extend_from_slice(&self.parameters);
            }
            if self.settings.stop_below.is_some_and(|small| self.mean_loss() <= small) {
                break;
            }
        }
    }

    /// Mean loss of the rows that have a class; 0 without such rows.
    pub(super) fn mean_loss(&self) -> f64 {
        let losses = self
            .examples
            .classified()
            .map(|(features, class)| self.settings.model.loss(&self.parameters, features, class));
        let (sum, rows) = losses.fold((0.0, 0.0), |(sum, rows), loss| (sum + loss, rows + 1.0));
        if rows > 0.0 { sum / rows } else { 0.0 }
    }

    /// Chooses the rows of the next step.
    fn choose(&mut self, random: &mut Stream) {
        let rows = self.examples.len();
        self.batch.clear();
        match self.settings.batching {
            Batching::All => self.batch.extend(0..rows),
            Batching::Poisson(rate) => {
                self.batch.extend((0..rows).filter(|_| random.random::<f64>() < rate));
            }
            Batching::FixedSize(size) => {
                shuffle(&mut self.order, size, random);
                self.batch.extend_from_slice(&self.order[..size]);
            }
            Batching::Shuffled(size) => {
                if self.seen + size > rows {
                    shuffle(&mut self.order, rows, random);
                    self.seen = 0;
                }
                self.batch.extend_from_slice(&self.order[self.seen..][..size]);
                self.seen += size;
            }
        }
    }

    /// The norm that the gradients of this step are clipped to.
    fn clip(&mut self) -> f64 {
        let clip = self.settings.clip;
        if self.settings.mistake != Some(Mistake::FreeAdaptiveClip) || self.batch.is_empty() {
            return clip;
        }
        self.norms.clear();
        for place in 0..self.batch.len() {
            self.find_gradient(place);
            self.norms.push(norm(&self.gradient));
        }
        let middle = self.norms.len() / 2;
        let (_, median, _) = self.norms.select_nth_unstable_by(middle, f64::total_cmp);
        if *median > 0.0 && median.is_finite() { *median } else { clip }
    }

    /// The gradient of the row at this place of the batch; 0 where it is not finite.
    fn find_gradient(&mut self, place: usize) {
        match self.examples.get(self.batch[place]) {
            (features, Target::Class(class)) => {
                self.settings.model.gradient(&self.parameters, features, class, &mut self.gradient);
            }
            (_, Target::Canary) => {
                self.gradient.fill(0.0);
                self.gradient[0] = self.settings.clip;
            }
        }
        if !norm(&self.gradient).is_finite() {
            self.gradient.fill(0.0);
        }
    }

    /// The sum of the gradients, each clipped.
    fn sum_of_clipped(&mut self, clip: f64) {
        for place in 0..self.batch.len() {
            self.find_gradient(place);
            add(&mut self.sum, &self.gradient, clipping(&self.gradient, clip));
        }
    }

    /// Sum of gradients of logistic regression, without writing them down: each is the residual times the features and
    /// 1, so its norm is that of the residual times a known one.
    fn sum_of_residuals(&mut self, clip: f64) {
        for &row in &self.batch {
            match self.examples.get(row) {
                (features, Target::Class(class)) => {
                    let residual = model::residual(&self.parameters, features, class);
                    let norm = residual.abs() * self.lengths[row];
                    if norm.is_finite() {
                        let multiple = residual * to_norm(norm, clip);
                        add(&mut self.sum, features, multiple);
                        self.sum[features.len()] += multiple;
                    }
                }
                (_, Target::Canary) => {
                    let norm = self.settings.clip;
                    self.sum[0] += norm * to_norm(norm, clip);
                }
            }
        }
    }

    /// The sum of the gradients, clipped.
    fn sum_clipped_at_last(&mut self, clip: f64) {
        for place in 0..self.batch.len() {
            self.find_gradient(place);
            add(&mut self.sum, &self.gradient, 1.0);
        }
        let factor = clipping(&self.sum, clip);
        self.sum.iter_mut().for_each(|entry| *entry *= factor);
    }

    /// The sum of the mean gradients of each two rows, each clipped.
    fn sum_of_pairs(&mut self, clip: f64) {
        for first in (0..self.batch.len()).step_by(2) {
            let end = (first + 2).min(self.batch.len());
            self.other.fill(0.0);
            for place in first..end {
                self.find_gradient(place);
                add(&mut self.other, &self.gradient, 1.0 / (end - first) as f64);
            }
            add(&mut self.sum, &self.other, clipping(&self.other, clip));
        }
    }

    /// Adds noise to the sum, and rounds it.
    fn add_noise(&mut self, clip: f64, random: &mut Stream) {
        let Hyperparameters { model, sigma, mistake, .. } = *self.settings;
        let deviation = match mistake {
            Some(Mistake::NoiseNotScaledByClip) => sigma,
            _ => sigma * clip,
        };
        self.noise.fill_with(|| sample::gaussian(random, deviation));
        match mistake {
            Some(Mistake::NoNoiseOnBias) => {
                for biases in model.biases(self.examples.width()) {
                    self.noise[biases].fill(0.0);
                }
            }
            Some(Mistake::NoiseReused) => {
                let (first, last) =
                    self.noise.split_at_mut(model.last_layer(self.examples.width()));
                last.iter_mut().zip(first.iter().cycle()).for_each(|(to, from)| *to = *from);
            }
            _ => {}
        }
        let grid = PowerOfTwoGrid::for_scale(deviation);
        let noisy = self.sum.iter_mut().zip(&self.noise);
        noisy.for_each(|(entry, noise)| *entry = grid.round(*entry + noise));
    }
}

/// Turns the first `size` entries into a sample without replacement, in random order.
fn shuffle(order: &mut [usize], size: usize, random: &mut Stream) {
    for place in 0..size {
        order.swap(place, random.random_range(place..order.len()));
    }
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// The norm of features and 1.
fn norm_with_one(features: &[f64]) -> f64 {
    (dot(features, features) + 1.0).sqrt()
}

/// The factor that clips a vector to a norm. It is 0 for a vector that has no finite norm.
pub(super) fn clipping(vector: &[f64], clip: f64) -> f64 {
    to_norm(norm(vector), clip)
}

/// The factor that clips a vector of this norm. It is 0 if the norm is not finite.
fn to_norm(norm: f64, clip: f64) -> f64 {
    if norm <= clip {
        1.0
    } else if norm.is_finite() {
        clip / norm
    } else {
        0.0
    }
}

fn add(to: &mut [f64], from: &[f64], factor: f64) {
    let length = to.len().min(from.len());
    let (to, from) = (&mut to[..length], &from[..length]);
    // Indexed, as in `dot`.
    for place in 0..length {
        to[place] += factor * from[place];
    }
}

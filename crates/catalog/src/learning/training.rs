//! One training run by DP-SGD, over and over in the same buffers.

use super::examples::{Examples, Target};
use super::mistake::TrainingMistake as Mistake;
use super::model::{self, Classifier, dot};
use crate::grid::PowerOfTwoGrid;
use crate::sample;
use plaudit_core::random::Stream;
use rand::RngExt;
use std::ops::Range;

/// An adapted clipping norm is at most so many times as long or as short as the first.
const FURTHEST: f64 = 1e6;

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
    /// `true` if each layer is clipped by itself.
    pub per_layer: bool,
    /// Number of parts of a batch whose gradients are summed up one after another.
    pub microbatches: usize,
    pub adaptive: Option<Adaptive>,
    pub mistake: Option<Mistake>,
    /// The mean loss at which the training stops.
    pub stop_below: Option<f64>,
    /// `true` if the parameters after each step are kept.
    pub keeps_iterates: bool,
}

/// A clipping norm that follows a quantile of the norms (Andrew et al. 2021).
#[derive(Clone, Copy, Debug)]
pub(super) struct Adaptive {
    /// The share of gradients that are to be left unclipped.
    pub quantile: f64,
    /// Its learning rate: a share of 1 more than `quantile` shortens the norm by the factor e^−rate.
    pub rate: f64,
    /// The standard deviation of the noise on the number of short gradients.
    pub sigma: f64,
}

impl Hyperparameters {
    /// The noise multiplier of the sum of gradients. The number of short gradients, less half the rows of the batch,
    /// has sensitivity 1/2 and spends some of the budget of `sigma`: both together lose as much as one sum with
    /// `sigma` (Andrew et al. 2021, Thm 1).
    pub(super) fn of_sum(&self) -> f64 {
        match self.adaptive {
            Some(it) => (self.sigma.powi(-2) - (2.0 * it.sigma).powi(-2)).powf(-0.5),
            None => self.sigma,
        }
    }
}

/// Parameters whose gradients are clipped together.
struct Layer {
    all: Range<usize>,
    /// Entries of which the norm is taken.
    normed: Vec<Range<usize>>,
}

impl Layer {
    /// The layers of a model, or one that holds all its parameters.
    fn of(settings: &Hyperparameters, width: usize) -> Vec<Self> {
        let (size, last) = (settings.model.parameters(width), settings.model.last_layer(width));
        let cut = if settings.per_layer { last } else { 0 };
        let with_norm = |all: Range<usize>| {
            let mut normed = vec![all.clone()];
            if settings.mistake == Some(Mistake::BiasNotInNorm) {
                let [hidden, bias] = settings.model.biases(width);
                normed = [0..hidden.start, hidden.end..bias.start].into();
                let within = |it: &Range<usize>| it.start.max(all.start)..it.end.min(all.end);
                normed = normed.iter().map(within).filter(|it| !it.is_empty()).collect();
            }
            Self { all, normed }
        };
        [0..cut, cut..size].into_iter().filter(|it| !it.is_empty()).map(with_norm).collect()
    }

    fn norm(&self, gradient: &[f64]) -> f64 {
        let squares =
            self.normed.iter().map(|it| dot(&gradient[it.clone()], &gradient[it.clone()]));
        squares.sum::<f64>().sqrt()
    }
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
    /// Part of each noisy step along the direction of a canary: the sum of the first entries of the layers.
    scores: Vec<f64>,
    layers: Vec<Layer>,
    /// The norm that the next gradients are to be clipped to.
    norm: f64,
    gradient: Vec<f64>,
    /// The sum of the gradients of a person.
    other: Vec<f64>,
    /// Gradient of a part of the batch.
    part: Vec<f64>,
    sum: Vec<f64>,
    noise: Vec<f64>,
    /// The norm of each row's features and 1.
    lengths: Vec<f64>,
    /// `true` if the gradients of logistic regression need not be written down.
    by_residuals: bool,
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
        let one = f64::from(u8::from(settings.mistake != Some(Mistake::BiasNotInNorm)));
        let length = |row| (dot(examples.get(row).0, examples.get(row).0) + one).sqrt();
        Self {
            settings,
            examples,
            iterates: Vec::with_capacity(if settings.keeps_iterates {
                settings.steps * size
            } else {
                0
            }),
            scores: Vec::with_capacity(settings.steps),
            layers: Layer::of(settings, examples.width()),
            norm: settings.clip,
            parameters: zeros.clone(),
            gradient: zeros.clone(),
            other: zeros.clone(),
            part: zeros.clone(),
            sum: zeros.clone(),
            noise: zeros,
            lengths: (0..rows).map(length).collect(),
            by_residuals: settings.model == Classifier::Logistic
                && !settings.per_layer
                && examples.units() == rows,
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

    /// Length of each noisy step along the direction of a canary: the sum of the first entries of the layers.
    pub(super) fn scores(&self) -> &[f64] {
        &self.scores
    }

    pub(super) fn train(&mut self, random: &mut Stream) {
        let Hyperparameters { model, steps, rate, batch, clip, .. } = *self.settings;
        model.start(&mut self.parameters);
        self.iterates.clear();
        self.scores.clear();
        self.order.clear();
        self.order.extend(0..self.examples.units());
        self.norm = clip;
        self.seen = self.order.len();
        for _ in 0..steps {
            self.choose(random);
            let clip = self.clip();
            self.sum.fill(0.0);
            self.sum_up(clip);
            self.add_noise(clip, random);
            self.scores.push(self.layers.iter().map(|layer| self.sum[layer.all.start]).sum());
            self.adapt(random);
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

    /// The norm that gradients are clipped to after the last step, if it is adapted.
    pub(super) fn adapted_norm(&self) -> Option<f64> {
        self.settings.adaptive.map(|_| self.norm)
    }

    /// The root of the number of layers: a row moves the sum by this times the clipping norm.
    fn root_of_layers(&self) -> f64 {
        (self.layers.len() as f64).sqrt()
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
        let rows = self.examples.units();
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
        let clip = self.norm;
        if self.settings.mistake != Some(Mistake::FreeAdaptiveClip) || self.batch.is_empty() {
            return clip;
        }
        self.find_norms();
        let middle = self.norms.len() / 2;
        let (_, median, _) = self.norms.select_nth_unstable_by(middle, f64::total_cmp);
        if *median > 0.0 && median.is_finite() { *median } else { clip }
    }

    /// The norms of the gradients of the batch.
    fn find_norms(&mut self) {
        self.norms.clear();
        for place in 0..self.batch.len() {
            self.find_gradient(place);
            self.norms.push(norm(&self.gradient));
        }
    }

    /// Moves the clipping norm to the quantile of the norms, by a noisy count of those that are not above it.
    fn adapt(&mut self, random: &mut Stream) {
        let Hyperparameters { adaptive, clip, batch, mistake, .. } = *self.settings;
        let Some(Adaptive { quantile, rate, sigma }) = adaptive else { return };
        let sides = self.norms.iter().map(|norm| if *norm <= self.norm { 0.5 } else { -0.5 });
        let noise = match mistake {
            Some(Mistake::UnnoisedQuantile) => 0.0,
            _ => sample::gaussian(random, sigma),
        };
        let count = PowerOfTwoGrid::for_scale(sigma).round(sides.sum::<f64>() + noise);
        let factor = (-rate * (0.5 + count / batch - quantile)).exp();
        self.norm = (self.norm * factor).clamp(clip / FURTHEST, clip * FURTHEST);
    }

    /// The gradient of the unit at this place of the batch: of all its rows.
    fn find_gradient(&mut self, place: usize) {
        let rows = self.examples.unit(self.batch[place]);
        if rows.len() == 1 {
            return self.find_gradient_of(rows.start);
        }
        self.other.fill(0.0);
        for row in rows {
            self.find_gradient_of(row);
            add(&mut self.other, &self.gradient, 1.0);
        }
        std::mem::swap(&mut self.other, &mut self.gradient);
    }

    /// The gradient of a row; 0 where it is not finite.
    fn find_gradient_of(&mut self, row: usize) {
        match self.examples.get(row) {
            (features, Target::Class(class)) => {
                self.settings.model.gradient(&self.parameters, features, class, &mut self.gradient);
            }
            (_, Target::Canary(sign)) => {
                self.gradient.fill(0.0);
                for layer in &self.layers {
                    self.gradient[layer.all.start] = sign * self.norm;
                }
            }
        }
        if !norm(&self.gradient).is_finite() {
            self.gradient.fill(0.0);
        }
    }

    /// The sum of the gradients of the batch, clipped.
    fn sum_up(&mut self, clip: f64) {
        if self.settings.adaptive.is_some() {
            self.find_norms();
        }
        let rows = self.batch.len();
        match self.settings.mistake {
            Some(Mistake::ClipBatch) => self.sum_of_parts(rows, clip, false),
            Some(Mistake::ClipAccumulated) => {
                self.sum_of_parts(rows.div_ceil(self.settings.microbatches), clip, false);
            }
            Some(Mistake::Microbatch) => self.sum_of_parts(2, clip, true),
            Some(Mistake::ClipPerExample) => {
                for place in 0..rows {
                    for row in self.examples.unit(self.batch[place]) {
                        self.find_gradient_of(row);
                        add_clipped(&mut self.sum, &self.gradient, &self.layers, clip);
                    }
                }
            }
            _ if self.by_residuals => self.sum_of_residuals(clip),
            _ => {
                for place in 0..rows {
                    self.find_gradient(place);
                    add_clipped(&mut self.sum, &self.gradient, &self.layers, clip);
                }
            }
        }
    }

    /// The sum of what each so many units of the batch sum up to, or their mean, each clipped.
    fn sum_of_parts(&mut self, size: usize, clip: f64, mean: bool) {
        for first in (0..self.batch.len()).step_by(size.max(1)) {
            let end = (first + size).min(self.batch.len());
            let share = if mean { 1.0 / (end - first) as f64 } else { 1.0 };
            self.part.fill(0.0);
            for place in first..end {
                self.find_gradient(place);
                add(&mut self.part, &self.gradient, share);
            }
            add_clipped(&mut self.sum, &self.part, &self.layers, clip);
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
                (_, Target::Canary(sign)) => {
                    self.sum[0] += sign * self.norm * to_norm(self.norm, clip);
                }
            }
        }
    }

    /// Adds noise to the sum, and rounds it.
    fn add_noise(&mut self, clip: f64, random: &mut Stream) {
        let Hyperparameters { model, microbatches, mistake, .. } = *self.settings;
        let (sigma, root) = (self.settings.of_sum(), self.root_of_layers());
        let deviation = match mistake {
            Some(Mistake::NoiseNotScaledByClip) => sigma * root,
            Some(Mistake::NoiseOfOneLayer) => sigma * clip,
            Some(Mistake::NoiseDivided) => sigma * clip * root / microbatches as f64,
            _ => sigma * clip * root,
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

/// Adds a gradient, each layer clipped to the norm.
fn add_clipped(to: &mut [f64], gradient: &[f64], layers: &[Layer], clip: f64) {
    for layer in layers {
        let (all, factor) = (layer.all.clone(), to_norm(layer.norm(gradient), clip));
        add(&mut to[all.clone()], &gradient[all], factor);
    }
}

/// The factor that clips a vector of this norm. It is 0 if the norm is not finite.
pub(super) fn to_norm(norm: f64, clip: f64) -> f64 {
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

//! The models: logistic regression, and a network of two layers. Each is a list of parameters, its score of a
//! row is a log-odds, and its loss is the logistic one.

use std::num::NonZeroUsize;
use std::ops::Range;

/// A classifier of rows by their features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Classifier {
    /// A weight a feature, then the bias.
    Logistic,
    /// tanh units: a weight for each unit and feature, unit by unit, then their biases; then the weights of the
    /// units, and the bias.
    TwoLayer { hidden: NonZeroUsize },
}

impl Classifier {
    /// Number of parameters for `width` features.
    pub(super) fn parameters(self, width: usize) -> usize {
        self.last_layer(width)
            + match self {
                Self::Logistic => 1,
                Self::TwoLayer { hidden } => hidden.get() + 1,
            }
    }

    /// Start of the last layer: the weights of the units and their bias. The bias alone is the last layer of logistic
    /// regression.
    pub(super) fn last_layer(self, width: usize) -> usize {
        match self {
            Self::Logistic => width,
            Self::TwoLayer { hidden } => hidden.get() * (width + 1),
        }
    }

    pub(super) fn biases(self, width: usize) -> [Range<usize>; 2] {
        let last = self.parameters(width) - 1;
        let hidden = match self {
            Self::Logistic => last..last,
            Self::TwoLayer { hidden } => hidden.get() * width..hidden.get() * (width + 1),
        };
        [hidden, last..last + 1]
    }

    /// The parameters before the first step, the same for all datasets: 0, or, since a network of equal units
    /// would stay one, sin(i)/2 for the parameter i, counted from 1.
    pub(super) fn start(self, parameters: &mut [f64]) {
        match self {
            Self::Logistic => parameters.fill(0.0),
            Self::TwoLayer { .. } => (1..)
                .zip(parameters)
                .for_each(|(i, parameter)| *parameter = f64::from(i).sin() / 2.0),
        }
    }

    /// The logistic loss of a row of a class.
    pub(super) fn loss(self, parameters: &[f64], features: &[f64], class: f64) -> f64 {
        let odds = match self {
            Self::Logistic => affine(parameters, features),
            Self::TwoLayer { hidden } => {
                let (first, [weights @ .., bias]) =
                    parameters.split_at(self.last_layer(features.len()))
                else {
                    unreachable!("the last layer has a bias")
                };
                let (inner, biases) = first.split_at(hidden.get() * features.len());
                let units = inner.chunks_exact(features.len()).zip(biases).zip(weights);
                units.fold(*bias, |sum, ((inner, inner_bias), weight)| {
                    sum + weight * (dot(inner, features) + inner_bias).tanh()
                })
            }
        };
        odds.max(0.0) + (-odds.abs()).exp().ln_1p() - class * odds
    }

    /// The gradient of the loss of a row by the parameters.
    pub(super) fn gradient(
        self,
        parameters: &[f64],
        features: &[f64],
        class: f64,
        gradient: &mut [f64],
    ) {
        let width = features.len();
        match self {
            Self::Logistic => {
                let residual = residual(parameters, features, class);
                let (weights, bias) = gradient.split_at_mut(width);
                scaled(weights, features, residual);
                bias[0] = residual;
            }
            Self::TwoLayer { hidden } => {
                let hidden = hidden.get();
                let last = self.last_layer(width);
                let (first, outer) = parameters.split_at(last);
                let (inner, inner_biases) = first.split_at(hidden * width);
                let (d_first, d_outer) = gradient.split_at_mut(last);
                let (d_inner, d_inner_biases) = d_first.split_at_mut(hidden * width);
                // The activations, until the residual is known.
                let mut odds = outer[hidden];
                for (unit, activation) in d_outer[..hidden].iter_mut().enumerate() {
                    let weights = &inner[unit * width..][..width];
                    *activation = (dot(weights, features) + inner_biases[unit]).tanh();
                    odds += outer[unit] * *activation;
                }
                let residual = sigmoid(odds) - class;
                for (unit, of_unit) in d_inner.chunks_exact_mut(width).enumerate() {
                    let activation = d_outer[unit];
                    let back = residual * outer[unit] * (1.0 - activation * activation);
                    scaled(of_unit, features, back);
                    d_inner_biases[unit] = back;
                    d_outer[unit] = residual * activation;
                }
                d_outer[hidden] = residual;
            }
        }
    }
}

/// By how much logistic regression misses a class: its gradient is this times the features and 1.
pub(super) fn residual(parameters: &[f64], features: &[f64], class: f64) -> f64 {
    sigmoid(affine(parameters, features)) - class
}

/// The log-odds of logistic regression: the last parameter is the bias.
fn affine(parameters: &[f64], features: &[f64]) -> f64 {
    dot(&parameters[..features.len()], features) + parameters[features.len()]
}

fn scaled(to: &mut [f64], from: &[f64], factor: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = factor * from);
}

/// The inner product, in four partial sums, which need not wait for one another.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let length = a.len().min(b.len());
    let (fours_of_a, a) = a[..length].as_chunks::<4>();
    let (fours_of_b, b) = b[..length].as_chunks::<4>();
    let mut sums = [0.0; 4];
    // Indexed: the calls of a zipped iterator are not inlined here (`cargo bench --bench learning`: 16 000, not 23 000 a second).
    for four in 0..fours_of_a.len().min(fours_of_b.len()) {
        for place in 0..4 {
            sums[place] += fours_of_a[four][place] * fours_of_b[four][place];
        }
    }
    let mut rest = 0.0;
    for place in 0..a.len().min(b.len()) {
        rest += a[place] * b[place];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

pub(super) fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

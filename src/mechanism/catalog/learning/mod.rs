//! Private learning: models that are trained by DP-SGD (Abadi et al. 2016), right and with the mistakes
//! that trainings are known for.
//!
//! `sgd` reads the parameters and draws outcomes, `examples` reads the dataset, `model` has the gradients,
//! and `training` is one training run: choose a batch, clip, add noise, step.

mod examples;
mod mistake;
mod model;
mod sgd;
mod training;

pub(super) use sgd::DpSgd;

#[cfg(test)]
#[path = "../../../../tests/unit/mechanism/catalog/learning.rs"]
mod tests;

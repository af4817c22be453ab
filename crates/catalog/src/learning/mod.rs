//! Private learning, right and with the mistakes that it is known for: models that are trained by DP-SGD (Abadi et
//! al. 2016), logistic regression with a perturbed output or objective (`erm`; Chaudhuri et al. 2011), and teachers
//! that vote (`pate`; Papernot et al. 2017).
//!
//! `examples` reads the dataset. For DP-SGD `sgd` reads the parameters and draws outcomes, `model` has the
//! gradients, and `training` is one training run: choose a batch, clip, add noise, step. For regressions `minimum`
//! is Newton's method.

mod erm;
mod examples;
mod minimum;
mod mistake;
mod model;
mod pate;
mod sgd;
mod training;

pub(super) use erm::Erm;
pub(super) use pate::Pate;
pub(super) use sgd::DpSgd;

#[cfg(test)]
#[path = "../../tests/unit/learning.rs"]
mod tests;

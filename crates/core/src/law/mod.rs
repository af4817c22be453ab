//! Test of a sampler: draws against the law that its code intends, too much noise as well as too little.
//!
//! [`compare_with_law`] multiplies evidence as e-values: numbers whose mean under the law is at most 1. Their weighted mean is
//! again an e-value, and its inverse a p-value (Markov's inequality; Vovk, Wang 2021, *E-values: calibration, combination
//! and applications*, Ann. Statist. 49). Each part looks for one way to deviate: see [`Part`].

mod cells;
mod compare;
mod lattice;
mod named;
mod order;
mod parts;
mod tilt;
mod tree;

pub use compare::{Comparison, compare_with_law};
pub use named::{LawError, NamedLaw};
pub use parts::{Evidence, Part};

/// A law on the real line.
pub trait NoiseLaw {
    /// P(X ≤ x) for each x, or P(X > x) if `above`. Both are asked for, so that tails are accurate.
    fn tails(&self, at: &[f64], above: bool) -> Vec<f64>;

    /// `true` if all of its outcomes are whole numbers.
    fn is_discrete(&self) -> bool;

    /// Standard deviation of a normal law of mean 0.
    fn gaussian_sigma(&self) -> Option<f64> {
        None
    }
}

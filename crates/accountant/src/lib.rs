//! The accountant: what a composition of mechanisms costs in privacy, as a bracket around the
//! true value.
//!
//! ```text
//! Composition (events)  ──>  uses: a dominating pair from above and a realised pair from below
//!       └─> lattice: two laws on one grid, one more spread than the truth, one less
//!             └─> window: both composed by Fourier transform, tilted, with all errors added
//!                   └─> Curve: δ(ε) and ε(δ), each a Bracket
//! ```
//!
//! The true value is the best that holds for everything that the events describe: the largest δ(ε)
//! over all adaptive compositions of such mechanisms. docs/accountant.md states for each step what
//! is proved and what is argued.

mod component;
mod compose;
mod composition;
mod curve;
mod discretise;
mod error;
mod event;
mod expression;
mod filter;
mod method;
pub mod near;
pub mod normal;
pub mod number;
mod power;
mod rules;
mod solve;

pub use composition::Composition;
pub use curve::Curve;
pub use error::AccountantError;
pub use event::{Event, EventKind, LARGEST_COUNT, Relation, Sampling};
pub use filter::{Amount, Filter};
pub use method::{Bracket, Method};
pub use solve::Unknown;

#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;

//! Code that draws real noise: written once, run as a sampler, followed path by path, and proved.
//!
//! ```text
//! Aligned (a function of answers and Draws)
//!   ├─> Sampler   numbers                                         ──> outcomes, for audits
//!   └─> paths     answers and draws as unknowns, branches as rows ──> Vec<Path>
//!         ├─> search     for each region a shift of the draws     ──> Certificate
//!         │     └─> check   with exact rationals, by itself       ──> ε for all neighbors
//!         └─> integral   the probability of a region on one pair  ──> bounds on P and Q
//! ```
//!
//! The search may be wrong, or find nothing: a proof is what [`check`] accepts.

mod affine;
mod certificate;
mod check;
mod draws;
mod integral;
mod paths;
pub mod sample;
mod sampler;
mod search;
mod shift;
mod simplex;
mod tape;

pub use affine::{Affine, Unknown};
pub use certificate::{Certificate, Cover, Moves, Piece, Shift};
pub use check::{Rejected, check, check_regions};
pub use draws::{Aligned, Draws, Noise, Real};
pub use integral::{Bounds, in_cells, probability};
pub use paths::{Written, paths};
pub use sampler::{Cells, Sampler};
pub use search::{Found, regions, search};
pub use tape::{Cell, Draw, NotFollowed, Path, Row, Tape};

//! Search: from the description of a domain to pairs of neighboring datasets that may reveal much.
//!
//! ```text
//! SearchDomain + Relation ──> candidates ──> Plan ──> Pair of datasets
//!                                             ^  │
//!                                             └──┘ mutate
//! ```
//!
//! A [`Plan`] is a few numbers that determine a pair, so that thousands of pairs of a million rows
//! can be considered while one or two are in memory. The choice of plans that deserve more trials
//! is made in `audit`, where mechanisms are run. Errors here cannot raise a false alarm: a pair is
//! checked under the relation when it is made, and its findings are confirmed on other trials.
//!
//! The same candidates show how far a query without noise moves: [`check_sensitivity`].

mod block;
mod candidates;
mod described;
mod domain;
mod mutate;
mod people;
mod person;
mod plan;
mod sensitivity;
mod shrink;
mod smaller;

pub use block::PersonRows;
pub use candidates::{Candidates, candidates};
pub use described::Described;
pub use domain::{MOST_CELLS, MOST_ROWS, SearchDomain, SearchDomainError, Values};
pub use mutate::mutate;
pub use plan::{Fill, Neighborhood, Plan, PlanChange};
pub(crate) use sensitivity::furthest_apart;
pub use sensitivity::{
    Answer, Moved, Norm, Sensitivity, SensitivityCheck, check_sensitivity, compare_answers,
    exactly_neighbors,
};
pub use shrink::simpler;
pub use smaller::{fingerprint, simpler_plans};

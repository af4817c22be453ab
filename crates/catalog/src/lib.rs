//! Mechanisms with known truth: right ones and known-broken ones, one module per family. It does not know audits.
//!
//! A broken mechanism is the right one with the mistake as a parameter (`calibration = "classic"`,
//! `clamping = "forgotten"`), so that both run the same code except for the mistake.

mod additive;
mod broken;
mod by_choices;
mod composition;
mod counting;
mod drawn;
mod family;
mod grid;
mod kinds;
mod learning;
mod local;
mod parameter;
mod propose_test_release;
mod query;
mod randomized_response;
mod selection;
mod sparse_vector;
mod stable_histogram;

pub use additive::analytic_sigma;
pub use kinds::{KINDS, build};
pub use kinds::{build_from_json, to_toml};
pub use plaudit_aligned::sample;
pub use stable_histogram::threshold_for;

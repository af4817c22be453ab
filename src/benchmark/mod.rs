//! The detection benchmark: mechanisms of the catalog, right and broken, each audited at several
//! budgets, next to their known losses.
//!
//! `catalog.toml` holds the mechanisms; [`cases`] reads them, [`Case::run`] audits one, and
//! [`markdown`] makes a table of the results.

mod catalog;
mod row;
mod table;

pub use catalog::{Case, CatalogError, Truth, cases};
pub use row::{BudgetResult, FirstViolation, MechanismRow};
pub use table::markdown;

use plaudit_core::finding::Tool;
use serde::Serialize;

/// A run of the benchmark, for JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Benchmark {
    pub tool: Tool,
    /// Confidence of each certified number, taken alone.
    pub confidence: f64,
    /// Audits of each mechanism at each budget; their seeds are 1, 2, …
    pub seeds: u64,
    pub jobs: usize,
    pub wall_s: f64,
    pub rows: Vec<MechanismRow>,
}

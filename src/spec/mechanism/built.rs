//! A mechanism that was read.

use crate::finding::MechanismSummary;
use crate::mechanism::catalog::CatalogMechanism;
use crate::spec::error::Mistake;

/// A mechanism and what reports say of it.
pub(in crate::spec) struct Built {
    pub mechanism: Box<dyn CatalogMechanism>,
    pub summary: MechanismSummary,
    /// What keeps its program from being started, if it is one.
    pub missing: Option<Mistake>,
}

/// The kind of programs.
pub(in crate::spec) const PROCESS: &str = "process";

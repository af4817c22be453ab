//! A mechanism that was read.

use crate::spec::error::Mistake;
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::{MechanismKind, MechanismSummary};
use plaudit_engine::mechanism::{CatalogMechanism, Function};
use serde_json::Value as Json;
use std::sync::Arc;

/// A mechanism and its summary for reports.
pub(in crate::spec) struct Built {
    pub mechanism: Box<dyn CatalogMechanism>,
    pub summary: MechanismSummary,
    /// Obstacle to starting its program, if it is one.
    pub missing: Option<Mistake>,
}

/// A function of this process, and the pairs on which it is audited.
pub struct FunctionSpec {
    pub function: Arc<dyn Function>,
    /// Command that starts a fresh copy of the function, which speaks the protocol of programs, if it exists.
    pub copies: Option<Vec<String>>,
    /// `true` if copies answer all requests, one a thread.
    pub run_in_copies: bool,
    /// Neighbors; empty if the spec has a `domain`.
    pub pairs: Vec<Pair<Dataset>>,
}

/// Mistake in asking for the time of a mechanism in stages, and what to do.
pub(in crate::spec) const NO_TIME: (&str, &str) =
    ("the time of a noise stage is not that of a run", "time whole runs: write a `command`");

impl Built {
    /// A mechanism that describes itself, and that can be started.
    pub fn new(
        kind: MechanismKind,
        parameters: Json,
        mechanism: Box<dyn CatalogMechanism>,
    ) -> Self {
        let (description, post) = (mechanism.describe(), Vec::new());
        let summary = MechanismSummary { kind, parameters, description, post };
        Self { mechanism, summary, missing: None }
    }

    /// `true` if a clean stage runs once for each dataset, and what is run is a noise stage.
    pub(in crate::spec) fn is_staged(&self) -> bool {
        self.takes_any_value() && self.summary.parameters.get("clean").is_some()
    }

    /// `true` if it is a program, or a function that is asked like one: it takes any value for a dataset.
    pub(in crate::spec) fn takes_any_value(&self) -> bool {
        self.summary.kind.is_asked()
    }
}

//! One audit: the flow from a claim to a finding.

use crate::claim::Claim;
use crate::dataset::Pair;
use crate::game::{Control, Tally};
use crate::inference::Test;
use crate::mechanism::{Mechanism, WrongCount};
use crate::report::{Expectation, Finding, MechanismSummary, Tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything that an audit is: what is claimed, of which mechanism, on which neighbors, with what
/// budget.
pub struct Audit<D> {
    /// Its name, unique in a run: part of the random streams' names.
    pub name: String,
    /// The mechanism.
    pub mechanism: Box<dyn Mechanism<D> + Send>,
    /// The mechanism, for readers.
    pub summary: MechanismSummary,
    /// The neighboring relation, in words.
    pub relation: String,
    /// Pairs of neighbors; explore picks one.
    pub pairs: Vec<Pair<D>>,
    /// The claim under test.
    pub claim: Claim,
    /// Runs of the mechanism, explore and confirm and both datasets together.
    pub trials: u64,
    /// Level of a false alarm, over all pairs, directions and witnesses.
    pub alpha: f64,
    /// Seed of the random streams.
    pub seed: u64,
    /// What the verdict is expected to be.
    pub expect: Expectation,
}

/// Why an audit gave no finding at all.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// Somebody interrupted it (Ctrl-C).
    #[error("interrupted")]
    Interrupted,
    /// The audit has no pair of datasets.
    #[error("audit `{0}` has no pair of datasets: give at least one")]
    NoPairs(String),
}

/// What an audit gives.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The finding, for the report.
    pub finding: Finding,
    /// The certificate, if the claim is violated.
    pub certificate: Option<Certificate>,
}

impl<D: Serialize + Sync> Audit<D> {
    /// Explores, freezes a witness, confirms, infers.
    ///
    /// # Errors
    /// If it is interrupted, or there is no pair.
    pub fn run(&self, _control: &Control<'_>) -> Result<Audited, AuditError> {
        todo!()
    }
}

/// All that is needed to check a violation without trusting the search: datasets, frozen witness,
/// test, tally, streams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of this shape, "1".
    pub schema_version: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// Name of the audit.
    pub audit: String,
    /// The mechanism: kind and parameters build it again.
    pub mechanism: MechanismSummary,
    /// The neighboring relation, in words.
    pub relation: String,
    /// The claim that is violated.
    pub claim: Claim,
    /// Level of the test.
    pub alpha: f64,
    /// The frozen test.
    pub test: Test,
    /// Runs counted.
    pub confirm: u64,
    /// Seed of the random streams.
    pub seed: u64,
    /// Number of the pair in the audit (part of the streams' names).
    pub pair_index: usize,
    /// Both datasets, whole.
    pub pair: Pair<Value>,
    /// The counts.
    pub tally: Tally,
    /// The p-value of the claim.
    pub p_value: f64,
    /// Certified lower bound on ε at the claim's δ.
    pub epsilon_lower: f64,
}

/// What came of playing a certificate again with other randomness.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Whether the violation shows again at the certificate's level.
    pub holds: bool,
    /// The new counts.
    pub tally: Tally,
    /// The new p-value.
    pub p_value: f64,
    /// The new bound.
    pub epsilon_lower: f64,
}

impl Certificate {
    /// Plays the same witness again, on the datasets given, with a seed of your choice. The
    /// certificate's own seed repeats its counts, and is no new evidence.
    ///
    /// # Errors
    /// If it is interrupted, or the mechanism breaks its contract.
    pub fn replay<D: Sync + ?Sized>(
        &self,
        _mechanism: &(dyn Mechanism<D> + '_),
        _d: &D,
        _d_prime: &D,
        _seed: u64,
        _control: &Control<'_>,
    ) -> Result<Replay, ReplayError> {
        todo!()
    }
}

/// Why a certificate could not be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Somebody interrupted it (Ctrl-C).
    #[error("interrupted")]
    Interrupted,
    /// See [`WrongCount`].
    #[error(transparent)]
    WrongCount(#[from] WrongCount),
}

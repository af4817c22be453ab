//! Attacks that a spec plans, and what comes out of each as a finding.

use super::anonymity;
use super::average::{Averaging, AveragingError, MOST_QUERIES, Service, average};
use super::infer::InferQuestion;
use super::link::LinkQuestion;
use super::membership::{Membership, Question, measure};
use super::reconstruct::{Database, Rebuilt, ReconstructError, Setup, reconstruct};
use super::scores::Scores;
use super::single::SingleQuestion;
use super::words::{self, AttackTold};
use plaudit_core::claim::ClaimError;
use plaudit_core::finding::AttackFinding;
use plaudit_core::random::{Phase, Streams};
use serde_json::json;

#[derive(Clone, Debug)]
pub struct PlannedAttack {
    pub name: String,
    pub about: Option<String>,
    pub seed: u64,
    /// `true` if it is expected to reach its goal.
    pub expected: bool,
    pub of: AttackPlan,
}

#[derive(Clone, Debug)]
pub enum AttackPlan {
    /// One question is asked repeatedly. The goal is to err less often than `below`.
    Average {
        service: Service,
        /// Times that it may be asked.
        queries: u64,
        /// The error that counts as success.
        below: f64,
    },
    /// A table of `entries` random bits is rebuilt. The goal is to have 99 % of them right in some row.
    Reconstruct { entries: usize, setups: Vec<Setup> },
    /// Scores of members and of others. The goal is to refute the claim; without a claim, an advantage above 0.
    Membership { scores: Scores, question: Question },
    /// Two tables are joined. The goal is to link one released row in a hundred, rightly where that is known.
    Link(LinkQuestion),
    /// A release, the original and a control. The goal is an excess certified to be above the allowed one.
    SingleOut(SingleQuestion),
    /// A release, the original and a control. The goal is the same.
    Infer(InferQuestion),
}

/// Reason why an attack cannot be run as planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Average(#[from] AveragingError),
    #[error(transparent)]
    Reconstruct(#[from] ReconstructError),
    /// Scores and what is asked of them.
    #[error(transparent)]
    Membership(#[from] ClaimError),
    /// Tables, and what is asked of them.
    #[error("{0}")]
    Tables(String),
}

impl PlannedAttack {
    /// Checks that it can be run: quick, and draws nothing.
    ///
    /// # Errors
    /// If a number is impossible.
    pub fn check(&self) -> Result<(), PlanError> {
        match &self.of {
            AttackPlan::Average { service, queries, .. } => {
                // A number of queries that is possible takes long.
                let is_possible = (1..=MOST_QUERIES).contains(queries);
                average(*service, if is_possible { 1 } else { *queries })?;
            }
            AttackPlan::Reconstruct { entries, setups } => {
                setups.iter().try_for_each(|setup| setup.check(*entries))?;
            }
            AttackPlan::Membership { .. } => {}
            AttackPlan::Link(question) => question.check().map_err(PlanError::Tables)?,
            AttackPlan::SingleOut(question) => question.check().map_err(PlanError::Tables)?,
            AttackPlan::Infer(question) => question.check().map_err(PlanError::Tables)?,
        }
        Ok(())
    }

    /// Attacks. The same seed gives the same finding.
    ///
    /// # Errors
    /// If a number is impossible.
    pub fn run(&self) -> Result<AttackFinding, PlanError> {
        let AttackTold { kind, setting, outcome, succeeded, table, picture, details } =
            self.told()?;
        let alpha = match &self.of {
            AttackPlan::Membership { question, .. } => Some(question.alpha),
            AttackPlan::SingleOut(question) => Some(question.alpha),
            AttackPlan::Infer(question) => Some(question.alpha),
            _ => None,
        };
        Ok(AttackFinding {
            name: self.name.clone(),
            about: self.about.clone(),
            kind,
            setting,
            outcome,
            succeeded,
            expected: self.expected,
            seed: self.seed,
            alpha,
            table,
            picture,
            details,
            identity: Some(self.identity()),
        })
    }

    fn told(&self) -> Result<AttackTold, PlanError> {
        let streams = |of: &str, phase| Streams::new(self.seed, of).block(0, phase);
        Ok(match &self.of {
            AttackPlan::Average { service, queries, below } => {
                let found: Averaging = average(*service, *queries)?;
                words::of_average(&found, *below, json!(found))
            }
            AttackPlan::Reconstruct { entries, setups } => {
                let streams = streams("attack reconstruct", Phase::Rebuild);
                let database = Database::drawn(*entries, &mut streams(0));
                let rows =
                    setups.iter().map(|setup| reconstruct(&database, setup, &mut streams(1)));
                let rows: Vec<Rebuilt> = rows.collect::<Result<_, _>>()?;
                let ones = database.ones();
                let details = json!({ "entries": entries, "ones": ones, "rows": rows });
                words::of_reconstruction((*entries, ones), setups, &rows, details)
            }
            AttackPlan::Membership { scores, question } => {
                let mut random = streams("attack membership", Phase::Split)(0);
                let found: Membership = measure(scores.clone(), question, &mut random)?;
                words::of_membership(&found, json!(found))
            }
            AttackPlan::Link(question) => {
                let (found, published) = question.answer(self.seed).map_err(PlanError::Tables)?;
                let details = json!({ "found": found, "published": published });
                words::of_linkage(question, &found, published.as_ref(), details)
            }
            AttackPlan::SingleOut(question) => {
                let (found, columns) = question.answer(self.seed).map_err(PlanError::Tables)?;
                let details = json!({ "columns": columns, "found": found });
                anonymity::of_single_out(question, &columns, &found, details)
            }
            AttackPlan::Infer(question) => {
                let found = question.answer().map_err(PlanError::Tables)?;
                anonymity::of_inference(question, &found, json!(found))
            }
        })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/attack/planned.rs"]
mod tests;

//! Counterexamples to a declared sensitivity: all that is needed to check one, which takes two answers
//! of the query and a subtraction.

use crate::audit::certificate::derived::Disagreement;
use crate::audit::certificate::{ReplayError, digest, whole};
use crate::audit::settings::Audit;
use crate::dataset::{Dataset, Pair, Relation, Sensitivity};
use crate::finding::{MechanismSummary, SCHEMA_VERSION, Tool, WrittenAnswer};
use crate::game::GameError;
use crate::mechanism::{Answer, Mechanism, query_of};
use crate::search::compare_answers;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Two neighbors whose exact answers are further apart than what is declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
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
    /// The same relation as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbors: Option<Relation>,
    /// What is declared.
    pub sensitivity: Sensitivity,
    /// Both datasets, whole.
    pub pair: Pair<Value>,
    /// What the query answers on D.
    pub answer_d: WrittenAnswer,
    /// What it answers on D'.
    pub answer_d_prime: WrittenAnswer,
    /// How far apart they are, rounded to the nearest double.
    #[serde(with = "crate::number::one")]
    pub distance: f64,
    /// SHA-256 of all of the above: [`Counterexample::sealed`] adds it, and [`Seal::of`] checks it.
    ///
    /// [`Seal::of`]: crate::audit::Seal::of
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// What came of asking the query again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recheck {
    /// Whether the answers are further apart than what is declared.
    pub holds: bool,
    /// Whether they are those of the counterexample.
    pub same_answers: bool,
    /// The new answer on D.
    pub answer_d: WrittenAnswer,
    /// The new answer on D'.
    pub answer_d_prime: WrittenAnswer,
    /// How far apart they are, rounded to the nearest double.
    #[serde(with = "crate::number::one")]
    pub distance: f64,
}

impl Counterexample {
    pub(in crate::audit) fn of<D: Serialize>(
        audit: &Audit<D>,
        sensitivity: Sensitivity,
        pair: &Pair<D>,
        [on_d, on_d_prime]: &[Answer; 2],
        distance: f64,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            tool: Tool::this(),
            audit: audit.name.clone(),
            mechanism: audit.summary.clone(),
            relation: audit.relation.to_string(),
            neighbors: audit.relation.checked().cloned(),
            sensitivity,
            pair: whole(pair),
            answer_d: WrittenAnswer::whole(on_d),
            answer_d_prime: WrittenAnswer::whole(on_d_prime),
            distance,
            digest: None,
        }
    }

    /// The counterexample as it is written to a file, with its digest.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn sealed(mut self) -> serde_json::Result<Value> {
        let datasets = [self.pair.d.take(), self.pair.d_prime.take()];
        digest::written(self, datasets)
    }

    /// All that it says otherwise than what follows from its answers.
    ///
    /// # Errors
    /// That its own answers do not exceed what is declared.
    pub fn disagreements(&self) -> Result<Vec<Disagreement>, String> {
        let answers = [self.answer_d.clone().into(), self.answer_d_prime.clone().into()];
        let (distance, exceeds) = compare_answers(&answers, self.sensitivity);
        let distance = Disagreement::of_numbers("distance", self.distance, distance, "the answers");
        let relation = Disagreement::of_relation(&self.relation, self.neighbors.as_ref());
        let found: Vec<_> = distance.into_iter().chain(relation).collect();
        match found.is_empty() && !exceeds {
            true => Err(format!("its own answers do not exceed the {}", self.sensitivity)),
            false => Ok(found),
        }
    }

    /// Asks the query again on the datasets given (those of the counterexample, read back), and compares
    /// exactly. That they are neighbors is yours to check.
    ///
    /// # Errors
    /// If it is interrupted, or the mechanism does not answer.
    pub fn recheck<D: ?Sized>(
        &self,
        mechanism: &dyn Mechanism<D>,
        [d, d_prime]: [&D; 2],
        interrupted: &AtomicBool,
    ) -> Result<Recheck, ReplayError> {
        let answer = |dataset: &D| {
            let answered = query_of(mechanism, dataset, interrupted).map_err(GameError::from)?;
            let silent = || {
                let why = "the mechanism does not say what its query answers without noise";
                GameError::Broken(why.into())
            };
            answered.ok_or_else(silent)
        };
        let answers = [answer(d)?, answer(d_prime)?];
        mechanism.finish();
        let (distance, holds) = compare_answers(&answers, self.sensitivity);
        let same_answers = same(&answers[0], &self.answer_d.clone().into())
            && same(&answers[1], &self.answer_d_prime.clone().into());
        let [answer_d, answer_d_prime] = [&answers[0], &answers[1]].map(WrittenAnswer::whole);
        Ok(Recheck { holds, same_answers, answer_d, answer_d_prime, distance })
    }

    /// Whether its parts can be what they say.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, pair: &Pair<Dataset>, relation: &Relation) -> Result<(), String> {
        if !self.sensitivity.is_possible() {
            return Err("its sensitivity is not a finite number above 0".into());
        }
        relation.check(&pair.d, &pair.d_prime).map_err(|error| error.to_string())?;
        match crate::search::exactly_neighbors(pair, relation) {
            true => Ok(()),
            false => Err(format!("the datasets are no neighbors under {relation}, by a little")),
        }
    }
}

/// Whether answers are the same, bit by bit; any NaN is any other, and any failure.
pub(in crate::audit) fn same(a: &Answer, b: &Answer) -> bool {
    let number = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    match (a, b) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(number),
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

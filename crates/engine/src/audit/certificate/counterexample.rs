//! Counterexamples to a declared sensitivity. Checking one takes two answers and a subtraction.

use crate::audit::certificate::ReplayError;
use crate::audit::certificate::disagreement::Disagreement;
use crate::audit::certificate::envelope::{Content, Envelope};
use crate::audit::settings::Audit;
use crate::game::GameError;
use crate::mechanism::{Answer, Mechanism, query_of};
use crate::search::compare_answers;
use plaudit_core::dataset::{Pair, Sensitivity};
use plaudit_core::finding::WrittenAnswer;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// Two neighbors whose exact answers are further apart than declared.
pub type Counterexample = Envelope<ExceedingAnswers>;

/// Answers further apart than the declared sensitivity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceedingAnswers {
    /// Declared sensitivity.
    pub sensitivity: Sensitivity,
    /// Answer of the query on D.
    pub answer_d: WrittenAnswer,
    /// Answer of the query on D'.
    pub answer_d_prime: WrittenAnswer,
    /// Distance of the answers, rounded to the nearest double.
    #[serde(with = "plaudit_accountant::number::one")]
    pub distance: f64,
}

/// Result of asking the query again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recheck {
    /// `true` if the answers are further apart than declared.
    pub holds: bool,
    /// `true` if the answers equal those of the counterexample.
    pub same_answers: bool,
    pub answer_d: WrittenAnswer,
    pub answer_d_prime: WrittenAnswer,
    /// Distance of the answers, rounded to the nearest double.
    #[serde(with = "plaudit_accountant::number::one")]
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
        let content = ExceedingAnswers {
            sensitivity,
            answer_d: WrittenAnswer::whole(on_d),
            answer_d_prime: WrittenAnswer::whole(on_d_prime),
            distance,
        };
        Self::of_audit(audit, pair, content)
    }

    /// Asks the query again on the given datasets (those of the counterexample, read back) and
    /// compares exactly. The caller checks that they are neighbors.
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
                let why = "the mechanism does not report its query's answer without noise";
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
}

impl Content for ExceedingAnswers {
    fn compare(&self, found: &mut Vec<Disagreement>) -> Result<(), String> {
        let answers = [self.answer_d.clone().into(), self.answer_d_prime.clone().into()];
        let (distance, exceeds) = compare_answers(&answers, self.sensitivity);
        found.extend(Disagreement::of_numbers("distance", self.distance, distance, "the answers"));
        match found.is_empty() && !exceeds {
            true => Err(format!("its own answers do not exceed the {}", self.sensitivity)),
            false => Ok(()),
        }
    }
}

/// `true` if answers are equal bit by bit. All NaNs are equal, and so are all failures.
pub(in crate::audit) fn same(a: &Answer, b: &Answer) -> bool {
    let number = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    match (a, b) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(number),
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

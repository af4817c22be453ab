//! Randomized response with any number of answers.

use super::{ChoiceFamily, released, whole_numbers};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::{Coin, Fraction, Rational};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// `k-ary-randomized-response` (Kairouz, Oh, Viswanath 2014): each person reports their answer, one
/// of 0..k, with probability `truth`, and else one of the k drawn uniformly.
/// ln(1 + k·t/(1 − t))-DP for each person.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct KAryRandomizedResponse {
    answers: u32,
    truth: Fraction,
    coin: Coin,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    answers: u32,
    truth: Fraction,
}

impl TryFrom<Parameters> for KAryRandomizedResponse {
    type Error = String;
    fn try_from(Parameters { answers, truth }: Parameters) -> Result<Self, String> {
        if answers < 2 {
            return Err(format!("answers = {answers} is invalid: must be at least 2"));
        }
        let between = truth.numerator() > 0 && truth.numerator() < truth.denominator();
        let coin = Coin::new(Rational::from(truth)).filter(|_| between).ok_or_else(|| {
            format!("truth = {truth} is invalid: must be strictly between 0 and 1")
        })?;
        Ok(Self { answers, truth, coin })
    }
}

impl ChoiceFamily for KAryRandomizedResponse {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        let answers = whole_numbers(dataset)?;
        let k = i64::from(self.answers);
        match answers.iter().position(|answer| !(0..k).contains(answer)) {
            Some(at) => {
                Err(format!("answers are 0 to {}, but entry {at} is {}", k - 1, answers[at]))
            }
            None => Ok(answers),
        }
    }

    fn release(&self, answers: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let told = answers.iter().map(|&answer| {
            if choices.coin(&self.coin) {
                answer
            } else {
                choices.uniform(self.answers.into()) as i64
            }
        });
        released(&told.collect::<Vec<_>>())
    }

    /// Rows have no other values than the answers.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        values.len() >= self.answers as usize
    }

    fn describe(&self) -> String {
        format!(
            "tells each answer with probability {}, else one of the {} answers drawn uniformly",
            self.truth, self.answers
        )
    }
}

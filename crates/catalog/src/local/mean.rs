//! One bit for the mean of bounded numbers.

use super::super::by_choices::ChoiceFamily;
use super::{Odds, answer, chance_of, coin, within};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::{Coin, Rational};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MeanMistake {
    /// The number is rounded to 0 or `most` by chance, and that is reported as it is.
    RoundingOnly,
}

/// `one-bit-mean` (Ding, Kulkarni, Yekhanin 2017): 1 for a number x from 0 to `most` with probability
/// 1/(odds + 1) + (x/most)·(odds − 1)/(odds + 1), else 0. ln(odds)-DP.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct OneBitMean {
    most: u32,
    /// P(1) for the number 0.
    least: Rational,
    mistake: Option<MeanMistake>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    most: u32,
    odds: Odds,
    mistake: Option<MeanMistake>,
}

impl TryFrom<Parameters> for OneBitMean {
    type Error = String;
    fn try_from(Parameters { most, odds, mistake }: Parameters) -> Result<Self, String> {
        let most = within("most", most, 1, u32::MAX - 1)?;
        let least = match mistake {
            None => Rational::ONE - chance_of(&odds.get(), 1),
            Some(MeanMistake::RoundingOnly) => Rational::ZERO,
        };
        Ok(Self { most, least, mistake })
    }
}

impl ChoiceFamily for OneBitMean {
    type Exact = Coin;

    fn read(&self, dataset: &Dataset) -> Result<Coin, String> {
        let number = answer(dataset, self.most + 1)?;
        let part = Rational::from_parts(number.into(), self.most.into());
        Ok(coin(&self.least + part * (Rational::ONE - &self.least - &self.least)))
    }

    fn release(&self, one: &Coin, choices: &mut Choices<'_>) -> Outcome {
        Outcome::Integer(choices.coin(one).into())
    }

    /// The chances of the ends are the furthest apart.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        let has = |end: u32| values.iter().any(|value| value.number() == Some(end.into()));
        has(0) && has(self.most)
    }

    fn describe(&self) -> String {
        let rounding = if self.mistake.is_some() { ", by rounding only" } else { "" };
        format!(
            "reports a bit for a number from 0 to {}, 1 with probability {} for 0, and rising evenly to \
             {}{rounding}",
            self.most,
            self.least,
            Rational::ONE - &self.least
        )
    }
}

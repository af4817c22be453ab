//! Noise of which each party adds a share.

use super::super::by_choices::{ChoiceFamily, released, whole_numbers};
use super::{Odds, within};
use plaudit_core::dataset::Dataset;
use plaudit_engine::mechanism::choice::{Coin, Rational};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ShareMistake {
    /// One party adds nothing.
    ShareMissing,
}

/// `laplace-shares` (Goryczka & Xiong 2017; Prio's sums with distributed noise): to each whole number, each of the `parties`
/// adds the difference of two Pólya numbers of r = 1/parties and q = 1/odds. Their sum is discrete Laplace noise,
/// P(z) = (1 − q)/(1 + q)·q^|z|: (Δ₁·ln(odds))-DP.
#[derive(Deserialize)]
#[serde(try_from = "Parameters")]
pub(in super::super) struct LaplaceShares {
    parties: u32,
    /// Parties that add their share.
    adding: u32,
    more: Coin,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    parties: u32,
    odds: Odds,
    mistake: Option<ShareMistake>,
}

impl TryFrom<Parameters> for LaplaceShares {
    type Error = String;
    fn try_from(Parameters { parties, odds, mistake }: Parameters) -> Result<Self, String> {
        let parties = within("parties", parties, 2, 1000)?;
        let adding = if mistake.is_some() { parties - 1 } else { parties };
        Ok(Self { parties, adding, more: super::coin(Rational::ONE / odds.get()) })
    }
}

/// The coin of q, the number of parties, and how many of them add a share.
type Shares = (Coin, u32, u32);

/// A Pólya number: P(k) ~ q^k·Π (i − 1 + r)/i over i = 1..k, r = 1/parties. Each factor of the product is
/// at most 1: a geometric number is accepted with that probability.
fn polya((more, parties, _): &Shares, choices: &mut Choices<'_>) -> Option<i64> {
    let parties = u128::from(*parties);
    let mut number = 0;
    while choices.coin(more) {
        if !choices.chance(number * parties + 1, (number + 1) * parties) {
            return None;
        }
        number += 1;
    }
    i64::try_from(number).ok()
}

fn share(shares: &Shares, choices: &mut Choices<'_>) -> i64 {
    let up = choices.until(shares, polya);
    up - choices.until(shares, polya)
}

/// The sum of all shares. Its law for n shares is a part of that for n + 1.
fn sum(shares: &Shares, choices: &mut Choices<'_>) -> i64 {
    let (more, parties, adding) = shares;
    if *adding == 0 {
        return 0;
    }
    let others = choices.part(&(more.clone(), *parties, adding - 1), sum);
    // The same for each party, so that a proof finds its law once.
    others + choices.part(&(more.clone(), *parties, 1), share)
}

impl ChoiceFamily for LaplaceShares {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, numbers: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let shares = (self.more.clone(), self.parties, self.adding);
        let noisy = |number: &i64| number + choices.part(&shares, sum);
        released(&numbers.iter().map(noisy).collect::<Vec<_>>())
    }

    fn describe(&self) -> String {
        format!(
            "adds {} of {} shares of discrete Laplace noise, P(z) ~ ({})^|z|, to each whole number",
            self.adding,
            self.parties,
            self.more.probability()
        )
    }
}

//! Protocols of local privacy: one person's report, drawn by [`Choices`](plaudit_engine::mechanism::Choices).
//!
//! e^ε is a fraction, `odds`: with it all probabilities are fractions, and the laws are exact. Where the papers
//! split ε among two bits, the odds of each are the square root, which must be a fraction, too.

pub(super) mod bits;
pub(super) mod hashing;
pub(super) mod mean;
pub(super) mod sets;
pub(super) mod shares;

use super::family::single_number;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_engine::mechanism::Choices;
use plaudit_engine::mechanism::choice::{Coin, Fraction, Rational};
use serde::Deserialize;

/// A fraction above 1, mostly e^ε; numerator and denominator are below 2³².
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Fraction")]
struct Odds(Fraction);

impl TryFrom<Fraction> for Odds {
    type Error = String;
    fn try_from(odds: Fraction) -> Result<Self, String> {
        let fits = odds.numerator() <= u64::from(u32::MAX);
        if odds.numerator() > odds.denominator() && fits {
            Ok(Self(odds))
        } else {
            Err(format!(
                "{odds} is invalid: must be above 1, of numerator and denominator below 2^32"
            ))
        }
    }
}

impl Odds {
    fn get(self) -> Rational {
        self.0.into()
    }

    /// e^(ε/2).
    ///
    /// # Errors
    /// If that is not a fraction.
    fn root(self, name: &str) -> Result<Rational, String> {
        let root = |part: u64| Some(part.isqrt()).filter(|root| root * root == part);
        let (up, down) = (self.0.numerator(), self.0.denominator());
        match (root(up), root(down)) {
            (Some(up), Some(down)) => Ok(Rational::from_parts(up.into(), down.into())),
            _ => Err(format!(
                "{name} = {} is invalid: must be the square of a fraction, such as 9 or 9/4, since \
                 two bits spend half of ε each",
                self.0
            )),
        }
    }
}

/// odds/(odds + others): of `others` + 1 options, the probability of the one that is likelier than
/// each other by these odds.
fn chance_of(odds: &Rational, others: u64) -> Rational {
    odds / (odds + Rational::from(others))
}

fn coin(probability: Rational) -> Coin {
    Coin::new(probability).expect("it is a probability")
}

/// # Errors
/// If `value` is not from `least` to `most`.
fn within(name: &str, value: u32, least: u32, most: u32) -> Result<u32, String> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(format!("{name} = {value} is invalid: must be from {least} to {most}"))
    }
}

/// A person's answer: one whole number below `answers`.
fn answer(dataset: &Dataset, answers: u32) -> Result<u32, String> {
    let value = single_number(dataset)?;
    if value.fract() == 0.0 && (0.0..f64::from(answers)).contains(&value) {
        Ok(value as u32)
    } else {
        Err(format!(
            "the mechanism takes one person's answer, a whole number from 0 to {}, and this is {}",
            answers - 1,
            words(value)
        ))
    }
}

/// Entry (row, column) of Sylvester's Hadamard matrix: `true` for +1.
fn hadamard(row: u32, column: u32) -> bool {
    (row & column).count_ones().is_multiple_of(2)
}

/// Generalized randomized response (Kairouz, Oh, Viswanath 2014): an option is kept with
/// odds/(odds + options − 1), and else replaced by any of the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Response {
    options: u32,
    keep: Coin,
}

impl Response {
    fn new(options: u32, odds: Odds) -> Self {
        Self { options, keep: coin(chance_of(&odds.get(), u64::from(options) - 1)) }
    }

    fn draw(&self, option: u32, choices: &mut Choices<'_>) -> u32 {
        if choices.coin(&self.keep) {
            return option;
        }
        let other = choices.uniform(u64::from(self.options) - 1) as u32;
        if other < option { other } else { other + 1 }
    }
}

/// How often a person reports, and what is remembered between the reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reports<T> {
    number: u32,
    /// The second round, whose randomness is fresh for each report.
    instant: Option<T>,
    /// The first round is drawn once.
    memoised: bool,
}

impl<T> Reports<T> {
    /// Draws all reports: each from the first round by way of the second.
    fn draw<V: Copy>(
        &self,
        choices: &mut Choices<'_>,
        first: impl Fn(&mut Choices<'_>) -> V,
        second: impl Fn(&T, V, &mut Choices<'_>) -> V,
    ) -> Vec<V> {
        let mut kept = first(choices);
        let mut reports = Vec::with_capacity(self.number as usize);
        for at in 0..self.number {
            if at > 0 && !self.memoised {
                kept = first(choices);
            }
            reports.push(match &self.instant {
                Some(instant) => second(instant, kept, choices),
                None => kept,
            });
        }
        reports
    }

    fn words(&self) -> String {
        let rounds = if self.instant.is_some() { ", with a second round for each" } else { "" };
        let again = if self.memoised { "from one first round" } else { "each drawn anew" };
        match self.number {
            1 if self.instant.is_none() => String::new(),
            1 => ", by way of a second round".to_owned(),
            number => format!("; {number} reports, {again}{rounds}"),
        }
    }
}

//! Selection among whole-number utilities: the mechanism names a good one by its place, counted
//! from 0.

use super::super::selection::MaxRelease;
use super::noise::scale_of;
use super::{ChoiceFamily, Size, whole_numbers};
use dashu_int::UBig;
use plaudit_core::dataset::Dataset;
use plaudit_engine::mechanism::choice::{Coin, Fraction, Rational, Weights};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// How utilities weigh: base^(2u/factor), where e^ε = base². The factor is 2 where it is right,
/// since a utility may rise by 1 while all others fall by 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Parameters")]
struct Weighing {
    base: Fraction,
    factor: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    base: Size,
    factor: Option<u64>,
}

/// Widest range of utilities: powers of the base are whole numbers with this many factors.
const WIDEST: u64 = 1_000;

impl TryFrom<Parameters> for Weighing {
    type Error = String;
    fn try_from(Parameters { base, factor }: Parameters) -> Result<Self, String> {
        let base = base.get();
        if base.numerator() <= base.denominator() {
            return Err(format!("base = {base} is invalid: must be above 1"));
        }
        match factor.unwrap_or(2) {
            factor @ (1 | 2) => Ok(Self { base, factor }),
            factor => Err(format!("factor = {factor} is invalid: must be 2, or 1 by mistake")),
        }
    }
}

impl Weighing {
    /// Numerators and the common denominator of base^(2(u − max u)/factor) for each utility u: at
    /// most 1, and 1 for the best.
    fn weights(&self, dataset: &Dataset) -> Result<(Vec<UBig>, UBig), String> {
        let utilities = whole_numbers(dataset)?;
        let best = utilities.iter().copied().max().unwrap_or(0);
        let behind: Vec<u64> = utilities.iter().map(|u| best.abs_diff(*u)).collect();
        let widest = behind.iter().copied().max().unwrap_or(0);
        if widest > WIDEST {
            return Err(format!("utilities must lie within {WIDEST}, and these span {widest}"));
        }
        let power =
            |part: u64, steps: u64| UBig::from(part).pow((steps * 2 / self.factor) as usize);
        let (up, down) = (self.base.numerator(), self.base.denominator());
        let weight = |behind: &u64| power(down, *behind) * power(up, widest - behind);
        Ok((behind.iter().map(weight).collect(), power(up, widest)))
    }

    fn words(&self) -> String {
        format!("({})^({} × its number)", self.base, 2 / self.factor)
    }
}

/// `exact-exponential-mechanism`: index i with probability proportional to base^(uᵢ), whole
/// numbers (McSherry & Talwar 2007; Ilvento 2020, "Implementing the Exponential Mechanism with Base-2
/// Differential Privacy"). (2 ln base)-DP. `factor = 1` is the known mistake of leaving the 2 out.
#[derive(Deserialize)]
#[serde(transparent)]
pub(in super::super) struct ExponentialMechanism(Weighing);

impl ChoiceFamily for ExponentialMechanism {
    type Exact = Weights;

    fn read(&self, dataset: &Dataset) -> Result<Weights, String> {
        Weights::new(self.0.weights(dataset)?.0).map_err(|error| error.to_string())
    }

    fn release(&self, weights: &Weights, choices: &mut Choices<'_>) -> Outcome {
        choices.weighted(weights).into()
    }

    fn describe(&self) -> String {
        format!("chooses a place with probability proportional to {}", self.0.words())
    }
}

/// `exact-permute-and-flip` (McKenna & Sheldon 2020, Algorithm 1): goes through the indices in
/// random order and releases the first whose coin of probability base^(uᵢ − max u) shows heads.
/// (2 ln base)-DP.
#[derive(Deserialize)]
#[serde(transparent)]
pub(in super::super) struct PermuteAndFlip(Weighing);

impl ChoiceFamily for PermuteAndFlip {
    type Exact = Vec<Coin>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<Coin>, String> {
        let (weights, best) = self.0.weights(dataset)?;
        let coin = |weight: UBig| Coin::new(Rational::from_parts(weight.into(), best.clone()));
        let coins: Option<Vec<Coin>> = weights.into_iter().map(coin).collect();
        coins.ok_or_else(|| "no weight is above the best".to_owned())
    }

    fn release(&self, coins: &Vec<Coin>, choices: &mut Choices<'_>) -> Outcome {
        let mut left: Vec<usize> = (0..coins.len()).collect();
        loop {
            let index = left.swap_remove(choices.uniform(left.len() as u64) as usize);
            // The best index has probability 1: one shows heads before the indices run out.
            if choices.coin(&coins[index]) {
                return index.into();
            }
        }
    }

    fn describe(&self) -> String {
        format!(
            "goes through the places in random order, and takes one with probability {}, divided \
             by that of the largest",
            self.0.words()
        )
    }
}

/// `exact-noisy-max`: report noisy max with discrete Laplace noise (Dwork & Roth 2014, section 3.3;
/// Ding et al. 2018); of equal ones the first. With scale 2/ε and the index released it is ε-DP when
/// each utility moves by at most 1. Releasing the maximum itself or the winner's exact number, or a
/// scale of 1/ε, are known mistakes.
#[derive(Deserialize)]
#[serde(try_from = "NoisyMaxParameters")]
pub(in super::super) struct NoisyMax {
    scale: Fraction,
    releases: MaxRelease,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoisyMaxParameters {
    scale: Option<Size>,
    epsilon: Option<Size>,
    #[serde(default)]
    releases: MaxRelease,
}

impl TryFrom<NoisyMaxParameters> for NoisyMax {
    type Error = String;
    fn try_from(parameters: NoisyMaxParameters) -> Result<Self, String> {
        let NoisyMaxParameters { scale, epsilon, releases } = parameters;
        Ok(Self { scale: scale_of(scale, epsilon, 2)?, releases })
    }
}

/// Place of the largest noisy number, and that number. Its law for the first n numbers is a part of
/// that for n + 1.
fn winner(&(ref numbers, scale): &(Vec<i64>, Fraction), choices: &mut Choices<'_>) -> (usize, i64) {
    let noisy = |number: i64, choices: &mut Choices<'_>| number + choices.discrete_laplace(scale);
    match numbers.as_slice() {
        [] => (0, i64::MIN),
        [only] => (0, noisy(*only, choices)),
        [first @ .., last] => {
            let best = choices.part(&(first.to_vec(), scale), winner);
            let noisy = noisy(*last, choices);
            if noisy > best.1 { (first.len(), noisy) } else { best }
        }
    }
}

impl ChoiceFamily for NoisyMax {
    type Exact = Vec<i64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<i64>, String> {
        whole_numbers(dataset)
    }

    fn release(&self, utilities: &Vec<i64>, choices: &mut Choices<'_>) -> Outcome {
        let all = (utilities.clone(), self.scale);
        match self.releases {
            MaxRelease::Index => choices.part(&all, |all, choices| winner(all, choices).0).into(),
            MaxRelease::Maximum => choices.part(&all, |all, choices| winner(all, choices).1).into(),
            MaxRelease::Answer => {
                let winner = choices.part(&all, |all, choices| winner(all, choices).0);
                utilities[winner].into()
            }
        }
    }

    fn describe(&self) -> String {
        let what = match self.releases {
            MaxRelease::Index => "the place of the largest number",
            MaxRelease::Maximum => "the largest number itself",
            MaxRelease::Answer => "the number, without noise, at the place of the largest",
        };
        format!("releases {what} after adding discrete Laplace noise of scale {}", self.scale)
    }
}

//! Randomized response, and RAPPOR (Erlingsson, Pihur, Korolova 2014).

use super::by_choices::{ChoiceFamily, probability};
use super::family::{Family, finite_numbers, single_number};
use super::parameter::Probability;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::choice::{Coin, Rational};
use plaudit_engine::mechanism::{Choices, Outcome, Outcomes};
use rand::RngExt;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// `randomized-response` (Warner 1965): each person reports their bit with probability `truth`, and else
/// the side of a fair coin. ln((1 + t)/(1 − t))-DP for each person. One person: an integer; several: a
/// vector.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RandomizedResponse {
    truth: Probability,
}

impl ChoiceFamily for RandomizedResponse {
    /// For each bit, a coin that decides the reported bit.
    type Exact = Vec<Coin>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<Coin>, String> {
        let bits = finite_numbers(dataset)?;
        if let Some(at) = bits.iter().position(|&bit| bit != 0.0 && bit != 1.0) {
            return Err(format!(
                "randomized response takes answers 0 and 1, but entry {at} is {}",
                words(bits[at])
            ));
        }
        // P(1 | 1) = truth + (1 − truth)/2 = 1 − P(1 | 0).
        let truth = probability(self.truth.get());
        let one = (Rational::ONE + truth) / Rational::from(2);
        coins(bits.iter().map(|&bit| bit == 1.0), &one)
    }

    fn release(&self, coins: &Vec<Coin>, choices: &mut Choices<'_>) -> Outcome {
        if let [coin] = &coins[..] {
            return Outcome::Integer(choices.coin(coin).into());
        }
        bits(coins, choices)
    }

    fn fill(
        &self,
        coins: &Vec<Coin>,
        runs: usize,
        choices: &mut Choices<'_>,
        outcomes: &mut Outcomes,
    ) {
        match &coins[..] {
            [coin] => (0..runs).for_each(|_| outcomes.push_integer(choices.coin(coin).into())),
            coins => fill_bits(coins, runs, choices, outcomes),
        }
    }

    /// Rows have no other values than 0 and 1.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        values.len() >= 2
    }

    fn describe(&self) -> String {
        format!("tells each bit with probability {}, else a fair coin's", words(self.truth.get()))
    }
}

/// For each bit a coin that shows it as it is with probability `kept`.
fn coins(bits: impl Iterator<Item = bool>, kept: &Rational) -> Result<Vec<Coin>, String> {
    let turned = Rational::ONE - kept;
    let coin = |bit: bool| Coin::new(if bit { kept.clone() } else { turned.clone() });
    bits.map(coin).collect::<Option<_>>().ok_or_else(|| format!("{kept} is not a probability"))
}

fn throw(coins: &[Coin], choices: &mut Choices<'_>, bits: &mut [f64]) {
    for (bit, coin) in bits.iter_mut().zip(coins) {
        *bit = f64::from(u8::from(choices.coin(coin)));
    }
}

fn bits(coins: &[Coin], choices: &mut Choices<'_>) -> Outcome {
    let mut bits = vec![0.0; coins.len()];
    throw(coins, choices, &mut bits);
    Outcome::Vector(bits)
}

fn fill_bits(coins: &[Coin], runs: usize, choices: &mut Choices<'_>, outcomes: &mut Outcomes) {
    let mut bits = vec![0.0; coins.len()];
    for _ in 0..runs {
        throw(coins, choices, &mut bits);
        outcomes.push_vector(&bits);
    }
}

/// Vectors of independent bits that are 1 with these probabilities.
fn draw_bits(one: &[f64], runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
    let mut vector = vec![0.0; one.len()];
    for _ in 0..runs {
        for (bit, &one) in vector.iter_mut().zip(one) {
            *bit = f64::from(u8::from(random.random::<f64>() < one));
        }
        outcomes.push_vector(&vector);
    }
}

/// Default number of bits of the Bloom filter.
const BITS: u32 = 20;
/// Hash functions of the Bloom filter, likewise.
const HASHES: u32 = 4;

/// Bits that a value sets: for i in 0..4, the first eight bytes of SHA-256 of (i, value), read as a number
/// (all of them little-endian, i in four bytes and the value in eight), modulo 20; or with the given
/// numbers of hashes and bits.
pub(super) fn bloom_filter(value: u64, bits: u32, hashes: u32) -> Vec<bool> {
    let mut filter = vec![false; bits as usize];
    for index in 0..hashes {
        filter[hashed(index, value, bits) as usize] = true;
    }
    filter
}

/// Hash `index` of a value, below `buckets`: as [`bloom_filter`] says.
pub(super) fn hashed(index: u32, value: u64, buckets: u32) -> u32 {
    let digest = Sha256::new().chain_update(index.to_le_bytes()).chain_update(value.to_le_bytes());
    let digest: [u8; 32] = digest.finalize().into();
    let head = digest.first_chunk().expect("a digest has 32 bytes");
    (u64::from_le_bytes(*head) % u64::from(buckets)) as u32
}

/// A client's value: a whole number.
pub(super) fn client_value(dataset: &Dataset) -> Result<u64, String> {
    let value = single_number(dataset)?;
    if value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        Ok(value as u64)
    } else {
        Err(format!(
            "RAPPOR takes a client's value, a whole number of at least 0, and this is {}",
            words(value)
        ))
    }
}

/// P(1) after the permanent randomized response: f/2, or 1 − f/2 for a set bit.
fn permanent(f: Probability, set: bool) -> f64 {
    if set { 1.0 - f.get() / 2.0 } else { f.get() / 2.0 }
}

/// `one-time-rappor`: each bit of the client's Bloom filter (20 bits, 4 hashes) is reported as 1 with
/// probability f/2, as 0 with f/2, else unchanged. 2·4·ln((1 − f/2)/(f/2))-DP; with `hashes` for 4.
#[derive(Deserialize)]
#[serde(try_from = "OneTimeRapporParameters")]
pub(super) struct OneTimeRappor {
    f: Probability,
    bits: u32,
    hashes: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneTimeRapporParameters {
    f: Probability,
    bits: Option<u32>,
    hashes: Option<u32>,
}

impl TryFrom<OneTimeRapporParameters> for OneTimeRappor {
    type Error = String;
    fn try_from(parameters: OneTimeRapporParameters) -> Result<Self, String> {
        let OneTimeRapporParameters { f, bits, hashes } = parameters;
        let within = |name: &str, value: u32| match value {
            1..=1024 => Ok(value),
            _ => Err(format!("{name} = {value} is invalid: must be from 1 to 1024")),
        };
        let bits = within("bits", bits.unwrap_or(BITS))?;
        let hashes = within("hashes", hashes.unwrap_or(HASHES))?;
        Ok(Self { f, bits, hashes })
    }
}

/// `rappor`: the same, and then each bit is reported as 1 with probability `set` if it came out 1
/// and `unset` if it came out 0. 4·ln(p(1 − q)/(q(1 − p)))-DP, p and q the probabilities of
/// reporting 1 for a bit of the filter that is 1 or 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rappor {
    f: Probability,
    set: Probability,
    unset: Probability,
}

impl ChoiceFamily for OneTimeRappor {
    type Exact = Vec<Coin>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<Coin>, String> {
        let filter = bloom_filter(client_value(dataset)?, self.bits, self.hashes);
        let kept = Rational::ONE - probability(self.f.get()) / Rational::from(2);
        coins(filter.into_iter(), &kept)
    }

    fn release(&self, coins: &Vec<Coin>, choices: &mut Choices<'_>) -> Outcome {
        bits(coins, choices)
    }

    fn fill(
        &self,
        coins: &Vec<Coin>,
        runs: usize,
        choices: &mut Choices<'_>,
        outcomes: &mut Outcomes,
    ) {
        fill_bits(coins, runs, choices, outcomes);
    }

    /// Each bit in which two filters differ reveals equally much, in both directions: two values whose
    /// filters differ in the maximum number of bits are enough.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        let filter = |cell: &Cell| {
            let value = client_value(&Dataset::Numbers(vec![cell.number()?])).ok()?;
            Some(bloom_filter(value, self.bits, self.hashes))
        };
        let filters: Vec<_> = values.iter().filter_map(filter).collect();
        let most = self.bits.min(self.hashes.saturating_mul(2)) as usize;
        let differ = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        let pairs = filters.iter().enumerate();
        pairs
            .flat_map(|(at, a)| filters[at + 1..].iter().map(move |b| (a, b)))
            .any(|(a, b)| differ(a, b) >= most)
    }

    fn describe(&self) -> String {
        format!(
            "tells the {} bits of a Bloom filter of the value ({} hashes), each a fair coin's with \
             probability {}",
            self.bits,
            self.hashes,
            words(self.f.get())
        )
    }
}

impl Family for Rappor {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let report = |one: f64| one * self.set.get() + (1.0 - one) * self.unset.get();
        let filter = bloom_filter(client_value(dataset)?, BITS, HASHES);
        Ok(filter.into_iter().map(|set| report(permanent(self.f, set))).collect())
    }

    fn draw(&self, one: &Self::Exact, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        draw_bits(one, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        format!(
            "makes the {BITS} bits of a Bloom filter of the value ({HASHES} hashes), each a fair \
             coin's with probability {}, and reports 1 with probability {} for a 1 and {} for a 0",
            words(self.f.get()),
            words(self.set.get()),
            words(self.unset.get())
        )
    }
}

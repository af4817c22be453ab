//! Randomized response, and RAPPOR (Erlingsson, Pihur, Korolova 2014).

use super::parameter::Probability;
use super::{Family, finite_numbers, single_number};
use crate::dataset::Dataset;
use crate::mechanism::{Outcomes, Stream};
use crate::number::words;
use rand::RngExt;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// `randomized-response` (Warner 1965): each person tells their bit with probability `truth`, and
/// else what a fair coin says. ln((1 + t)/(1 − t))-DP for each person. One person: an integer;
/// several: a vector.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RandomizedResponse {
    truth: Probability,
}

impl Family for RandomizedResponse {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        let bits = finite_numbers(dataset)?;
        match bits.iter().position(|&bit| bit != 0.0 && bit != 1.0) {
            Some(at) => Err(format!(
                "randomized response takes answers 0 and 1, and entry {at} is {}",
                words(bits[at])
            )),
            None => Ok(bits),
        }
    }

    fn draw(&self, bits: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        // P(1 | 1) = truth + (1 − truth)/2 = 1 − P(1 | 0).
        let one = bits.iter().map(|bit| 0.5 + self.truth.get() * (bit - 0.5)).collect::<Vec<_>>();
        if let [one] = one[..] {
            return (0..runs).for_each(|_| outcomes.push_integer(random.random_bool(one).into()));
        }
        draw_bits(&one, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        format!("tells each bit with probability {}, else a fair coin's", words(self.truth.get()))
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

/// Bits of the Bloom filter.
const BITS: usize = 20;
/// Hash functions of the Bloom filter.
const HASHES: u32 = 4;

/// The bits that a value sets: for i in 0..4, the first eight bytes of SHA-256 of (i, value), read
/// as a number (all of them little-endian, i in four bytes and the value in eight), modulo 20.
fn bloom_filter(value: u64) -> [bool; BITS] {
    let mut filter = [false; BITS];
    for index in 0..HASHES {
        let digest =
            Sha256::new().chain_update(index.to_le_bytes()).chain_update(value.to_le_bytes());
        let digest: [u8; 32] = digest.finalize().into();
        let head = digest.first_chunk().expect("a digest has 32 bytes");
        filter[(u64::from_le_bytes(*head) % BITS as u64) as usize] = true;
    }
    filter
}

/// A client's value: a whole number.
fn client_value(dataset: &Dataset) -> Result<u64, String> {
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

/// `one-time-rappor`: each bit of the client's Bloom filter (20 bits, 4 hashes) is told as 1 with
/// probability f/2, as 0 with f/2, else as it is. 2·4·ln((1 − f/2)/(f/2))-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OneTimeRappor {
    f: Probability,
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

impl Family for OneTimeRappor {
    type Exact = [f64; BITS];

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        client_value(dataset).map(|value| bloom_filter(value).map(|set| permanent(self.f, set)))
    }

    fn draw(&self, one: &Self::Exact, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        draw_bits(one, runs, random, outcomes);
    }

    fn describe(&self) -> String {
        format!(
            "tells the {BITS} bits of a Bloom filter of the value ({HASHES} hashes), each a fair \
             coin's with probability {}",
            words(self.f.get())
        )
    }
}

impl Family for Rappor {
    type Exact = [f64; BITS];

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        let report = |one: f64| one * self.set.get() + (1.0 - one) * self.unset.get();
        client_value(dataset)
            .map(|value| bloom_filter(value).map(|set| report(permanent(self.f, set))))
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

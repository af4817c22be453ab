//! Tables of one bit a person.

use plaudit_core::random::Stream;
use rand::seq::SliceRandom;

/// One bit a person: what the attacker wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    bits: Vec<bool>,
}

impl Database {
    pub fn new(bits: Vec<bool>) -> Self {
        Self { bits }
    }

    /// `entries` people, half of them 1 (one fewer than the others if their number is odd), in random
    /// order.
    pub fn drawn(entries: usize, random: &mut Stream) -> Self {
        let mut bits: Vec<bool> = (0..entries).map(|entry| entry < entries / 2).collect();
        bits.shuffle(random);
        Self { bits }
    }

    pub fn entries(&self) -> usize {
        self.bits.len()
    }

    pub fn ones(&self) -> usize {
        self.bits.iter().filter(|bit| **bit).count()
    }

    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// A table that differs in at most `each` ones and `each` zeros, drawn at random.
    pub(super) fn decoy(&self, each: usize, random: &mut Stream) -> Self {
        let mut places: Vec<usize> = (0..self.entries()).collect();
        places.shuffle(random);
        let mut bits = self.bits.clone();
        for value in [false, true] {
            let of_value = places.iter().filter(|place| self.bits[**place] == value);
            for place in of_value.take(each) {
                bits[*place] = !value;
            }
        }
        Self { bits }
    }

    /// In how many places another table of as many people agrees.
    pub(super) fn agreeing(&self, other: &[bool]) -> usize {
        self.bits.iter().zip(other).filter(|(one, other)| one == other).count()
    }

    /// The bits as a number, the first one lowest; of up to 64 people.
    pub(super) fn number(&self) -> u64 {
        self.bits.iter().rev().fold(0, |number, bit| number << 1 | u64::from(*bit))
    }
}

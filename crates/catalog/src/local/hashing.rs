//! Protocols that draw a hash function, and report it beside what it says of the answer, randomized.

use super::super::by_choices::ChoiceFamily;
use super::super::randomized_response::hashed;
use super::{Odds, Reports, Response, answer, chance_of, coin, hadamard, within};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::Coin;
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// Most answers, hash functions and buckets.
const MOST: u32 = 1024;

/// The report that belongs to a hash function.
enum Said {
    /// The bucket, by randomized response, in each report.
    Bucket { first: Response, reports: Reports<Response> },
    /// A bit for each bucket, 1 for that of the answer; each kept by this coin.
    Row { keep: Coin },
    /// A drawn row of the Hadamard matrix, and the entry of the bucket's column in it, kept by this coin.
    Entry { keep: Coin },
}

/// How the hash function, or what is drawn beside it, comes about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seed {
    Drawn,
    OfTheAnswer,
}

/// A hash function of `hashes` many, each as likely, which maps answers to `buckets`; see `hashed`.
pub(in super::super) struct Hashing {
    answers: u32,
    hashes: u32,
    buckets: u32,
    seed: Seed,
    said: Said,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LocalHashingMistake {
    /// The hash function is chosen by the answer itself.
    SeedOfTheAnswer,
    /// The first round is drawn anew for each report.
    NotMemoised,
}

/// `local-hashing` (Wang et al. 2017): the number of a drawn hash function and, by randomized response, the bucket that it
/// gives the answer; binary for 2 buckets, optimized for about odds + 1. ln(odds)-DP. With `instant` (LOLOHA,
/// Arcolezi et al. 2023) hash and bucket are memoised, and the bucket is randomized once more in each of the `reports`,
/// all of which together are ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LocalHashing {
    answers: u32,
    hashes: u32,
    buckets: u32,
    odds: Odds,
    reports: Option<u32>,
    instant: Option<Odds>,
    mistake: Option<LocalHashingMistake>,
}

impl LocalHashing {
    pub(in super::super) fn hashing(self) -> Result<Hashing, String> {
        let buckets = within("buckets", self.buckets, 2, MOST)?;
        let mistake = |one| self.mistake == Some(one);
        let reports = Reports {
            number: within("reports", self.reports.unwrap_or(1), 1, 64)?,
            instant: self.instant.map(|odds| Response::new(buckets, odds)),
            memoised: !mistake(LocalHashingMistake::NotMemoised),
        };
        let of_the_answer = mistake(LocalHashingMistake::SeedOfTheAnswer);
        Ok(Hashing {
            answers: within("answers", self.answers, 2, MOST)?,
            hashes: within("hashes", self.hashes, 1, MOST)?,
            buckets,
            seed: if of_the_answer { Seed::OfTheAnswer } else { Seed::Drawn },
            said: Said::Bucket { first: Response::new(buckets, self.odds), reports },
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SketchMistake {
    /// Each of the two bits that differ spends all of ε.
    EpsilonForEachBit,
}

/// `count-mean-sketch` (Apple 2017, "Learning with Privacy at Scale", CMS): the number of a drawn hash function, and a bit for
/// each bucket, 1 for that of the answer, each flipped with probability 1/(√odds + 1). ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct CountMeanSketch {
    answers: u32,
    hashes: u32,
    buckets: u32,
    odds: Odds,
    mistake: Option<SketchMistake>,
}

impl CountMeanSketch {
    pub(in super::super) fn hashing(self) -> Result<Hashing, String> {
        let keep = match self.mistake {
            None => chance_of(&self.odds.root("odds")?, 1),
            Some(SketchMistake::EpsilonForEachBit) => chance_of(&self.odds.get(), 1),
        };
        Ok(Hashing {
            answers: within("answers", self.answers, 2, MOST)?,
            hashes: within("hashes", self.hashes, 1, MOST)?,
            buckets: within("buckets", self.buckets, 2, MOST)?,
            seed: Seed::Drawn,
            said: Said::Row { keep: coin(keep) },
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EntryMistake {
    /// The row of the Hadamard matrix is that of the answer's bucket.
    RowOfTheAnswer,
}

/// `hadamard-count-mean-sketch` (Apple 2017, HCMS): the numbers of a drawn hash function and of a drawn row of the Hadamard
/// matrix of order `buckets`, and the entry of the bucket's column in it, flipped with probability 1/(odds + 1).
/// ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct HadamardCountMeanSketch {
    answers: u32,
    hashes: u32,
    buckets: u32,
    odds: Odds,
    mistake: Option<EntryMistake>,
}

impl HadamardCountMeanSketch {
    pub(in super::super) fn hashing(self) -> Result<Hashing, String> {
        let buckets = within("buckets", self.buckets, 2, MOST)?;
        if !buckets.is_power_of_two() {
            return Err(format!(
                "buckets = {buckets} is invalid: must be a power of two, such as 8"
            ));
        }
        Ok(Hashing {
            answers: within("answers", self.answers, 2, MOST)?,
            hashes: within("hashes", self.hashes, 1, MOST)?,
            buckets,
            seed: if self.mistake.is_some() { Seed::OfTheAnswer } else { Seed::Drawn },
            said: Said::Entry { keep: coin(chance_of(&self.odds.get(), 1)) },
        })
    }
}

impl ChoiceFamily for Hashing {
    /// The answer.
    type Exact = u32;

    fn read(&self, dataset: &Dataset) -> Result<u32, String> {
        answer(dataset, self.answers)
    }

    fn release(&self, &answer: &u32, choices: &mut Choices<'_>) -> Outcome {
        let by_answer = self.seed == Seed::OfTheAnswer;
        let index = match self.said {
            Said::Bucket { .. } if by_answer => answer % self.hashes,
            _ => choices.uniform(self.hashes.into()) as u32,
        };
        let bucket = hashed(index, answer.into(), self.buckets);
        let mut released = vec![f64::from(index)];
        match &self.said {
            Said::Bucket { first, reports } => {
                let told = choices.part(&(bucket, first.clone(), reports.clone()), draw_bucket);
                released.extend(told.into_iter().map(f64::from));
            }
            Said::Row { keep } => {
                let bit = |at| (at == bucket) == choices.coin(keep);
                released.extend((0..self.buckets).map(bit).map(|bit| f64::from(u8::from(bit))));
            }
            Said::Entry { keep } => {
                let row =
                    if by_answer { bucket } else { choices.uniform(self.buckets.into()) as u32 };
                let positive = hadamard(row, bucket) == choices.coin(keep);
                released.extend([f64::from(row), if positive { 1.0 } else { -1.0 }]);
            }
        }
        Outcome::Vector(released)
    }

    /// Nobody has other answers.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        values.len() >= self.answers as usize
    }

    fn describe(&self) -> String {
        let chosen = match (self.seed, &self.said) {
            (Seed::OfTheAnswer, Said::Bucket { .. }) => "which the answer chooses",
            _ => "drawn uniformly",
        };
        let said = match &self.said {
            Said::Bucket { first, reports } => {
                let kept = first.keep.probability();
                format!("the answer's bucket, kept with probability {kept}{}", reports.words())
            }
            Said::Row { keep } => format!(
                "a bit for each bucket, 1 for the answer's, kept with probability {}",
                keep.probability()
            ),
            Said::Entry { keep } => format!(
                "{} row of the Hadamard matrix, and its entry for the answer's bucket, kept with \
                 probability {}",
                if self.seed == Seed::Drawn { "a drawn" } else { "the bucket's" },
                keep.probability()
            ),
        };
        format!(
            "reports one of {} hash functions to {} buckets, {chosen}, and {said}",
            self.hashes, self.buckets
        )
    }
}

/// A part, so that a proof's runs do not multiply by the first round, which nobody sees.
fn draw_bucket(
    (bucket, first, reports): &(u32, Response, Reports<Response>),
    choices: &mut Choices<'_>,
) -> Vec<u32> {
    reports.draw(choices, |choices| first.draw(*bucket, choices), Response::draw)
}

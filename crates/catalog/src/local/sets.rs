//! Protocols that report one of finitely many messages, likelier by the odds if it is in the set of
//! the answer. All sets have one size.

use super::super::by_choices::ChoiceFamily;
use super::{Odds, answer, chance_of, coin, hadamard, within};
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::mechanism::choice::{Coin, Rational};
use plaudit_engine::mechanism::{Choices, Outcome};
use serde::Deserialize;

/// The messages, and which of them are in the set of each answer.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// Subsets of the answers of this size; those that hold the answer.
    Subsets { size: u32 },
    /// Columns of a Hadamard matrix; those with +1 in the answer's row, from 1.
    Columns { order: u32 },
    /// Corners of a cube; those that differ from the answer in at most so many signs.
    Corners { dimension: u32, distance: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SubsetMistake {
    /// The set's probability is odds/(odds + 1), however many messages are in it.
    BinaryProbability,
    /// A subset without the answer has one member less.
    ShortWithoutAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ColumnMistake {
    /// The odds are squared: half of the noise.
    DoubleEpsilon,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CornerMistake {
    /// The cap's probability is odds/(odds + 1), however many corners are in it.
    BinaryProbability,
}

/// `subset-selection` (Ye & Barg 2018; Wang et al. 2016): a set of `size` answers. It holds the person's with
/// probability odds·size/(odds·size + answers − size), and is uniform otherwise. ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct SubsetSelection {
    answers: u32,
    size: u32,
    odds: Odds,
    mistake: Option<SubsetMistake>,
}

/// `hadamard-response` (Acharya, Sun, Zhang 2019): a column of the Hadamard matrix whose order is the least power
/// of two above `answers`. It has +1 in row answer + 1 with probability odds/(odds + 1). ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct HadamardResponse {
    answers: u32,
    odds: Odds,
    mistake: Option<ColumnMistake>,
}

/// `cube-privunit` (PrivUnit, Bhowmick et al. 2018, of the corners of a cube in place of the unit sphere): a corner, in
/// the cap around the person's with probability odds·c/(odds·c + N − c). ln(odds)-DP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct CubePrivUnit {
    dimension: u32,
    distance: u32,
    odds: Odds,
    mistake: Option<CornerMistake>,
}

impl SubsetSelection {
    pub(in super::super) fn sets(self) -> Result<Sets, String> {
        let answers = within("answers", self.answers, 2, 16)?;
        let size = within("size", self.size, 1, answers - 1)?;
        let odds = self.odds.get();
        let sets = Sets::new(Layout::Subsets { size }, answers, &odds);
        Ok(match self.mistake {
            None => sets,
            Some(SubsetMistake::BinaryProbability) => sets.binary(&odds),
            Some(SubsetMistake::ShortWithoutAnswer) => Sets { short: true, ..sets },
        })
    }
}

impl HadamardResponse {
    pub(in super::super) fn sets(self) -> Result<Sets, String> {
        let answers = within("answers", self.answers, 2, 4095)?;
        let odds = match self.mistake {
            None => self.odds.get(),
            Some(ColumnMistake::DoubleEpsilon) => self.odds.get().sqr(),
        };
        let order = (answers + 1).next_power_of_two();
        Ok(Sets::new(Layout::Columns { order }, answers, &odds))
    }
}

impl CubePrivUnit {
    pub(in super::super) fn sets(self) -> Result<Sets, String> {
        let dimension = within("dimension", self.dimension, 1, 12)?;
        let distance = within("distance", self.distance, 0, dimension - 1)?;
        let odds = self.odds.get();
        let sets = Sets::new(Layout::Corners { dimension, distance }, 1 << dimension, &odds);
        Ok(match self.mistake {
            None => sets,
            Some(CornerMistake::BinaryProbability) => sets.binary(&odds),
        })
    }
}

/// A message is in the answer's set with probability odds·c/(odds·c + N − c), c of the N messages being
/// in it. ln(odds)-DP, as each message in it has odds times the probability of each other.
pub(in super::super) struct Sets {
    layout: Layout,
    answers: u32,
    /// Shows whether the message is in the set.
    inside: Coin,
    /// A message outside of the set has one member less.
    short: bool,
}

impl Sets {
    fn new(layout: Layout, answers: u32, odds: &Rational) -> Self {
        let mut sets = Self { layout, answers, inside: coin(Rational::ONE), short: false };
        let (inside, outside) = sets.messages(0);
        let weight = odds * Rational::from(inside.len());
        sets.inside = coin(&weight / (&weight + Rational::from(outside.len())));
        sets
    }

    /// The same, but the set has probability odds/(odds + 1), whatever its size.
    fn binary(self, odds: &Rational) -> Self {
        Self { inside: coin(chance_of(odds, 1)), ..self }
    }

    /// Messages in the answer's set, and the others.
    fn messages(&self, answer: u32) -> (Vec<u32>, Vec<u32>) {
        let all = |bits: u32| 0..1u32 << bits;
        match self.layout {
            Layout::Subsets { size } => {
                let of = |size| all(self.answers).filter(move |set: &u32| set.count_ones() == size);
                let holds = |set: &u32| set >> answer & 1 == 1;
                let outside = of(size - u32::from(self.short)).filter(|set| !holds(set));
                (of(size).filter(holds).collect(), outside.collect())
            }
            Layout::Columns { order } => {
                (0..order).partition(|&column| hadamard(answer + 1, column))
            }
            Layout::Corners { dimension, distance } => {
                all(dimension).partition(|corner| (corner ^ answer).count_ones() <= distance)
            }
        }
    }

    fn released(&self, message: u32) -> Outcome {
        let bits = |bits: u32, one: f64, zero: f64| {
            let bit = |at| if message >> at & 1 == 1 { one } else { zero };
            Outcome::Vector((0..bits).map(bit).collect())
        };
        match self.layout {
            Layout::Subsets { .. } => bits(self.answers, 1.0, 0.0),
            Layout::Columns { .. } => Outcome::Integer(message.into()),
            Layout::Corners { dimension, .. } => bits(dimension, 1.0, -1.0),
        }
    }
}

impl ChoiceFamily for Sets {
    type Exact = (Vec<u32>, Vec<u32>);

    fn read(&self, dataset: &Dataset) -> Result<Self::Exact, String> {
        answer(dataset, self.answers).map(|answer| self.messages(answer))
    }

    fn release(&self, (inside, outside): &Self::Exact, choices: &mut Choices<'_>) -> Outcome {
        let set = if choices.coin(&self.inside) { inside } else { outside };
        self.released(set[choices.uniform(set.len() as u64) as usize])
    }

    /// Nobody has other answers.
    fn covers(&self, values: &[Cell], _rows: usize, _relation: &Relation) -> bool {
        values.len() >= self.answers as usize
    }

    fn describe(&self) -> String {
        let (set, holds) = match self.layout {
            Layout::Subsets { size } => {
                (format!("{size} of {} answers", self.answers), "which hold the person's")
            }
            Layout::Columns { order } => (
                format!("a column of the Hadamard matrix of order {order}"),
                "which has +1 in the answer's row",
            ),
            Layout::Corners { dimension, distance } => (
                format!("a corner of the cube of dimension {dimension}"),
                if distance == 0 { "the person's" } else { "one near the person's" },
            ),
        };
        let short = if self.short { ", and one member less where not" } else { "" };
        format!("reports {set}, {holds} with probability {}{short}", self.inside.probability())
    }
}

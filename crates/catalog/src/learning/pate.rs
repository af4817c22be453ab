//! PATE: teachers that each saw a part of the rows vote, and the winner of a noisy count is released.

use crate::family::Family;
use crate::parameter::Positive;
use crate::selection::NoisyMax;
use plaudit_accountant::number::words;
use plaudit_core::dataset::{Cell, Dataset, Table};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;
use std::num::NonZeroUsize;

const MOST: usize = 10_000;

/// `pate`: noisy voting of teachers (Papernot, Abadi, Erlingsson, Goodfellow, Talwar 2017, section 2). The row at
/// place i belongs to teacher i mod `teachers`. A teacher votes for the majority of the labels of its rows; of
/// several, for the least. Votes are counted with Laplace noise of scale 2/ε, and the class of the largest count is
/// released, again for each query.
///
/// A substituted row changes the vote of one teacher, so two counts, by one each: as of report noisy max with
/// utilities that move by at most 1, one query loses ε. All queries use the same votes, which is the worst
/// case: the composition loses at most `queries`·ε.
#[derive(Deserialize)]
#[serde(try_from = "VotingParameters")]
pub(crate) struct Pate {
    teachers: usize,
    classes: usize,
    queries: usize,
    mistake: Option<VotingMistake>,
    noisy_max: NoisyMax,
    scale: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum VotingMistake {
    /// Every teacher learns from all rows.
    OnePartition,
    ScaleInverted,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VotingParameters {
    teachers: NonZeroUsize,
    classes: NonZeroUsize,
    epsilon: Positive,
    queries: Option<NonZeroUsize>,
    mistake: Option<VotingMistake>,
}

impl TryFrom<VotingParameters> for Pate {
    type Error = String;
    fn try_from(parameters: VotingParameters) -> Result<Self, String> {
        let VotingParameters { teachers, classes, epsilon, queries, mistake } = parameters;
        let (teachers, classes) = (teachers.get(), classes.get());
        let queries = queries.map_or(1, NonZeroUsize::get);
        for (what, count) in [("teachers", teachers), ("classes", classes), ("queries", queries)] {
            if count > MOST {
                return Err(format!("{count} {what} are too many: at most {MOST}"));
            }
        }
        if classes < 2 {
            return Err("teachers vote for one of at least 2 `classes`".into());
        }
        let scale = match mistake {
            Some(VotingMistake::ScaleInverted) => epsilon.get() / 2.0,
            Some(VotingMistake::OnePartition) | None => 2.0 / epsilon.get(),
        };
        let noisy_max = NoisyMax::of_laplace(scale);
        Ok(Self { teachers, classes, queries, mistake, noisy_max, scale })
    }
}

impl Pate {
    /// The class that a row is labelled with.
    fn class(&self, label: &Cell) -> Result<usize, String> {
        label
            .number()
            .filter(|x| x.fract() == 0.0 && (0.0..self.classes as f64).contains(x))
            .map(|x| x as usize)
            .ok_or_else(|| format!("and a label is a whole number from 0 to {}", self.classes - 1))
    }

    /// Number of teachers that vote for each class.
    fn votes(&self, labels: &[usize]) -> Vec<f64> {
        let mut votes = vec![0.0; self.classes];
        let mut counts = vec![0usize; self.classes];
        let mut majority = |of_teacher: &mut dyn Iterator<Item = &usize>| {
            counts.fill(0);
            of_teacher.for_each(|&label| counts[label] += 1);
            let most = counts.iter().copied().max();
            counts.iter().position(|&count| Some(count) == most).expect("there are classes")
        };
        match self.mistake {
            Some(VotingMistake::OnePartition) => {
                votes[majority(&mut labels.iter())] = self.teachers as f64;
            }
            Some(VotingMistake::ScaleInverted) | None => {
                for teacher in 0..self.teachers {
                    let mut rows = labels.iter().skip(teacher).step_by(self.teachers);
                    votes[majority(&mut rows)] += 1.0;
                }
            }
        }
        votes
    }
}

impl Family for Pate {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        let Table { columns, rows } = dataset.table().ok_or(
            "the teachers learn from a table whose last column is the label, and the dataset is not a table",
        )?;
        let column = columns.last().ok_or("the table has no columns, and the last is the label")?;
        if rows.len() < self.teachers {
            return Err(format!(
                "{} teachers need at least one row each, but the table has {}",
                self.teachers,
                rows.len()
            ));
        }
        let label = |(at, row): (usize, &Vec<Cell>)| {
            let label = row.last().expect("a row must have a cell for each column");
            self.class(label).map_err(|why| format!("row {at}: {column} is {label}, {why}"))
        };
        let labels = rows.iter().enumerate().map(label).collect::<Result<Vec<_>, _>>()?;
        Ok(self.votes(&labels))
    }

    fn draw(&self, votes: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        if self.queries == 1 {
            for _ in 0..runs {
                outcomes.push_integer(self.noisy_max.winner(votes, random) as i64);
            }
            return;
        }
        let mut winners = vec![0.0; self.queries];
        for _ in 0..runs {
            winners.fill_with(|| self.noisy_max.winner(votes, random) as f64);
            outcomes.push_vector(&winners);
        }
    }

    fn describe(&self) -> String {
        let learned = match self.mistake {
            Some(VotingMistake::OnePartition) => "all rows (mistake: not each on a part)",
            Some(VotingMistake::ScaleInverted) | None => "each on part of the rows",
        };
        let inverted = match self.mistake {
            Some(VotingMistake::ScaleInverted) => " (mistake: epsilon/2, not 2/epsilon)",
            Some(VotingMistake::OnePartition) | None => "",
        };
        format!(
            "lets {} teachers that saw {learned} vote for one of {} classes, adds Laplace noise of scale {}{inverted} to the counts, and releases the class of the largest, for {} queries",
            self.teachers,
            self.classes,
            words(self.scale),
            self.queries
        )
    }
}

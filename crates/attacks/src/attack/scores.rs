//! Scores that the user provides, checked.

use super::sample::{Group, Sample};
use plaudit_accountant::number;
use plaudit_core::random::Stream;
use rand::seq::SliceRandom;

/// Minimum number of scores of a group: halves of fewer show nothing.
pub const LEAST_SCORES: usize = 100;

/// Attack scores of members and of others: enough of each, none of them NaN, not all the same. Infinite ones are
/// valid scores.
#[derive(Clone, Debug)]
pub struct Scores {
    members: Vec<f64>,
    non_members: Vec<f64>,
}

/// Scores that allow no conclusion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoresError {
    #[error(
        "there are {count} scores of {}, but at least {LEAST_SCORES} are needed: attack more of them",
        group.words()
    )]
    TooFew { group: Group, count: usize },
    #[error("score {place} of the {} is NaN, which is neither above nor below any threshold", group.words())]
    NotANumber { group: Group, place: usize },
    #[error("all scores of both groups are {}: an attack with a constant answer shows nothing", number::words(*score))]
    Constant { score: f64 },
}

impl Scores {
    /// Checks them.
    ///
    /// # Errors
    /// If a group has fewer than [`LEAST_SCORES`], one is NaN, or all are the same.
    pub fn new(members: Vec<f64>, non_members: Vec<f64>) -> Result<Self, ScoresError> {
        for (group, scores) in [(Group::Members, &members), (Group::NonMembers, &non_members)] {
            if let Some(place) = scores.iter().position(|score| score.is_nan()) {
                return Err(ScoresError::NotANumber { group, place: place + 1 });
            }
            if scores.len() < LEAST_SCORES {
                return Err(ScoresError::TooFew { group, count: scores.len() });
            }
        }
        let score = members[0];
        if members.iter().chain(&non_members).all(|other| *other == score) {
            return Err(ScoresError::Constant { score });
        }
        Ok(Self { members, non_members })
    }

    /// Scores of members, in the order of their file.
    pub(super) fn members(&self) -> &[f64] {
        &self.members
    }

    pub(super) fn non_members(&self) -> &[f64] {
        &self.non_members
    }

    pub fn whole(&self) -> Sample {
        Sample::new(&self.members, &self.non_members)
    }

    /// Splits each group at random into two halves: one to choose on, one to count. Of an odd number the second has
    /// one more.
    pub fn halves(mut self, random: &mut Stream) -> [Sample; 2] {
        self.members.shuffle(random);
        self.non_members.shuffle(random);
        let (choosing, counting) = self.members.split_at(self.members.len() / 2);
        let (others_choosing, others_counting) =
            self.non_members.split_at(self.non_members.len() / 2);
        [Sample::new(choosing, others_choosing), Sample::new(counting, others_counting)]
    }
}

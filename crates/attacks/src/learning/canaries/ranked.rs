//! Canaries in the order of their scores, and what guesses at both ends get right.

use super::canary::Canary;
use super::guesses::CanaryGuesses;
use serde::Serialize;

/// Number of canaries called in, and number called out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CalledSides {
    pub called_in: usize,
    pub called_out: usize,
}

impl CalledSides {
    pub fn guesses(self) -> u64 {
        (self.called_in + self.called_out) as u64
    }

    pub(super) fn of(count: usize, [high, low]: [usize; 2]) -> Self {
        let part = |share: usize| count * share / 64;
        Self { called_in: part(high), called_out: part(low) }
    }
}

/// Canaries by ascending score. Equal scores keep the order in which they came, which must not depend on the coins.
pub(super) struct Ranked {
    scores: Vec<f64>,
    /// Number of the first i that are in.
    included: Vec<u64>,
}

impl Ranked {
    pub(super) fn new(canaries: &[Canary]) -> Self {
        let mut order: Vec<(f64, bool)> =
            canaries.iter().map(|canary| (canary.score + 0.0, canary.included)).collect();
        order.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut included = vec![0];
        let mut sum = 0;
        for (_, is_in) in &order {
            sum += u64::from(*is_in);
            included.push(sum);
        }
        Self { scores: order.into_iter().map(|(score, _)| score).collect(), included }
    }

    pub(super) fn count(&self) -> usize {
        self.scores.len()
    }

    /// Calls the highest in and the lowest out.
    pub(super) fn guesses(&self, sides: CalledSides) -> CanaryGuesses {
        let count = self.count();
        let CalledSides { called_in, called_out } = sides;
        let right_in = self.included[count] - self.included[count - called_in];
        let right_out = called_out as u64 - self.included[called_out];
        CanaryGuesses { canaries: count as u64, made: sides.guesses(), right: right_in + right_out }
    }

    /// `true` if some score called in equals some score called out, or, with one side alone, all scores called
    /// equal some that are not on the other end.
    pub(super) fn is_cut(&self, sides: CalledSides) -> bool {
        let count = self.count();
        let CalledSides { called_in, called_out } = sides;
        if called_in == 0 && called_out == 0 {
            return false;
        }
        let lowest_in = self.scores[(count - called_in).min(count - 1)];
        let highest_out = self.scores[called_out.max(1) - 1];
        lowest_in > highest_out
    }

    /// The scores from which on a canary is called in, and up to which it is called out.
    pub(super) fn thresholds(&self, sides: CalledSides) -> [Option<f64>; 2] {
        let CalledSides { called_in, called_out } = sides;
        [
            (called_in > 0).then(|| self.scores[self.count() - called_in]),
            (called_out > 0).then(|| self.scores[called_out - 1]),
        ]
    }
}

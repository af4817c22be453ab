//! Counts in place of scores: how many members, and how many others, an attack called members.

use super::membership::{Counted, Judged, Question, is_of};
use super::quantity::Quantity;
use super::roc::Interval;
use super::sample::Group;
use plaudit_core::claim::ClaimError;
use plaudit_core::inference::{EventCounts, EventTest};
use serde::Serialize;

/// Bounds that share α, each by two events.
const BOUNDS: f64 = 4.0;
const EVENTS: f64 = 2.0;

/// The answers of an attack whose threshold was fixed before it saw these people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// Members that it called members, from 0 to `members`.
    pub true_positives: u64,
    /// Others that it called members, from 0 to `non_members`.
    pub false_positives: u64,
    pub members: u64,
    pub non_members: u64,
}

/// Counts that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallsError {
    #[error("there are 0 {}: give at least 1 of each group", group.words())]
    Empty { group: Group },
    #[error("{called} of {of} {} were called members, which is more than there are", group.words())]
    TooMany { group: Group, called: u64, of: u64 },
    #[error("there are {of} {}: at most {MOST} are counted", group.words())]
    TooLarge { group: Group, of: u64 },
}

/// Most people of a group: doubles hold the counts exactly.
const MOST: u64 = 1 << 53;

impl Calls {
    /// Checks them.
    ///
    /// # Errors
    /// If a group is empty, has more than 2⁵³ people, or fewer than were called members.
    pub fn check(&self) -> Result<(), CallsError> {
        let groups = [
            (Group::Members, self.true_positives, self.members),
            (Group::NonMembers, self.false_positives, self.non_members),
        ];
        for (group, called, of) in groups {
            if of == 0 {
                return Err(CallsError::Empty { group });
            }
            if of > MOST {
                return Err(CallsError::TooLarge { group, of });
            }
            if called > of {
                return Err(CallsError::TooMany { group, called, of });
            }
        }
        Ok(())
    }

    /// Counts of an event: of those called members, likelier among members, or of the others, likelier among
    /// non-members.
    fn event(&self, likelier: Group) -> EventCounts {
        let Self { true_positives, false_positives, members, non_members } = *self;
        match likelier {
            Group::Members => EventCounts {
                hits: true_positives,
                n: members,
                other_hits: false_positives,
                other_n: non_members,
            },
            Group::NonMembers => EventCounts {
                hits: non_members - false_positives,
                n: non_members,
                other_hits: members - true_positives,
                other_n: members,
            },
        }
    }
}

/// A lower bound, and the counts that it is from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RateBound {
    /// The bound, at least 0.
    pub lower: f64,
    /// The group in which its event is the likelier: called a member, or not called one.
    pub likelier: Group,
    pub counted: Counted,
}

/// All bounds. Together they are wrong with probability at most α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RateBounds {
    /// The probability at most with which each event of each bound is wrong: an eighth of α.
    pub level: f64,
    /// Bound on ε at the requested δ.
    pub epsilon: RateBound,
    /// Bound on δ at the requested ε.
    pub delta: RateBound,
    pub mu: RateBound,
    /// Bound on TPR − FPR: the δ at ε = 0.
    pub advantage: RateBound,
}

/// Result of [`measure_calls`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountedRates {
    pub calls: Calls,
    /// The δ at which ε is bounded.
    pub at_delta: f64,
    /// The ε at which δ is bounded.
    pub at_epsilon: f64,
    pub alpha: f64,
    /// True-positive rate. Its Clopper–Pearson interval misses with probability at most α.
    pub true_positives: Interval,
    /// False-positive rate, with the same kind of interval.
    pub false_positives: Interval,
    pub certified: RateBounds,
    pub judged: Option<Judged>,
}

/// Bounds by counts alone, with the exact test of events (Buehler 1957), as [`measure`](super::measure) has them.
///
/// Nothing was chosen on these counts but the direction: "called a member" bounds where it is likelier among members,
/// "not called a member" where that is likelier among non-members. So each of the four bounds has two events, at α/8
/// each, and the better one counts; by the union bound all hold at once with probability 1 − α.
///
/// # Errors
/// If δ or ε is impossible.
///
/// # Panics
/// If [`Calls::check`] refuses the counts.
pub fn measure_calls(calls: Calls, question: &Question) -> Result<CountedRates, ClaimError> {
    let level = question.alpha / (BOUNDS * EVENTS);
    let bound = |quantity: Quantity| -> Result<(RateBound, [EventTest; 2]), ClaimError> {
        let claim = question.claim.clone().filter(|claim| is_of(quantity, claim));
        let claim = claim.map_or_else(|| quantity.claim(), Ok)?;
        let groups = [Group::Members, Group::NonMembers];
        let tests = groups.map(|group| EventTest::new(calls.event(group), &claim, level));
        let [one, other] = [0, 1].map(|at| {
            let EventCounts { hits, n, other_hits, other_n } = calls.event(groups[at]);
            let counted = Counted { hits, of: n, other_hits, other_of: other_n };
            RateBound { lower: quantity.certified(&tests[at]), likelier: groups[at], counted }
        });
        Ok((if other.lower > one.lower { other } else { one }, tests))
    };
    let (epsilon, epsilon_tests) = bound(Quantity::Epsilon { delta: question.delta })?;
    let (delta, _) = bound(Quantity::Delta { epsilon: question.epsilon })?;
    let (mu, mu_tests) = bound(Quantity::Mu)?;
    let (advantage, _) = bound(Quantity::Delta { epsilon: 0.0 })?;
    let judged = question.claim.as_ref().map(|claim| {
        let tests = if is_of(Quantity::Mu, claim) { &mu_tests } else { &epsilon_tests };
        let p_values = tests.each_ref().map(|test| test.p_value(claim.region()));
        let p_value = p_values[0].min(p_values[1]);
        Judged { claim: claim.clone(), p_value, refuted: p_value <= level }
    });
    Ok(CountedRates {
        calls,
        at_delta: question.delta,
        at_epsilon: question.epsilon,
        alpha: question.alpha,
        true_positives: Interval::of(calls.true_positives, calls.members, question.alpha),
        false_positives: Interval::of(calls.false_positives, calls.non_members, question.alpha),
        certified: RateBounds { level, epsilon, delta, mu, advantage },
        judged,
    })
}

#[cfg(test)]
#[path = "../../tests/unit/attack/counts.rs"]
mod tests;

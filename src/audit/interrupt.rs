//! Audits that somebody interrupts (Ctrl-C): what they had found, and no verdict that rests on trials which
//! did not end.
//!
//! A test of a fixed number of trials means nothing on fewer. So confirm trials that were not all played are
//! not judged at all; a verdict that was reached before stays.

use super::explore::Frozen;
use super::search::{Best, Search};
use super::{Audit, summary};
use crate::finding::{Finding, PairSummary, Trials, Verdict};
use crate::game::GameError;
use serde::Serialize;

/// Why an audit was not played to its end.
pub(super) enum Ended<'a, D> {
    /// The mechanism broke its contract.
    Broken(String),
    /// Somebody interrupted it, when it had got so far.
    Interrupted(SoFar<'a, D>),
}

/// How far an audit had got.
pub(super) enum SoFar<'a, D> {
    /// It explored, and a search had this pair in mind.
    Explored(Option<Box<Best>>),
    /// The confirm trials were played, of which the others were explored.
    Frozen(Box<Frozen<'a, D>>, u64),
}

impl<'a, D> Ended<'a, D> {
    /// While it prepared or explored.
    pub fn exploring(error: GameError, search: Option<&Search<D>>) -> Self {
        match error {
            GameError::Broken(why) => Self::Broken(why),
            GameError::Interrupted => {
                Self::Interrupted(SoFar::Explored(search.and_then(Search::best).map(Box::new)))
            }
        }
    }

    /// While it confirmed.
    pub fn confirming(error: GameError, frozen: Frozen<'a, D>, explored: u64) -> Self {
        match error {
            GameError::Broken(why) => Self::Broken(why),
            GameError::Interrupted => Self::Interrupted(SoFar::Frozen(Box::new(frozen), explored)),
        }
    }
}

impl<D: Serialize + Sync> Audit<D> {
    /// The finding of an audit that was interrupted before it began.
    pub fn not_begun(&self) -> Finding {
        let reason = "Interrupted before it began.".to_owned();
        Finding { interrupted: true, ..self.cut_short(reason, 0.0) }
    }

    /// The finding of an audit that was interrupted before it had found anything.
    pub(super) fn cut_short(&self, reason: String, wall_s: f64) -> Finding {
        summary::without_trials(self, Verdict::Inconclusive, reason, wall_s)
    }

    /// The finding of an audit that was interrupted.
    pub(super) fn interrupted(&self, so_far: SoFar<'_, D>, wall_s: f64) -> Finding {
        match so_far {
            SoFar::Explored(best) => self.while_exploring(best, wall_s),
            SoFar::Frozen(frozen, explored) => {
                let reason = "Interrupted while the trials that count were played. A test of a fixed \
                              number of trials says nothing of fewer, so they were not judged. Shown \
                              are the pair and the witness that they were played with.";
                let pair = PairSummary {
                    given: frozen.surveyed,
                    surveyed: frozen.surveyed,
                    ..(self.describe)(&frozen.pair, self.checked.as_ref())
                };
                Finding {
                    pair,
                    test: frozen.test,
                    witness: summary::witness_summary(&frozen.witness),
                    trials: Trials { explore: explored, confirm: 0, total: explored },
                    ..self.cut_short(reason.to_owned(), wall_s)
                }
            }
        }
    }

    fn while_exploring(&self, best: Option<Box<Best>>, wall_s: f64) -> Finding {
        let explored =
            "Interrupted while it explored: nothing was counted, and nothing is certified.";
        let made = best.and_then(|best| {
            let search = self.search.as_ref()?;
            let pair = search.make(search.described(&best.recipe, best.name())?, self)?;
            Some((best, pair))
        });
        let Some((best, pair)) = made else { return self.cut_short(explored.to_owned(), wall_s) };
        let reason = format!(
            "{explored} Of {} pairs that the search had looked at so far, the one that is shown promised \
             the most.",
            best.looked_at
        );
        let (given, surveyed) = (best.looked_at, best.looked_at);
        let pair = PairSummary { given, surveyed, ..(self.describe)(&pair, self.checked.as_ref()) };
        Finding { pair, ..self.cut_short(reason, wall_s) }
    }
}

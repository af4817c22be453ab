//! Audits that somebody interrupts (Ctrl-C): what they had found, and no verdict that rests on trials which
//! did not end.
//!
//! A test of a fixed number of trials means nothing on fewer. So confirm trials that were not all played are
//! not judged at all; a verdict that was reached before stays.

use super::decide::decide;
use super::explore::Frozen;
use super::flow::Ending;
use super::search::{Best, Search};
use super::{Audit, evidence, summary};
use crate::dataset::Pair;
use crate::finding::reason::Stage;
use crate::finding::{Finding, PairSummary, Trials};
use crate::game::GameError;
use serde::Serialize;

/// How far an audit had got.
pub(super) enum SoFar<'a, D> {
    /// It checked the declared sensitivity.
    Checking,
    /// It tried to prove the claim.
    Proving,
    /// It explored, and a search had this pair in mind.
    Explored(Option<Box<Best>>),
    /// The confirm trials were played, of which the others were explored.
    Frozen(Box<Frozen<'a, D>>, u64),
}

impl<'a, D> Ending<'a, D> {
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

impl<D> SoFar<'_, D> {
    /// The step that it was at.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Checking => Stage::Checking,
            Self::Proving => Stage::Proving,
            Self::Explored(best) => Stage::Exploring(best.as_ref().map(|best| best.looked_at)),
            Self::Frozen(..) => Stage::Confirming,
        }
    }
}

impl<D: Serialize + Sync> Audit<D> {
    /// The finding of an audit that was interrupted before it began.
    pub fn not_begun(&self) -> Finding {
        let decided = decide(&evidence::not_begun());
        Finding { interrupted: true, ..summary::without_trials(self, decided, 0.0) }
    }

    /// What is shown of an audit that was interrupted.
    pub(super) fn shown_so_far(&self, so_far: SoFar<'_, D>, finding: Finding) -> Finding {
        match so_far {
            SoFar::Explored(Some(best)) => {
                let looked_at = best.looked_at;
                let pair = self.search.as_ref().and_then(|search| {
                    search.make(search.described(&best.recipe, best.name())?, self)
                });
                let pair = pair.map(|pair| self.shown(&pair, looked_at));
                Finding { pair: pair.unwrap_or_else(|| finding.pair.clone()), ..finding }
            }
            SoFar::Frozen(frozen, explored) => Finding {
                pair: self.shown(&frozen.pair, frozen.surveyed),
                test: frozen.test,
                witness: summary::witness_summary(&frozen.witness),
                trials: Trials { explore: explored, confirm: 0, total: explored },
                ..finding
            },
            SoFar::Checking | SoFar::Proving | SoFar::Explored(None) => finding,
        }
    }

    /// A pair, the best of so many.
    fn shown(&self, pair: &Pair<D>, looked_at: usize) -> PairSummary {
        let (given, surveyed) = (looked_at, looked_at);
        PairSummary { given, surveyed, ..(self.describe)(pair, self.checked.as_ref()) }
    }
}

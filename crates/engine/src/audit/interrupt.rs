//! Interrupted audits (Ctrl-C): their results so far, without a verdict from incomplete trials.
//!
//! A test of a fixed number of trials means nothing on fewer. So incomplete confirm trials are not
//! judged at all; an earlier verdict remains.

use crate::audit::course::{Ending, Frozen, SoFar};
use crate::audit::decide::decide;
use crate::audit::judge::counted;
use crate::audit::search::PairSearch;
use crate::audit::settings::Audit;
use crate::audit::{evidence, find};
use crate::game::GameError;
use plaudit_core::dataset::Pair;
use plaudit_core::finding::{Finding, PairSummary, Trials};
use serde::Serialize;

impl<'a, D> Ending<'a, D> {
    pub fn exploring(error: GameError, search: Option<&PairSearch<D>>) -> Self {
        match error {
            GameError::Broken(why) => Self::Broken(why),
            GameError::Interrupted => {
                Self::Interrupted(SoFar::Explored(search.and_then(PairSearch::best).map(Box::new)))
            }
        }
    }

    pub fn confirming(error: GameError, frozen: Frozen<'a, D>, explored: u64) -> Self {
        match error {
            GameError::Broken(why) => Self::Broken(why),
            GameError::Interrupted => Self::Interrupted(SoFar::Frozen(Box::new(frozen), explored)),
        }
    }
}

impl<D: Serialize + Sync> Audit<D> {
    /// Finding of an audit that was interrupted before it began.
    pub fn not_begun(&self) -> Finding {
        let decided = decide(&evidence::not_begun());
        Finding { interrupted: true, ..find::without_trials(self, decided) }
    }

    pub(in crate::audit) fn shown_so_far(&self, so_far: SoFar<'_, D>, finding: Finding) -> Finding {
        match so_far {
            SoFar::Explored(Some(best)) => {
                let looked_at = best.looked_at;
                let pair = self
                    .search
                    .as_ref()
                    .and_then(|search| search.pair(&best.recipe, best.name(), &*self.mechanism));
                let pair = pair.map(|pair| self.shown(&pair, looked_at));
                Finding { pair: pair.unwrap_or_else(|| finding.pair.clone()), ..finding }
            }
            SoFar::Frozen(frozen, explored) => Finding {
                pair: self.shown(&frozen.pair, frozen.surveyed),
                test: frozen.test,
                witness: counted::witness_summary(&frozen.witness),
                trials: Trials { explore: explored, confirm: 0, total: explored },
                ..finding
            },
            SoFar::Checking | SoFar::Proving | SoFar::Explored(None) => finding,
        }
    }

    /// A pair, the best of `looked_at` ones.
    fn shown(&self, pair: &Pair<D>, looked_at: usize) -> PairSummary {
        let (given, surveyed) = (looked_at, looked_at);
        PairSummary { given, surveyed, ..(self.describe)(pair, self.relation.checked()) }
    }
}

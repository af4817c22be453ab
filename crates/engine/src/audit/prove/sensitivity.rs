//! The check before any trial that the query without noise stays within its declared sensitivity.
//!
//! An excess is checked once more, in the other order and in fresh copies of a program, so that
//! answers that change by themselves do not become counterexamples.

use crate::audit::certificate::counterexample::same;
use crate::audit::course::{Checked, Ending, Exceeded, SoFar};
use crate::audit::settings::Audit;
use crate::game::Control;
use crate::mechanism::{Trouble, query_of};
use crate::search::{self, Moved, Neighborhood, SensitivityCheck};
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::reason::Reason;
use plaudit_core::finding::{SensitivitySummary, WrittenAnswer};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

impl<D: Serialize + Sync> Audit<D> {
    /// Checks the declared sensitivity, if there is one and a domain to search.
    ///
    /// # Errors
    /// The audit ends if it is exceeded, or interrupted.
    pub(in crate::audit) fn check_declared(
        &self,
        control: Control<'_>,
    ) -> Result<Option<Checked>, Ending<'_, D>> {
        let Some((declared, search)) = self.sensitivity.zip(self.search.as_ref()) else {
            return Ok(None);
        };
        let trouble = Mutex::new(None);
        let note = |new: NoAnswer| {
            trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(new);
        };
        let noted = || trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let answer = |dataset: &D| match query_of(&self.mechanism, dataset, control.interrupted) {
            Ok(Some(answer)) => Some(answer),
            Ok(None) => {
                note(NoAnswer::NoQuery);
                None
            }
            Err(why) => {
                note(NoAnswer::Trouble(why));
                None
            }
        };
        let made = |pair: &Pair<Dataset>| search.make(pair.clone(), &*self.mechanism);
        let answers = |pair: &Pair<Dataset>| {
            if noted().is_some() {
                return None;
            }
            let pair = made(pair)?;
            Some([answer(&pair.d)?, answer(&pair.d_prime)?])
        };
        // Also for a claim of groups: noise is calibrated to neighbors.
        let neighborhood = Neighborhood { group: 1, ..search.neighborhood.clone() };
        let first = search.first.iter().filter(|pair| are_neighbors(pair, &neighborhood));
        let first: Vec<_> = first.cloned().collect();
        let (seed, interrupted) = (self.settings.seed, control.interrupted);
        let found =
            search::furthest_apart(&answers, (&neighborhood, &first), declared, seed, interrupted);
        let SensitivityCheck { pairs, worst, interrupted } = found;
        self.mechanism.finish();
        let exceeding = worst.as_ref().filter(|moved| moved.exceeds);
        let again = exceeding.and_then(|moved| {
            let pair = made(&moved.pair)?;
            let on_d_prime = answer(&pair.d_prime)?;
            self.mechanism.finish();
            Some((answer(&pair.d)?, on_d_prime, pair))
        });
        self.mechanism.finish();
        let interruption = || Err(Ending::Interrupted(SoFar::Checking));
        let checked = match (worst, again, noted()) {
            (_, _, Some(NoAnswer::Trouble(Trouble::Interrupted))) => return interruption(),
            (_, _, Some(why)) => Checked::NotMade(why.words()),
            (Some(Moved { answers, distance, exceeds: true, .. }), Some((d, d_prime, pair)), _) => {
                if !same(&answers[0], &d) || !same(&answers[1], &d_prime) {
                    let why = "repeated queries on the same dataset get different \
                               answers, but a query without noise has only one";
                    return Ok(Some(Checked::NotMade(why.into())));
                }
                let exceeded = Exceeded { declared, pair, answers, distance, pairs };
                return Err(Ending::Exceeded(Box::new(exceeded)));
            }
            _ if interrupted => return interruption(),
            (Some(Moved { distance, .. }), ..) => Checked::Held(Box::new(SensitivitySummary {
                norm: declared.norm,
                declared: declared.most,
                pairs,
                distance: Some(distance),
                counterexample: None,
            })),
            (None, ..) => Checked::NotMade("no two datasets could be compared".into()),
        };
        Ok(Some(checked))
    }

    pub(in crate::audit) fn how_exceeded(&self, exceeded: &Exceeded<D>) -> Reason {
        let Exceeded { declared, answers, distance, pairs, .. } = exceeded;
        let domain = self.search.as_ref().map(|search| search.neighborhood.domain.to_string());
        Reason::SensitivityExceeded {
            declared: declared.to_string(),
            relation: self.relation.to_string(),
            answers: [&answers[0], &answers[1]].map(WrittenAnswer::abridged),
            distance: Some(*distance).filter(|distance| distance.is_finite()),
            pairs: *pairs,
            domain: domain.unwrap_or_default(),
        }
    }
}

#[derive(Clone)]
enum NoAnswer {
    NoQuery,
    Trouble(Trouble),
}

impl NoAnswer {
    fn words(&self) -> String {
        match self {
            Self::NoQuery => "the mechanism does not report its query's answer \
                              without noise (a program reports it by `query`: see docs/external.md)"
                .into(),
            Self::Trouble(trouble) => trouble.to_string().trim_end_matches('.').to_owned(),
        }
    }
}

/// `true` if a pair, which a search of groups may have kept, is one of neighbors.
fn are_neighbors(pair: &Pair<Dataset>, neighborhood: &Neighborhood) -> bool {
    neighborhood.relation.check(&pair.d, &pair.d_prime).is_ok()
}

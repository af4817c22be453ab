//! Proofs in audits: results besides those of the measurement.

pub(in crate::audit) mod known;
pub(in crate::audit) mod sensitivity;

use crate::audit::course::{Attempt, Ending, Laws, SoFar};
use crate::audit::settings::{Audit, AuditError};
use crate::game::Control;
use crate::mechanism::choice::Budget;
use crate::verify::{Domain, Extent, VerifyError, prove, prove_aligned, prove_closed};
use plaudit_aligned::Written;
use plaudit_core::dataset::Pair;
use plaudit_core::finding::{Decision, Proof};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// Most runs of a mechanism, on all datasets together, for a proof that was not asked for.
pub(in crate::audit) const CHEAP_RUNS: u64 = 1 << 15;
/// Most paths of a mechanism that are followed.
const MOST_PATHS: usize = 20_000;
/// As [`MOST_PATHS`], for a proof that was not asked for: 256 take tenths of a second.
const CHEAP_PATHS: u64 = 256;
/// Fewest runs on a dataset with which a proof may succeed.
const LEAST_RUNS: u64 = 64;

impl<D: Serialize + Sync> Audit<D> {
    /// A proof, if one is asked for or costs little, and the laws that it enumerates.
    ///
    /// # Errors
    /// The audit ends if it is interrupted.
    pub(in crate::audit) fn try_to_prove(
        &self,
        laws: &mut Laws,
        control: Control<'_>,
    ) -> Result<Option<Attempt>, Ending<'_, D>> {
        let attempt = match self.verify {
            Some(_) => self.prove_as_asked(laws, control.interrupted),
            None if self.settings.prove_where_cheap => {
                self.prove_cheaply(laws, control.interrupted)
            }
            None => Ok(None),
        };
        attempt.map_err(|error| match error {
            AuditError::Interrupted => Ending::Interrupted(SoFar::Proving),
            error => Ending::Failed(error),
        })
    }

    /// A proof that was not asked for: for the pairs of the audit, where it costs little (well
    /// below a second), and if it decides anything.
    ///
    /// # Errors
    /// If it is interrupted.
    fn prove_cheaply(
        &self,
        laws: &mut Laws,
        interrupted: &AtomicBool,
    ) -> Result<Option<Attempt>, AuditError> {
        let most = CHEAP_RUNS / (2 * self.pairs.len().max(1)) as u64;
        let budget = Budget { runs: most, pending: most as usize, ..Budget::default() };
        if self.mechanism.capabilities().choices.is_some() && most < LEAST_RUNS {
            return Ok(None);
        }
        let budget = match self.mechanism.capabilities().drawn {
            Some(_) => Budget { runs: CHEAP_PATHS, ..budget },
            None => budget,
        };
        let attempt = self.attempt((None, budget), laws, interrupted)?;
        let decides = |proof: &Proof| proof.decision != Decision::Undecided;
        Ok(attempt.filter(|attempt| attempt.as_ref().is_ok_and(decides)))
    }

    /// Proves or refutes the claim. By enumeration, if its mechanism is written against choices, on
    /// the pairs of the audit and on the domain that it names; that covers the relation if the
    /// domain contains all neighbors in it. A mechanism that depends on more than its dataset and
    /// its choices gives a reason instead of a proof. By closed form, if it adds noise that has
    /// one, for all neighbors within the distance of its relation. Else `None`.
    ///
    /// # Errors
    /// If it is interrupted.
    pub fn prove(&self, interrupted: &AtomicBool) -> Result<Option<Attempt>, AuditError> {
        self.prove_as_asked(&mut Vec::new(), interrupted)
    }

    fn prove_as_asked(
        &self,
        laws: &mut Laws,
        interrupted: &AtomicBool,
    ) -> Result<Option<Attempt>, AuditError> {
        let named = self.verify.as_ref().and_then(|verify| verify.domain.as_ref());
        let budget = self.verify.as_ref().map(|verify| verify.budget).unwrap_or_default();
        self.attempt((named, budget), laws, interrupted)
    }

    fn attempt(
        &self,
        (named, budget): (Option<&Domain<D>>, Budget),
        laws: &mut Laws,
        interrupted: &AtomicBool,
    ) -> Result<Option<Attempt>, AuditError> {
        let Some(mechanism) = self.mechanism.capabilities().choices else {
            return Ok(match self.mechanism.capabilities().drawn {
                Some(mechanism) => Some(self.aligned(mechanism, budget)),
                None => self.closed_form(),
            });
        };
        let own = || self.pairs.iter().map(|pair| (&pair.d, &pair.d_prime));
        if named.is_some() && self.claim.group_size() > 1 {
            let why = "the pairs in a domain are neighbors, but the claim is for groups";
            return Ok(Some(Err(why.to_owned())));
        }
        let domain: Domain<&D> = match named {
            None => {
                let words = if self.pairs.len() == 1 { "pair" } else { "pairs" };
                Domain { words: format!("the {words} of the audit"), ..Domain::of_pairs(own()) }
            }
            Some(named) => {
                let mut domain = Domain {
                    words: format!("{} and the pairs of the audit", named.words),
                    datasets: named.datasets.iter().collect(),
                    pairs: named.pairs.clone(),
                    extent: self.extent(named),
                };
                domain.add(own());
                domain
            }
        };
        match prove(mechanism, &domain, budget, &self.claim, interrupted) {
            Ok(proved) => {
                // The pairs of the audit are the last ones.
                let own = &domain.pairs[domain.pairs.len() - self.pairs.len()..];
                let kept = |&(d, d_prime): &_| [d, d_prime].map(|at| known::kept(&proved, at));
                *laws = own.iter().map(kept).collect();
                let for_readers = self.show;
                let show = |dataset: &&D| for_readers(dataset);
                Ok(Some(Ok(proved.summary(&self.claim, &domain, show))))
            }
            Err(VerifyError::Interrupted) => Err(AuditError::Interrupted),
            Err(error @ (VerifyError::NotRepeatable(_) | VerifyError::NoPairs)) => {
                Ok(Some(Err(error.to_string())))
            }
        }
    }

    /// Extent of a domain under the audit's relation; the domain's own for unchecked pairs.
    fn extent(&self, named: &Domain<D>) -> Extent {
        match (self.relation.checked(), &named.extent) {
            (
                Some(stated),
                Extent::Whole(relation) | Extent::Values(relation) | Extent::Nearer(relation),
            ) if stated != relation => Extent::Named,
            (_, extent) => extent.clone(),
        }
    }

    /// A proof by alignment, or by the probabilities of outcomes on the pairs.
    fn aligned(&self, mechanism: &dyn Written, budget: Budget) -> Attempt {
        let numbers =
            |pair: &Pair<D>| Some([(self.numbers)(&pair.d)?, (self.numbers)(&pair.d_prime)?]);
        let pairs: Option<Vec<_>> = self.pairs.iter().map(numbers).collect();
        let pairs = pairs.ok_or("the datasets are not lists of numbers")?;
        let relation = self.relation.checked();
        let most = usize::try_from(budget.runs).unwrap_or(usize::MAX).min(MOST_PATHS);
        let proof = prove_aligned(mechanism, &pairs, relation, &self.claim, most)?;
        // A search may try lists of other lengths.
        let covers_relation = proof.covers_relation && self.search.is_none();
        Ok(Proof { covers_relation, ..proof })
    }

    /// A proof by closed form. The number of entries is the largest of the pairs' datasets, so that
    /// it covers all pairs.
    fn closed_form(&self) -> Option<Attempt> {
        let releases = self.mechanism.capabilities().releases?;
        let entries = |dataset: &D| Some((self.numbers)(dataset)?.len());
        let lengths: Option<Vec<usize>> = self.pairs.iter().map(|pair| entries(&pair.d)).collect();
        // Without pairs the size of the datasets is unknown.
        if self.pairs.is_empty() {
            return None;
        }
        let Some(entries) = lengths.and_then(|lengths| lengths.into_iter().max()) else {
            return Some(Err("the datasets are not lists of numbers".to_owned()));
        };
        let Some(relation) = self.relation.checked() else {
            return Some(
                Err("it is not known under which relation the pairs are neighbors".into()),
            );
        };
        let proof = prove_closed(&releases, relation, entries, &self.claim);
        Some(proof.ok_or_else(|| {
            "there is no closed form for this claim, or none under this relation".to_owned()
        }))
    }
}

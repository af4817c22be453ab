//! Proofs: properties of a mechanism that need no sampling.
//!
//! A mechanism that takes its randomness from [`Choices`](crate::mechanism::Choices) has a law on each dataset
//! that can be enumerated. [`prove`] enumerates it on every dataset of a [`Domain`], compares the
//! laws of all pairs of neighbors, in both directions, and decides whether the claim holds on that
//! domain. Mass that a budget left unresolved only widens the answer.
//!
//! ```text
//! ChoiceMechanism + Domain + Budget
//!   └─> Explorer     every dataset once, duplicates found      ──> Law
//!         └─> Divergence   every pair of laws, both directions  ──> e^ε, δ(ε), trade-off, enclosed
//!               └─> judge        against the claim               ──> verified · refuted · undecided
//!                     └─> Proof        for the report
//! ```

mod aligned;
mod bisect;
mod closed;
mod compared;
mod divergence;
mod domain;
mod enclose;
mod held;
mod judge;
mod moments;
mod normal;
mod on_pairs;
mod summary;

pub use aligned::{prove_aligned, prove_paths};
pub use closed::prove_closed;
pub use divergence::{Between, Divergence};
pub use domain::{Domain, DomainError, Extent, MOST_DATASETS, MOST_PAIRS, Sequences};
pub use enclose::{Enclosure, Exponential};
pub use judge::{Proved, WorstPair};

pub use crate::mechanism::choice::{Budget, Explorer, Law, NotRepeatable, Rational};
use crate::mechanism::{ChoiceMechanism, order};
use plaudit_core::claim::Claim;
use rayon::prelude::*;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Reason why there is neither a proof nor a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    #[error("interrupted")]
    Interrupted,
    /// A domain without neighbors: any claim would hold.
    #[error("the domain has no pair of neighbors, so there is nothing to prove")]
    NoPairs,
    #[error(transparent)]
    NotRepeatable(#[from] NotRepeatable),
}

/// Proves or refutes a claim of a mechanism on a domain, or returns bounds on the truth.
///
/// # Errors
/// If it is interrupted, the domain has no pair of neighbors, or the mechanism depends on more than
/// its dataset and its choices.
pub fn prove<D, B: Borrow<D> + Sync>(
    mechanism: &dyn ChoiceMechanism<D>,
    domain: &Domain<B>,
    budget: Budget,
    claim: &Claim,
    interrupted: &AtomicBool,
) -> Result<Proved, VerifyError> {
    let go_on = || match interrupted.load(Ordering::Relaxed) {
        true => Err(VerifyError::Interrupted),
        false => Ok(()),
    };
    if domain.pairs.is_empty() {
        return Err(VerifyError::NoPairs);
    }
    let explorer = Explorer::new(budget);
    let law = |dataset: &B| {
        let law = explorer.law(dataset.borrow(), mechanism);
        go_on()?;
        Ok(law?)
    };
    let laws = halting(&explorer, interrupted, || {
        domain.datasets.par_iter().map(law).collect::<Result<Vec<Law>, VerifyError>>()
    })?;
    let (laws, of_dataset) = distinct(laws);
    // Each pair of laws once, with the first pair of datasets that has it; equal laws have no loss.
    let mut pairs: Vec<[usize; 4]> = Vec::new();
    let mut seen = HashMap::new();
    for &(d, d_prime) in &domain.pairs {
        let (p, q) = (of_dataset[d], of_dataset[d_prime]);
        if seen.insert((p.min(q), p.max(q)), ()).is_none() {
            pairs.push([d, d_prime, p, q]);
        }
    }
    let judge = judge::Judge::new(claim);
    let directions: Vec<_> = pairs
        .par_iter()
        .flat_map_iter(|&[d, d_prime, p, q]| [[d, d_prime, p, q], [d_prime, d, q, p]])
        .map(|[d, d_prime, p, q]| {
            go_on()?;
            let divergence = Divergence::new(&laws[p], &laws[q]);
            Ok(judge.direction([d, d_prime], &laws[p], &divergence))
        })
        .collect::<Result<_, VerifyError>>()?;
    Ok(judge.decide(directions, (laws, of_dataset), domain, &explorer))
}

/// Runs an explorer, which gives up within moments when `interrupted` is set.
fn halting<T: Send>(
    explorer: &Explorer,
    interrupted: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> T {
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                explorer.halted().fetch_or(interrupted.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Interval between checks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

/// Distinct laws, and the index of each dataset's law.
fn distinct(laws: Vec<Law>) -> (Vec<Law>, Vec<usize>) {
    let mut kept: Vec<Law> = Vec::new();
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut places = Vec::with_capacity(laws.len());
    for law in laws {
        let mut hash = DefaultHasher::new();
        law.outcomes().iter().for_each(|(_, mass)| mass.hash(&mut hash));
        let alike = by_hash.entry(hash.finish()).or_default();
        let place = alike.iter().copied().find(|&at| same(&kept[at], &law));
        places.push(place.unwrap_or_else(|| {
            alike.push(kept.len());
            kept.push(law);
            kept.len() - 1
        }));
    }
    (kept, places)
}

/// `true` if two laws are equal, bit by bit.
fn same(a: &Law, b: &Law) -> bool {
    a.unresolved() == b.unresolved()
        && a.outcomes().len() == b.outcomes().len()
        && a.outcomes()
            .iter()
            .zip(b.outcomes())
            .all(|((a, p), (b, q))| p == q && order(&a.as_ref(), &b.as_ref()).is_eq())
}

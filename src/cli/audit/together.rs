//! Audits that run beside one another. An audit that ends early keeps one core busy for most of its time, since what it does is
//! short; several at a time keep them all busy. What each finds does not depend on the others.

use super::limits::Limits;
use crate::spec::{self, Loaded};
use plaudit_engine::audit::{AuditError, Audited};
use plaudit_engine::game::{Control, Runs};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What an audit gave; `None`: it is still to be run.
pub(super) type Given = Option<Result<Audited, AuditError>>;

/// Runs the audits of a gate that may run beside others, as many at a time as there are threads: no programs, which are given all threads
/// themselves, and none whose running time counts.
pub(super) fn run(
    (limits, pool, records): (Limits, &ThreadPool, bool),
    audits: &mut [Loaded],
    control: Control<'_>,
) -> Vec<Given> {
    let one_by_one = !limits.looks
        || limits.keeps_evidence
        || limits.fail_fast
        || limits.seconds.is_some()
        || records;
    if one_by_one {
        return audits.iter().map(|_| None).collect();
    }
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<(&mut Loaded, Given)>> =
        audits.iter_mut().map(|loaded| Mutex::new((loaded, None))).collect();
    let feed = || {
        while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let (Loaded { audit, .. }, given) = &mut *slot;
            let is_alone = spec::is_program(&audit.summary) || audit.runs == Runs::Timed;
            if !is_alone && !control.interrupted.load(Ordering::Relaxed) {
                *given = Some(pool.install(|| audit.run_in_looks(limits.enough, control)));
            }
        }
    };
    // At most so many audits are open at a time, so that a thread that waits for one and takes up another does not pile them up.
    thread::scope(|scope| {
        (0..pool.current_num_threads()).for_each(|_| drop(scope.spawn(feed)));
    });
    let given = |slot: Mutex<(&mut Loaded, Given)>| match slot.into_inner() {
        Ok((_, given)) => given,
        Err(poisoned) => poisoned.into_inner().1,
    };
    slots.into_iter().map(given).collect()
}

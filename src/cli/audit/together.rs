//! Audits that run in parallel. An audit that ends early keeps one core busy for most of its time, since its work is
//! short; several at a time keep all cores busy. The finding of each does not depend on the others.

use super::limits::{Ends, Limits};
use crate::rebuild;
use crate::spec::Loaded;
use plaudit_engine::audit::{AuditError, Audited};
use plaudit_engine::game::{Control, Runs};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Result of an audit; `None` if it is still to be run.
pub(super) type Given = Option<Result<Audited, AuditError>>;

/// Runs the audits of a gate that may run in parallel, as many at a time as there are threads: no programs, which get
/// all threads themselves, and no audits whose running time counts.
pub(super) fn run(
    (limits, pool, records): (Limits, &ThreadPool, bool),
    audits: &mut [Loaded],
    control: Control<'_>,
) -> Vec<Given> {
    let one_by_one = limits.ends != Ends::InLooks
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
            let is_alone = rebuild::is_program(&audit.summary) || audit.runs == Runs::Timed;
            if !is_alone && !control.interrupted.load(Ordering::Relaxed) {
                *given = Some(pool.install(|| audit.run_in_looks(limits.enough, control)));
            }
        }
    };
    // The number of open audits is limited, so that a waiting thread that takes up another audit does not pile them up.
    thread::scope(|scope| {
        (0..pool.current_num_threads()).for_each(|_| drop(scope.spawn(feed)));
    });
    let given = |slot: Mutex<(&mut Loaded, Given)>| match slot.into_inner() {
        Ok((_, given)) => given,
        Err(poisoned) => poisoned.into_inner().1,
    };
    slots.into_iter().map(given).collect()
}

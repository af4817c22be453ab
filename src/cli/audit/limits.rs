//! Where a run ends early, and how its time is shared.

use crate::rebuild;
use crate::spec::Loaded;
use plaudit_core::finding::Finding;
use std::time::Instant;

#[derive(Clone, Copy, Default)]
pub(in crate::cli) struct Limits {
    /// After the first verdict that was not expected.
    pub fail_fast: bool,
    /// `true` if audits of running times do not count for that.
    pub spares_clock: bool,
    /// Seconds shared among the audits; no audit begins after them.
    pub seconds: Option<f64>,
    pub ends: Ends,
    /// Where audits may end early, the sufficient bound.
    pub enough: Option<f64>,
    /// Claims that are expected to hold are looked at once all the same: their evidence is kept, and must not
    /// depend on where an audit ended.
    pub keeps_evidence: bool,
}

/// When an audit ends.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::cli) enum Ends {
    /// After all its trials.
    #[default]
    AfterAll,
    /// After a look that decides ([`plaudit_engine::audit::Audit::run_in_looks`]).
    InLooks,
    /// As soon as it is clear ([`plaudit_engine::audit::Audit::run_until_clear`]).
    UntilClear,
}

impl Limits {
    pub(super) fn are_reached(self, begun: Instant, findings: &[Finding]) -> bool {
        let is_alarm = |finding: &Finding| {
            let is_spared = self.spares_clock && finding.rests_on_time();
            !finding.as_expected && !finding.interrupted && !is_spared
        };
        let is_late = |most: f64| begun.elapsed().as_secs_f64() > most;
        self.fail_fast && findings.iter().any(is_alarm) || self.seconds.is_some_and(is_late)
    }

    /// The share that the next audit has of the time that is left, by what it and those after it are expected to cost.
    pub(super) fn share(self, begun: Instant, costs: &[f64]) -> Option<f64> {
        let left = (self.seconds? - begun.elapsed().as_secs_f64()).max(0.0);
        Some(left * costs[0] / costs.iter().sum::<f64>())
    }
}

/// Factor by which runs of a program are expected to be slower than those of a built-in mechanism.
const PROGRAM: f64 = 100.0;

pub(super) fn cost(Loaded { audit, .. }: &Loaded) -> f64 {
    let each = if rebuild::is_program(&audit.summary) { PROGRAM } else { 1.0 };
    each * audit.settings.trials as f64
}

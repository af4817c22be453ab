//! Audits that end early: looks at a few trials first, then at more, each at its own share of α.
//!
//! Each look is an audit of its own, with its own explore and confirm trials, and its level bounds
//! its false alarms whatever the other looks see, so the levels may be added up (union bound): the
//! audit may end after any look for any reason. Compared with one test that is evaluated after each
//! batch (methods: betting), this keeps the sharper tests of fixed sizes and saves explore trials.

use crate::audit::course::{Before, Ending};
use crate::audit::decide::decided_by;
use crate::audit::explore::floor;
use crate::audit::find::Audited;
use crate::audit::frozen::Exploring;
use crate::audit::settings::{Audit, AuditError, MIN_ALPHA, MIN_TRIALS, Settings};
use crate::game::{Clock, Control, Runs};
use plaudit_core::finding::{Expectation, Finding, Look, Looks, Power, ProofOf};
use plaudit_core::inference::Test;
use serde::Serialize;
use std::ops::ControlFlow;

/// Share of the trials, and of α, of each look. The other shares of α cost the last look 2 % of its
/// trials (ln(4/3) of ln 10⁶ nats); a first look of a 32nd misses an excess of less than about six
/// times that of the last (√32), and the second halves that gap.
const LOOKS: [(f64, f64); 3] = [(1.0 / 32.0, 0.125), (1.0 / 6.0, 0.125), (1.0, 0.75)];
/// Fewest trials of a look that is not the last: explore has 1 200 of them. Not tuned: fewer show
/// only gross violations.
const LEAST_TRIALS: u64 = 8_000;

impl<D: Serialize + Sync> Audit<D> {
    /// As [`Audit::run`], but accepts a proof of the code, and ends at the first look that decides:
    /// the claim is refuted, or nothing is wrong and a loss of `enough` times the claim would have
    /// been refuted with probability 0.99. `None`: it ends early only when refuted. The same is
    /// true of an audit that is expected to be violated, or searches for its pairs.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_in_looks(
        &mut self,
        enough: Option<f64>,
        control: Control<'_>,
    ) -> Result<Audited, AuditError> {
        self.through(self.looks(), enough, control)
    }

    /// The audit in one look, which has all trials and all of α: for evidence that is added up over
    /// runs, which must not depend on where an audit ended.
    ///
    /// # Errors
    /// As [`Audit::run`].
    pub fn run_in_one_look(&mut self, control: Control<'_>) -> Result<Audited, AuditError> {
        let Settings { trials, alpha, .. } = self.settings;
        let looks =
            Looks { alpha, looks: vec![Look { trials, alpha, p_value: None }], enough: None };
        self.through(looks, None, control)
    }

    fn through(
        &mut self,
        mut looks: Looks,
        enough: Option<f64>,
        control: Control<'_>,
    ) -> Result<Audited, AuditError> {
        let clock = Clock::start();
        let control = Control { clock: Some(&clock), ..control };
        // Looks have other trials and levels.
        self.identity.get_or_insert(self.identity());
        let before = match self.begin(&clock, control)? {
            ControlFlow::Continue(before) => before,
            ControlFlow::Break(audited) => return Ok(*audited),
        };
        let undeclared = self.undeclared();
        let control = Control { undeclared: control.undeclared.or(undeclared.as_ref()), ..control };
        let whole = self.settings;
        self.most = whole.trials;
        let result = self.look(&mut looks, (enough, before, &clock), control);
        self.mechanism.finish();
        (self.settings, self.most) = (whole, 0);
        result
    }

    /// Checks the audit and makes the steps before its trials; ends it if a proof of the code decides.
    pub(in crate::audit) fn begin(
        &self,
        clock: &Clock,
        control: Control<'_>,
    ) -> Result<ControlFlow<Box<Audited>, Before>, AuditError> {
        self.check()?;
        let mut before = Before::default();
        let ending = match self.prepare(&mut before, control) {
            Err(early) => early,
            Ok(()) if self.is_proved(&before) => Ending::Proved,
            Ok(()) => return Ok(ControlFlow::Continue(before)),
        };
        Ok(ControlFlow::Break(Box::new(self.ended(ending, before, clock)?)))
    }

    fn look(
        &mut self,
        looks: &mut Looks,
        (enough, before, clock): (Option<f64>, Before, &Clock),
        control: Control<'_>,
    ) -> Result<Audited, AuditError> {
        let whole = self.settings;
        let last = looks.looks.len() - 1;
        let mut at = 0;
        loop {
            let Look { trials, alpha, .. } = looks.looks[at];
            self.settings = Settings { trials, alpha, ..whole };
            let ending = self.played(&before, Exploring::Here, control);
            let is_broken = matches!(ending, Ending::Broken(_));
            let has_state =
                matches!(&ending, Ending::Played(played) if played.runs == Runs::Stateful);
            let mut audited = self.ended(ending, before.clone(), clock)?;
            if has_state {
                // State that was seen once is not unseen by another look.
                self.runs = Runs::Stateful;
            }
            let finding = &mut audited.finding;
            looks.looks[at].p_value = Some(finding.p_value);
            looks.enough = self.sufficient(enough, finding.test);
            let decides = is_broken || audited.interrupted || decides(finding, looks.enough);
            if at == last || decides {
                finding.looks = Some(looks.clone()).filter(|_| last > 0);
                return Ok(audited);
            }
            at += 1;
        }
    }

    /// The trials of all its looks.
    pub(in crate::audit) fn planned(&self) -> u64 {
        self.looks().looks.iter().map(|look| look.trials).sum()
    }

    fn looks(&self) -> Looks {
        let Settings { trials, alpha, seconds, .. } = self.settings;
        let is_fixed = seconds.is_some() || self.mechanism.capabilities().recordings.is_some();
        let fits = |&(share, level): &(f64, f64)| {
            share == 1.0
                || !is_fixed
                    && share * trials as f64 >= LEAST_TRIALS as f64
                    && level * alpha >= MIN_ALPHA
        };
        let shares: Vec<_> = LOOKS.into_iter().filter(fits).collect();
        let all: f64 = shares.iter().map(|(_, level)| level).sum();
        let look = |(share, level): (f64, f64)| Look {
            trials: ((share * trials as f64) as u64).max(MIN_TRIALS),
            alpha: alpha * level / all,
            p_value: None,
        };
        Looks { alpha, looks: shares.into_iter().map(look).collect(), enough: None }
    }

    /// `true` if a proof of the code itself decides. A proof of the law that the code is meant to
    /// have does not detect a change of the code, and no proof covers running times, or state that
    /// a run keeps for the next.
    fn is_proved(&self, before: &Before) -> bool {
        let proof = before.proof.as_ref().and_then(|proof| proof.as_ref().ok());
        self.runs == Runs::Independent
            && proof.is_some_and(|proof| proof.of == ProofOf::Code && decided_by(proof).is_some())
    }

    /// Sufficient loss, in the unit of this test.
    pub(in crate::audit) fn sufficient(&self, times: Option<f64>, test: Test) -> Option<f64> {
        let is_right = self.search.is_none() && self.settings.expect == Expectation::NotViolated;
        Some(floor::wanted(&self.claim, times.filter(|_| is_right)?, test)?.1)
    }
}

/// `true` if this power leaves no loss above `enough` unseen, with a margin.
pub(in crate::audit) fn is_enough(power: &Power, enough: f64) -> bool {
    power.nearly_surely.is_some_and(|least| least * Looks::MARGIN <= enough)
}

/// `true` if more trials are not needed.
fn decides(finding: &Finding, enough: Option<f64>) -> bool {
    let (violated, founded) = (finding.verdict.is_violation(), finding.verdict.is_founded());
    violated || founded && enough.is_some_and(|enough| is_enough(&finding.power, enough))
}

#[cfg(test)]
#[path = "../../tests/unit/audit/looks.rs"]
mod tests;

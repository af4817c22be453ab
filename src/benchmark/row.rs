//! One mechanism of the benchmark: what was certified at each budget.

use super::catalog::{Case, Truth};
use plaudit_core::finding::{Expectation, Finding, Verdict};
use plaudit_engine::audit::AuditError;
use plaudit_engine::game::Control;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct MechanismRow {
    pub name: String,
    pub mechanism: String,
    /// The claim, in the field's notation.
    pub claim: String,
    /// Expected verdict: the claim is known to be broken or not.
    pub expected: Expectation,
    pub truth: Truth,
    /// The ε that DP-Sniper certifies at 90 % confidence, if it was tried on it.
    pub reference: Option<f64>,
    pub outcomes: Vec<BudgetResult>,
    /// The smallest of the budgets at which most seeds violate the claim.
    pub first_violation: Option<FirstViolation>,
}

#[derive(Clone, Debug, Serialize)]
pub struct BudgetResult {
    /// Runs of the mechanism, explore and confirm and both datasets together.
    pub trials: u64,
    /// Certified ε at the claim's δ: median over the seeds.
    pub epsilon_lower: f64,
    pub least: f64,
    pub most: f64,
    /// Seeds whose audit violated the claim.
    pub violated: u64,
    /// Mean ε that an observer who knows both laws certifies with as many runs, at 95 %.
    pub oracle: Option<f64>,
    /// Mean over the seeds of the certified ε, over `oracle`.
    pub ratio: Option<f64>,
    /// Seconds of an audit: median over the seeds.
    pub seconds: f64,
    /// Name of the pair of the seed with the median ε.
    pub pair: String,
    pub witness: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstViolation {
    pub trials: u64,
    /// Seconds of the audit: median over the seeds.
    pub seconds: f64,
}

impl Case {
    /// Audits at each budget with each of the seeds 1 to `seeds`, at level `alpha`. Budgets above
    /// the limit of a slow mechanism are cut to it, once.
    ///
    /// # Errors
    /// If it is interrupted, or a number is out of range.
    pub fn run(
        &mut self,
        budgets: &[u64],
        seeds: u64,
        alpha: f64,
        control: Control<'_>,
    ) -> Result<MechanismRow, AuditError> {
        let most = self.most_trials.unwrap_or(u64::MAX);
        let mut budgets: Vec<u64> = budgets.iter().map(|&trials| trials.min(most)).collect();
        budgets.sort_unstable();
        budgets.dedup();
        self.audit.settings.alpha = alpha;
        let mut outcomes = Vec::with_capacity(budgets.len());
        for trials in budgets {
            self.audit.settings.trials = trials;
            let mut findings = Vec::new();
            for seed in 1..=seeds.max(1) {
                self.audit.settings.seed = seed;
                let audited = self.audit.run(control)?;
                if audited.interrupted {
                    return Err(AuditError::Interrupted);
                }
                findings.push(audited.finding);
            }
            outcomes.push(BudgetResult::of(trials, findings, self.oracle_at(trials)));
        }
        let first = outcomes.iter().find(|outcome| 2 * outcome.violated > seeds);
        let first_violation = first
            .map(|outcome| FirstViolation { trials: outcome.trials, seconds: outcome.seconds });
        Ok(MechanismRow {
            name: self.audit.name.clone(),
            mechanism: self.audit.summary.description.clone(),
            claim: self.audit.claim.to_string(),
            expected: self.audit.settings.expect,
            truth: self.truth,
            reference: self.reference,
            outcomes,
            first_violation,
        })
    }
}

impl BudgetResult {
    fn of(trials: u64, mut findings: Vec<Finding>, oracle: Option<f64>) -> Self {
        findings.sort_by(|a, b| certified(a).total_cmp(&certified(b)));
        let count = findings.len();
        let middle = &findings[(count - 1) / 2];
        let mean = findings.iter().map(certified).sum::<f64>() / count as f64;
        let violated = findings.iter().filter(|f| f.verdict == Verdict::Violated).count();
        let seconds = median(findings.iter().map(|finding| finding.wall_s));
        Self {
            trials,
            epsilon_lower: median(findings.iter().map(certified)),
            least: certified(&findings[0]),
            most: certified(&findings[count - 1]),
            violated: violated as u64,
            oracle,
            ratio: oracle.map(|oracle| mean / oracle),
            seconds,
            pair: middle.pair.name.clone(),
            witness: middle.witness.description.clone(),
        }
    }
}

/// The middle of at least one value, or the mean of the two in the middle.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}

/// Bound that an audit certifies of the mechanism as it is: of two leaks, which hold at once, the
/// larger.
fn certified(finding: &Finding) -> f64 {
    let leaks = finding.leaks.iter().flat_map(|leaks| [&leaks.values, &leaks.representation]);
    leaks.map(|leak| leak.epsilon_lower).fold(finding.epsilon_lower, f64::max)
}

//! Everything that defines an audit: the claim, the mechanism, the neighbors, the budget.

use crate::audit::search::PairSearch;
use crate::game::{Runs, explore_trials};
use crate::mechanism::choice::Budget;
use crate::mechanism::{Mechanism, Outcome};
use crate::verify::Domain;
use plaudit_core::claim::Claim;
use plaudit_core::dataset::{Pair, Relation, Sensitivity, Stated};
use plaudit_core::finding::{
    Evaluation, Expectation, Floats, Identity, LeakSource, MechanismSummary, PairSummary,
    PostSummary,
};
use serde_json::Value;
use std::ops::Range;

/// Default number of runs: explore and confirm, and both datasets together.
pub const DEFAULT_TRIALS: u64 = 1_000_000;
/// Default false-alarm level: that of a gate.
pub const DEFAULT_ALPHA: f64 = 1e-6;
/// Least false-alarm level: smaller ones are below what sums of doubles can certify.
pub const MIN_ALPHA: f64 = 1e-12;
/// Default floor of power of a spec's audit: it must be able to refute a loss of twice the claim.
pub const DEFAULT_MIN_POWER: f64 = 2.0;
pub const MIN_TRIALS: u64 = 100;

/// Everything that defines an audit: the claim, the mechanism, the neighbors, the budget.
pub struct Audit<D> {
    /// Name, unique in a run: part of the random streams' names.
    pub name: String,
    /// Description in a sentence, if given.
    pub about: Option<String>,
    pub mechanism: Box<dyn Mechanism<D> + Send>,
    /// The mechanism, for readers.
    pub summary: MechanismSummary,
    /// Post-processing of released outcomes, and the audit of the outcomes without it.
    pub post: Option<PostSummary>,
    pub relation: Stated,
    /// Pairs of neighbors; explore picks one.
    pub pairs: Vec<Pair<D>>,
    /// Ranges of `pairs` that the seed drew, one for each such line of the spec: D of each is the
    /// table they are drawn from.
    pub drawn: Vec<Range<usize>>,
    /// Source of pairs for explore, if none are given.
    pub search: Option<PairSearch<D>>,
    /// Largest distance of the query's answers between neighbors, if that is to be checked without
    /// noise: it requires a search.
    pub sensitivity: Option<Sensitivity>,
    /// Dependence between runs, and whether their time is part of the outcome.
    pub runs: Runs,
    /// Trials of its largest look, while looks are taken; 0 otherwise.
    pub most: u64,
    /// Description of a pair for readers.
    pub describe: fn(&Pair<D>, Option<&Relation>) -> PairSummary,
    /// Description of a dataset for readers.
    pub show: fn(&D) -> Value,
    /// The numbers of a dataset, if it is a list of numbers: for proofs and exact losses.
    pub numbers: fn(&D) -> Option<Vec<f64>>,
    pub claim: Claim,
    /// All outcomes that the mechanism can have, if declared: then its loss on the pair is also
    /// bounded from above.
    pub alphabet: Option<Vec<Outcome>>,
    /// Proof to attempt, if one is asked for.
    pub verify: Option<Verify<D>>,
    /// Statements on the release by people, for its evaluation.
    pub evaluation: Evaluation,
    pub settings: Settings,
    /// Everything that determines the audit, if that was fixed before it ran.
    pub identity: Option<Identity>,
}

/// How an audit is made: its cost, its confidence, and the demands on its outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Runs of the mechanism, explore and confirm and both datasets together: at least [`MIN_TRIALS`].
    pub trials: u64,
    /// Time budget in seconds, if it replaces `trials`: the number of trials is then fixed before
    /// explore, from uncounted runs. Above 0.
    pub seconds: Option<f64>,
    /// Level of a false alarm, over all pairs, directions and witnesses: a probability from [`MIN_ALPHA`] to 0.5.
    pub alpha: f64,
    /// Seed of the random streams.
    pub seed: u64,
    /// Floor of power: an audit that nothing refutes is inconclusive if its witness would not have
    /// refuted, with probability 0.9, a loss of this number times the claim. At least 1; infinite:
    /// no floor.
    pub min_power: f64,
    /// `true` if the mechanism may always give the same outcome, or (nearly) always fail; if not,
    /// the audit of such a mechanism is inconclusive.
    pub may_be_constant: bool,
    /// `true` if the outcomes may show no difference between D and D'; if not, an audit on whose
    /// pair they show none is inconclusive.
    pub may_show_no_difference: bool,
    /// Meaning of the claim for doubles: about the released bits, or about numbers.
    pub floats: Floats,
    /// `true` if a proof that was not asked for is tried where it costs little.
    pub prove_where_cheap: bool,
    /// Expected verdict.
    pub expect: Expectation,
    /// For a planted mistake, the leak that contains it, if given: another one does not confirm it.
    /// By default any leak but low bits does.
    pub expect_leak: Option<LeakSource>,
}

impl Default for Settings {
    /// Defaults of [`Audit::of`]; a spec also has a floor of power.
    fn default() -> Self {
        Self {
            trials: DEFAULT_TRIALS,
            seconds: None,
            alpha: DEFAULT_ALPHA,
            seed: 0,
            min_power: f64::INFINITY,
            may_be_constant: false,
            may_show_no_difference: false,
            floats: Floats::default(),
            prove_where_cheap: true,
            expect: Expectation::default(),
            expect_leak: None,
        }
    }
}

/// Reason why an audit gave no finding at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// A proof was interrupted (Ctrl-C).
    #[error("interrupted")]
    Interrupted,
    #[error("audit `{0}` has no pair of datasets: give at least one")]
    NoPairs(String),
    /// A search without any dataset.
    #[error(
        "audit `{0}`: the domain has no neighbors under the relation on \
         which the mechanism can run: name other values or sizes"
    )]
    NothingToSearch(String),
    /// A proof covers the datasets that it names.
    #[error(
        "audit `{0}` asks for a proof and searches a domain with other \
         datasets: split it into two audits"
    )]
    ProofAndDomain(String),
    #[error("audit `{0}` has both pairs and a domain: give one of them")]
    PairsAndDomain(String),
    /// A sensitivity is checked on datasets of a domain.
    #[error(
        "audit `{0}` has a sensitivity to check but no domain to search for neighbors: give it one"
    )]
    SensitivityWithoutDomain(String),
    /// Invalid sensitivity.
    #[error("audit `{name}` has the {sensitivity}: it must be finite and above 0")]
    BadSensitivity { name: String, sensitivity: String },
    #[error("audit `{name}` has {trials} trials: give at least {MIN_TRIALS}")]
    TooFewTrials { name: String, trials: u64 },
    /// Invalid level.
    #[error("audit `{name}` has alpha = {alpha}: it must be between 1e-12 and 0.5")]
    BadAlpha { name: String, alpha: String },
    /// Only mechanisms written against choices have a law to enumerate; few have a closed form.
    #[error(
        "audit `{0}` asks for a proof, but its mechanism is neither written against choices \
         or draws nor noise with a closed form: leave \
         `verify` out, or see `ChoiceMechanism` and `Aligned`"
    )]
    NoChoices(String),
}

/// Proof that an audit attempts besides the measurement.
#[derive(Clone, Debug)]
pub struct Verify<D> {
    /// Datasets and their neighbors besides the audit's own pairs; `None`: those pairs alone.
    pub domain: Option<Domain<D>>,
    /// Budget of the enumeration.
    pub budget: Budget,
}

impl<D> Default for Verify<D> {
    fn default() -> Self {
        Self { domain: None, budget: Budget::default() }
    }
}

/// Number of explore trials: twice the usual share where it must also find the pair.
pub(in crate::audit) fn explored(searches: bool, trials: u64) -> u64 {
    if searches { 2 * explore_trials(trials) } else { explore_trials(trials) }
}

impl<D> Audit<D> {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Description in a sentence, if given.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    pub fn mechanism(&self) -> &dyn Mechanism<D> {
        &*self.mechanism
    }

    /// The mechanism, for readers.
    pub fn summary(&self) -> &MechanismSummary {
        &self.summary
    }

    /// The neighboring relation, in words.
    pub fn relation(&self) -> String {
        self.relation.to_string()
    }

    /// The relation, if all pairs were checked under it.
    pub fn checked(&self) -> Option<&Relation> {
        self.relation.checked()
    }

    /// Given pairs of neighbors.
    pub fn pairs(&self) -> &[Pair<D>] {
        &self.pairs
    }

    /// Source of pairs for explore, if none are given.
    pub fn searches(&self) -> Option<&PairSearch<D>> {
        self.search.as_ref()
    }

    /// Dependence between runs.
    pub fn runs(&self) -> Runs {
        self.runs
    }

    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Statements on the release by people, for its evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Checks values that a spec has already checked, and a caller from Rust may have got wrong.
    pub(in crate::audit) fn check(&self) -> Result<(), AuditError> {
        let name = self.name.clone();
        match (self.pairs.is_empty(), &self.search) {
            (true, None) => return Err(AuditError::NoPairs(name)),
            (false, Some(_)) => return Err(AuditError::PairsAndDomain(name)),
            _ => {}
        }
        if let Some(sensitivity) = self.sensitivity {
            if self.search.is_none() {
                return Err(AuditError::SensitivityWithoutDomain(name));
            }
            if !sensitivity.is_possible() {
                let sensitivity = sensitivity.to_string();
                return Err(AuditError::BadSensitivity { name, sensitivity });
            }
        }
        if self.verify.is_some() && self.search.is_some() {
            return Err(AuditError::ProofAndDomain(name));
        }
        let provable = self.mechanism.capabilities().choices.is_some()
            || self.mechanism.capabilities().drawn.is_some()
            || self.mechanism.capabilities().releases.is_some();
        if self.verify.is_some() && !provable {
            return Err(AuditError::NoChoices(name));
        }
        if self.settings.trials < MIN_TRIALS {
            return Err(AuditError::TooFewTrials { name, trials: self.settings.trials });
        }
        if !(MIN_ALPHA..=0.5).contains(&self.settings.alpha) {
            return Err(AuditError::BadAlpha { name, alpha: self.settings.alpha.to_string() });
        }
        Ok(())
    }
}

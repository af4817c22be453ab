//! Everything that an audit is: what is claimed, of which mechanism, on which neighbors, with what budget.

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

/// Runs of an audit that names no number: explore and confirm and both datasets together.
pub const DEFAULT_TRIALS: u64 = 1_000_000;
/// False-alarm level of an audit that names none: that of a gate.
pub const DEFAULT_ALPHA: f64 = 1e-6;
/// Least false-alarm level: smaller ones are below what sums of doubles can certify.
pub const MIN_ALPHA: f64 = 1e-12;
/// Floor of power of a spec's audit that names none: it must be able to refute a loss of twice the claim.
pub const DEFAULT_MIN_POWER: f64 = 2.0;
/// Fewest trials of an audit.
pub const MIN_TRIALS: u64 = 100;

/// Everything that an audit is: what is claimed, of which mechanism, on which neighbors, with what
/// budget.
pub struct Audit<D> {
    /// Its name, unique in a run: part of the random streams' names.
    pub name: String,
    /// What it is about, in a sentence, if anybody said.
    pub about: Option<String>,
    /// The mechanism.
    pub mechanism: Box<dyn Mechanism<D> + Send>,
    /// The mechanism, for readers.
    pub summary: MechanismSummary,
    /// What the mechanism does to outcomes after their release, and which audit is of them as they are released.
    pub post: Option<PostSummary>,
    /// The neighboring relation.
    pub relation: Stated,
    /// Pairs of neighbors; explore picks one.
    pub pairs: Vec<Pair<D>>,
    /// Ranges of `pairs` that the seed drew, one a line of the spec: D of each is the table they are drawn from.
    pub drawn: Vec<Range<usize>>,
    /// Where explore looks for pairs, if it is not given any.
    pub search: Option<PairSearch<D>>,
    /// How far the query's answers may move between neighbors, if that is to be checked without noise: it
    /// takes a search.
    pub sensitivity: Option<Sensitivity>,
    /// How runs relate to one another, and whether their time is part of the outcome.
    pub runs: Runs,
    /// How a pair is put for readers.
    pub describe: fn(&Pair<D>, Option<&Relation>) -> PairSummary,
    /// How a dataset is put for readers.
    pub show: fn(&D) -> Value,
    /// The numbers that a dataset consists of, if it is a list of numbers: what proofs and exact losses go by.
    pub numbers: fn(&D) -> Option<Vec<f64>>,
    /// The claim under test.
    pub claim: Claim,
    /// All outcomes that the mechanism can have, if somebody declared them: then its loss on the pair
    /// is bounded from above, too.
    pub alphabet: Option<Vec<Outcome>>,
    /// What is to be proved, if anything is asked for.
    pub verify: Option<Verify<D>>,
    /// What people state of the release, for its evaluation.
    pub evaluation: Evaluation,
    /// Its budget, its level, and what is taken as it is.
    pub settings: Settings,
    /// Everything that makes it, if that was fixed before it ran.
    pub identity: Option<Identity>,
}

/// How an audit is made: what it may cost, how sure it must be, and what is asked of its outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Runs of the mechanism, explore and confirm and both datasets together: at least [`MIN_TRIALS`].
    pub trials: u64,
    /// Seconds that they may take, if that says how many: their number is fixed before explore then, from runs
    /// that are not counted, and `trials` says nothing. Above 0.
    pub seconds: Option<f64>,
    /// Level of a false alarm, over all pairs, directions and witnesses: a probability from [`MIN_ALPHA`] to 0.5.
    pub alpha: f64,
    /// Seed of the random streams: any.
    pub seed: u64,
    /// Floor of power: an audit that nothing refutes is inconclusive if its witness would not have refuted, with
    /// probability 0.9, a loss of so many times the claim. At least 1; infinite: there is none.
    pub min_power: f64,
    /// Whether a mechanism that always gives the same outcome, or (nearly) always fails, is meant to:
    /// if not, the audit of one is inconclusive.
    pub may_be_constant: bool,
    /// Whether the outcomes may show no difference between D and D': if not, an audit on whose pair they show none
    /// is inconclusive.
    pub may_show_no_difference: bool,
    /// What the claim says of doubles: of the bits that are released, or of numbers.
    pub floats: Floats,
    /// Whether a proof is tried that nobody asked for, where it costs little.
    pub prove_where_cheap: bool,
    /// What the verdict is expected to be.
    pub expect: Expectation,
    /// Of a planted mistake, the leak that it is in, if that is said: another one does not show it. Unless it is said, any but
    /// low bits does.
    pub expect_leak: Option<LeakSource>,
}

impl Default for Settings {
    /// Those of [`Audit::of`]: a spec has a floor of power, too.
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

/// Why an audit gave no finding at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// Somebody interrupted a proof (Ctrl-C).
    #[error("interrupted")]
    Interrupted,
    /// The audit has no pair of datasets.
    #[error("audit `{0}` has no pair of datasets: give at least one")]
    NoPairs(String),
    /// A search has nothing to look at.
    #[error(
        "audit `{0}`: no datasets that the mechanism can run on were found in the domain that are \
         neighbors under the relation: name other values or sizes"
    )]
    NothingToSearch(String),
    /// A proof is of the datasets that it names.
    #[error(
        "audit `{0}` asks for a proof and searches a domain, whose datasets are not those of the \
         proof: make two audits of it"
    )]
    ProofAndDomain(String),
    /// It has both pairs and a domain.
    #[error("audit `{0}` has both pairs and a domain to look for pairs in: give one of them")]
    PairsAndDomain(String),
    /// A sensitivity is checked on datasets of a domain.
    #[error(
        "audit `{0}` has a sensitivity to check and no domain to look for neighbors in: give it one"
    )]
    SensitivityWithoutDomain(String),
    /// A sensitivity that is none.
    #[error("audit `{name}` has the {sensitivity}: it must be finite and above 0")]
    BadSensitivity { name: String, sensitivity: String },
    /// Too few trials for any audit.
    #[error("audit `{name}` has {trials} trials: give at least {MIN_TRIALS}")]
    TooFewTrials { name: String, trials: u64 },
    /// A level that is no level.
    #[error("audit `{name}` has alpha = {alpha}: it must be between 1e-12 and 0.5")]
    BadAlpha { name: String, alpha: String },
    /// A mechanism that is not written against choices has no law to enumerate, and few have a closed
    /// form.
    #[error(
        "audit `{0}` asks for a proof, and its mechanism is not written against choices, nor noise \
         of a closed form: leave \
         `verify` out, or see `ChoiceMechanism`"
    )]
    NoChoices(String),
}

/// What an audit is to prove, beside what it measures.
#[derive(Clone, Debug)]
pub struct Verify<D> {
    /// Datasets and their neighbors, beside the audit's own pairs; `None`: those alone.
    pub domain: Option<Domain<D>>,
    /// What the enumeration may cost.
    pub budget: Budget,
}

impl<D> Default for Verify<D> {
    fn default() -> Self {
        Self { domain: None, budget: Budget::default() }
    }
}

/// The trials that explore gets of so many: twice the usual share where it must find the pair, too.
pub(in crate::audit) fn explored(searches: bool, trials: u64) -> u64 {
    if searches { 2 * explore_trials(trials) } else { explore_trials(trials) }
}

impl<D> Audit<D> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is about, in a sentence, if anybody said.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The mechanism.
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

    /// That relation, if all pairs were checked under it.
    pub fn checked(&self) -> Option<&Relation> {
        self.relation.checked()
    }

    /// The pairs of neighbors that it was given.
    pub fn pairs(&self) -> &[Pair<D>] {
        &self.pairs
    }

    /// Where explore looks for pairs, if it is not given any.
    pub fn searches(&self) -> Option<&PairSearch<D>> {
        self.search.as_ref()
    }

    /// How runs relate to one another.
    pub fn runs(&self) -> Runs {
        self.runs
    }

    /// The claim under test.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What people state of the release, for its evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Its budget, its level, and what else was set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What a spec has checked already, and a caller from Rust may have got wrong.
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

//! One audit: the flow from a claim to a finding.
//!
//! [`Audit::run`] explores, freezes a witness and a test, confirms on other trials and judges their
//! tally. A violation comes with a [`Certificate`], which can be replayed without the search.

mod alphabet;
mod build;
mod certificate;
mod closer;
mod counterexample;
mod derived;
mod digest;
mod dull;
mod explore;
mod floor;
mod interrupt;
mod judge;
mod known;
mod leaks;
mod measure;
mod no_difference;
mod proof;
mod requests;
mod search;
mod sensitivity;
mod shrink;
mod summary;
mod survey;
mod verdict;

pub use certificate::{Certificate, READER_ALPHA, Replay, ReplayError, SmallestPair};
pub use counterexample::{Counterexample, Recheck};
pub use derived::{Derived, Disagreement};
pub use digest::Seal;
pub use proof::{Attempt, Verify};
pub use search::Search;

use crate::claim::Claim;
use crate::dataset::{Pair, Relation, Sensitivity};
use crate::finding::{Expectation, Finding, Floats, LeakKind, MechanismSummary, PairSummary};
use crate::finding::{Trials, Verdict};
use crate::game::{ByRequest, Control, Game, Phase, Runs, Strangers, Streams, explore_trials};
use crate::mechanism::{Mechanism, Outcome, Prepared};
use crate::witness::Counter;
use explore::Frozen;
use interrupt::Ended;
use leaks::{Judged, Other};
use search::{Found, Searcher};
use sensitivity::Checked;
use serde::Serialize;
use serde_json::Value;
use std::time::Instant;

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
    /// The neighboring relation, in words.
    pub relation: String,
    /// That relation, if all pairs were checked under it.
    pub checked: Option<Relation>,
    /// Pairs of neighbors; explore picks one.
    pub pairs: Vec<Pair<D>>,
    /// Where explore looks for pairs, if it is not given any.
    pub search: Option<Search<D>>,
    /// How far the query's answers may move between neighbors, if that is to be checked without noise: it
    /// takes a search.
    pub sensitivity: Option<Sensitivity>,
    /// How runs relate to one another, and whether their time is part of the outcome.
    pub runs: Runs,
    /// How a pair is put for readers.
    pub describe: fn(&Pair<D>, Option<&Relation>) -> PairSummary,
    /// How a dataset is put for readers.
    pub show: fn(&D) -> Value,
    /// The claim under test.
    pub claim: Claim,
    /// All outcomes that the mechanism can have, if somebody declared them: then its loss on the pair
    /// is bounded from above, too.
    pub alphabet: Option<Vec<Outcome>>,
    /// Whether a mechanism that always gives the same outcome, or (nearly) always fails, is meant to:
    /// if not, the audit of one is inconclusive.
    pub may_be_constant: bool,
    /// Whether the outcomes may show no difference between D and D': if not, an audit on whose pair they show none
    /// is inconclusive.
    pub may_show_no_difference: bool,
    /// Floor of power: an audit that nothing refutes is inconclusive if its witness would not have refuted, with
    /// probability 0.9, a loss of so many times the claim. At least 1; infinite: there is none.
    pub min_power: f64,
    /// What the claim says of doubles: of the bits that are released, or of numbers.
    pub floats: Floats,
    /// What is to be proved, if anything is asked for.
    pub verify: Option<Verify<D>>,
    /// Whether a proof is tried that nobody asked for, where it costs little.
    pub prove_where_cheap: bool,
    /// Runs of the mechanism, explore and confirm and both datasets together.
    pub trials: u64,
    /// Seconds that they may take, if that says how many: their number is fixed before explore then, from runs
    /// that are not counted, and `trials` says nothing.
    pub seconds: Option<f64>,
    /// Level of a false alarm, over all pairs, directions and witnesses.
    pub alpha: f64,
    /// Seed of the random streams.
    pub seed: u64,
    /// What the verdict is expected to be.
    pub expect: Expectation,
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
    BadSensitivity {
        /// Name of the audit.
        name: String,
        /// What is declared.
        sensitivity: String,
    },
    /// Too few trials for any audit.
    #[error("audit `{name}` has {trials} trials: give at least {MIN_TRIALS}")]
    TooFewTrials {
        /// Name of the audit.
        name: String,
        /// Its trials.
        trials: u64,
    },
    /// A level that is no level.
    #[error("audit `{name}` has alpha = {alpha}: it must be between 1e-12 and 0.5")]
    BadAlpha {
        /// Name of the audit.
        name: String,
        /// Its level.
        alpha: String,
    },
    /// A mechanism that is not written against choices has no law to enumerate, and few have a closed
    /// form.
    #[error(
        "audit `{0}` asks for a proof, and its mechanism is not written against choices, nor noise \
         of a closed form: leave \
         `verify` out, or see `ChoiceMechanism`"
    )]
    NoChoices(String),
}

/// What an audit gives.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The finding, for the report.
    pub finding: Finding,
    /// The certificate, if the trials violate the claim.
    pub certificate: Option<Certificate>,
    /// Of two leaks, the certificate of the one that is not the finding's own, if it refutes the claim, too
    /// (of a claim about ideal noise, also if it alone does).
    pub other_leak: Option<(LeakKind, Certificate)>,
    /// The counterexample, if the declared sensitivity is exceeded; then there were no trials.
    pub counterexample: Option<Counterexample>,
    /// Whether somebody interrupted it before its end. It is inconclusive then, unless there was a
    /// violation already, or a proof.
    pub interrupted: bool,
}

impl Audited {
    /// What somebody interrupted.
    fn cut_short(finding: Finding) -> Self {
        let interrupted = finding.verdict == Verdict::Inconclusive;
        Self { interrupted: true, ..Finding { interrupted, ..finding }.into() }
    }
}

impl From<Finding> for Audited {
    fn from(finding: Finding) -> Self {
        Self {
            finding,
            certificate: None,
            other_leak: None,
            counterexample: None,
            interrupted: false,
        }
    }
}

/// The trials that explore gets of so many: twice the usual share where it must find the pair, too.
fn explored(searches: bool, trials: u64) -> u64 {
    if searches { 2 * explore_trials(trials) } else { explore_trials(trials) }
}

impl<D: Serialize + Sync> Audit<D> {
    /// Explores, freezes a witness, confirms on other trials, infers.
    ///
    /// # Errors
    /// If there is no pair, or a number is out of range. A mechanism that breaks its contract is no error, but
    /// an inconclusive finding; so is an interruption, unless there was a verdict already.
    pub fn run(&self, control: Control<'_>) -> Result<Audited, AuditError> {
        self.check()?;
        let start = Instant::now();
        let seconds = || start.elapsed().as_secs_f64();
        let checked = match self.check_declared(control) {
            Some(Checked::Exceeded(exceeded)) => {
                let (finding, counterexample) = self.exceeded(*exceeded, seconds());
                return Ok(Audited { counterexample: Some(counterexample), ..finding.into() });
            }
            Some(Checked::Interrupted) => {
                let reason = "Interrupted while the declared sensitivity was checked; no trials were \
                              played.";
                return Ok(Audited::cut_short(self.cut_short(reason.to_owned(), seconds())));
            }
            checked => checked,
        };
        let audited = self.after_check(control, start)?;
        Ok(match checked {
            Some(checked) => Audited {
                finding: sensitivity::with_check(self, audited.finding, checked),
                ..audited
            },
            None => audited,
        })
    }

    /// All that comes after the check of a declared sensitivity.
    fn after_check(&self, control: Control<'_>, start: Instant) -> Result<Audited, AuditError> {
        let proof = match self.verify {
            Some(_) => self.prove(control.interrupted),
            None if self.prove_where_cheap => self.prove_cheaply(control.interrupted),
            None => Ok(None),
        };
        let proof = match proof {
            Err(AuditError::Interrupted) => {
                let reason = "Interrupted while the claim was being proved; no trials were played.";
                let seconds = start.elapsed().as_secs_f64();
                return Ok(Audited::cut_short(self.cut_short(reason.to_owned(), seconds)));
            }
            proof => proof?,
        };
        let first = self.first_pair(control)?;
        let played = self.play(first, control);
        self.mechanism.finish();
        let seconds = || start.elapsed().as_secs_f64();
        let with_proof = |finding| match proof {
            Some(proof) => self.with_proof(finding, proof),
            None => finding,
        };
        match played {
            Ok(played) => {
                let finding = with_proof(summary::finding(self, &played, seconds()));
                let certificate = Certificate::of(self, &played);
                let other_leak = Certificate::of_other_leak(self, &played);
                let interrupted = played.interrupted;
                Ok(Audited { certificate, other_leak, interrupted, ..finding.into() })
            }
            Err(Ended::Interrupted(so_far)) => {
                Ok(Audited::cut_short(with_proof(self.interrupted(so_far, seconds()))))
            }
            Err(Ended::Broken(why)) => Ok(summary::inconclusive(self, &why, seconds()).into()),
        }
    }

    /// What a spec has checked already, and a caller from Rust may have got wrong.
    fn check(&self) -> Result<(), AuditError> {
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
        let provable = self.mechanism.by_choices().is_some() || self.mechanism.releases().is_some();
        if self.verify.is_some() && !provable {
            return Err(AuditError::NoChoices(name));
        }
        if self.trials < MIN_TRIALS {
            return Err(AuditError::TooFewTrials { name, trials: self.trials });
        }
        if !(MIN_ALPHA..=0.5).contains(&self.alpha) {
            return Err(AuditError::BadAlpha { name, alpha: self.alpha.to_string() });
        }
        Ok(())
    }

    /// How its runs relate, prepared so.
    fn runs_when(&self, prepared: Prepared) -> Runs {
        match self.runs {
            Runs::Independent if prepared.stateful => Runs::Stateful,
            runs => runs,
        }
    }

    /// The pair that is run on first: of a search, one that it can make.
    fn first_pair(&self, control: Control<'_>) -> Result<Found<'_, D>, AuditError> {
        let Some(search) = &self.search else { return Ok(Found::Given(&self.pairs[0])) };
        let streams = Streams::new(self.seed, &self.name);
        let any = Searcher::new(self, search, self.runs, &streams, control).any_pair();
        any.ok_or_else(|| AuditError::NothingToSearch(self.name.clone()))
    }

    fn play<'a>(
        &'a self,
        first: Found<'a, D>,
        control: Control<'_>,
    ) -> Result<Played<'a, D>, Ended<'a, D>> {
        let strangers = self.alphabet.as_deref().map(Strangers::to);
        let control = Control { strangers: strangers.as_ref(), ..control };
        let streams = Streams::new(self.seed, &self.name);
        let mut random = streams.block(0, Phase::Prepare)(0);
        let mut prepare = |trials| {
            let pair = [&first.d, &first.d_prime];
            let prepared = self.mechanism.prepare(pair, trials, &mut random, control.interrupted);
            let prepared = prepared.map_err(|error| Ended::exploring(error.into(), None))?;
            if let Some(strangers) = &strangers {
                strangers.look(&self.mechanism.seen_in_prepare());
            }
            Ok(prepared)
        };
        let start = Instant::now();
        let mut prepared = prepare(self.seconds.map_or(self.trials, measure::prepared_for))?;
        let measured = match self.seconds {
            Some(seconds) => {
                let runs = self.runs_when(prepared);
                let measured = measure::measure(self, &first, runs, (seconds, start), control);
                Some(measured.map_err(|error| Ended::exploring(error, None))?)
            }
            None => None,
        };
        if let Some(measured) = &measured {
            // State that was seen once is not unseen by a second look.
            let again = prepare(measured.trials)?;
            prepared = Prepared { stateful: prepared.stateful || again.stateful, ..again };
        }
        let runs = self.runs_when(prepared);
        let search = self.search.as_ref().map(Search::of_a_run);
        let how = (prepared.trials, runs, leaks::sight(self));
        let frozen = explore::explore(self, (search.as_ref(), first), how, &streams, control)
            .map_err(|error| Ended::exploring(error, search.as_ref()))?;
        let (explore, total) = (frozen.explored, prepared.trials);
        // Recorded outcomes are dealt to the two beforehand.
        if self.mechanism.recordings().is_some() && explore != explore_trials(total) {
            let why = "Explore took more or fewer of the recorded outcomes than are meant for it: \
                       this is a defect of plaudit.";
            return Err(Ended::Broken(why.to_owned()));
        }
        let trials = Trials { explore, confirm: total - explore, total };
        let frozen_witnesses =
            std::iter::once(&frozen.witness).chain(frozen.bits.iter().map(|bits| &bits.0));
        let by_request =
            ByRequest::of(frozen_witnesses.map(|witness| witness.says.clone()).collect());
        let game = Game {
            mechanism: &*self.mechanism,
            pair: &frozen.pair,
            pair_index: frozen.pair_index,
            runs,
            streams: &streams,
            control: Control { by_request: Some(&by_request), ..control },
        };
        let alphabet = self.alphabet.as_deref().map(alphabet::scorer);
        let mut counters = vec![Counter::new(&frozen.witness.scorer)];
        counters.extend(frozen.bits.as_ref().map(|(witness, _)| Counter::new(&witness.scorer)));
        counters.extend(alphabet.as_ref().map(Counter::new));
        let mut tallies = match game.count(Phase::Confirm, trials.confirm, &counters) {
            Ok(tallies) => tallies.into_iter(),
            Err(error) => {
                drop(counters);
                return Err(Ended::confirming(error, frozen, trials.explore));
            }
        };
        let tally = tallies.next().expect("one tally for one counter");
        let Frozen { pair, pair_index, surveyed, witness, test, bits, dull, .. } = frozen;
        let bits = bits.map(|bits| (bits, tallies.next().expect("one tally for one counter")));
        let by_outcome = tallies.next();
        let (own, other) = leaks::judge(self, (witness, test), tally, bits);
        let refute = leaks::refuting(&own, other.as_ref());
        let shared = requests::check((self.seed, &self.name), &refute, &by_request);
        let mut notes = Vec::from_iter(measured.map(|measured| measured.words));
        notes.extend(shared.map_err(Ended::Broken)?);
        let (upper, shrunk, interrupted) = (None, None, false);
        let mut played = Played {
            pair,
            pair_index,
            surveyed,
            dull,
            answers: None,
            runs,
            own,
            other,
            upper,
            trials,
            notes,
            shrunk,
            interrupted,
        };
        if played.own.refutes() {
            (played.shrunk, played.interrupted) = shrink::shrink(self, &played, control);
        }
        played.answers = self.answers(&played.pair, control);
        // Last, since what was not declared may come up in any phase.
        played.upper = match (strangers.and_then(|strangers| strangers.words()), by_outcome) {
            (Some(words), _) => Some(alphabet::Upper::Strangers(words)),
            (None, Some(by_outcome)) if runs == Runs::Independent => {
                Some(alphabet::bounded(&by_outcome, &self.claim, self.alpha))
            }
            _ => None,
        };
        Ok(played)
    }
}

/// An audit that ran to its end.
struct Played<'a, D> {
    pair: Found<'a, D>,
    pair_index: usize,
    surveyed: usize,
    /// How the outcomes show nothing, if they do.
    dull: Option<dull::Dull>,
    /// The answers without noise on the pair, if they are known.
    answers: Option<no_difference::Answers>,
    runs: Runs,
    /// The frozen witness that the finding gives, and what its counts say.
    own: Judged,
    /// The other of two leaks, if both were looked at.
    other: Option<Other>,
    /// Bounds from above, if the alphabet of outcomes was declared.
    upper: Option<alphabet::Upper>,
    trials: Trials,
    /// What readers must know of the trials: how their number follows from a time, and whether they are independent.
    notes: Vec<String>,
    /// A simpler pair on which the violation was confirmed as well.
    shrunk: Option<shrink::Shrunk<D>>,
    /// Whether somebody interrupted the shrinking.
    interrupted: bool,
}

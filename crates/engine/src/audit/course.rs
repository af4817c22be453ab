//! The course of an audit: values that one step passes to the next.

use crate::audit::judge::alphabet::Upper;
use crate::audit::judge::values::ValuesAlone;
use crate::audit::judge::{JudgedWitness, Other};
use crate::audit::search::{Best, FoundPair};
use crate::audit::settings::AuditError;
use crate::game::Runs;
use crate::mechanism::Answer;
use crate::mechanism::choice::Law;
use crate::witness::Witness;
use plaudit_core::dataset::{Pair, Sensitivity};
use plaudit_core::finding::reason::{Degenerate, Stage};
use plaudit_core::finding::{Decision, Proof, SensitivitySummary, Trials, WrittenAnswer};
use plaudit_core::inference::Test;

pub(in crate::audit) enum Ending<'a, D> {
    /// Played to its end.
    Played(Box<Played<'a, D>>),
    /// Decided by a proof of the code; nothing was played.
    Proved,
    /// The declared sensitivity is exceeded; nothing was played.
    Exceeded(Box<Exceeded<D>>),
    /// Interrupted, with the progress so far.
    Interrupted(SoFar<'a, D>),
    /// No test can judge it, with the reason: the mechanism broke its contract, its runs share something, or there is time
    /// for too few of them.
    Broken(String),
    /// The audit gives no finding.
    Failed(AuditError),
}

/// Results from before the trials.
#[derive(Clone, Default)]
pub(in crate::audit) struct Before {
    /// Check of the declared sensitivity.
    pub check: Option<Checked>,
    /// Attempt to prove the claim.
    pub proof: Option<Attempt>,
    /// Laws that the proof enumerated.
    pub laws: Laws,
}

impl Before {
    /// `true` if the claim is proved, of the code or of what it is meant to do.
    pub fn is_proved(&self) -> bool {
        let proof = self.proof.as_ref().and_then(|attempt| attempt.as_ref().ok());
        proof.is_some_and(|proof| proof.decision == Decision::Verified)
    }
}

/// Laws on the datasets of each pair of the audit, where they were enumerated.
pub(in crate::audit) type Laws = Vec<[Option<Law>; 2]>;

/// An audit that ran to its end.
pub(in crate::audit) struct Played<'a, D> {
    pub pair: FoundPair<'a, D>,
    pub pair_index: usize,
    pub surveyed: usize,
    /// Reason why the outcomes show nothing, if they do.
    pub degenerate: Option<Degenerate>,
    /// Answers without noise on the pair, if known.
    pub answers: Option<PairAnswers>,
    pub runs: Runs,
    /// The finding's frozen witness, and the judgement of its counts.
    pub own: JudgedWitness,
    /// The other of two leaks, if both were examined.
    pub other: Option<Other>,
    /// Bounds from above, if the alphabet of outcomes was declared.
    pub upper: Option<Upper>,
    pub trials: Trials,
    /// Notes on the trials: how a time budget sets their number, and whether they are independent.
    pub notes: Vec<String>,
    /// Note on shards that were left out.
    pub left_out: Option<String>,
    /// Leak of the values of recorded outcomes alone, where two programs spelled them.
    pub values: Option<ValuesAlone>,
    /// Simpler pair on which the violation was also confirmed.
    pub shrunk: Option<Shrunk<D>>,
    /// `true` if the shrinking was interrupted.
    pub interrupted: bool,
}

/// Result of the sensitivity check.
#[derive(Clone)]
pub(in crate::audit) enum Checked {
    /// No pair of neighbors was found whose answers are too far apart.
    Held(Box<SensitivitySummary>),
    /// The check could not be made, with the reason.
    NotMade(String),
}

/// A pair of neighbors whose answers are too far apart.
pub(in crate::audit) struct Exceeded<D> {
    pub declared: Sensitivity,
    /// The pair as the mechanism takes it.
    pub pair: Pair<D>,
    pub answers: [Answer; 2],
    pub distance: f64,
    /// Number of compared pairs.
    pub pairs: usize,
}

/// Result of an attempt to prove; an error is the reason why there is no proof.
pub type Attempt = Result<Proof, String>;

/// The frozen choices that the confirm trials play.
pub struct Frozen<'a, D> {
    pub pair: FoundPair<'a, D>,
    /// Number of the pair.
    pub pair_index: usize,
    /// Number of pairs examined.
    pub surveyed: usize,
    /// Number of trials used; the others are for confirm.
    pub explored: u64,
    /// The witness; if there is one for bits, this one sees values.
    pub witness: Witness,
    pub test: Test,
    /// Witness of what the bits of numbers leak, and its test, if bits tell.
    pub bits: Option<(Witness, Test)>,
    /// Reason why the outcomes show nothing, if they do.
    pub degenerate: Option<Degenerate>,
}

impl<D> Frozen<'_, D> {
    /// The witness of values, and the witness of bits if there is one.
    pub fn witnesses(&self) -> impl Iterator<Item = &Witness> {
        std::iter::once(&self.witness).chain(self.bits.iter().map(|(witness, _)| witness))
    }
}

/// Progress of an interrupted audit.
pub(in crate::audit) enum SoFar<'a, D> {
    /// Checking the declared sensitivity.
    Checking,
    /// Trying to prove the claim.
    Proving,
    /// Exploring, with the best pair of a search so far.
    Explored(Option<Box<Best>>),
    /// Playing the confirm trials, after this number of explore trials.
    Frozen(Box<Frozen<'a, D>>, u64),
}

impl<D> SoFar<'_, D> {
    pub fn stage(&self) -> Stage {
        match self {
            Self::Checking => Stage::Checking,
            Self::Proving => Stage::Proving,
            Self::Explored(best) => Stage::Exploring(best.as_ref().map(|best| best.looked_at)),
            Self::Frozen(..) => Stage::Confirming,
        }
    }
}

/// Answers without noise on D and D', and whether they are the same.
pub struct PairAnswers {
    pub written: [WrittenAnswer; 2],
    pub same: bool,
}

/// A simpler pair on which the claim is refuted.
pub struct Shrunk<D> {
    pub pair: Pair<D>,
    /// Its witness, and its confirm trials judged at the level at which they refute the claim.
    pub judged: JudgedWitness,
    /// Number of simpler pairs tried.
    pub attempts: u64,
    /// Number of simpler pairs taken, one after another; this is the last.
    pub steps: u64,
}

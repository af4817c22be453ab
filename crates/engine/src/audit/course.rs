//! What came of an audit, step by step: values that the steps hand on.

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
use plaudit_core::finding::{Proof, SensitivitySummary, Trials, WrittenAnswer};
use plaudit_core::inference::Test;

pub(in crate::audit) enum Ending<'a, D> {
    /// It was played to its end.
    Played(Box<Played<'a, D>>),
    /// A proof of the code decided it; nothing was played.
    Proved,
    /// The declared sensitivity is exceeded; nothing was played.
    Exceeded(Box<Exceeded<D>>),
    /// Somebody interrupted it, when it had got so far.
    Interrupted(SoFar<'a, D>),
    /// The mechanism broke its contract: how.
    Broken(String),
    /// It gives no finding.
    Failed(AuditError),
}

/// What is found beside the trials, before them.
#[derive(Clone, Default)]
pub(in crate::audit) struct Before {
    /// Of the check of the declared sensitivity.
    pub check: Option<Checked>,
    /// Of the attempt to prove the claim.
    pub proof: Option<Attempt>,
    /// The laws that it enumerated.
    pub laws: Laws,
}

/// The laws on the datasets of each pair of the audit, of a dataset whose law was enumerated.
pub(in crate::audit) type Laws = Vec<[Option<Law>; 2]>;

/// An audit that ran to its end.
pub(in crate::audit) struct Played<'a, D> {
    pub pair: FoundPair<'a, D>,
    pub pair_index: usize,
    pub surveyed: usize,
    /// How the outcomes show nothing, if they do.
    pub degenerate: Option<Degenerate>,
    /// The answers without noise on the pair, if they are known.
    pub answers: Option<PairAnswers>,
    pub runs: Runs,
    /// The frozen witness that the finding gives, and what its counts say.
    pub own: JudgedWitness,
    /// The other of two leaks, if both were looked at.
    pub other: Option<Other>,
    /// Bounds from above, if the alphabet of outcomes was declared.
    pub upper: Option<Upper>,
    pub trials: Trials,
    /// What readers must know of the trials: how their number follows from a time, and whether they are independent.
    pub notes: Vec<String>,
    /// What is to be said of shards that were left out.
    pub left_out: Option<String>,
    /// Leak of the values of recorded outcomes alone, where two programs spelled them.
    pub values: Option<ValuesAlone>,
    /// A simpler pair on which the violation was confirmed as well.
    pub shrunk: Option<Shrunk<D>>,
    /// Whether somebody interrupted the shrinking.
    pub interrupted: bool,
}

/// What came of the check.
#[derive(Clone)]
pub(in crate::audit) enum Checked {
    /// No pair of neighbors was found whose answers are too far apart.
    Held(Box<SensitivitySummary>),
    /// It could not be made: why.
    NotMade(String),
}

/// A pair of neighbors whose answers are too far apart.
pub(in crate::audit) struct Exceeded<D> {
    pub declared: Sensitivity,
    /// The pair as the mechanism takes it.
    pub pair: Pair<D>,
    pub answers: [Answer; 2],
    pub distance: f64,
    /// Pairs that were compared.
    pub pairs: usize,
}

/// What came of an attempt to prove.
pub type Attempt = Result<Proof, String>;

/// What the confirm trials will play.
pub struct Frozen<'a, D> {
    /// The pair.
    pub pair: FoundPair<'a, D>,
    /// Its number.
    pub pair_index: usize,
    /// Pairs that were looked at.
    pub surveyed: usize,
    /// Trials that were used; the others are for confirm.
    pub explored: u64,
    /// The witness: of what values leak, if there is one for bits.
    pub witness: Witness,
    /// The test.
    pub test: Test,
    /// A witness of what the bits of numbers leak, and its test, if bits tell.
    pub bits: Option<(Witness, Test)>,
    /// How the outcomes show nothing, if they do.
    pub degenerate: Option<Degenerate>,
}

impl<D> Frozen<'_, D> {
    /// The witness of values, and the one of bits, if there is one.
    pub fn witnesses(&self) -> impl Iterator<Item = &Witness> {
        std::iter::once(&self.witness).chain(self.bits.iter().map(|(witness, _)| witness))
    }
}

/// How far an audit had got.
pub(in crate::audit) enum SoFar<'a, D> {
    /// It checked the declared sensitivity.
    Checking,
    /// It tried to prove the claim.
    Proving,
    /// It explored, and a search had this pair in mind.
    Explored(Option<Box<Best>>),
    /// The confirm trials were played, of which the others were explored.
    Frozen(Box<Frozen<'a, D>>, u64),
}

impl<D> SoFar<'_, D> {
    /// The step that it was at.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Checking => Stage::Checking,
            Self::Proving => Stage::Proving,
            Self::Explored(best) => Stage::Exploring(best.as_ref().map(|best| best.looked_at)),
            Self::Frozen(..) => Stage::Confirming,
        }
    }
}

/// The answers without noise on D and D', and whether they are the same.
pub struct PairAnswers {
    pub written: [WrittenAnswer; 2],
    pub same: bool,
}

/// A simpler pair on which the claim is refuted.
pub struct Shrunk<D> {
    /// The pair.
    pub pair: Pair<D>,
    /// Its witness, and what the counts of its confirm trials say, at the level at which they refute the
    /// claim.
    pub judged: JudgedWitness,
    /// Simpler pairs that were tried.
    pub attempts: u64,
    /// Simpler pairs that were taken, one after another; this is the last.
    pub steps: u64,
}

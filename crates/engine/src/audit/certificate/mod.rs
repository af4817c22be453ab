//! Certificates: all that is needed to check a violation without trusting the search.

pub(in crate::audit) mod counterexample;
pub(in crate::audit) mod derived;
pub(in crate::audit) mod digest;
pub(in crate::audit) mod disagreement;
pub(in crate::audit) mod envelope;
pub(in crate::audit) mod read;

use crate::audit::certificate::envelope::{Envelope, whole};
use crate::audit::course::{Played, Shrunk};
use crate::audit::explore::degenerate;
use crate::audit::judge::bets::Batch;
use crate::audit::judge::{JudgedWitness, Judgement};
use crate::audit::settings::Audit;
use crate::game::{Control, Game, GameError, Phase, Runs, Streams};
use crate::mechanism::Mechanism;
use crate::mechanism::Planned;
use crate::witness::{Counter, Scorer, Witness};
use plaudit_core::claim::Claim;
use plaudit_core::dataset::Pair;
use plaudit_core::finding::{CertifiedByCounts, ClaimSummary, Headline, LeakKind, Power};
use plaudit_core::inference::Test;
use plaudit_core::tally::Tally;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A violation that others can check: datasets, frozen witness, test, tally, streams.
pub type Certificate = Envelope<Refutation>;

/// Counts that refute a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refutation {
    pub claim: Claim,
    /// The leak of this certificate, if there are two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leak: Option<LeakKind>,
    /// Level of the test: for two leaks, this one's share of the audit's level.
    pub alpha: f64,
    pub test: Test,
    /// Number of counted runs.
    pub confirm: u64,
    /// Seed of the random streams.
    pub seed: u64,
    /// Number of the pair in the audit (part of the streams' names).
    pub pair_index: usize,
    pub witness_words: String,
    pub witness: Witness,
    pub tally: Tally,
    /// Batches of counted trials before those of this witness and tally, each with a witness of its own: of a test over
    /// batches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Batch>,
    /// How the runs of batches relate: the test over batches allows for any relation.
    #[serde(default, skip_serializing_if = "is_independent")]
    pub runs: Runs,
    pub p_value: f64,
    /// Certified lower bound on ε at the claim's δ.
    pub epsilon_lower: f64,
    /// Certified lower bound on δ at the claim's ε.
    pub delta_lower: f64,
    /// Smallest pair that a search's pair was shrunk to, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<SmallestPair>,
    /// Notes on how the mechanism was run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Highest default level for replaying a certificate, whose own level is its writer's choice.
pub const READER_ALPHA: f64 = 1e-3;

/// A simpler pair than the certificate's, on which its own trials refute the claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallestPair {
    /// Both datasets, whole.
    pub pair: Pair<Value>,
    pub test: Test,
    pub witness_words: String,
    pub witness: Witness,
    pub tally: Tally,
    /// Level of its test: the audit's divided by the number of simpler pairs that may be tried.
    pub alpha: f64,
    pub p_value: f64,
    /// Certified lower bound on ε at the claim's δ.
    pub epsilon_lower: f64,
}

impl SmallestPair {
    fn of<D: Serialize>(shrunk: &Shrunk<D>) -> Self {
        let JudgedWitness { witness, test, tally, judgement, alpha, .. } = &shrunk.judged;
        Self {
            pair: whole(&shrunk.pair),
            test: *test,
            witness_words: witness.words(),
            witness: witness.clone(),
            tally: tally.clone(),
            alpha: *alpha,
            p_value: judgement.p_value,
            epsilon_lower: judgement.epsilon_lower,
        }
    }
}

/// Times the trials of a test over batches that a replay with fresh randomness plays at most, with the last witness: it
/// ends as soon as the violation shows, which the same test allows.
const AGAIN: usize = 8;
/// Number of runs that show whether a mechanism fails or is constant.
const SHOWN_RUNS: u64 = 100;

/// Result of replaying a certificate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// `true` if the violation shows again at the level of the replay.
    pub holds: bool,
    /// `true` if the seed was the certificate's own: the counts are then not new evidence.
    pub same_seed: bool,
    /// `true` if the new counts equal the certificate's.
    pub same_counts: bool,
    /// Reason why a violation that does not show again could not: the mechanism fails on every run
    /// or gives the same outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows_nothing: Option<String>,
    pub seed: u64,
    /// The new counts; of batches, those of the last.
    pub tally: Tally,
    /// Number of counted runs.
    pub trials: u64,
    pub p_value: f64,
    pub epsilon_lower: f64,
    /// The new value of the number that the violation is about, and the claim's limit on it.
    pub headline: Headline,
}

/// Reason why a certificate could not be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Interrupted (Ctrl-C), or the mechanism broke its contract.
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("the certificate is damaged: {0}")]
    Damaged(&'static str),
}

fn is_independent(runs: &Runs) -> bool {
    *runs == Runs::Independent
}

impl Refutation {
    /// Its counts, judged against a claim.
    fn judged(&self, claim: &Claim, alpha: f64) -> Judgement {
        let Self { tally, witness, test, before, .. } = self;
        match test {
            Test::Batches => Judgement::of_batches(before, (tally, witness), claim, alpha),
            _ => Judgement::of(tally, witness, *test, claim, alpha),
        }
    }

    /// Default level of a replay: the certificate's, but at most [`READER_ALPHA`].
    pub fn reader_alpha(&self) -> f64 {
        self.alpha.min(READER_ALPHA)
    }
}

impl Certificate {
    /// Certificate of an audit, if its claim is refuted.
    pub(in crate::audit) fn of<D: Serialize>(
        audit: &Audit<D>,
        played: &Played<'_, D>,
    ) -> Option<Self> {
        let leak = played.other.as_ref().map(|other| other.headline);
        let smallest = played.shrunk.as_ref().map(SmallestPair::of);
        let certificate = Self::of_judged(audit, played, (&played.own, leak));
        certificate.map(|mut certificate| {
            certificate.smallest = smallest;
            certificate
        })
    }

    /// Certificate of the leak that is not the finding's own, if it refutes the claim.
    pub(in crate::audit) fn of_other_leak<D: Serialize>(
        audit: &Audit<D>,
        played: &Played<'_, D>,
    ) -> Option<(LeakKind, Self)> {
        let other = played.other.as_ref()?;
        let leak = match other.headline {
            LeakKind::Values => LeakKind::Representation,
            LeakKind::Representation => LeakKind::Values,
        };
        Some((leak, Self::of_judged(audit, played, (&other.judged, Some(leak)))?))
    }

    /// Certificate of a frozen witness and its counts, if they refute the claim.
    fn of_judged<D: Serialize>(
        audit: &Audit<D>,
        played: &Played<'_, D>,
        (judged, leak): (&JudgedWitness, Option<LeakKind>),
    ) -> Option<Self> {
        if !judged.refutes() {
            return None;
        }
        let JudgedWitness { witness, test, tally, before, judgement, alpha } = judged;
        debug_assert!(witness.is_sound(), "what explore freezes can be replayed");
        let refutation = Refutation {
            claim: audit.claim.clone(),
            leak,
            alpha: *alpha,
            test: *test,
            confirm: played.trials.confirm,
            seed: audit.settings.seed,
            pair_index: played.pair_index,
            witness_words: witness.words(),
            witness: witness.clone(),
            tally: tally.clone(),
            before: before.clone(),
            runs: if *test == Test::Batches { played.runs } else { Runs::Independent },
            p_value: judgement.p_value,
            epsilon_lower: judgement.epsilon_lower,
            delta_lower: judgement.delta_lower,
            smallest: None,
            notes: audit.mechanism.notes().into_iter().chain(played.left_out.clone()).collect(),
        };
        Some(Self::of_audit(audit, &played.pair, refutation))
    }

    /// Replays the witness on the given datasets (those of the certificate, read back), with a seed
    /// of the caller's choice, and judges it at [`Refutation::reader_alpha`].
    ///
    /// # Errors
    /// If it is interrupted, the mechanism breaks its contract, or the certificate is damaged.
    pub fn replay<D: Sync>(
        &self,
        mechanism: &dyn Mechanism<D>,
        pair: &Pair<D>,
        seed: u64,
        control: Control<'_>,
    ) -> Result<Replay, ReplayError> {
        self.replay_at(self.reader_alpha(), (mechanism, pair), seed, control)
    }

    /// As [`Certificate::replay`], at a level of the caller's choice.
    ///
    /// # Errors
    /// As [`Certificate::replay`].
    pub fn replay_at<D: Sync>(
        &self,
        alpha: f64,
        (mechanism, pair): (&dyn Mechanism<D>, &Pair<D>),
        seed: u64,
        control: Control<'_>,
    ) -> Result<Replay, ReplayError> {
        let Refutation { witness, test, tally, before, .. } = &self.content;
        let same_seed = seed == self.seed;
        let frozen = |(at, witness, trials)| Frozen {
            witness,
            trials,
            streams: batch_streams(seed, &self.audit, at),
        };
        let batches: Vec<Frozen<'_>> = match test {
            Test::Batches if same_seed => {
                let earlier = before.iter().enumerate();
                let earlier = earlier.map(|(at, it)| (at, &it.witness, it.tally.trials()));
                earlier.chain([(before.len(), witness, tally.trials())]).map(frozen).collect()
            }
            // An audit that ended as soon as it was clear had some luck.
            Test::Batches => (0..AGAIN).map(|at| frozen((at, witness, self.confirm))).collect(),
            _ => {
                let streams = Streams::new(seed, &self.audit);
                vec![Frozen { witness, trials: self.confirm, streams }]
            }
        };
        let how = (*test, alpha, !same_seed);
        let (replay, counts) = self.play(how, batches, (mechanism, pair), control)?;
        let same_counts = counts.iter().eq(before.iter().map(|it| &it.tally).chain([tally]));
        Ok(Replay { same_seed, same_counts, seed, ..replay })
    }

    /// Power of the witness against a claim at a level, if it guesses as often as in its counts.
    pub fn power(&self, claim: &Claim, alpha: f64) -> Power {
        self.judged(claim, alpha).power
    }

    /// Replays the witness of the smallest pair on that pair (read back), if there is one: with as
    /// many trials as confirmed the violation, and randomness that no audit has used.
    ///
    /// # Errors
    /// As [`Certificate::replay`].
    pub fn replay_smallest<D: Sync>(
        &self,
        alpha: f64,
        (mechanism, pair): (&dyn Mechanism<D>, &Pair<D>),
        seed: u64,
        control: Control<'_>,
    ) -> Result<Option<Replay>, ReplayError> {
        let Some(SmallestPair { witness, test, .. }) = &self.smallest else { return Ok(None) };
        // No audit has this name.
        let streams = Streams::new(seed, &format!("{}: the smallest pair", self.audit));
        let frozen = vec![Frozen { witness, trials: self.confirm, streams }];
        let (replay, _) = self.play((*test, alpha, false), frozen, (mechanism, pair), control)?;
        Ok(Some(Replay { seed, ..replay }))
    }

    fn play<D: Sync>(
        &self,
        (test, alpha, may_end): (Test, f64, bool),
        batches: Vec<Frozen<'_>>,
        (mechanism, pair): (&dyn Mechanism<D>, &Pair<D>),
        control: Control<'_>,
    ) -> Result<(Replay, Vec<Tally>), ReplayError> {
        if !batches.iter().all(|batch| batch.witness.is_sound()) {
            return Err(ReplayError::Damaged("its witness's bins, guesses and order do not match"));
        }
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(ReplayError::Damaged("the level is not between 0 and 1"));
        }
        let by_clock = batches.iter().any(|it| matches!(it.witness.scorer, Scorer::Clock(_)));
        let runs = match (test, by_clock) {
            (Test::Batches, _) => self.runs,
            (Test::Betting, true) => Runs::Timed,
            (Test::Betting, false) => Runs::Stateful,
            (_, true) => {
                return Err(ReplayError::Damaged(
                    "running times are judged by the betting test only",
                ));
            }
            (_, false) => Runs::Independent,
        };
        let Some(Frozen { streams, .. }) = batches.first() else {
            return Err(ReplayError::Damaged("it has no witness"));
        };
        let mut random = streams.block(0, Phase::Prepare)(0);
        let pair_of = [&pair.d, &pair.d_prime];
        let most = batches.iter().map(|batch| batch.trials).fold(0, u64::saturating_add);
        let planned =
            Planned { seconds: None, trials: most, most, one_by_one: test == Test::Batches };
        let prepared = mechanism.prepare(pair_of, planned, &mut random, control.interrupted);
        let prepared = prepared.map_err(GameError::from)?;
        if prepared.stateful && runs == Runs::Independent {
            let why = "its runs depend on one another here, which the certificate's test does not \
                       allow for";
            return Err(GameError::Broken(why.into()).into());
        }
        let pair_index = self.pair_index;
        let game = |streams| Game { mechanism, pair, pair_index, runs, streams, control };
        let (mut counted, mut judgement) =
            (Vec::with_capacity(batches.len()), Judgement::nothing());
        for Frozen { witness, trials, streams } in &batches {
            let counters = [Counter::new(&witness.scorer)];
            let trials = (*trials).min(prepared.trials);
            let tally = game(streams).count(Phase::Confirm, trials, &counters)?.swap_remove(0);
            judgement = match test {
                Test::Batches => {
                    Judgement::of_batches(&counted, (&tally, witness), &self.claim, alpha)
                }
                _ => Judgement::of(&tally, witness, test, &self.claim, alpha),
            };
            counted.push(Batch { witness: (*witness).clone(), tally });
            if may_end && judgement.refutes(alpha) {
                break;
            }
        }
        let counts: Vec<Tally> = counted.into_iter().map(|batch| batch.tally).collect();
        // After the counting, so that its runs stay as they are.
        let shows_nothing = match mechanism.capabilities().recordings {
            None if !judgement.refutes(alpha) => {
                let trials = SHOWN_RUNS.min(self.confirm).min(prepared.trials);
                degenerate::of(&game(streams).sample(Phase::Pilot, trials)?)
            }
            _ => None,
        };
        let certified = CertifiedByCounts {
            epsilon: judgement.epsilon_lower,
            delta: judgement.delta_lower,
            mu: judgement.mu_lower,
            point: judgement.broken_point,
        };
        let mut numbers = certified.numbers(&ClaimSummary::of(&self.claim));
        let replay = Replay {
            holds: judgement.refutes(alpha),
            same_seed: false,
            same_counts: false,
            shows_nothing: shows_nothing.map(|how| how.to_string()),
            seed: 0,
            tally: counts.last().cloned().unwrap_or_default(),
            trials: counts.iter().map(Tally::trials).sum(),
            p_value: judgement.p_value,
            epsilon_lower: judgement.epsilon_lower,
            headline: numbers.swap_remove(0),
        };
        Ok((replay, counts))
    }
}

/// Streams of a batch, which no other phase has.
pub(in crate::audit) fn batch_streams(seed: u64, audit: &str, batch: usize) -> Streams {
    Streams::new(seed, &format!("{audit}: batch {batch}"))
}

/// A frozen witness, and the trials that it is to count.
struct Frozen<'a> {
    witness: &'a Witness,
    trials: u64,
    streams: Streams,
}

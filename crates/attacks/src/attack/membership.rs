//! Membership inference: what scores of members and of others certify.

use super::choose::{Chosen, choose};
use super::quantity::Quantity;
use super::roc::{Attacker, Rates, Roc};
use super::sample::{Group, Sample};
use super::scores::Scores;
use crate::scores;
use plaudit_accountant::number;
use plaudit_core::claim::{Claim, ClaimError, Region};
use plaudit_core::inference::{EventCounts, EventTest};
use plaudit_core::random::Stream;
use serde::Serialize;

const BOUNDS: f64 = 4.0;
/// False-positive rates at which rates are reported.
const TARGETS: [f64; 2] = [1e-2, 1e-3];

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The δ at which ε is bounded.
    pub delta: f64,
    /// The ε at which δ is bounded.
    pub epsilon: f64,
    /// Level of all bounds together, in (0, 1).
    pub alpha: f64,
    /// The claim to judge: (ε, δ) at these two, or μ-GDP.
    pub claim: Option<Claim>,
}

impl Question {
    /// The same question of each of several columns of scores, at an equal share of α (Bonferroni): by the union bound
    /// the bounds of all columns hold at once with probability 1 − α, however the columns depend on one another.
    pub fn shared(&self, columns: usize) -> Self {
        Self { alpha: self.alpha / columns as f64, ..self.clone() }
    }
}

/// A lower bound, and what it was counted on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bound {
    /// The bound, wrong with probability at most its level; at least 0.
    pub lower: f64,
    /// Estimate by the counted rates, at least 0.
    #[serde(with = "number::one")]
    pub estimate: f64,
    /// The event, frozen before it was counted.
    pub event: Chosen,
    pub counted: Counted,
}

/// Number of times that an event happened in the group where it is the likelier, and in the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    pub hits: u64,
    pub of: u64,
    /// Scores of the other group with it.
    pub other_hits: u64,
    pub other_of: u64,
}

/// All bounds. Together they are wrong with probability at most α.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certified {
    /// The probability at most with which each of them is wrong: an equal share of α.
    pub level: f64,
    /// Bound on ε at the requested δ.
    pub epsilon: Bound,
    /// Bound on δ at the requested ε.
    pub delta: Bound,
    pub mu: Bound,
    /// Bound on the advantage, the largest TPR − FPR of any threshold: the δ at ε = 0.
    pub advantage: Bound,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    pub claim: Claim,
    /// Upper bound on the probability of such counts if the claim is true.
    pub p_value: f64,
    /// `true` if it is at most the level of each bound.
    pub refuted: bool,
}

/// Number of scores of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    pub scores: u64,
    pub distinct: u64,
    pub choosing: u64,
    pub counting: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Membership {
    pub members: Sizes,
    pub non_members: Sizes,
    /// The δ at which ε is bounded.
    pub at_delta: f64,
    /// The ε at which δ is bounded.
    pub at_epsilon: f64,
    pub alpha: f64,
    pub certified: Certified,
    /// Judgement of the claim, if one was given.
    pub judged: Option<Judged>,
    /// Rule by which scores are called members in the following.
    pub attacker: Attacker,
    /// The area under the curve: an estimate.
    pub area: f64,
    /// Rates at thresholds for low false-positive rates. Each interval misses with probability at most α.
    pub rates: Vec<Rates>,
    pub roc: Roc,
    /// Signs in the scores that ask for an explanation.
    pub warnings: Vec<String>,
}

/// Splits the scores at random, chooses an event for each bound on the first halves, and counts it on the second.
///
/// Each of the four bounds has an event of its own and a quarter of α: by the union bound all hold at once with
/// probability 1 − α, however the events were chosen. A claim is judged by the event and the test of the bound in its own
/// terms, so that it is refuted where that bound is above it.
///
/// # Errors
/// If δ or ε is impossible.
pub fn measure(
    scores: Scores,
    question: &Question,
    random: &mut Stream,
) -> Result<Membership, ClaimError> {
    let level = question.alpha / BOUNDS;
    let whole = scores.whole();
    let [choosing, counting] = scores.halves(random);
    let halves = (&choosing, &counting);
    let of_claim = |quantity: Quantity| {
        let claim = question.claim.clone().filter(|claim| is_of(quantity, claim));
        claim.map_or_else(|| quantity.claim(), Ok)
    };
    let bound =
        |quantity: Quantity| of_claim(quantity).map(|claim| bound(halves, quantity, &claim, level));
    let (epsilon, epsilon_test) = bound(Quantity::Epsilon { delta: question.delta })?;
    let (delta, _) = bound(Quantity::Delta { epsilon: question.epsilon })?;
    let (mu, mu_test) = bound(Quantity::Mu)?;
    let (advantage, _) = bound(Quantity::Delta { epsilon: 0.0 })?;
    let judged = question.claim.as_ref().map(|claim| {
        let test = if is_of(Quantity::Mu, claim) { &mu_test } else { &epsilon_test };
        let p_value = test.p_value(claim.region());
        Judged { claim: claim.clone(), p_value, refuted: p_value <= level }
    });
    let attacker = Attacker::choose(&choosing);
    let rates = |target| attacker.rates(&choosing, &counting, target, question.alpha);
    Ok(Membership {
        members: sizes(Group::Members, &whole, halves),
        non_members: sizes(Group::NonMembers, &whole, halves),
        at_delta: question.delta,
        at_epsilon: question.epsilon,
        alpha: question.alpha,
        certified: Certified { level, epsilon, delta, mu, advantage },
        judged,
        attacker,
        area: attacker.area(&counting),
        rates: TARGETS.map(rates).to_vec(),
        roc: attacker.curve(&counting, question.alpha),
        warnings: warnings(&whole),
    })
}

/// Scores that come twice, scores of both groups, and losses in the place of scores.
fn warnings(whole: &Sample) -> Vec<String> {
    let [members, others] = [Group::Members, Group::NonMembers].map(|group| whole.of(group));
    let words = [Group::Members, Group::NonMembers].map(Group::words);
    let losses = scores::are_losses(members, others).then(|| {
        "members have lower scores than non-members, as for losses: low scores were taken to mean \
         members; if high scores mean members, swap the files, otherwise negate the losses"
            .to_owned()
    });
    let repeats = scores::repeats(words[0], members).into_iter();
    let repeats = repeats.chain(scores::repeats(words[1], others));
    repeats.chain(scores::shared(words, members, others)).chain(losses).collect()
}

/// `true` if a claim bounds this quantity in the same terms.
pub(super) fn is_of(quantity: Quantity, claim: &Claim) -> bool {
    match (quantity, claim.region()) {
        (Quantity::Epsilon { delta }, Region::EpsilonDelta { delta: claimed, .. }) => {
            delta == *claimed
        }
        (Quantity::Mu, Region::Gaussian { .. }) => true,
        _ => false,
    }
}

fn bound(
    (choosing, counting): (&Sample, &Sample),
    quantity: Quantity,
    claim: &Claim,
    level: f64,
) -> (Bound, EventTest) {
    let event = choose(choosing, quantity, level);
    let counts = event.event.counts(counting);
    let test = EventTest::new(counts, claim, level);
    let EventCounts { hits, n, other_hits, other_n } = counts;
    let estimate = quantity.at(hits as f64 / n as f64, other_hits as f64 / other_n as f64).max(0.0);
    let lower = quantity.certified(&test);
    let counted = Counted { hits, of: n, other_hits, other_of: other_n };
    (Bound { lower, estimate, event, counted }, test)
}

fn sizes(group: Group, whole: &Sample, (choosing, counting): (&Sample, &Sample)) -> Sizes {
    let scores = whole.of(group);
    let repeated = scores.windows(2).filter(|two| two[0] == two[1]).count();
    Sizes {
        scores: whole.size(group),
        distinct: (scores.len() - repeated) as u64,
        choosing: choosing.size(group),
        counting: counting.size(group),
    }
}

//! Evidence of an audit, as [`decide`](super::decide) weighs it.

use crate::audit::course::{Before, Checked, Ending, Played};
use crate::audit::decide::{Check, Course, Sampled, VerdictEvidence};
use crate::audit::explore::floor;
use crate::audit::judge::alphabet::Upper;
use crate::audit::judge::{JudgedWitness, breakdowns, leaks, no_difference};
use crate::audit::settings::Audit;
use crate::game::Runs;
use plaudit_core::claim::Region;
use plaudit_core::finding::reason::{CertifiedBound, MissingPower, Reason, Stage};
use plaudit_core::inference::Test;
use serde::Serialize;

/// Evidence of an audit with this ending.
pub fn of<'e, D: Serialize + Sync>(
    audit: &Audit<D>,
    ending: &Ending<'_, D>,
    before: &'e Before,
) -> VerdictEvidence<'e> {
    let course = match ending {
        Ending::Proved => Course::Proved,
        Ending::Exceeded(exceeded) => Course::Exceeded(audit.how_exceeded(exceeded)),
        Ending::Interrupted(so_far) => Course::Interrupted(so_far.stage()),
        Ending::Broken(why) => Course::Broken(why.clone()),
        Ending::Failed(error) => Course::Broken(error.to_string()),
        Ending::Played(played) => Course::Played(Box::new(sampled(audit, played))),
    };
    let check = match &before.check {
        Some(Checked::Held(summary)) => Check::Held(summary.pairs),
        Some(Checked::NotMade(why)) => Check::NotMade(why.clone()),
        None => Check::None,
    };
    VerdictEvidence {
        course,
        proof: before.proof.as_ref().and_then(|proof| proof.as_ref().ok()),
        check,
    }
}

/// Evidence of an audit that was interrupted before it began.
pub fn not_begun() -> VerdictEvidence<'static> {
    VerdictEvidence {
        course: Course::Interrupted(Stage::NotBegun),
        proof: None,
        check: Check::None,
    }
}

fn sampled<D: Serialize>(audit: &Audit<D>, played: &Played<'_, D>) -> Sampled {
    let judgement = &played.own.judgement;
    let claim = &audit.claim;
    let bound = match (judgement.mu_lower, claim.reference_point()) {
        (Some(lower), _) => {
            let claimed = match *claim.region() {
                Region::Gaussian { mu } => mu,
                _ => f64::NAN,
            };
            CertifiedBound::Mu { lower, claimed }
        }
        (None, (claimed, delta)) => {
            CertifiedBound::Epsilon { lower: judgement.epsilon_lower, claimed, delta }
        }
    };
    let met = match &played.upper {
        Some(Upper::Bounds { bounds, meet_the_claim: true }) if audit.pairs.len() == 1 => {
            Some(*bounds)
        }
        _ => None,
    };
    let undeclared = match &played.upper {
        Some(Upper::UndeclaredOutcomes(words)) => Some(words.clone()),
        _ => None,
    };
    // A running time is also an outcome, whatever comes with it.
    let may_be = audit.settings.may_be_constant || played.runs == Runs::Timed;
    let degenerate = played.degenerate.clone().filter(|_| !may_be);
    Sampled {
        claim: claim.to_string(),
        allows_everything: claim.region().most_power(0.0) >= 1.0,
        alpha: audit.settings.alpha,
        refutes: played.own.refutes(),
        p_value: p_value(audit, &played.own),
        bound,
        lower: [judgement.epsilon_lower, judgement.delta_lower],
        broken_point: judgement.broken_point,
        can_refute: judgement.power.smallest_event_mass.is_some(),
        guesses: judgement.guesses,
        pairs: [played.surveyed, given(audit, played)],
        undeclared,
        met,
        degenerate: degenerate.map(|how| {
            let requests = audit.mechanism.capabilities().requests;
            (how, requests.map(|requests| requests.example(&played.pair.d)))
        }),
        too_little: too_little_power(audit, played),
        alike: no_difference::found(audit, played),
        breakdowns: breakdowns::found(audit, played),
        facts: facts(audit, played),
    }
}

/// Power of the witness, where it is less than asked for.
fn too_little_power<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Option<MissingPower> {
    let (unit, wanted) = floor::wanted(&audit.claim, audit.settings.min_power, played.own.test)?;
    let judged = std::iter::once(&played.own).chain(played.other.iter().map(|other| &other.judged));
    let detectable = judged.filter_map(|judged| judged.judgement.power.detectable);
    let detectable = detectable.fold(f64::INFINITY, f64::min);
    let times = audit.settings.min_power;
    let would_be = Some(detectable).filter(|loss| loss.is_finite());
    (detectable > wanted).then_some(MissingPower { times, unit, detectable: would_be, wanted })
}

/// Facts reported after the reason: how the pair was found, how the runs were judged, and which
/// leak it is.
fn facts<D: Serialize>(audit: &Audit<D>, played: &Played<'_, D>) -> Vec<Reason> {
    let searched = audit.search.as_ref().map(|search| Reason::Searched {
        looked_at: played.surveyed,
        domain: search.neighborhood.domain.to_string(),
    });
    let shrunk = played.shrunk.as_ref().map(|shrunk| {
        let pair = (audit.describe)(&shrunk.pair, audit.relation.checked());
        let [d, d_prime] = [&pair.d, &pair.d_prime].map(ToString::to_string);
        Reason::Shrunk { d, d_prime, difference: pair.difference }
    });
    let judged = match played.runs {
        _ if played.own.test == Test::Batches => Some(Reason::Batches(1 + played.own.before.len())),
        Runs::Independent => None,
        Runs::Stateful => Some(Reason::Betting),
        Runs::Timed => Some(Reason::BettingOnTime),
    };
    let leaks = leaks::leaks(audit, played).map(|leaks| Reason::Leaks(leaks.words));
    searched.into_iter().chain(shrunk).chain(judged).chain(leaks).collect()
}

/// The p-value of the claim over all judged witnesses: this one's, divided by its share of α.
pub fn p_value<D>(audit: &Audit<D>, judged: &JudgedWitness) -> f64 {
    let most = if judged.refutes() { audit.settings.alpha } else { 1.0 };
    (judged.judgement.p_value * (audit.settings.alpha / judged.alpha)).min(most)
}

/// Number of pairs available.
pub fn given<D>(audit: &Audit<D>, played: &Played<'_, D>) -> usize {
    if audit.search.is_some() { played.surveyed } else { audit.pairs.len() }
}

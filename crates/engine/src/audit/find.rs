//! From an audit's ending to its finding in the report.

use crate::audit::certificate::Certificate;
use crate::audit::certificate::counterexample::Counterexample;
use crate::audit::course::{Before, Checked, Ending, Exceeded, Laws, Played, Shrunk};
use crate::audit::decide::Decided;
use crate::audit::evidence::{given, p_value};
use crate::audit::judge::alphabet::Upper;
use crate::audit::judge::counted::{evidence, witness_summary};
use crate::audit::judge::{JudgedWitness, Judgement, Other, causes, leaks};
use crate::audit::prove::known;
use crate::audit::settings::{Audit, Settings};
use crate::game::{Clock, Runs};
use plaudit_accountant::number;
use plaudit_core::claim::Claim;
use plaudit_core::dataset::Stated;
use plaudit_core::finding::{
    Cause, ClaimSummary, Decision, Evidence, ExceedingPair, Expectation, Finding, Floats, LeakKind,
    LeakSource, Loss, LossPoint, PairSummary, ProfilePoint, RenyiPoint, Scope, SensitivitySummary,
    Smallest, StepTimes, TailPoint, TradeoffPoint, Trials, Verdict, Waiver, WitnessSummary,
    WrittenAnswer,
    reason::{Reason, Reasons},
    review::relation_words,
};
use plaudit_core::inference::Test;
use plaudit_core::loss::{self, ExactLoss};
use plaudit_core::tally::Tally;
use serde::Serialize;

/// Result of an audit.
#[derive(Clone, Debug)]
pub struct Audited {
    pub finding: Finding,
    /// Certificate, if the trials violate the claim.
    pub certificate: Option<Certificate>,
    /// Certificate of the second of two leaks, which is not the finding's own, if it also refutes
    /// the claim (for a claim about ideal noise, also if it alone does).
    pub other_leak: Option<(LeakKind, Certificate)>,
    /// Counterexample, if the declared sensitivity is exceeded; then there were no trials.
    pub counterexample: Option<Counterexample>,
    /// `true` if interrupted early. The finding is then inconclusive, unless there was already a
    /// violation or a proof.
    pub interrupted: bool,
}

impl Audited {
    fn without_trials(finding: Finding) -> Self {
        let (certificate, other_leak, counterexample, interrupted) = (None, None, None, false);
        Self { finding, certificate, other_leak, counterexample, interrupted }
    }
}

/// Result of an audit with this ending.
pub fn audited<D: Serialize + Sync>(
    audit: &Audit<D>,
    (ending, mut before): (Ending<'_, D>, Before),
    decided: Decided,
    clock: &Clock,
) -> Audited {
    let mut audited = Audited::without_trials(without_trials(audit, decided));
    (audited.finding.wall_s, audited.finding.steps) = (clock.elapsed(), clock.times());
    let open = !audited.finding.verdict.is_founded();
    let source = leak_source(&ending, &before, audited.finding.verdict);
    audited.finding = by_leak(audit, source, audited.finding);
    match ending {
        Ending::Played(played) => {
            audited.finding = with_trials(audit, &played, before.laws, audited.finding);
            audited.certificate = Certificate::of(audit, &played);
            audited.other_leak = Certificate::of_other_leak(audit, &played);
            audited.interrupted = played.interrupted;
        }
        Ending::Exceeded(exceeded) => {
            let (finding, counterexample) = with_counterexample(audit, *exceeded, audited.finding);
            return Audited { finding, counterexample: Some(counterexample), ..audited };
        }
        Ending::Interrupted(so_far) => {
            let finding = Finding { interrupted: open, ..audited.finding };
            audited.finding = audit.shown_so_far(so_far, finding);
            audited.interrupted = true;
        }
        Ending::Proved => {}
        // Not even proved results are reported for a mechanism that breaks its contract.
        Ending::Broken(_) | Ending::Failed(_) => before.proof = None,
    }
    match before.proof {
        Some(Ok(proof)) => audited.finding.proof = Some(proof),
        Some(Err(why)) => audited.finding.notes.push(format!("No proof: {why}.")),
        None => {}
    }
    if let Some(Checked::Held(summary)) = before.check {
        audited.finding.sensitivity = Some(*summary);
    }
    audited
}

fn leak_source<D>(ending: &Ending<'_, D>, before: &Before, verdict: Verdict) -> Option<LeakSource> {
    let is_proved = matches!(&before.proof, Some(Ok(proof)) if proof.decision == Decision::Refuted);
    Some(match ending {
        _ if !verdict.is_violation() => return None,
        Ending::Played(played) if !is_proved => leaks::source(played),
        // Known exact answers and laws.
        _ => LeakSource::Values,
    })
}

/// Makes a finding as expected only if the violation is due to the expected leak.
fn by_leak<D>(audit: &Audit<D>, source: Option<LeakSource>, mut finding: Finding) -> Finding {
    finding.leak_source = source;
    finding.expected_leak = audit.settings.expect_leak;
    let is_planted = finding.expected == Expectation::Violated;
    let Some(source) = source.filter(|source| is_planted && !source.shows(finding.expected_leak))
    else {
        return finding;
    };
    finding.as_expected = false;
    let told = Reason::CaughtByOther { by: source, expected: finding.expected_leak };
    finding.reasons.0.insert(0, told);
    finding
}

/// Adds a counterexample to the finding of an audit that ends with it.
fn with_counterexample<D: Serialize>(
    audit: &Audit<D>,
    exceeded: Exceeded<D>,
    finding: Finding,
) -> (Finding, Counterexample) {
    let Exceeded { declared, pair, answers, distance, pairs } = exceeded;
    let shown = PairSummary {
        given: pairs,
        surveyed: pairs,
        ..(audit.describe)(&pair, audit.relation.checked())
    };
    let [answer_d, answer_d_prime] = [&answers[0], &answers[1]].map(WrittenAnswer::abridged);
    let certificate = Counterexample::of(audit, declared, &pair, &answers, distance);
    let finding = Finding {
        possible_causes: vec![Cause::Sensitivity],
        trace: None,
        pair: shown.clone(),
        sensitivity: Some(SensitivitySummary {
            norm: declared.norm,
            declared: declared.most,
            pairs,
            distance: distance.is_finite().then_some(distance),
            counterexample: Some(ExceedingPair { pair: shown, answer_d, answer_d_prime }),
        }),
        ..finding
    };
    (finding, certificate)
}

/// A finding with the results of the trials.
fn with_trials<D: Serialize>(
    audit: &Audit<D>,
    played: &Played<'_, D>,
    laws: Laws,
    finding: Finding,
) -> Finding {
    let JudgedWitness { witness, test, tally, judgement, .. } = &played.own;
    let distribution = loss::distribution(tally);
    // A search has neither pairs of the audit's own nor laws.
    let known = laws.into_iter().nth(played.pair_index).unwrap_or_default();
    let exact = known::exact_loss(audit, &played.pair, known);
    let claimed_delta = audit.claim.as_epsilon_delta().map(|(_, delta)| delta);
    let profile = profile(audit, played, &distribution, exact.as_ref());
    let (delta_lower, delta_alpha) = delta_lower(audit, played, &profile);
    let at_claim = |point: &ProfilePoint| point.epsilon == audit.claim.reference_point().0;
    let told = |point: ProfilePoint| match at_claim(&point) {
        true => ProfilePoint { delta_lower, ..point },
        false => point,
    };
    let profile: Vec<ProfilePoint> = profile.into_iter().map(told).collect();
    Finding {
        epsilon_lower: judgement.epsilon_lower,
        delta_lower,
        delta_alpha,
        mu_lower: judgement.mu_lower,
        broken_point: judgement.broken_point,
        power: judgement.power.clone(),
        trials: played.trials,
        test: *test,
        p_value: p_value(audit, &played.own),
        notes: notes(audit, played),
        possible_causes: match finding.verdict.is_violation() {
            true => causes::causes(played, claimed_delta),
            false => Vec::new(),
        },
        leaks: leaks::leaks(audit, played),
        pair: PairSummary {
            given: given(audit, played),
            surveyed: played.surveyed,
            answers: played.answers.as_ref().map(|answers| answers.written.clone()),
            ..(audit.describe)(&played.pair, audit.relation.checked())
        },
        smallest: played.shrunk.as_ref().map(|shrunk| smallest(audit, shrunk)),
        evidence: evidence(tally, witness),
        witness: witness_summary(witness),
        loss: loss_summary((tally, &distribution), &audit.claim, exact.as_ref()),
        profile,
        tradeoff: tradeoff(tally, &witness.order, &audit.claim),
        tally: tally.clone(),
        upper: match &played.upper {
            Some(Upper::Bounds { bounds, .. }) => Some(*bounds),
            _ => None,
        },
        ..finding
    }
}

/// Certified δ at the claim's ε, and its level where that is not the audit's α. For a refuted
/// claim, the larger of the δ of the test and of the witness's nested events, each at α: wrong with
/// probability at most 2 α.
fn delta_lower<D>(
    audit: &Audit<D>,
    played: &Played<'_, D>,
    profile: &[ProfilePoint],
) -> (f64, Option<f64>) {
    let JudgedWitness { judgement, test, alpha, .. } = &played.own;
    let own = judgement.delta_lower;
    if test.is_betting() || !played.own.refutes() {
        return (own, None);
    }
    let (epsilon, _) = audit.claim.reference_point();
    let nested = profile.iter().find(|point| point.epsilon == epsilon);
    let nested = nested.map_or(0.0, |point| point.delta_lower);
    (own.max(nested), Some(2.0 * alpha))
}

/// Finding of an audit without trials.
pub fn without_trials<D: Serialize>(audit: &Audit<D>, decided: Decided) -> Finding {
    let Decided { verdict, reasons } = decided;
    let Judgement { p_value, power, .. } = Judgement::nothing();
    Finding {
        name: audit.name.clone(),
        about: audit.about.clone(),
        mechanism: audit.summary.clone(),
        post: audit.post.clone(),
        relation: audit.relation.to_string(),
        claim: ClaimSummary::of(&audit.claim),
        verdict,
        interrupted: false,
        expected: audit.settings.expect,
        as_expected: audit.settings.expect.is_met_by(verdict),
        reasons: Reasons(reasons),
        headline: None,
        epsilon_lower: 0.0,
        delta_lower: 0.0,
        delta_alpha: None,
        expected_leak: audit.settings.expect_leak,
        leak_source: None,
        mu_lower: None,
        broken_point: None,
        upper: None,
        p_value,
        floats: audit.settings.floats,
        leaks: None,
        alpha: audit.settings.alpha,
        looks: None,
        confidence: 1.0 - audit.settings.alpha,
        test: Test::None,
        trials: Trials::default(),
        seed: audit.settings.seed,
        pair: PairSummary {
            given: audit.pairs.len(),
            ..audit.pairs.first().map_or_else(PairSummary::default, |pair| {
                (audit.describe)(pair, audit.relation.checked())
            })
        },
        smallest: None,
        evidence: Evidence::default(),
        witness: WitnessSummary::default(),
        tally: Tally::default(),
        possible_causes: Vec::new(),
        trace: None,
        notes: standing_notes(audit),
        power,
        loss: Loss::default(),
        profile: Vec::new(),
        tradeoff: Vec::new(),
        proof: None,
        sensitivity: None,
        scope: scope(audit),
        evaluation: audit.evaluation.clone(),
        identity: Some(audit.identity()),
        wall_s: 0.0,
        steps: StepTimes::default(),
    }
}

/// Conditions under which the verdict of an audit holds.
fn scope<D>(audit: &Audit<D>) -> Scope {
    let Settings { min_power, may_be_constant, may_show_no_difference, floats, .. } =
        audit.settings;
    let checked = audit.relation.checked().is_some();
    let waived = [
        (min_power.is_infinite(), Waiver::MinPower),
        (may_be_constant, Waiver::Constant),
        (may_show_no_difference, Waiver::NoDifference),
        (!checked, Waiver::Relation),
        (floats == Floats::Ideal, Waiver::LowBits),
    ];
    let (unit, neighbors) = relation_words(&audit.relation, audit.claim.group_size());
    Scope {
        unit,
        neighbors,
        checked,
        domain: audit.search.as_ref().map(|search| search.neighborhood.domain.to_string()),
        clock: audit.runs == Runs::Timed,
        stateful: audit.runs == Runs::Stateful,
        waived: waived.into_iter().filter(|(is_waived, _)| *is_waived).map(|(_, it)| it).collect(),
    }
}

/// Notes for any result: on the mechanism, and on a relation that was not checked.
fn standing_notes<D>(audit: &Audit<D>) -> Vec<String> {
    let mut notes = audit.mechanism.notes();
    if let Stated::Words(words) = &audit.relation {
        notes.push(format!(
            "The datasets are neighbors as stated; this was not checked: {}.",
            words.trim_end_matches('.')
        ));
    }
    notes
}

/// Notes on the mechanism, and on bits that leak but decide nothing.
fn notes<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Vec<String> {
    let mut notes = standing_notes(audit);
    notes.extend(played.notes.iter().cloned());
    notes.extend(played.values.as_ref().map(|values| values.words.clone()));
    let other = played.other.as_ref().filter(|_| audit.settings.floats == Floats::Ideal);
    if let Some(Other { judged, .. }) = other
        && judged.refutes()
    {
        notes.push(format!(
            "Warning: the lowest bits of the doubles that it releases tell the datasets apart (ε ≥ {}). \
             The claim is about ideal noise (`floats = \"ideal\"`), so this does not affect the \
             verdict; deployed code leaks it nevertheless.",
            number::lower(judged.judgement.epsilon_lower)
        ));
    }
    let mut said = std::collections::HashSet::new();
    notes.retain(|note| said.insert(note.clone()));
    notes
}

fn smallest<D>(audit: &Audit<D>, shrunk: &Shrunk<D>) -> Smallest {
    Smallest {
        pair: (audit.describe)(&shrunk.pair, audit.relation.checked()),
        witness: shrunk.judged.witness.words(),
        p_value: shrunk.judged.judgement.p_value,
        alpha: shrunk.judged.alpha,
        epsilon_lower: shrunk.judged.judgement.epsilon_lower,
        confirm: shrunk.judged.tally.trials(),
        attempts: shrunk.attempts,
        steps: shrunk.steps,
    }
}

/// Multiples of the claim's ε at which the tail of the loss is reported.
const TAIL: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
/// Orders of the reported Rényi divergences.
const ORDERS: [f64; 6] = [1.5, 2.0, 4.0, 8.0, 16.0, 32.0];

fn loss_summary(
    (tally, distribution): (&Tally, &[loss::BinLoss]),
    claim: &Claim,
    exact: Option<&ExactLoss>,
) -> Loss {
    let reversed = loss::reverse(distribution);
    let (epsilon, _) = claim.reference_point();
    let only = |bins: &[loss::BinLoss]| {
        bins.iter().filter(|bin| bin.q == 0.0).map(|bin| bin.p).sum::<f64>()
    };
    let backward = exact.map(ExactLoss::reverse);
    let both = || exact.zip(backward.as_ref());
    let tail = TAIL.map(|times| {
        let epsilon = times * epsilon;
        TailPoint {
            epsilon,
            exceeds: loss::exceeds(distribution, epsilon),
            exceeds_reverse: loss::exceeds(&reversed, epsilon),
            exact: both().map(|(p, q)| p.exceeds(epsilon).max(q.exceeds(epsilon))),
        }
    });
    let renyi = ORDERS.map(|order| RenyiPoint {
        order,
        estimate: loss::renyi(distribution, order),
        estimate_reverse: loss::renyi(&reversed, order),
        exact: both().and_then(|(p, q)| Some(p.renyi(order)?.max(q.renyi(order)?))),
    });
    let [exceeds_epsilon, exceeds_epsilon_reverse] = loss::beyond_chance(tally, epsilon);
    Loss {
        tail: tail.to_vec(),
        renyi: renyi.to_vec(),
        law: exact.map(known::law_words),
        kl: loss::kl(distribution),
        kl_reverse: loss::kl(&reversed),
        exceeds_epsilon,
        exceeds_epsilon_reverse,
        only_under_d: only(distribution),
        only_under_d_prime: only(&reversed),
        distribution: distribution
            .iter()
            .map(|bin| LossPoint {
                loss: Some(bin.loss).filter(|loss| loss.is_finite()),
                share_d: bin.p,
                share_d_prime: bin.q,
            })
            .collect(),
    }
}

fn profile<D>(
    audit: &Audit<D>,
    Played { own, .. }: &Played<'_, D>,
    distribution: &[loss::BinLoss],
    exact: Option<&ExactLoss>,
) -> Vec<ProfilePoint> {
    let JudgedWitness { witness, test, tally, alpha, .. } = own;
    let certified: Box<dyn Fn(f64) -> f64> = if test.is_betting() {
        Box::new(own.bets(&audit.claim).profile(*alpha))
    } else {
        let nested = loss::NestedEvents::new(tally, &witness.order, *alpha);
        Box::new(move |epsilon| nested.delta_lower(epsilon))
    };
    let reversed = loss::reverse(distribution);
    let grid = loss::profile_grid(distribution, &audit.claim);
    let point = |epsilon: f64| ProfilePoint {
        epsilon,
        delta_lower: certified(epsilon),
        delta_estimate: loss::delta(distribution, epsilon).max(loss::delta(&reversed, epsilon)),
        delta_band: Some(loss::delta_band(tally, epsilon)),
        delta_claim: audit.claim.delta_at(epsilon),
        delta_exact: exact.map(|law| law.delta_at(epsilon).max(law.reverse().delta_at(epsilon))),
    };
    grid.into_iter().map(point).collect()
}

fn tradeoff(tally: &Tally, order: &[usize], claim: &Claim) -> Vec<TradeoffPoint> {
    let curve = loss::tradeoff(tally, order).into_iter();
    curve
        .map(|(type_1, type_2)| TradeoffPoint {
            type_1,
            type_2,
            type_2_claim: claim.tradeoff_at(type_1),
        })
        .collect()
}

//! From an audit that ran to its finding in the report.

use super::alphabet::Upper;
use super::decide::Decided;
use super::evidence::{given, p_value};
use super::flow::{Before, Ending, Played};
use super::judge::{Judgement, profile_by_betting};
use super::leaks::{self, Judged, Other};
use super::sensitivity::Checked;
use super::shrink::Shrunk;
use super::{Audit, Audited, Certificate};
use crate::claim::Claim;
use crate::dataset::UNCHECKED;
use crate::finding::words;
use crate::finding::{
    BinSummary, ClaimSummary, Evidence, Finding, Floats, Loss, LossPoint, PairSummary,
    ProfilePoint, RenyiPoint, Smallest, TailPoint, TradeoffPoint, Trials, WitnessSummary,
};
use crate::inference::Test;
use crate::loss::{self, ExactLoss};
use crate::number;
use crate::tally::Tally;
use crate::witness::{Guess, Witness};
use serde::Serialize;

/// What an audit gives that ended so.
pub fn audited<D: Serialize + Sync>(
    audit: &Audit<D>,
    (ending, mut before): (Ending<'_, D>, Before),
    decided: Decided,
    wall_s: f64,
) -> Audited {
    let mut audited = Audited::without_trials(without_trials(audit, decided, wall_s));
    let open = !audited.finding.verdict.is_founded();
    match ending {
        Ending::Played(played) => {
            audited.finding = with_trials(audit, &played, audited.finding);
            audited.certificate = Certificate::of(audit, &played);
            audited.other_leak = Certificate::of_other_leak(audit, &played);
            audited.interrupted = played.interrupted;
        }
        Ending::Exceeded(exceeded) => {
            let (finding, counterexample) = audit.with_counterexample(*exceeded, audited.finding);
            return Audited { finding, counterexample: Some(counterexample), ..audited };
        }
        Ending::Interrupted(so_far) => {
            let finding = Finding { interrupted: open, ..audited.finding };
            audited.finding = audit.shown_so_far(so_far, finding);
            audited.interrupted = true;
        }
        // Not even what was proved is told of a mechanism that breaks its contract.
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

/// A finding with what the trials show.
fn with_trials<D: Serialize>(
    audit: &Audit<D>,
    played: &Played<'_, D>,
    finding: Finding,
) -> Finding {
    let Judged { witness, test, tally, judgement, .. } = &played.own;
    let distribution = loss::distribution(tally);
    let exact = super::known::exact_loss(audit, &played.pair);
    Finding {
        epsilon_lower: judgement.epsilon_lower,
        delta_lower: judgement.delta_lower,
        mu_lower: judgement.mu_lower,
        broken_point: judgement.broken_point,
        power: judgement.power.clone(),
        trials: played.trials,
        test: *test,
        p_value: p_value(audit, &played.own),
        notes: notes(audit, played),
        leaks: leaks::leaks(audit, played),
        pair: PairSummary {
            given: given(audit, played),
            surveyed: played.surveyed,
            answers: played.answers.as_ref().map(|answers| answers.written.clone()),
            ..(audit.describe)(&played.pair, audit.checked.as_ref())
        },
        smallest: played.shrunk.as_ref().map(|shrunk| smallest(audit, shrunk)),
        evidence: evidence(tally, witness),
        witness: witness_summary(witness),
        loss: loss_summary(&distribution, &audit.claim, exact.as_ref()),
        profile: profile(audit, played, &distribution, exact.as_ref()),
        tradeoff: tradeoff(tally, &witness.order, &audit.claim),
        tally: tally.clone(),
        upper: match &played.upper {
            Some(Upper::Bounds { bounds, .. }) => Some(*bounds),
            _ => None,
        },
        ..finding
    }
}

/// The finding of an audit without trials.
pub fn without_trials<D: Serialize>(audit: &Audit<D>, decided: Decided, wall_s: f64) -> Finding {
    let Decided { verdict, reasons } = decided;
    let Judgement { p_value, power, .. } = Judgement::nothing();
    Finding {
        name: audit.name.clone(),
        about: audit.about.clone(),
        mechanism: audit.summary.clone(),
        relation: audit.relation.clone(),
        claim: claim_summary(&audit.claim),
        verdict,
        interrupted: false,
        expected: audit.expect,
        as_expected: audit.expect.is_met_by(verdict),
        reason: words::told(&reasons),
        headline: None,
        epsilon_lower: 0.0,
        delta_lower: 0.0,
        mu_lower: None,
        broken_point: None,
        upper: None,
        p_value,
        floats: audit.floats,
        leaks: None,
        alpha: audit.alpha,
        confidence: 1.0 - audit.alpha,
        test: Test::None,
        trials: Trials::default(),
        seed: audit.seed,
        pair: PairSummary {
            given: audit.pairs.len(),
            ..audit.pairs.first().map_or_else(PairSummary::default, |pair| {
                (audit.describe)(pair, audit.checked.as_ref())
            })
        },
        smallest: None,
        evidence: Evidence::default(),
        witness: WitnessSummary::default(),
        tally: Tally::default(),
        notes: standing_notes(audit),
        power,
        loss: Loss::default(),
        profile: Vec::new(),
        tradeoff: Vec::new(),
        proof: None,
        sensitivity: None,
        wall_s,
    }
}

/// What readers must know whatever came of the trials: of the mechanism, and of a relation that was not checked.
fn standing_notes<D>(audit: &Audit<D>) -> Vec<String> {
    let mut notes = audit.mechanism.notes();
    if let Some(words) = audit.relation.strip_prefix(UNCHECKED) {
        notes.push(format!(
            "Whether the datasets are neighbors is as stated, and was not checked: {}.",
            words.trim().trim_end_matches('.')
        ));
    }
    notes
}

/// What readers must know: of the mechanism, and of bits that tell and decide nothing.
fn notes<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Vec<String> {
    let mut notes = standing_notes(audit);
    notes.extend(played.notes.iter().cloned());
    let other = played.other.as_ref().filter(|_| audit.floats == Floats::Ideal);
    if let Some(Other { judged, .. }) = other
        && judged.refutes()
    {
        notes.push(format!(
            "Warning: the lowest bits of the doubles that it releases tell the datasets apart (epsilon >= {}). \
             The claim is about ideal noise (`floats = \"ideal\"`), so that this decides nothing; what is \
             deployed leaks it all the same.",
            number::lower(judged.judgement.epsilon_lower)
        ));
    }
    let mut said = std::collections::HashSet::new();
    notes.retain(|note| said.insert(note.clone()));
    notes
}

fn smallest<D>(audit: &Audit<D>, shrunk: &Shrunk<D>) -> Smallest {
    Smallest {
        pair: (audit.describe)(&shrunk.pair, audit.checked.as_ref()),
        witness: shrunk.judged.witness.words(),
        p_value: shrunk.judged.judgement.p_value,
        alpha: shrunk.judged.alpha,
        epsilon_lower: shrunk.judged.judgement.epsilon_lower,
        confirm: shrunk.judged.tally.trials(),
        attempts: shrunk.attempts,
        steps: shrunk.steps,
    }
}

fn claim_summary(claim: &Claim) -> ClaimSummary {
    let (reference_epsilon, reference_delta) = claim.reference_point();
    ClaimSummary {
        claim: claim.clone(),
        words: claim.to_string(),
        reference_epsilon,
        reference_delta,
    }
}

/// What a witness did on the trials that count: a reader can redo the bounds from it.
pub fn evidence(tally: &Tally, witness: &Witness) -> Evidence {
    let said = |counts: &[u64], guess: Guess| -> u64 {
        counts.iter().zip(&witness.says).filter(|(_, says)| **says == guess).map(|(n, _)| n).sum()
    };
    let sides = |counts: &[u64]| [Guess::D, Guess::DPrime].map(|guess| said(counts, guess));
    let (on_d, on_d_prime) = (sides(&tally.d), sides(&tally.d_prime));
    let runs = [tally.trials_d(), tally.trials_d_prime()];
    let of = |count: u64, runs: u64| {
        let share = 100.0 * count as f64 / runs.max(1) as f64;
        let (count, runs) = (number::grouped(count), number::grouped(runs));
        format!("{count} of {runs} runs ({} %)", number::brief(share))
    };
    let sentence = |at: usize, name: &str| {
        let [d, d_prime] = [of(on_d[at], runs[0]), of(on_d_prime[at], runs[1])];
        format!("says {name} in {d} on D and in {d_prime} on D'")
    };
    let says = [(0, Guess::D, "D"), (1, Guess::DPrime, "D'")].into_iter();
    let says = says.filter(|(_, guess, _)| witness.says.contains(guess));
    let words: Vec<String> = says.map(|(at, _, name)| sentence(at, name)).collect();
    Evidence { on_d, on_d_prime, runs, words: words.join("; ") }
}

pub fn witness_summary(witness: &Witness) -> WitnessSummary {
    let bins = witness.bin_words().into_iter().zip(&witness.says);
    let bins = bins.map(|(words, says)| {
        let (from, to) = words.interval.unwrap_or((None, None));
        // JSON has no infinities: an edge at ±infinity is no bound.
        let finite = |edge: Option<f64>| edge.filter(|e| e.is_finite());
        BinSummary {
            label: words.label,
            from: finite(from),
            to: finite(to),
            numeric: words.interval.is_some(),
            says: *says,
        }
    });
    WitnessSummary {
        kind: witness.scorer.kind().to_owned(),
        description: witness.words(),
        statistic: witness.statistic_words(),
        bins: bins.collect(),
    }
}

/// Multiples of the claim's ε at which the tail of the loss is told.
const TAIL: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
/// Orders of the Rényi divergences that are told.
const ORDERS: [f64; 6] = [1.5, 2.0, 4.0, 8.0, 16.0, 32.0];

fn loss_summary(distribution: &[loss::BinLoss], claim: &Claim, exact: Option<&ExactLoss>) -> Loss {
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
    Loss {
        tail: tail.to_vec(),
        renyi: renyi.to_vec(),
        law: exact.map(super::known::law_words),
        kl: loss::kl(distribution),
        kl_reverse: loss::kl(&reversed),
        exceeds_epsilon: loss::exceeds(distribution, epsilon),
        exceeds_epsilon_reverse: loss::exceeds(&reversed, epsilon),
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
    Played { own: Judged { witness, test, tally, alpha, .. }, .. }: &Played<'_, D>,
    distribution: &[loss::BinLoss],
    exact: Option<&ExactLoss>,
) -> Vec<ProfilePoint> {
    let certified: Box<dyn Fn(f64) -> f64> = if *test == Test::Betting {
        Box::new(profile_by_betting(tally, witness, &audit.claim, *alpha))
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

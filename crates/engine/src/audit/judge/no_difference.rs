//! Pairs on which nothing differs: the counts show no difference between D and D', so they could
//! not have refuted any claim, and "not refuted" would be green for no reason.

use crate::audit::certificate::counterexample::same;
use crate::audit::course::{PairAnswers, Played};
use crate::audit::decide::Alike;
use crate::audit::settings::Audit;
use crate::game::{Control, Runs};
use crate::mechanism::query_of;
use crate::witness::Witness;
use plaudit_core::claim::LEAST_LOSS;
use plaudit_core::dataset::Pair;
use plaudit_core::finding::WrittenAnswer;
use plaudit_core::inference::{Test, p_value_alike};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Largest p-value of a difference: by chance it shows in one of a thousand audits.
const LEVEL: f64 = 1e-3;

impl<D: serde::Serialize + Sync> Audit<D> {
    /// Answers without noise on a pair, if known. A program is asked only where its answers were
    /// already compared: others may take long to report that they have none.
    pub(in crate::audit) fn answers(
        &self,
        pair: &Pair<D>,
        control: Control<'_>,
    ) -> Option<PairAnswers> {
        if self.sensitivity.is_none() && self.mechanism.capabilities().requests.is_some() {
            return None;
        }
        let answer =
            |dataset: &D| query_of(&*self.mechanism, dataset, control.interrupted).ok().flatten();
        let (d, d_prime) = answer(&pair.d).zip(answer(&pair.d_prime))?;
        let same = same(&d, &d_prime);
        Some(PairAnswers { written: [&d, &d_prime].map(WrittenAnswer::abridged), same })
    }
}

/// Absence of a difference on the played pair, where there should be one.
pub fn found<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Option<Alike> {
    // A running time is also an outcome, and is judged by itself.
    let not_asked = audit.settings.may_show_no_difference
        || audit.settings.may_be_constant && played.degenerate.is_some()
        || played.runs == Runs::Timed
        || audit.claim.region().most_power(0.0) >= 1.0;
    if not_asked {
        return None;
    }
    let judged = std::iter::once(&played.own).chain(played.other.iter().map(|other| &other.judged));
    let events: Vec<(u64, u64)> =
        judged.flat_map(|judged| events(&judged.tally, &judged.witness)).collect();
    let p_value = match played.own.test {
        // The last batch may be small: all batches bet that the datasets differ at all.
        Test::Batches => {
            let by_bets = played.own.bets(&audit.claim).test().p_value(0.0, 0.0);
            (2.0 * p_value_alike(&events).min(by_bets)).min(1.0)
        }
        _ => p_value_alike(&events),
    };
    let (epsilon, _) = audit.claim.reference_point();
    let is_dead = match &played.answers {
        // Answers that differ may have too few trials, which is a question of power.
        Some(answers) => answers.same,
        // With a smaller ε next to nothing shows even where the claim is tight.
        None => epsilon >= LEAST_LOSS,
    };
    let answer = played.answers.as_ref().map(|answers| answers.written[0].clone());
    (p_value > LEVEL && is_dead).then_some(Alike { p_value, level: LEVEL, answer })
}

/// Events by which a difference would show: the outcomes on which the witness guesses D, those
/// on which it guesses D', both guesses by whether they were right, and half of the outcomes, those in
/// bins that explore found likelier under D.
fn events(tally: &Tally, witness: &Witness) -> [(u64, u64); 4] {
    let sum = |bins: &mut dyn Iterator<Item = usize>| {
        bins.fold((0, 0), |(d, d_prime), bin| (d + tally.d[bin], d_prime + tally.d_prime[bin]))
    };
    let said = |side: Guess| sum(&mut (0..tally.bins()).filter(|&bin| witness.says[bin] == side));
    let (on_d, on_d_prime) = (said(Guess::D), said(Guess::DPrime));
    let guesses = (on_d.0 + on_d_prime.1, on_d.1 + on_d_prime.0);
    let mut before = 0;
    let first_half = witness.order.iter().copied().take_while(|&bin| {
        let so_far = before;
        before += tally.d[bin] + tally.d_prime[bin];
        2 * so_far < tally.trials()
    });
    let half = sum(&mut first_half.collect::<Vec<_>>().into_iter());
    [on_d, on_d_prime, guesses, half]
}

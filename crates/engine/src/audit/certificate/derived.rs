//! Consequences of a certificate's counts, compared with its other fields.

use crate::audit::certificate::disagreement::Disagreement;
use crate::audit::certificate::envelope::Content;
use crate::audit::certificate::{Refutation, SmallestPair};
use crate::audit::judge::Judgement;
use crate::audit::judge::bets::Batch;
use crate::audit::settings::MIN_ALPHA;
use crate::witness::{Scorer, Witness};
use plaudit_accountant::number;
use plaudit_core::claim::Claim;
use plaudit_core::dataset::Pair;
use plaudit_core::inference::Test;
use plaudit_core::tally::Tally;
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    pub witness_words: String,
    pub confirm: u64,
    pub p_value: f64,
    /// Certified lower bound on ε at the claim's δ.
    pub epsilon_lower: f64,
    /// Certified lower bound on δ at the claim's ε.
    pub delta_lower: f64,
}

/// Parts that determine all the others.
type JudgedParts<'a> = (&'a Tally, &'a Witness, Test);

impl Derived {
    fn of(
        (tally, witness, test): JudgedParts<'_>,
        claim: &Claim,
        alpha: f64,
    ) -> Result<Self, String> {
        possible((tally, witness, test))?;
        let judgement = Judgement::of(tally, witness, test, claim, alpha);
        Ok(Self::from(witness, tally.trials(), &judgement))
    }

    fn from(witness: &Witness, confirm: u64, judgement: &Judgement) -> Self {
        let Judgement { p_value, epsilon_lower, delta_lower, .. } = *judgement;
        Self { witness_words: witness.words(), confirm, p_value, epsilon_lower, delta_lower }
    }
}

impl Refutation {
    /// The words of its witnesses, for a certificate whose writer had others.
    pub(super) fn tell_anew(&mut self) {
        // A witness that no explore makes has no words, and is refused later.
        if self.witness.is_sound() {
            self.witness_words = self.witness.words();
        }
        if let Some(smallest) = self.smallest.as_mut().filter(|it| it.witness.is_sound()) {
            smallest.witness_words = smallest.witness.words();
        }
    }

    /// Values that follow from the counts.
    ///
    /// # Errors
    /// The reason why nothing follows: the parts do not fit together.
    pub fn derived(&self) -> Result<Derived, String> {
        let Self { tally, witness, test, before, .. } = self;
        possible((tally, witness, *test))?;
        if !before.is_empty() && *test != Test::Batches {
            return Err("it has earlier batches, which its test does not count".into());
        }
        let mut confirm = tally.trials();
        for (at, Batch { witness, tally }) in before.iter().enumerate() {
            possible((tally, witness, *test)).map_err(|why| format!("batch {}: {why}", at + 1))?;
            confirm = confirm
                .checked_add(tally.trials())
                .ok_or("its batches have more counts than fit in 64 bits")?;
        }
        Ok(Derived::from(witness, confirm, &self.judged(&self.claim, self.alpha)))
    }
}

impl Content for Refutation {
    fn smallest(&self) -> Option<&Pair<Value>> {
        self.smallest.as_ref().map(|smallest| &smallest.pair)
    }

    fn compare(&self, found: &mut Vec<Disagreement>) -> Result<(), String> {
        let derived = self.derived()?;
        found.extend(whole("confirm", self.confirm, derived.confirm));
        compare(
            found,
            "",
            (&self.witness_words, self.p_value, self.epsilon_lower, Some(self.delta_lower)),
            &derived,
        );
        let mut refuted = vec![("", derived.p_value, self.alpha)];
        if let Some(smallest) = &self.smallest {
            let SmallestPair { tally, witness, test, alpha, .. } = smallest;
            if !(MIN_ALPHA..=self.alpha).contains(alpha) {
                return Err("the smallest pair: `alpha` is not a share of the certificate's".into());
            }
            let derived = Derived::of((tally, witness, *test), &self.claim, *alpha)
                .map_err(|why| format!("the smallest pair: {why}"))?;
            let says = (&*smallest.witness_words, smallest.p_value, smallest.epsilon_lower, None);
            compare(found, "smallest.", says, &derived);
            refuted.push(("the smallest pair: ", derived.p_value, *alpha));
        }
        match refuted.into_iter().find(|(_, p_value, alpha)| p_value > alpha) {
            Some((which, p_value, alpha)) if found.is_empty() => Err(format!(
                "{which}its own counts do not refute the claim: {} at level {}",
                number::p_value(p_value),
                number::brief(alpha)
            )),
            _ => Ok(()),
        }
    }
}

/// Compares the written fields of a judgement.
fn compare(
    found: &mut Vec<Disagreement>,
    before: &str,
    (witness_words, p_value, epsilon_lower, delta_lower): (&str, f64, f64, Option<f64>),
    derived: &Derived,
) {
    const WITNESS: &str = "the witness";
    const COUNTS: &str = "the counts";
    let field = |name: &str| format!("{before}{name}");
    let words = &derived.witness_words;
    found.extend(Disagreement::of_words(&field("witness_words"), witness_words, words, WITNESS));
    let numbers = [
        ("p_value", Some(p_value), derived.p_value),
        ("epsilon_lower", Some(epsilon_lower), derived.epsilon_lower),
        ("delta_lower", delta_lower, derived.delta_lower),
    ];
    for (name, says, follows) in numbers {
        let Some(says) = says else { continue };
        found.extend(Disagreement::of_numbers(&field(name), says, follows, COUNTS));
    }
}

fn whole(field: &str, says: u64, follows: u64) -> Option<Disagreement> {
    (says != follows).then(|| Disagreement {
        field: field.to_owned(),
        says: says.to_string(),
        follows: follows.to_string(),
        from: "the tally",
    })
}

/// Checks that the counts and the witness can be judged at all.
fn possible((tally, witness, test): JudgedParts<'_>) -> Result<(), String> {
    let total = |counts: &[u64]| counts.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n));
    let counted =
        total(&tally.d).zip(total(&tally.d_prime)).and_then(|(d, d_prime)| d.checked_add(d_prime));
    if !witness.is_sound() {
        return Err("its witness's bins, guesses and order do not match".into());
    }
    if tally.d.len() != tally.d_prime.len() {
        return Err("its tally has more bins under one dataset than under the other".into());
    }
    if tally.d.len() != witness.scorer.bins() {
        return Err("its tally does not have the bins of its witness".into());
    }
    if counted.is_none() {
        return Err("its tally has more counts than fit in 64 bits".into());
    }
    if matches!(witness.scorer, Scorer::Clock(_)) && !test.is_betting() {
        return Err("running times are judged by the betting test only".into());
    }
    Ok(())
}

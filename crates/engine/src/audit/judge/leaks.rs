//! Two leaks: through the values of outcomes, and through their representation as doubles.
//!
//! Noise that is computed in doubles leaks through their lowest bits (Mironov 2012; Haney,
//! Desfontaines, Hartman, Shrestha, Hay 2022), so strongly that it would hide everything else.
//! Where bits tell, explore freezes two witnesses: one that sees numbers rounded to a grid, and one
//! that sees the bits. Both count the same confirm trials, and each is judged at its own share of
//! α, so that both bounds hold together at α.

use crate::audit::course::Played;
use crate::audit::judge::{JudgedWitness, Other, counted};
use crate::audit::settings::{Audit, MIN_ALPHA};
use crate::witness::choose::Sight;
use crate::witness::{self, Scorer, Shape, Witness};
use plaudit_accountant::number;
use plaudit_core::finding::{Floats, Leak, LeakKind, LeakSource, Leaks};
use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Share of α for the representation: where bits tell, they do so almost beyond doubt.
const SHARE: f64 = 0.1;

pub fn sight<D>(audit: &Audit<D>) -> Sight {
    match audit.settings.floats {
        Floats::Rounded(grid) => Sight::Values(grid),
        // A level this low cannot be split.
        _ if SHARE * audit.settings.alpha < MIN_ALPHA => Sight::Whole,
        Floats::AsReleased => Sight::Both,
        Floats::Ideal => Sight::BothByValues,
    }
}

/// Levels at which values and bits are judged, where both are.
pub fn levels(alpha: f64) -> [f64; 2] {
    [(1.0 - SHARE) * alpha, SHARE * alpha]
}

/// The finding's own leak, and the other if there are two.
pub fn judge<D>(
    audit: &Audit<D>,
    own: (Witness, Test),
    tally: Tally,
    bits: Option<((Witness, Test), Tally)>,
) -> (JudgedWitness, Option<Other>) {
    let judged = |(witness, tally), alpha| JudgedWitness::of(witness, tally, &audit.claim, alpha);
    let Some(bits) = bits else { return (judged((own, tally), audit.settings.alpha), None) };
    let [of_values, of_bits] = levels(audit.settings.alpha);
    let values = judged((own, tally), of_values);
    let bits = judged(bits, of_bits);
    let decides = audit.settings.floats != Floats::Ideal;
    let higher = bits.judgement.epsilon_lower > values.judgement.epsilon_lower;
    if !values.refutes() && decides && (bits.refutes() || higher) {
        return (bits, Some(Other { headline: LeakKind::Representation, judged: values }));
    }
    (values, Some(Other { headline: LeakKind::Values, judged: bits }))
}

/// `true` for each leak that refutes the claim, in the order in which explore froze their
/// witnesses: by values first.
pub fn refuting(own: &JudgedWitness, other: Option<&Other>) -> Vec<bool> {
    let mut refute = vec![own.refutes()];
    if let Some(Other { headline, judged }) = other {
        let at = usize::from(*headline == LeakKind::Values);
        refute.insert(at, judged.refutes());
    }
    refute
}

/// Source of the violation of an audit that was played.
pub fn source<D>(played: &Played<'_, D>) -> LeakSource {
    let JudgedWitness { witness, .. } = &played.own;
    match &played.other {
        Some(Other { headline: LeakKind::Representation, .. }) => return LeakSource::Bits,
        Some(Other { headline: LeakKind::Values, .. }) => return LeakSource::Values,
        None => {}
    }
    let speaks = |bin: &usize| witness.says[*bin] != Guess::Abstain;
    let spoken = || (0..witness.says.len()).filter(speaks);
    match witness.scorer.looking() {
        Scorer::Clock(_) => LeakSource::Time,
        scorer if scorer.grid().is_none() && witness.scorer.sees_fine_structure() => {
            LeakSource::Bits
        }
        Scorer::Shape { shapes } => {
            let fails = |bin: usize| matches!(shapes.get(bin), Some(Shape::Failure(_)));
            if spoken().any(fails) { LeakSource::Failure } else { LeakSource::Shape }
        }
        _ => LeakSource::Values,
    }
}

/// Both leaks for the report, if there are two.
pub fn leaks<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Option<Leaks> {
    let Other { headline, judged } = played.other.as_ref()?;
    let (values, bits) = match headline {
        LeakKind::Values => (&played.own, judged),
        LeakKind::Representation => (judged, &played.own),
    };
    Some(Leaks {
        grid: values.witness.scorer.grid()?,
        headline: *headline,
        values: leak(values),
        representation: leak(bits),
        words: words(audit, values, bits),
    })
}

fn leak(judged: &JudgedWitness) -> Leak {
    let JudgedWitness { witness, test, tally, judgement, alpha, .. } = judged;
    Leak {
        refutes: judged.refutes(),
        epsilon_lower: judgement.epsilon_lower,
        delta_lower: judgement.delta_lower,
        p_value: judgement.p_value,
        alpha: *alpha,
        test: *test,
        witness: witness.words(),
        evidence: counted::evidence(tally, witness),
    }
}

fn words<D>(audit: &Audit<D>, values: &JudgedWitness, bits: &JudgedWitness) -> String {
    let claim = &audit.claim;
    let at = |judged: &JudgedWitness| {
        let (_, delta) = claim.reference_point();
        let epsilon = number::lower(judged.judgement.epsilon_lower);
        match delta {
            0.0 => format!("ε ≥ {epsilon}"),
            _ => format!("ε ≥ {epsilon} at δ = {}", number::brief(delta)),
        }
    };
    let refute =
        |judged: &JudgedWitness| if judged.refutes() { "refutes" } else { "does not refute" };
    let bits_mean = match (bits.refutes(), audit.settings.floats) {
        (false, _) => "",
        (true, Floats::Ideal) => {
            " The claim is about noise of real numbers, so this is a warning and does not affect the verdict. \
             Still, an observer of all digits of an output can distinguish \
             the datasets by it."
        }
        (true, _) => {
            " Noise that is computed in doubles and added to an answer leaves gaps among the \
             doubles that depend on the answer, and an observer of all digits of an output can use them \
             to distinguish the datasets (Mironov 2012; Haney et al. 2022)."
        }
    };
    format!(
        "The values alone (rounded to multiples of {}) leak {}, which {} the claim {claim}. The lowest bits of \
         the doubles leak {}, which {} it.{bits_mean}",
        witness::step(values.witness.scorer.grid().unwrap_or_default()),
        at(values),
        refute(values),
        at(bits),
        refute(bits)
    )
}

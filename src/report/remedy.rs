//! From a violation to what mends it, in a sentence: for the terminal, the page, and whoever reads the report.

use crate::finding::{Finding, LeakKind, Verdict};
use crate::number;
use crate::witness::Guess;

/// What mends a violation, by how it shows; `None` if the claim is not violated.
pub fn remedy(finding: &Finding) -> Option<String> {
    if finding.verdict != Verdict::Violated {
        return None;
    }
    let then = match &finding.leaks {
        Some(leaks) if leaks.headline == LeakKind::Values && leaks.representation.refutes => {
            " Then mend the lowest bits of the doubles, too, which tell the datasets apart by themselves: draw discrete \
             noise, or round what is released to a grid that does not depend on the data."
        }
        _ => "",
    };
    let first = match Way::of(finding) {
        Way::Sensitivity => format!(
            "Calibrate the noise to how far the query moves between neighbors{}, or clamp each record \
             before the query is computed.",
            finding
                .sensitivity
                .as_ref()
                .and_then(|check| check.distance)
                .map_or_else(String::new, |far| format!(" (at least {} here)", number::lower(far)))
        ),
        Way::LowBits => "The lowest bits of the released doubles tell the datasets apart, not their size: draw \
                         discrete noise, or round what is released to a grid that does not depend on the data."
            .into(),
        Way::Time => "What is released takes longer on one dataset: make the running time independent of the data, or \
                      do not let anybody see it."
            .into(),
        Way::Failure => "It fails on one dataset and not, or not as often, on the other, which everybody sees: return a \
                         noisy answer on every input, also where data are missing or out of range."
            .into(),
        Way::Keys => "Which keys are released depends on the data: release a fixed set of keys, or only those whose \
                      noisy count passes a threshold, and claim the delta of that."
            .into(),
        Way::Support => "One dataset shows what the other never showed: add noise to all that is released, also to \
                         whether and how much of it there is, with noise that is not cut off; or claim a delta."
            .into(),
        Way::Noise => "The noise is too little for the claim: check its scale against the query's sensitivity, how often the \
                       data are used, and whether noise is drawn anew each time; or claim more."
            .into(),
    };
    Some(first + then)
}

/// How a violation shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Sensitivity,
    LowBits,
    Time,
    Failure,
    Keys,
    Support,
    Noise,
}

impl Way {
    fn of(finding: &Finding) -> Self {
        if finding.sensitivity.as_ref().is_some_and(|check| check.counterexample.is_some()) {
            return Self::Sensitivity;
        }
        match finding.witness.kind.as_str() {
            _ if bits_decide(finding) => Self::LowBits,
            "clock" => Self::Time,
            _ if fails(finding) => Self::Failure,
            "keys" => Self::Keys,
            _ if only_on_one(finding) => Self::Support,
            _ => Self::Noise,
        }
    }
}

/// Whether it is the lowest bits of doubles that refute the claim.
fn bits_decide(finding: &Finding) -> bool {
    match &finding.leaks {
        Some(leaks) => leaks.headline == LeakKind::Representation,
        None => finding.witness.kind == "lattice",
    }
}

/// Runs on D and on D' in the bins on which the witness says a dataset, and that `choose` takes.
fn on_both(finding: &Finding, choose: impl Fn(&str, Guess) -> bool) -> [u64; 2] {
    let bins = finding.witness.bins.iter().enumerate();
    let chosen = bins.filter(|(_, bin)| choose(&bin.label, bin.says)).map(|(at, _)| at);
    let counts = |counts: &[u64], at: usize| counts.get(at).copied().unwrap_or(0);
    chosen.fold([0, 0], |[d, d_prime], at| {
        [d + counts(&finding.tally.d, at), d_prime + counts(&finding.tally.d_prime, at)]
    })
}

/// Whether a bin is one of failures.
fn is_failure(label: &str) -> bool {
    ["failure", "panic"].iter().any(|word| label.starts_with(word))
}

/// Whether failures are most of what the witness goes by on one of the datasets.
fn fails(finding: &Finding) -> bool {
    [(Guess::D, 0), (Guess::DPrime, 1)].into_iter().any(|(side, at)| {
        let failed = on_both(finding, |label, says| says == side && is_failure(label));
        let all = on_both(finding, |_, says| says == side);
        failed[at] > 0 && 2 * failed[at] >= all[at]
    })
}

/// Whether what the witness goes by was seen on one dataset alone.
fn only_on_one(finding: &Finding) -> bool {
    [(Guess::D, 0), (Guess::DPrime, 1)].into_iter().any(|(side, at)| {
        let seen = on_both(finding, |_, says| says == side);
        seen[at] > 0 && seen[1 - at] == 0
    })
}

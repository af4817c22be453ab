//! Results of a frozen witness on the trials that count, for readers.

use crate::witness::Witness;
use plaudit_accountant::number;
use plaudit_core::finding::{BinSummary, Evidence, WitnessSummary};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Results of a witness on the trials that count, from which a reader can recompute the bounds.
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
        // JSON has no infinities: an edge at ±infinity is not a bound.
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

//! Test for any difference between the laws of the outcomes under D and under D'.
//!
//! If the laws are equal, the outcomes reveal nothing of the fair coins that picked the datasets. So of the n
//! trials with an event, Bin(n, 1/2) came from D, for any event: it may even be chosen by the counts of both
//! datasets together.

use super::binomial;

/// The p-value of the hypothesis that the laws are the same: how often each of some events came under D and
/// under D'. Two-sided, and times the number of tails that are looked at (Bonferroni). In [0, 1].
pub fn p_value_alike(events: &[(u64, u64)]) -> f64 {
    let tails = 2.0 * events.len() as f64;
    let p_value = |&(d, d_prime): &(u64, u64)| {
        let n = d + d_prime;
        binomial::upper_tail(d, n, 0.5).min(binomial::lower_tail(d, n, 0.5))
    };
    events.iter().map(p_value).fold(1.0_f64, |least, p| least.min(tails * p))
}

#[cfg(test)]
#[path = "../../tests/unit/inference/alike.rs"]
mod tests;

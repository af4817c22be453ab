//! Whether counts show any difference between the laws of the outcomes under D and under D'.
//!
//! If the laws are the same, the outcomes say nothing of the fair coins that picked the datasets. So of the n
//! trials with an event, Bin(n, 1/2) came from D, whatever the event is: it may even be chosen by the counts of
//! both datasets together.

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
mod tests {
    use super::*;

    /// All counts of two disjoint events and of both together, from as many trials with either: the chance that
    /// the p-value is at most a level is at most that level.
    #[test]
    fn laws_that_are_the_same_look_different_at_most_as_often_as_the_level_says() {
        for (first, second) in [(1, 0), (3, 4), (10, 10), (25, 7), (40, 40)] {
            for level in [0.5, 0.1, 0.05, 0.01, 0.001] {
                let mut size = 0.0;
                for d in 0..=first {
                    for other_d in 0..=second {
                        let both = (d + other_d, first + second - d - other_d);
                        let events = [(d, first - d), (other_d, second - other_d), both];
                        if p_value_alike(&events) <= level {
                            let ln = binomial::ln_probability(d, first, 0.5)
                                + binomial::ln_probability(other_d, second, 0.5);
                            size += ln.exp();
                        }
                    }
                }
                assert!(size <= level * (1.0 + 1e-12), "{first} {second} {level}: {size}");
            }
        }
    }

    #[test]
    fn a_difference_is_seen_from_either_side() {
        assert!(p_value_alike(&[(60, 20)]) < 1e-4 && p_value_alike(&[(20, 60)]) < 1e-4);
        assert_eq!(p_value_alike(&[(50, 50), (0, 0)]), 1.0);
    }
}

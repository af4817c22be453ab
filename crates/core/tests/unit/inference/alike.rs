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

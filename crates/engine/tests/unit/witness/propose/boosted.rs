//! Unit tests of `witness::boosted`.

use super::*;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    let extremes = [
        0.0,
        -0.0,
        1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        1e308,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    prop_oneof![proptest::sample::select(extremes.to_vec()), any::<f64>(), -2.0..2.0]
}

fn side() -> impl Strategy<Value = Vec<Vec<f64>>> {
    proptest::collection::vec(proptest::collection::vec(number(), 0..6), LEAST..3 * LEAST)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Training ends on all outcomes, and its result reads every vector.
    #[test]
    fn trees_of_any_vectors_are_sound(d in side(), d_prime in side()) {
        let [d, d_prime] = [d, d_prime].map(|side| {
            let mut outcomes = Outcomes::new();
            side.iter().for_each(|vector| outcomes.push_vector(vector));
            outcomes
        });
        let sample = Sample { d: vec![&d], d_prime: vec![&d_prime] };
        if let Some(trees) = trained(&sample) {
            for vector in vectors(&sample.d) {
                prop_assert!(trees.read_vector(vector).is_none_or(|x| !x.is_nan()));
            }
        }
    }
}

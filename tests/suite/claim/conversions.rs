//! Conversions of claims: whatever numbers come in, there is an error or a claim whose profile is one,
//! and no conversion is stronger than what it converts.

use crate::tier;
use plaudit::{Claim, loss::ExactLoss};
use proptest::prelude::*;

/// Any double, and those that people write.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -2.0..2.0f64,
        0.0..1.0f64,
        0.0..1e5f64,
        (-320.0..4.0f64).prop_map(|e| 10f64.powf(e)),
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(f64::NAN),
        Just(f64::INFINITY),
    ]
}

fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let any_order = prop::collection::vec((number(), number()), 0..6);
    let ascending =
        prop::collection::vec((0.0..4.0f64, 0.0..1.0f64), 0..6).prop_map(|mut points| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut falling: Vec<f64> = points.iter().map(|point| point.1).collect();
            falling.sort_by(|a, b| b.total_cmp(a));
            points.iter().zip(falling).map(|(point, y)| (point.0, y)).collect::<Vec<_>>()
        });
    prop_oneof![any_order, ascending]
}

/// What is asked of every claim that there is.
fn is_a_claim(claim: &Claim) -> Result<(), TestCaseError> {
    let mut before = 1.0;
    for epsilon in [0.0, 1e-9, 0.1, 0.5, 1.0, 2.0, 8.0, 64.0, 700.0, 1e4] {
        let delta = claim.delta_at(epsilon);
        prop_assert!((0.0..=1.0).contains(&delta), "{claim}: delta({epsilon}) = {delta}");
        prop_assert!(delta <= before * (1.0 + 1e-9) + 1e-12, "{claim}: {delta} after {before}");
        before = delta;
    }
    let mut before = 1.0;
    for a in [0.0, 1e-9, 0.1, 0.5, 0.9, 1.0] {
        let error = claim.tradeoff_at(a);
        prop_assert!((0.0..=1.0).contains(&error), "{claim}: f({a}) = {error}");
        prop_assert!(
            error <= before + 1e-9 && error <= 1.0 - a + 1e-9,
            "{claim}: f({a}) = {error}"
        );
        before = error;
    }
    let (epsilon, delta) = claim.reference_point();
    prop_assert!(epsilon >= 0.0 && (0.0..=1.0).contains(&delta), "{claim}: {epsilon} {delta}");
    prop_assert!(!claim.to_string().is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::of([24, 64, 256]), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_numbers_give_an_error_or_a_claim(x in number(), y in number(), points in points(), size in 0..100u64) {
        let claims = [
            Claim::pure(x),
            Claim::approximate(x, y),
            Claim::gaussian(x),
            Claim::zero_concentrated(x),
            Claim::renyi(points.clone()),
            Claim::renyi([(1.0 + x.abs(), y)]),
            Claim::profile(points.clone()),
            Claim::tradeoff(points),
        ];
        for claim in claims.into_iter().flatten() {
            is_a_claim(&claim)?;
            if let Ok(group) = claim.for_groups(size) {
                is_a_claim(&group)?;
            }
        }
    }

    /// N(0, 1) against N(μ, 1) has D_α = α μ²/2: the conversion of a claim that it meets must leave
    /// room for it, however small δ is.
    #[test]
    fn conversions_of_what_gaussian_noise_meets_leave_room_for_it(
        mu in 0.01..4.0f64,
        orders in prop::collection::btree_set(2..200u32, 1..5),
        deviations in -1.0..36.0f64,
    ) {
        let bound = |order: f64| (order, 0.5 * order * mu * mu * (1.0 + 1e-12));
        let curve = orders.iter().map(|order| bound(f64::from(*order) / 1.5));
        // The loss is N(μ²/2, μ²): this far out in its tail.
        let epsilon = (mu * (0.5 * mu + deviations)).max(0.0);
        let exact = ExactLoss::Gaussian { mu }.delta_at(epsilon);
        for claim in [
            Claim::renyi(curve).unwrap(),
            Claim::zero_concentrated(0.5 * mu * mu * (1.0 + 1e-12)).unwrap(),
        ] {
            let delta = claim.delta_at(epsilon);
            prop_assert!(delta >= exact * (1.0 - 1e-9), "{claim}: {delta} < {exact}");
        }
    }

    /// And so for two laws on two outcomes, whose divergences are sums.
    #[test]
    fn conversions_of_what_a_coin_meets_leave_room_for_it(
        p in 0.001..0.999f64,
        q in 0.001..0.999f64,
        order in 1.01..100.0f64,
        epsilon in 0.0..6.0f64,
    ) {
        let law = ExactLoss::Finite(vec![(p, q), (1.0 - p, 1.0 - q)]);
        let both = |of: &dyn Fn(&ExactLoss) -> f64| of(&law).max(of(&law.reverse()));
        let bound = both(&|law| law.renyi(order).unwrap()) * (1.0 + 1e-9) + 1e-12;
        let claim = Claim::renyi([(order, bound)]).unwrap();
        let exact = both(&|law| law.delta_at(epsilon));
        let delta = claim.delta_at(epsilon);
        prop_assert!(delta >= exact - 1e-9, "{claim}: {delta} < {exact}");
    }
}

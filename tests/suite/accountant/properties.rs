//! What holds of every composition: the order does not matter, more composition never lowers ε, nor
//! does a larger sample or sensitivity, and a profile is a profile.

use crate::tier;
use plaudit::accountant::{Bracket, Composition, Event, EventKind, Method, Sampling, Unknown};
use proptest::prelude::*;

/// Compositions that are drawn, afresh each time, for each property; fewer where one takes long. The second tier draws more.
fn many() -> u32 {
    tier::of([8, 24, 24])
}

fn few() -> u32 {
    tier::of([3, 6, 6])
}

fn kind() -> impl Strategy<Value = EventKind> {
    let noise = || 0.3..20.0;
    prop_oneof![
        noise().prop_map(|scale| EventKind::Laplace { scale, sensitivity: 1.0 }),
        noise().prop_map(|sigma| EventKind::Gaussian { sigma, sensitivity: 1.0 }),
        (noise(), 1_u64..4)
            .prop_map(|(scale, sensitivity)| EventKind::DiscreteLaplace { scale, sensitivity }),
        (noise(), 1_u64..4)
            .prop_map(|(sigma, sensitivity)| EventKind::DiscreteGaussian { sigma, sensitivity }),
        (0.05..0.9, 2_u64..5)
            .prop_map(|(truth, values)| EventKind::RandomizedResponse { truth, values }),
        (0.05..3.0).prop_map(|epsilon| EventKind::ExponentialMechanism { epsilon }),
        (0.05..3.0, 1e-9..1e-3)
            .prop_map(|(epsilon, delta)| EventKind::EpsilonDelta { epsilon, delta }),
        (2.0..30.0, 0.01..1.0).prop_map(|(alpha, epsilon)| EventKind::Renyi { alpha, epsilon }),
        (0.001..0.5).prop_map(|rho| EventKind::ZeroConcentrated { rho, xi: 0.0 }),
        (0.05..2.0).prop_map(|mu| EventKind::Gdp { mu }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let sampling = prop::option::of((0.01..1.0).prop_map(|rate| Sampling::Poisson { rate }));
    (kind(), 1_u64..12, sampling).prop_map(|(kind, count, sampling)| Event {
        kind,
        count,
        sampling,
    })
}

fn composition(events: &[Event]) -> Composition {
    Composition::new(events.to_vec()).unwrap()
}

fn at_most(a: Bracket, b: Bracket) -> bool {
    a.lower <= b.upper
}

fn agree(a: Bracket, b: Bracket) -> bool {
    at_most(a, b) && at_most(b, a)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(many()))]

    /// A row that moves nothing is one of those that may stand in for another.
    #[test]
    fn a_substituted_row_loses_what_a_removed_one_does(
        gaussian in any::<bool>(),
        noise in 0.4..5.0,
        rate in 0.001..1.0,
        count in 1_u64..40,
    ) {
        let kind = match gaussian {
            true => EventKind::Gaussian { sigma: noise, sensitivity: 1.0 },
            false => EventKind::Laplace { scale: noise, sensitivity: 1.0 },
        };
        let curve = |sampling: Option<Sampling>, kind: EventKind| {
            composition(&[Event { kind, count, sampling }]).curve().unwrap()
        };
        let substituted = curve(Some(Sampling::PoissonSubstitution { rate }), kind.clone());
        let removed = curve(Some(Sampling::Poisson { rate }), kind.clone());
        let everywhere = match kind {
            EventKind::Gaussian { sigma, .. } => EventKind::Gaussian { sigma, sensitivity: 2.0 },
            _ => EventKind::Laplace { scale: noise, sensitivity: 2.0 },
        };
        let whole = curve(None, everywhere);
        let mut before = 1.0;
        for epsilon in [0.0, 0.1, 0.5, 1.0, 3.0] {
            let [a, b, c] = [&removed, &substituted, &whole].map(|curve| curve.delta_at(epsilon));
            prop_assert!(b.lower <= b.upper && b.lower <= before, "{epsilon}: {b:?}");
            prop_assert!(at_most(a, b) && at_most(b, c), "{epsilon}: {a:?} {b:?} {c:?}");
            before = b.upper;
        }
    }

    #[test]
    fn a_profile_is_a_profile(events in prop::collection::vec(event(), 1..3)) {
        let curve = composition(&events).curve().unwrap();
        let grid = [0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0];
        let deltas: Vec<Bracket> = grid.iter().map(|&epsilon| curve.delta_at(epsilon)).collect();
        for bracket in &deltas {
            prop_assert!(0.0 <= bracket.lower && bracket.lower <= bracket.upper && bracket.upper <= 1.0);
        }
        for two in deltas.windows(2) {
            prop_assert!(at_most(two[1], two[0]), "not increasing: {two:?}");
        }
        for i in 1..grid.len() - 1 {
            // Convex in e^ε: below the chord.
            let x = |place: usize| f64::exp(grid[place]);
            let share = (x(i) - x(i - 1)) / (x(i + 1) - x(i - 1));
            let chord = (1.0 - share) * deltas[i - 1].upper + share * deltas[i + 1].upper;
            prop_assert!(deltas[i].lower <= chord * (1.0 + 1e-12), "{i}: {deltas:?}");
        }
        let mut before = Bracket { lower: f64::INFINITY, upper: f64::INFINITY };
        for delta in [0.0, 1e-9, 1e-5, 1e-2, 0.3] {
            let epsilon = curve.epsilon_at(delta);
            prop_assert!(epsilon.lower <= epsilon.upper, "{delta}: {epsilon:?}");
            prop_assert!(at_most(epsilon, before), "{delta}: {epsilon:?} {before:?}");
            before = epsilon;
            if epsilon.upper.is_finite() {
                let there = curve.delta_at(epsilon.upper);
                prop_assert!(there.lower <= delta * (1.0 + 1e-9) + 1e-300, "{delta}: {there:?}");
            }
        }
        let mirrored = curve.delta_at(-1.0);
        prop_assert!(mirrored.lower <= mirrored.upper && mirrored.upper <= 1.0);
        prop_assert!(mirrored.upper >= 1.0 - f64::exp(-1.0));
    }

    #[test]
    fn the_order_and_the_grouping_do_not_matter(events in prop::collection::vec(event(), 2..4)) {
        let forward = composition(&events).epsilon_at(1e-5, Method::Pld).unwrap();
        let mut reversed = events.clone();
        reversed.reverse();
        let backward = composition(&reversed).epsilon_at(1e-5, Method::Pld).unwrap();
        prop_assert!(agree(forward, backward), "{forward:?} {backward:?}");
        // One event after the other, each use by itself.
        let apart: Vec<Event> = events
            .iter()
            .flat_map(|event| (0..event.count).map(|_| Event { count: 1, ..event.clone() }))
            .collect();
        let apart = composition(&apart).epsilon_at(1e-5, Method::Pld).unwrap();
        prop_assert!(agree(forward, apart), "{forward:?} {apart:?}");
    }

    #[test]
    fn more_composition_never_lowers_epsilon(events in prop::collection::vec(event(), 2..4)) {
        let all = composition(&events).epsilon_at(1e-5, Method::Pld).unwrap();
        let fewer = composition(&events[1..]).epsilon_at(1e-5, Method::Pld).unwrap();
        prop_assert!(at_most(fewer, all), "{fewer:?} {all:?}");
        let more: Vec<Event> =
            events.iter().map(|event| Event { count: event.count + 1, ..event.clone() }).collect();
        let more = composition(&more).epsilon_at(1e-5, Method::Pld).unwrap();
        prop_assert!(at_most(all, more), "{all:?} {more:?}");
    }

    #[test]
    fn a_larger_sample_never_lowers_epsilon(
        kind in kind(), count in 1_u64..20, rate in 0.01..0.5, factor in 1.0..2.0,
        replaced in any::<bool>(),
    ) {
        let make = |rate: f64| match replaced {
            true => Sampling::WithoutReplacement { rate },
            false => Sampling::Poisson { rate },
        };
        let at = |sampling| {
            composition(&[Event { kind: kind.clone(), count, sampling }]).epsilon_at(1e-5, Method::Pld).unwrap()
        };
        let (small, large, whole) = (at(Some(make(rate))), at(Some(make(rate * factor))), at(None));
        prop_assert!(at_most(small, large), "{small:?} {large:?}");
        prop_assert!(at_most(large, whole), "{large:?} {whole:?}");
    }

    #[test]
    fn a_larger_group_never_lowers_epsilon(noise in 0.5..20.0, count in 1_u64..20, k in 1_u64..4) {
        for of in [
            |sensitivity: u64, noise: f64| EventKind::Laplace { scale: noise, sensitivity: sensitivity as f64 },
            |sensitivity, noise| EventKind::Gaussian { sigma: noise, sensitivity: sensitivity as f64 },
            |sensitivity, noise| EventKind::DiscreteLaplace { scale: noise, sensitivity },
            |sensitivity, noise| EventKind::DiscreteGaussian { sigma: noise, sensitivity },
        ] {
            let at = |k| {
                let event = Event { kind: of(k, noise), count, sampling: None };
                composition(&[event]).epsilon_at(1e-5, Method::Pld).unwrap()
            };
            prop_assert!(at_most(at(k), at(k + 1)));
        }
    }

    #[test]
    fn every_method_is_above_the_lower_end(kind in kind(), count in 1_u64..40, rate in prop::option::of(0.01..1.0)) {
        let event = Event { kind, count, sampling: rate.map(|rate| Sampling::Poisson { rate }) };
        let composition = composition(&[event]);
        let pld = composition.epsilon_at(1e-5, Method::Pld).unwrap();
        for method in Method::ALL {
            let Ok(epsilon) = composition.epsilon_at(1e-5, method) else { continue };
            prop_assert!(epsilon.upper >= pld.lower, "{}: {epsilon:?} {pld:?}", method.name());
            let Ok(delta) = composition.delta_at(1.0, method) else { continue };
            let there = composition.delta_at(1.0, Method::Pld).unwrap();
            prop_assert!(delta.upper >= there.lower, "{}: {delta:?} {there:?}", method.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(few()))]

    #[test]
    fn a_solved_value_meets_its_target_and_a_looser_one_does_not(
        epsilon in 0.3..4.0, count in 1_u64..200, rate in 0.02..0.3, is_sampled in any::<bool>(),
        sensitivity in 1_u64..3,
    ) {
        let sampling = is_sampled.then_some(Sampling::Poisson { rate });
        let moves = sensitivity as f64;
        let noises = [
            (Unknown::Sigma, EventKind::Gaussian { sigma: 1.0, sensitivity: moves }),
            (Unknown::Scale, EventKind::Laplace { scale: 1.0, sensitivity: moves }),
            (Unknown::Sigma, EventKind::DiscreteGaussian { sigma: 1.0, sensitivity }),
            (Unknown::Scale, EventKind::DiscreteLaplace { scale: 1.0, sensitivity }),
        ];
        for (unknown, kind) in noises {
            let composed = composition(&[Event { kind, count, sampling }]);
            let value = composed.solve(unknown, epsilon, 1e-6, Method::Pld).unwrap();
            let at = |value: f64| {
                let composed = composed.with(unknown, value).unwrap();
                composed.curve_around(Method::Pld, 1e-6).unwrap().delta_at(epsilon)
            };
            prop_assert!(at(value).upper <= 1e-6, "{unknown:?} {value}: {:?}", at(value));
            prop_assert!(at(value * 0.995).lower > 1e-6, "{unknown:?} {value}: {:?}", at(value * 0.995));
        }
    }

    #[test]
    fn a_solved_rate_or_count_meets_its_target_and_a_larger_one_does_not(
        epsilon in 0.3..4.0, noise in 0.7..3.0, count in 1_u64..200, gaussian in any::<bool>(), other in kind(),
    ) {
        let kind = match gaussian {
            true => EventKind::Gaussian { sigma: noise, sensitivity: 1.0 },
            false => EventKind::Laplace { scale: noise, sensitivity: 1.0 },
        };
        let sampled = Event { kind, count, sampling: Some(Sampling::Poisson { rate: 0.02 }) };
        let composed = composition(&[Event::once(other), sampled]);
        for unknown in [Unknown::Rate, Unknown::Count(1)] {
            let at = |value: f64| {
                let composed = composed.with(unknown, value).unwrap();
                composed.curve_around(Method::Pld, 1e-6).unwrap().delta_at(epsilon)
            };
            match composed.solve(unknown, epsilon, 1e-6, Method::Pld) {
                Ok(value) => {
                    prop_assert!(at(value).upper <= 1e-6, "{unknown:?} {value}: {:?}", at(value));
                    let next = if unknown == Unknown::Rate { value * 1.005 } else { value + 1.0 };
                    prop_assert!(
                        value == unknown.loosest() || next > 1.0 && unknown == Unknown::Rate || at(next).upper > 1e-6,
                        "{unknown:?} {value}: {:?}", at(next)
                    );
                }
                // The other event is above the target by itself, or all but.
                Err(_) => {
                    let least = if unknown == Unknown::Rate { 1e-9 } else { 1.0 };
                    prop_assert!(at(least).upper > 1e-6, "{unknown:?}: {:?}", at(least));
                }
            }
        }
    }
}

/// The sum of ε is known, and so is how often it fits.
#[test]
fn a_solved_value_is_that_of_a_closed_form() {
    let solve = |expression: &str, unknown, epsilon, delta, method| {
        expression.parse::<Composition>().unwrap().solve(unknown, epsilon, delta, method).unwrap()
    };
    let count = |epsilon, delta, method| {
        solve("laplace(scale=8) x 3", Unknown::Count(0), epsilon, delta, method)
    };
    for (epsilon, uses) in [(0.13, 1.0), (1.01, 8.0), (1.1, 8.0), (100.01, 800.0)] {
        assert_eq!(count(epsilon, 0.0, Method::Basic), uses);
    }
    assert_eq!(count(1.01, 0.0, Method::Pld), 8.0);
    let scale = solve("laplace(scale=1, sensitivity=3) x 5", Unknown::Scale, 2.0, 0.0, Method::Pld);
    assert!((2.5..2.50001).contains(&scale), "{scale}");
    // A sampled ε-DP use is ln(1 + r (e^ε − 1))-DP.
    let rate = solve("laplace(scale=1) @ poisson(0.5)", Unknown::Rate, 0.2, 0.0, Method::Pld);
    let exact = 0.2_f64.exp_m1() / 1.0_f64.exp_m1();
    assert!((rate / exact - 1.0).abs() < 1e-5, "{rate} {exact}");
    // Nothing is lost: the loosest that is searched.
    let unknown = Unknown::Count(0);
    let most = solve("epsilon-delta(epsilon=0)", unknown, 1.0, 1e-5, Method::Basic);
    assert_eq!(most, unknown.loosest());
    assert_eq!(solve("laplace(scale=9) @ poisson(0.5)", Unknown::Rate, 1.0, 0.0, Method::Pld), 1.0);
}

#[test]
fn a_value_that_is_not_there_is_refused() {
    let cases = [
        ("laplace(scale=1)", Unknown::Sigma, 1e-5, "needs a gaussian"),
        ("gaussian(sigma=1)", Unknown::Scale, 1e-5, "needs a laplace"),
        ("gaussian(sigma=1)", Unknown::Rate, 1e-5, "needs a sample"),
        ("gaussian(sigma=1)", Unknown::Count(1), 1e-5, "an event at that place"),
        ("gaussian(sigma=1)", Unknown::Sigma, 0.0, "raise epsilon or delta"),
        ("gaussian(sigma=1) + gdp(mu=9)", Unknown::Count(0), 1e-5, "no value from 1 to"),
        ("gaussian(sigma=1)", Unknown::Sigma, 2.0, "delta = 2 is invalid"),
    ];
    for (expression, unknown, delta, words) in cases {
        let composition: Composition = expression.parse().unwrap();
        let error = composition.solve(unknown, 1.0, delta, Method::Pld).unwrap_err().to_string();
        assert!(error.contains(words), "{expression}: {error}");
    }
}

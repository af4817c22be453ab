//! Bad input gets one clear message; the parser reads anything without a panic, and what it reads
//! it writes again.

use plaudit::accountant::{AccountantError, Composition, Event, EventKind, Method, Sampling};
use proptest::prelude::*;

fn error(expression: &str) -> String {
    expression.parse::<Composition>().unwrap_err().to_string()
}

#[test]
fn impossible_numbers_are_named() {
    for (expression, words) in [
        ("gaussian(sigma=0)", "sigma = 0 is invalid: sigma must be above 0 and finite"),
        ("gaussian(sigma=-1)", "sigma = -1 is invalid"),
        ("gaussian(sigma=1, sensitivity=0)", "sensitivity = 0 is invalid"),
        ("gaussian(sigma=1e-9)", "sensitivity/sigma"),
        ("laplace(scale=1) x 0", "count = 0 is invalid"),
        ("laplace(scale=1) x -3", "expected a whole number of uses"),
        ("laplace(scale=1) x 1.5", "expected a whole number of uses"),
        ("laplace(scale=1) x 1e13", "between 1 and 1e12"),
        ("laplace(scale=1) @ poisson(1.5)", "rate = 1.5 is invalid"),
        ("laplace(scale=1) @ poisson(0)", "rate = 0 is invalid"),
        ("laplace(scale=1) @ poisson(nan)", "wanted a number"),
        ("renyi(alpha=1, epsilon=1)", "alpha = 1 is invalid: alpha must be above 1"),
        ("renyi(alpha=0.5, epsilon=1)", "alpha = 0.5 is invalid"),
        ("epsilon-delta(epsilon=1, delta=1.5)", "delta = 1.5 is invalid"),
        ("epsilon-delta(epsilon=-1)", "epsilon = -1 is invalid"),
        ("epsilon-delta(epsilon=1e999)", "epsilon = inf is invalid"),
        ("epsilon-delta(epsilon=inf)", "wanted a number"),
        ("randomized-response(truth=1)", "truth = 1 is invalid"),
        ("randomized-response(truth=0.5, values=1)", "values = 1 is invalid"),
        ("randomized-response(truth=0.5, values=2.5)", "a whole number"),
        ("discrete-laplace(scale=1, sensitivity=0.5)", "a whole number"),
        ("discrete-gaussian(sigma=1e6)", "at most 1e4"),
        ("zero-concentrated(rho=-1)", "rho = -1 is invalid"),
        ("gdp(mu=-0.1)", "mu = -0.1 is invalid"),
    ] {
        let error = error(expression);
        assert!(error.contains(words), "{expression}: {error}");
    }
}

#[test]
fn the_grammar_says_what_it_wants_and_where() {
    for (expression, words) in [
        ("", "at character 1 of the composition: expected an event"),
        ("   ", "expected an event"),
        (
            "gauss(sigma=1)",
            "there is no event `gauss`: did you mean `gaussian`? the kinds are laplace, gaussian",
        ),
        ("gaussian", "wanted `(`"),
        ("gaussian(sigma=1", "wanted `,` or `)` after a parameter"),
        ("gaussian(sigma)", "wanted `=`"),
        ("gaussian(sigma=)", "at character 16 of the composition: wanted a number"),
        ("gaussian(scale=1)", "gaussian has no parameter `scale`: it takes sigma"),
        ("gaussian(size=1)", "gaussian has no parameter `size`"),
        ("gaussian()", "gaussian needs `sigma`"),
        ("gaussian(sigma=1, sigma=2)", "`sigma` is given twice"),
        ("gaussian(sigma=1) x 2 x 3", "an event has one count"),
        ("gaussian(sigma=1) @ poisson(0.1) @ poisson(0.1)", "an event has one sample"),
        (
            "gaussian(sigma=1) @ bernoulli(0.1)",
            "there is no sample `bernoulli`: the kinds are poisson, poisson-substitution, ",
        ),
        ("gaussian(sigma=1) +", "expected an event"),
        ("gaussian(sigma=1) laplace(scale=1)", "expected `+` and another event"),
        ("gaussian(sigma=1) + ümlaut(x=1)", "at character 21"),
    ] {
        let error = error(expression);
        assert!(error.contains(words), "{expression}: {error}");
    }
    assert!(error(&"(".repeat(200_000)).contains("100 000 bytes"));
}

#[test]
fn empty_compositions_and_mixed_relations_are_refused() {
    assert_eq!(Composition::new(Vec::new()), Err(AccountantError::Empty));
    let mixed = "laplace(scale=1) @ poisson(0.1) + laplace(scale=1) @ without-replacement(0.1)";
    assert!(error(mixed).contains("one relation"));
    let json = r#"{"events": []}"#;
    let empty: Composition = serde_json::from_str(json).unwrap();
    assert_eq!(empty.check(), Err(AccountantError::Empty));
    assert!(empty.curve().is_err());
}

#[test]
fn events_in_files_are_checked_as_they_are_read() {
    for (json, words) in [
        (r#"{"kind": "gaussian", "sigma": 0}"#, "sigma = 0 is invalid"),
        (r#"{"kind": "gaussian", "sigma": 1, "scale": 1}"#, "gaussian has no parameter `scale`"),
        (
            r#"{"kind": "gaussian", "sgima": 1}"#,
            "gaussian has no parameter `sgima`: did you mean `sigma`?",
        ),
        (r#"{"kind": "gaussian", "sigma": 1, "count": -1}"#, "invalid value"),
        (r#"{"kind": "gaussian", "sigma": 1, "sampling": {"poisson": 2}}"#, "rate = 2"),
        (r#"{"sigma": 1}"#, "missing field `kind`"),
    ] {
        let error = serde_json::from_str::<Event>(json).unwrap_err().to_string();
        assert!(error.contains(words), "{json}: {error}");
    }
}

#[test]
fn questions_out_of_range_are_refused() {
    let composition: Composition = "gaussian(sigma=1)".parse().unwrap();
    for epsilon in [-1.0, f64::NAN, f64::INFINITY] {
        let error = composition.delta_at(epsilon, Method::Pld).unwrap_err().to_string();
        assert!(error.contains("epsilon") && error.contains("at least 0 and finite"), "{error}");
    }
    for delta in [-1e-9, 1.1, f64::NAN, f64::INFINITY] {
        let error = composition.epsilon_at(delta, Method::Pld).unwrap_err().to_string();
        assert!(error.contains("delta") && error.contains("between 0 and 1"), "{error}");
    }
    let curve = composition.curve().unwrap();
    let nothing = curve.delta_at(f64::NAN);
    assert_eq!((nothing.lower, nothing.upper), (0.0, 1.0));
    let nothing = curve.epsilon_at(f64::NAN);
    assert_eq!((nothing.lower, nothing.upper), (0.0, f64::INFINITY));
}

#[test]
fn theorems_are_not_used_outside_their_range() {
    let refuses = |expression: &str, method: Method, delta: f64, words: &str| {
        let composition: Composition = expression.parse().unwrap();
        let error = composition.epsilon_at(delta, method).unwrap_err().to_string();
        assert!(error.contains(words), "{expression}: {error}");
    };
    let short = Method::AdvancedShort;
    refuses("laplace(scale=1) x 100", short, 1e-5, "a total epsilon below 1");
    refuses(
        "laplace(scale=1) + laplace(scale=2)",
        Method::Advanced,
        1e-5,
        "equal (epsilon, delta)",
    );
    refuses("gaussian(sigma=1) x 10", Method::Advanced, 1e-5, "state an epsilon");
    refuses("laplace(scale=10) x 10", Method::Advanced, 0.0, "ask at a larger delta");
    refuses("epsilon-delta(epsilon=0.1, delta=1e-6) x 10", Method::Advanced, 1e-5, "leaves none");
    refuses("gaussian(sigma=1) @ poisson(0.1)", Method::Gdp, 1e-5, "has no mu");
    refuses("epsilon-delta(epsilon=1, delta=1e-9)", Method::Rdp, 1e-5, "infinite Rényi divergence");

    let epsilon_at = |expression: &str, method: Method, delta: f64| {
        expression.parse::<Composition>().unwrap().epsilon_at(delta, method).unwrap().upper
    };
    let (k, e, d) = (100.0_f64, 0.01_f64, 1e-5_f64);
    let long = e * (2.0 * k * (1.0 / d).ln()).sqrt() + k * e * e.exp_m1();
    assert!((epsilon_at("laplace(scale=100) x 100", Method::Advanced, d) - long).abs() < 1e-9);
    let brief = e * (8.0 * k * (1.0 / d).ln()).sqrt();
    assert!((epsilon_at("laplace(scale=100) x 100", short, d) - brief).abs() < 1e-9);
    assert!((epsilon_at("laplace(scale=100) x 100", Method::Basic, d) - 1.0).abs() < 1e-9);
}

#[test]
fn extreme_events_are_answered_by_every_method() {
    for expression in [
        "laplace(scale=1e-4) x 1e12",
        "epsilon-delta(epsilon=1e4, delta=1) x 1e12",
        "epsilon-delta(epsilon=0, delta=0)",
        "epsilon-delta(epsilon=1e-12) x 1e12",
        "gdp(mu=1e4) x 1e12",
        "gaussian(sigma=1e-3) @ poisson(1e-9) x 1e6",
        "laplace(scale=1e9) @ without-replacement(1) x 10",
        "renyi(alpha=1e6, epsilon=1e4) + zero-concentrated(rho=1e4)",
        "renyi(alpha=1.000001, epsilon=1e-12) @ poisson(0.5) x 3",
        "exponential-mechanism(epsilon=1e4) x 3",
        "randomized-response(truth=1e-12, values=1e9) x 1e12",
        "discrete-gaussian(sigma=0.01) x 5",
    ] {
        let composition: Composition = expression.parse().unwrap();
        for method in Method::ALL {
            let Ok(curve) = composition.curve_by(method) else { continue };
            for epsilon in [0.0, 1e-9, 1.0, 700.0, 1e5, 1e300] {
                let delta = curve.delta_at(epsilon);
                let what = format!("{expression} {} at {epsilon}: {delta:?}", method.name());
                assert!(
                    0.0 <= delta.lower && delta.lower <= delta.upper && delta.upper <= 1.0,
                    "{what}"
                );
            }
            for delta in [0.0, 1e-300, 1e-5, 0.5, 1.0] {
                let epsilon = curve.epsilon_at(delta);
                let what = format!("{expression} {} at {delta}: {epsilon:?}", method.name());
                assert!(0.0 <= epsilon.lower && epsilon.lower <= epsilon.upper, "{what}");
            }
        }
    }
}

fn kind() -> impl Strategy<Value = EventKind> {
    let size = || prop_oneof![1e-3..1e3, Just(1.0), Just(2.5)];
    prop_oneof![
        (size(), size()).prop_map(|(scale, sensitivity)| EventKind::Laplace { scale, sensitivity }),
        (size(), size())
            .prop_map(|(sigma, sensitivity)| EventKind::Gaussian { sigma, sensitivity }),
        (size(), 1_u64..9)
            .prop_map(|(scale, sensitivity)| EventKind::DiscreteLaplace { scale, sensitivity }),
        (size(), 1_u64..9)
            .prop_map(|(sigma, sensitivity)| EventKind::DiscreteGaussian { sigma, sensitivity }),
        (1e-3..0.999, 2_u64..50)
            .prop_map(|(truth, values)| EventKind::RandomizedResponse { truth, values }),
        size().prop_map(|epsilon| EventKind::ExponentialMechanism { epsilon }),
        (size(), 0.0..1.0).prop_map(|(epsilon, delta)| EventKind::EpsilonDelta { epsilon, delta }),
        (1.001..99.0, size()).prop_map(|(alpha, epsilon)| EventKind::Renyi { alpha, epsilon }),
        (size(), prop_oneof![Just(0.0), size()])
            .prop_map(|(rho, xi)| EventKind::ZeroConcentrated { rho, xi }),
        size().prop_map(|epsilon| EventKind::ReportNoisyMax { epsilon }),
        (0.01..9.0, 1_u64..9999, 2_u64..9).prop_map(|(epsilon, rows, values)| {
            EventKind::ShuffledRandomizedResponse { epsilon, rows, values }
        }),
        (size(), -0.9..9.0)
            .prop_map(|(epsilon, shape)| EventKind::RepeatAndSelect { epsilon, shape }),
        (size(), 1.0..9.0).prop_map(|(sigma, sensitivity)| EventKind::DiscreteGaussianVector {
            sigma,
            sensitivity
        }),
        (size(), 0.0..1.0, 0.0..5.0).prop_map(|(sigma, weight, shift)| {
            let (shifts, weights) =
                (vec![0.0, shift, 1.0], vec![0.5 * weight, 0.5 * weight, 1.0 - weight]);
            EventKind::MixtureOfGaussians { sigma, shifts, weights }
        }),
        (size(), 1_u64..9999, size()).prop_map(|(sigma, steps, sensitivity)| {
            EventKind::TreeAggregation { sigma, steps, sensitivity }
        }),
        (size(), 0.0..1.0, 1_u64..9, 1_u64..9).prop_map(
            |(sigma, share, participations, separation)| {
                EventKind::CorrelatedNoise {
                    sigma,
                    coefficients: vec![1.0, share, share * share],
                    steps: participations * separation,
                    participations,
                    separation,
                }
            }
        ),
        size().prop_map(|mu| EventKind::Gdp { mu }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let sampling = prop_oneof![
        (1e-6..1.0).prop_map(|rate| Sampling::Poisson { rate }),
        (1e-6..1.0).prop_map(|rate| Sampling::WithoutReplacement { rate }),
        (1e-6..1.0).prop_map(|rate| Sampling::PoissonSubstitution { rate }),
        (1e-6..1.0, 1_u64..9).prop_map(|(rate, rows)| Sampling::PoissonGroup { rate, rows }),
        (1_u64..99, 99_u64..999)
            .prop_map(|(draws, rows)| Sampling::WithReplacement { draws, rows }),
        (1_u64..99, 1_u64..9)
            .prop_map(|(more, picks)| Sampling::Allocation { steps: picks + more, picks }),
        (1e-6..1.0, 1_u64..99, 1_u64..999)
            .prop_map(|(rate, batch, rows)| Sampling::TruncatedPoisson { rate, batch, rows }),
    ];
    let sampling = prop::option::of(sampling);
    (kind(), 1_u64..2_000_000_000_000, sampling).prop_filter_map(
        "possible",
        |(kind, count, sampling)| {
            let event = Event { kind, count, sampling };
            event.check().is_ok().then_some(event)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_parser_reads_anything(text in ".{0,60}") {
        let _ = text.parse::<Composition>();
    }

    #[test]
    fn the_parser_reads_what_looks_like_a_composition(
        words in prop::collection::vec(
            prop_oneof![
                Just("gaussian"), Just("laplace"), Just("renyi"), Just("("), Just(")"), Just("="),
                Just("sigma"), Just("scale"), Just("alpha"), Just("epsilon"), Just(","), Just("x"),
                Just("*"), Just("@"), Just("poisson"), Just("without-replacement"), Just("+"),
                Just("1"), Just("1e9"), Just("-"), Just("1e-3"), Just("NaN"), Just("é"), Just(" "),
            ],
            0..24,
        )
    ) {
        if let Ok(composition) = words.concat().parse::<Composition>() {
            prop_assert!(composition.check().is_ok());
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same(events in prop::collection::vec(event(), 1..5)) {
        // Those of one relation.
        let related: Vec<Event> =
            events.iter().filter(|it| it.relation() == events[0].relation()).cloned().collect();
        let composition = Composition::new(related).unwrap();
        let text = composition.to_string();
        prop_assert_eq!(&text.parse::<Composition>().unwrap(), &composition, "{}", text);
        let json = serde_json::to_string(&composition).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Composition>(&json).unwrap(), &composition, "{}", json);
        let toml = toml::to_string(&composition).unwrap();
        prop_assert_eq!(&toml::from_str::<Composition>(&toml).unwrap(), &composition, "{}", toml);
    }
}

/// Values by 40-digit sums; those of Laplace noise by a convolution on a grid of 2e-5, good to 3e-4.
#[test]
fn losses_that_no_double_holds_are_not_forgotten() {
    let delta = |expression: &str, epsilon: f64| {
        let composition: Composition = expression.parse().expect("a composition");
        composition.delta_at(epsilon, Method::Pld).expect("a bracket")
    };
    for (expression, epsilon, truth) in [
        ("discrete-gaussian(sigma=0.02)", 1.0, 1.0),
        ("discrete-gaussian(sigma=10,sensitivity=800)", 1.0, 1.0),
        ("discrete-gaussian(sigma=1,sensitivity=40)", 1.0, 1.0),
        ("discrete-gaussian(sigma=1,sensitivity=39)", 700.0, 0.94144),
        ("discrete-gaussian(sigma=0.02) @ poisson(0.1)", 1.0, 0.1),
        ("laplace(scale=1) x 20 @ poisson(0.1)", 0.0, 0.160_943),
        ("laplace(scale=1) x 20 @ poisson(0.1)", 0.3, 0.065_771),
        ("laplace(scale=1) x 20 @ poisson(0.1)", 1.0, 0.002_426),
    ] {
        let found = delta(expression, epsilon);
        let slack = 1e-3 * truth;
        assert!(found.lower <= truth + slack, "{expression} at {epsilon}: {found:?}");
        assert!(found.upper >= truth - slack, "{expression} at {epsilon}: {found:?}");
        assert!(found.lower <= found.upper, "{expression} at {epsilon}: {found:?}");
        if expression.starts_with("laplace") {
            assert!(found.upper < 1.1 * truth, "{expression} at {epsilon}: {found:?}");
        }
    }
    let epsilon = |expression: &str, delta: f64| {
        let composition: Composition = expression.parse().expect("a composition");
        composition.epsilon_at(delta, Method::Pld).expect("a bracket")
    };
    // The support is all integers: no ε is enough for δ = 0.
    assert_eq!(epsilon("discrete-gaussian(sigma=1)", 0.0).upper, f64::INFINITY);
    let renyi = epsilon("renyi(alpha=1e6,epsilon=1)", 0.0);
    assert!(renyi.lower <= renyi.upper, "{renyi:?}");
}

#[test]
fn the_short_form_of_advanced_composition_is_refused_where_it_is_no_theorem() {
    let short = |expression: &str, delta: f64| {
        let composition: Composition = expression.parse().expect("a composition");
        composition.epsilon_at(delta, Method::AdvancedShort)
    };
    assert!(short("epsilon-delta(epsilon=1) x 1200", 0.9999).is_err());
    assert!(short("epsilon-delta(epsilon=0.05) x 400000", 0.99999).is_err());
    assert!(short("epsilon-delta(epsilon=0.001) x 100", 1e-5).is_ok());
}

#[test]
fn the_short_form_says_what_it_is_refused_for() {
    let by_delta = |expression: &str, delta: f64| {
        let composition: Composition = expression.parse().expect("a composition");
        composition.epsilon_at(delta, Method::AdvancedShort).expect_err(expression).to_string()
    };
    // The total is below 1 (0.02529), but the short form does not follow from the long one.
    let little = by_delta("laplace(scale=20) x 30", 0.999);
    assert!(little.contains("the left side is 1.538 and the right side 0.245:"), "{little}");
    assert!(!little.contains("below 1"), "{little}");
    let none = by_delta("laplace(scale=200) x 30", 1.0);
    assert!(none.contains("at delta' = 1 the left side is 0.1504 and the right side 0:"), "{none}");
    let much = by_delta("laplace(scale=20) x 30", 1e-5);
    assert!(much.contains("for these uses it is 2.628:"), "{much}");
    let spent = by_delta("epsilon-delta(epsilon=0.001, delta=1e-5) x 30", 1e-5);
    assert!(spent.contains("beyond the 0.0003 of the events, and delta = 1e-5 leaves"), "{spent}");
    let composition: Composition = "laplace(scale=200) x 30".parse().expect("a composition");
    let asked = composition.delta_at(1.5, Method::AdvancedShort).expect_err("1.5").to_string();
    assert!(asked.contains("but epsilon = 1.5 is requested:"), "{asked}");
}

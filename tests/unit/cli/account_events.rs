use super::*;

fn read_text(text: &str) -> Result<Composition, String> {
    composition(&serde_json::from_str(text).unwrap())
}

fn expression(words: &str) -> Composition {
    words.parse().unwrap()
}

#[test]
fn the_history_of_opacus_is_gaussian_noise_on_poisson_samples() {
    let expected =
        expression("gaussian(sigma=1.1) x 100 @ poisson(0.01) + gaussian(sigma=2) @ poisson(1)");
    for text in [
        "[[1.1, 0.01, 100], [2.0, 1.0, 1]]",
        "{\"history\": [[1.1, 0.01, 100.0], [2, 1, 1]], \"mechanism\": \"rdp\"}",
    ] {
        assert_eq!(read_text(text), Ok(expected.clone()));
    }
}

#[test]
fn events_of_dp_accounting_are_read_by_name_and_by_place() {
    let expected = expression(
        "gaussian(sigma=1.1) x 100 @ poisson(0.01) + laplace(scale=2) + epsilon-delta(epsilon=1, delta=1e-6) x 3",
    );
    let named = r#"{"module_name": "dp_accounting.dp_event", "class_name": "ComposedDpEvent", "events": [
        {"class_name": "SelfComposedDpEvent", "count": 100, "event":
            {"class_name": "PoissonSampledDpEvent", "sampling_probability": 0.01, "event":
                {"class_name": "GaussianDpEvent", "noise_multiplier": 1.1}}},
        {"class_name": "NoOpDpEvent"},
        {"class_name": "LaplaceDpEvent", "noise_multiplier": 2},
        {"class_name": "SelfComposedDpEvent", "count": 3, "event":
            {"class_name": "EpsilonDeltaDpEvent", "epsilon": 1, "delta": 1e-6}}]}"#;
    assert_eq!(read_text(named), Ok(expected.clone()));
    let placed = r#"["m", "ComposedDpEvent", [
        ["m", "SelfComposedDpEvent", ["m", "PoissonSampledDpEvent", 0.01, ["m", "GaussianDpEvent", 1.1]], 100],
        ["m", "NoOpDpEvent"],
        ["m", "LaplaceDpEvent", 2],
        ["m", "SelfComposedDpEvent", ["m", "EpsilonDeltaDpEvent", 1, 1e-6], 3]]]"#;
    assert_eq!(read_text(placed), Ok(expected));
}

#[test]
fn mistakes_have_their_place() {
    for (text, words) in [
        ("[]", "no event"),
        ("{\"history\": []}", "no event"),
        ("[[1.0, 0.01]]", "history[0] is [1.0,0.01]: write opacus'"),
        (
            "[[1.0, 0.01, 10], [1.0, 0.01, 0.5]]",
            "history[1]: steps is 0.5, which is not a whole number",
        ),
        ("[[1.0, 0.01, 0]]", "history[0]: count = 0 is invalid"),
        ("[[0, 0.01, 1]]", "history[0]: sigma = 0 is invalid"),
        ("[[1.0, 2, 1]]", "history[0]: rate = 2 is invalid"),
        ("[[\"1.0\", 0.1, 1]]", "history[0]: noise_multiplier is \"1.0\", which is not a number"),
        ("7", "without a class_name"),
        ("{\"class_name\": \"GaussianDpEvent\"}", "has no `noise_multiplier`"),
        (
            "{\"class_name\": \"NonPrivateDpEvent\"}",
            "the event is a NonPrivateDpEvent: GaussianDpEvent, ",
        ),
        (
            r#"{"class_name": "ComposedDpEvent", "events": [{"class_name": "TreeDpEvent"}]}"#,
            "the event.events[0] is a TreeDpEvent",
        ),
        (
            r#"["m", "PoissonSampledDpEvent", 0.1, ["m", "SelfComposedDpEvent", ["m", "GaussianDpEvent", 1], 2]]"#,
            "the event.event is a SelfComposedDpEvent: a composition on one sample",
        ),
    ] {
        let error = read_text(text).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}

//! `plaudit account`: answers, files, formats, plots, and mistakes with exit code 2.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;

fn answer(arguments: &[&str]) -> String {
    let output = plaudit().arg("account").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(exit::AS_EXPECTED)), "{}", stderr(&output));
    stdout(&output)
}

fn json(arguments: &[&str]) -> Value {
    let arguments: Vec<_> = arguments.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&answer(&arguments)).unwrap()
}

#[test]
fn epsilon_at_a_delta_in_words_and_in_json() {
    let words = answer(&["gaussian(sigma=10) x 100", "--delta", "1e-5"]);
    assert!(words.contains("epsilon at delta = 0.00001"), "{words}");
    assert!(words.contains("between 4.377178 and 4.377179"), "{words}");
    let value = json(&["gaussian(sigma=10) x 100", "--delta", "1e-5"]);
    let (lower, upper) = (&value["epsilon"]["lower"], &value["epsilon"]["upper"]);
    assert!(lower.as_f64().unwrap() <= 4.377_178_095_681_22 + 1e-13);
    assert!(upper.as_f64().unwrap() >= 4.377_178_095_681_22 - 1e-13);
    assert_eq!(value["method"], "pld");
    assert_eq!(value["expression"], "gaussian(sigma=10.0) x 100");
    assert_eq!(value["composition"]["events"][0]["kind"], "gaussian");
}

#[test]
fn delta_at_an_epsilon_by_each_method() {
    for (method, words) in [("rdp", "at most"), ("basic", "at most"), ("pld", "between")] {
        let told = answer(&["laplace(scale=1) x 3", "--epsilon", "2", "--method", method]);
        assert!(told.contains("delta at epsilon = 2") && told.contains(words), "{told}");
    }
    let value = json(&["laplace(scale=1) x 3", "--epsilon", "2", "--method", "basic"]);
    assert_eq!(value["delta"]["lower"], 0.0);
    assert_eq!(value["delta"]["upper"], 1.0);
}

#[test]
fn what_is_infinite_is_a_word() {
    let value = json(&["epsilon-delta(epsilon=1, delta=0.1)", "--delta", "1e-3"]);
    assert_eq!(value["epsilon"]["upper"], "+infinity");
    assert_eq!(value["epsilon"]["lower"], "+infinity");
}

#[test]
fn a_claim_has_an_exit_code() {
    let holds = (exit::AS_EXPECTED, "holds");
    let refuted = (exit::UNEXPECTED, "refuted");
    let undecided = (exit::INCONCLUSIVE, "undecided");
    let subsampled = "gaussian(sigma=1) x 1000 @ poisson(0.01)";
    let tenths = "laplace(scale=3.3333333333333335) x 3";
    for (composition, epsilon, delta, method, (code, claim)) in [
        ("laplace(scale=2) x 3", "1.5", "0", "pld", holds),
        (tenths, "0.9", "0", "pld", holds),
        (tenths, "0.89999999", "0", "pld", refuted),
        // δ(2) is between 2.6654e-6 and 2.6657e-6.
        (subsampled, "2", "2.6657e-6", "pld", holds),
        (subsampled, "2", "2.6654e-6", "pld", refuted),
        ("gaussian(sigma=4)", "1", "1e-5", "rdp", undecided),
        ("gaussian(sigma=1)", "9", "0", "pld", refuted),
        // Its δ at ε = 50 is below the smallest double.
        ("gaussian(sigma=100)", "50", "0", "pld", refuted),
        // Rényi divergences of all orders give no ε at δ = 0, whatever a double may hold.
        ("gaussian(sigma=10)", "50", "0", "rdp", undecided),
        ("laplace(scale=2) x 3", "1.5", "0", "rdp", holds),
        // A pure claim that holds does so at every δ, and a claim that is an event's own holds.
        ("laplace(scale=10) x 10", "1", "1e-300", "pld", holds),
        ("laplace(scale=10) x 10", "1", "1e-5", "basic", holds),
        ("epsilon-delta(epsilon=1, delta=1e-6)", "1", "1e-6", "pld", holds),
        ("epsilon-delta(epsilon=1, delta=1e-6)", "1", "0.999e-6", "pld", refuted),
    ] {
        let arguments = ["--claim", "--epsilon", epsilon, "--delta", delta, "--method", method];
        let run = |format| {
            let command = [&["account", composition], &arguments[..], &["--format", format]];
            plaudit().args(command.concat()).output().unwrap()
        };
        let (value, words) = (run("json"), run("human"));
        let value_read: Value = serde_json::from_str(&stdout(&value)).unwrap();
        assert_eq!(value_read["claim"], claim, "{composition} {epsilon} {delta}");
        assert_eq!(value.status.code(), Some(i32::from(code)), "{composition} {epsilon} {delta}");
        assert_eq!(words.status.code(), value.status.code());
        assert!(stdout(&words).contains(&format!("the claim ({epsilon}, ")), "{}", stdout(&words));
    }
    for arguments in [&["--epsilon", "1"][..], &["--delta", "1e-5"], &[]] {
        let command = [&["account", "gaussian(sigma=1)", "--claim"], arguments].concat();
        let output = plaudit().args(command).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)));
        assert!(stderr(&output).contains("--claim needs --epsilon and --delta"));
    }
}

#[test]
fn a_solved_sigma_is_the_answer_to_its_question() {
    let question =
        ["gaussian(sigma=1) x 10", "--solve", "sigma", "--epsilon", "1", "--delta", "1e-5"];
    let value = json(&question);
    let sigma = value["sigma"].as_f64().unwrap();
    let reached = value["delta_reached"]["upper"].as_f64().unwrap();
    assert!(reached <= 1e-5 && reached > 0.99e-5, "{reached}");
    let expression = value["expression"].as_str().unwrap();
    assert!(expression.contains(&format!("sigma={sigma:?}")), "{expression}");
}

#[test]
fn a_sigma_at_the_end_of_the_search_is_not_called_the_smallest() {
    // All that can be lost is the sample's probability to have the row.
    let told = answer(&[
        "gaussian(sigma=1) @ poisson(1e-6)",
        "--solve",
        "sigma",
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
    ]);
    assert!(told.contains("sigma = 0.0002 times") && told.contains("not looked for"), "{told}");
}

#[test]
fn each_unknown_is_solved_for_by_its_name() {
    let target = ["--epsilon", "1", "--delta", "1e-5"];
    let ask = |composition: &str, what: &str| {
        let question = [&[composition, "--solve", what], &target[..]].concat();
        (answer(&question), json(&question))
    };
    for (composition, what, name, largest) in [
        ("laplace(scale=1) x 4 + gaussian(sigma=9)", "scale", "scale", false),
        ("gaussian(sigma=1) x 50 @ poisson(0.9)", "rate", "rate", true),
        ("gaussian(sigma=20)", "count", "count", true),
        ("gaussian(sigma=20) + laplace(scale=30) x 2", "count:2", "count", true),
    ] {
        let (words, value) = ask(composition, what);
        assert!(value["delta_reached"]["upper"].as_f64().unwrap() <= 1e-5, "{value}");
        assert_eq!(value["is_limit"], false);
        assert!(words.contains(&format!("{name} = {}", value[name])), "{words}");
        assert_eq!(words.contains("is the largest"), largest, "{words}");
        assert!(words.contains("neighbors: ") && value["relation"].is_string());
    }
    let (words, value) = ask("gaussian(sigma=20) + laplace(scale=30) x 2", "count:2");
    let expression = format!("gaussian(sigma=20.0) + laplace(scale=30.0) x {}", value["count"]);
    assert!(value["count"].is_u64() && value["expression"] == expression, "{words}");
}

#[test]
fn a_pure_target_is_solved_for_by_epsilon() {
    let question = ["laplace(scale=8)", "--solve", "count", "--epsilon", "1.01", "--delta", "0"];
    let value = json(&question);
    assert_eq!(value["count"], 8);
    assert!(value["epsilon_reached"]["upper"].as_f64().unwrap() <= 1.01, "{value}");
    assert!(answer(&question).contains("epsilon at that delta: between"));
}

#[test]
fn the_best_attacks_are_bracketed_in_words_and_in_json() {
    let question = ["epsilon-delta(epsilon=1) + epsilon-delta(epsilon=2)", "--attack"];
    let (words, value) = (answer(&question), json(&question));
    let holds = |bracket: &Value, exact: f64, room: f64| {
        let [lower, upper] = ["lower", "upper"].map(|end| bracket[end].as_f64().unwrap());
        assert!(
            lower - room <= exact && exact <= upper + room && upper - lower < 1e-5,
            "{bracket}"
        );
    };
    // To three digits, of dp_accounting.
    holds(&value["mu"]["mu"], 2.358, 5e-4);
    holds(&value["true_positives"][3]["true_positives"], 0.8286, 5e-5);
    // The larger loss is heard; the sum of both is 3.
    let truth = 2.0_f64.exp() / (1.0 + 2.0_f64.exp());
    holds(&value["advantage"], 2.0 * truth - 1.0, 1e-9);
    holds(&value["success"]["success"], truth, 1e-9);
    holds(&value["true_positives"][0]["true_positives"], 1e-4 * 3.0_f64.exp(), 1e-9);
    assert_eq!(value["mu"]["false_positives"], serde_json::json!([0.005, 0.5]));
    assert_eq!(value["success"]["prior"], 0.5);
    assert!(value["relation"].is_string() && words.contains("neighbors: "), "{words}");
    for row in ["advantage", "mu that fits", "success of a guess", "false-positive rate 0.0001"] {
        assert!(words.contains(row), "{words}");
    }
    assert_eq!(words.matches("between ").count(), 7, "{words}");
    let rare = json(&["gaussian(sigma=1)", "--attack", "--prior", "0.01", "--mu-range", "0.1,0.2"]);
    assert_eq!(rare["success"]["prior"], 0.01);
    assert_eq!(rare["mu"]["false_positives"], serde_json::json!([0.1, 0.2]));
    holds(&rare["mu"]["mu"], 1.0, 0.0);
    let above = answer(&["gaussian(sigma=1)", "--attack", "--method", "rdp"]);
    assert_eq!(above.matches("at most ").count(), 7, "{above}");
}

#[test]
fn zero_has_no_sign() {
    for question in [
        ["exponential-mechanism(epsilon=0)", "--epsilon", "-0"],
        ["laplace(scale=1)", "--epsilon", "1"],
        ["laplace(scale=1) x 3", "--epsilon", "3"],
        ["laplace(scale=1)", "--delta", "1"],
        ["epsilon-delta(epsilon=1) x 2", "--delta", "-0.0"],
    ] {
        let arguments: Vec<_> = question.into_iter().chain(["--format", "json"]).collect();
        let told = answer(&arguments);
        assert!(!told.contains("-0.0") && !told.contains("-0,"), "{question:?}: {told}");
    }
}

#[test]
fn a_file_has_an_expression_or_events() {
    let folder = Folder::new();
    let expression = folder.path().join("expression.toml");
    std::fs::write(&expression, "composition = \"laplace(scale=2) x 3 + gaussian(sigma=1)\"\n")
        .unwrap();
    let events = folder.path().join("events.toml");
    let text = "[[composition.events]]\nkind = \"gaussian\"\nsigma = 1\n\n\
                [[composition.events]]\nkind = \"laplace\"\nscale = 2.0\ncount = 3\n";
    std::fs::write(&events, text).unwrap();
    let of = |path: &std::path::Path| {
        json(&[path.to_str().unwrap(), "--delta", "1e-6"])["epsilon"].clone()
    };
    assert_eq!(of(&expression), of(&events));
}

#[test]
fn files_of_other_accountants_are_compositions() {
    let folder = Folder::new();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        json(&[path.to_str().unwrap(), "--delta", "1e-5"])["epsilon"].clone()
    };
    let expected = json(&["gaussian(sigma=1) x 1000 @ poisson(0.01)", "--delta", "1e-5"]);
    let history =
        file("history.json", "{\"history\": [[1.0, 0.01, 1000]], \"mechanism\": \"rdp\"}");
    let events = file(
        "events.json",
        r#"{"class_name": "SelfComposedDpEvent", "count": 1000, "event": {"class_name": "PoissonSampledDpEvent",
            "sampling_probability": 0.01, "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 1.0}}}"#,
    );
    assert_eq!((&history, &events), (&expected["epsilon"], &expected["epsilon"]));
}

#[cfg(feature = "html")]
#[test]
fn a_plot_has_a_curve_for_each_method() {
    let folder = Folder::new();
    let file = folder.path().join("profile.svg");
    answer(&["laplace(scale=2) x 20", "--delta", "1e-6", "--plot", file.to_str().unwrap()]);
    let svg = std::fs::read_to_string(&file).unwrap();
    for words in ["<svg", "pld", "rdp", "gdp", "basic", "advanced"] {
        assert!(svg.contains(words), "{words}");
    }
}

#[test]
fn the_best_attack_is_bracketed_at_a_rate_of_false_positives() {
    let ask = |more: &[&str]| {
        let words = ["account", "gaussian(sigma=1)", "--fpr", "0.1"];
        stdout(&plaudit().args(words).args(more).output().unwrap())
    };
    // Φ(Φ⁻¹(0.1) + 1) = 0.38914.
    let words = "true-positive rate of the best attack at false-positive rate 0.1: between 0.38914";
    assert!(ask(&[]).contains(words), "{}", ask(&[]));
    let value: Value = serde_json::from_str(&ask(&["--format", "json"])).unwrap();
    assert_eq!(value["false_positives"], 0.1);
    let [lower, upper] =
        ["lower", "upper"].map(|end| value["true_positives"][end].as_f64().unwrap());
    assert!(lower <= upper && upper - lower < 1e-9, "{lower} {upper}");
}

#[test]
fn mistakes_exit_2_and_say_what_is_wrong() {
    let folder = Folder::new();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (none, empty, wrong, broken) = (
        file("none.toml", "x = 1\n"),
        file("empty.toml", "composition = { events = [] }\n"),
        file("wrong.toml", "[[composition.events]]\nkind = \"gaussian\"\nsigma = 0\n"),
        file("broken.toml", "composition = [\n"),
    );
    let (steps, cut) = (file("steps.json", "[[1, 0.1, 0.5]]"), file("cut.json", "[[1, 0.1"));
    let gaussian = "gaussian(sigma=1)";
    let one = "give one of --delta, --epsilon, --fpr, --claim, --solve";
    let target = ["--epsilon", "1", "--delta", "1e-5"];
    let solve = |what: &'static str| {
        [&["gaussian(sigma=1) + gdp(mu=1)", "--solve", what], &target[..]].concat()
    };
    let cases: [(&[&str], &str); 37] = [
        (&[gaussian, "--attack", "--fpr", "0.1"], "--attack stands alone"),
        (&[gaussian, "--attack", "--delta", "0.1"], "--attack stands alone"),
        (&[gaussian, "--attack", "--prior", "1"], "--prior = 1 is invalid"),
        (&[gaussian, "--attack", "--prior", "nan"], "--prior = NaN is invalid"),
        (&[gaussian, "--prior", "0.5", "--delta", "0.1"], "--attack"),
        (&[gaussian, "--attack", "--mu-range", "0.5"], "not two rates above 0"),
        (&[gaussian, "--attack", "--mu-range", "0.5,0.1"], "not two rates above 0"),
        (&solve("noise"), "not one of sigma, scale, rate, count"),
        (&solve("count:0"), "not one of sigma, scale, rate, count"),
        (&solve("count"), "the composition has 2 events: name one, such as count:1"),
        (&solve("count:3"), "it needs an event at that place"),
        (&[gaussian, "--fpr", "0.1", "--delta", "1e-5"], "--fpr stands alone"),
        (&[gaussian, "--fpr", "1.1"], "--fpr = 1.1 is invalid"),
        (&[gaussian], one),
        (&[gaussian], "none is given"),
        (&[gaussian, "--delta", "1.5"], "delta = 1.5 is invalid"),
        (&[gaussian, "--claim", "--epsilon", "-1", "--delta", "0"], "--epsilon = -1 is invalid"),
        (&[gaussian, "--claim", "--epsilon", "1", "--delta", "2"], "delta = 2 is invalid"),
        (&[gaussian, "--claim", "--solve", "sigma"], "cannot be used with"),
        (&[gaussian, "--delta", "x"], "not a number"),
        (&[gaussian, "--epsilon", "nan"], "epsilon = NaN is invalid"),
        (&[gaussian, "--epsilon=-1"], "epsilon = -1 is invalid"),
        (&[gaussian, "--epsilon", "-1"], "epsilon = -1 is invalid"),
        (&[gaussian, "--delta", "-1e-5"], "delta = -0.00001 is invalid"),
        (&[gaussian, "--epsilon", "1", "--delta", "1e-5"], one),
        (&[gaussian, "--delta", "1e-5", "--method", "best"], "pld, rdp, gdp, basic"),
        (&[gaussian, "--solve", "sigma", "--epsilon", "1"], "without --delta"),
        (&[gaussian, "--solve", "sigma", "--delta", "1e-5"], "without --epsilon"),
        (&[gaussian, "--solve", "sigma"], one),
        (&["laplace(scale=1) x 9", "--delta", "1e-5", "--method", "advanced-short"], "below 1"),
        (&["missing.toml", "--delta", "1e-5"], "missing.toml"),
        (&[&none, "--delta", "1e-5"], "no `composition`"),
        (&[&empty, "--delta", "1e-5"], "empty composition"),
        (&[&wrong, "--delta", "1e-5"], "sigma = 0 is invalid"),
        (&[&broken, "--delta", "1e-5"], "cannot read the composition"),
        (&[&steps, "--delta", "1e-5"], "steps.json: history[0]: steps is 0.5"),
        (&[&cut, "--delta", "1e-5"], "cut.json: EOF"),
    ];
    for (arguments, words) in cases {
        let output = plaudit().arg("account").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_sample_without_replacement_is_told_what_a_clipped_sum_moves_by() {
    let told = answer(&["gaussian(sigma=4) x 10 @ without-replacement(0.01)", "--delta", "1e-5"]);
    assert!(told.contains("twice the clip"), "{told}");
    let told = answer(&["gaussian(sigma=4) x 10 @ poisson(0.01)", "--delta", "1e-5"]);
    assert!(!told.contains("twice the clip"), "{told}");
}

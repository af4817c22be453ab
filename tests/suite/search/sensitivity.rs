//! Declared sensitivities, through specs: queries with mistakes are refuted exactly, right ones are not,
//! and what cannot be checked is said.
//!
//! Audits of right queries go on with trials, at level 1e-9 each: some test here fails for a fresh seed
//! with probability below 1e-7. Programs in Python need Python 3.9 or later; where there is none, these
//! tests say so and test nothing.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::audit::{Audited, Counterexample};
use plaudit::dataset::Norm;
use plaudit::game::Control;
use plaudit::mechanism::{Answer, Capabilities, Query, Trouble};
use plaudit::search::{SearchDomain, Values};
use plaudit::spec::{Overrides, load};
use plaudit::{Audit, Claim, Dataset, Mechanism, Outcomes, Relation, Stream, Verdict};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/misbehaving/queries.py");

/// One audit, by its mechanism, relation, domain and sensitivity.
fn audited(mechanism: &str, relation: &str, domain: &str, sensitivity: &str) -> Audited {
    let spec = format!(
        "[[audit]]\nname = \"a\"\nno_difference = \"allowed\"\nmechanism = {{ {mechanism} }}\nrelation = {relation}\n\
         domain = {{ {domain} }}\nsensitivity = {sensitivity}\nclaim = {{ epsilon = 4 }}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, &spec).unwrap();
    let (trials, alpha, min_power) = (Some(20_000), Some(1e-9), Some(f64::INFINITY));
    let overrides = Overrides { trials, alpha, min_power, ..Overrides::default() };
    let audit = load(&[file], &overrides).unwrap_or_else(|error| panic!("{error}")).remove(0).audit;
    audit.run(Control::unattended()).unwrap()
}

fn program(name: &str) -> String {
    format!("command = {:?}", [&interpreter()[..], &[PROGRAM, name]].concat())
}

/// It is refuted without a trial, and the counterexample is small and speaks for itself.
fn assert_exceeded(what: &str, audited: Audited) -> Counterexample {
    let Audited { finding, certificate, counterexample, .. } = audited;
    assert_eq!(finding.verdict, Verdict::Violated, "{what}: {}", finding.reason());
    assert_eq!(finding.trials.total, 0, "{what}");
    assert!(finding.p_value > finding.alpha && certificate.is_none(), "{what}");
    let shown = finding.sensitivity.unwrap();
    assert!(shown.distance.is_none_or(|distance| distance >= shown.declared), "{what}: {shown:?}");
    assert!(shown.pairs > 0 && shown.counterexample.is_some(), "{what}");
    let counterexample = counterexample.unwrap();
    for side in [&counterexample.pair.d, &counterexample.pair.d_prime] {
        let rows = match serde_json::from_value(side.clone()).unwrap() {
            Dataset::Numbers(numbers) => numbers.len(),
            Dataset::Table(table) => table.rows.len(),
            Dataset::Json(Value::Array(list)) => list.len(),
            Dataset::Json(other) => panic!("{what}: {other}"),
        };
        assert!(rows <= 4, "{what} is shrunk: {side}");
    }
    counterexample
}

fn assert_held(what: &str, audited: &Audited) {
    let finding = &audited.finding;
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{what}: {}", finding.reason());
    let check = finding.sensitivity.as_ref().unwrap();
    assert!(check.counterexample.is_none() && audited.counterexample.is_none(), "{what}");
    assert!(check.pairs > 100 && finding.trials.total > 0, "{what}: {check:?}");
    assert!(
        finding.reason().contains("proves nothing of the others"),
        "{what}: {}",
        finding.reason()
    );
}

fn sum(more: &str) -> String {
    format!("kind = \"sum\", column = \"x\", noise = \"laplace\", epsilon = 1, {more}")
}

const WHOLE: &str =
    "columns = { x = { lower = -50, upper = 1000, integers = true } }, size = [1, 20]";

#[test]
fn mistakes_in_queries_of_the_catalog_are_refuted_exactly() {
    let near = "lower = 4503599627370496, upper = 4503599627370497";
    let cases = [
        (
            "rounding beyond the range",
            sum(&format!("{near}, sensitivity = 1")),
            "\"substitution\"",
            format!("columns = {{ x = {{ {near} }} }}, size = [1, 10]"),
        ),
        (
            "a mean under add-remove",
            "kind = \"mean\", column = \"x\", lower = 0, upper = 100, noise = \"laplace\", \
             epsilon = 1, sensitivity = 5"
                .to_owned(),
            "\"add-remove\"",
            WHOLE.to_owned(),
        ),
        (
            "a clamp after the sum",
            sum("lower = 0, upper = 100, clamping = \"after\", sensitivity = 100"),
            "\"substitution\"",
            WHOLE.to_owned(),
        ),
        (
            "nothing clamped",
            sum("lower = 0, upper = 100, clamping = \"forgotten\", sensitivity = 100"),
            "\"add-remove\"",
            WHOLE.to_owned(),
        ),
        (
            "a histogram under substitution, with Gaussian noise",
            "kind = \"histogram\", column = \"x\", cells = [0, 1], noise = \"gaussian\", epsilon = 1, \
             delta = 1e-5, sensitivity = 1"
                .to_owned(),
            "\"substitution\"",
            "columns = { x = { values = [0, 1] } }, size = [1, 5]".to_owned(),
        ),
        (
            "one norm for another",
            "kind = \"discrete-laplace\", epsilon = 1, sensitivity = 1".to_owned(),
            "{ linf = 1 }",
            "lower = -5, upper = 5, integers = true, size = [1, 4]".to_owned(),
        ),
    ];
    for (what, mechanism, relation, domain) in cases {
        let counterexample = assert_exceeded(what, audited(&mechanism, relation, &domain, "true"));
        // It can be checked again, and says the same.
        let mechanism = plaudit::rebuild::rebuild(&counterexample.mechanism).unwrap();
        let read = |value: &Value| serde_json::from_value::<Dataset>(value.clone()).unwrap();
        let (d, d_prime) = (read(&counterexample.pair.d), read(&counterexample.pair.d_prime));
        let never = AtomicBool::new(false);
        let again = counterexample.recheck::<Dataset>(&*mechanism, [&d, &d_prime], &never).unwrap();
        assert!(again.holds && again.same_answers, "{what}: {again:?}");
        // And survives the way through a file.
        let text = serde_json::to_string(&counterexample).unwrap();
        assert_eq!(serde_json::from_str::<Counterexample>(&text).unwrap(), counterexample);
    }
}

#[test]
fn right_sensitivities_of_the_catalog_hold() {
    let add = "\"add-remove\"";
    let cases = [
        ("sum", sum("lower = 0, upper = 100, sensitivity = 100"), add, WHOLE),
        (
            "mean with public n",
            "kind = \"mean\", column = \"x\", lower = 0, upper = 64, rows = 8, noise = \"laplace\", \
             epsilon = 1, sensitivity = 8"
                .to_owned(),
            add,
            WHOLE,
        ),
        (
            "numbers as they are, moved by no more than 1 exactly",
            "kind = \"laplace\", epsilon = 1, sensitivity = 1".to_owned(),
            "{ l1 = 1 }",
            "lower = -1e6, upper = 1e6, size = [1, 5]",
        ),
        (
            "likewise in L2",
            "kind = \"gaussian\", epsilon = 1, delta = 1e-5, sensitivity = 1".to_owned(),
            "{ l2 = 1 }",
            "lower = -10, upper = 10, size = [1, 5]",
        ),
    ];
    for (what, mechanism, relation, domain) in cases {
        assert_held(what, &audited(&mechanism, relation, domain, "true"));
    }
    // A norm and a number of one's own.
    let linf = audited(
        "kind = \"laplace\", scale = 1",
        "{ linf = 1 }",
        "lower = 0, upper = 9, size = 3",
        "{ linf = 1 }",
    );
    assert_held("linf", &linf);
    let groups = audited(
        "kind = \"laplace\", scale = 1",
        "{ linf = 1 }",
        "lower = 0, upper = 9, size = 1",
        "{ l1 = 0.5 }",
    );
    assert_exceeded("half", groups);
}

#[test]
fn mistakes_in_queries_of_programs_are_refuted_exactly() {
    if !python() {
        return;
    }
    let near = "lower = 4503599627370496, upper = 4503599627370497, size = [1, 10]";
    let few = "lower = -1, upper = 2, size = [1, 8]";
    let (add, swap) = ("\"add-remove\"", "\"substitution\"");
    let cases = [
        ("rounded", swap, near, "{ l1 = 1 }"),
        ("mean", add, few, "{ l1 = 0.125 }"),
        ("clamped-after", swap, few, "{ l1 = 1 }"),
        ("overflow", add, "lower = 0, upper = 1e9, integers = true, size = [1, 8]", "{ l1 = 1e9 }"),
        (
            "nan-survives",
            swap,
            "lower = -1, upper = 2, not_finite = true, size = [1, 8]",
            "{ l1 = 1 }",
        ),
        ("fails", swap, few, "{ l1 = 1 }"),
    ];
    for (name, relation, domain, sensitivity) in cases {
        assert_exceeded(name, audited(&program(name), relation, domain, sensitivity));
    }
}

#[test]
fn right_queries_of_programs_hold() {
    if !python() {
        return;
    }
    let not_finite = "lower = -1, upper = 2, not_finite = true, size = [1, 8]";
    let whole = "lower = -3, upper = 3, integers = true, size = [1, 8]";
    assert_held("sum", &audited(&program("sum"), "\"add-remove\"", not_finite, "{ l1 = 1.001 }"));
    assert_held("whole", &audited(&program("sum"), "\"substitution\"", whole, "{ linf = 1 }"));
    // A failure that no dataset is free of tells nothing.
    assert_held("fails", &audited(&program("always-fails"), "\"add-remove\"", whole, "{ l1 = 1 }"));
}

#[test]
#[ignore = "takes several seconds"]
fn what_cannot_be_checked_is_inconclusive_and_says_why() {
    if !python() {
        return;
    }
    let cases = [
        ("old-json", "json", "does not report its query's answer"),
        ("old-npy", "npy", "does not report its query's answer"),
        ("without-query", "json", "does not report its query's answer"),
        ("drifts", "json", "on the same dataset get different answers"),
        ("text", "json", "its answer to a query is invalid"),
    ];
    for (name, format, words) in cases {
        let mechanism = format!("{}, format = \"{format}\"", program(name));
        let domain = "lower = -1, upper = 2, size = [1, 8]";
        let Audited { finding, counterexample, .. } =
            audited(&mechanism, "\"substitution\"", domain, "{ l1 = 1 }");
        assert_eq!(finding.verdict, Verdict::Inconclusive, "{name}: {}", finding.reason());
        assert!(!finding.as_expected && counterexample.is_none(), "{name}");
        assert!(finding.reason().contains(words), "{name}: {}", finding.reason());
        // The trials were played all the same.
        assert!(finding.trials.total > 0, "{name}: {}", finding.reason());
    }
}

/// Counts rows above a limit, and panics at one of them.
struct Fragile;

impl Mechanism<Vec<f64>> for Fragile {
    fn fill(
        &self,
        _: &Vec<f64>,
        runs: usize,
        _: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        (0..runs).for_each(|_| outcomes.push_number(0.0));
        Ok(())
    }

    fn capabilities(&self) -> Capabilities<'_, Vec<f64>> {
        Capabilities { query: Some(self), ..Capabilities::default() }
    }
}

impl Query<Vec<f64>> for Fragile {
    fn answer(&self, rows: &Vec<f64>, _: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        assert!(rows.iter().all(|x| *x < 9.0), "a row is too large");
        Ok(Some(Ok(vec![rows.len() as f64])))
    }
}

#[test]
fn a_query_in_rust_that_panics_for_some_data_is_refuted_and_none_is_refused_without_a_domain() {
    let domain = |upper| {
        let values = Values::Numbers { lower: 0.0, upper, not_finite: false };
        SearchDomain::numbers(values, 0..=5).unwrap()
    };
    let audit = |upper| {
        Audit::of_mechanism("a", Claim::pure(1.0).unwrap(), Fragile)
            .search(domain(upper), Relation::AddRemove)
            .sensitivity(Norm::Linf, 1.0)
            // What it releases does not matter here.
            .may_be_constant()
            .may_show_no_difference()
            .trials(20_000)
    };
    let audited = audit(10.0).run(Control::unattended()).unwrap();
    assert_eq!(audited.finding.verdict, Verdict::Violated, "{}", audited.finding.reason());
    assert!(
        audited.finding.reason().contains("a row is too large"),
        "{}",
        audited.finding.reason()
    );
    assert_held("below", &audit(8.0).run(Control::unattended()).unwrap());
    let without = Audit::of_mechanism("a", Claim::pure(1.0).unwrap(), Fragile)
        .pair(vec![], vec![1.0])
        .sensitivity(Norm::L1, 1.0);
    let error = without.run(Control::unattended()).unwrap_err().to_string();
    assert!(error.contains("no domain"), "{error}");
    let error = audit(8.0).sensitivity(Norm::L1, f64::NAN).run(Control::unattended());
    assert!(error.unwrap_err().to_string().contains("finite and above 0"));
}

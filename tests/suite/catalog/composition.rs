//! Compositions of the catalog: every step's release, in order, and adaptive steps that ask by what was
//! released before.

use plaudit::dataset::Dataset;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{Mechanism, Outcome, Outcomes, Stream, release};
use rand::SeedableRng;
use serde_json::{Value, json};

fn vectors(steps: Value, data: &[f64], runs: usize) -> Vec<Vec<f64>> {
    let mechanism = build("composition", &json!({ "steps": steps })).unwrap();
    let dataset = Dataset::Numbers(data.to_vec());
    mechanism.accepts(&dataset).unwrap();
    let mut outcomes = Outcomes::new();
    release(&mechanism, &dataset, runs, &mut Stream::seed_from_u64(1), &mut outcomes).unwrap();
    let vector = |at: usize| match outcomes.get(at).to_owned() {
        Outcome::Vector(vector) => vector,
        other => panic!("{other:?}"),
    };
    (0..runs).map(vector).collect()
}

#[test]
fn releases_stand_in_the_order_of_the_steps() {
    let exact = json!({ "kind": "gaussian", "sigma": 1e-9 });
    let steps = json!([
        { "mechanism": exact, "entry": 2 },
        { "mechanism": exact, "count": 2, "entry": 0 },
        { "mechanism": exact },
        { "mechanism": { "kind": "discrete-laplace", "scale": 0.01 }, "entry": 1 },
    ]);
    for vector in vectors(steps, &[1.0, 5.0, 9.0], 50) {
        let wanted = [9.0, 1.0, 1.0, 1.0, 5.0, 9.0, 5.0];
        assert_eq!(vector.len(), wanted.len());
        assert!(vector.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-6), "{vector:?}");
    }
}

#[test]
fn an_adaptive_step_asks_by_the_number_before() {
    let steps = json!([
        { "mechanism": { "kind": "laplace", "scale": 1.0 }, "entry": 0 },
        { "mechanism": { "kind": "gaussian", "sigma": 1e-9 }, "entry": 1, "entry_if_positive": 2 },
    ]);
    let released = vectors(steps, &[0.0, 5.0, 9.0], 4000);
    for vector in &released {
        let wanted = if vector[0] > 0.0 { 9.0 } else { 5.0 };
        assert!((vector[1] - wanted).abs() < 1e-6, "{vector:?}");
    }
    let positive = released.iter().filter(|vector| vector[0] > 0.0).count();
    assert!((1800..2200).contains(&positive), "{positive} of 4000");
}

#[test]
fn releases_of_one_run_do_not_depend_on_one_another() {
    let steps = json!([{ "mechanism": { "kind": "gaussian", "sigma": 1.0 }, "count": 2 }]);
    let released = vectors(steps, &[0.0], 20_000);
    let mean: f64 = released.iter().map(|v| v[0] * v[1]).sum::<f64>() / 20_000.0;
    // Standard deviation 1/√20 000 = 0.007.
    assert!(mean.abs() < 0.04, "{mean}");
}

#[test]
fn a_step_that_fails_fails_the_whole() {
    let steps = json!([
        { "mechanism": { "kind": "laplace", "scale": 1.0 } },
        { "mechanism": { "kind": "fault", "fault": "panic", "on": 7.0, "scale": 1.0 } },
    ]);
    let mechanism = build("composition", &json!({ "steps": steps })).unwrap();
    let failures = |x: f64| {
        let (dataset, mut outcomes) = (Dataset::Numbers(vec![x]), Outcomes::new());
        release(&*mechanism, &dataset, 20, &mut Stream::seed_from_u64(3), &mut outcomes).unwrap();
        (0..20).filter(|at| matches!(outcomes.get(*at).to_owned(), Outcome::Failure(_))).count()
    };
    assert_eq!((failures(0.0), failures(7.0)), (0, 20));
}

#[test]
fn bad_steps_are_told() {
    let error =
        |steps: Value| build("composition", &json!({ "steps": steps })).err().unwrap().to_string();
    let laplace = json!({ "kind": "laplace", "scale": 1.0 });
    assert!(error(json!([])).contains("at least one step"));
    assert!(error(json!([{ "mechanism": { "scale": 1.0 } }])).contains("no `kind`"));
    let bad = json!([{ "mechanism": { "kind": "laplace", "scale": -1.0 } }]);
    assert!(error(bad).contains("in `laplace`"));
    assert!(error(json!([{ "mechanism": laplace, "count": 0 }])).contains("nonzero"));
    assert!(error(json!([{ "mechanism": laplace, "count": 1001 }])).contains("too many"));
    assert!(error(json!([{ "mechanism": laplace, "entry_if_positive": 1 }])).contains("`entry`"));
    let nested = json!([{ "mechanism": { "kind": "composition", "steps": [] } }]);
    assert!(error(nested).contains("one list"));
    let far = build("composition", &json!({ "steps": [{ "mechanism": laplace, "entry": 3 }] }));
    let why = far.unwrap().accepts(&Dataset::Numbers(vec![1.0])).unwrap_err();
    assert!(why.contains("step 0: there is no entry 3"), "{why}");
}

//! Every broken mechanism of the catalog that is written against choices is refuted by proof on a
//! small domain, and every right one verified, each on all of it. Nothing is drawn: these tests
//! have no false alarms.

use plaudit::dataset::{Cell, Dataset};
use plaudit::finding::{Decision, Proof};
use plaudit::mechanism::CatalogMechanism;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::choice::Budget;
use plaudit::verify::{Sequences, prove};
use plaudit::{Claim, Relation};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

const LN_3: f64 = 1.098_612_288_668_109_8;

fn mechanism(kind: &str, parameters: Value) -> Box<dyn CatalogMechanism> {
    build(kind, parameters).unwrap_or_else(|error| panic!("{kind}: {error}"))
}

fn whole(values: std::ops::Range<i32>) -> Vec<Cell> {
    values.map(|value| Cell::Number(value.into())).collect()
}

/// All vectors of so many entries.
fn vectors(values: std::ops::Range<i32>, size: usize) -> Sequences {
    Sequences { values: whole(values), least: size, most: size, column: None }
}

/// All tables of one column with up to so many rows.
fn tables(values: &[&str], most: usize) -> Sequences {
    let values = values.iter().map(|value| Cell::Text((*value).to_owned())).collect();
    Sequences { values, least: 0, most, column: Some("word".to_owned()) }
}

fn proof(
    kind: &str,
    parameters: Value,
    sequences: &Sequences,
    relation: &Relation,
    claim: &Claim,
) -> Proof {
    let mechanism = mechanism(kind, parameters);
    let domain = sequences.domain(relation).unwrap();
    let by_choices = mechanism.capabilities().choices.expect("it is written against choices");
    let never = AtomicBool::new(false);
    let proved = prove(by_choices, &domain, Budget::default(), claim, &never).unwrap();
    proved.summary(claim, &domain, Dataset::abridged)
}

const LINF: Relation = Relation::Linf(1.0);
const ADD_REMOVE: Relation = Relation::AddRemove;
const SUBSTITUTION: Relation = Relation::Substitution;

/// δ that stands for what an enumeration of unbounded noise leaves unresolved.
const LEFT: f64 = 1e-12;

fn pure(epsilon: f64) -> Claim {
    Claim::pure(epsilon).unwrap()
}

fn nearly(epsilon: f64) -> Claim {
    Claim::approximate(epsilon, LEFT).unwrap()
}

#[track_caller]
fn decides(
    decision: Decision,
    kind: &str,
    parameters: Value,
    (sequences, relation): (Sequences, Relation),
    claim: Claim,
) -> Proof {
    let proof = proof(kind, parameters, &sequences, &relation, &claim);
    assert_eq!(proof.decision, decision, "{kind}: {}", proof.statement);
    proof
}

use Decision::{Refuted, Undecided, Verified};

#[test]
fn right_mechanisms_of_finitely_many_choices_are_verified_exactly() {
    let bits = || (vectors(0..2, 3), SUBSTITUTION);
    let exact = |proof: Proof, exp: &str| {
        assert_eq!(proof.exp_epsilon.as_deref(), Some(exp), "{}", proof.statement);
        assert_eq!(proof.unresolved, 0.0);
    };
    for (truth, exp, epsilon) in
        [(0.5, "3", LN_3), (0.25, "5/3", (5.0f64 / 3.0).ln()), (0.75, "7", 7f64.ln())]
    {
        let response = json!({ "truth": truth });
        exact(decides(Verified, "randomized-response", response, bits(), pure(epsilon)), exp);
    }
    let response = json!({ "answers": 4, "truth": "1/3" });
    let four = (vectors(0..4, 2), SUBSTITUTION);
    exact(decides(Verified, "k-ary-randomized-response", response, four, pure(LN_3)), "3");
    for (epsilon, n, k) in [(0.1, 5, 5), (1.0, 4, 1), (0.02, 3, 5)] {
        let counts = (vectors(0..n + 1, 1), Relation::Histogram);
        let parameters = json!({ "epsilon": epsilon, "n": n });
        let _ = k;
        let base = 1u64 << (2.0f64 / epsilon).ln().ceil() as u32;
        let claim = pure((base as f64).recip().ln_1p());
        let proof = decides(Verified, "truncated-geometric", parameters, counts, claim);
        exact(proof, &format!("{}/{base}", base + 1));
    }
    let choices = |most| (vectors(0..most, 3), LINF);
    let base = json!({ "base": "3/2" });
    let claim = || pure(2.0 * 1.5f64.ln());
    decides(Verified, "exact-exponential-mechanism", base.clone(), choices(3), claim());
    decides(Verified, "exact-permute-and-flip", base, choices(3), claim());
    // 8 bits, 2 hashes: 4 bits differ at most.
    let clients = (vectors(0..6, 1), SUBSTITUTION);
    let claim = pure(4.0 * (0.75f64 / 0.25).ln());
    let rappor = json!({ "f": 0.5, "bits": 8, "hashes": 2 });
    exact(decides(Verified, "one-time-rappor", rappor, clients, claim), "81");
}

#[test]
#[ignore = "takes several seconds"]
fn right_mechanisms_of_unbounded_noise_are_verified_up_to_a_trillionth() {
    let counts = || (vectors(0..3, 2), Relation::Histogram);
    decides(Verified, "exact-discrete-laplace", json!({ "epsilon": 1 }), counts(), nearly(1.0));
    let one = || (vectors(0..3, 1), Relation::Histogram);
    let gaussian = json!({ "variance": 4 });
    decides(Verified, "exact-discrete-gaussian", gaussian, one(), nearly(4.0));
    let answers = || (vectors(0..3, 3), LINF);
    decides(Verified, "exact-noisy-max", json!({ "epsilon": 1 }), answers(), nearly(1.0));
    let svt = |c: u32| json!({ "epsilon": 1, "threshold": 1, "stop_after": c });
    decides(Verified, "exact-svt-1", svt(1), answers(), nearly(1.0));
    decides(Verified, "exact-svt-1", svt(2), answers(), nearly(1.0));
    decides(Verified, "exact-svt-2", svt(1), answers(), nearly(1.0));
    let rows = || (tables(&["a", "b"], 2), ADD_REMOVE);
    let histogram = json!({ "column": "word", "epsilon": 1, "threshold": 6 });
    let q = (-1f64).exp();
    let delta = q.powi(6) / (1.0 + q) + LEFT;
    let claim = Claim::approximate(1.0, delta).unwrap();
    decides(Verified, "exact-stable-histogram", histogram, rows(), claim);
}

#[test]
#[ignore = "81 datasets of four answers each"]
fn four_answers_of_sparse_vector_techniques_are_decided() {
    let answers = || (vectors(0..3, 4), LINF);
    let once = || json!({ "epsilon": 1, "threshold": 1, "stop_after": 1 });
    let endless = json!({ "epsilon": 1, "threshold": 1 });
    decides(Verified, "exact-svt-1", once(), answers(), nearly(1.0));
    decides(Refuted, "exact-svt-4", once(), answers(), nearly(1.0));
    decides(Refuted, "exact-svt-6", endless, answers(), nearly(1.0));
}

#[test]
fn broken_mechanisms_are_refuted() {
    let answers = |size| (vectors(0..3, size), LINF);
    let base = json!({ "base": "3/2", "factor": 1 });
    let claim = || pure(2.0 * 1.5f64.ln());
    decides(Refuted, "exact-exponential-mechanism", base.clone(), answers(3), claim());
    decides(Refuted, "exact-permute-and-flip", base, answers(3), claim());
    let one = || (vectors(0..3, 1), Relation::Histogram);
    let bounded = json!({ "bound": 3 });
    let proof = decides(Refuted, "exact-bounded-noise", bounded, one(), pure(50.0));
    assert_eq!(proof.epsilon.lower, None);
    let rows = (Sequences { least: 0, ..vectors(1..4, 3) }, ADD_REMOVE);
    let proof = decides(Refuted, "subsample", json!({ "rate": 0.1 }), rows, pure(10.0));
    assert_eq!(proof.epsilon.lower, None);
    let halved = json!({ "scale": 1 });
    decides(Refuted, "exact-noisy-max", halved, answers(3), nearly(1.0));
    let maximum = json!({ "epsilon": 1, "releases": "maximum" });
    decides(Refuted, "exact-noisy-max", maximum, answers(3), nearly(1.0));
    let svt = |threshold| json!({ "epsilon": 1, "threshold": threshold, "stop_after": 1 });
    decides(Refuted, "exact-svt-3", svt(1), (vectors(0..2, 3), LINF), nearly(1.0));
    let endless = json!({ "epsilon": 1, "threshold": 1 });
    decides(Refuted, "exact-svt-5", endless, answers(3), nearly(1.0));
    let rows = || (tables(&["a", "b"], 2), ADD_REMOVE);
    let q = (-1f64).exp();
    let delta = q.powi(6) / (1.0 + q) + LEFT;
    let claim = || Claim::approximate(1.0, delta).unwrap();
    let histogram = |releases: &str| json!({ "column": "word", "epsilon": 1, "threshold": 6, "releases": releases });
    decides(Refuted, "exact-stable-histogram", histogram("at-least"), rows(), claim());
    let all = json!({ "column": "word", "epsilon": 1, "releases": "all" });
    decides(Refuted, "exact-stable-histogram", all, rows(), claim());
    let laplace = json!({ "epsilon": "11/10" });
    decides(Refuted, "exact-discrete-laplace", laplace, one(), nearly(1.0));
}

#[test]
fn what_unresolved_mass_leaves_open_is_undecided() {
    let one = (vectors(0..2, 1), Relation::Histogram);
    let laplace = json!({ "epsilon": 1 });
    let proof = decides(Undecided, "exact-discrete-laplace", laplace, one, pure(1.0));
    assert!(proof.unresolved > 0.0 && proof.unresolved < 1e-14, "{}", proof.unresolved);
    assert_eq!(proof.epsilon.upper, None);
}

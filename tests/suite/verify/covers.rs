//! A proof lifts a verdict only where it covers the neighboring relation as it is stated: of all neighbors on
//! a domain, some as far apart as the relation allows, or by closed form. On an audit's own pairs it
//! may refute, and is else shown beside what was measured.
//!
//! A certified bound contradicts a proof by chance with probability at most 2e-6 in each audit.

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::dataset::{Cell, Dataset};
use plaudit::finding::{Decision, Finding};
use plaudit::game::Control;
use plaudit::mechanism::catalog::build;
use plaudit::verify::{Domain, Extent, Sequences};
use plaudit::{Audit, Choices, Claim, Relation, Verdict};
use serde_json::{Value, json};

const LN_3: f64 = 1.098_612_288_668_109_8;

/// Says 1 with probability 1/10 on 0, 3/10 on 1 and 9/10 on 2: e^ε is 3 for 0 against 1, 7 for 1
/// against 2, and 9 for those that are 2 apart.
#[allow(clippy::ptr_arg, reason = "the datasets of these audits are vectors")]
fn rising(x: &Vec<f64>, choices: &mut Choices<'_>) -> u64 {
    u64::from(choices.chance([1, 3, 9][x[0] as usize], 10))
}

fn audit(claim: f64, d: f64, d_prime: f64) -> Audit<Vec<f64>> {
    Audit::of_choices("rising", Claim::pure(claim).unwrap(), rising)
        .neighbors(Relation::L1(2.0), vec![d], vec![d_prime])
        .unwrap()
        .trials(5_000)
}

fn finding(audit: Audit<Vec<f64>>) -> Finding {
    audit.run(Control::unattended()).unwrap().finding
}

fn domain(numbers: &[f64], relation: Relation) -> Domain<Vec<f64>> {
    let datasets = numbers.iter().map(|&x| vec![x]).collect();
    Domain::of("some numbers", datasets, &relation).unwrap()
}

#[test]
fn a_proof_on_an_audits_own_pairs_lifts_no_verdict() {
    // The claim is false: 0 and 2 are neighbors. Nobody asks, somebody asks.
    for audit in [audit(LN_3, 0.0, 1.0), audit(LN_3, 0.0, 1.0).verify()] {
        let finding = finding(audit);
        let proof = finding.proof.as_ref().expect("it is shown");
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
        assert_eq!((proof.decision, proof.covers_relation), (Decision::Verified, false));
        assert!(
            finding.reason().contains("on the pair of the audit only:"),
            "{}",
            finding.reason()
        );
    }
    // Pairs that nobody checked are no relation either.
    let unchecked = Audit::of_choices("rising", Claim::pure(LN_3).unwrap(), rising)
        .pair(vec![0.0], vec![1.0])
        .trials(5_000);
    assert_eq!(finding(unchecked).verdict, Verdict::NotRefuted);
}

#[test]
fn a_proof_that_refutes_the_claim_on_an_audits_own_pair_is_enough() {
    let finding = finding(audit(1.9, 1.0, 2.0));
    let proof = finding.proof.as_ref().unwrap();
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert_eq!((proof.decision, proof.covers_relation), (Decision::Refuted, false));
}

#[test]
fn a_domain_lifts_the_verdict_if_it_reaches_as_far_as_the_relation() {
    let (l1, l2) = (Relation::L1(1.0), Relation::L1(2.0));
    let on = |claim, domain| finding(audit(claim, 0.0, 1.0).verify_on(domain));
    // e^ε = 9 is below e^2.2 = 9.02.
    let cases = [
        (2.2, domain(&[0.0, 1.0, 2.0], l2.clone()), Verdict::Verified, true),
        (2.1, domain(&[0.0, 1.0, 2.0], l2.clone()), Verdict::Violated, true),
        // No two of them are 2 apart.
        (LN_3, domain(&[0.0, 1.0], l2.clone()), Verdict::NotRefuted, false),
        // A domain of nearer neighbors.
        (2.0, domain(&[0.0, 1.0, 2.0], l1), Verdict::NotRefuted, false),
    ];
    for (claim, domain, verdict, covers) in cases {
        let finding = on(claim, domain);
        assert_eq!(finding.verdict, verdict, "{}", finding.reason());
        assert_eq!(finding.proof.as_ref().unwrap().covers_relation, covers, "{}", finding.reason());
    }
    let words = on(LN_3, domain(&[0.0, 1.0], l2)).reason();
    assert!(
        words.contains("where no neighbors are as far apart as l1 distance 2 allows"),
        "{words}"
    );
}

/// Zero and one are two rows that are neighbors under substitution; 0 and 5 are two others.
#[test]
fn a_domain_of_some_values_does_not_cover_substitution() {
    let spec = |mechanism: &str, relation: &str, verify: &str| {
        format!(
            "[[audit]]\nname = \"rows\"\nmechanism = {mechanism}\nrelation = \"{relation}\"\npairs = \
             [{{ d = [0], d_prime = [1] }}]\nclaim = {{ epsilon = 1.0986122886681098, delta = 1e-6 }}\n\
             trials = 40_000\nverify = {verify}\n"
        )
    };
    let noise = "{ kind = \"exact-discrete-laplace\", epsilon = 1 }";
    let response = "{ kind = \"randomized-response\", truth = 0.5 }";
    let four = "{ kind = \"k-ary-randomized-response\", answers = 4, truth = \"1/3\" }";
    let count = "{ kind = \"truncated-geometric\", epsilon = 0.2, n = 5 }";
    let (two, all) = ("{ values = [0, 1], size = 1 }", "{ values = [0, 1, 2, 3], size = 1 }");
    let six = "{ values = [0, 1, 2, 3, 4, 5], size = 1 }";
    for (mechanism, verify, covers) in [
        (noise, two, false),
        (response, two, true),
        (four, two, false),
        (four, all, true),
        (count, all, false),
        (count, six, true),
    ] {
        let folder = Folder::new();
        let path = folder.spec("spec.toml", &spec(mechanism, "substitution", verify));
        let loaded = plaudit::spec::load(&[path], &plaudit::spec::Overrides::default()).unwrap();
        let finding = loaded[0].audit.run(Control::unattended()).unwrap().finding;
        let proof = finding.proof.as_ref().unwrap();
        let what = format!("{mechanism} {verify}: {}", finding.reason());
        assert_eq!((proof.decision, proof.covers_relation), (Decision::Verified, covers), "{what}");
        let verdict = if covers { Verdict::Verified } else { Verdict::NotRefuted };
        assert_eq!(finding.verdict, verdict, "{what}");
        let only = "only, as rows of other values are neighbors under substitution, too";
        assert_eq!(finding.reason().contains(only), !covers, "{what}");
    }
}

/// In Rust nobody but the author knows which values rows may have.
#[test]
fn a_domain_of_rust_datasets_covers_substitution_if_it_is_said_to_be_exhaustive() {
    for relation in [Relation::Substitution, Relation::Histogram] {
        let some = domain(&[0.0, 1.0], relation.clone());
        let extent = if relation == Relation::Substitution {
            Extent::Values(relation.clone())
        } else {
            Extent::Whole(relation.clone())
        };
        assert_eq!(some.extent, extent);
        assert_eq!(some.exhaustive().extent, Extent::Whole(relation.clone()));
    }
}

/// Two keys are as good as any, where datasets have two rows at most.
#[test]
fn keys_that_are_told_apart_by_name_alone_cover_others() {
    let parameters = json!({"column": "word", "epsilon": 1, "threshold": 6});
    let mechanism = build("exact-stable-histogram", parameters).unwrap();
    let keys = ["a", "b"].map(|key| Cell::Text(key.to_owned()));
    for (rows, relation, covers) in [
        (2, Relation::AddRemove, true),
        (3, Relation::AddRemove, false),
        (1, Relation::Substitution, true),
        (2, Relation::Substitution, false),
    ] {
        assert_eq!(mechanism.covers(&keys, rows, &relation), covers, "{rows} {relation}");
    }
}

/// The numbers of docs/spec-claims.md.
#[test]
fn the_largest_domains_are_those_that_the_documentation_names() {
    let said = |values: u32, relation: Relation| {
        let values = (0..values).map(|x| Cell::Number(x.into())).collect();
        let sequences = Sequences { values, least: 1, most: 1, column: None };
        sequences.domain(&relation).map(|domain| domain.datasets.len()).map_err(|e| e.to_string())
    };
    let more_than = |most: &str| {
        Err(format!("the domain has more than {most}: name fewer values, or fewer of them"))
    };
    for relation in [Relation::L1(1.0), Relation::Histogram] {
        assert_eq!(said(3_000, relation.clone()), Ok(3_000));
        assert_eq!(said(3_001, relation.clone()), more_than("3000 datasets"));
    }
    let relation = Relation::Substitution;
    assert_eq!(said(1_414, relation.clone()), Ok(1_414));
    assert_eq!(said(20_000, relation.clone()), more_than("1000000 pairs"));
    assert_eq!(said(20_001, relation.clone()), more_than("20000 datasets"));
}

/// Sums of doubles are rounded: 0.1 + 0.2 is as far as 0.3.
#[test]
fn rounding_makes_no_neighbors_nearer() {
    let close = |numbers: &[f64], relation| domain(numbers, relation).extent;
    let third = Relation::L1(0.3);
    assert_eq!(close(&[0.0, 0.1 + 0.2], third.clone()), Extent::Whole(third.clone()));
    assert_eq!(close(&[0.0, 0.3 - 1e-15], third.clone()), Extent::Whole(third.clone()));
    assert_eq!(close(&[0.0, 0.3 - 1e-9], third.clone()), Extent::Nearer(third));
}

#[test]
fn closed_forms_cover_own_pairs_of_different_lengths() {
    let mechanism = build("laplace", json!({"epsilon": 1, "sensitivity": 1})).unwrap();
    let numbers = |numbers: &[f64]| Dataset::Numbers(numbers.to_vec());
    let finding = Audit::of_mechanism("lengths", Claim::pure(1.0).unwrap(), mechanism)
        .neighbors(Relation::L1(1.0), numbers(&[0.0]), numbers(&[1.0]))
        .unwrap()
        .neighbors(Relation::L1(1.0), numbers(&[0.0; 3]), numbers(&[0.0, 0.0, 1.0]))
        .unwrap()
        .trials(5_000)
        .run(Control::unattended())
        .unwrap()
        .finding;
    assert_eq!(finding.verdict, Verdict::Verified, "{}", finding.reason());
    let words = finding.proof.unwrap().domain.words;
    assert!(words.starts_with("all lists of at most 3 real numbers"), "{words}");
}

const SPEC: &str = r#"[[audit]]
name = "counts"
mechanism = { kind = "truncated-geometric", epsilon = 0.5, n = 3 }
relation = { l1 = 2 }
pairs = [{ d = [1], d_prime = [2] }]
claim = { epsilon = 0.3 }
trials = 20_000
"#;

/// The claim is false: of neighbors e^ε is 25/16, that is ε = 0.45, and 5/4 on the pair.
#[test]
fn a_false_claim_is_not_green_on_the_command_line() {
    let folder = Folder::new();
    let path = folder.spec("spec.toml", SPEC);
    let out = folder.path().join("reports");
    let output = plaudit().arg("audit").arg(&path).arg("--out").arg(&out).output().unwrap();
    assert!(stdout(&output).contains("1 not refuted"), "{}{}", stdout(&output), stderr(&output));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(report["audits"][0]["verdict"], "not refuted");
    assert_eq!(report["audits"][0]["proof"]["covers_relation"], false);
    assert!(read("index.html").contains("on these pairs only"));
    // A command that is asked for proofs alone says that this is none.
    let output = plaudit().args(["verify", "--all"]).arg(&path).output().unwrap();
    let words = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.starts_with("proved on these pairs only, UNEXPECTED  counts"), "{words}");
    folder.spec("spec.toml", &format!("{SPEC}verify = {{ values = [0, 1, 2, 3], size = 1 }}\n"));
    let output = plaudit().arg("verify").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
}

/// The audits that ship and are proved without `verify` being their subject.
#[test]
fn shipped_audits_of_enumerated_laws_are_proved_on_all_neighbors() {
    let names = [
        "randomized-response",
        "randomized-response-poll",
        "truncated-geometric",
        "randomized-response-tradeoff",
    ];
    let files = ["randomized-response.toml", "discrete.toml", "claims.toml"];
    let files: Vec<_> = files.iter().map(|file| format!("audits/{file}").into()).collect();
    let loaded = plaudit::spec::load(&files, &plaudit::spec::Overrides::default()).unwrap();
    let never = std::sync::atomic::AtomicBool::new(false);
    for name in names {
        let loaded = loaded.iter().find(|loaded| loaded.audit.name() == name).expect(name);
        let proof = loaded.audit.prove(&never).unwrap().unwrap().unwrap();
        assert_eq!(proof.decision, Decision::Verified, "{}", proof.statement);
        assert!(proof.covers_relation, "{}", proof.statement);
    }
}

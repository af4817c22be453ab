//! `post` in a spec: one audit becomes two, the second of what becomes of the outcomes.
//!
//! The right claims are audited at level 1e-9, and at one seed.

use plaudit::audit::Audited;
use plaudit::dataset::Dataset;
use plaudit::finding::{Expectation, PostSummary, Verdict};
use plaudit::game::Control;
use plaudit::mutants::mutants;
use plaudit::rebuild::rebuild;
use plaudit::spec::{Loaded, Overrides, check_startable, parse};
use std::path::Path;

fn spec(mechanism: &str, more: &str) -> String {
    format!(
        "[[audit]]\nname = \"a.b\"\nmechanism = {{ {mechanism} }}\nrelation = {{ linf = 1 }}\n\
         pairs = [{{ d = [0], d_prime = [1] }}]\nclaim = {{ epsilon = 1 }}\n{more}\n"
    )
}

const LAPLACE: &str = "kind = \"laplace\", scale = 1";
const BOUNDED: &str = "kind = \"bounded-noise\", bound = 2.0";

fn read(text: &str) -> Vec<Loaded> {
    let settings = Overrides { trials: Some(40_000), alpha: Some(1e-9), ..Overrides::default() };
    parse(text, Path::new("spec.toml"), &settings).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The audit as it is and the one of processed outcomes.
fn two(mechanism: &str, more: &str) -> [Loaded; 2] {
    read(&spec(mechanism, more)).try_into().unwrap_or_else(|_| panic!("two audits"))
}

fn run(loaded: &Loaded) -> Audited {
    loaded.audit.run(Control::unattended()).unwrap()
}

#[test]
fn an_audit_with_post_is_two() {
    let [before, after] = two(LAPLACE, "post = [\"clamp:0,1\", \"round:0.5\"]\nseed = 7");
    let words = "clamped between 0 and 1, then rounded to multiples of 0.5";
    assert_eq!(before.audit.name(), "a.b");
    assert_eq!(after.audit.name(), format!("a.b, then {words}"));
    assert_eq!(after.audit.claim(), before.audit.claim());
    assert_eq!(after.audit.pairs(), before.audit.pairs());
    assert_eq!(after.audit.settings(), before.audit.settings());
    assert_eq!((after.line, &after.file), (before.line, &before.file));
    assert!(before.audit.summary().post.is_empty());
    assert_eq!(after.audit.summary().post, ["clamp:0,1", "round:0.5"]);
    assert_eq!(after.audit.summary().parameters, before.audit.summary().parameters);
    let description = &after.audit.summary().description;
    assert_eq!(
        *description,
        format!("{}; post-processing: {words}", before.audit.summary().description)
    );
    let [before, after] = [&before, &after].map(|loaded| run(loaded).finding);
    assert_eq!(before.post, None);
    let post = PostSummary { words: words.into(), before: "a.b".into() };
    assert_eq!(after.post, Some(post));
    assert!(before.as_expected && after.as_expected, "{} {}", before.reason(), after.reason());
    // What comes out is 0, 0.5 or 1.
    for (bin, count) in after.witness.bins.iter().zip(&after.tally.d) {
        assert!(*count == 0 || ["[0, 0.5)", "[0.5, 1)", "1 and above"].contains(&&*bin.label));
    }
}

#[test]
fn what_is_expected_after_is_said_or_is_the_same() {
    let expected = |more: &str| two(LAPLACE, more).map(|one| one.audit.settings().expect);
    use Expectation::{NotViolated, Violated};
    assert_eq!(expected("post = \"argmax\""), [NotViolated; 2]);
    assert_eq!(expected("post = \"argmax\"\nexpect = \"violated\""), [Violated; 2]);
    let more = "post = \"argmax\"\nexpect = \"violated\"\nexpect_after = \"not violated\"";
    assert_eq!(expected(more), [Violated, NotViolated]);
    assert_eq!(expected("post = \"argmax\"\nexpect_after = \"violated\""), [NotViolated, Violated]);
}

/// And what is violated can be replayed from its certificate alone.
#[test]
fn post_processing_may_hide_a_violation_or_keep_it() {
    let hides = two(
        BOUNDED,
        "expect = \"violated\"\npost = \"threshold:1\"\nexpect_after = \"not violated\"",
    );
    let [before, after] = hides.map(|loaded| run(&loaded).finding);
    assert_eq!(before.verdict, Verdict::Violated);
    assert_eq!(after.verdict, Verdict::NotRefuted, "{}", after.reason());
    let [_, kept] = two(BOUNDED, "expect = \"violated\"\npost = \"round:0.5\"");
    let audited = run(&kept);
    assert_eq!(audited.finding.verdict, Verdict::Violated);
    let certificate = audited.certificate.unwrap();
    assert_eq!(certificate.mechanism.post, ["round:0.5"]);
    let again = rebuild(&certificate.mechanism).unwrap();
    assert_eq!(again.describe(), certificate.mechanism.description);
    let outcomes = plaudit::mechanism::release(
        &again,
        &Dataset::Numbers(vec![0.0]),
        100,
        &mut rand::SeedableRng::seed_from_u64(1),
        &mut Default::default(),
    );
    outcomes.unwrap();
}

#[test]
fn laws_that_can_be_enumerated_are_still_proved() {
    let mechanism = "kind = \"k-ary-randomized-response\", answers = 3, truth = \"1/2\"";
    let more = "verify = true\npost = \"threshold:1\"\nmin_power = false";
    let proofs = two(mechanism, more).map(|loaded| run(&loaded).finding.proof.unwrap());
    let [before, after] = proofs.map(|proof| proof.epsilon.upper.unwrap());
    assert!(0.0 < after && after <= before, "{before} {after}");
    // The closed form of noise says nothing of what becomes of it.
    let proofs = two(LAPLACE, "verify = true\npost = \"argmax\"\nconstant = \"allowed\"");
    let [before, after] = proofs.map(|loaded| run(&loaded).finding.proof);
    assert!(before.is_some() && after.is_none());
}

#[test]
fn declared_outcomes_are_processed_and_each_stands_once() {
    let mechanism = "kind = \"k-ary-randomized-response\", answers = 3, truth = \"1/2\"";
    let more = "outcomes = [0, 1, 2]\npost = \"threshold:1\"\nverify = false";
    let [before, after] =
        two(mechanism, more).map(|loaded| run(&loaded).finding.upper.unwrap().outcomes);
    assert_eq!((before, after), (3, 2));
}

#[test]
fn a_search_looks_for_pairs_of_both() {
    let text = "[[audit]]\nname = \"a\"\nmechanism = { kind = \"laplace\", scale = 1 }\n\
                relation = { l1 = 1 }\ndomain = { lower = 0, upper = 1, size = 2 }\nclaim = { epsilon = 1 }\n\
                post = \"argmax\"\n";
    let loaded = read(text);
    assert_eq!(loaded.len(), 2);
    for one in &loaded {
        let finding = run(one).finding;
        assert!(finding.as_expected, "{}: {}", finding.name, finding.reason());
    }
}

#[test]
fn recorded_outcomes_are_not_processed() {
    let text = "[[audit]]\nname = \"a\"\nrecorded = { d = \"a.txt\", d_prime = \"b.txt\" }\nclaim = { epsilon = 1 }\n\
                relation = \"add-remove\"\npost = \"argmax\"\n";
    let errors = parse(text, Path::new("spec.toml"), &Overrides::default()).err().unwrap();
    let said = errors.to_string();
    assert!(said.contains("6:8: recorded outcomes are audited as they were recorded"), "{said}");
}

/// Both audits lack the same program.
#[cfg(unix)]
#[test]
fn a_program_that_is_missing_is_told_once() {
    let [before, after] = two("command = [\"./no-such-program\"]", "post = \"argmax\"");
    assert!(before.not_startable.is_some() && after.not_startable.is_some());
    assert_eq!(check_startable(&[before, after]).unwrap_err().0.len(), 1);
}

/// Half the noise must be found; what post-processing hides need not be.
#[test]
fn mutants_are_of_the_outcomes_as_they_are() {
    let text = spec(LAPLACE, "post = \"argmax\"\nexpect_after = \"not violated\"");
    let made = mutants(&text, Path::new("spec.toml")).unwrap();
    assert_eq!(made.names, ["a.b-mutant"]);
    assert!(!made.text.contains("post") && !made.text.contains("expect_after"), "{}", made.text);
}

//! Right specs: what is read is what was written.

use plaudit::Settings;
use plaudit::claim::{Claim, Form, Rule};
use plaudit::dataset::{Dataset, Pair};
use plaudit::finding::{Expectation, Topic};
use plaudit::spec::{DEFAULT_ALPHA, DEFAULT_SEED, DEFAULT_TRIALS, Loaded, Overrides, load};
use std::path::PathBuf;

fn good(path: &str, overrides: Overrides) -> Vec<Loaded> {
    load(&[PathBuf::from(path)], &overrides).unwrap()
}

fn parse(text: &str) -> Vec<Loaded> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spec.toml");
    std::fs::write(&file, text).unwrap();
    load(&[file], &Overrides::default()).unwrap()
}

#[test]
fn an_audit_outranks_its_file_and_the_file_outranks_what_is_built_in() {
    let settings = |loaded: &Loaded| {
        let Settings { trials, alpha, seed, .. } = *loaded.audit.settings();
        (trials, alpha, seed)
    };
    let file = good("tests/specs/good/laplace.toml", Overrides::default());
    assert_eq!(settings(&file[0]), (20_000, 1e-4, 5));
    assert_eq!(settings(&file[1]), (40_000, 1e-3, 7));
    let survey = good("tests/specs/good/survey.toml", Overrides::default());
    assert_eq!(settings(&survey[0]), (DEFAULT_TRIALS, DEFAULT_ALPHA, DEFAULT_SEED));
}

#[test]
fn the_command_line_outranks_all() {
    let command = Overrides { trials: Some(1234), seed: Some(0), ..Overrides::default() };
    for loaded in good("tests/specs/good/laplace.toml", command) {
        assert_eq!((loaded.audit.settings().trials, loaded.audit.settings().seed), (1234, 0));
        assert_ne!(loaded.audit.settings().alpha, DEFAULT_ALPHA);
    }
}

#[test]
fn an_audit_is_read_as_it_is_written() {
    let loaded = good("tests/specs/good/laplace.toml", Overrides::default());
    let [first, second] = &loaded[..] else { panic!("two audits") };
    assert_eq!(first.audit.name(), "laplace");
    assert_eq!(first.audit.about(), Some("Laplace noise, as it should be"));
    assert_eq!(*first.audit.claim(), Claim::pure(1.0).unwrap());
    assert_eq!(first.audit.settings().expect, Expectation::NotViolated);
    assert_eq!(first.audit.relation(), "linf distance 1");
    assert_eq!(first.audit.summary().kind.to_string(), "laplace");
    let parameters = serde_json::json!({ "epsilon": 1.0, "sensitivity": 1.0 });
    assert_eq!(first.audit.summary().parameters, parameters);
    assert_eq!(first.audit.pairs()[0].name, "zero and one");
    assert_eq!(first.audit.pairs()[0].d, Dataset::Numbers(vec![0.0]));
    assert_eq!(first.audit.pairs()[0].d_prime, Dataset::Numbers(vec![1.0]));
    assert_eq!(*second.audit.claim(), Claim::approximate(1.0, 1e-5).unwrap());
    assert_eq!(second.audit.settings().expect, Expectation::Violated);
}

/// What a certificate carries of a mechanism is enough to build it again.
#[test]
fn mechanisms_are_built_again_from_their_summaries() {
    for folder in ["tests/specs/good", "audits"] {
        let loaded = good(folder, Overrides::default());
        assert!(!loaded.is_empty());
        for Loaded { audit, .. } in loaded {
            let text = serde_json::to_string(audit.summary()).unwrap();
            let again = plaudit::rebuild::rebuild(&serde_json::from_str(&text).unwrap());
            assert_eq!(again.unwrap().describe(), audit.summary().description, "{}", audit.name());
        }
    }
}

/// The relation in words, as certificates carry it, is enough to check the pairs again.
#[test]
fn relations_and_pairs_survive_the_way_to_json_and_back() {
    for Loaded { audit, .. } in good("audits", Overrides::default()) {
        let relation = plaudit::spec::relation_from_words(&audit.relation()).unwrap();
        for pair in audit.pairs() {
            let text = serde_json::to_string(pair).unwrap();
            let again: Pair<Dataset> = serde_json::from_str(&text).unwrap();
            assert_eq!(again, *pair);
            relation.check_group(&again.d, &again.d_prime, audit.claim().group_size()).unwrap();
        }
    }
}

#[test]
fn rows_are_changed_as_the_pairs_say() {
    let loaded = good("tests/specs/good/survey.toml", Overrides::default());
    let rows = |dataset: &Dataset| dataset.table().unwrap().rows.len();
    let sizes: Vec<_> =
        loaded[0].audit.pairs().iter().map(|pair| (rows(&pair.d), rows(&pair.d_prime))).collect();
    assert_eq!(sizes[0], (944, 943));
    assert_eq!(sizes[1], (944, 945));
    assert_eq!(sizes.len(), 1 + 1 + 2 + 3);
    assert!(
        loaded[0]
            .audit
            .pairs()
            .iter()
            .all(|pair| pair.d.table().unwrap().columns == ["vote", "income"])
    );
}

#[test]
fn people_with_many_rows_are_removed_and_replaced() {
    let loaded = good("tests/specs/people", Overrides::default());
    let difference = |loaded: &Loaded| -> Vec<String> {
        let relation = loaded.audit.checked().unwrap();
        assert_eq!(relation.to_string(), loaded.audit.relation());
        let pairs = loaded.audit.pairs().iter();
        pairs.map(|pair| relation.difference_words(&pair.d, &pair.d_prime)).collect()
    };
    assert_eq!(loaded[0].audit.relation(), "remove-all \"id\", most_rows = 3");
    let removed = difference(&loaded[0]);
    assert_eq!(removed[0], "person id 1 removed: 2 rows");
    assert_eq!(removed[1..3], ["person id 1 removed: 2 rows", "person id 3 removed: 1 row"]);
    assert_eq!(removed.len(), 6);
    assert_eq!(removed[5], "person id 4 added: 1 row");
    let replaced = difference(&loaded[1]);
    assert_eq!(replaced[0], "person id 1: 2 rows replaced by 1 row");
    assert_eq!(replaced[1], "person id 2: 2 rows replaced by 2 rows");
    assert_eq!(replaced[3], "person id 3: 1 row replaced by 2 rows");
    assert!(loaded[2].audit.searches().is_some());
    assert_eq!(difference(&loaded[3]), ["person id 2 removed: 2 rows"]);
    assert_eq!(loaded.len(), 4);
}

#[test]
fn a_folder_is_its_specs_by_name_each_once() {
    let folder = good("tests/specs/good", Overrides::default());
    let names: Vec<_> = folder.iter().map(|loaded| loaded.audit.name()).collect();
    assert_eq!(names, ["laplace", "laplace-understated", "voters-count"]);
    let paths = ["tests/specs/good", "tests/specs/good/laplace.toml"].map(PathBuf::from);
    assert_eq!(load(&paths, &Overrides::default()).unwrap().len(), 3);
}

#[test]
fn a_folder_without_specs_has_no_audits_and_no_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    assert!(load(&[folder.path().to_owned()], &Overrides::default()).unwrap().is_empty());
}

#[test]
fn numbers_are_changed_as_the_pairs_say() {
    let loaded = parse(
        "[[audit]]\nname = \"a\"\n\
         mechanism = { kind = \"laplace\", epsilon = 1, sensitivity = 1 }\n\
         data = { numbers = [3] }\n\
         relation = { linf = 1 }\n\
         pairs = [{ replace = 0, with = 4 }]\n\
         claim = { mu = 1 }\ntrials = 1e3\nseed = 18446744073709551615\n",
    );
    let audit = &loaded[0].audit;
    assert_eq!(audit.pairs()[0].d, Dataset::Numbers(vec![3.0]));
    assert_eq!(audit.pairs()[0].d_prime, Dataset::Numbers(vec![4.0]));
    assert_eq!((audit.settings().trials, audit.settings().seed), (1000, u64::MAX));
    assert_eq!(*audit.claim(), Claim::gaussian(1.0).unwrap());
}

#[test]
fn claims_of_every_form_are_read_as_they_are_written() {
    let claim = |written: &str| {
        let text = format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ kind = \"laplace\", scale = 1 }}\n\
             relation = {{ linf = 1 }}\npairs = [{{ d = [0], d_prime = [1] }}]\n\
             claim = {{ {written} }}\n"
        );
        parse(&text).remove(0).audit.claim().clone()
    };
    let rule = |rule, delta_prime| Form::Composed {
        rule,
        epsilon: 0.01,
        delta: 0.0,
        count: 4,
        delta_prime,
    };
    let wanted = [
        ("epsilon = 1", Claim::pure(1.0)),
        ("epsilon = 1, delta = 0.1", Claim::approximate(1.0, 0.1)),
        ("mu = 2", Claim::gaussian(2.0)),
        ("rho = 0.5", Claim::zero_concentrated(0.5)),
        ("renyi = [{ order = 2, epsilon = 1 }]", Claim::renyi([(2.0, 1.0)])),
        ("profile = [[0, 0.5], [1, 0.1]]", Claim::profile(vec![(0.0, 0.5), (1.0, 0.1)])),
        ("tradeoff = [[0, 0.5], [0.5, 0.1]]", Claim::tradeoff(vec![(0.0, 0.5), (0.5, 0.1)])),
        ("rule = \"basic\", epsilon = 0.01, count = 4", rule(Rule::Basic, None).try_into()),
        (
            "rule = \"advanced\", epsilon = 0.01, count = 4, delta_prime = 1e-6",
            rule(Rule::Advanced, Some(1e-6)).try_into(),
        ),
        (
            "rule = \"advanced-short\", epsilon = 0.01, count = 4, delta_prime = 1e-6",
            rule(Rule::AdvancedShort, Some(1e-6)).try_into(),
        ),
        ("mu = 2, group = 3", Claim::gaussian(2.0).and_then(|claim| claim.for_groups(3))),
    ];
    for (written, wanted) in wanted {
        assert_eq!(claim(written), wanted.unwrap(), "{written}");
    }
}

#[test]
fn what_people_state_is_read_for_the_file_and_for_each_audit() {
    let text = r#"
        [evaluation]
        unit = "one person"
        trust = " a curator "

        [[audit]]
        name = "a"
        mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
        relation = { linf = 1.0 }
        pairs = [{ d = [0.0], d_prime = [1.0] }]
        claim = { epsilon = 1.0 }
        evaluation = { unit = "one household" }
    "#;
    let loaded = parse(text);
    let stated = loaded[0].audit.evaluation();
    let expected = [(Topic::Unit, "one household"), (Topic::Trust, "a curator")];
    assert_eq!(*stated, expected.map(|(topic, words)| (topic, words.to_owned())).into());
}

use super::*;

fn laplace() -> Case {
    cases().unwrap().into_iter().find(|case| case.audit.name == "laplace-1").unwrap()
}

#[test]
fn the_oracle_is_as_it_stands_where_it_was_computed() {
    let case = laplace();
    for &(runs, epsilon) in &case.oracle {
        let told = case.oracle_at(2 * runs as u64).unwrap();
        assert!((told - epsilon).abs() < 1e-12, "{runs}: {told} {epsilon}");
    }
}

/// The gap of the guess test is like the root of the number of runs.
#[test]
fn the_oracle_between_and_beyond_follows_the_root_of_the_runs() {
    let case = laplace();
    let gap = |trials| 1.0 - case.oracle_at(trials).unwrap();
    for (fewer, more) in [(10_000, 40_000), (100_000, 400_000), (10_000_000, 40_000_000)] {
        let ratio = gap(fewer) / gap(more);
        assert!((1.9..2.1).contains(&ratio), "{fewer}: {ratio}");
    }
}

#[test]
fn a_mistake_in_the_catalog_is_told() {
    for text in ["", "audit = 1", "[[audit]]\ntruth = 1", "[[audit]]\nname = \"a\""] {
        assert!(read(text).is_err(), "{text}");
    }
}

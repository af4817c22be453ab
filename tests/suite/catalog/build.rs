//! Building mechanisms from parameters: every kind, and everything that cannot be.

use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::CatalogMechanism;
use plaudit::mechanism::catalog::{KINDS, build};
use plaudit::mechanism::{Mechanism, Outcome, Outcomes, Stream, release, run};
use rand::SeedableRng;
use serde_json::{Value, json};

/// Parameters that build a kind.
fn example(kind: &str) -> Value {
    match kind {
        "bounded-noise" => json!({"bound": 1.0}),
        "composition" => json!({"steps": [
            {"mechanism": {"kind": "laplace", "scale": 1.0}, "count": 2, "entry": 0},
            {"mechanism": {"kind": "gaussian", "sigma": 1.0}},
        ]}),
        "count" => json!({
            "where": {"column": "vote", "equals": 1}, "noise": "discrete-laplace", "scale": 1
        }),
        "count-mean-sketch" | "hadamard-count-mean-sketch" | "local-hashing" => {
            json!({"answers": 3, "hashes": 2, "buckets": 4, "odds": 4})
        }
        "cube-privunit" => json!({"dimension": 3, "distance": 1, "odds": 4}),
        "discrete-gaussian" => json!({"sigma": 2.0}),
        "discrete-laplace" | "laplace" | "laplace-in-floats" | "prefix-sum" => {
            json!({"epsilon": 1, "sensitivity": 1})
        }
        "dp-sgd" => json!({
            "model": "logistic", "sampling": {"poisson": 0.5}, "clip": 1, "sigma": 1.0, "steps": 2,
            "rate": 0.5, "batch": 1, "releases": "iterates"
        }),
        "erm" => json!({"method": "objective", "epsilon": 1, "lambda": 0.5}),
        "exact-bounded-noise" => json!({"bound": 2}),
        "exact-discrete-gaussian" => json!({"variance": "9/4"}),
        "exact-discrete-laplace" | "exact-noisy-max" => json!({"epsilon": "2/3"}),
        "exact-exponential-mechanism" | "exact-permute-and-flip" => json!({"base": 1.5}),
        "exact-stable-histogram" => json!({"column": "income", "epsilon": 1, "threshold": 2}),
        "exact-svt-1" | "exact-svt-2" | "exact-svt-3" | "exact-svt-4" => {
            json!({"epsilon": 1, "threshold": 1, "stop_after": 1})
        }
        "exact-svt-5" | "exact-svt-6" => json!({"epsilon": 1, "threshold": 1}),
        "exponential-mechanism" | "permute-and-flip" => json!({"epsilon": 1.0}),
        "fault" => json!({"fault": "nan", "on": 7.0, "scale": 1.0}),
        "gaussian" | "gaussian-in-floats" => {
            json!({"epsilon": 1.0, "delta": 1e-5, "sensitivity": 1.0})
        }
        "hadamard-response" => json!({"answers": 3, "odds": 4}),
        "histogram" => json!({
            "column": "income", "cells": [1, 2, 3], "noise": "discrete-gaussian", "sigma": 1.0
        }),
        "k-ary-randomized-response" => json!({"answers": 3, "truth": "1/3"}),
        "laplace-parallel" => json!({"copies": 3, "scale": 2.0}),
        "laplace-shares" => json!({"parties": 2, "odds": 4}),
        "mean" | "sum" => json!({
            "column": "income", "lower": 0, "upper": 3,
            "noise": "gaussian", "epsilon": 1, "delta": 0.01, "sensitivity": 1
        }),
        "median" => json!({
            "column": "income", "lower": 0, "upper": 5, "epsilon": 1.0, "sensitivity": 0.5
        }),
        "memoised-rappor" => json!({
            "f": 0.5, "set": 0.6, "unset": 0.4, "bits": 4, "hashes": 1, "reports": 2
        }),
        "noisy-max" => json!({"noise": "laplace", "epsilon": 1.0}),
        "binary-tree" => json!({"epsilon": 1.0}),
        "gaussian-svt" => json!({
            "threshold_sigma": 1.0, "query_sigma": 2.0, "threshold": 0.5, "stop_after": 1
        }),
        "partition-selection" => json!({"noise": "laplace", "scale": 1.0, "threshold": 3}),
        "propose-test-release" => json!({"epsilon": 1.0, "delta": 0.1}),
        "gap-svt" | "numerical-svt" | "svt-1" | "svt-2" | "svt-3" | "svt-4" => {
            json!({"epsilon": 1.0, "threshold": 0.5, "stop_after": 1})
        }
        "one-bit-mean" => json!({"most": 3, "odds": 4}),
        "one-time-rappor" => json!({"f": 0.5}),
        "pate" => json!({"teachers": 2, "classes": 2, "epsilon": 1, "queries": 2}),
        "randomized-response" => json!({"truth": 0.5}),
        "rappor" => json!({"f": 0.5, "set": 0.6, "unset": 0.4}),
        "snapping" => json!({"epsilon": 1.0, "bound": 10.0}),
        "stable-histogram" => json!({"column": "income", "epsilon": 1, "delta": 0.1}),
        "subsample" => json!({"rate": 0.5}),
        "subset-selection" => json!({"answers": 3, "size": 1, "odds": 4}),
        "svt-5" | "svt-6" => json!({"epsilon": 1.0, "threshold": 0.5}),
        "thresholded-histogram-encoding" => {
            json!({"answers": 3, "base": 2, "steps": 2, "threshold": 1})
        }
        "truncated-geometric" => json!({"epsilon": 0.1, "n": 5}),
        "unary-encoding" => json!({"answers": 3, "encoding": "symmetric", "odds": 4}),
        other => panic!("no example for {other}"),
    }
}

fn built(kind: &str) -> Box<dyn CatalogMechanism> {
    build(kind, example(kind)).unwrap_or_else(|error| panic!("{kind}: {error}"))
}

fn survey() -> Dataset {
    let row = |vote: f64, income: f64| vec![Cell::Number(vote), Cell::Number(income)];
    let columns = vec!["vote".into(), "income".into()];
    Dataset::Table(Table::new(columns, vec![row(1.0, 2.0), row(0.0, 3.0)]).unwrap())
}

fn takes_tables(kind: &str) -> bool {
    let summaries = ["count", "exact-stable-histogram", "histogram", "mean", "median", "sum"];
    learns(kind) || summaries.contains(&kind) || kind == "stable-histogram"
}

/// Whether the last column of its tables is a label.
fn learns(kind: &str) -> bool {
    ["dp-sgd", "erm", "pate"].contains(&kind)
}

/// Rows whose last column is a label.
fn labelled() -> Dataset {
    let row = |income: f64, vote: f64| vec![Cell::Number(income), Cell::Number(vote)];
    let columns = vec!["income".into(), "vote".into()];
    Dataset::Table(Table::new(columns, vec![row(2.0, 1.0), row(3.0, 0.0)]).unwrap())
}

fn dataset_for(kind: &str) -> Dataset {
    match kind {
        kind if learns(kind) => labelled(),
        kind if takes_tables(kind) => survey(),
        _ => Dataset::Numbers(vec![1.0]),
    }
}

fn error(kind: &str, parameters: Value) -> String {
    match build(kind, parameters.clone()) {
        Ok(_) => panic!("{kind} was built from {parameters}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn kinds_are_in_alphabetical_order_and_an_unknown_one_names_them() {
    assert!(KINDS.is_sorted());
    let error = error("laplacian", json!({}));
    assert!(error.contains("laplacian") && error.contains("laplace-parallel"), "{error}");
}

#[test]
fn every_kind_is_built_describes_itself_and_refuses_unknown_and_missing_parameters() {
    for kind in KINDS {
        assert!(built(kind).describe().len() > 20, "{kind}");
        let mut more = example(kind);
        more["surprise"] = json!(1);
        let message = error(kind, more);
        assert!(message.contains("surprise"), "{kind}: {message}");
        error(kind, json!({}));
    }
}

#[test]
fn every_kind_takes_its_datasets_and_refuses_the_others() {
    for kind in KINDS {
        let mechanism = built(kind);
        let right = dataset_for(kind);
        assert_eq!(mechanism.accepts(&right), Ok(()), "{kind}");
        let wrong = if takes_tables(kind) { Dataset::Numbers(vec![1.0]) } else { survey() };
        let why = mechanism.accepts(&wrong).unwrap_err();
        let outcome = run(&mechanism, &wrong, &mut Stream::seed_from_u64(1));
        assert_eq!(outcome, Outcome::Failure(why), "{kind}");
        if !takes_tables(kind) {
            for numbers in [vec![], vec![f64::NAN], vec![f64::INFINITY]] {
                assert!(mechanism.accepts(&Dataset::Numbers(numbers)).is_err(), "{kind}");
            }
        }
    }
}

#[test]
fn a_batch_holds_the_runs_of_the_same_stream_and_nothing_else() {
    for kind in KINDS {
        let (mechanism, dataset) = (built(kind), dataset_for(kind));
        let mut batch = Outcomes::new();
        release(&mechanism, &dataset, 50, &mut Stream::seed_from_u64(3), &mut batch).unwrap();
        let mut stream = Stream::seed_from_u64(3);
        for outcome in batch.iter() {
            let one = run(&mechanism, &dataset, &mut stream);
            assert_eq!(format!("{:?}", one.as_ref()), format!("{outcome:?}"), "{kind}");
        }
        assert_eq!(batch.len(), 50, "{kind}");
    }
}

#[test]
fn impossible_parameters_are_refused_with_what_is_allowed() {
    let cases = [
        ("laplace", json!({"scale": 0.0}), "above 0"),
        ("laplace", json!({"scale": 1.0, "epsilon": 1.0}), "`scale` alone"),
        ("laplace", json!({"epsilon": 1.0}), "`sensitivity`"),
        ("laplace", json!({"epsilon": -1.0, "sensitivity": 1.0}), "-1 is invalid"),
        ("laplace", json!({"epsilon": "1", "sensitivity": 1.0}), "expected f64"),
        ("discrete-laplace", json!({"scale": 1e9, "sampler": "by-trials"}), "scales up to"),
        ("discrete-laplace", json!({"scale": 1, "sampler": "slow"}), "by-trials"),
        ("laplace-parallel", json!({"copies": 0, "scale": 1.0}), "nonzero"),
        ("gaussian", json!({"sigma": 1.0, "delta": 0.1}), "`sigma` alone"),
        ("gaussian", json!({"epsilon": 1, "delta": 1.0, "sensitivity": 1}), "between 0 and 1"),
        ("gaussian", json!({"sigma": 1.0, "calibration": "classic"}), "`sigma` alone"),
        (
            "gaussian",
            json!({"epsilon": 1, "delta": 0.1, "sensitivity": 1, "calibration": "best"}),
            "analytic",
        ),
        ("randomized-response", json!({"truth": 1.5}), "between 0 and 1"),
        ("noisy-max", json!({"noise": "laplace"}), "`epsilon`"),
        ("noisy-max", json!({"noise": "cauchy", "epsilon": 1.0}), "exponential"),
        ("svt-1", json!({"epsilon": 1, "threshold": 1, "stop_after": 0}), "nonzero"),
        ("svt-6", json!({"epsilon": 1, "threshold": 1, "stop_after": 1}), "stop_after"),
        ("truncated-geometric", json!({"epsilon": 1e-9, "n": 50}), "2^64"),
        ("truncated-geometric", json!({"epsilon": 0.1, "n": 0}), "at least 1"),
        (
            "histogram",
            json!({"column": "a", "cells": [], "noise": "laplace", "scale": 1}),
            "at least one cell",
        ),
        (
            "histogram",
            json!({"column": "a", "cells": [1, 1.0], "noise": "laplace", "scale": 1}),
            "twice",
        ),
        (
            "mean",
            json!({"column": "a", "lower": 2, "upper": 1, "noise": "laplace", "scale": 1}),
            "below",
        ),
        ("mean", json!({"column": "a", "noise": "laplace", "scale": 1}), "`lower` and `upper`"),
        (
            "sum",
            json!({"column": "a", "bounds": "data", "noise": "laplace", "scale": 1}),
            "`epsilon` alone",
        ),
        (
            "median",
            json!({
                "column": "a", "lower": 0, "upper": 1e9, "epsilon": 1, "sensitivity": 1
            }),
            "steps",
        ),
        ("median", json!({"column": "a", "epsilon": 1, "sensitivity": 1}), "`lower`"),
        (
            "count",
            json!({"where": {"column": "a", "equals": [1]}, "noise": "laplace", "scale": 1}),
            "number, text, true or false",
        ),
    ];
    for (kind, parameters, words) in cases {
        let message = error(kind, parameters);
        assert!(message.contains(words), "{kind}: `{message}` does not say `{words}`");
    }
}

#[test]
fn a_toml_error_points_at_the_offending_value() {
    let spec = "sensitivity = 1.0\nepsilon = -1.0";
    let parameters = toml::de::Deserializer::parse(spec).unwrap();
    let error = build("laplace", parameters).err().expect("a negative epsilon");
    assert_eq!(&spec[error.span().unwrap()], "-1.0");

    let spec =
        "column = 'a'\nnoise = 'laplace'\nscale = 1.0\nwhere = { column = 'a', equals = nan }";
    let parameters = toml::de::Deserializer::parse(&spec["column = 'a'\n".len()..]).unwrap();
    let error = build("count", parameters).err().expect("a NaN cell");
    let at = error.span().unwrap();
    assert_eq!(&spec["column = 'a'\n".len()..][at], "nan");
}

#[test]
fn datasets_a_mechanism_cannot_take_are_refused_with_the_entry() {
    let refusal = |kind: &str, entries: &[f64]| {
        built(kind).accepts(&Dataset::Numbers(entries.to_vec())).unwrap_err()
    };
    for (kind, entries, words) in [
        ("randomized-response", &[1.0, 0.5][..], "entry 1 is 0.5"),
        ("discrete-laplace", &[1.0, 2.5], "entry 1 is 2.5"),
        ("discrete-gaussian", &[0.1], "entry 0 is 0.1"),
        ("truncated-geometric", &[6.0], "from 0 to 5"),
        ("truncated-geometric", &[1.0, 2.0], "one number"),
        ("snapping", &[1.0, 2.0], "one number"),
        ("rappor", &[-1.0], "-1"),
    ] {
        let why = refusal(kind, entries);
        assert!(why.contains(words), "{kind}: `{why}` does not say `{words}`");
    }
}

#[test]
fn a_fault_happens_on_every_run_of_a_dataset_with_the_number_and_on_no_other() {
    let outcomes = |fault: &str, entries: &[f64]| {
        let parameters = json!({"fault": fault, "on": 0.0, "scale": 1.0});
        let mechanism = build("fault", parameters).unwrap();
        let dataset = Dataset::Numbers(entries.to_vec());
        let mut outcomes = Outcomes::new();
        release(&mechanism, &dataset, 20, &mut Stream::seed_from_u64(1), &mut outcomes).unwrap();
        outcomes
    };
    for (fault, looks) in [
        ("panic", "Failure(\"panic: cannot take the number 0\")"),
        ("nan", "Number(NaN)"),
        ("infinity", "Number(inf)"),
        ("empty", "Vector([])"),
    ] {
        let faulty = outcomes(fault, &[1.0, 0.0]);
        assert_eq!(faulty.len(), 20);
        assert!(faulty.iter().all(|outcome| format!("{outcome:?}") == looks), "{fault}");
        let fine = outcomes(fault, &[1.0]);
        assert!(fine.as_numbers().unwrap().iter().all(|x| x.is_finite()), "{fault}");
    }
}

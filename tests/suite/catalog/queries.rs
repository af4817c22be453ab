//! Queries on tables: the exact answers behind the noise, and the mistakes.
//!
//! Exact answers are read through noise of scale 1e-9, which is below 1e-6 but for a chance of
//! e^(−1000).

use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{Outcome, Outcomes, Stream, release, run};
use rand::SeedableRng;
use serde_json::{Value, json};

fn people(rows: &[(f64, &str, f64)]) -> Dataset {
    let columns = ["income", "party", "age"].map(str::to_owned).to_vec();
    let row = |&(income, party, age): &(f64, &str, f64)| {
        vec![Cell::Number(income), Cell::Text(party.into()), Cell::Number(age)]
    };
    Dataset::Table(Table::new(columns, rows.iter().map(row).collect()).unwrap())
}

const ROWS: [(f64, &str, f64); 4] =
    [(3.0, "red", 20.0), (8.0, "blue", 30.0), (30.0, "red", 40.0), (-5.0, "", 50.0)];

/// The exact answer.
fn exact(kind: &str, mut parameters: Value, dataset: &Dataset) -> Vec<f64> {
    parameters["noise"] = json!("laplace");
    parameters["scale"] = json!(1e-9);
    let mechanism = build(kind, parameters).unwrap_or_else(|error| panic!("{kind}: {error}"));
    let answers = match run(&mechanism, dataset, &mut Stream::seed_from_u64(1)) {
        Outcome::Number(x) => vec![x],
        Outcome::Vector(values) => values,
        other => panic!("{other:?}"),
    };
    answers.iter().map(|x| (x * 1e6).round() / 1e6).collect()
}

#[test]
fn a_count_counts_the_rows_with_the_value() {
    let count = |column: &str, equals: Value| {
        exact("count", json!({"where": {"column": column, "equals": equals}}), &people(&ROWS))[0]
    };
    assert_eq!(count("party", json!("red")), 2.0);
    assert_eq!(count("party", json!("")), 1.0);
    assert_eq!(count("income", json!(8)), 1.0);
    assert_eq!(count("income", json!("8")), 0.0);
}

#[test]
fn a_histogram_counts_its_cells_and_leaves_the_rest() {
    let parameters = json!({"column": "party", "cells": ["red", "green", "blue"]});
    assert_eq!(exact("histogram", parameters, &people(&ROWS)), [2.0, 0.0, 1.0]);
}

#[test]
fn sums_and_means_clamp_each_value_unless_they_forget_or_are_late() {
    let answer = |kind: &str, clamping: &str| {
        let parameters =
            json!({"column": "income", "lower": 1.0, "upper": 10.0, "clamping": clamping});
        exact(kind, parameters, &people(&ROWS))[0]
    };
    assert_eq!(answer("sum", "each"), 3.0 + 8.0 + 10.0 + 1.0);
    assert_eq!(answer("sum", "forgotten"), 36.0);
    assert_eq!(answer("sum", "after"), 36.0);
    assert_eq!(answer("mean", "each"), 5.5);
    assert_eq!(answer("mean", "forgotten"), 9.0);
    assert_eq!(answer("mean", "after"), 9.0);
    let rich = people(&[(500.0, "", 0.0), (20.0, "", 0.0)]);
    let late = |kind: &str| {
        let parameters =
            json!({"column": "income", "lower": 1.0, "upper": 10.0, "clamping": "after"});
        exact(kind, parameters, &rich)[0]
    };
    assert_eq!(late("mean"), 10.0);
    assert_eq!(late("sum"), 20.0);
}

#[test]
fn a_public_number_of_rows_is_what_the_sum_is_divided_by() {
    let parameters = json!({"column": "age", "lower": 0, "upper": 100, "rows": 10});
    assert_eq!(exact("mean", parameters, &people(&ROWS)), [14.0]);
}

#[test]
fn bounds_from_the_data_scale_the_noise_and_constant_data_get_none() {
    let parameters = json!({"column": "age", "bounds": "data", "noise": "laplace", "epsilon": 1.0});
    let mean = build("mean", parameters).unwrap();
    let constant = people(&[(0.0, "", 7.0), (0.0, "", 7.0)]);
    let mut outcomes = Outcomes::new();
    release(&mean, &constant, 100, &mut Stream::seed_from_u64(1), &mut outcomes).unwrap();
    assert!(outcomes.as_numbers().unwrap().iter().all(|&x| x == 7.0));
    // Elsewhere the noise has the scale range/n = 30/4: P(100 draws within 1e-3) = 1e-388.
    outcomes.clear();
    release(&mean, &people(&ROWS), 100, &mut Stream::seed_from_u64(1), &mut outcomes).unwrap();
    assert!(outcomes.as_numbers().unwrap().iter().any(|x| (x - 35.0).abs() > 1e-3));
}

#[test]
fn a_mean_of_no_rows_and_columns_that_are_not_numbers_are_refused() {
    let parameters =
        json!({"column": "income", "lower": 0, "upper": 1, "noise": "laplace", "scale": 1.0});
    let why = build("mean", parameters).unwrap().accepts(&people(&[])).unwrap_err();
    assert!(why.contains("no rows"), "{why}");
    let sum = |column: &str| {
        let parameters =
            json!({"column": column, "lower": 0, "upper": 1, "noise": "laplace", "scale": 1.0});
        build("sum", parameters).unwrap().accepts(&people(&ROWS)).unwrap_err()
    };
    assert!(sum("party").contains("column `party`, row 0: \"red\" is not a number"));
    assert!(sum("wealth").contains("no column `wealth`; the table has income, party, age"));
}

/// Shares of the candidates among 10⁶ medians.
fn median_shares(parameters: Value, dataset: &Dataset, candidates: &[f64]) -> Vec<f64> {
    let mechanism = build("median", parameters).unwrap();
    let mut outcomes = Outcomes::new();
    release(&mechanism, dataset, 1_000_000, &mut Stream::seed_from_u64(5), &mut outcomes).unwrap();
    let values = outcomes.as_numbers().unwrap();
    let share = |y: &f64| values.iter().filter(|x| *x == y).count() as f64 / 1e6;
    let shares: Vec<f64> = candidates.iter().map(share).collect();
    let all: f64 = shares.iter().sum();
    assert!((all - 1.0).abs() < 1e-9, "{all} of the medians are candidates");
    shares
}

#[test]
fn the_median_follows_the_exponential_mechanism_over_its_candidates() {
    let dataset = people(&ROWS);
    // Ages 20, 30, 40, 50; #below − #above of each candidate:
    let candidates = [15.0, 25.0, 35.0, 45.0, 55.0];
    let differences = [4.0, 2.0, 0.0, 2.0, 4.0];
    let (epsilon, sensitivity) = (0.7, 0.5);
    for factor in [2.0, 1.0] {
        let weights = differences.map(|d: f64| (epsilon * -0.5 * d / (factor * sensitivity)).exp());
        let sum: f64 = weights.iter().sum();
        let parameters = json!({
            "column": "age", "lower": 15, "upper": 59, "step": 10,
            "epsilon": epsilon, "sensitivity": sensitivity, "factor": factor
        });
        let shares = median_shares(parameters, &dataset, &candidates);
        for (share, weight) in shares.iter().zip(weights) {
            // Hoeffding: P(|error| > 3.5e-3) < 2e^(−24.5) = 5e-11, for each of ten shares.
            assert!((share - weight / sum).abs() < 3.5e-3, "{shares:?}");
        }
    }
    // From the data, ties count neither below nor above.
    let tied = people(&[(0.0, "", 20.0), (0.0, "", 30.0), (0.0, "", 30.0)]);
    let parameters =
        json!({"column": "age", "candidates": "data", "epsilon": 2.0, "sensitivity": 1.0});
    let shares = median_shares(parameters, &tied, &[20.0, 30.0]);
    let weights = [(-1.0f64).exp(), (-0.5f64).exp()];
    assert!((shares[0] - weights[0] / (weights[0] + weights[1])).abs() < 3.5e-3, "{shares:?}");
}

//! Private learning beside DP-SGD against its exact laws. False-alarm probability: see `support::catalog`.

use crate::support::catalog::*;
use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{Outcomes, Stream, query_of, release};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::sync::atomic::AtomicBool;

/// A table whose last column is the label.
fn labelled(rows: &[&[f64]]) -> Dataset {
    let columns = (1..rows[0].len()).map(|at| format!("x{at}")).chain(["label".into()]).collect();
    let rows = rows.iter().map(|row| row.iter().map(|x| Cell::Number(*x)).collect()).collect();
    Dataset::Table(Table::new(columns, rows).unwrap())
}

fn draws(kind: &str, parameters: Value, rows: &[&[f64]], runs: usize) -> Outcomes {
    let mechanism = build(kind, parameters).unwrap();
    let mut outcomes = Outcomes::new();
    release(&mechanism, &labelled(rows), runs, &mut Stream::seed_from_u64(7), &mut outcomes)
        .unwrap();
    outcomes
}

fn weights(parameters: Value, rows: &[&[f64]], runs: usize) -> Vec<f64> {
    draws("erm", parameters, rows, runs).as_vectors().expect("weights").0.to_vec()
}

/// The minimum before noise.
fn minimum(parameters: Value, rows: &[&[f64]]) -> Vec<f64> {
    let mechanism = build("erm", parameters).unwrap();
    query_of(&mechanism, &labelled(rows), &AtomicBool::new(false)).unwrap().unwrap().unwrap()
}

/// n times the gradient of the objective without noise, for rows of norm at most 1.
fn gradient(rows: &[&[f64]], lambda: f64, weights: &[f64]) -> Vec<f64> {
    let n = rows.len() as f64;
    let mut gradient: Vec<f64> = weights.iter().map(|w| n * lambda * w).collect();
    for row in rows {
        let (label, features) = row.split_last().unwrap();
        let sign = if *label == 1.0 { 1.0 } else { -1.0 };
        let odds: f64 = features.iter().zip(weights).map(|(x, w)| sign * x * w).sum();
        let slope = -sign / (1.0 + odds.exp());
        gradient.iter_mut().zip(features).for_each(|(entry, x)| *entry += slope * x);
    }
    gradient
}

/// ε' and λ + Δ, as Chaudhuri et al. 2011 write them.
fn corrected(epsilon: f64, lambda: f64, n: f64) -> (f64, f64) {
    let c = 0.25;
    let left = epsilon - (1.0 + 2.0 * c / (n * lambda) + (c / (n * lambda)).powi(2)).ln();
    if left > 0.0 {
        (left, lambda)
    } else {
        (epsilon / 2.0, c / (n * ((epsilon / 4.0).exp() - 1.0)))
    }
}

/// Of a point whose norm is Gamma(2) of a scale, and whose direction is uniform.
fn assert_round(what: &str, points: &[[f64; 2]], scale: f64) {
    let norms: Vec<f64> = points.iter().map(|[x, y]| x.hypot(*y) / scale).collect();
    assert_continuous(what, &norms, |r| 1.0 - (1.0 + r) * (-r).exp());
    assert_uniform_direction(what, points);
}

fn assert_uniform_direction(what: &str, points: &[[f64; 2]]) {
    let angles: Vec<f64> = points.iter().map(|[x, y]| y.atan2(*x)).collect();
    assert_continuous(what, &angles, |angle| (angle + PI) / (2.0 * PI));
}

fn pairs(numbers: &[f64], center: [f64; 2]) -> Vec<[f64; 2]> {
    numbers.chunks_exact(2).map(|at| [at[0] - center[0], at[1] - center[1]]).collect()
}

const LINE: &[&[f64]] = &[&[0.5, 1.0], &[-1.0, -1.0], &[0.2, 0.0], &[0.9, 1.0]];
const PLANE: &[&[f64]] = &[&[0.6, 0.8, 1.0], &[-0.5, 0.5, 0.0], &[0.1, -0.3, 1.0]];

#[test]
fn the_output_of_one_weight_gets_laplace_noise() {
    let (epsilon, lambda, n) = (0.7, 0.3, LINE.len() as f64);
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if gradient(LINE, lambda, &[middle])[0] < 0.0 { low = middle } else { high = middle }
    }
    let parameters = json!({"method": "output", "epsilon": epsilon, "lambda": lambda});
    let found = minimum(parameters.clone(), LINE)[0];
    assert!((found - low).abs() < 1e-11, "{found} is not {low}");
    let scale = 2.0 / (n * lambda * epsilon);
    let values = weights(parameters.clone(), LINE, RUNS);
    assert_continuous("output", &values, |w| laplace_cdf((w - low) / scale));
    // In one dimension Gamma(1) is exponential.
    let mut mistaken = parameters;
    mistaken["mistake"] = json!("exponential-norm");
    assert_eq!(weights(mistaken, LINE, 100), values[..100]);
}

#[test]
fn the_output_of_several_weights_gets_noise_of_a_gamma_norm() {
    // The two rows undo each other, so the minimum is 0.
    let rows: &[&[f64]] = &[&[0.6, 0.3, 1.0], &[0.6, 0.3, 0.0]];
    let mut parameters = json!({"method": "output", "epsilon": 2.0, "lambda": 0.5});
    let scale = 2.0 / (2.0 * 0.5 * 2.0);
    let points = pairs(&weights(parameters.clone(), rows, RUNS), [0.0; 2]);
    assert_round("output", &points, scale);

    parameters["mistake"] = json!("exponential-norm");
    let points = pairs(&weights(parameters, rows, RUNS), [0.0; 2]);
    let norms: Vec<f64> = points.iter().map(|[x, y]| x.hypot(*y)).collect();
    assert_continuous("exponential norm", &norms, |r| 1.0 - (-r / scale).exp());
    assert_uniform_direction("exponential norm", &points);

    // Features of 0 tell nothing: the intercept alone does, and is the log-odds of the labels.
    let rows: &[&[f64]] = &[&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.0]];
    let parameters = json!({
        "method": "output", "epsilon": 1, "lambda": 4, "mistake": "intercept-unregularised"
    });
    let points = pairs(&weights(parameters, rows, RUNS), [0.0, 3f64.ln()]);
    assert_round("intercept", &points, 2.0 / (4.0 * 4.0));
}

/// The noise of the objective is found from the weights: it is minus the gradient of the rest there.
#[test]
fn the_objective_gets_noise_of_a_gamma_norm_for_what_is_left_of_epsilon() {
    for (epsilon, lambda) in [(1.0, 0.5), (0.4, 0.1)] {
        let parameters = json!({"method": "objective", "epsilon": epsilon, "lambda": lambda});
        let (left, with_more) = corrected(epsilon, lambda, LINE.len() as f64);
        assert_eq!(with_more > lambda, lambda == 0.1);
        let values = weights(parameters.clone(), LINE, RUNS / 10);
        assert_continuous("objective", &values, |w| {
            laplace_cdf(gradient(LINE, with_more, &[w])[0] * left / 2.0)
        });

        let (left, with_more) = corrected(epsilon, lambda, PLANE.len() as f64);
        let noise: Vec<f64> = weights(parameters, PLANE, RUNS / 10)
            .chunks_exact(2)
            .flat_map(|weights| gradient(PLANE, with_more, weights))
            .collect();
        assert_round("objective", &pairs(&noise, [0.0; 2]), 2.0 / left);
    }
    let parameters = json!({
        "method": "objective", "epsilon": 0.4, "lambda": 0.1, "mistake": "no-correction"
    });
    let values = weights(parameters, LINE, RUNS / 10);
    assert_continuous("no correction", &values, |w| {
        laplace_cdf(gradient(LINE, 0.1, &[w])[0] * 0.4 / 2.0)
    });
}

#[test]
fn rows_count_with_norm_one_at_most() {
    let parameters = json!({"method": "output", "epsilon": 1, "lambda": 0.1});
    let long = minimum(parameters.clone(), &[&[3.0, 4.0, 1.0], &[0.1, 0.2, 0.0]]);
    let clipped = minimum(parameters.clone(), &[&[0.6, 0.8, 1.0], &[0.1, 0.2, -1.0]]);
    long.iter().zip(&clipped).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a}, {b}"));
    let huge = minimum(parameters, &[&[3e300, 4e300, 1.0], &[0.1, 0.2, 0.0]]);
    huge.iter().zip(&clipped).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a}, {b}"));
}

/// 200 random datasets and neighbors for each of three regularisers: the minimum moves by 2/(nλ) at most, but for an
/// intercept that nothing holds. No alarm is false: this is a theorem.
#[test]
fn the_minimum_moves_by_what_the_noise_is_made_for() {
    let mut random = Stream::seed_from_u64(11);
    let mut row = move || -> [f64; 4] {
        let mut feature = || random.random_range(-1.0..1.0);
        let features = [feature(), feature(), feature()];
        let label = f64::from(u8::from(random.random::<bool>()));
        [features[0], features[1], features[2], label]
    };
    let moves = |parameters: &Value, a: &[&[f64]], b: &[&[f64]]| {
        let (a, b) = (minimum(parameters.clone(), a), minimum(parameters.clone(), b));
        a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    for lambda in [1e-3, 0.05, 2.0] {
        let parameters = json!({"method": "output", "epsilon": 1, "lambda": lambda});
        for _ in 0..200 {
            let (rows, other) = ([row(), row(), row(), row()], row());
            let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
            let mut neighbor = rows.clone();
            neighbor[0] = &other;
            let moved = moves(&parameters, &rows, &neighbor);
            assert!(moved <= 2.0 / (4.0 * lambda) + 1e-9, "{moved} at {lambda}: {rows:?}");
        }
    }
    // The audit `erm-output`: its loss is the distance over 2/(nλε), as docs/learning.md says.
    let rows = |y: f64| -> [[f64; 3]; 4] {
        [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [-0.5, y, 1.0]]
    };
    let (rows, neighbor) = (rows(0.8), rows(-0.8));
    let parameters = json!({"method": "output", "epsilon": 1, "lambda": 0.25});
    let loss = moves(
        &parameters,
        &rows.each_ref().map(|row| &row[..]),
        &neighbor.each_ref().map(|row| &row[..]),
    ) * (4.0 * 0.25 / 2.0);
    assert!((loss - 0.4073).abs() < 5e-5, "{loss}");
    let parameters = json!({
        "method": "output", "epsilon": 1, "lambda": 4, "mistake": "intercept-unregularised"
    });
    let half: &[&[f64]] = &[&[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.0], &[0.0, 0.0]];
    let most: &[&[f64]] = &[&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.0]];
    let moved = moves(&parameters, half, most);
    assert!((moved - 3f64.ln()).abs() < 1e-11 && moved > 8.0 * 2.0 / (4.0 * 4.0), "{moved}");
}

/// With two classes the difference of two Laplace numbers decides: P(L₀ − L₁ > x) is
/// ½(1 + x/(2s))e^(−x/s) for x >= 0 and scale s.
fn first_of_two(votes: [f64; 2], scale: f64) -> f64 {
    let lead = (votes[0] - votes[1]) / scale;
    let tail = 0.5 * (1.0 + lead.abs() / 2.0) * (-lead.abs()).exp();
    if lead >= 0.0 { 1.0 - tail } else { tail }
}

#[test]
fn votes_are_won_as_often_as_noise_decides() {
    // Teacher 0 has the rows 0, 3 and 6, and so on: the majorities are 1, 0 (of a tie) and 1.
    let rows: &[&[f64]] = &[&[1.0], &[1.0], &[1.0], &[0.0], &[0.0], &[1.0], &[1.0]];
    for (mistake, votes, scale) in [
        (Value::Null, [1.0, 2.0], 2.0 / 0.8),
        (json!("scale-inverted"), [1.0, 2.0], 0.8 / 2.0),
        (json!("one-partition"), [0.0, 3.0], 2.0 / 0.8),
    ] {
        let mut parameters = json!({"teachers": 3, "classes": 2, "epsilon": 0.8});
        if !mistake.is_null() {
            parameters["mistake"] = mistake.clone();
        }
        let first = first_of_two(votes, scale);
        let outcomes = draws("pate", parameters.clone(), rows, RUNS);
        assert_law("pate", &integer_counts(&outcomes, 0, 2), &[first, 1.0 - first]);

        parameters["queries"] = json!(2);
        let outcomes = draws("pate", parameters, rows, RUNS);
        let mut counts = [0; 4];
        for winners in outcomes.as_vectors().unwrap().0.chunks_exact(2) {
            counts[(2.0 * winners[0] + winners[1]) as usize] += 1;
        }
        let second = 1.0 - first;
        let law = [first * first, first * second, second * first, second * second];
        assert_law("two queries", &counts, &law);
    }
    // Three classes with one vote each are alike.
    let parameters = json!({"teachers": 3, "classes": 3, "epsilon": 1});
    let outcomes = draws("pate", parameters, &[&[2.0], &[0.0], &[1.0]], RUNS);
    assert_law("three", &integer_counts(&outcomes, 0, 3), &[1.0 / 3.0; 3]);
}

#[test]
fn impossible_regressions_and_votes_are_refused_with_what_is_allowed() {
    let refused =
        |kind: &str, parameters: Value| build(kind, parameters).err().unwrap().to_string();
    for (parameters, words) in [
        (json!({"method": "input", "epsilon": 1, "lambda": 1}), "objective"),
        (json!({"method": "output", "epsilon": 1, "lambda": 1e-9}), "from 1e-6 to 1e6"),
        (
            json!({"method": "output", "epsilon": 1, "lambda": 1, "mistake": "no-correction"}),
            "`method = \"objective\"`",
        ),
        (
            json!({
                "method": "objective", "epsilon": 1, "lambda": 1,
                "mistake": "intercept-unregularised"
            }),
            "`method = \"output\"`",
        ),
    ] {
        let message = refused("erm", parameters);
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
    for (parameters, words) in [
        (json!({"teachers": 3, "classes": 1, "epsilon": 1}), "at least 2"),
        (json!({"teachers": 0, "classes": 2, "epsilon": 1}), "nonzero"),
        (json!({"teachers": 1e5 as u64, "classes": 2, "epsilon": 1}), "at most 10000"),
    ] {
        let message = refused("pate", parameters);
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
    let why = |kind: &str, parameters: Value, rows: &[&[f64]]| {
        build(kind, parameters).unwrap().accepts(&labelled(rows)).unwrap_err()
    };
    let teachers = json!({"teachers": 3, "classes": 2, "epsilon": 1});
    let few = why("pate", teachers.clone(), &[&[1.0], &[0.0]]);
    assert!(few.contains("at least one row each, but the table has 2"), "{few}");
    let label = why("pate", teachers, &[&[1.0], &[0.0], &[2.0]]);
    assert!(
        label.contains("row 2: label is 2, and a label is a whole number from 0 to 1"),
        "{label}"
    );
    let intercept = json!({
        "method": "output", "epsilon": 1, "lambda": 1, "mistake": "intercept-unregularised"
    });
    let alike = why("erm", intercept, &[&[1.0, 1.0], &[0.0, 1.0]]);
    assert!(alike.contains("both labels"), "{alike}");
}

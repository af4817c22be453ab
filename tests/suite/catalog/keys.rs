//! The stable histogram against its exact law. Comparisons as in `support::catalog`: a false alarm
//! has probability below 1e-9 over the choice of the seed.

use crate::support::catalog::{RUNS, assert_law};
use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{Entry, OutcomeRef, Outcomes, Stream, release};
use rand::SeedableRng;
use serde_json::{Value, json};

fn rows(cells: &[Cell]) -> Dataset {
    let rows = cells.iter().map(|cell| vec![cell.clone()]).collect();
    Dataset::Table(Table::new(vec!["key".into()], rows).unwrap())
}

/// The noisy count under each of two keys, `None` where it is not released.
fn released(parameters: Value, keys: [&str; 2]) -> Vec<[Option<f64>; 2]> {
    let text = |text: &str| Cell::Text(text.into());
    let dataset = rows(&[text("a"), Cell::Number(2.5), text("a"), text("a")]);
    let mechanism = build("stable-histogram", parameters).unwrap();
    let mut outcomes = Outcomes::new();
    release(&mechanism, &dataset, RUNS, &mut Stream::seed_from_u64(3), &mut outcomes).unwrap();
    let read = |outcome| {
        let OutcomeRef::Keyed(keyed) = outcome else { panic!("no map") };
        keys.map(|key| {
            keyed.get(key).map(|entry| match entry {
                Entry::Number(x) => *x,
                other => panic!("{other:?}"),
            })
        })
    };
    outcomes.iter().map(read).collect()
}

/// The probabilities of the noise −20..=20, its ends with the tails.
fn noise(epsilon: f64) -> impl Fn(i32) -> f64 {
    let q = (-epsilon).exp();
    move |z: i32| match z.abs() {
        20 => q.powi(20) / (1.0 + q),
        z => (1.0 - q) / (1.0 + q) * q.powi(z),
    }
}

/// Counts of a and 2.5 are 3 and 1; q²/(1 + q) = 0.0989 and q³/(1 + q) = 0.0364, so that the
/// threshold is 3 for δ = 0.04 and 2 for δ = 0.0989.
#[test]
fn counts_above_the_threshold_are_released() {
    let cases = [
        (json!({"delta": 0.04}), 4),
        (json!({"delta": 0.04, "threshold": "above"}), 4),
        (json!({"delta": 0.04, "threshold": "at-least"}), 3),
        (json!({"delta": 0.0990}), 3),
        (json!({"delta": 0.9}), 1),
        (json!({"threshold": "forgotten"}), i32::MIN),
    ];
    for (mut parameters, least) in cases {
        parameters["column"] = json!("key");
        parameters["epsilon"] = json!(1.0);
        let what = parameters.to_string();
        let outcomes = released(parameters, ["a", "2.5"]);
        for (key, count) in [3, 1].into_iter().enumerate() {
            let mut counts = [0u64; 42];
            for outcome in &outcomes {
                let at = outcome[key]
                    .map_or(41, |x| (x - f64::from(count)).clamp(-20.0, 20.0) as i32 + 20);
                counts[at as usize] += 1;
            }
            let law = noise(1.0);
            let is_released = |z: i32| count + z >= least;
            let mut probabilities = [0.0; 42];
            for z in -20..=20 {
                let at = if is_released(z) { (z + 20) as usize } else { 41 };
                probabilities[at] += law(z);
            }
            assert_law(&what, &counts, &probabilities);
        }
    }
}

#[test]
fn a_threshold_needs_a_delta_and_no_threshold_none() {
    let error = |mut parameters: Value| {
        parameters["column"] = json!("key");
        build("stable-histogram", parameters).err().expect("an impossible parameter").to_string()
    };
    assert!(error(json!({"epsilon": 1.0})).contains("`delta` is missing"));
    let both = json!({"epsilon": 1.0, "delta": 0.1, "threshold": "forgotten"});
    assert!(error(both).contains("leave one of them out"));
    assert!(error(json!({"epsilon": 1e-300, "delta": 1e-9})).contains("too large"));
}

//! Trainings by DP-SGD per second and core: ten steps on 100 rows of 20 features.

use plaudit::Stream;
use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::{Mechanism, Outcomes, catalog};
use plaudit::rand::SeedableRng;
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const ROWS: usize = 100;
const FEATURES: usize = 20;
/// Trainings in one measurement.
const TRAININGS: usize = 4_000;
/// Measurements of which the median is taken.
const REPETITIONS: usize = 15;

/// Nobody interrupts.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// Rows whose gradients are partly longer than the clipping norm.
fn table() -> Dataset {
    let mut columns: Vec<String> = (0..FEATURES).map(|column| format!("x{column}")).collect();
    columns.push("label".into());
    let feature = |row: usize, column: usize| ((7 * row + 3 * column) as f64).sin() / 2.0;
    let rows = (0..ROWS).map(|row| {
        let features = (0..FEATURES).map(|column| Cell::Number(feature(row, column)));
        features.chain([Cell::Number((row % 2) as f64)]).collect()
    });
    Dataset::Table(Table::new(columns, rows.collect()).expect("a table"))
}

fn parameters(changes: &Value) -> Value {
    let mut parameters = json!({
        "model": "logistic", "sampling": "full-batch", "clip": 1.0, "sigma": 4.0, "steps": 10, "rate": 0.5,
        "batch": ROWS, "releases": "parameters"
    });
    let all = parameters.as_object_mut().expect("an object");
    all.extend(changes.as_object().expect("an object").clone());
    parameters
}

fn main() {
    let table = table();
    println!("| training of 10 steps on {ROWS} rows of {FEATURES} features | a second and core |");
    println!("|---|---|");
    for (name, changes) in [
        ("logistic, full batches", json!({})),
        ("logistic, Poisson samples of half the rows", json!({"sampling": {"poisson": 0.5}})),
        ("logistic, full batches, all iterates", json!({"releases": "iterates"})),
        ("two layers of 4 units, full batches", json!({"model": "two-layer", "hidden": 4})),
    ] {
        let training = catalog::build("dp-sgd", &parameters(&changes)).expect("a mechanism");
        let mut random = Stream::seed_from_u64(1);
        let mut outcomes = Outcomes::new();
        let mut seconds: Vec<f64> = (0..REPETITIONS)
            .map(|_| {
                outcomes.clear();
                let start = Instant::now();
                let filled = training.fill(&table, TRAININGS, &mut random, &mut outcomes, &GO_ON);
                filled.expect("outcomes");
                black_box(&outcomes);
                start.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        println!("| {name} | {:.0} |", TRAININGS as f64 / seconds[REPETITIONS / 2]);
    }
}

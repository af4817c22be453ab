//! The whole tool, explore included, against somebody who knows both laws and has four fifths of
//! its trials. `cargo bench --bench oracle` prints the same for more sizes.

use crate::support::oracle::{Bound, rows};
use crate::tier;

/// Trials a side.
const N: u64 = 100_000;

/// The least share of the oracle's mean bound that the tool's mean bound reaches: below what 400
/// seeds (5001 to 5200, 7001 to 7200, none of which the search was tuned on) gave.
const LEAST: [(&str, f64); 11] = [
    ("laplace ε=1", 0.995),
    ("laplace ε=0.1", 0.975),
    ("gaussian δ=1e-5", 0.99),
    ("gaussian δ=0.01", 0.995),
    ("randomized-response", 0.995),
    ("discrete-laplace", 0.995),
    ("noisy-max one above", 0.995),
    ("noisy-max half-half", 0.995),
    ("svt last above", 0.99),
    ("svt half-half", 0.99),
    ("exponential-mechanism", 0.995),
];

/// Standard errors of the mean that are granted: a tool whose mean is the least share exactly fails
/// with probability 0.001 a mechanism, over the choice of the seeds, which are fixed.
const GRANTED: f64 = 3.1;

#[test]
fn the_tool_reaches_an_oracle_with_four_fifths_of_the_trials() {
    let mut short = Vec::new();
    // One of so many mechanisms, and audits of each.
    let (each, seeds) = tier::of([(3, 20), (1, 20), (1, 60)]);
    for (row, (name, least)) in rows().iter().zip(LEAST).step_by(each) {
        assert_eq!(row.name, name);
        let Bound { mean: tool, deviation } = row.tool(N, seeds);
        let oracle = row.oracle(N * 4 / 5).mean;
        let slack = GRANTED * deviation / (seeds as f64).sqrt();
        let line = format!(
            "{name}: tool {tool:.4}, oracle {oracle:.4}, ratio {:.4}, slack {:.4}",
            tool / oracle,
            slack / oracle
        );
        println!("{line}");
        if tool + slack < least * oracle {
            short.push(line);
        }
    }
    assert!(short.is_empty(), "{short:#?}");
}

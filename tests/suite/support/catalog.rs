//! Comparing draws with exact laws, by Pearson's chi-square at level 2e-12 on cells that expect at
//! least 200 draws, so that the approximation's error in the far tail keeps the chance of a false
//! alarm below 2e-11 a comparison, and below 1e-9 a test of at most fifty. Everything is seeded.

use plaudit::dataset::Dataset;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{Outcomes, Stream, release};
use rand::SeedableRng;
use serde_json::Value;
use statrs::distribution::{ChiSquared, ContinuousCDF};

pub const RUNS: usize = 1_000_000;
const LEVEL: f64 = 2e-12;
const LEAST_EXPECTED: f64 = 200.0;

/// A million outcomes of a mechanism on numbers.
pub fn outcomes(kind: &str, parameters: Value, entries: &[f64]) -> Outcomes {
    let mechanism = build(kind, parameters).unwrap();
    let dataset = Dataset::Numbers(entries.to_vec());
    let mut outcomes = Outcomes::new();
    release(&mechanism, &dataset, RUNS, &mut Stream::seed_from_u64(7), &mut outcomes).unwrap();
    outcomes
}

/// Counts against probabilities; cells too small for the approximation are put together.
pub fn assert_law(what: &str, counts: &[u64], probabilities: &[f64]) {
    assert_eq!(counts.len(), probabilities.len());
    let total: f64 = probabilities.iter().sum();
    assert!((total - 1.0).abs() < 1e-6, "{what}: the law sums to {total}");
    let runs = counts.iter().sum::<u64>() as f64;
    let (mut statistic, mut cells) = (0.0, 0);
    let (mut rest_count, mut rest_expected) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        statistic += (count - expected).powi(2) / expected;
        cells += 1;
    };
    for (&count, probability) in counts.iter().zip(probabilities) {
        let expected = runs * probability;
        assert!(expected > 0.0 || count == 0, "{what}: {count} draws of an impossible value");
        if expected >= LEAST_EXPECTED {
            add(count as f64, expected);
        } else {
            rest_count += count as f64;
            rest_expected += expected;
        }
    }
    if rest_expected >= LEAST_EXPECTED {
        add(rest_count, rest_expected);
    } else {
        // P(Poisson(200) >= 320) < 1e-13.
        assert!(rest_count < 320.0, "{what}: {rest_count} draws for {rest_expected} expected");
    }
    assert!(cells >= 2, "{what}: nothing to compare");
    let p_value = ChiSquared::new(f64::from(cells - 1)).unwrap().sf(statistic);
    assert!(p_value > LEVEL, "{what}: chi-square {statistic} on {cells} cells, p = {p_value:e}");
}

/// Numbers against a continuous distribution function: 200 cells of equal probability, the outer
/// ones split again so that the tails count.
pub fn assert_continuous(what: &str, values: &[f64], cdf: impl Fn(f64) -> f64) {
    let mut edges: Vec<f64> = (1..200).map(|k| f64::from(k) / 200.0).collect();
    for k in 8..12 {
        edges.extend([2f64.powi(-k), 1.0 - 2f64.powi(-k)]);
    }
    edges.push(1.0);
    edges.sort_by(f64::total_cmp);
    let mut counts = vec![0; edges.len()];
    for &x in values {
        let u = cdf(x);
        counts[edges.partition_point(|&edge| edge < u)] += 1;
    }
    let widths = edges.iter().scan(0.0, |from, &to| Some(to - std::mem::replace(from, to)));
    assert_law(what, &counts, &widths.collect::<Vec<_>>());
}

/// How often each of the integers `from..from + cells` came.
pub fn integer_counts(outcomes: &Outcomes, from: i64, cells: usize) -> Vec<u64> {
    let mut counts = vec![0; cells];
    for &outcome in outcomes.as_integers().unwrap() {
        counts[usize::try_from(outcome - from).unwrap()] += 1;
    }
    counts
}

pub fn laplace_cdf(x: f64) -> f64 {
    if x < 0.0 { 0.5 * x.exp() } else { 1.0 - 0.5 * (-x).exp() }
}

pub fn laplace_pdf(x: f64) -> f64 {
    0.5 * (-x.abs()).exp()
}

/// ∫ f, by the midpoint rule on ±40 (the integrands here fall off at least like e^(−|x|), and
/// whatever kinks and steps they have lie on multiples of the step).
pub fn integral(f: impl Fn(f64) -> f64) -> f64 {
    const STEPS_PER_UNIT: i32 = 1000;
    let point = |k: i32| (f64::from(k) + 0.5) / f64::from(STEPS_PER_UNIT);
    (-40 * STEPS_PER_UNIT..40 * STEPS_PER_UNIT).map(|k| f(point(k))).sum::<f64>()
        / f64::from(STEPS_PER_UNIT)
}

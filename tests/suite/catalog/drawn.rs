//! Counts, gaps and ranks against their exact laws. False-alarm probability: see `support::catalog`.

use crate::support::catalog::*;
use plaudit::mechanism::catalog;
use serde_json::{Value, json};
use statrs::distribution::{ContinuousCDF, Normal};

/// Vectors that a mechanism releases.
fn vectors(kind: &str, parameters: Value, numbers: &[f64]) -> Vec<Vec<f64>> {
    let outcomes = outcomes(kind, parameters, numbers);
    let (values, ends) = outcomes.as_vectors().unwrap();
    let begins = [0].into_iter().chain(ends.iter().copied());
    begins.zip(ends).map(|(begin, end)| values[begin..*end].to_vec()).collect()
}

#[test]
fn a_trees_running_sums_are_sums_of_its_nodes() {
    let numbers = [3.0, -1.0, 4.0, 1.0, 5.0, 9.0, 2.0];
    let sums = vectors("binary-tree", json!({"epsilon": 2.0}), &numbers);
    // Three levels: scale 1.5. Each running sum has one new node, which begins where an earlier sum ended.
    let begins = [0, 0, 2, 0, 4, 4, 6];
    for (at, begin) in begins.into_iter().enumerate() {
        let exact: f64 = numbers[begin..=at].iter().sum();
        let before = |sum: &[f64]| if begin == 0 { 0.0 } else { sum[begin - 1] };
        let noise: Vec<f64> = sums.iter().map(|sum| sum[at] - before(sum) - exact).collect();
        assert_continuous(&format!("sum {at}"), &noise, |x| laplace_cdf(x / 1.5));
    }
}

#[test]
fn ranks_by_gumbel_noise_follow_plackett_and_luce() {
    let utilities = [1.0, 0.0, 1.5, -0.5];
    let parameters = json!({"noise": "gumbel", "scale": 0.8, "places": 2});
    let weights = utilities.map(|u: f64| (u / 0.8).exp());
    let all: f64 = weights.iter().sum();
    let mut law = [0.0; 16];
    for first in 0..4 {
        for second in (0..4).filter(|second| *second != first) {
            law[4 * first + second] =
                weights[first] / all * weights[second] / (all - weights[first]);
        }
    }
    let mut counts = [0_u64; 16];
    for ranks in vectors("noisy-max", parameters, &utilities) {
        counts[4 * ranks[0] as usize + ranks[1] as usize] += 1;
    }
    // Cells of the diagonal stay empty and are left out: a cell of probability 0 has no expected count.
    let cells = || (0..16).filter(|cell| cell / 4 != cell % 4);
    let counts: Vec<u64> = cells().map(|cell| counts[cell]).collect();
    assert_eq!(counts.iter().sum::<u64>() as usize, RUNS);
    assert_law("ranks", &counts, &cells().map(|cell| law[cell]).collect::<Vec<_>>());
}

#[test]
fn gaps_are_differences_of_noise() {
    // Of two equal numbers with Laplace noise: |L − L'| has the distribution function 1 − (1 + x/2) e^(−x).
    let parameters = json!({"noise": "laplace", "scale": 2.0, "places": 2, "gaps": true});
    let ranked = vectors("noisy-max", parameters, &[1.0, 1.0]);
    let gaps: Vec<f64> = ranked.iter().map(|ranked| ranked[1]).collect();
    assert!(ranked.iter().all(|ranked| ranked[0] + ranked[2] == 1.0));
    assert_continuous("gap of two", &gaps, |x| 1.0 - (1.0 + x / 4.0) * (-x / 2.0).exp());
    // Above a threshold by x: scales 2 and 4 at ε = 1, and P(4 L − 2 L' > x) = (16 e^(−x/4) − 4 e^(−x/2))/24.
    let parameters = json!({"epsilon": 1.0, "threshold": 0.5, "stop_after": 1});
    let released = vectors("gap-svt", parameters, &[0.5]);
    let gaps: Vec<f64> = released.iter().map(|gap| gap[0]).filter(|gap| *gap != 0.0).collect();
    let above = |x: f64| (16.0 * (-x / 4.0).exp() - 4.0 * (-x / 2.0).exp()) / 24.0;
    let tally = [gaps.len() as u64, (RUNS - gaps.len()) as u64];
    assert_law("above", &tally, &[above(0.0), 1.0 - above(0.0)]);
    assert_continuous("gap above", &gaps, |x| 1.0 - above(x) / above(0.0));
}

#[test]
fn comparisons_with_normal_noise_and_of_counts() {
    let normal = Normal::new(0.0, 1.0).unwrap();
    let parameters = json!({
        "threshold_sigma": 3.0, "query_sigma": 4.0, "threshold": 0.5, "stop_after": 1
    });
    let above = normal.cdf((2.5 - 0.5) / 5.0);
    let tally = |all: &[Vec<f64>], at: usize| {
        let ones = all.iter().filter(|told| told[at] == 1.0).count() as u64;
        [ones, all.len() as u64 - ones]
    };
    let told = vectors("gaussian-svt", parameters, &[2.5]);
    assert_law("gaussian-svt", &tally(&told, 0), &[above, 1.0 - above]);

    let counts = [0.0, 1.0, 5.0];
    let of = |noise: &str| json!({"noise": noise, "scale": 2.0, "threshold": 4.0});
    for noise in ["laplace", "gaussian"] {
        let told = vectors("partition-selection", of(noise), &counts);
        assert_eq!(tally(&told, 0)[0], 0, "a key that nobody has");
        for at in [1, 2] {
            let x = (counts[at] - 4.0) / 2.0;
            let above = if noise == "laplace" { laplace_cdf(x) } else { normal.cdf(x) };
            assert_law(noise, &tally(&told, at), &[above, 1.0 - above]);
        }
    }
}

#[test]
fn an_answer_near_one_that_differs_is_told_with_probability_delta() {
    let parameters = json!({"epsilon": 0.5, "delta": 0.1});
    let threshold = 5_f64.ln() / 0.5;
    let told = |counts: &[f64]| {
        let outcomes = outcomes("propose-test-release", parameters.clone(), counts);
        outcomes.as_integers().unwrap().to_vec()
    };
    for (counts, mode) in [([2.0, 3.0, 1.0], 1), ([9.0, 1.0, 4.0], 0), ([4.0, 4.0, 7.0], 2)] {
        let told = told(&counts);
        assert!(told.iter().all(|place| [mode, -1].contains(place)));
        let mut sorted = counts;
        sorted.sort_by(f64::total_cmp);
        let distance = sorted[2] - sorted[1] - 1.0;
        let passes = laplace_cdf((distance - threshold) * 0.5);
        let hits = told.iter().filter(|place| **place == mode).count() as u64;
        assert_law("mode", &[hits, told.len() as u64 - hits], &[passes, 1.0 - passes]);
        assert!(distance > 0.0 || (passes - 0.1).abs() < 1e-15, "{passes}");
    }
    // Equal counts have the first as their mode; an only count has no other.
    assert!(told(&[3.0, 3.0]).iter().all(|place| [0, -1].contains(place)));
    assert!(told(&[3.0]).iter().all(|place| *place == 0));
    let mixed = json!({"epsilon": 1.0, "threshold": 2.0});
    let error = catalog::build_from_json("propose-test-release", &mixed).err().unwrap();
    assert!(error.contains("`epsilon` and `delta`"), "{error}");
}

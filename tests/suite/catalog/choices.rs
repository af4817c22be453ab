//! Selection and sparse vectors against their exact laws, enumerated or integrated. False-alarm
//! probability: see `support::catalog`.

use crate::support::catalog::*;
use plaudit::mechanism::OutcomeRef;
use serde_json::json;

#[test]
fn exponential_mechanism_and_permute_and_flip_follow_their_enumerated_laws() {
    let utilities = [1.0, 3.0, 0.0, 2.5];
    let weights = |factor: f64| utilities.map(|u| (0.8 * (u - 3.0) / (factor * 2.0)).exp());
    for factor in [1.0, 2.0] {
        let parameters = json!({"epsilon": 0.8, "sensitivity": 2.0, "factor": factor});
        let sum: f64 = weights(factor).iter().sum();
        let law = weights(factor).map(|w| w / sum);
        let outcomes = outcomes("exponential-mechanism", parameters, &utilities);
        assert_law("exponential mechanism", &integer_counts(&outcomes, 0, 4), &law);
    }

    /// Adds the chances of each of `left` to be taken, `reached` being that of getting this far.
    fn enumerate(left: &[usize], reached: f64, heads: &[f64; 4], law: &mut [f64; 4]) {
        for (at, &index) in left.iter().enumerate() {
            let asked = reached / left.len() as f64;
            law[index] += asked * heads[index];
            let mut others = left.to_vec();
            others.remove(at);
            enumerate(&others, asked * (1.0 - heads[index]), heads, law);
        }
    }
    let mut law = [0.0; 4];
    enumerate(&[0, 1, 2, 3], 1.0, &weights(2.0), &mut law);
    let parameters = json!({"epsilon": 0.8, "sensitivity": 2.0});
    let outcomes = outcomes("permute-and-flip", parameters, &utilities);
    assert_law("permute and flip", &integer_counts(&outcomes, 0, 4), &law);
}

fn exponential_cdf(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { 1.0 - (-x).exp() }
}

fn exponential_pdf(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { (-x).exp() }
}

#[test]
fn noisy_max_winners_and_maxima_follow_their_integrals() {
    let utilities = [2.0, 0.0, 0.5];
    type Function = fn(f64) -> f64;
    let laws: [(&str, Function, Function); 2] =
        [("laplace", laplace_pdf, laplace_cdf), ("exponential", exponential_pdf, exponential_cdf)];
    for (noise, pdf, cdf) in laws {
        // ε = 2 makes the scale 1.
        let wins = [0, 1, 2].map(|winner| {
            integral(|x| {
                let others = (0..3).filter(|&i| i != winner).map(|i| cdf(x - utilities[i]));
                pdf(x - utilities[winner]) * others.product::<f64>()
            })
        });
        let index = outcomes("noisy-max", json!({"noise": noise, "epsilon": 2.0}), &utilities);
        assert_law(noise, &integer_counts(&index, 0, 3), &wins);
        let parameters = json!({"noise": noise, "scale": 1.0, "releases": "maximum"});
        let maximum = outcomes("noisy-max", parameters, &utilities);
        assert_continuous(noise, maximum.as_numbers().unwrap(), |x| {
            utilities.iter().map(|u| cdf(x - u)).product()
        });
    }
}

/// The answers as a number: 1 above, 0 below (NaN for svt-3), with a leading 1 so that the length
/// counts.
fn code(outcome: OutcomeRef<'_>) -> usize {
    let OutcomeRef::Vector(answers) = outcome else { panic!("not a vector") };
    answers.iter().fold(1, |code, &x| 2 * code + usize::from(x != 0.0 && !x.is_nan()))
}

struct Algorithm {
    kind: &'static str,
    threshold_scale: f64,
    query_scale: f64,
    stop_after: Option<usize>,
    renewed: bool,
}

impl Algorithm {
    /// The probabilities of all codes.
    fn law(&self, queries: &[f64], threshold: f64) -> Vec<f64> {
        (0..2usize << queries.len())
            .map(|code| self.probability(code, queries, threshold))
            .collect()
    }

    fn probability(&self, code: usize, queries: &[f64], threshold: f64) -> f64 {
        let Some(length) = code.checked_ilog2() else { return 0.0 };
        let length = length as usize;
        let bit = |at: usize| code >> (length - 1 - at) & 1 == 1;
        let aboves = |up_to: usize| Some((0..up_to).filter(|&at| bit(at)).count());
        let stops_at = (1..=queries.len())
            .find(|&up_to| up_to <= length && aboves(up_to) == self.stop_after)
            .unwrap_or(queries.len());
        if length != stops_at {
            return 0.0;
        }
        // Where the threshold is renewed, the answers up to each one above are a draw of their own.
        let mut draws = vec![Vec::new()];
        for at in 0..length {
            draws.last_mut().unwrap().push(at);
            if self.renewed && bit(at) {
                draws.push(Vec::new());
            }
        }
        let chance = |answers: &Vec<usize>| {
            integral(|rho| {
                let noisy_threshold = threshold + self.threshold_scale * rho;
                let answer = |&at: &usize| {
                    let below = laplace_cdf((noisy_threshold - queries[at]) / self.query_scale);
                    if bit(at) { 1.0 - below } else { below }
                };
                laplace_pdf(rho) * answers.iter().map(answer).product::<f64>()
            })
        };
        draws.iter().map(chance).product()
    }
}

#[test]
fn sparse_vectors_answer_as_their_integrals_say() {
    let queries = [1.0, 0.0, 2.0, 1.5];
    let algorithm = |kind, threshold_scale, query_scale, stop_after| Algorithm {
        kind,
        threshold_scale,
        query_scale,
        stop_after,
        renewed: kind == "svt-2",
    };
    // At ε = 2 and, where it stops, c = 2.
    let algorithms = [
        algorithm("svt-1", 1.0, 4.0, Some(2)),
        algorithm("svt-2", 2.0, 4.0, Some(2)),
        algorithm("svt-3", 1.0, 2.0, Some(2)),
        algorithm("svt-4", 2.0, 2.0 / 3.0, Some(2)),
        // No query noise: so little that no distribution function sees it.
        algorithm("svt-5", 1.0, 1e-12, None),
        algorithm("svt-6", 1.0, 1.0, None),
        algorithm("numerical-svt", 1.5, 6.0, Some(2)),
    ];
    for algorithm in algorithms {
        let mut parameters = json!({"epsilon": 2.0, "threshold": 0.7});
        if let Some(stop_after) = algorithm.stop_after {
            parameters["stop_after"] = json!(stop_after);
        }
        let law = algorithm.law(&queries, 0.7);
        let mut counts = vec![0; law.len()];
        outcomes(algorithm.kind, parameters, &queries).iter().for_each(|o| counts[code(o)] += 1);
        assert_law(algorithm.kind, &counts, &law);
    }
}

#[test]
fn svt_3_releases_what_it_compared_and_numerical_svt_fresh_noise() {
    let parameters = json!({"epsilon": 2.0, "threshold": 0.7, "stop_after": 1});
    let released = |kind: &str| -> Vec<f64> {
        let outcomes = outcomes(kind, parameters.clone(), &[1.0]);
        let (values, _) = outcomes.as_vectors().unwrap();
        values.iter().copied().filter(|&x| x != 0.0 && !x.is_nan()).collect()
    };
    // svt-3, both scales 1: the density at v is f(v − 1)·F(v − 0.7), up to its mass.
    let density = |v: f64| laplace_pdf(v - 1.0) * laplace_cdf(v - 0.7);
    let mass = integral(density);
    let edges: Vec<f64> = (-8..=16).map(|k| f64::from(k) / 2.0).collect();
    let mut counts = vec![0; edges.len() + 1];
    released("svt-3").iter().for_each(|v| counts[edges.partition_point(|edge| edge < v)] += 1);
    let cell = |cell: usize| {
        let from = cell.checked_sub(1).map_or(f64::NEG_INFINITY, |before| edges[before]);
        let to = edges.get(cell).copied().unwrap_or(f64::INFINITY);
        integral(|v| if from < v && v <= to { density(v) } else { 0.0 }) / mass
    };
    assert_law("svt-3", &counts, &(0..=edges.len()).map(cell).collect::<Vec<_>>());
    // numerical-svt: scale 3c/ε = 1.5 whatever the comparison said.
    let fresh = released("numerical-svt");
    assert_continuous("numerical-svt", &fresh, |v| laplace_cdf((v - 1.0) / 1.5));
}

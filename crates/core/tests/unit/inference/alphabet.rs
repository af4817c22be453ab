use super::*;

/// ln of n! by sums: for multinomial probabilities of small counts.
fn ln_factorial(n: u64) -> f64 {
    (2..=n).map(|i| (i as f64).ln()).sum()
}

/// All ways to put n runs into k outcomes.
fn counts(n: u64, k: usize) -> Vec<Vec<u64>> {
    if k == 1 {
        return vec![vec![n]];
    }
    let first = 0..=n;
    first
        .flat_map(|x| {
            counts(n - x, k - 1).into_iter().map(move |mut rest| {
                rest.insert(0, x);
                rest
            })
        })
        .collect()
}

fn probability(counts: &[u64], law: &[f64]) -> f64 {
    let n: u64 = counts.iter().sum();
    let terms = counts.iter().zip(law).map(|(&x, &p)| match (x, p) {
        (0, _) => 0.0,
        (_, 0.0) => f64::NEG_INFINITY,
        (x, p) => x as f64 * p.ln() - ln_factorial(x),
    });
    (ln_factorial(n) + terms.sum::<f64>()).exp()
}

#[test]
fn enumerated_bounds_below_the_truth_come_at_most_alpha_of_the_time() {
    let laws: [(&[f64], &[f64]); 6] = [
        (&[0.75, 0.25], &[0.25, 0.75]),
        (&[0.5, 0.5], &[0.5, 0.5]),
        (&[0.99, 0.01], &[0.9, 0.1]),
        (&[0.6, 0.3, 0.1], &[0.2, 0.3, 0.5]),
        (&[1.0, 0.0], &[0.7, 0.3]),
        (&[0.05, 0.05, 0.9], &[0.1, 0.05, 0.85]),
    ];
    for (p, q) in laws {
        for (n, m) in [(1, 4), (6, 6), (15, 9), (12, 20)] {
            for alpha in [0.05, 0.2] {
                let epsilons = [0.0f64, 0.3, 1.0];
                let truths = epsilons.map(|epsilon| {
                    let one_way = |p: &[f64], q: &[f64]| -> f64 {
                        p.iter().zip(q).map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
                    };
                    one_way(p, q).max(one_way(q, p))
                });
                let mut wrong = [0.0; 3];
                for x in counts(n, p.len()) {
                    let px = probability(&x, p);
                    for y in counts(m, q.len()) {
                        let bounds = AlphabetBounds::new(&x, &y, alpha);
                        for ((epsilon, truth), wrong) in epsilons.iter().zip(truths).zip(&mut wrong)
                        {
                            if bounds.delta_upper(*epsilon) < truth - 1e-12 {
                                *wrong += px * probability(&y, q);
                            }
                        }
                    }
                }
                assert!(
                    wrong.iter().all(|wrong| *wrong <= alpha),
                    "{p:?} {q:?} {n} {m} {alpha}: {wrong:?}"
                );
            }
        }
    }
}

#[test]
fn many_runs_come_near_the_truth_and_few_certify_nothing() {
    let counts = |share: f64| {
        let hits = (1e7 * share) as u64;
        [hits, 10_000_000 - hits]
    };
    let bounds = AlphabetBounds::new(&counts(0.75), &counts(0.25), 1e-6);
    let epsilon = bounds.epsilon_upper(0.0).expect("a bound");
    assert!(epsilon > 3f64.ln() && epsilon < 3f64.ln() + 0.01, "{epsilon}");
    assert!(bounds.delta_upper(epsilon) <= 0.0 && bounds.delta_upper(0.0) < 0.503);
    // A cell that may be empty on one side: nothing is certified at δ = 0, and δ = its upper end is.
    let never = AlphabetBounds::new(&[1000, 0], &[999, 1], 0.05);
    assert_eq!(never.epsilon_upper(0.0), None);
    assert!(never.epsilon_upper(0.02).is_some());
    assert_eq!(AlphabetBounds::new(&[0], &[0], 0.05).delta_upper(0.0), 1.0);
}

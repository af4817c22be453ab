use super::*;
use plaudit_core::random::{Phase, Streams};
use rand::RngExt as _;

/// Programs whose optimum is between two bounds computed from different things.
#[test]
fn the_optimum_is_enclosed() {
    for (entries, queries, size) in [(10, 40, 1.0), (60, 240, 3.0), (40, 20, 1.0), (30, 300, 1e3)] {
        let mut random = Streams::new(2, "linear").block(0, Phase::Rebuild)(0);
        let subsets = Subsets::drawn(entries, queries, &mut random);
        let truth: Vec<f64> = (0..entries).map(|entry| (entry % 2) as f64).collect();
        let answers: Vec<f64> = subsets
            .sums(&truth)
            .into_iter()
            .map(|sum| sum + size * (random.random::<f64>() - 0.5))
            .collect();
        let solved = solve(&subsets, &answers, vec![0.5; entries]);
        assert!(solved.x.iter().all(|x| (0.0..=1.0).contains(x)));
        let at = |x: &[f64]| -> f64 {
            subsets.sums(x).iter().zip(&answers).map(|(sum, answer)| (sum - answer).abs()).sum()
        };
        assert!((at(&solved.x) - solved.total).abs() < 1e-9 * solved.total.max(1.0));
        assert!(solved.least <= at(&truth) && solved.least <= solved.total + 1e-9);
        let near = 1e-3 * solved.total.max(0.1 * (queries as f64).sqrt());
        assert!(solved.total - solved.least <= near, "{entries} {queries} {size}: {solved:?}");
    }
}

/// One person, asked about three times: the median answer within [0, 1].
#[test]
fn the_least_sum_is_at_the_median() {
    let mut random = Streams::new(0, "linear").block(0, Phase::Rebuild)(0);
    let subsets = loop {
        let subsets = Subsets::drawn(1, 3, &mut random);
        if subsets.sums(&[1.0]) == [1.0; 3] {
            break subsets;
        }
    };
    for (answers, expected) in
        [([0.1, 0.7, 5.0], 0.7), ([2.0, 3.0, 4.0], 1.0), ([-1.0, -2.0, 1.0], 0.0)]
    {
        let solved = solve(&subsets, &answers, vec![0.5]);
        assert!((solved.x[0] - expected).abs() < 0.01, "{answers:?}: {solved:?}");
    }
}

/// Gross errors in a fifth of the answers: the least sum does not see them (Dwork, McSherry, Talwar 2007), least squares do.
#[test]
fn wild_answers_are_no_hindrance() {
    let mut random = Streams::new(3, "linear").block(0, Phase::Rebuild)(0);
    let subsets = Subsets::drawn(60, 480, &mut random);
    let truth: Vec<f64> = (0..60).map(|entry| (entry % 3 / 2) as f64).collect();
    let mut answers = subsets.sums(&truth);
    answers.iter_mut().step_by(5).for_each(|answer| *answer = 60.0);
    let wrong = |x: &[f64]| x.iter().zip(&truth).filter(|(x, t)| (*x - *t).abs() > 0.1).count();
    let squares = super::super::squares::solve(&subsets, &answers, 0.0);
    assert!(wrong(&squares) > 10);
    assert_eq!(wrong(&solve(&subsets, &answers, squares).x), 0);
}

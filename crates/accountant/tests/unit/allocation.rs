//! A row in one of several steps against the enumeration of the steps, where a step has few outcomes.

use super::*;
use crate::component::law::{Law, Seen};

/// The profile of either direction: how many of the steps have each outcome, by the multinomial law, outcome by outcome.
fn enumerated(step: &[(f64, f64)], steps: u32, epsilon: f64) -> f64 {
    let mut all = vec![(0.0, 1.0)];
    for _ in 0..steps {
        let next = |&(sum, mass): &(f64, f64)| {
            step.iter().map(move |(p, q)| (sum + p / q, mass * q)).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(next).collect();
    }
    let (mut remove, mut add) = (0.0, 0.0);
    for (sum, mass) in all {
        let ratio = sum / f64::from(steps);
        remove += mass * (ratio - epsilon.exp()).max(0.0);
        add += mass * (1.0 - epsilon.exp() * ratio).max(0.0);
    }
    f64::max(remove, add)
}

#[test]
fn few_outcomes_of_a_step_are_those_of_the_enumeration() {
    for step in [
        vec![(0.75, 0.25), (0.25, 0.75)],
        vec![(0.9, 0.5), (0.1, 0.5)],
        vec![(0.5, 0.2), (0.3, 0.3), (0.2, 0.5)],
        vec![(0.999, 0.001), (0.001, 0.999)],
    ] {
        let part = |&(p, q): &(f64, f64)| LawPart { p, q, loss: f64::ln(p / q) };
        let mut parts: Vec<LawPart> = step.iter().map(part).collect();
        parts.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let pair = LawPair::Atoms { parts, spacing: None };
        for steps in [2_u32, 3, 7] {
            let (upper, lower) = mean_of_steps((&pair, Some(&pair)), steps.into(), 1e-12);
            let [upper, lower] =
                [upper, lower.expect("a lower law")].map(|pair| Law::seen(pair, Seen::Directed));
            for epsilon in [0.0, 0.1, 0.4, 1.0, 3.0] {
                let exact = enumerated(&step, steps, epsilon);
                let (least, greatest) = (lower.delta(epsilon).0, upper.delta(epsilon).1);
                let what = format!("{step:?} {steps} {epsilon}: {least} {exact} {greatest}");
                assert!(least <= exact + 1e-15 && exact <= greatest + 1e-15, "{what}");
                // Ratios that range widely do not fit the lattice.
                let is_wide = step.iter().any(|(p, q)| p / q > 100.0);
                assert!(is_wide || greatest - least <= 1e-5, "{what}");
            }
        }
    }
}

/// The mean of one step is that step.
#[test]
fn one_step_is_the_pair_itself() {
    for mu in [0.1, 0.5, 1.0] {
        let pair = LawPair::Gaussian { mu };
        let whole = Law::seen(pair.clone(), Seen::Whole);
        let (upper, lower) = mean_of_steps((&pair, Some(&pair)), 1, 1e-12);
        let [upper, lower] =
            [upper, lower.expect("a lower law")].map(|pair| Law::seen(pair, Seen::Directed));
        for epsilon in [0.0, 0.3, 1.0] {
            let exact = whole.delta(epsilon);
            let (least, greatest) = (lower.delta(epsilon).0, upper.delta(epsilon).1);
            assert!(least <= exact.1 && exact.0 <= greatest, "{mu} {epsilon}: {least} {greatest}");
            assert!(greatest - least <= 1e-5, "{mu} {epsilon}: {least} {greatest}");
        }
    }
}

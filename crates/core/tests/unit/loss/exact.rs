use super::*;

fn laws() -> Vec<ExactLoss> {
    vec![
        ExactLoss::Laplace { shift: 1.0 },
        ExactLoss::Laplace { shift: 0.1 },
        ExactLoss::Laplace { shift: 6.0 },
        ExactLoss::Gaussian { mu: 1.0 },
        ExactLoss::Gaussian { mu: 0.2 },
        ExactLoss::Gaussian { mu: 4.0 },
        ExactLoss::Finite(vec![(0.75, 0.25), (0.25, 0.75)]),
        ExactLoss::Finite(vec![(0.5, 0.2), (0.1, 0.3), (0.4, 0.5)]),
    ]
}

/// The law of the loss under P by a fine grid of ε: mass between neighbors.
fn masses(law: &ExactLoss) -> impl Iterator<Item = (f64, f64)> + '_ {
    let at = |i: i32| f64::from(i) * 1e-3;
    (-60_000..60_000)
        .map(move |i| (0.5 * (at(i) + at(i + 1)), law.exceeds(at(i)) - law.exceeds(at(i + 1))))
}

#[test]
fn the_tail_of_the_loss_gives_profile_mean_and_renyi_divergence() {
    for law in laws() {
        let total: f64 = masses(&law).map(|(_, mass)| mass).sum();
        assert!((total - 1.0).abs() < 1e-12, "{law:?}: {total}");
        let mean: f64 = masses(&law).map(|(loss, mass)| loss * mass).sum();
        assert!((mean - law.kl().unwrap()).abs() < 1e-3, "{law:?}: {mean}");
        for epsilon in [0.0f64, 0.05, 0.5, 0.9, 2.0] {
            // E(1 − e^(ε − ℓ))₊ (Sommer, Meiser, Mohammadi 2019).
            let over = masses(&law).filter(|(loss, _)| *loss > epsilon);
            let delta: f64 = over.map(|(l, mass)| -(epsilon - l).exp_m1() * mass).sum();
            assert!((delta - law.delta_at(epsilon)).abs() < 1e-3, "{law:?} at {epsilon}: {delta}");
        }
        for order in [1.5, 2.0, 4.0] {
            let moment: f64 = masses(&law).map(|(l, mass)| mass * ((order - 1.0) * l).exp()).sum();
            let divergence = moment.ln() / (order - 1.0);
            let exact = law.renyi(order).unwrap();
            assert!(
                (divergence - exact).abs() < 2e-3 * (1.0 + exact),
                "{law:?} {order}: {divergence} {exact}"
            );
        }
    }
}

#[test]
fn profile_and_trade_off_function_are_dual() {
    for law in laws() {
        for epsilon in [0.0f64, 0.3, 0.99, 2.0] {
            let best = (0..=100_000)
                .map(|i| f64::from(i) / 100_000.0)
                .map(|a| 1.0 - law.tradeoff_at(a) - epsilon.exp() * a)
                .fold(0.0, f64::max);
            let delta = law.delta_at(epsilon);
            assert!((best - delta).abs() < 1e-4, "{law:?} at {epsilon}: {best} {delta}");
        }
    }
}

#[test]
fn known_values() {
    let close = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-13, "{found} {exact}");
    let laplace = ExactLoss::Laplace { shift: 1.0 };
    close(laplace.delta_at(0.0), 0.393_469_340_287_366_6);
    close(laplace.kl().unwrap(), (-1f64).exp());
    close(laplace.renyi(2.0).unwrap(), (2.0 / 3.0 * 1f64.exp() + (-2f64).exp() / 3.0).ln());
    close(laplace.exceeds(0.999_999_999_999_999_9), 0.5);
    assert_eq!(
        (laplace.delta_at(1.0), laplace.exceeds(1.0), laplace.exceeds(-1.1)),
        (0.0, 0.0, 1.0)
    );
    let response = ExactLoss::Finite(vec![(0.75, 0.25), (0.25, 0.75)]);
    close(response.delta_at(0.0), 0.5);
    close(response.kl().unwrap(), 0.5 * 3f64.ln());
    close(response.renyi(2.0).unwrap(), (7f64 / 3.0).ln());
    close(response.tradeoff_at(0.25), 0.25);
    // The Gaussian mechanism fails gracefully: P(ℓ > tε) for μ = 1 at ε = 1, 2, 3.
    let gaussian = ExactLoss::Gaussian { mu: 1.0 };
    close(gaussian.exceeds(1.0), 0.308_537_538_725_986_9);
    close(gaussian.exceeds(2.0), 0.066_807_201_268_858_07);
    close(gaussian.exceeds(3.0), 0.006_209_665_325_776_139);
    let never = ExactLoss::Finite(vec![(0.5, 0.0), (0.5, 1.0)]);
    assert_eq!((never.kl(), never.renyi(2.0), never.delta_at(9.0)), (None, None, 0.5));
    assert_eq!(never.reverse().delta_at(0.0), 0.5);
    let tiny = ExactLoss::Laplace { shift: 1e-4 };
    assert!((tiny.kl().unwrap() / 4.999_833_337_5e-9 - 1.0).abs() < 1e-9);
}

use super::*;
use plaudit_core::random::{Phase, Streams};

fn stream() -> Stream {
    Streams::new(0, "disturbance").block(0, Phase::Rebuild)(0)
}

fn errors(disturbance: Disturbance) -> Vec<f64> {
    let mut random = stream();
    (0..20_000).map(|_| disturbance.answer(7, 9, &mut random) - 7.0).collect()
}

/// Each within 6 standard deviations of the mean of 20 000 squares: wrong for a fresh seed with probability below 1e-8.
#[test]
fn errors_have_the_variance_that_is_said() {
    for disturbance in [
        Disturbance::Noise(Noise::Laplace { scale: 3.0 }),
        Disturbance::Noise(Noise::Gaussian { sigma: 3.0 }),
        Disturbance::Bounded(Bounded::Uniform { error: 3.0 }),
    ] {
        let errors = errors(disturbance);
        let square = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
        // The square of Laplace noise has the largest variance: 20 scale^4.
        let margin = 6.0 * (20.0 * 81.0_f64 / errors.len() as f64).sqrt();
        assert!((square - disturbance.variance()).abs() < margin, "{disturbance:?}: {square}");
    }
}

#[test]
fn bounded_errors_keep_their_bound_exactly() {
    let error = 0.3;
    let uniform = Bounded::Uniform { error };
    assert!(errors(Disturbance::Bounded(uniform)).iter().all(|e| e.abs() <= error));
    let adversarial = Disturbance::Bounded(Bounded::Adversarial { error });
    assert!(errors(adversarial).iter().all(|e| *e > 0.299_99 && *e <= error));
    for multiple in [0.3, 1.0, 2.0, 5.0, 1e-9] {
        let rounding = Bounded::Rounding { multiple };
        assert!((rounding.error() - multiple / 2.0).abs() < 1e-6);
        for truth in 0..50 {
            let answer = Disturbance::Bounded(rounding).answer(truth, 0, &mut stream());
            assert!((answer - truth as f64).abs() <= rounding.error(), "{truth} to {multiple}");
        }
    }
    assert_eq!(Bounded::Uniform { error: 0.3 }.most_wrong(), 1);
    assert_eq!(Bounded::Rounding { multiple: 5.0 }.most_wrong(), 10);
}

#[test]
fn a_decoy_turns_as_many_ones_as_zeros() {
    let database = Database::drawn(20, &mut stream());
    let decoy = |error| {
        let adversarial = Disturbance::Bounded(Bounded::Adversarial { error });
        adversarial.decoy(&database, &mut stream()).unwrap()
    };
    assert_eq!(database.agreeing(decoy(0.4).bits()), 20);
    let other = decoy(1.5);
    assert_eq!((database.agreeing(other.bits()), other.ones()), (14, 10));
    assert_eq!(database.agreeing(decoy(1e9).bits()), 0);
}

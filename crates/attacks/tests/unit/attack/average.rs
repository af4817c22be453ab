use super::*;

fn service(noise: Noise) -> Service {
    Service {
        noise,
        sensitivity: 1.0,
        cached: false,
        differencing: false,
        budget: None,
        delta: 1e-5,
    }
}

const LAPLACE: Noise = Noise::Laplace { scale: 2.0 };

#[test]
fn each_answer_costs_its_epsilon_and_lowers_the_error() {
    let found = average(service(LAPLACE), 20).unwrap();
    let asked: Vec<u64> = found.rows.iter().map(|row| row.asked).collect();
    assert_eq!(asked, [1, 2, 5, 10, 20]);
    assert!((found.rows[0].error - 0.5 * (-0.25_f64).exp()).abs() < 1e-12);
    for two in found.rows.windows(2) {
        assert!(two[1].error < two[0].error, "{two:?}");
        assert!(two[1].epsilon.lower > two[0].epsilon.upper, "{two:?}");
    }
    for row in &found.rows {
        assert!((row.epsilon_basic - 0.5 * row.asked as f64).abs() < 1e-9, "{row:?}");
        assert!(row.epsilon.upper <= row.epsilon_basic * (1.0 + 1e-4), "{row:?}");
    }
}

#[test]
fn what_is_kept_can_be_asked_for_ever() {
    let found = average(Service { cached: true, ..service(LAPLACE) }, 100).unwrap();
    let first = found.rows[0];
    for row in &found.rows {
        assert_eq!((row.fresh, row.error, row.epsilon), (1, first.error, first.epsilon));
    }
    assert_eq!(
        found.reached.iter().map(|one| one.answers).collect::<Vec<_>>(),
        [Some(1), None, None]
    );
}

#[test]
fn differences_cost_two_answers_and_have_twice_the_noise() {
    let gaussian = |sigma| service(Noise::Gaussian { sigma });
    let pairs = Service { differencing: true, ..gaussian(2.0) };
    let single = gaussian(2.0 * std::f64::consts::SQRT_2);
    for count in [1, 7, 200] {
        assert!((pairs.error(2 * count) - single.error(count)).abs() < 1e-15);
        assert_eq!(pairs.error(2 * count + 1), pairs.error(2 * count));
    }
    assert_eq!(pairs.error(1), 0.5);
    let kept = average(Service { cached: true, ..pairs }, 100).unwrap();
    assert_eq!(kept.fresh_at_most, 2);
    let found = average(pairs, 2_000).unwrap();
    assert_eq!(found.reached[0].answers, Some(2));
}

#[test]
fn a_budget_ends_the_answers() {
    let with = |budget| average(Service { budget: Some(budget), ..service(LAPLACE) }, 100).unwrap();
    // Each answer costs 0.5.
    assert_eq!(with(0.0).fresh_at_most, 0);
    assert_eq!(with(0.0).rows[0].error, 0.5);
    assert_eq!(with(0.4).fresh_at_most, 0);
    assert_eq!(with(1.01).fresh_at_most, 2);
    let found = with(1.01);
    assert_eq!(found.rows.last().unwrap().fresh, 2);
    assert!(with(1e9).fresh_at_most == 100);
}

#[test]
fn the_first_number_that_is_enough_is_found() {
    for noise in [LAPLACE, Noise::Gaussian { sigma: 2.0 }] {
        let service = service(noise);
        let found = average(service, 2_000).unwrap();
        for Reached { below, answers } in found.reached {
            let answers = answers.unwrap();
            assert!(service.error(answers) < below);
            assert!(answers == 1 || service.error(answers - 1) >= below, "{noise:?} {below}");
        }
    }
    // Φ(−√k/4) < 0.01 from k = 87 on.
    let gaussian = average(service(Noise::Gaussian { sigma: 2.0 }), 100).unwrap();
    assert_eq!(gaussian.reached[2].answers, Some(87));
}

#[test]
fn what_makes_no_sense_is_refused() {
    assert_eq!(average(service(LAPLACE), 0), Err(AveragingError::Queries(0)));
    assert!(average(service(LAPLACE), MOST_QUERIES + 1).is_err());
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(average(service(Noise::Laplace { scale }), 5).is_err(), "{scale}");
        assert!(average(service(Noise::Gaussian { sigma: scale }), 5).is_err(), "{scale}");
    }
    let budget = Some(f64::NAN);
    assert!(average(Service { budget, ..service(LAPLACE) }, 5).is_err());
    assert!(average(Service { delta: 2.0, ..service(LAPLACE) }, 5).is_err());
}

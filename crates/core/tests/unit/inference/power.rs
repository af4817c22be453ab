use super::*;

#[test]
fn the_smallest_count_is_found_wherever_it_is() {
    for (most, from) in (1..=70).flat_map(|most| (1..=most).map(move |from| (most, from))) {
        assert_eq!(smallest(most, |k| k >= from), Some(from), "{most}");
    }
    assert_eq!(smallest(10, |_| false), None);
}

/// P[Bin(n, p) >= n] = p^n and P[Bin(n, p) >= 1] = 1 − (1 − p)^n.
#[test]
fn the_chance_that_reaches_a_count_has_closed_forms() {
    assert!((reaching(7, 7, 0.9) - 0.9f64.powf(1.0 / 7.0)).abs() < 1e-13);
    assert!((reaching(1, 7, 0.9) - (1.0 - 0.1f64.powf(1.0 / 7.0))).abs() < 1e-13);
}

#[test]
fn losses_of_an_event_have_closed_forms() {
    let claim = Claim::approximate(0.5, 0.1).expect("in range");
    let near = |q, p, exact: f64| {
        let loss = loss_of(&claim, q, p).expect("a loss");
        assert!((loss - exact).abs() < 1e-13, "{q} {p}: {loss} {exact}");
    };
    near(0.2, 0.6, 2.5f64.ln());
    // The complement shows more: (0.9 − 0.5)/(1 − 0.9).
    near(0.5, 0.9, 4f64.ln());
    near(0.5, 0.55, 0.5);
    for (q, p) in [(0.05, 0.1), (0.05, 0.05), (0.0, 0.5), (0.5, 1.0)] {
        assert_eq!(loss_of(&claim, q, p), None);
    }
    let claim = Claim::gaussian(0.5).expect("in range");
    // Φ⁻¹(0.975) = 1.959964, on both sides.
    let loss = loss_of(&claim, 0.025, 0.975).expect("a loss");
    assert!((loss - 2.0 * 1.959_963_984_540_054).abs() < 1e-12, "{loss}");
    assert_eq!(loss_of(&claim, 0.5, 0.51), Some(0.5));
}

/// A guesser that is refuted from 9 right of 10 on: of 10 trials, and of 20 with an abstention in each second.
#[test]
fn detectable_losses_solve_their_equation() {
    let refuted = |guesses: Guesses| guesses.made == 10 && guesses.right >= 9;
    // P[Bin(10, s) >= 9] = 10 s^9 − 9 s^10.
    let reached = |s: f64| 10.0 * s.powi(9) - 9.0 * s.powi(10);
    for (trials, rate, sides, delta) in
        [(10, 1.0, 2, 0.0), (10, 1.0, 2, 0.1), (20, 0.5, 1, 0.1), (20, 0.5, 1, 0.0)]
    {
        for probability in [0.5, 0.9] {
            let all = detectable(trials, (rate, sides), (0.3, delta), [probability], refuted);
            let epsilon = all[0].expect("detectable");
            // right = e^ε wrong + δ sides/2, right + wrong = rate.
            let revealed = delta * sides as f64 / 2.0;
            let wrong = (rate - revealed) / (1.0 + epsilon.exp());
            let share = 1.0 - wrong / rate;
            assert!((reached(share) - probability).abs() < 1e-11, "{rate} {delta}: {epsilon}");
        }
    }
    // The claim's own loss at least; and one that names one dataset is right in half of the trials at most.
    assert_eq!(detectable(10, (1.0, 2), (9.0, 0.0), [0.5], refuted), [Some(9.0)]);
    assert_eq!(detectable(10, (1.0, 1), (0.3, 0.0), [0.5], refuted), [None]);
    assert_eq!(detectable(10, (1.0, 2), (0.3, 0.0), [0.5], |_| false), [None]);
    let all_of_it = |guesses: Guesses| guesses.right >= 1;
    assert_eq!(detectable(1, (1.0, 2), (0.3, 0.6), [0.5], all_of_it), [None]);
}

#[test]
fn smallest_masses_solve_their_equation() {
    let refuted = |guesses: Guesses| guesses.right == guesses.made && guesses.made >= 3;
    let mass = smallest_mass(40, 0.9, refuted).expect("visible");
    // P[Bin(40, mass/2) >= 3], by its complement.
    let (p, q) = (mass / 2.0, 1.0 - mass / 2.0);
    let less = q.powi(40) + 40.0 * p * q.powi(39) + 780.0 * p * p * q.powi(38);
    assert!((less - 0.1).abs() < 1e-11, "{mass}");
    // 0.9^(1/3) > 1/2: the coin names this dataset too seldom.
    assert_eq!(smallest_mass(3, 0.9, refuted), None);
    assert!(
        smallest_mass(3, 0.1, refuted)
            .is_some_and(|mass| (mass - 2.0 * 0.1f64.cbrt()).abs() < 1e-12)
    );
}

#[test]
fn the_guess_and_betting_tests_are_those_that_would_refute() {
    // 2^−5 is the first power within 0.05.
    let mass = guess_smallest_mass(50, 0.0, 0.0, 0.05, 0.9).expect("visible");
    assert!((mass - 2.0 * proportion::beta_quantile(0.9, 5, 46)).abs() < 1e-12);
    // P[Bin(10, 1/2) >= 9] = 11/1024 and P[>= 8] = 56/1024.
    let [epsilon] = guess_detectable_epsilon(10, (1.0, 2), (0.0, 0.0), 0.05, [0.9]);
    let share = proportion::beta_quantile(0.9, 9, 2);
    assert!((epsilon.expect("detectable") - (share / (1.0 - share)).ln()).abs() < 1e-11);
    let stakes = Stakes::new(0.0, 0.0, 50);
    let refutes = |right, made, trials, sides| {
        let test = BettingTest::new(Guesses { right, made, trials }, sides, stakes.clone());
        test.p_value(0.0, 0.0) <= 0.05
    };
    let least = (1..=50).find(|&k| refutes(k, k, 50, Guessed::One)).expect("refuted");
    let mass = betting_smallest_mass(50, (0.0, 0.0), (0.05, &stakes), 0.9).expect("visible");
    assert!((mass - 2.0 * proportion::beta_quantile(0.9, least, 51 - least)).abs() < 1e-12);
    for (sides, rate, made) in [(Guessed::Both, 1.0, 50), (Guessed::One, 0.4, 20)] {
        let least = (1..=made).find(|&k| refutes(k, made, 50, sides)).expect("refuted");
        let share = proportion::beta_quantile(0.9, least, made + 1 - least);
        let [epsilon] =
            betting_detectable_epsilon(50, (rate, sides), (0.0, 0.0), (0.05, &stakes), [0.9]);
        assert!((epsilon.expect("detectable") - (share / (1.0 - share)).ln()).abs() < 1e-11);
    }
}

#[test]
fn the_event_test_is_the_one_that_would_refute() {
    let levels = Corner::even(0.05);
    for claim in [Claim::pure(0.5), Claim::gaussian(0.7), Claim::approximate(0.3, 0.02)] {
        let claim = claim.expect("in range");
        let p = |hits, n, other_hits, other_n| {
            let counts = EventCounts { hits, n, other_hits, other_n };
            EventTest::rough(counts, &claim, 0.05, levels).p_value(claim.region())
        };
        let least = (1..=60).find(|&hits| p(hits, 60, 0, 70) <= 0.05).expect("refuted");
        let mass = event_smallest_mass(&claim, 60, 70, (0.05, levels), 0.9).expect("visible");
        assert!(
            (mass - proportion::beta_quantile(0.9, least, 61 - least)).abs() < 1e-12,
            "{claim}"
        );
        let least = (1..=60).find(|&hits| p(hits, 60, 14, 70) <= 0.05).expect("refuted");
        let counts = EventCounts { hits: least, n: 60, other_hits: 14, other_n: 70 };
        let p = EventTest::rough(counts, &claim, 0.05, levels).rate_reaching(0.2, 0.9);
        let [found] = event_detectable(&claim, 60, 70, 0.2, (0.05, levels), [0.9]);
        let found = found.expect("detectable");
        assert_eq!((found.q, Some(found.p)), (0.2, p), "{claim}");
        assert_eq!(Some(found.loss), loss_of(&claim, 0.2, found.p));
        assert_eq!(event_detectable(&claim, 2, 2, 0.5, (0.05, levels), [0.9]), [None]);
    }
    // Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2) at ε = ln 2 and μ = Φ⁻¹(1/2) − Φ⁻¹(1/10), by mpmath.
    let event = DetectableEvent { q: 0.1, p: 0.5, loss: 0.0 };
    let delta = event.delta_at(2f64.ln());
    assert!((delta - GAUSSIAN_DELTA).abs() < 1e-12, "{delta}");
    // An event that is no likelier shows nothing.
    let event = DetectableEvent { q: 0.5, p: 0.4, loss: 0.0 };
    assert_eq!(event.delta_at(0.0), 0.0);
}

const GAUSSIAN_DELTA: f64 = 0.3024441579386973;

#[test]
fn each_form_of_claim_has_its_unit() {
    let unit = |claim: Result<Claim, _>| loss_unit(&claim.expect("in range"));
    assert_eq!(unit(Claim::pure(1.0)), LossUnit::Epsilon);
    assert_eq!(unit(Claim::gaussian(1.0)), LossUnit::Mu);
    assert_eq!(unit(Claim::zero_concentrated(0.3)), LossUnit::Claims);
}

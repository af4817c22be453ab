use super::*;

const LAPLACE: Noise = Noise::Laplace { scale: 10.0 };

#[test]
fn answers_of_laplace_noise_cost_what_the_rules_say() {
    let found = cost(LAPLACE, 400, 1e-5).unwrap();
    assert!((found.basic - 40.0).abs() < 1e-6);
    let log = (1e5_f64).ln();
    let by_hand = 0.1 * (800.0 * log).sqrt() + 40.0 * 0.1_f64.exp_m1();
    assert!((found.advanced.unwrap() - by_hand).abs() < 1e-6);
    assert!(found.pld.lower <= found.pld.upper && found.pld.upper < by_hand.min(40.0));
    let pure = cost(LAPLACE, 400, 0.0).unwrap();
    assert_eq!(pure.advanced, None);
    assert!((pure.pld.upper - 40.0).abs() < 1e-3);
}

#[test]
fn answers_of_gaussian_noise_cost_less_the_sharper_the_rule() {
    let found = cost(Noise::Gaussian { sigma: 20.0 }, 400, 1e-5).unwrap();
    let advanced = found.advanced.unwrap();
    assert!(found.pld.upper < advanced && advanced < found.basic, "{found:?}");
}

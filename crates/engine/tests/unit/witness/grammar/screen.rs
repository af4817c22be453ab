use super::*;

#[test]
fn the_best_interval_of_few_values_is_exact() {
    // 40 of each dataset: the value 1 is of D alone.
    let numbers: Vec<f64> = (0..80).map(|at| f64::from(at % 4)).collect();
    let labels: Vec<bool> = (0..80).map(|at| at % 4 == 1 || at % 8 >= 6).collect();
    let (d, d_prime) =
        labels.iter().fold(
            (0.0, 0.0),
            |(d, prime), is_d| {
                if *is_d { (d + 1.0, prime) } else { (d, prime + 1.0) }
            },
        );
    let exact = Gain::of(Labels { d, d_prime }).exact(Labels { d: 20.0, d_prime: 0.0 });
    assert_eq!(gain(&numbers, &labels), Some(exact));
}

#[test]
fn missing_numbers_are_a_cell() {
    let numbers = [1.0, f64::NAN, 1.0, f64::NAN];
    let labels = [true, false, true, false];
    assert!(gain(&numbers, &labels).is_some_and(|gain| (gain - 4.0 * 2f64.ln()).abs() < 1e-12));
    assert_eq!(gain(&[2.0; 4], &labels), None);
}

#[test]
fn a_number_that_does_not_tell_gains_little() {
    let numbers: Vec<f64> = (0..10_000).map(|at| f64::from((at * 7919) % 10_007)).collect();
    let labels: Vec<bool> = (0..10_000).map(|at| at % 2 == 0).collect();
    assert!(gain(&numbers, &labels).is_some_and(|gain| gain < 15.0));
}

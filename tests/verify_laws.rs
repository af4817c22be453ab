//! Enumerated laws are the laws: exactly where they are finite, and else up to what is unresolved.

use plaudit::mechanism::choice::{Coin, Fraction, Rational, Weights};
use plaudit::{Choices, Explorer, Outcome};

#[test]
fn speed() {
    for (n, d) in [(1u64, 1u64), (2, 1), (20, 1), (7, 3)] {
        let start = std::time::Instant::now();
        let explorer = Explorer::default();
        let scale = Fraction::new(n, d).unwrap();
        let law = explorer
            .law(&scale, &|scale: &Fraction, choices: &mut Choices<'_>| {
                choices.discrete_laplace(*scale)
            })
            .unwrap();
        println!(
            "laplace {n}/{d}: {} outcomes, unresolved {:e}, runs {}, {:?}",
            law.outcomes().len(),
            law.unresolved().to_f64().value(),
            explorer.runs(),
            start.elapsed()
        );
        let start = std::time::Instant::now();
        let law = explorer
            .law(&scale, &|scale: &Fraction, choices: &mut Choices<'_>| {
                choices.discrete_gaussian(*scale)
            })
            .unwrap();
        println!(
            "gaussian {n}/{d}: {} outcomes, unresolved {:e}, runs {}, {:?}",
            law.outcomes().len(),
            law.unresolved().to_f64().value(),
            explorer.runs(),
            start.elapsed()
        );
        let _ = (Coin::new(Rational::ONE), Weights::new([1u64]), Outcome::Integer(1));
    }
}

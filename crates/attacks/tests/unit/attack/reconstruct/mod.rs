use super::*;
use plaudit_core::random::{Phase, Streams};
use proptest::prelude::*;

fn stream(seed: u64) -> Stream {
    Streams::new(seed, "reconstruct").block(0, Phase::Rebuild)(0)
}

fn setup(disturbance: Disturbance, decoder: Decoder) -> Setup {
    Setup { disturbance, decoder, queries: None, delta: 1e-5 }
}

fn bits(words: &str) -> Database {
    Database::new(words.chars().map(|bit| bit == '1').collect())
}

#[test]
fn exact_answers_tell_all() {
    let exact = Disturbance::Bounded(Bounded::Uniform { error: 0.0 });
    for words in ["0", "1", "0110", "0000000", "1111111111"] {
        for decoder in [Decoder::Exhaustive, Decoder::LinearProgram, Decoder::LeastSquares] {
            // Enough that each person is in some query alone, or nearly so.
            let queries = (decoder != Decoder::Exhaustive).then_some(60);
            let setup = Setup { queries, ..setup(exact, decoder) };
            let found = reconstruct(&bits(words), &setup, &mut stream(0)).unwrap();
            assert_eq!(found.right as usize, words.len(), "{words} {decoder:?}: {found:?}");
            assert!(found.is_blatant && found.cost.is_none());
            if decoder == Decoder::Exhaustive {
                assert_eq!(found.survivors, Some(Survivors { tables: 1, farthest: 0 }));
                assert_eq!((found.misfit, found.most_wrong), (Some(0.0), Some(0)));
            }
        }
    }
}

/// A decoy with 2E ones and 2E zeros turned over fits all answers: 4E cannot be improved.
#[test]
fn the_bound_of_4e_is_reached_and_not_exceeded() {
    for (error, farthest) in [(0.5, 4 / 2), (1.0, 4), (1.7, 6), (2.5, 10)] {
        let adversarial = Disturbance::Bounded(Bounded::Adversarial { error });
        let database = Database::drawn(10, &mut stream(1));
        let setup = setup(adversarial, Decoder::Exhaustive);
        let found = reconstruct(&database, &setup, &mut stream(2)).unwrap();
        assert_eq!(found.survivors.unwrap().farthest, farthest, "{error}");
        assert_eq!(found.most_wrong, Some((4.0 * error) as u64));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn no_survivor_has_more_than_4e_bits_wrong(
        bits in prop::collection::vec(any::<bool>(), 1..=10),
        kind in 0..3,
        error in 0.0..4.0_f64,
        seed in any::<u64>(),
    ) {
        let bounded = match kind {
            0 => Bounded::Uniform { error },
            1 => Bounded::Adversarial { error },
            _ => Bounded::Rounding { multiple: 2.0 * error + 0.01 },
        };
        let setup = setup(Disturbance::Bounded(bounded), Decoder::Exhaustive);
        let database = Database::new(bits);
        let found = reconstruct(&database, &setup, &mut stream(seed)).unwrap();
        let survivors = found.survivors.unwrap();
        prop_assert!(survivors.tables >= 1, "the truth fits");
        prop_assert!(survivors.farthest as f64 <= 4.0 * bounded.error(), "{:?}", found);
        prop_assert!(found.largest_error <= bounded.error());
        // What fits best is one of them.
        prop_assert!(found.misfit.unwrap() <= bounded.error());
        prop_assert!(database.entries() as u64 - found.right <= survivors.farthest);
    }

    /// Errors that an adversary chooses freely, against a table that it chooses as well.
    #[test]
    fn errors_of_any_choice_hide_no_more_than_4e(
        truth in 0_u64..64,
        errors in prop::collection::vec(-32_i32..=32, 64),
    ) {
        let mut asked = SubsetQueries::nothing(6);
        for (subset, error) in errors.iter().enumerate() {
            let count = f64::from((subset as u64 & truth).count_ones());
            asked.insert(subset, count + f64::from(*error) / 32.0);
        }
        let fit = asked.fit(1.0, truth);
        prop_assert!(fit.survivors >= 1 && fit.farthest <= 4, "{fit:?}");
    }
}

/// Noise of standard deviation 1.4, a tenth of the square root of 200: by the normal law a bit of least squares is wrong
/// with probability about 4e-7.
#[test]
fn little_noise_hides_nothing() {
    let database = Database::drawn(200, &mut stream(3));
    for disturbance in [
        Disturbance::Noise(Noise::Laplace { scale: 1.0 }),
        Disturbance::Noise(Noise::Gaussian { sigma: 1.4 }),
        Disturbance::Bounded(Bounded::Uniform { error: 2.4 }),
        Disturbance::Bounded(Bounded::Rounding { multiple: 4.0 }),
    ] {
        for decoder in [Decoder::LinearProgram, Decoder::LeastSquares] {
            let setup = setup(disturbance, decoder);
            let found = reconstruct(&database, &setup, &mut stream(4)).unwrap();
            assert!(found.is_blatant, "{found:?}");
            assert_eq!(found.gap.is_some(), decoder == Decoder::LinearProgram);
            assert!(found.gap.unwrap_or(0.0) < 0.01, "{found:?}");
        }
    }
}

/// A thousand times the square root: what is right is Bin(200, ½) or nearly so, above 140 with probability 6e-9.
#[test]
fn huge_noise_hides_everything() {
    let database = Database::drawn(200, &mut stream(5));
    let noise = Disturbance::Noise(Noise::Laplace { scale: 14_000.0 });
    for decoder in [Decoder::LinearProgram, Decoder::LeastSquares] {
        let found = reconstruct(&database, &setup(noise, decoder), &mut stream(6)).unwrap();
        assert!((60..=140).contains(&found.right), "{found:?}");
        assert!(!found.is_blatant);
    }
}

/// By the normal law each pair of tables that differ in one person is distinguished with an error below 1e-9: sigma is
/// 8, and half of 65 536 answers are about each person.
#[test]
fn all_tables_by_their_squares_withstand_noise_without_a_bound() {
    let database = Database::drawn(16, &mut stream(7));
    for noise in [Noise::Gaussian { sigma: 8.0 }, Noise::Laplace { scale: 5.0 }] {
        let setup = setup(Disturbance::Noise(noise), Decoder::Exhaustive);
        let found = reconstruct(&database, &setup, &mut stream(8)).unwrap();
        assert_eq!((found.right, found.misfit, found.survivors), (16, None, None), "{found:?}");
    }
}

#[test]
fn what_is_impossible_is_said_before_anything_is_drawn() {
    let uniform = |error| Disturbance::Bounded(Bounded::Uniform { error });
    let laplace = |scale| Disturbance::Noise(Noise::Laplace { scale });
    use Decoder::{Exhaustive, LeastSquares, LinearProgram};
    for (setup, entries, words) in [
        (setup(uniform(1.0), Exhaustive), 25, "between 1 and 24 (the other decoders"),
        (setup(uniform(1.0), Exhaustive), 3_000, "between 1 and 24"),
        (setup(uniform(1.0), LinearProgram), 2_001, "between 1 and 2000"),
        (setup(uniform(1.0), LeastSquares), 0, "a table of 0 people"),
        (setup(uniform(-1.0), Exhaustive), 5, "noise of -1 is invalid"),
        (setup(uniform(f64::NAN), Exhaustive), 5, "noise of NaN"),
        (setup(laplace(0.0), LinearProgram), 5, "above 0"),
        (setup(laplace(1e-6), LinearProgram), 5, "between 1e-12 and 1e4"),
        (Setup { queries: Some(0), ..setup(uniform(1.0), LinearProgram) }, 5, "0 queries"),
        (
            Setup { queries: Some(100_001), ..setup(uniform(1.0), LinearProgram) },
            5,
            "1 and 100 000",
        ),
        (Setup { delta: 2.0, ..setup(laplace(1.0), LinearProgram) }, 5, "delta"),
    ] {
        let said = setup.check(entries).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn noise_is_found_for_an_epsilon() {
    let laplace = noise_at(Noise::Laplace { scale: 1.0 }, 0.5, 1e-5).unwrap();
    assert_eq!(laplace, Noise::Laplace { scale: 2.0 });
    let Noise::Gaussian { sigma } = noise_at(Noise::Gaussian { sigma: 1.0 }, 0.5, 1e-5).unwrap()
    else {
        panic!("the kind of noise is kept")
    };
    // The analytic Gaussian mechanism (Balle, Wang 2018) at (0.5, 1e-5).
    assert!((sigma - 7.03).abs() < 0.05, "{sigma}");
}

//! The steps of an audit one by one: counting outcomes into bins, and the tests.

#[path = "support/timing.rs"]
mod timing;

use plaudit::inference::{EventCounts, EventTest, Guesses};
use plaudit::mechanism::{Outcomes, Stream};
use plaudit::witness::{Atom, Counter, Scorer, Statistic};
use plaudit::{Claim, laplace};
use rand::{RngExt, SeedableRng};
use std::hint::black_box;

const OUTCOMES: usize = 8192;

/// Forty edges from −5 to 5.
fn thresholds(statistic: Statistic) -> Scorer {
    let edges = (0..40).map(|i| 0.25 * f64::from(i) - 5.0).collect();
    Scorer::Thresholds { statistic, edges, shapes: vec![] }
}

fn counting() {
    let mut random = Stream::seed_from_u64(1);
    let [mut numbers, mut integers, mut vectors, mut words] = [(); 4].map(|()| Outcomes::new());
    for _ in 0..OUTCOMES {
        numbers.push_number(laplace(&mut random, 1.0));
        integers.push_integer(laplace(&mut random, 1.0) as i64);
        vectors.push_vector(&[(); 10].map(|()| laplace(&mut random, 0.5)));
        words.push_text(["yes", "no", "none"][random.random_range(0..3)]);
    }
    let atoms = ["no", "none", "yes"].map(|word| Atom::Text(word.into())).to_vec();
    let cases = [
        ("numbers", numbers, thresholds(Statistic::Value)),
        ("integers", integers, thresholds(Statistic::Value)),
        ("sums of ten", vectors.clone(), thresholds(Statistic::Sum)),
        ("maxima of ten", vectors, thresholds(Statistic::Max)),
        ("words", words, Scorer::Atoms { atoms }),
    ];
    for (name, outcomes, scorer) in cases {
        let counter = Counter::new(&scorer);
        let mut counts = vec![0; scorer.bins()];
        timing::measure(&format!("count {name}"), OUTCOMES, || {
            counter.count(black_box(&outcomes), &mut counts);
        });
    }
}

fn tests() {
    for (name, right, made, trials, delta) in [
        ("half of 1e6", 500_000, 684_000, 1_000_000, 0.0),
        ("rare of 1e6", 480, 490, 1_000_000, 0.0),
        ("rare of 1e6, delta 1e-5", 480, 490, 1_000_000, 1e-5),
        ("half of 1e9", 500_000_000, 684_000_000, 1_000_000_000, 0.0),
    ] {
        let guesses = Guesses { right, made, trials };
        let bound = || black_box(guesses).epsilon_lower(delta, 1e-6);
        timing::measure(&format!("guess test, {name}"), 1, bound);
    }
    for (name, hits, other_hits, n) in [
        ("half of 1e4", 5_000, 1_840, 10_000),
        ("half of 1e6", 500_000, 184_000, 1_000_000),
        ("rare of 1e6", 1_000, 360, 1_000_000),
        ("rare of 1e8", 100_000, 36_000, 100_000_000),
    ] {
        let counts = EventCounts { hits, n, other_hits, other_n: n };
        let claim = Claim::pure(1.0).expect("a claim");
        let bound = || EventTest::new(black_box(counts), &claim, 1e-6).epsilon_lower(0.0);
        timing::measure(&format!("event test, {name}"), 1, bound);
    }
}

fn main() {
    counting();
    tests();
}

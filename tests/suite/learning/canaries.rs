//! Canaries in one run: bounds above the truth are as rare as they say, and choices of the number of guesses are honest.
//!
//! Of n runs whose truth is known, those with a bound above it are at most Bin(n, α); the limit is its upper 1e-9
//! quantile. With four ways to choose, each test of that kind fails by chance with probability below 8e-9.

use crate::tier;
use plaudit::inference::binomial;
use plaudit::learning::canaries::{
    CalledSides, Canaries, CanariesError, Canary, CanaryQuestion, Guessing, OneRun, level_in_turn,
    measure,
};
use plaudit::rand::{RngExt, SeedableRng};
use plaudit::{Claim, Stream};
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

const ALPHA: f64 = 0.05;
const SIZE: u64 = 120;

const WAYS: [Guessing; 4] = [
    Guessing::Split { share: 0.25 },
    Guessing::Bonferroni,
    Guessing::Fixed(CalledSides { called_in: 20, called_out: 20 }),
    Guessing::Ordered,
];

fn question(guessing: Guessing, claim: Option<Claim>) -> CanaryQuestion {
    CanaryQuestion { delta: 0.0, alpha: ALPHA, guessing, claim }
}

/// One run of as many canaries, whose scores `draw` draws given their coins; nothing if its coins are refused.
fn run(
    seed: u64,
    count: u64,
    question: &CanaryQuestion,
    draw: &(impl Fn(bool, &mut Stream) -> f64 + Sync),
) -> Result<OneRun, CanariesError> {
    let mut random = Stream::seed_from_u64(seed);
    let canary = |line| {
        let included = random.random_bool(0.5);
        Canary { score: draw(included, &mut random), included, line }
    };
    let canaries = Canaries::new((1..=count).map(canary).collect())?;
    measure(canaries, question, &mut random)
}

fn assert_rarely_wrong(
    question: &CanaryQuestion,
    draw: impl Fn(bool, &mut Stream) -> f64 + Sync,
    [epsilon, mu]: [f64; 2],
) {
    let is_wrong = |seed: &u64| {
        run(*seed, SIZE, question, &draw).is_ok_and(|found| {
            found.certified.epsilon > epsilon
                || found.certified.mu > mu
                || found.judged.is_some_and(|judged| judged.refuted)
        })
    };
    let runs = tier::of([250, 1_000, 1_000]);
    let wrong = (0..runs).into_par_iter().filter(is_wrong).count() as u64;
    let limit = binomial::upper_quantile(1e-9, runs, ALPHA);
    println!("{wrong} of {runs} runs were wrong, at most {limit} may be: {question:?}");
    assert!(wrong <= limit, "{wrong} > {limit}: {question:?}");
}

#[test]
fn scores_that_tell_nothing_rarely_certify_anything() {
    for way in WAYS {
        let continuous = |_: bool, random: &mut Stream| StandardNormal.sample(random);
        assert_rarely_wrong(&question(way, None), continuous, [0.0, 0.0]);
        // Four values: equal scores are put in an order that knows no coins.
        let few = |_: bool, random: &mut Stream| f64::from(random.random_range(0..4_u32));
        assert_rarely_wrong(&question(way, None), few, [0.0, 0.0]);
    }
}

/// e^1 to 1 for each canary: exactly 1-DP, and no less than (Φ⁻¹(θ) − Φ⁻¹(1 − θ))-GDP.
#[test]
#[ignore = "takes several seconds"]
fn a_tight_claim_of_randomized_response_is_rarely_refuted() {
    let theta = 1.0 / (1.0 + (-1.0_f64).exp());
    let draw = |included: bool, random: &mut Stream| {
        f64::from(u8::from(included == random.random_bool(theta)))
    };
    for way in WAYS {
        let claim = Claim::pure(1.0).ok();
        assert_rarely_wrong(&question(way, claim), draw, [1.0, 1.232_069_652_168_264]);
    }
}

/// Not one bound of 1.0 misses by chance with probability above 1e-9: of 4 000 guesses by the sign 97.7 % are right, give
/// or take 0.24 %.
#[test]
fn a_strong_attack_certifies_much_of_the_truth() {
    let draw = |included: bool, random: &mut Stream| {
        let noise: f64 = StandardNormal.sample(random);
        noise + if included { 4.0 } else { 0.0 }
    };
    for way in [WAYS[0], WAYS[1], WAYS[3]] {
        let question = CanaryQuestion { delta: 1e-5, ..question(way, Claim::gaussian(2.0).ok()) };
        let found = run(7, 4_000, &question, &draw).unwrap();
        assert!(found.certified.epsilon > 3.0, "{found:?}");
        let least = if way == Guessing::Ordered { 0.9 } else { 2.0 };
        assert!(found.certified.mu > least && found.certified.mu < 4.0, "{found:?}");
        assert_eq!(found.judged.as_ref().unwrap().refuted, found.certified.mu >= 2.0);
        assert!(found.ceiling.epsilon >= found.certified.epsilon);
        assert!(found.ceiling.mu >= found.certified.mu);
    }
}

/// The order of the rows changes nothing of what is counted but the order of equal scores, and coins have no say in that:
/// with the coins turned over, the same canaries are guessed.
#[test]
fn who_is_guessed_does_not_depend_on_the_coins() {
    let all = |turned: bool| {
        let canary = |line: u64| Canary {
            score: (line % 3) as f64,
            included: line.is_multiple_of(2) != turned,
            line,
        };
        Canaries::new((1..=90).map(canary).collect()).unwrap()
    };
    let question = question(Guessing::Fixed(CalledSides { called_in: 10, called_out: 10 }), None);
    let count = |turned| {
        let mut random = Stream::seed_from_u64(3);
        measure(all(turned), &question, &mut random).unwrap().looks[0].guesses
    };
    let (one, other) = (count(false), count(true));
    assert_eq!(one.right + other.right, one.made);
}

#[test]
fn canaries_of_which_nothing_can_be_said_are_refused() {
    let canaries = |count: u64, score: fn(u64) -> f64, included: fn(u64) -> bool| {
        let canary =
            |line: u64| Canary { score: score(line), included: included(line), line: line + 1 };
        Canaries::new((1..=count).map(canary).collect())
    };
    let half = |line: u64| line.is_multiple_of(2);
    let line = |line: u64| line as f64;
    assert!(matches!(canaries(19, line, half), Err(CanariesError::TooFew { count: 19, line: 20 })));
    assert!(matches!(canaries(20, |_| 1.0, half), Err(CanariesError::Constant { line: 2, .. })));
    assert!(matches!(
        canaries(30, line, |_| true),
        Err(CanariesError::OneSided { included: true, .. })
    ));
    assert!(matches!(
        canaries(30, |line| if line == 7 { f64::NAN } else { 1.0 }, half),
        Err(CanariesError::NotANumber { line: 8 })
    ));
    assert!(matches!(
        canaries(100, line, |line| line > 10),
        Err(CanariesError::UnfairCoins { included: 90, of: 100, .. })
    ));
    // One score in a hundred is another: calling 20 in and 20 out is a coin toss for most of them.
    let tied = canaries(100, |line| if line == 1 { 1.0 } else { 0.0 }, half).unwrap();
    let mut random = Stream::seed_from_u64(0);
    let question = question(WAYS[2], None);
    assert!(matches!(
        measure(tied, &question, &mut random),
        Err(CanariesError::Tied { count: 99, of: 100, line: 3, .. })
    ));
}

/// Looks at one training after each of five steps, each score the last one and as much that is new: at their own levels, no
/// more than α of trainings that tell nothing are ever refuted; at α each, more would be.
#[test]
fn looks_in_turn_are_rarely_wrong_together() {
    let trainings = 1_000_u64;
    let wrong = |own: bool| {
        let is_wrong = |seed: &u64| {
            let mut random = Stream::seed_from_u64(*seed);
            let coins: Vec<bool> = (0..SIZE).map(|_| random.random_bool(0.5)).collect();
            let mut scores = vec![0.0_f64; coins.len()];
            (0..5).any(|place| {
                for score in &mut scores {
                    let new: f64 = StandardNormal.sample(&mut random);
                    *score = (*score + new) / std::f64::consts::SQRT_2;
                }
                let alpha = if own { level_in_turn(ALPHA, place) } else { ALPHA };
                let rows = scores.iter().zip(&coins).zip(1..);
                let canary = |((&score, &included), line)| Canary { score, included, line };
                let question = CanaryQuestion { alpha, ..question(WAYS[2], None) };
                let canaries = Canaries::new(rows.map(canary).collect());
                canaries.is_ok_and(|canaries| {
                    let found = measure(canaries, &question, &mut random);
                    found.is_ok_and(|found| found.certified.epsilon > 0.0)
                })
            })
        };
        (0..trainings).into_par_iter().filter(is_wrong).count() as u64
    };
    let (found, forgot) = (wrong(true), wrong(false));
    let limit = binomial::upper_quantile(1e-9, trainings, ALPHA);
    println!("{found} of {trainings} were refuted, at most {limit} may be; {forgot} at alpha each");
    assert!(found <= limit && forgot > limit, "{found} {forgot} {limit}");
    let sum: f64 = (0..1_000).map(|place| level_in_turn(ALPHA, place)).sum();
    assert!(sum <= ALPHA && sum > 0.99 * ALPHA, "{sum}");
}

//! Post-processing of numbers, lists and everything else.

use super::*;
use crate::mechanism::{FromFn, Keyed, Mechanism, Stream, Trouble, release, run};
use proptest::prelude::*;
use rand::SeedableRng;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn post(written: &[&str]) -> PostProcessing {
    PostProcessing::parse(written.iter().copied()).unwrap()
}

/// The processed outcome; all ways to process it agree.
fn processed(written: &[&str], outcome: impl Into<Outcome>) -> Outcome {
    let (post, outcome) = (post(written), outcome.into());
    let one = post.apply(&outcome);
    let (mut batch, mut all) = (Outcomes::new(), Outcomes::new());
    batch.push(outcome.clone());
    batch.push(outcome);
    post.apply_all(&batch, &mut all);
    assert_eq!(all.len(), 2);
    for of_batch in all.iter() {
        assert!(crate::mechanism::order(&of_batch, &one.as_ref()).is_eq(), "{of_batch:?}, {one:?}");
    }
    one
}

fn list(values: &[f64]) -> Outcome {
    Outcome::Vector(values.to_vec())
}

#[test]
fn every_operation_is_read_and_written() {
    let all = ["round:0.1", "clamp:-1.5,10", "threshold:3", "argmax", "top:2"];
    let read = post(&all);
    assert_eq!(read.written(), all);
    assert_eq!(
        read.words(),
        "rounded to multiples of 0.1, then clamped between -1.5 and 10, then whether at least 3, then the \
         place of the largest, then the places of the 2 largest"
    );
    assert_eq!(read.to_string(), read.words());
    assert_eq!(post(&[" round : 1e-1 ", "clamp: -0 , 0"]).written(), ["round:0.1", "clamp:0,0"]);
}

/// Names of audits are patterns of `--filter`, where most signs mean something.
#[test]
fn words_have_no_strange_signs() {
    let words =
        post(&["round:1e-9", "clamp:-1e300,1e300", "threshold:-2.5", "argmax", "top:7"]).words();
    assert!(words.chars().all(|c| c.is_ascii_alphanumeric() || " .,-".contains(c)), "{words}");
}

#[test]
fn every_mistake_has_its_words() {
    let cases = [
        ("rond:1", "unknown operation `rond`: did you mean `round`?"),
        ("median", "unknown operation `median`: there are `round:0.1`"),
        ("", "unknown operation ``: there are"),
        ("round", "`round` needs a step: write `round:0.1`"),
        ("round:", "`` is not a finite number"),
        ("round:x", "`x` is not a finite number"),
        ("round:0", "no numbers are rounded to multiples of 0"),
        ("round:-1", "no numbers are rounded to multiples of -1"),
        ("round:inf", "`inf` is not a finite number"),
        ("clamp", "`clamp` needs two ends: write `clamp:0,10`"),
        ("clamp:3", "`clamp:3` has one end: write `clamp:0,10`"),
        ("clamp:3,1", "there is no number between 3 and 1"),
        ("clamp:1,2,3", "`2,3` is not a finite number"),
        ("clamp:0,NaN", "`NaN` is not a finite number"),
        ("threshold", "`threshold` needs a number: write `threshold:3`"),
        ("threshold:1e999", "`1e999` is not a finite number"),
        ("argmax:2", "`argmax` takes no argument"),
        ("top", "`top` needs how many: write `top:2`"),
        ("top:0", "`top:0` does not give the number: write a whole number from 1"),
        ("top:1.5", "`top:1.5` does not give the number: write a whole number from 1"),
    ];
    for (written, words) in cases {
        let said = PostProcessing::parse([written]).unwrap_err();
        assert!(said.starts_with(words), "{written}: {said}");
    }
    assert_eq!(PostProcessing::parse([]).unwrap_err(), "there is no operation to apply");
    let said = PostProcessing::parse(["argmax"; 9]).unwrap_err();
    assert_eq!(said, "9 operations are too many: at most 8");
}

#[test]
fn rounding_is_to_the_nearest_multiple() {
    assert_eq!(processed(&["round:0.5"], 2.3), Outcome::Number(2.5));
    assert_eq!(processed(&["round:0.5"], 2.25), Outcome::Number(2.0));
    assert_eq!(processed(&["round:2"], list(&[1.0, 3.0, -0.4])), list(&[0.0, 4.0, 0.0]));
    assert_eq!(processed(&["round:1"], f64::INFINITY), Outcome::Number(f64::INFINITY));
    let Outcome::Number(nan) = processed(&["round:1"], f64::NAN) else { panic!("a number") };
    assert!(nan.is_nan());
    let Outcome::Number(zero) = processed(&["round:1"], -0.2) else { panic!("a number") };
    assert!(zero == 0.0 && zero.is_sign_positive());
    // Integers stay integers where the step is one.
    assert_eq!(processed(&["round:10"], 15_i64), Outcome::Integer(20));
    assert_eq!(processed(&["round:10"], 25_i64), Outcome::Integer(20));
    assert_eq!(processed(&["round:10"], -15_i64), Outcome::Integer(-20));
    assert_eq!(processed(&["round:10"], -25_i64), Outcome::Integer(-20));
    assert_eq!(processed(&["round:10"], 26_i64), Outcome::Integer(30));
    assert_eq!(processed(&["round:10"], i64::MAX), Outcome::Integer(i64::MAX));
    assert_eq!(processed(&["round:0.5"], 3_i64), Outcome::Number(3.0));
}

#[test]
fn clamping_keeps_to_the_interval() {
    assert_eq!(processed(&["clamp:0,10"], -3.5), Outcome::Number(0.0));
    assert_eq!(processed(&["clamp:0,10"], f64::INFINITY), Outcome::Number(10.0));
    assert_eq!(processed(&["clamp:0,10"], list(&[4.5, 11.0])), list(&[4.5, 10.0]));
    assert_eq!(processed(&["clamp:0,10"], 12_i64), Outcome::Integer(10));
    assert_eq!(processed(&["clamp:0.5,10"], 0_i64), Outcome::Number(0.5));
    let Outcome::Number(nan) = processed(&["clamp:0,1"], f64::NAN) else { panic!("a number") };
    assert!(nan.is_nan());
    let Outcome::Number(zero) = processed(&["clamp:0,1"], -0.0) else { panic!("a number") };
    assert!(zero.is_sign_positive());
}

#[test]
fn a_threshold_is_reached_or_not() {
    assert_eq!(processed(&["threshold:3"], 3.0), Outcome::Integer(1));
    assert_eq!(processed(&["threshold:3"], 2.999), Outcome::Integer(0));
    assert_eq!(processed(&["threshold:3"], f64::NAN), Outcome::Integer(0));
    assert_eq!(processed(&["threshold:2.5"], 3_i64), Outcome::Integer(1));
    assert_eq!(processed(&["threshold:2.5"], 2_i64), Outcome::Integer(0));
    assert_eq!(processed(&["threshold:-1e300"], i64::MIN), Outcome::Integer(1));
    let values = [f64::NEG_INFINITY, 3.0, f64::NAN, 4.0];
    assert_eq!(processed(&["threshold:3"], list(&values)), list(&[0.0, 1.0, 0.0, 1.0]));
}

#[test]
fn the_largest_is_the_first_of_equal_ones() {
    assert_eq!(processed(&["argmax"], list(&[1.0, 3.0, 3.0])), Outcome::Integer(1));
    assert_eq!(processed(&["argmax"], list(&[-0.0, 0.0])), Outcome::Integer(0));
    assert_eq!(processed(&["argmax"], list(&[f64::NAN, f64::NEG_INFINITY])), Outcome::Integer(1));
    assert_eq!(processed(&["argmax"], 7.5), Outcome::Integer(0));
    assert_eq!(processed(&["argmax"], 7_i64), Outcome::Integer(0));
    assert_eq!(processed(&["top:2"], list(&[1.0, 3.0, 2.0, 3.0])), list(&[1.0, 3.0]));
    assert_eq!(processed(&["top:3"], list(&[2.0, 5.0])), list(&[1.0, 0.0]));
    assert_eq!(processed(&["top:3"], list(&[2.0, f64::NAN, 5.0])), list(&[2.0, 0.0]));
    assert_eq!(processed(&["top:2"], 7.5), list(&[0.0]));
    assert_eq!(processed(&["top:2"], 7_i64), list(&[0.0]));
}

#[test]
fn lists_without_a_number_have_no_largest() {
    for written in ["round:1", "clamp:0,1", "threshold:1", "argmax", "top:2"] {
        assert_eq!(processed(&[written], list(&[])), list(&[]), "{written}");
    }
    let Outcome::Vector(values) = processed(&["argmax"], list(&[f64::NAN])) else {
        panic!("a list")
    };
    assert!(values.len() == 1 && values[0].is_nan());
    assert_eq!(processed(&["top:1"], list(&[f64::NAN])), list(&[]));
    let Outcome::Number(x) = processed(&["argmax"], f64::NAN) else { panic!("a number") };
    assert!(x.is_nan());
}

#[test]
fn what_has_no_numbers_stays() {
    let map = BTreeMap::from([("a".to_owned(), 1.7)]);
    let others = [
        Outcome::Text("1.7".into()),
        Outcome::Keyed(Keyed::from(map)),
        Outcome::Structure("[[1.7]]".into()),
        Outcome::Failure("panic: 1.7".into()),
    ];
    for written in ["round:1", "clamp:0,1", "threshold:1", "argmax", "top:2"] {
        for outcome in &others {
            assert_eq!(processed(&[written], outcome.clone()), *outcome, "{written}");
        }
    }
}

#[test]
fn operations_are_done_in_order() {
    let values = [1.2, 0.9, 1.4];
    assert_eq!(processed(&["round:1", "argmax"], list(&values)), Outcome::Integer(0));
    assert_eq!(processed(&["argmax", "round:1"], list(&values)), Outcome::Integer(2));
    assert_eq!(processed(&["top:2", "threshold:1"], list(&values)), list(&[1.0, 0.0]));
}

#[test]
fn batches_of_all_kinds_keep_their_order() {
    let kinds = [
        Outcome::Failure("first".into()),
        Outcome::Number(0.4),
        Outcome::Integer(3),
        list(&[0.6, 2.0]),
        Outcome::Text("x".into()),
        list(&[]),
    ];
    let post = post(&["round:1"]);
    let (mut batch, mut to) = (Outcomes::new(), Outcomes::new());
    kinds.iter().for_each(|outcome| batch.push(outcome.clone()));
    to.push_number(9.5);
    post.apply_all(&batch, &mut to);
    let expected: Vec<Outcome> = kinds.iter().map(|outcome| post.apply(outcome)).collect();
    let found: Vec<Outcome> = to.iter().map(|outcome| outcome.to_owned()).collect();
    assert_eq!(found[0], Outcome::Number(9.5));
    assert_eq!(found[1..], expected);
}

/// A mechanism that fills batches, and breaks down on its third outcome.
struct Breaks(AtomicUsize);

impl Mechanism<()> for Breaks {
    fn fill(
        &self,
        (): &(),
        runs: usize,
        _: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        for _ in 0..runs {
            match self.0.fetch_add(1, Ordering::Relaxed) {
                2 => panic!("third"),
                n => outcomes.push_number(n as f64 + 0.6),
            }
        }
        Ok(())
    }
}

#[test]
fn outcomes_before_a_panic_count_and_the_panic_is_the_next() {
    let mechanism = PostProcessed::new(Breaks(AtomicUsize::new(0)), post(&["round:1"]));
    let mut outcomes = Outcomes::new();
    release(&mechanism, &(), 5, &mut Stream::seed_from_u64(1), &mut outcomes).unwrap();
    let found: Vec<Outcome> = outcomes.iter().map(|outcome| outcome.to_owned()).collect();
    let number = Outcome::Number;
    let third = Outcome::Failure("panic: third".into());
    assert_eq!(found, [number(1.0), number(2.0), third, number(4.0), number(5.0)]);
}

#[test]
fn one_by_one_and_in_batches_is_the_same() {
    let draw = |(): &(), random: &mut Stream| -> Vec<f64> {
        use rand::RngExt;
        vec![random.random(), random.random()]
    };
    let mechanism = PostProcessed::new(FromFn(draw), post(&["argmax"]));
    let mut batch = Outcomes::new();
    release(&mechanism, &(), 100, &mut Stream::seed_from_u64(3), &mut batch).unwrap();
    let mut random = Stream::seed_from_u64(3);
    for outcome in batch.iter() {
        assert_eq!(outcome.to_owned(), run(&mechanism, &(), &mut random));
    }
    assert!(batch.as_integers().is_some());
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_places_of_the_largest_are_those_of_a_sorted_list(
        values in proptest::collection::vec(-3..4i32, 0..8),
        count in 1..9usize,
    ) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let expected: Vec<f64> = places.iter().take(count).map(|&place| place as f64).collect();
        let top = format!("top:{count}");
        prop_assert_eq!(processed(&[&top], list(&values)), list(&expected));
        if let Some(&first) = places.first() {
            prop_assert_eq!(processed(&["argmax"], list(&values)), Outcome::from(first));
        }
    }

    #[test]
    fn integers_are_rounded_as_numbers_are(i in -1000..1000i64, step in 1..50i32) {
        let round = format!("round:{step}");
        let Outcome::Integer(whole) = processed(&[&round], i) else { panic!("an integer") };
        let Outcome::Number(number) = processed(&[&round], i as f64) else { panic!("a number") };
        prop_assert_eq!(whole as f64, number);
    }
}

//! Unit tests of `witness::clock`.

use super::super::propose::{Depth, propose as propose_all};
use super::*;
use crate::mechanism::Outcome;

fn batch(runs: impl IntoIterator<Item = (f64, u64)>) -> Outcomes {
    let mut outcomes = Outcomes::new();
    runs.into_iter().for_each(|(value, time)| outcomes.push_timed(Outcome::Number(value), time));
    outcomes
}

#[test]
fn times_are_put_between_their_edges_beside_the_value() {
    let statistic = Statistic::Value;
    let of = Scorer::Thresholds { statistic, edges: vec![0.0], shapes: vec![] };
    let clock = Clock { of: Some(Box::new(of)), edges: vec![vec![10, 20], vec![15], vec![]] };
    assert_eq!((clock.bins(), clock.is_sound()), (7, true));
    let bins = [
        ((-1.0, 9), 0),
        ((-1.0, 10), 1),
        ((-1.0, 20), 2),
        ((1.0, 14), 3),
        ((1.0, u64::MAX), 4),
        ((f64::NAN, 3), 5),
    ];
    let mut counts = vec![0; 7];
    for (run, bin) in bins {
        let mut expected = counts.clone();
        expected[bin] += 1;
        clock.count_parts(&batch([run]), |_| Some(0), &mut [&mut counts]);
        assert_eq!(counts, expected, "{run:?}");
    }
    let mut untimed = Outcomes::new();
    untimed.push_number(1.0);
    clock.count_parts(&untimed, |_| Some(0), &mut [&mut counts]);
    assert_eq!(counts[6], 1);
}

#[test]
fn a_clock_that_exploring_cannot_make_is_refused() {
    let alone = Clock { of: None, edges: vec![vec![5, 9]] };
    assert!(alone.is_sound());
    assert!(!Clock { of: None, edges: vec![vec![9, 5]] }.is_sound());
    assert!(!Clock { of: None, edges: vec![] }.is_sound());
    assert!(!Clock { of: None, edges: vec![vec![], vec![]] }.is_sound());
    let nested = Clock { of: Some(Box::new(Scorer::Clock(alone))), edges: vec![vec![]; 4] };
    assert!(!nested.is_sound());
}

#[test]
fn times_are_said_in_words() {
    let clock = Clock { of: None, edges: vec![vec![940, 1_300, 2_000_000]] };
    let said = [0..1, 3..4, 1..3].map(|run| clock.run_words(0, run));
    assert_eq!(
        said,
        [
            "the run took less than 940 nanoseconds",
            "the run took at least 2 milliseconds",
            "the run took 940 nanoseconds to 2 milliseconds"
        ]
    );
    assert_eq!(clock.bin_words()[1].label, "[940 ns, 1.3 µs)");
    assert_eq!(interval_label(1_300, 2_000), "[1.3, 2) µs");
    let json = serde_json::to_string(&Scorer::Clock(clock.clone())).unwrap();
    assert_eq!(serde_json::from_str::<Scorer>(&json).unwrap(), Scorer::Clock(clock));
}

#[test]
fn times_are_proposed_alone_and_by_value_only_where_all_are_known() {
    let d = batch((0..1000u64).map(|i| (i as f64, 100 + i)));
    let d_prime = batch((0..1000u64).map(|i| (i as f64, 100 + i % 7)));
    let sample = Sample { d: vec![&d], d_prime: vec![&d_prime] };
    let proposed = propose(&sample, &propose_all(&sample, None, Depth::default()));
    assert_eq!(proposed.len(), 2);
    assert!(proposed.iter().all(|proposal| proposal.scorer.is_sound()));
    let mut partly = d.clone();
    partly.push_number(3.0);
    let sample = Sample { d: vec![&partly], d_prime: vec![&d_prime] };
    assert!(propose(&sample, &propose_all(&sample, None, Depth::default())).is_empty());
}

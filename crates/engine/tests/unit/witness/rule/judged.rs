//! Unit tests of `witness::cut`.

use super::*;
use crate::witness::Atom;
use plaudit_core::claim::Claim;

/// The cut of four lists with these counts, and its promise.
fn of_lists(d: [u64; 4], d_prime: [u64; 4]) -> (DecisionRule, f64) {
    for_goal(d, d_prime, &Goal::new(Claim::pure(1.0).unwrap(), 0.01, 10_000))
}

fn for_goal(d: [u64; 4], d_prime: [u64; 4], goal: &Goal) -> (DecisionRule, f64) {
    let list = |x: f64| Atom::Vector(vec![x]);
    let scorer = Scorer::Atoms { atoms: (0..4).map(f64::from).map(list).collect() };
    let part = || {
        let quarter = |counts: [u64; 4]| {
            counts.iter().map(|count| count / 4).chain([0]).collect::<Vec<u64>>()
        };
        Tally { d: quarter(d), d_prime: quarter(d_prime) }
    };
    let judged = [(); 2].map(|()| Folds { a: part(), b: part() });
    judged_cut(&Counts::judged(judged), &scorer, 0.0, goal)
}

#[test]
fn of_a_few_lists_that_promise_nothing_all_are_guessed_on() {
    let (cut, promised) = of_lists([400; 4], [400; 4]);
    assert!(promised < 0.0, "{promised}");
    assert!(cut.says[..4].iter().all(|says| *says != Guess::Abstain), "{:?}", cut.says);
}

#[test]
fn of_a_few_lists_those_that_tell_are_guessed_on() {
    let (cut, promised) = of_lists([4000, 400, 4000, 4000], [4000, 1600, 4000, 4000]);
    assert!(promised > 0.0, "{promised}");
    let abstain = Guess::Abstain;
    assert_eq!(cut.says, [abstain, Guess::DPrime, abstain, abstain, abstain]);
    // Too rare to be drawn with others, but telling.
    let (cut, promised) = of_lists([4000, 4000, 4000, 28], [4000, 4000, 4000, 0]);
    assert!(promised > 0.0, "{promised}");
    assert_eq!(cut.says, [abstain, abstain, abstain, Guess::D, abstain]);
}

#[test]
fn a_few_guesses_that_were_all_right_promise_nothing() {
    let lenient = Goal::new(Claim::pure(1.0).unwrap(), 0.1, 100_000);
    let promised = |rare| for_goal([4000, 4000, 4000, rare], [4000, 4000, 4000, 0], &lenient).1;
    assert!(promised(4) < 0.0, "{}", promised(4));
    assert!(promised(8) > 0.0, "{}", promised(8));
}

//! Unit tests of `witness::partition::boxes`: what is told of a leaf is what it holds.

use super::*;
use rand::{RngExt, SeedableRng};

fn side(coordinate: usize, from: f64, below: f64) -> Side {
    Side { coordinate, from, below }
}

fn told(all: &[Side], outside: &[Vec<Side>]) -> (Vec<Side>, Vec<Vec<Side>>) {
    let mut all = all.to_vec();
    let outside: Vec<&[Side]> = outside.iter().map(|sides| &sides[..]).collect();
    let left = Partition::without_what_follows(&mut all, &outside);
    (all, left)
}

#[test]
fn what_intervals_imply_is_not_told() {
    let infinite = f64::INFINITY;
    let all = [side(0, 2.0, 3.0), side(1, -2.0, -0.3)];
    // Not met, of which one side holds, and cut off at the upper end.
    let outside = [
        vec![side(1, -0.3, 0.0)],
        vec![side(0, 1.0, 3.0), side(2, -infinite, 1.0)],
        vec![side(1, -0.5, infinite)],
    ];
    let expected =
        (vec![side(0, 2.0, 3.0), side(1, -2.0, -0.5)], vec![vec![side(2, -infinite, 1.0)]]);
    assert_eq!(told(&all, &outside), expected);
    // A hole stays a hole.
    let hole = [vec![side(0, 2.2, 2.5)]];
    assert_eq!(told(&all, &hole), (all.to_vec(), hole.to_vec()));
}

#[test]
fn what_is_told_of_a_leaf_is_what_it_holds() {
    let mut random = plaudit_core::random::Stream::seed_from_u64(1);
    let (mut shorter, mut in_leaf) = (0, 0);
    for _ in 0..20_000 {
        let mut interval = |coordinate| {
            let mut ends = [random.random_range(0..8), random.random_range(0..8)];
            ends.sort_unstable();
            let [from, below] = [ends[0], ends[1] + 1].map(|end| match end {
                0 => f64::NEG_INFINITY,
                8 => f64::INFINITY,
                end => f64::from(end),
            });
            side(coordinate, from, below)
        };
        let all: Vec<Side> = vec![interval(0), interval(1)];
        let outside: Vec<Vec<Side>> =
            vec![vec![interval(0)], vec![interval(0), interval(1)], vec![interval(1), interval(2)]];
        let (less, left) = told(&all, &outside);
        shorter += usize::from(left.len() < outside.len());
        let holds = |all: &[Side], outside: &[Vec<Side>], numbers: &[f64]| {
            all.iter().all(|side| side.holds(numbers))
                && !outside.iter().any(|sides| sides.iter().all(|side| side.holds(numbers)))
        };
        for _ in 0..20 {
            let numbers = [(); 3].map(|()| match random.random_range(0..12) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => f64::NEG_INFINITY,
                number => f64::from(number) - 2.5,
            });
            let is = holds(&all, &outside, &numbers);
            in_leaf += usize::from(is);
            assert_eq!(holds(&less, &left, &numbers), is, "{all:?} {outside:?} {numbers:?}");
        }
    }
    assert!(shorter > 5_000 && in_leaf > 5_000, "{shorter} {in_leaf}");
}

/// A certificate may have hundreds of boxes, one for each step: some are told as they are.
#[test]
fn many_boxes_are_told_truly() {
    let all = [side(0, 0.0, 200.0)];
    let outside: Vec<Vec<Side>> =
        (0..100).map(|at| vec![side(0, f64::from(at), f64::from(at + 1))]).collect();
    let (less, left) = told(&all, &outside);
    assert_eq!((less, left.len()), (vec![side(0, 32.0, 200.0)], 68));
}

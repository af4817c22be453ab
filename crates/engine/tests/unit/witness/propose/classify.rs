//! Unit tests of `witness::propose::classify`.

use super::*;
use crate::mechanism::{Outcomes, Stream};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

/// Entries that are sums of all noise in their place modulo `walks`, or noise alone without walks; the steps of the first
/// walk have this standard deviation.
fn lists(seed: u64, (length, walks): (usize, usize), first: f64) -> Outcomes {
    let mut random = Stream::seed_from_u64(seed);
    let mut outcomes = Outcomes::new();
    for _ in 0..4000 {
        let mut list: Vec<f64> = Vec::new();
        for at in 0..length {
            let noise: f64 = StandardNormal.sample(&mut random);
            let scale = if walks > 0 && at % walks == 0 { first } else { 1.0 };
            let before = if at >= walks && walks > 0 { list[at - walks] } else { 0.0 };
            list.push(before + scale * noise);
        }
        outcomes.push_vector(&list);
    }
    outcomes
}

fn found(kind: (usize, usize)) -> Option<usize> {
    let outcomes = [1, 2].map(|seed| lists(seed, kind, 1.0));
    let [d, d_prime] = outcomes.each_ref().map(|side| vec![side]);
    steps(&Sample { d, d_prime }).map(|model| model.columns() / 2)
}

#[test]
fn the_steps_of_walks_are_found() {
    assert_eq!(found((12, 0)), None, "entries that do not depend on one another have no steps");
    assert_eq!(found((12, 1)), Some(1));
    assert_eq!(found((12, 3)), Some(3));
    assert_eq!(found((2, 1)), Some(1));
    // One step of each walk is no walk.
    assert_eq!(found((4, 4)), None);
    assert_eq!(found((MOST_STEPS + 1, 1)), None);
}

#[test]
fn a_walk_whose_steps_spread_is_told_by_its_steps_alone() {
    let kind = (12, 3);
    let sides = [lists(1, kind, 1.0), lists(2, kind, 1.3)];
    let [d, d_prime] = sides.each_ref().map(|side| vec![side]);
    let sample = Sample { d, d_prime };
    let model = steps(&sample).unwrap();
    let fit = model.fit(&sample, usize::MAX, None).unwrap();
    let kept = kept(&fit).unwrap();
    // Column 1 has the squares of the first walk's steps.
    assert_eq!(kept[0], (1, -1.0), "{kept:?}");
    assert!(kept[1..].iter().all(|(_, weight)| weight.abs() < 0.2), "{kept:?}");
    let Statistic::Weighted(terms) = model.with(&kept[..1]) else { panic!("a sum") };
    assert_eq!(terms.len(), 4);
    let list: Vec<f64> = (0..12).map(f64::from).collect();
    let read: Vec<f64> = terms.iter().map(|term| term.of.read_vector(&list).unwrap()).collect();
    assert_eq!(read, [0.0, 3.0, 3.0, 3.0]);
}

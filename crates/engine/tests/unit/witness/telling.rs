//! Unit tests of `witness::telling`.

use super::*;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::rule::folds::Folds;

/// A scorer by the entry at this place, and counts of its two intervals.
fn counted(at: usize, [d, d_prime]: [[u64; 2]; 2]) -> (Scorer, Counts) {
    let statistic = Statistic::Entry(at);
    let scorer = Scorer::Thresholds { statistic, edges: vec![0.0], shapes: vec![] };
    let tally = |of: [u64; 2]| [of[0], of[1], 0].to_vec();
    let half = || Tally { d: tally(d), d_prime: tally(d_prime) };
    (scorer, Counts::unjudged(Folds { a: half(), b: half() }))
}

#[test]
fn those_that_tell_most_are_kept_in_their_order() {
    let tell = [7, 30];
    let even = [[500, 500], [500, 500]];
    let all = (0..40)
        .map(|at| counted(at, if tell.contains(&at) { [[600, 400], [400, 600]] } else { even }));
    let mut kept: Vec<_> = all.collect();
    keep_telling(&mut kept, 2);
    let places = kept.iter().map(|(scorer, _)| match scorer {
        Scorer::Thresholds { statistic: Statistic::Entry(at), .. } => *at,
        other => panic!("{other:?}"),
    });
    assert_eq!(places.collect::<Vec<_>>(), tell);
}

#[test]
fn bins_that_do_not_tell_gain_nothing_beyond_luck() {
    let tally = |d: [u64; 2]| Tally { d: d.to_vec(), d_prime: vec![500, 500] };
    assert!(gain_of_bins(&tally([500, 500])) <= 0.0);
    assert!(gain_of_bins(&tally([600, 400])) > 5.0);
}

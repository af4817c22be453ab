//! Unit tests of `witness::partition::grow`.

use super::super::table::Table;
use super::*;
use crate::mechanism::{OutcomeRef, Stream};
use crate::witness::coordinate::statistic::Statistic;
use rand::{RngExt, SeedableRng};

fn table(points: &[(Vec<f64>, bool)]) -> Table {
    let outcomes: Vec<_> =
        points.iter().map(|(point, is_d)| (OutcomeRef::Vector(point), *is_d)).collect();
    Table::new(&outcomes, (0..3).map(|at| (Statistic::Entry(at), 1)).collect())
}

/// Noise alone: a split pays its price by luck in some of a hundred tables, and hardly ever two.
#[test]
fn noise_is_seldom_split() {
    let mut random = Stream::seed_from_u64(8);
    let leaves: Vec<usize> = (0..100)
        .filter_map(|_| {
            let point =
                |_| ((0..3).map(|_| random.random::<f64>()).collect(), random.random::<bool>());
            grow(&table(&(0..2000).map(point).collect::<Vec<_>>()), true).map(|grown| grown.bins())
        })
        .collect();
    assert!(leaves.len() <= 20, "{} of 100", leaves.len());
    assert!(leaves.iter().all(|leaves| *leaves <= 4), "{leaves:?}");
}

/// A band of mass .02 and loss 3 in the middle of one coordinate, and its words.
#[test]
fn a_band_becomes_a_leaf() {
    let mut random = Stream::seed_from_u64(9);
    let points: Vec<(Vec<f64>, bool)> = (0..20_000)
        .map(|_| {
            let mut point: Vec<f64> = (0..3).map(|_| random.random_range(-1e6..1e6)).collect();
            let is_d = random.random::<bool>();
            if random.random_bool(if is_d { 0.02 } else { 0.001 }) {
                point[1] = random.random_range(-3.0..3.0);
            }
            (point, is_d)
        })
        .collect();
    let partition = grow(&table(&points), true).unwrap();
    assert!(partition.is_sound());
    assert_eq!(partition.bins(), 2, "{partition:?}");
    let words = &partition.leaf_words()[partition.bin(&OutcomeRef::Vector(&[0.0, 0.0, 0.0]))];
    assert!(words.starts_with('-') && words.contains(" <= entry 1 < "), "{words}");
    let written = serde_json::to_string(&partition).unwrap();
    assert_eq!(serde_json::from_str::<Partition>(&written).unwrap(), partition, "{written}");
}

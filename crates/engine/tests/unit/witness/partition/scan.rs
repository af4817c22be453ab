//! Unit tests of `witness::partition::scan`.

use super::super::table::Column;
use super::*;
use crate::mechanism::Stream;
use crate::witness::coordinate::statistic::Statistic;
use rand::{RngExt, SeedableRng};

/// A cell of mass .012 of a square, nine in ten of D: no coordinate alone shows it.
#[test]
fn a_small_cell_is_found_by_its_sides() {
    let mut random = Stream::seed_from_u64(4);
    let n = 20_000u32;
    let points: Vec<[u32; 2]> =
        (0..n).map(|_| [random.random_range(0..1000), random.random_range(0..1000)]).collect();
    let in_cell = |p: &[u32; 2]| (300..420).contains(&p[0]) && (550..650).contains(&p[1]);
    let labels = points.iter().map(|p| random.random_bool(if in_cell(p) { 0.9 } else { 0.495 }));
    let labels: Vec<bool> = labels.collect();
    let columns = (0..2).map(|at| {
        let numbers: Vec<f64> = points.iter().map(|p| f64::from(p[at])).collect();
        Column::new(Statistic::Entry(at), 1, &numbers)
    });
    let table = Table { columns: columns.collect(), labels };
    let rows: Vec<u32> = (0..n).collect();
    let gain = Gain::of(table.labels_of(&rows));
    let node = Node { table: &table, rows: &rows, gain: &gain };
    let found = node
        .boxes(&[vec![0, 1]], true)
        .into_iter()
        .max_by(|a, b| a.gain.total_cmp(&b.gain))
        .unwrap();
    let truth = table.labels_of(
        &rows.iter().copied().filter(|r| in_cell(&points[*r as usize])).collect::<Vec<_>>(),
    );
    assert!(found.gain >= gain.exact(truth), "{found:?} {truth:?}");
    assert_eq!(found.sides.len(), 2);
    let near = |side: &Interval, from: u32, to: u32| {
        side.first.abs_diff(from) < 40 && side.last.abs_diff(to) < 40
    };
    assert!(near(&found.sides[0].1, 300, 419) && near(&found.sides[1].1, 550, 649), "{found:?}");
}

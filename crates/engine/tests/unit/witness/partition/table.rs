//! Unit tests of `witness::partition::table`.

use super::*;

#[test]
fn equal_numbers_have_one_rank() {
    let numbers = [3.0, f64::NAN, -0.0, 0.0, f64::INFINITY, 3.0];
    let column = Column::new(Statistic::Value, 1, &numbers);
    assert_eq!(column.ranks, [1, MISSING, 0, 0, 2, 1]);
    assert_eq!(column.levels.len(), 3);
}

/// Any number of outcomes is in the order of their ranks.
#[test]
fn outcomes_are_sorted_by_rank() {
    let numbers: Vec<f64> = (0..100u32).map(|at| f64::from(at * 37 % 50)).collect();
    let column = Column::new(Statistic::Value, 1, &numbers);
    for rows in [vec![7, 3, 99], (0..100).step_by(2).collect::<Vec<u32>>()] {
        let sorted = column.sorted(&rows);
        assert_eq!(sorted.len(), rows.len());
        assert!(sorted.iter().all(|row| rows.contains(row)));
        assert!(sorted.is_sorted_by_key(|row| column.ranks[*row as usize]));
    }
}

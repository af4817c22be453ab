use super::*;
use rand::{RngExt, SeedableRng};

#[test]
fn weights_point_to_what_tells() {
    let mut random = plaudit_core::random::Stream::seed_from_u64(2);
    let lists: Vec<[f64; 3]> =
        (0..8_000).map(|_| [(); 3].map(|()| random.random_range(-1.0..1.0))).collect();
    let labels: Vec<bool> =
        lists.iter().map(|list| random.random_bool(0.5 + 0.2 * list[0] - 0.2 * list[2])).collect();
    let rows = || lists.iter().map(|list| &list[..]).zip(labels.iter().copied());
    let Some(Statistic::Linear(linear)) = weighted_sum(rows()) else { panic!("none") };
    assert!(linear.weights[0] > 0.7 && linear.weights[2] < -0.7, "{:?}", linear.weights);
    assert!(linear.weights[1].abs() < 0.2, "{:?}", linear.weights);
    // Lists of different lengths have no weights.
    let mixed = rows().map(|(list, is_d)| (if list[0] > 0.0 { list } else { &list[..2] }, is_d));
    assert_eq!(weighted_sum(mixed), None);
    assert_eq!(weighted_sum(rows().take(100)), None);
}

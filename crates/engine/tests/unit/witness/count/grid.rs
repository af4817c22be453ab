//! Unit tests of `witness::grid`.

use super::*;
use proptest::prelude::*;

pub fn edges() -> impl Strategy<Value = Vec<f64>> {
    let edge = prop_oneof![
        -10.0..10.0f64,
        Just(0.0),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        any::<f64>().prop_filter("an edge", |x| !x.is_nan()),
    ];
    prop::collection::vec(edge, 0..80).prop_map(|mut edges| {
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        edges
    })
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_grid_finds_the_same_interval_as_a_search(
        edges in edges(),
        mut points in prop::collection::vec(prop_oneof![any::<f64>(), -12.0..12.0f64], 0..200),
    ) {
        points.extend(&edges);
        points.extend([f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -0.0]);
        points.extend(edges.iter().map(|edge| edge.next_down()));
        points.extend(edges.iter().map(|edge| edge.next_up()));
        if let Some(grid) = Grid::new(&edges) {
            points.retain(|x| !x.is_nan());
            for &x in &points {
                prop_assert_eq!(grid.bin(x), interval(&edges, x), "{} in {:?}", x, edges);
            }
            let mut many = points.clone();
            many.resize(1000, 0.5);
            let (mut fast, mut slow) = (vec![0; edges.len() + 1], vec![0; edges.len() + 1]);
            prop_assert_eq!(grid.count(&many, &mut fast), 0);
            many.iter().for_each(|x| slow[interval(&edges, *x)] += 1);
            prop_assert_eq!(&fast, &slow);
            many.insert(7, f64::NAN);
            prop_assert_eq!(grid.count(&many, &mut fast), 1);
        }
    }
}

//! Unit tests of `witness::dyadic_grid`.

use super::*;
use proptest::prelude::*;

/// Edges as from a sample, on a dyadic grid if they allow one.
fn moved() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![-1.0..1.0f64, -1e-9..1e-9f64, Just(0.0)];
    let numbers = prop::collection::vec(number, 2..250);
    (numbers, -40..40i32, prop_oneof![Just(0.0), -1e3..1e3f64]).prop_map(|(mut all, e, at)| {
        all.iter_mut().for_each(|x| *x = (at + *x) * f64::from(e).exp2());
        all.sort_by(f64::total_cmp);
        all.dedup();
        on_marks(all, &[])
    })
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_place_says_the_interval(edges in moved(), others in prop::collection::vec(any::<f64>(), 9)) {
        if let Some(dyadic_grid) = DyadicGrid::new(&edges) {
            let mut points = others;
            points.extend([f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 0.0, -0.0]);
            points.extend(edges.iter().flat_map(|x| [*x, x.next_up(), x.next_down(), x * 1.001]));
            points.extend(edges.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
            for x in points.into_iter().filter(|x| !x.is_nan()) {
                let found = dyadic_grid.interval(dyadic_grid.place(x));
                prop_assert_eq!(usize::from(found), interval(&edges, x), "{} in {:?}", x, edges);
            }
        }
    }
}

#[test]
fn quantiles_get_a_grid_and_rare_values_keep_their_edges() {
    let sorted: Vec<f64> = (0..1000).map(|i| (f64::from(i) / 300.0 - 1.41).sinh()).collect();
    let edges: Vec<f64> = sorted.iter().copied().step_by(20).collect();
    assert!(DyadicGrid::new(&edges).is_none());
    let on_marks_now = on_marks(edges.clone(), &sorted);
    assert!(DyadicGrid::new(&on_marks_now).is_some());
    for (edge, mark) in edges.iter().zip(&on_marks_now) {
        assert!((mark - edge).abs() < 1e-4 * (sorted[999] - sorted[0]));
    }
    // A hundred readings that no dyadic grid of this length would separate.
    let mut crowded: Vec<f64> = (0..100).map(|i| f64::from(i) * 1e-9).collect();
    crowded.push(1e3);
    let edges = vec![crowded[0], crowded[50], 1e3];
    assert_eq!(on_marks(edges.clone(), &crowded), edges);
}

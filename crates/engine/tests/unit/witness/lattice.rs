//! Unit tests of `witness::lattice`.

use super::*;
use proptest::prelude::*;

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let sign = prop_oneof![Just(Sign::Negative), Just(Sign::Positive), Just(Sign::Either)];
    let exponent = || prop_oneof![-1074..1024i32, -60..10i32];
    let edges = prop::collection::btree_set(exponent(), 0..6);
    let row = (sign, exponent(), 1..40i32, edges).prop_map(|(sign, from, size, edges)| Row {
        sign,
        from,
        to: (from + size).min(EXPONENTS.end),
        edges: edges.into_iter().collect(),
    });
    prop::collection::vec(row, 0..6)
}

/// Doubles of all sizes, and those near to 1 with many zeros at the end.
fn numbers() -> impl Strategy<Value = f64> {
    let short = (any::<i64>(), 0..64u32, -70..10i32)
        .prop_map(|(i, zeros, exponent)| (i >> zeros) as f64 * 2f64.powi(exponent));
    prop_oneof![any::<f64>(), short, -3.0..3.0f64, Just(0.0), Just(-0.0), Just(f64::MAX)]
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_table_finds_the_same_bin_as_a_search(
        rows in rows(),
        offset in prop_oneof![Just(0.0), numbers().prop_filter("finite", |x| x.is_finite())],
        points in prop::collection::vec(numbers(), 100),
    ) {
        let lattice = Lattice { statistic: Statistic::Value, offset, rows };
        prop_assert!(lattice.is_sound());
        let table = Table::new(&lattice);
        for x in points.iter().copied().chain([offset, f64::NAN, f64::INFINITY]) {
            let bin = table.bin(x);
            prop_assert!(bin < lattice.bins());
            prop_assert_eq!(bin, lattice.bin(x.into()), "{:e}", x);
        }
        let [mut together, mut single] = [(); 2].map(|()| vec![0; lattice.bins()]);
        table.count(&points, &mut together);
        points.iter().for_each(|x| single[lattice.bin((*x).into())] += 1);
        prop_assert_eq!(together, single);
    }

    #[test]
    fn the_highest_and_the_lowest_set_bit_are_what_they_say(x in numbers()) {
        let power = |exponent: i32| 2f64.powi(exponent.max(-1022)) * 2f64.powi((exponent + 1022).min(0));
        match Parts::of(x) {
            None => prop_assert!(x == 0.0 || !x.is_finite()),
            Some(parts) => {
                let (highest, lowest) = (power(parts.highest), power(parts.lowest));
                prop_assert!(highest <= x.abs() && x.abs() / 2.0 < highest);
                prop_assert_eq!(x % lowest, 0.0);
                prop_assert!(parts.lowest == parts.highest || x % (2.0 * lowest) != 0.0);
                prop_assert_eq!(parts.negative, x < 0.0);
            }
        }
    }

    #[test]
    fn a_lattice_around_a_point_is_one_after_it_is_taken_away(
        (offset, steps) in (-8.0..8.0f64, -(1i64 << 28)..1 << 28),
    ) {
        let noise = steps as f64 * 2f64.powi(-24);
        let apart = without(offset, offset + noise);
        prop_assert_eq!(apart, noise);
    }
}

//! Unit tests of `witness::counter`.

use super::*;
use crate::mechanism::Outcome;
use crate::witness::count::grid::tests::edges;
use crate::witness::{Branch, Partition, Shape, Side};
use proptest::prelude::*;

#[test]
fn a_batch_seen_through_a_view_is_counted_as_one_by_one() {
    let texts = (0..2000).map(|i| match i % 4 {
        0 => Outcome::Text(format!("n={}", i % 17)),
        1 => Outcome::Structure(format!("[[{i},1],[null,{}]]", i % 5)),
        2 => Outcome::Text("north".into()),
        _ => Outcome::Number(f64::from(i)),
    });
    let mut batch = Outcomes::new();
    texts.for_each(|outcome| batch.push(outcome));
    let edges = vec![1.0, 4.0, 9.0, 50.0];
    let shapes = vec![Shape::Number, Shape::Text];
    for (statistic, view) in
        [Statistic::Key("text number 0".into()), Statistic::Entry(3), Statistic::Value]
            .into_iter()
            .flat_map(|statistic| [(statistic.clone(), View::Apart), (statistic, View::Spelled)])
    {
        let of = Scorer::Thresholds { statistic, edges: edges.clone(), shapes: shapes.clone() };
        let scorer = of.seen_through(view);
        let [mut together, mut kept, mut single] = [(); 3].map(|()| vec![0u64; scorer.bins()]);
        let counter = Counter::new(&scorer);
        counter.count(&batch, &mut together);
        let mut parts = vec![0u64; scorer.bins()];
        counter.count_parts(&batch, |_| Some(0), &mut [&mut parts[..]]);
        counter.count(&batch, &mut kept);
        batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
        assert_eq!(together, single);
        assert_eq!(kept, single);
        assert_eq!(parts, single);
        batch.push_text("n=3");
    }
}

#[test]
fn a_batch_seen_rounded_is_counted_as_one_by_one() {
    let kinds: [fn(i64) -> Outcome; 4] = [
        |i| Outcome::Number(i as f64 * 0.37),
        |i| Outcome::Vector(vec![i as f64 * 0.37, f64::NAN, 1.0]),
        |i| match i % 4 {
            0 => Outcome::Text(format!("n={}", i as f64 * 0.37)),
            1 => Outcome::Structure(format!("[[{}.25,1],[null,{}]]", i, i % 5)),
            2 => Outcome::Integer(i),
            _ => Outcome::Failure("late".into()),
        },
        |i| std::collections::BTreeMap::from([("a".to_owned(), i as f64 * 0.37)]).into(),
    ];
    for kind in kinds {
        let mut batch = Outcomes::new();
        (0..2000).for_each(|i| batch.push(kind(i % 97)));
        let edges = vec![1.0, 4.0, 9.0, 9.5, 31.0];
        let shapes = vec![Shape::Number, Shape::Text];
        for statistic in [Statistic::Value, Statistic::Entry(0), Statistic::Key("a".into())] {
            let (edges, shapes) = (edges.clone(), shapes.clone());
            let of = Scorer::Thresholds { statistic, edges, shapes };
            for scorer in [of.clone().rounded(0.5), of.seen_through(View::Apart).rounded(0.5)] {
                assert!(scorer.is_sound());
                let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
                let counter = Counter::new(&scorer);
                counter.count(&batch, &mut together);
                let mut parts = vec![0u64; scorer.bins()];
                counter.count_parts(&batch, |_| Some(0), &mut [&mut parts[..]]);
                batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
                assert_eq!(together, single);
                assert_eq!(parts, single);
            }
        }
    }
}

/// A partition of single numbers, each box of which is outside the earlier ones.
fn boxes_in_boxes(edges: &[f64]) -> Partition {
    let edges: Vec<f64> = edges.iter().copied().filter(|edge| edge.is_finite()).collect();
    let mut sides: Vec<(f64, f64)> =
        edges.iter().rev().step_by(2).map(|x| (*x, f64::INFINITY)).collect();
    sides.extend(edges.windows(2).step_by(3).map(|ends| (ends[0], ends[1])));
    sides.extend(edges.first().map(|first| (f64::NEG_INFINITY, *first)));
    let mut nodes = Vec::new();
    for (leaf, (from, below)) in sides.iter().enumerate() {
        let side = Side { coordinate: 0, from: *from, below: *below };
        let (inside, outside) = (nodes.len() + 1, nodes.len() + 2);
        nodes.extend([Branch::Box { sides: vec![side], inside, outside }, Branch::Leaf(leaf)]);
    }
    nodes.push(Branch::Leaf(sides.len()));
    Partition { coordinates: vec![Statistic::Value], nodes }
}

/// Counts numbers together, and one by one.
fn both_ways(edges: Vec<f64>, mut numbers: Vec<f64>) -> Vec<[Vec<u64>; 2]> {
    numbers.extend([f64::NAN, -0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1.0]);
    numbers.extend(&edges);
    let shapes = vec![Shape::Number, Shape::NaN, Shape::NegativeZero];
    let mut batch = Outcomes::new();
    numbers.iter().for_each(|x| batch.push_number(*x));
    let scorers = [
        Scorer::Partition(boxes_in_boxes(&edges)),
        Scorer::Thresholds { statistic: Statistic::Value, edges, shapes: shapes.clone() },
        Scorer::Shape { shapes },
        Scorer::Shape { shapes: vec![Shape::Infinity] },
    ];
    let counted = scorers.into_iter().map(|scorer| {
        let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
        Counter::new(&scorer).count(&batch, &mut together);
        batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
        [together, single]
    });
    counted.collect()
}

/// A counterexample that proptest found.
#[test]
fn edges_that_are_hardly_apart_are_counted_as_one_by_one() {
    for [together, single] in both_ways(vec![-7.309_247_390_073_51e-220, 0.0], vec![]) {
        assert_eq!(together, single);
    }
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_of_numbers_is_counted_as_one_by_one(
        edges in edges(),
        numbers in prop::collection::vec(any::<f64>(), 0..100),
    ) {
        for [together, single] in both_ways(edges, numbers) {
            prop_assert_eq!(together, single);
        }
    }
}

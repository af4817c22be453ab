//! Unit tests of `witness::trees`.

use super::*;

fn split(feature: usize, threshold: f64, [below, above, missing]: [usize; 3]) -> Node {
    Node::Split { feature, threshold, below, above, missing }
}

/// The sign of the product of two entries, where there are two.
fn product() -> Trees {
    let tree = vec![
        split(0, 0.0, [1, 2, 7]),
        split(1, 0.0, [3, 4, 7]),
        split(1, 0.0, [5, 6, 7]),
        Node::Leaf(1.0),
        Node::Leaf(-1.0),
        Node::Leaf(-1.0),
        Node::Leaf(1.0),
        Node::Leaf(0.0),
    ];
    Trees { features: vec![Statistic::Entry(0), Statistic::Entry(1)], trees: vec![tree] }
}

#[test]
fn trees_are_read_from_the_root() {
    let trees = product();
    assert!(trees.is_sound());
    for (vector, value) in [
        (vec![1.0, 2.0], 1.0),
        (vec![-1.0, -2.0], 1.0),
        (vec![-1.0, 2.0], -1.0),
        (vec![1.0], 0.0),
        (vec![], 0.0),
    ] {
        assert_eq!(trees.of_vector(&vector), value, "{vector:?}");
    }
    let words = trees.words();
    assert!(words.contains("if entry 0 < 0 and entry 1 >= 0"), "{words}");
    let written = serde_json::to_string(&trees).unwrap();
    assert_eq!(serde_json::from_str::<Trees>(&written).unwrap(), trees, "{written}");
}

#[test]
fn what_a_certificate_could_be_made_to_say_is_refused() {
    let with = |change: &dyn Fn(&mut Trees)| {
        let mut trees = product();
        change(&mut trees);
        trees.is_sound()
    };
    assert!(!with(&|trees| trees.trees[0][1] = split(1, 0.0, [1, 4, 7])), "a circle");
    assert!(!with(&|trees| trees.trees[0][1] = split(1, 0.0, [3, 9, 7])), "no such node");
    assert!(!with(&|trees| trees.trees[0][1] = split(2, 0.0, [3, 4, 7])), "no such feature");
    assert!(!with(&|trees| trees.trees[0][1] = split(1, 0.0, [3, 5, 7])), "two parents");
    assert!(!with(&|trees| trees.trees[0][0] = split(0, f64::NAN, [1, 2, 7])));
    assert!(!with(&|trees| trees.trees[0][4] = Node::Leaf(f64::INFINITY)));
    assert!(!with(&|trees| trees.trees.clear()));
    assert!(!with(&|trees| trees.trees[0].clear()));
    assert!(!with(&|trees| trees.features.clear()));
    assert!(!with(&|trees| trees.features[0] = Statistic::Trees(Box::new(product()))));
}

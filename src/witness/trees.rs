//! Sums of decision trees over statistics of a vector: what boosted trees look at, frozen.

use super::statistic::Statistic;
use crate::number;
use serde::{Deserialize, Serialize};

/// Most statistics that trees look at.
pub(super) const MOST_FEATURES: usize = 48;
/// Most nodes of a tree that exploring makes, twice over: bounds what a certificate may ask for.
const MOST_NODES: usize = 64;
/// Most trees.
pub(super) const MOST_TREES: usize = 64;
/// Rules that are told in words.
const TOLD: usize = 3;

/// A sum of trees: each adds the value of the leaf that a vector comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trees {
    /// The numbers that are looked at.
    pub features: Vec<Statistic>,
    /// Nodes, from the root at 0. Those that a node names come after it, and no two are below or above
    /// the same.
    pub trees: Vec<Vec<Node>>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node {
    /// An end.
    Leaf(#[serde(with = "number::one")] f64),
    /// A question.
    Split {
        /// Place of the statistic among the features.
        feature: usize,
        /// What it is compared with.
        #[serde(with = "number::one")]
        threshold: f64,
        /// The node where the statistic is below the threshold.
        below: usize,
        /// The node where it is not.
        above: usize,
        /// The node where the outcome has no such number.
        missing: usize,
    },
}

impl Trees {
    /// The sum of a vector.
    pub(super) fn of_vector(&self, vector: &[f64]) -> f64 {
        let mut numbers = [f64::NAN; MOST_FEATURES];
        for (number, feature) in numbers.iter_mut().zip(&self.features) {
            *number = feature.read_vector(vector).unwrap_or(f64::NAN);
        }
        self.trees.iter().map(|tree| value(tree, &numbers)).sum()
    }

    /// Whether it is one that exploring could have made.
    pub(super) fn is_sound(&self) -> bool {
        let node = |place: usize, node: &Node, count: usize| match *node {
            Node::Leaf(value) => value.is_finite(),
            Node::Split { feature, threshold, below, above, missing } => {
                let next = |to: usize| to > place && to < count;
                feature < self.features.len()
                    && !threshold.is_nan()
                    && [below, above, missing].into_iter().all(next)
            }
        };
        let tree = |tree: &Vec<Node>| {
            let count = tree.len();
            let children = tree.iter().flat_map(|node| match *node {
                Node::Leaf(_) => vec![],
                Node::Split { below, above, .. } => vec![below, above],
            });
            let mut children: Vec<usize> = children.collect();
            children.sort_unstable();
            (1..=MOST_NODES).contains(&count)
                && children.is_sorted_by(|a, b| a < b)
                && tree.iter().enumerate().all(|(place, it)| node(place, it, count))
        };
        (1..=MOST_FEATURES).contains(&self.features.len())
            && self.features.iter().all(Statistic::is_simple)
            && (1..=MOST_TREES).contains(&self.trees.len())
            && self.trees.iter().all(tree)
    }

    /// The sum in words: the rules that carry it, those of the first trees that add or take most.
    pub(super) fn words(&self) -> String {
        let mut rules: Vec<(String, f64)> = Vec::new();
        for tree in self.trees.iter().take(TOLD) {
            self.rules(tree, 0, &mut Vec::new(), &mut rules);
        }
        rules.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let told = rules.iter().take(TOLD).map(|(when, value)| format!("{value:+.3} if {when}"));
        let told: Vec<String> = told.collect();
        let plural = if self.trees.len() == 1 { "tree" } else { "trees" };
        format!(
            "sum of {} decision {plural} over {} numbers, of which most tell: {}",
            self.trees.len(),
            self.features.len(),
            told.join("; ")
        )
    }

    /// Adds the rules below a node, with what leads there.
    fn rules(
        &self,
        tree: &[Node],
        place: usize,
        path: &mut Vec<String>,
        into: &mut Vec<(String, f64)>,
    ) {
        match &tree[place] {
            Node::Leaf(_) if path.is_empty() => {}
            Node::Leaf(value) => into.push((path.join(" and "), *value)),
            Node::Split { feature, threshold, below, above, .. } => {
                let name = self.features[*feature].words();
                for (sign, to) in [("<", below), (">=", above)] {
                    path.push(format!("{name} {sign} {}", number::words(*threshold)));
                    self.rules(tree, *to, path, into);
                    path.pop();
                }
            }
        }
    }
}

/// The value of the leaf that these numbers come to.
fn value(tree: &[Node], numbers: &[f64; MOST_FEATURES]) -> f64 {
    let mut place = 0;
    loop {
        match tree[place] {
            Node::Leaf(value) => return value,
            Node::Split { feature, threshold, below, above, missing } => {
                let number = numbers[feature];
                place = if number.is_nan() {
                    missing
                } else if number < threshold {
                    below
                } else {
                    above
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
}

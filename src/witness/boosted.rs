//! Gradient-boosted trees of vectors: events that no single number and no weighted sum shows.

use super::classify::{LEAST, SUMMARIES, varies, vectors};
use super::sample::Sample;
use super::statistic::Statistic;
use super::trees::{MOST_FEATURES, MOST_TREES, Node, Trees};
use crate::mechanism::Outcomes;
use forust_ml::{GradientBooster, Matrix};

/// Trees, and questions on the way to a leaf.
const TREES: usize = 20;
const DEPTH: usize = 3;
/// Values of a number that are told apart.
const VALUES: u16 = 48;
/// Numbers read that training may take, about: of each outcome all that trees look at.
const MOST_READ: usize = 100_000;
/// Entries, and differences of neighboring ones, that are looked at.
const MOST_ENTRIES: usize = 12;

/// Trees that are fitted to the labels of `training`; `None` if there are too few vectors, or nothing
/// varies.
pub(super) fn trained(training: &Sample<'_>) -> Option<Statistic> {
    let features = features(training);
    if features.is_empty() {
        return None;
    }
    let most = MOST_READ / features.len() / 2;
    let [d, d_prime] = [&training.d, &training.d_prime]
        .map(|batches: &Vec<&Outcomes>| vectors(batches).take(most).collect::<Vec<_>>());
    if d.len().min(d_prime.len()) < LEAST {
        return None;
    }
    let rows = d.len() + d_prime.len();
    let read = |feature: &Statistic, vector: &[f64]| {
        // Infinite ones compare like the largest.
        feature.read_vector(vector).map_or(f64::NAN, |x| x.clamp(f64::MIN, f64::MAX))
    };
    let mut data = Vec::with_capacity(features.len() * rows);
    for feature in &features {
        data.extend(d.iter().chain(&d_prime).map(|vector| read(feature, vector)));
    }
    let labels: Vec<f64> = (0..rows).map(|row| f64::from(u8::from(row < d.len()))).collect();
    let mut booster = GradientBooster::default()
        .set_iterations(TREES.min(MOST_TREES))
        .set_max_depth(DEPTH)
        .set_max_leaves(1 << DEPTH)
        .set_nbins(VALUES)
        .set_min_leaf_weight(0.25 * LEAST as f32)
        .set_parallel(false);
    booster.fit_unweighted(&Matrix::new(&data, rows, features.len()), &labels, None).ok()?;
    let trees = booster.trees.iter().map(frozen).filter(|tree| tree.len() > 1).collect();
    let trees = without_idle_features(Trees { features, trees });
    trees.is_sound().then(|| Statistic::Trees(Box::new(trees)))
}

/// What trees look at: numbers that vary.
fn features(sample: &Sample<'_>) -> Vec<Statistic> {
    let entries = (0..MOST_ENTRIES).map(Statistic::Entry);
    let differences = (0..MOST_ENTRIES).map(Statistic::Difference);
    let all = SUMMARIES.into_iter().chain([Statistic::NormL1, Statistic::LargestStep]);
    let all = all.chain(entries).chain(differences);
    all.filter(|statistic| varies(sample, statistic)).take(MOST_FEATURES).collect()
}

/// A tree as certificates hold it, its nodes in the order of a walk from the root.
fn frozen(tree: &forust_ml::tree::Tree) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    // Places of theirs, in the order of ours; children after their parents.
    let mut order = vec![0];
    let mut next = 0;
    while let Some(node) = order.get(next).and_then(|&at| tree.nodes.get(at)) {
        next += 1;
        if node.is_leaf {
            nodes.push(Node::Leaf(f64::from(node.weight_value)));
            continue;
        }
        let (below, above) = (order.len(), order.len() + 1);
        order.extend([node.left_child, node.right_child]);
        let missing = if node.missing_node == node.left_child { below } else { above };
        nodes.push(Node::Split {
            feature: node.split_feature,
            threshold: node.split_value,
            below,
            above,
            missing,
        });
    }
    nodes
}

/// Without features that no tree asks for: each is read for every outcome.
fn without_idle_features(mut trees: Trees) -> Trees {
    let mut asked = vec![false; trees.features.len()];
    for node in trees.trees.iter().flatten() {
        if let Node::Split { feature, .. } = node {
            asked[*feature] = true;
        }
    }
    let kept: Vec<usize> = (0..asked.len()).filter(|&at| asked[at]).collect();
    for node in trees.trees.iter_mut().flatten() {
        if let Node::Split { feature, .. } = node {
            *feature = kept.partition_point(|at| at < feature);
        }
    }
    trees.features = kept.into_iter().map(|at| trees.features[at].clone()).collect();
    trees
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        let extremes = [
            0.0,
            -0.0,
            1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            1e308,
            f64::MIN_POSITIVE,
            5e-324,
        ];
        prop_oneof![proptest::sample::select(extremes.to_vec()), any::<f64>(), -2.0..2.0]
    }

    fn side() -> impl Strategy<Value = Vec<Vec<f64>>> {
        proptest::collection::vec(proptest::collection::vec(number(), 0..6), LEAST..3 * LEAST)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever mechanisms return, training ends, and what it gives reads every vector.
        #[test]
        fn trees_of_any_vectors_are_sound(d in side(), d_prime in side()) {
            let [d, d_prime] = [d, d_prime].map(|side| {
                let mut outcomes = Outcomes::new();
                side.iter().for_each(|vector| outcomes.push_vector(vector));
                outcomes
            });
            let sample = Sample { d: vec![&d], d_prime: vec![&d_prime] };
            if let Some(trees) = trained(&sample) {
                for vector in vectors(&sample.d) {
                    prop_assert!(trees.read_vector(vector).is_none_or(|x| !x.is_nan()));
                }
            }
        }
    }
}

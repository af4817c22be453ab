//! Sums of decision trees over statistics of a vector: frozen boosted trees.

use crate::witness::coordinate::statistic::{Node, Statistic, Trees};
use plaudit_accountant::number;

/// Most statistics for trees: explore takes 40. Their numbers are 384 bytes for each outcome.
pub(crate) const MOST_FEATURES: usize = 48;
/// Most nodes of a tree: explore makes 15, three questions deep. Limits a certificate's cost.
const MOST_NODES: usize = 64;
/// Most trees: explore makes 20. Limits the cost of a certificate.
pub(crate) const MOST_TREES: usize = 64;
/// Rules that are shown in words, of as many trees: a few lines of text.
const TOLD: usize = 3;

impl Trees {
    pub(crate) fn of_vector(&self, vector: &[f64]) -> f64 {
        let mut numbers = [f64::NAN; MOST_FEATURES];
        for (number, feature) in numbers.iter_mut().zip(&self.features) {
            *number = feature.read_vector(vector).unwrap_or(f64::NAN);
        }
        self.trees.iter().map(|tree| value(tree, &numbers)).sum()
    }

    /// `true` if explore could have made it.
    pub(crate) fn is_sound(&self) -> bool {
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

    /// The sum in words: its main rules, those of the first trees that add or subtract most.
    pub(crate) fn words(&self) -> String {
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

    /// Adds the rules below a node, with the path to it.
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

/// The value of these numbers' leaf.
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
#[path = "../../../tests/unit/witness/coordinate/trees.rs"]
mod tests;

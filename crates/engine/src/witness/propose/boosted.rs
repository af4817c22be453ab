//! Gradient-boosted trees of vectors: events that no single number and no weighted sum shows.

use crate::mechanism::Outcomes;
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::{Node, Statistic, Trees};
use crate::witness::coordinate::trees::{MOST_FEATURES, MOST_TREES};
use crate::witness::coordinate::vectors::{LEAST, SUMMARIES, varies, vectors};
use crate::witness::rule::posterior::logistic;

/// Number of trees, of at most eight leaves each. Not tuned: at [`RATE`] twenty leave .7²⁰ = .0008
/// of the first step.
const TREES: usize = 20;
/// Questions on the way to a leaf: this number of values tell together.
const DEPTH: usize = 3;
/// Distinguished values of a number: as many as thresholds have, and they fit into a byte.
const VALUES: usize = 48;
/// Share of Newton's step for each tree: like [`RIDGE`], from XGBoost (Chen and Guestrin 2016).
const RATE: f64 = 0.3;
/// The penalty on the square of a leaf's value: XGBoost's default.
const RIDGE: f64 = 1.0;
/// Least curvature of a leaf: that of as many undecided rows, p(1 − p) = ¼ each, as [`LEAST`].
const LEAST_CURVATURE: f64 = 0.25 * LEAST as f64;
/// Approximate limit on the numbers read in training: of each outcome all features of the trees, so
/// that of 40 numbers 1 250 outcomes per side are read.
const MOST_READ: usize = 100_000;
/// Entries, and differences of neighboring ones, among the features: with 16 others 40 numbers, of
/// [`MOST_FEATURES`] that fit.
const MOST_ENTRIES: usize = 12;

/// Trees fitted to the labels of `training`; `None` for few or constant vectors.
pub(crate) fn trained(training: &Sample<'_>) -> Option<Statistic> {
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
    let read = |feature: &Statistic, vector: &[f64]| {
        // Infinite ones compare like the largest.
        feature.read_vector(vector).map_or(f64::NAN, |x| x.clamp(f64::MIN, f64::MAX))
    };
    let column = |feature: &Statistic| {
        Column::of(d.iter().chain(&d_prime).map(|vector| read(feature, vector)).collect())
    };
    let columns: Vec<Column> = features.iter().map(column).collect();
    let trees = without_idle_features(Trees { features, trees: grown(&columns, d.len()) });
    trees.is_sound().then(|| Statistic::Trees(Box::new(trees)))
}

fn features(sample: &Sample<'_>) -> Vec<Statistic> {
    let entries = (0..MOST_ENTRIES).map(Statistic::Entry);
    let differences = (0..MOST_ENTRIES).map(Statistic::Difference);
    let all = SUMMARIES.into_iter().chain([Statistic::NormL1, Statistic::LargestStep]);
    let all = all.chain(entries).chain(differences);
    all.filter(|statistic| varies(sample, statistic)).take(MOST_FEATURES).collect()
}

/// One number of every row, as its index among at most [`VALUES`] values.
struct Column {
    /// Edges between values, ascending: place `i` is below edge `i` and not below earlier ones.
    edges: Vec<f64>,
    /// The place of each row; [`MISSING`] for rows without the number.
    places: Vec<u8>,
}

/// The place of missing values: after all others, which are below [`VALUES`].
const MISSING: usize = VALUES;

impl Column {
    fn of(numbers: Vec<f64>) -> Self {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut edges: Vec<f64> =
            (1..VALUES).filter_map(|i| sorted.get(i * sorted.len() / VALUES).copied()).collect();
        edges.dedup();
        // Nothing is below the least.
        edges.retain(|edge| sorted.first().is_some_and(|least| edge > least));
        let place = |x: &f64| match x.is_nan() {
            true => MISSING as u8,
            false => edges.partition_point(|edge| edge <= x) as u8,
        };
        Self { places: numbers.iter().map(place).collect(), edges }
    }
}

/// Sums over rows of the first and the second derivative of the loss by the score.
#[derive(Clone, Copy, Default)]
struct Sums {
    slope: f64,
    curvature: f64,
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self { slope: self.slope + other.slope, curvature: self.curvature + other.curvature }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { slope: -other.slope, curvature: -other.curvature })
    }

    /// The best value of a leaf of these rows, and twice its reduction of the loss.
    fn leaf(self) -> f64 {
        -self.slope / (self.curvature + RIDGE)
    }

    fn gain(self) -> f64 {
        -self.slope * self.leaf()
    }
}

/// A question that splits the rows of a node.
struct Split {
    feature: usize,
    /// Last place that is below.
    place: usize,
    /// `true` if rows without the number are below.
    missing_below: bool,
    gain: f64,
}

/// Trees by gradient boosting on the logistic loss, each with Newton's step in its leaves
/// (Friedman, "Greedy function approximation", 2001; with the penalty and the gain of Chen and
/// Guestrin, "XGBoost", 2016, equations 5 to 7). The first `positive` rows are those of D.
fn grown(columns: &[Column], positive: usize) -> Vec<Vec<Node>> {
    let count = columns[0].places.len();
    let mut scores = vec![(positive as f64 / (count - positive) as f64).ln(); count];
    let mut trees = Vec::with_capacity(TREES);
    for _ in 0..TREES.min(MOST_TREES) {
        let sums = |(row, &score): (usize, &f64)| {
            let p = logistic(score);
            let slope = p - f64::from(u8::from(row < positive));
            Sums { slope, curvature: p * (1.0 - p) }
        };
        let sums: Vec<Sums> = scores.iter().enumerate().map(sums).collect();
        let tree = one_tree(columns, &sums, &mut scores);
        if tree.len() == 1 {
            break;
        }
        trees.push(tree);
    }
    trees
}

/// One tree, level by level; its leaves are added to the scores of their rows.
fn one_tree(columns: &[Column], sums: &[Sums], scores: &mut [f64]) -> Vec<Node> {
    let mut nodes = vec![Node::Leaf(0.0)];
    let mut level = vec![(0, (0..scores.len()).collect::<Vec<usize>>())];
    for depth in 0..=DEPTH {
        for (at, rows) in std::mem::take(&mut level) {
            let split = if depth < DEPTH { best_split(columns, sums, &rows) } else { None };
            let Some(Split { feature, place, missing_below, .. }) = split else {
                let all = rows.iter().fold(Sums::default(), |all, &row| all.plus(sums[row]));
                let value = RATE * all.leaf();
                nodes[at] = Node::Leaf(value);
                rows.iter().for_each(|&row| scores[row] += value);
                continue;
            };
            let column = &columns[feature];
            let is_below = |row: &usize| match usize::from(column.places[*row]) {
                MISSING => missing_below,
                at => at <= place,
            };
            let (below, above) = (nodes.len(), nodes.len() + 1);
            nodes.extend([Node::Leaf(0.0), Node::Leaf(0.0)]);
            let missing = if missing_below { below } else { above };
            let threshold = column.edges[place];
            nodes[at] = Node::Split { feature, threshold, below, above, missing };
            let (rows_below, rows_above) = rows.into_iter().partition(is_below);
            level.extend([(below, rows_below), (above, rows_above)]);
        }
    }
    nodes
}

/// The question that reduces the loss the most, the first of equal ones.
fn best_split(columns: &[Column], sums: &[Sums], rows: &[usize]) -> Option<Split> {
    let mut best: Option<Split> = None;
    for (feature, column) in columns.iter().enumerate() {
        let mut by_place = [Sums::default(); VALUES + 1];
        for &row in rows {
            let sum = &mut by_place[usize::from(column.places[row])];
            *sum = sum.plus(sums[row]);
        }
        let all = by_place.iter().fold(Sums::default(), |all, &sum| all.plus(sum));
        let mut below = Sums::default();
        for (place, &sum) in by_place.iter().enumerate().take(column.edges.len()) {
            below = below.plus(sum);
            for missing_below in [false, true] {
                let low = if missing_below { below.plus(by_place[MISSING]) } else { below };
                let high = all.minus(low);
                if low.curvature.min(high.curvature) < LEAST_CURVATURE {
                    continue;
                }
                let gain = low.gain() + high.gain() - all.gain();
                if gain > best.as_ref().map_or(0.0, |best| best.gain) {
                    best = Some(Split { feature, place, missing_below, gain });
                }
            }
        }
    }
    best
}

/// Removes the features that no tree uses: each is read for every outcome.
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
#[path = "../../../tests/unit/witness/propose/boosted.rs"]
mod tests;

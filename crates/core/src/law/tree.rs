//! Intervals with too many or too few outcomes: a tree of halves, each with a mixture of the law and any other share.
//!
//! Given the count of a node, that of its left half is binomial under the law. Each node has the e-value
//! 1 − w + w·B, where B is the likelihood under a Beta(½, ½) share over that of the law's (a Pólya tree: Berger,
//! Guglielmi 2001, JASA 96), and their product is an e-value.

use super::cells::Cells;
use super::parts::{Evidence, Part, evidence, ln_mean};
use plaudit_accountant::number::{brief, grouped};
use statrs::function::gamma::ln_gamma;

/// Levels from which all nodes have the same weight.
const DEEPEST: i32 = 12;

struct Tree {
    /// Counts and probabilities of all cells before each place, in the order of the tree.
    counts: Vec<u64>,
    probability: Vec<f64>,
    /// Evidence, observed and expected count, and cells of the most telling half.
    best: (f64, u64, f64, std::ops::Range<usize>),
}

/// Evidence from intervals.
pub(super) fn intervals(cells: &Cells, counts: &[u64]) -> Evidence {
    let order: Vec<usize> = (0..cells.len()).collect();
    let (ln, best) = grow(cells, counts, &order);
    let (low, high) = cells.interval(best.3);
    let place = match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("between {} and {}", brief(low), brief(high)),
        (true, false) => format!("above {}", brief(low)),
        _ => format!("below {}", brief(high)),
    };
    evidence(Part::Interval, ln, format!("{} {place}, {} expected", grouped(best.1), brief(best.2)))
}

/// Evidence from pairs of intervals at the same distance in probability from the median.
pub(super) fn both_sides(cells: &Cells, counts: &[u64]) -> Evidence {
    let mut order: Vec<usize> = (0..cells.len()).collect();
    let distance = |cell: &usize| (cells.middle[*cell] - 0.5).abs();
    order.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let (ln, best) = grow(cells, counts, &order);
    let distances = order[best.3].iter().map(|cell| (cells.inside(*cell) - cells.median).abs());
    let (least, most) =
        distances.fold((f64::MAX, 0.0f64), |(least, most), x| (least.min(x), most.max(x)));
    let seen = format!(
        "{} at a distance of {} to {} from the median, {} expected",
        grouped(best.1),
        brief(least),
        brief(most),
        brief(best.2)
    );
    evidence(Part::BothSides, ln, seen)
}

fn grow(
    cells: &Cells,
    counts: &[u64],
    order: &[usize],
) -> (f64, (f64, u64, f64, std::ops::Range<usize>)) {
    let (mut count, mut probability) = (vec![0], vec![0.0]);
    for cell in order {
        count.push(count[count.len() - 1] + counts[*cell]);
        probability.push(probability[probability.len() - 1] + cells.probability[*cell]);
    }
    let best = (f64::NEG_INFINITY, 0, 0.0, 0..order.len());
    let mut tree = Tree { counts: count, probability, best };
    let ln = tree.node(0..order.len(), 0);
    (ln, tree.best)
}

impl Tree {
    fn node(&mut self, cells: std::ops::Range<usize>, level: i32) -> f64 {
        let of = |range: &std::ops::Range<usize>, tree: &Self| {
            let n = tree.counts[range.end] - tree.counts[range.start];
            (n, tree.probability[range.end] - tree.probability[range.start])
        };
        let (n, p) = of(&cells, self);
        if cells.len() < 2 || n == 0 || p <= 0.0 {
            return 0.0;
        }
        let half = self.probability[cells.start] + p / 2.0;
        let split =
            self.probability[cells.clone()].partition_point(|sum| *sum < half) + cells.start;
        let split = split.clamp(cells.start + 1, cells.end - 1);
        let (left, right) = (cells.start..split, split..cells.end);
        let (k, share) = of(&left, self);
        let share = (share / p).clamp(1e-15, 1.0 - 1e-15);
        let ln = any_share(k, n, share);
        if ln > self.best.0 {
            let is_left = k as f64 >= share * n as f64 || n - k > 0 && left.len() <= right.len();
            let (seen, half) = if is_left { (k, left.clone()) } else { (n - k, right.clone()) };
            let all = self.counts[self.counts.len() - 1] as f64;
            let expected = all * of(&half, self).1;
            self.best = (ln, seen, expected, half);
        }
        let weight = 0.5f64.powi(level.min(DEEPEST) + 1);
        ln_mean(&[(1.0 - weight, 0.0), (weight, ln)])
            + self.node(left, level + 1)
            + self.node(right, level + 1)
    }
}

/// Likelihood of k of n under a Beta(½, ½) share over that under `share`, as a logarithm.
pub(super) fn any_share(k: u64, n: u64, share: f64) -> f64 {
    let (k, n) = (k as f64, n as f64);
    let beta = |a: f64, b: f64| ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    beta(k + 0.5, n - k + 0.5)
        - std::f64::consts::PI.ln()
        - k * share.ln()
        - (n - k) * (-share).ln_1p()
}

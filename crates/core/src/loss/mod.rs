//! From a tally to curves: the empirical privacy-loss distribution, the privacy profile, the trade-off curve. Pure
//! functions of counts; each states what is an estimate and what is certified. [`ExactLoss`] does this for laws that
//! are known exactly.

mod band;
mod exact;

pub use band::{beyond_chance, delta_band};
pub use exact::ExactLoss;

use crate::claim::Claim;
use crate::inference::proportion;
use crate::tally::Tally;

/// One bin of the empirical privacy-loss distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinLoss {
    /// Estimated ln(P/Q); ±∞ where the bin was seen under one dataset alone.
    pub loss: f64,
    /// Share of the outcomes under D.
    pub p: f64,
    /// Share of the outcomes under D'.
    pub q: f64,
}

/// The empirical privacy-loss distribution: the bins that were seen, ascending in loss (Sommer,
/// Meiser, Mohammadi 2019, over the bins of a witness). An estimate.
pub fn distribution(tally: &Tally) -> Vec<BinLoss> {
    let (n, m) = (tally.trials_d() as f64, tally.trials_d_prime() as f64);
    let seen = tally.d.iter().zip(&tally.d_prime).filter(|(x, y)| **x + **y > 0);
    let mut bins: Vec<BinLoss> = seen
        .map(|(&x, &y)| {
            let (p, q) = (x as f64 / n.max(1.0), y as f64 / m.max(1.0));
            BinLoss { loss: (p / q).ln(), p, q }
        })
        .collect();
    bins.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    bins
}

/// KL(P‖Q) = Σ p ln(p/q) over the bins: the mean loss. `None` where it is infinite. An estimate,
/// from below by data processing, up to sampling error.
pub fn kl(distribution: &[BinLoss]) -> Option<f64> {
    let terms = distribution.iter().filter(|bin| bin.p > 0.0).map(|bin| bin.p * bin.loss);
    Some(terms.sum::<f64>()).filter(|sum| sum.is_finite())
}

/// D_α(P‖Q) over the bins, α > 1. `None` where it is infinite. An estimate, from below by data
/// processing, up to sampling error.
pub fn renyi(distribution: &[BinLoss], order: f64) -> Option<f64> {
    exact::renyi(distribution.iter().map(|bin| (bin.p, bin.q)), order)
}

/// Bins with the roles of D and D' exchanged.
pub fn reverse(distribution: &[BinLoss]) -> Vec<BinLoss> {
    distribution.iter().rev().map(|b| BinLoss { loss: -b.loss, p: b.q, q: b.p }).collect()
}

/// P(loss > ε) under D: sufficient for (ε, δ)-DP if at most δ, but not necessary. An estimate.
pub fn exceeds(distribution: &[BinLoss], epsilon: f64) -> f64 {
    distribution.iter().filter(|bin| bin.loss > epsilon).map(|bin| bin.p).sum()
}

/// The hockey-stick divergence Σ (p − e^ε q)₊ over the bins. An estimate.
pub fn delta(distribution: &[BinLoss], epsilon: f64) -> f64 {
    let ratio = epsilon.exp();
    let terms = distribution.iter().filter(|bin| bin.loss > epsilon);
    terms.map(|bin| if bin.q > 0.0 { bin.p - ratio * bin.q } else { bin.p }).sum()
}

/// Bounds on the probabilities of nested events, valid together.
///
/// The events are the unions of the first k bins of a frozen order, for some two dozen k that the
/// number of bins alone decides, and their complements. Each event and its complement need the same two Clopper–Pearson bounds, of the
/// event's probability under D from below and under D' from above, at level α/2 over their number each,
/// so all of them hold together with probability at least 1 − α.
pub struct NestedEvents {
    /// For each event a lower bound on its probability under the dataset that it is typical of,
    /// and an upper bound under the other.
    bounds: Vec<(f64, f64)>,
}

impl NestedEvents {
    /// Bounds all events of an order that was frozen before the counting.
    pub fn new(tally: &Tally, order: &[usize], alpha: f64) -> Self {
        let bins = order.len();
        // Every one near the ends, where the losses are large; some between.
        let is_cut = |k: usize| k <= 6 || k + 6 >= bins || k.is_multiple_of(bins / 12 + 1);
        let cuts = (1..bins).filter(|&k| is_cut(k)).count();
        let level = alpha / (2.0 * cuts.max(1) as f64);
        let (n, m) = (tally.trials_d(), tally.trials_d_prime());
        let (mut x, mut y) = (0, 0);
        let mut bounds = Vec::with_capacity(2 * cuts);
        for (place, &bin) in order.iter().enumerate() {
            x += tally.d[bin];
            y += tally.d_prime[bin];
            if place + 1 == bins || !is_cut(place + 1) {
                continue;
            }
            let (p, q) = (proportion::lower(x, n, level), proportion::upper(y, m, level));
            bounds.push((p, q));
            // A hair outward: the differences are rounded.
            bounds.push(((1.0 - q) * (1.0 - 1e-15), (1.0 - p) * (1.0 + 1e-15)));
        }
        Self { bounds }
    }

    /// A lower bound on the mechanism's δ(ε), simultaneous over all ε.
    pub fn delta_lower(&self, epsilon: f64) -> f64 {
        let ratio = epsilon.exp();
        self.bounds.iter().map(|(p, q)| p - ratio * q).fold(0.0, f64::max)
    }
}

/// The trade-off curve that the bins achieve: (type-I error Q(S), type-II error 1 − P(S)) for the
/// nested events S of an order, from (0, 1) to (1, 0). An estimate of an achievable attack, hence
/// of an upper bound on the trade-off function.
pub fn tradeoff(tally: &Tally, order: &[usize]) -> Vec<(f64, f64)> {
    let (n, m) = (tally.trials_d(), tally.trials_d_prime());
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let (mut x, mut y) = (0, 0);
    let mut curve = vec![(0.0, 1.0)];
    for &bin in order {
        if tally.d[bin] + tally.d_prime[bin] > 0 {
            x += tally.d[bin];
            y += tally.d_prime[bin];
            curve.push((share(y, m), share(n - x, n)));
        }
    }
    curve
}

/// The ε at which a profile is worth drawing: from 0 to beyond the claim and beyond the largest
/// loss that was seen, evenly, with the claim's own ε among them.
pub fn profile_grid(distribution: &[BinLoss], claim: &Claim) -> Vec<f64> {
    let (epsilon, _) = claim.reference_point();
    let finite = distribution.iter().map(|bin| bin.loss.abs()).filter(|loss| loss.is_finite());
    let reach = finite.fold(0.0f64, f64::max).min(4.0 * epsilon + 4.0);
    let end = (1.5 * epsilon).max(1.1 * reach).max(1e-3);
    let mut grid: Vec<f64> = (0..=60).map(|i| end * f64::from(i) / 60.0).collect();
    grid.push(epsilon);
    grid.sort_by(f64::total_cmp);
    grid.dedup();
    grid
}

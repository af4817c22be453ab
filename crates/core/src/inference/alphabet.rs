//! Upper bounds from samples: what a mechanism with a known, finite alphabet of outcomes cannot exceed.

use super::proportion;

/// Bounds on the probability of every outcome of a declared alphabet, valid together.
///
/// Clopper–Pearson from both sides, under both datasets: 4k bounds for k outcomes, each at level
/// α/(4k), so that all hold with probability at least 1 − α (the union bound). They speak of this
/// pair of datasets, and rest on runs that are independent and on outcomes outside of the alphabet being
/// impossible.
#[derive(Clone, Debug)]
pub struct AlphabetBounds {
    /// Bounds under D and under D', from below and from above, for each outcome.
    cells: Vec<[(f64, f64); 2]>,
}

impl AlphabetBounds {
    /// Bounds from the counts of each outcome under D and D', all runs of which gave an outcome of
    /// the alphabet.
    ///
    /// # Panics
    /// If there are more counts under one dataset than under the other.
    pub fn new(d: &[u64], d_prime: &[u64], alpha: f64) -> Self {
        assert_eq!(d.len(), d_prime.len(), "counts of the same alphabet");
        let level = alpha / (4.0 * d.len().max(1) as f64);
        let (n, m) = (d.iter().sum(), d_prime.iter().sum());
        let bounds =
            |hits, of| (proportion::lower(hits, of, level), proportion::upper(hits, of, level));
        let cells = d.iter().zip(d_prime).map(|(&x, &y)| [bounds(x, n), bounds(y, m)]);
        Self { cells: cells.collect() }
    }

    /// Upper bound on δ(ε) of the pair, in both directions: Σ (p_upper − e^ε q_lower)₊, at most 1.
    /// Simultaneous over all ε.
    pub fn delta_upper(&self, epsilon: f64) -> f64 {
        let ratio = epsilon.exp();
        let direction = |from: usize| {
            let excess = |cell: &[(f64, f64); 2]| {
                let (upper, lower) = (cell[from].1, cell[1 - from].0);
                if lower > 0.0 { (upper - ratio * lower).max(0.0) } else { upper }
            };
            self.cells.iter().map(excess).sum::<f64>()
        };
        // A hair outward: sums are rounded.
        (direction(0).max(direction(1)) * (1.0 + 1e-12)).min(1.0)
    }

    /// Upper bound on ε of the pair at `delta`; `None` if it cannot be certified.
    pub fn epsilon_upper(&self, delta: f64) -> Option<f64> {
        const LARGEST: f64 = 700.0;
        if self.delta_upper(LARGEST) > delta {
            return None;
        }
        let (mut low, mut high) = (0.0, LARGEST);
        if self.delta_upper(low) <= delta {
            return Some(0.0);
        }
        while high - low > 1e-12 * high {
            let middle = 0.5 * (low + high);
            if self.delta_upper(middle) <= delta { high = middle } else { low = middle }
        }
        Some(high)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/inference/alphabet.rs"]
mod tests;

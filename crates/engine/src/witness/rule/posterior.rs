//! Estimate of a bin from the explore trials: the share of its outcomes that come from D, with a
//! prior, so that the best of many bins is not overrated.

use plaudit_core::tally::Tally;
use std::collections::BTreeMap;

/// Outcomes in a bin from which its own share has the weight of the grid's: a hundred know a loss
/// near 0 to .2, and the grid's steps are .07 to .9.
const RESOLUTION: f64 = 100.0;

const LOSSES: usize = 49;

/// Each bin by itself, with a prior learnt from all of them: the nonparametric maximum-likelihood
/// mixture of shares (Kiefer & Wolfowitz 1956) on a grid, by a few steps of EM from a flat start.
pub fn bin_by_bin(tally: &Tally) -> Vec<f64> {
    let offset = ((tally.trials_d() + 1) as f64 / (tally.trials_d_prime() + 1) as f64).ln();
    let losses = (-24..=24).map(|i| {
        let x = f64::from(i) / 24.0;
        offset + x.signum() * (12.0 * x.abs()).min(40.0 * x * x)
    });
    let grid: Vec<GridLoss> =
        losses.map(|loss| (logistic(loss), ln_logistic(loss), ln_logistic(-loss))).collect();
    // Bins with equal counts are alike: of many bins most have few outcomes.
    let mut alike: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let counts = |bin: usize| (tally.d[bin], tally.d_prime[bin]);
    for seen in (0..tally.bins()).map(counts).filter(|counts| *counts != (0, 0)) {
        *alike.entry(seen).or_default() += 1.0;
    }
    let bins: f64 = alike.values().sum();
    let likelihoods: Vec<[f64; LOSSES]> =
        alike.keys().map(|&seen| likelihood(seen, &grid)).collect();
    let mut prior = [1.0 / LOSSES as f64; LOSSES];
    for _ in 0..16 {
        let mut next = [0.0; LOSSES];
        for (likelihood, many) in likelihoods.iter().zip(alike.values()) {
            let mut weights = [0.0; LOSSES];
            // Several sums at once: one alone waits for each addition.
            let mut totals = [0.0; 7];
            for at in (0..LOSSES).step_by(7) {
                for (lane, total) in totals.iter_mut().enumerate() {
                    weights[at + lane] = prior[at + lane] * likelihood[at + lane];
                    *total += weights[at + lane];
                }
            }
            let scale = many / totals.iter().sum::<f64>();
            for at in 0..LOSSES {
                next[at] += weights[at] * scale;
            }
        }
        prior = next.map(|n| n / bins.max(1.0));
    }
    let shares = alike.keys().zip(&likelihoods).map(|(&(x, y), likelihood)| {
        let weights = || prior.iter().zip(likelihood).map(|(p, l)| p * l);
        let mean = weights().zip(&grid).map(|(w, (share, ..))| w * share).sum::<f64>();
        let mean = mean / weights().sum::<f64>();
        // Beyond the resolution of the grid the counts decide.
        ((x, y), (x as f64 + RESOLUTION * mean) / ((x + y) as f64 + RESOLUTION))
    });
    let shares: BTreeMap<(u64, u64), f64> = shares.collect();
    (0..tally.bins()).map(|bin| shares.get(&counts(bin)).copied().unwrap_or(f64::NAN)).collect()
}

/// A loss on the grid: the share of D, and the logarithms of that and of the rest.
type GridLoss = (f64, f64, f64);

/// Likelihood of these counts of D and of D' for each loss on the grid, relative to the largest.
fn likelihood((x, y): (u64, u64), grid: &[GridLoss]) -> [f64; LOSSES] {
    let (x, y) = (x as f64, y as f64);
    let mut all = [0.0; LOSSES];
    let mut most = f64::MIN;
    for (ln, (_, p, q)) in all.iter_mut().zip(grid) {
        *ln = x * p + y * q;
        most = most.max(*ln);
    }
    all.map(|ln| (ln - most).exp())
}

pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of [`logistic`], finite wherever `x` is.
pub(crate) fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

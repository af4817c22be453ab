//! What the explore trials say of a bin: the share of its outcomes that come from D, estimated
//! with a prior, so that the best of many bins is not taken for better than it is.

use crate::tally::Tally;
use std::collections::BTreeMap;

/// Outcomes in a bin from which its own share counts as much as what the grid says: a hundred know a loss near 0 to .2, and the
/// grid's steps are .07 to .9.
const RESOLUTION: f64 = 100.0;

/// Each bin by itself, with a prior learnt from all of them: the nonparametric maximum-likelihood
/// mixture of shares (Kiefer & Wolfowitz 1956) on a grid, by a few steps of EM from a flat start.
pub fn bin_by_bin(tally: &Tally) -> Vec<f64> {
    let offset = ((tally.trials_d() + 1) as f64 / (tally.trials_d_prime() + 1) as f64).ln();
    let losses = (-24..=24).map(|i| {
        let x = f64::from(i) / 24.0;
        offset + x.signum() * (12.0 * x.abs()).min(40.0 * x * x)
    });
    let grid: Vec<(f64, f64, f64)> =
        losses.map(|loss| (logistic(loss), ln_logistic(loss), ln_logistic(-loss))).collect();
    // Bins of the same counts are alike: of many bins most have few outcomes.
    let mut alike: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let counts = |bin: usize| (tally.d[bin], tally.d_prime[bin]);
    for seen in (0..tally.bins()).map(counts).filter(|counts| *counts != (0, 0)) {
        *alike.entry(seen).or_default() += 1.0;
    }
    let bins: f64 = alike.values().sum();
    let likelihoods: Vec<Vec<f64>> = alike
        .keys()
        .map(|&(x, y)| {
            let ln: Vec<f64> = grid.iter().map(|(_, p, q)| x as f64 * p + y as f64 * q).collect();
            let most = ln.iter().copied().fold(f64::MIN, f64::max);
            ln.into_iter().map(|l| (l - most).exp()).collect()
        })
        .collect();
    let mut prior = vec![1.0 / grid.len() as f64; grid.len()];
    for _ in 0..16 {
        let mut next = vec![0.0; grid.len()];
        for (likelihood, many) in likelihoods.iter().zip(alike.values()) {
            let total: f64 = prior.iter().zip(likelihood).map(|(p, l)| p * l).sum();
            let scale = many / total;
            next.iter_mut()
                .zip(prior.iter().zip(likelihood))
                .for_each(|(n, (p, l))| *n += p * l * scale);
        }
        prior = next.into_iter().map(|n| n / bins.max(1.0)).collect();
    }
    let shares = alike.keys().zip(&likelihoods).map(|(&(x, y), likelihood)| {
        let weights = || prior.iter().zip(likelihood).map(|(p, l)| p * l);
        let mean = weights().zip(&grid).map(|(w, (share, ..))| w * share).sum::<f64>();
        let mean = mean / weights().sum::<f64>();
        // Beyond what the grid resolves the counts speak for themselves.
        ((x, y), (x as f64 + RESOLUTION * mean) / ((x + y) as f64 + RESOLUTION))
    });
    let shares: BTreeMap<(u64, u64), f64> = shares.collect();
    (0..tally.bins()).map(|bin| shares.get(&counts(bin)).copied().unwrap_or(f64::NAN)).collect()
}

pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of [`logistic`], finite wherever `x` is.
pub(crate) fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

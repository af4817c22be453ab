//! What the explore trials say of a bin: the share of its outcomes that come from D, estimated
//! with a prior, so that the best of many bins is not taken for better than it is.

use crate::tally::Tally;

/// Outcomes in a bin from which its own share counts as much as what the grid says.
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
        losses.map(|loss| (logistic(loss), -(-loss).exp().ln_1p(), -loss.exp().ln_1p())).collect();
    let seen: Vec<usize> =
        (0..tally.bins()).filter(|&bin| tally.d[bin] + tally.d_prime[bin] > 0).collect();
    let likelihoods: Vec<Vec<f64>> = seen
        .iter()
        .map(|&bin| {
            let (x, y) = (tally.d[bin] as f64, tally.d_prime[bin] as f64);
            let ln: Vec<f64> = grid.iter().map(|(_, p, q)| x * p + y * q).collect();
            let most = ln.iter().copied().fold(f64::MIN, f64::max);
            ln.into_iter().map(|l| (l - most).exp()).collect()
        })
        .collect();
    let mut prior = vec![1.0 / grid.len() as f64; grid.len()];
    for _ in 0..16 {
        let mut next = vec![0.0; grid.len()];
        for likelihood in &likelihoods {
            let total: f64 = prior.iter().zip(likelihood).map(|(p, l)| p * l).sum();
            next.iter_mut()
                .zip(prior.iter().zip(likelihood))
                .for_each(|(n, (p, l))| *n += p * l / total);
        }
        prior = next.into_iter().map(|n| n / likelihoods.len().max(1) as f64).collect();
    }
    let mut shares = vec![f64::NAN; tally.bins()];
    for (&bin, likelihood) in seen.iter().zip(&likelihoods) {
        let weights = || prior.iter().zip(likelihood).map(|(p, l)| p * l);
        let mean = weights().zip(&grid).map(|(w, (share, ..))| w * share).sum::<f64>();
        let mean = mean / weights().sum::<f64>();
        // Beyond what the grid resolves the counts speak for themselves.
        let (x, all) = (tally.d[bin] as f64, (tally.d[bin] + tally.d_prime[bin]) as f64);
        shares[bin] = (x + RESOLUTION * mean) / (all + RESOLUTION);
    }
    shares
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

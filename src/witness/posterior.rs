//! What the explore trials say of a bin: the share of its outcomes that come from D, estimated
//! with a prior, so that the best of many bins is not taken for better than it is.

use crate::tally::Tally;
use std::collections::BTreeMap;

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

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of [`logistic`], finite wherever `x` is.
pub(super) fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// Standard deviations of log-ratios that are tried, in losses of the usual size.
const SCALES: [f64; 10] = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 32.0, 128.0, 512.0];
/// The one of them that is to be expected: an event of a mechanism that is right loses less than it
/// may.
const USUAL: usize = 2;

/// The share of D of each bin (NaN where nothing was seen), its log-ratio drawn to 0: adaptive
/// shrinkage (Stephens 2017, section 2), a mixture of normal distributions around 0 whose weights all
/// bins together tell, by a few steps of EM. `loss` is a privacy loss of the usual size, above 0.
/// The likelihood is normal: bins of few outcomes are drawn by guess.
pub fn shrunken(tally: &Tally, loss: f64) -> Vec<f64> {
    let offset = ((tally.trials_d() + 1) as f64 / (tally.trials_d_prime() + 1) as f64).ln();
    let seen: Vec<(usize, f64, f64)> = (0..tally.bins())
        .filter(|&bin| tally.d[bin] + tally.d_prime[bin] > 0)
        .map(|bin| {
            let (x, y) = (tally.d[bin] as f64 + 0.5, tally.d_prime[bin] as f64 + 0.5);
            (bin, (x / y).ln() - offset, 1.0 / x + 1.0 / y)
        })
        .collect();
    let variances = SCALES.map(|scale| (scale * loss).powi(2));
    let likelihoods: Vec<[f64; SCALES.len()]> = seen
        .iter()
        .map(|&(_, ratio, variance)| {
            let ln = variances.map(|v| {
                let all = v + variance;
                -0.5 * (all.ln() + ratio * ratio / all)
            });
            let most = ln.iter().copied().fold(f64::MIN, f64::max);
            ln.map(|ln| (ln - most).exp())
        })
        .collect();
    let mut prior = [1.0 / SCALES.len() as f64; SCALES.len()];
    for _ in 0..16 {
        // Two more bins: one that may be anything, and one of half the usual loss.
        let mut next = [1.0 / SCALES.len() as f64; SCALES.len()];
        next[USUAL] += 1.0;
        for likelihood in &likelihoods {
            let total: f64 = prior.iter().zip(likelihood).map(|(p, l)| p * l).sum();
            for ((next, p), l) in next.iter_mut().zip(&prior).zip(likelihood) {
                *next += p * l / total;
            }
        }
        prior = next.map(|n| n / (likelihoods.len() as f64 + 2.0));
    }
    let mut shares = vec![f64::NAN; tally.bins()];
    for ((bin, ratio, variance), likelihood) in seen.into_iter().zip(likelihoods) {
        let (mut sum, mut total) = (0.0, 0.0);
        for ((p, l), v) in prior.iter().zip(likelihood).zip(variances) {
            total += p * l;
            sum += p * l * v / (v + variance);
        }
        shares[bin] = logistic(offset + ratio * sum / total);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSS: f64 = 0.1;

    fn log_odds(share: f64) -> f64 {
        (share / (1.0 - share)).ln()
    }

    #[test]
    fn what_is_known_badly_is_drawn_to_nothing_and_what_is_known_well_stays() {
        // Log-ratios of 0.5 and 0.05 from few and from many counts; a million times as likely.
        let d = vec![33, 1_050_000, 16_500_000, 1_000_000, 0];
        let d_prime = vec![20, 1_000_000, 10_000_000, 1, 0];
        let trials = [&d, &d_prime].map(|counts| counts.iter().sum::<u64>() as f64);
        let offset = (trials[0] / trials[1]).ln();
        let shares = shrunken(&Tally { d: d.clone(), d_prime: d_prime.clone() }, LOSS);
        let kept = |bin: usize| {
            let raw = (d[bin] as f64 / d_prime[bin] as f64).ln() - offset;
            (log_odds(shares[bin]) - offset) / raw
        };
        assert!((-0.1..0.9).contains(&kept(0)), "{}", kept(0));
        assert!((0.99..=1.0).contains(&kept(1)), "{}", kept(1));
        assert!((0.99..=1.0).contains(&kept(2)), "{}", kept(2));
        assert!((0.9..=1.0).contains(&kept(3)), "{}", kept(3));
        assert!(shares[4].is_nan(), "nothing was seen there");
    }

    #[test]
    fn a_bin_learns_from_the_others() {
        // A log-ratio of 0.26 that chance alone explains one time in twenty, beside ten bins of
        // whose outcomes so many come from D and so many from D', in turns.
        let beside = |often: u64, seldom: u64| {
            let mut tally = Tally { d: vec![130], d_prime: vec![100] };
            for _ in 0..5 {
                tally.d.extend([often, seldom]);
                tally.d_prime.extend([seldom, often]);
            }
            log_odds(shrunken(&tally, LOSS)[0])
        };
        let (quiet, loud) = (beside(10_000, 10_000), beside(12_000, 9_000));
        assert!(quiet < 0.1, "where all others tell nothing, so does it, most likely: {quiet}");
        assert!(loud > 1.5 * quiet, "{loud} {quiet}");
    }
}

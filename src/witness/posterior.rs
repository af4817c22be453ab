//! What the explore trials say of a bin: the share of its outcomes that come from D, estimated
//! with a prior, so that the best of many bins is not taken for better than it is.

use crate::tally::Tally;
use std::ops::Range;

/// For each bin of a line the share of its outcomes that come from D.
pub struct Odds {
    /// Posterior mean.
    pub mean: Vec<f64>,
    /// Posterior standard deviation; the errors of the bins go together.
    pub deviation: Vec<f64>,
}

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

/// The bins of one line of intervals by a curve through them: the log-ratio is
/// c + b clamp(x, l, u) in the interval's typical value x, the average of many such curves by
/// their likelihood. The losses of Laplace, Gaussian and step-like mechanisms are such curves.
/// `None` if fewer than three of the bins have outcomes.
///
/// `places` has the typical value of each bin of the line.
pub fn along_line(tally: &Tally, line: Range<usize>, places: &[f64]) -> Option<Odds> {
    let all: Vec<Bin> = line
        .zip(places)
        .map(|(index, &place)| {
            let (x, y) = (tally.d[index] as f64, tally.d_prime[index] as f64);
            Bin { place, d: x, all: x + y }
        })
        .collect();
    let seen = all.iter().filter(|bin| bin.all > 0.0 && bin.place.is_finite());
    let bins: Vec<Bin> = seen.copied().collect();
    if bins.len() < 3 {
        return None;
    }
    let offset = (tally.trials_d() as f64 / tally.trials_d_prime() as f64).ln();
    let curves = curves(&bins, offset);
    let most = curves.iter().fold(f64::MIN, |most, curve| curve.ln_likelihood.max(most));
    let (mut mean, mut deviation) = (Vec::new(), Vec::new());
    for bin in &all {
        let (mut weights, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for curve in curves.iter().filter(|curve| curve.ln_likelihood > most - 12.0) {
            let weight = (curve.ln_likelihood - most).exp();
            // Three-point Gauss-Hermite rule over the slope.
            for (at, part) in [(0.0, 4.0), (-3f64.sqrt(), 1.0), (3f64.sqrt(), 1.0)] {
                let share = curve.share(bin.place, at);
                weights += weight * part;
                sum += weight * part * share;
                squares += weight * part * share * share;
            }
        }
        mean.push(sum / weights);
        deviation.push((squares / weights - (sum / weights).powi(2)).max(0.0).sqrt());
    }
    Some(Odds { mean, deviation })
}

/// Curves with clamps at a dozen places, then at any place near the best of them.
fn curves(bins: &[Bin], offset: f64) -> Vec<Curve> {
    let count = bins.len();
    let step = count.div_ceil(12);
    let mut done = std::collections::BTreeSet::new();
    let mut curves: Vec<Curve> = Vec::new();
    let mut best: Option<(f64, usize, usize)> = None;
    let mut attempt = |low: usize, high: usize, best: &mut Option<(f64, usize, usize)>| {
        if low < high
            && done.insert((low, high))
            && let Some(curve) = fit(bins, bins[low].place, bins[high].place, offset)
        {
            if best.is_none_or(|(most, ..)| curve.ln_likelihood > most) {
                *best = Some((curve.ln_likelihood, low, high));
            }
            curves.push(curve);
        }
    };
    let coarse = || (0..count).step_by(step).chain(std::iter::once(count - 1));
    for low in coarse() {
        for high in coarse() {
            attempt(low, high, &mut best);
        }
    }
    let mut reach = step / 2;
    while let (Some((_, low, high)), true) = (best, reach > 0) {
        for (low, high) in [
            (low.saturating_sub(reach), high),
            (low + reach, high),
            (low, high.saturating_sub(reach)),
            (low, (high + reach).min(count - 1)),
        ] {
            attempt(low, high, &mut best);
        }
        if best.is_some_and(|(_, l, h)| (l, h) == (low, high)) {
            reach /= 2;
        }
    }
    curves
}

#[derive(Clone, Copy)]
struct Bin {
    place: f64,
    d: f64,
    all: f64,
}

/// logit share = c + slope (clamp(place, low, high) − center)/spread.
struct Curve {
    low: f64,
    high: f64,
    center: f64,
    spread: f64,
    constant: f64,
    slope: f64,
    slope_error: f64,
    ln_likelihood: f64,
}

impl Curve {
    fn share(&self, place: f64, errors: f64) -> f64 {
        let t = (place.clamp(self.low, self.high) - self.center) / self.spread;
        logistic(self.constant + (self.slope + errors * self.slope_error) * t)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Logistic regression by Newton's method, with a weak ridge on the slope.
fn fit(bins: &[Bin], low: f64, high: f64, offset: f64) -> Option<Curve> {
    const RIDGE: f64 = 0.05;
    let total: f64 = bins.iter().map(|bin| bin.all).sum();
    let clamped = |bin: &Bin| bin.place.clamp(low, high);
    let center = bins.iter().map(|bin| bin.all * clamped(bin)).sum::<f64>() / total;
    let spread = bins.iter().map(|bin| bin.all * (clamped(bin) - center).powi(2)).sum::<f64>();
    let spread = (spread / total).sqrt();
    if !(spread.is_finite() && spread > 0.0) {
        return None;
    }
    let terms: Vec<f64> = bins.iter().map(|bin| (clamped(bin) - center) / spread).collect();
    let (mut constant, mut slope, mut slope_error) = (offset, 0.0, 1.0);
    for _ in 0..8 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, -RIDGE * slope, 1e-9, 0.0, RIDGE);
        for (bin, &t) in bins.iter().zip(&terms) {
            let share = logistic(constant + slope * t);
            let residual = bin.d - bin.all * share;
            let weight = bin.all * share * (1.0 - share);
            g0 += residual;
            g1 += residual * t;
            h00 += weight;
            h01 += weight * t;
            h11 += weight * t * t;
        }
        let determinant = h00 * h11 - h01 * h01;
        let step = (h00 * g1 - h01 * g0) / determinant;
        constant += ((h11 * g0 - h01 * g1) / determinant).clamp(-2.0, 2.0);
        slope += step.clamp(-2.0, 2.0);
        slope_error = (h00 / determinant).sqrt();
        if step.abs() < 1e-4 * slope_error {
            break;
        }
    }
    let ln_likelihood = bins.iter().zip(&terms).map(|(bin, &t)| {
        let logit = constant + slope * t;
        -bin.d * (-logit).exp().ln_1p() - (bin.all - bin.d) * logit.exp().ln_1p()
    });
    let ln_likelihood = ln_likelihood.sum::<f64>() - 0.5 * RIDGE * slope * slope;
    let curve = Curve { low, high, center, spread, constant, slope, slope_error, ln_likelihood };
    (ln_likelihood.is_finite() && slope_error.is_finite()).then_some(curve)
}

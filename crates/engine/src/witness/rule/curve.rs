//! The share of D along a line of bins, by curves through them: neighboring intervals of one number
//! are similar, so each bin learns from all of them.
//!
//! A Bayesian average, by Laplace's approximation of the evidence. It only chooses; no certified
//! result depends on it.

use crate::witness::rule::posterior::logistic;
use plaudit_core::tally::Tally;
use rayon::prelude::*;
use statrs::function::gamma::ln_gamma;
use std::collections::BTreeSet;
use std::f64::consts::LN_2;
use std::ops::Range;

/// For each bin of a line, the share of its outcomes that come from D.
pub struct Odds {
    pub mean: Vec<f64>,
    /// Posterior standard deviation; the errors of the bins are correlated.
    pub deviation: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// A privacy loss of the usual size: that of the claim.
    pub loss: f64,
    /// Prior probability that bins differ from the best curve by more than chance.
    pub rough: f64,
    /// Prior odds of the plainest curves to any other.
    pub plain: Plain,
}

/// Prior odds of the plainest curves to any other.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// A straight line: the loss of the Gaussian mechanism.
    pub line: f64,
    /// A step in the middle: the loss of the Laplace mechanism, from far away.
    pub step: f64,
    /// The loss of the Laplace mechanism if the claim is tight; 0: not tried.
    pub laplace: f64,
    /// The loss of a mechanism on a subsample, each of 36; 0: not tried.
    pub mixture: f64,
}

/// The bins of one line of intervals by a curve through them: the log-ratio is c + b clamp(x, l, u)
/// in the interval's typical value x, or c + b ln(1 + e^((x − k)/w)), the average of many such
/// curves by their evidence. The losses of Laplace, Gaussian and step-like mechanisms are such
/// curves, and that of Gaussian noise on a subsample is of the second kind. `None` if fewer than
/// three of the bins have outcomes.
///
/// `places` has the typical value of each bin of the line.
pub fn along_line(
    tally: &Tally,
    line: Range<usize>,
    places: &[f64],
    expected: Expected,
) -> Option<Odds> {
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
    let curves = curves(&bins, offset, expected);
    let most = curves.iter().fold(f64::MIN, |most, curve| curve.ln_evidence.max(most));
    let likely: Vec<&Curve> =
        curves.iter().filter(|curve| curve.ln_evidence > most - 12.0).collect();
    // Shares and their squares, summed up over the curves.
    let mut sums = vec![[0.0; 2]; all.len()];
    let mut weights = 0.0;
    for curve in &likely {
        let weight = (curve.ln_evidence - most).exp();
        let places: Vec<f64> = all.iter().map(|bin| curve.bent(bin.place)).collect();
        // Three-point Gauss-Hermite rule over the slope.
        for (at, part) in [(0.0, 4.0), (-3f64.sqrt(), 1.0), (3f64.sqrt(), 1.0)] {
            let weight = weight * part;
            weights += weight;
            let ends = [curve.low, curve.high].map(|place| curve.share(place, at));
            for (&place, [sum, squares]) in places.iter().zip(&mut sums) {
                let share = match place {
                    place if place <= curve.low => ends[0],
                    place if place >= curve.high => ends[1],
                    place => curve.share(place, at),
                };
                *sum += weight * share;
                *squares += weight * share * share;
            }
        }
    }
    let mean: Vec<f64> = sums.iter().map(|[sum, _]| sum / weights).collect();
    let deviation =
        |[sum, squares]: &[f64; 2]| (squares / weights - (sum / weights).powi(2)).max(0.0).sqrt();
    let deviation = sums.iter().map(deviation).collect();
    let mean = with_residuals(&all, &mean, expected);
    Some(Odds { mean, deviation })
}

/// Correction of the curve by the bins themselves: each share is taken for Beta-distributed around
/// the curve's, as tightly as the counts of all bins suggest.
fn with_residuals(bins: &[Bin], curve: &[f64], expected: Expected) -> Vec<f64> {
    /// Negligible weight: shares are known no better than to .5/√2^15 = .003.
    const NEGLIGIBLE: f64 = 1e-12;
    /// Weights of the curve in a bin, as numbers of outcomes, in steps of three and at last of ten:
    /// bins have a few to all 2^15 kept outcomes.
    const STRENGTHS: [f64; 8] = [1e1, 3e1, 1e2, 3e2, 1e3, 3e3, 1e4, 1e5];
    let rough = expected.rough;
    let ln_beta = |a: f64, b: f64| ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let by_curve = bins.iter().zip(curve).map(|(bin, &share)| {
        let log = |count: f64, p: f64| if count > 0.0 { count * p.ln() } else { 0.0 };
        log(bin.d, share) + log(bin.all - bin.d, 1.0 - share)
    });
    let by_curve = by_curve.sum::<f64>() + (1.0 - rough).ln();
    let ln_evidence = STRENGTHS.map(|strength| {
        let terms = bins.iter().zip(curve).map(|(bin, &share)| {
            let (a, b) = (strength * share, strength * (1.0 - share));
            ln_beta(a + bin.d, b + bin.all - bin.d) - ln_beta(a, b)
        });
        terms.sum::<f64>() + (rough / STRENGTHS.len() as f64).ln()
    });
    let most = ln_evidence.iter().copied().fold(by_curve, f64::max);
    let weights = ln_evidence.map(|l| (l - most).exp());
    let weight_of_curve = (by_curve - most).exp();
    let weight_of_bins = weights.iter().sum::<f64>();
    let total = weight_of_curve + weight_of_bins;
    let by_bins = bins.iter().zip(curve).map(|(bin, &share)| {
        let parts = STRENGTHS.iter().zip(&weights);
        let parts = parts
            .map(|(strength, weight)| weight * (bin.d + strength * share) / (bin.all + strength));
        parts.sum::<f64>() / weight_of_bins
    });
    if weight_of_bins < NEGLIGIBLE * total {
        return curve.to_vec();
    }
    let mixed = curve
        .iter()
        .zip(by_bins)
        .map(|(&share, by_bin)| (weight_of_curve * share + weight_of_bins * by_bin) / total);
    mixed.collect()
}

/// Standard deviations of the loss over the whole line, equally likely and descending, in multiples
/// of the claim's: Laplace noise, from −ε to ε, has 2; others are 4 and 16 times as wide.
const RANGES: [f64; 3] = [32.0, 8.0, 2.0];
/// Relative standard deviation of the height of a curve that is as claimed. Not tuned: the less,
/// the more a tight claim gains, and a loose one loses.
const GIVE: f64 = 0.1;

/// Bins just outside of those between which the loss of the Laplace mechanism rises, if the claim
/// is tight: half of all outcomes are on each side of their middle, and (1 − e^(−ε))/2 of them
/// between the two true answers.
fn rise(bins: &[Bin], epsilon: f64) -> (usize, usize) {
    let total: f64 = bins.iter().map(|bin| bin.all).sum();
    let between = -(-epsilon).exp_m1() / 2.0;
    let mut below = 0.0;
    let middle = |bin: &Bin| {
        below += bin.all;
        (below - bin.all / 2.0) / total
    };
    let middles: Vec<f64> = bins.iter().map(middle).collect();
    let low = middles.partition_point(|&share| share < 0.5 - between / 2.0).saturating_sub(1);
    let high = middles.partition_point(|&share| share <= 0.5 + between / 2.0);
    (low.min(bins.len() - 2), high.clamp(low + 1, bins.len() - 1))
}

/// Curves with clamps at a dozen places, then at any place near the best of them.
fn curves(bins: &[Bin], offset: f64, expected: Expected) -> Vec<Curve> {
    let count = bins.len();
    let step = count.div_ceil(12);
    let middle = (count / 2 - 1, count / 2);
    let try_all = |pairs: Vec<(usize, usize)>| -> Vec<(usize, usize, Curve)> {
        let tried = pairs.into_par_iter().with_min_len(8).flat_map_iter(|(low, high)| {
            let ends = (bins[low].place, bins[high].place);
            let prior = match (low, high) {
                ends if ends == middle => expected.plain.step,
                ends if ends == (0, count - 1) => expected.plain.line,
                _ => 1.0,
            };
            let mut curves = fit(bins, ends, offset, expected.loss);
            curves.iter_mut().for_each(|curve| curve.ln_evidence += prior.ln());
            curves.into_iter().map(move |curve| (low, high, curve))
        });
        tried.collect()
    };
    let mut coarse: Vec<usize> = (0..count).step_by(step).collect();
    coarse.push(count - 1);
    let pairs = coarse.iter().flat_map(|&low| coarse.iter().map(move |&high| (low, high)));
    let mut done: BTreeSet<(usize, usize)> = pairs.filter(|(low, high)| low < high).collect();
    done.insert(middle);
    let mut curves = try_all(done.iter().copied().collect());
    let mut reach = step / 2;
    while reach > 0 {
        let best = curves.iter().max_by(|a, b| a.2.ln_evidence.total_cmp(&b.2.ln_evidence));
        let Some(&(low, high, _)) = best else { break };
        let near = [
            (low.saturating_sub(reach), high),
            (low + reach, high),
            (low, high.saturating_sub(reach)),
            (low, (high + reach).min(count - 1)),
        ];
        let new = near.into_iter().filter(|&(low, high)| low < high && done.insert((low, high)));
        let new: Vec<(usize, usize)> = new.collect();
        if new.is_empty() {
            reach /= 2;
        }
        curves.extend(try_all(new));
    }
    let mut curves: Vec<Curve> = curves.into_iter().map(|(.., curve)| curve).collect();
    if expected.plain.mixture > 0.0 {
        let odds = expected.plain.mixture.ln();
        let bent = Knee::all(bins)
            .into_par_iter()
            .flat_map_iter(|knee| knee.fit(bins, offset, expected.loss));
        let bent: Vec<Curve> = bent.collect();
        curves.extend(bent.into_iter().map(|c| Curve { ln_evidence: c.ln_evidence + odds, ..c }));
    }
    if expected.plain.laplace > 0.0 {
        let (low, high) = rise(bins, expected.loss);
        let widest = fit(bins, (bins[low].place, bins[high].place), offset, expected.loss);
        let both = widest.first().map_or_else(Vec::new, |widest| widest.of_height(expected.loss));
        let odds = expected.plain.laplace.ln();
        curves.extend(both.into_iter().map(|c| Curve { ln_evidence: c.ln_evidence + odds, ..c }));
    }
    curves
}

#[derive(Clone, Copy)]
struct Bin {
    place: f64,
    d: f64,
    all: f64,
}

/// logit share = c + slope (clamp(place, low, high) − center)/spread, of a place that may be bent first.
#[derive(Clone, Copy)]
struct Curve {
    low: f64,
    high: f64,
    center: f64,
    spread: f64,
    constant: f64,
    slope: f64,
    slope_error: f64,
    ln_evidence: f64,
    knee: Option<Knee>,
}

/// The loss of a mechanism on a subsample: for a mixture of γ of the distribution of a whole run
/// and 1 − γ of that of the other dataset it is ln(1 − γ + γ e^L), so a constant and ln(1 + e^(L −
/// k)), where the loss L of the whole run is a line.
#[derive(Clone, Copy)]
struct Knee {
    /// The point where the two parts are equally likely.
    at: f64,
    /// The distance in which L rises by 1; negative where it falls.
    width: f64,
}

impl Knee {
    /// Places of knees, in deviations of the outcomes from their median towards the steep side: for
    /// a rare sample it is far out, and only an exponential function is visible. Not tuned: more
    /// and closer ones take longer, and neighbors are similar.
    const KNEES: [f64; 6] = [-1.0, 0.0, 1.0, 2.0, 3.0, 5.0];
    /// Widths, in deviations of the outcomes: for Gaussian noise σ/Δ of them, where answers differ by Δ. Not tuned.
    const WIDTHS: [f64; 3] = [0.5, 1.0, 2.0];

    fn all(bins: &[Bin]) -> Vec<Self> {
        let total: f64 = bins.iter().map(|bin| bin.all).sum();
        let quantile = |share: f64| {
            let mut below = 0.0;
            let reached = |bin: &&Bin| {
                below += bin.all;
                below >= share * total
            };
            bins.iter().find(reached).map_or(f64::NAN, |bin| bin.place)
        };
        // As for a normal law; unlike its moments they do not change if a few outcomes are far out.
        let (center, spread) = (quantile(0.5), (quantile(0.84) - quantile(0.16)) / 2.0);
        if !(spread > 0.0 && spread.is_finite()) {
            return vec![];
        }
        let of = |knee: f64, width: f64| Self {
            at: center + knee * spread * width.signum(),
            width: width * spread,
        };
        let of_width = |width: f64| {
            Self::KNEES.into_iter().flat_map(move |knee| [of(knee, width), of(knee, -width)])
        };
        Self::WIDTHS.into_iter().flat_map(of_width).collect()
    }

    fn of(self, place: f64) -> f64 {
        let t = (place - self.at) / self.width;
        t.max(0.0) + (-t.abs()).exp().ln_1p()
    }

    fn fit(self, bins: &[Bin], offset: f64, loss: f64) -> Vec<Curve> {
        let mut bent: Vec<Bin> =
            bins.iter().map(|bin| Bin { place: self.of(bin.place), ..*bin }).collect();
        if self.width < 0.0 {
            bent.reverse();
        }
        let ends = (bent[0].place, bent[bent.len() - 1].place);
        let curves = fit(&bent, ends, offset, loss);
        curves.into_iter().map(|curve| Curve { knee: Some(self), ..curve }).collect()
    }
}

impl Curve {
    fn bent(&self, place: f64) -> f64 {
        self.knee.map_or(place, |knee| knee.of(place))
    }

    /// The share at a transformed place.
    fn share(&self, place: f64, errors: f64) -> f64 {
        let t = (place.clamp(self.low, self.high) - self.center) / self.spread;
        logistic(self.constant + (self.slope + errors * self.slope_error) * t)
    }

    /// Two curves, each instead of one by the widest of [`RANGES`], that are known to rise or fall
    /// by 2 `loss` between their clamps, give or take [`GIVE`] of it.
    fn of_height(&self, loss: f64) -> Vec<Self> {
        let unit = self.spread / (self.high - self.low);
        let widest = (RANGES[0] * loss * unit).powi(-2);
        let own = self.slope_error.powi(-2) - widest;
        let measured = self.slope * self.slope_error.powi(-2) / own;
        if !(own > 0.0 && measured.is_finite()) {
            return vec![];
        }
        let ln_density = |mean: f64, precision: f64| {
            let variance = 1.0 / own + 1.0 / precision;
            -0.5 * ((measured - mean).powi(2) / variance + variance.ln())
        };
        let either = [-1.0, 1.0].map(|sign| {
            let (mean, precision) = (sign * 2.0 * loss * unit, (GIVE * 2.0 * loss * unit).powi(-2));
            let gained = ln_density(mean, precision) - ln_density(0.0, widest);
            Self {
                slope: (measured * own + mean * precision) / (own + precision),
                slope_error: (own + precision).sqrt().recip(),
                ln_evidence: self.ln_evidence + gained - LN_2,
                ..*self
            }
        });
        either.into_iter().collect()
    }
}

/// The bins with those below `low` in one, and those above `high`: a clamped curve treats them
/// alike. Bins are in the order of their places.
fn between(bins: &[Bin], low: f64, high: f64) -> Vec<Bin> {
    let first = bins.partition_point(|bin| bin.place <= low);
    let last = bins.partition_point(|bin| bin.place < high).max(first);
    let merged = |bins: &[Bin], place: f64| {
        let sum = |of: fn(&Bin) -> f64| bins.iter().map(of).sum();
        Bin { place, d: sum(|bin| bin.d), all: sum(|bin| bin.all) }
    };
    let ends = [merged(&bins[..first], low), merged(&bins[last..], high)];
    ends[..1].iter().chain(&bins[first..last]).chain(&ends[1..]).copied().collect()
}

/// Logistic regression by Newton's method, with a normal prior on the slope: one curve for each of
/// [`RANGES`]. The widest prior is fitted, the others follow from it by Bayes' rule, as the
/// likelihood is near to normal.
fn fit(bins: &[Bin], (low, high): (f64, f64), offset: f64, loss: f64) -> Vec<Curve> {
    let bins = &between(bins, low, high)[..];
    let total: f64 = bins.iter().map(|bin| bin.all).sum();
    let clamped = |bin: &Bin| bin.place.clamp(low, high);
    let center = bins.iter().map(|bin| bin.all * clamped(bin)).sum::<f64>() / total;
    let spread = bins.iter().map(|bin| bin.all * (clamped(bin) - center).powi(2)).sum::<f64>();
    let spread = (spread / total).sqrt();
    let precision = |range: f64| ((high - low) / (range * loss * spread)).powi(2);
    let widest = precision(RANGES[0]);
    if !(spread.is_finite() && widest.is_finite() && widest > 0.0) {
        return vec![];
    }
    let terms: Vec<f64> = bins.iter().map(|bin| (clamped(bin) - center) / spread).collect();
    let (mut constant, mut slope, mut slope_error) = (offset, 0.0, 1.0);
    for _ in 0..8 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, -widest * slope, 1e-9, 0.0, widest);
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
        if step.abs() < 1e-3 * slope_error {
            break;
        }
    }
    let ln_likelihood = bins.iter().zip(&terms).map(|(bin, &t)| {
        // ln(1 + e^x) = max(x, 0) + ln(1 + e^−|x|).
        let logit = constant + slope * t;
        let rest = (-logit.abs()).exp().ln_1p();
        -bin.d * ((-logit).max(0.0) + rest) - (bin.all - bin.d) * (logit.max(0.0) + rest)
    });
    let ln_evidence = ln_likelihood.sum::<f64>() - 0.5 * widest * slope * slope
        + 0.5 * widest.ln()
        + slope_error.ln();
    if !(ln_evidence.is_finite() && slope_error.is_finite()) {
        return vec![];
    }
    let fitted =
        Curve { low, high, center, spread, constant, slope, slope_error, ln_evidence, knee: None };
    let narrower = RANGES.map(|range| {
        let (own, more) = (slope_error.powi(-2), precision(range) - widest);
        let sum = own + more;
        let gained = 0.5 * (precision(range) / widest * own / sum).ln()
            - 0.5 * slope * slope * own * more / sum;
        Curve {
            slope: slope * own / sum,
            slope_error: sum.sqrt().recip(),
            ln_evidence: ln_evidence + gained,
            ..fitted
        }
    });
    narrower.into_iter().collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/rule/curve.rs"]
mod tests;

//! The reach of an attacker who tests one dataset against the other.

use crate::curve::Curve;
use crate::method::Bracket;
use crate::normal::{quantile, upper_quantile};

/// Furthest distance of points around the best ε.
const WIDEST: f64 = 3.0;
/// Golden-section steps: the range of ε shrinks by .62 with each.
const STEPS: u32 = 90;
/// Lines under the missed positives at first, and with those that are added where they are furthest below.
const LINES: u32 = 1024;
const MOST_LINES: usize = 1048;
/// Steps between the rates whose lift is a lower end of μ.
const RATES: u32 = 16;

impl Curve {
    /// The largest probability of a right guess which of two datasets was used, one of which has this probability
    /// beforehand, π TPR + (1 − π)(1 − FPR): 1 − π + π δ(ln((1 − π)/π)). For a prior outside (0, 1) the bracket is [0, 1].
    pub fn success_at(&self, prior: f64) -> Bracket {
        if !(prior > 0.0 && prior < 1.0) {
            return Bracket { lower: 0.0, upper: 1.0 };
        }
        let Bracket { lower, upper } = self.delta_at(((1.0 - prior) / prior).ln());
        let [lower, upper] = [lower, upper].map(|delta| 1.0 - prior + prior * delta);
        let lower = (lower * (1.0 - 1e-14)).max(prior.max(1.0 - prior));
        Bracket { lower, upper: (upper * (1.0 + 1e-14)).clamp(lower, 1.0) }
    }

    /// The highest true-positive rate that any test of one dataset against the other has at this false-positive rate:
    /// inf over ε of δ(ε) + e^ε α (Dong, Roth, Su 2022, Prop. 2.12). For a rate outside [0, 1] the bracket is [0, 1].
    pub fn true_positives_at(&self, false_positives: f64) -> Bracket {
        let alpha = false_positives;
        if !(0.0..=1.0).contains(&alpha) {
            return Bracket { lower: 0.0, upper: 1.0 };
        }
        if alpha == 0.0 {
            return self.delta_at(f64::MAX);
        }
        // The first is exact for small rates, the second for those near 1.
        let (sum, less) = (self.least_sum(alpha, 0.0).1, self.least_sum(alpha, 1.0).1);
        let upper = sum.upper.min((1.0 + less.upper) * (1.0 + 1e-15)).clamp(alpha, 1.0);
        Bracket { lower: sum.lower.max((1.0 + less.lower) * (1.0 - 1e-15)).min(upper), upper }
    }

    /// Smallest μ such that no test with a false-positive rate in this range does better than one of N(0, 1) against
    /// N(μ, 1): the largest Φ⁻¹(TPR) − Φ⁻¹(FPR). For a range outside (0, 1) the bracket is [0, +∞].
    pub fn mu_between(&self, least: f64, most: f64) -> Bracket {
        if !(0.0 < least && least <= most && most < 1.0) {
            return Bracket { lower: 0.0, upper: f64::INFINITY };
        }
        // The ε of the best line at a rate, and at most the lift there.
        let reached = |alpha: f64| {
            let (epsilon, sum) = self.least_sum(alpha, 1.0);
            (epsilon, lift(-sum.lower * (1.0 + 1e-12), alpha * (1.0 + 1e-12)))
        };
        let rate = |i| (least * (most / least).powf(f64::from(i) / f64::from(RATES))).min(most);
        let places: Vec<_> = (0..=RATES).map(|i| reached(rate(i))).collect();
        let mut lower = places.iter().fold(0.0, |lower: f64, place| lower.max(place.1));
        let (first, last) = (places[places.len() - 1].0, places[0].0);
        let step = (last - first) / f64::from(LINES);
        let line = |i| self.line(first + f64::from(i) * step);
        let mut lines: Vec<_> = (0..=LINES).map(line).collect();
        loop {
            let (upper, alpha) = worst(&lines, least, most);
            let (epsilon, here) = reached(alpha);
            lower = lower.max(here).min(upper);
            if upper - lower <= 1e-6 * upper || upper.is_infinite() || lines.len() > MOST_LINES {
                return Bracket { lower, upper };
            }
            let place = lines.partition_point(|line| line.0 < epsilon.exp());
            lines.insert(place, self.line(epsilon));
        }
    }

    /// (e^ε, c): a test with a false-positive rate of α misses at least c − e^ε α of the positives.
    fn line(&self, epsilon: f64) -> (f64, f64) {
        let delta = self.delta_at(epsilon.abs()).upper;
        (epsilon.exp(), epsilon.exp().min(1.0) * (1.0 - delta) * (1.0 - 1e-15))
    }

    /// ε at which δ(ε) + e^ε α − `base` is least, for a base of 0 or 1, and the least.
    fn least_sum(&self, alpha: f64, base: f64) -> (f64, Bracket) {
        // Beyond, e^ε α alone is above 1, and below, δ is.
        let (start, end) = (if base > 0.0 { -700.0 } else { -40.0 }, -alpha.ln() + 1e-9);
        let at = |epsilon: f64| {
            let x = epsilon.exp();
            // δ(−ε) is 1 − e^−ε (1 − δ(ε)).
            let (epsilon, part) =
                if base > 0.0 { (epsilon.abs(), x.min(1.0)) } else { (epsilon, 1.0) };
            let Bracket { lower, upper } = self.delta_at(epsilon);
            let sum = |delta: f64| part * (delta - base) + x * alpha;
            let room = 1e-15 * (part * (upper + base) + x * alpha);
            Bracket { lower: sum(lower) - room, upper: sum(upper) + room }
        };
        let best = least(|epsilon| at(epsilon).upper, (start, end));
        let (middle, floor) = (at(best), alpha - base);
        let upper = middle.upper.min(1.0 - base).max(floor);
        // The sum is convex in x = e^ε, so it is above each line through two of its points, drawn on; at the best of some
        // distances of points.
        let mut step = 1e-7_f64.max(1e-9 * best.abs());
        let mut lower = floor;
        while step < WIDEST {
            let points = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|i| best + i * step);
            let points = points.map(|epsilon| (epsilon.exp(), at(epsilon)));
            let [a, b, c, d, e] = points;
            // From x = 0 on, and to where x α is 1.
            let sides = [
                beyond(c, b, 0.0),
                beyond(c, d, 1.0 / alpha),
                between([a, b, c, d]),
                between([b, c, d, e]),
            ];
            lower = sides.into_iter().fold(f64::INFINITY, f64::min).max(lower);
            step *= 3.0;
        }
        // Lines are drawn on from points that are near each other.
        (best, Bracket { lower: (lower - 1e-12 * lower.abs()).max(floor).min(upper), upper })
    }
}

/// Φ⁻¹(1 − missed) − Φ⁻¹(α).
fn lift(missed: f64, alpha: f64) -> f64 {
    upper_quantile(missed.clamp(0.0, 1.0)) - quantile(alpha)
}

/// At least the largest lift where missed positives are at least the largest of some lines, and the rate where that is.
///
/// The lift of one line is largest at an end of a range: between, it falls and then rises, since where it is stationary
/// the line touches the curve of a μ, and it touches that of one μ only, and from below.
fn worst(lines: &[(f64, f64)], least: f64, most: f64) -> (f64, f64) {
    let slope = |from: (f64, f64), to: (f64, f64)| (to.1 - from.1) / (to.0 - from.0);
    // Those that are the largest anywhere: the upper hull of the points.
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for &(x, c) in lines {
        while matches!(hull[..], [.., a, b] if slope(a, b) <= slope(a, (x, c))) {
            hull.pop();
        }
        hull.push((x, c));
    }
    let (mut found, mut right) = ((0.0, most), most);
    for (i, &(x, c)) in hull.iter().enumerate() {
        let cut = hull.get(i + 1).map_or(least, |&next| slope((x, c), next));
        let left = cut.max(least).min(right);
        let lifts = [left, right].map(|alpha| {
            let missed = c - x * alpha - 1e-15 * (c + x * alpha);
            (lift(missed * (1.0 - 1e-12), alpha * (1.0 - 1e-12)), alpha)
        });
        found = lifts.into_iter().fold(found, |a, b| if b.0 > a.0 { b } else { a });
        right = left;
    }
    found
}

/// A point of the sum: e^ε, and a bracket of the value there.
type PowerPoint = (f64, Bracket);

/// At most the line from `near` on through `to`, from there to `end`.
fn beyond(near: PowerPoint, to: PowerPoint, end: f64) -> f64 {
    let slope = (to.1.lower - near.1.upper) / (to.0 - near.0);
    to.1.lower.min(to.1.lower + slope * (end - to.0))
}

/// Where a function that falls and then rises is least, about.
fn least(value: impl Fn(f64) -> f64, (mut low, mut high): (f64, f64)) -> f64 {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_a, mut at_b) = (value(a), value(b));
    for _ in 0..STEPS {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - golden * (high - low);
            at_a = value(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + golden * (high - low);
            at_b = value(b);
        }
    }
    0.5 * (low + high)
}

/// At most a convex function between the second and the third of four points: above the lines through the first two and
/// the last two, drawn on.
fn between([a, b, c, d]: [PowerPoint; 4]) -> f64 {
    let line = |near: PowerPoint, far: PowerPoint| {
        let slope = (near.1.lower - far.1.upper) / (near.0 - far.0);
        move |x: f64| near.1.lower + slope * (x - near.0)
    };
    let (left, right) = (line(b, a), line(c, d));
    // Where the lines cross, the larger of the two is least; if they do not, at one of the ends.
    let (first, last) = (left(b.0) - right(b.0), left(c.0) - right(c.0));
    let crossing = b.0 + (c.0 - b.0) * (first / (first - last)).clamp(0.0, 1.0);
    let places = [b.0, crossing, c.0].into_iter().filter(|x| x.is_finite());
    places.map(|x| left(x).max(right(x))).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
#[path = "../tests/unit/power.rs"]
mod tests;

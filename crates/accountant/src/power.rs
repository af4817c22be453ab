//! What an attacker can reach who tests one dataset against the other.

use crate::curve::Curve;
use crate::method::Bracket;

/// Furthest distance of points around the best ε.
const WIDEST: f64 = 3.0;
/// Golden-section steps: the range of ε shrinks by .62 with each.
const STEPS: u32 = 90;

impl Curve {
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
        // Beyond, e^ε α alone is above 1, and below, δ is.
        let (start, end) = (-40.0, -alpha.ln() + 1e-9);
        let at = |epsilon: f64| {
            let Bracket { lower, upper } = self.delta_at(epsilon);
            let more = epsilon.exp() * alpha;
            Bracket { lower: (lower + more) * (1.0 - 1e-15), upper: (upper + more) * (1.0 + 1e-15) }
        };
        let best = least(|epsilon| at(epsilon).upper, (start, end));
        let middle = at(best);
        let upper = middle.upper.min(1.0).max(alpha);
        // The sum is convex in x = e^ε, so it is above each line through two of its points, drawn on; at the best of some
        // distances of points.
        let mut step = 1e-7_f64.max(1e-9 * best.abs());
        let mut lower = alpha;
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
        Bracket { lower: (lower * (1.0 - 1e-12)).max(alpha).min(upper), upper }
    }
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

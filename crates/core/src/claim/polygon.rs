//! Regions with straight edges: any concave bound g on p, as its corners.
//!
//! A claim that is a curve (Rényi, a profile by points, a composition, a group of any of them) is
//! tested by a region with straight edges that *contains* the claim's own: corners lie on or above g,
//! so that the region may refute less than the claim and never more.

/// A concave, increasing, piecewise linear g on [0, 1] with g(1) = 1 and g(q) >= q, symmetric under
/// (q, p) -> (1 − p, 1 − q): a claim about an event is also one about its complement.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// (q, g(q)), q ascending from 0 to 1.
    corners: Vec<(f64, f64)>,
}

/// Relative rounding of g upwards where it is evaluated: above all errors of its corners.
const OUTWARD: f64 = 1e-12;
/// Relative rounding of a corner upwards: above the error of interpolating between two.
const ULPS: f64 = 8.0 * f64::EPSILON;
/// e^ε overflows for a larger ε; such a bound allows every q > 0 that could occur.
const LARGEST_EPSILON: f64 = 700.0;

impl Polygon {
    /// The intersection of the regions of (ε, δ), one for each point given: their whole profile.
    pub(super) fn of_profile(points: &[(f64, f64)]) -> Self {
        let mut lines: Vec<(f64, f64)> = points
            .iter()
            .filter(|(epsilon, _)| *epsilon <= LARGEST_EPSILON)
            .map(|(epsilon, delta)| (epsilon.exp() * (1.0 + ULPS), delta.min(1.0)))
            .collect();
        // Every claim has p <= 1.
        lines.push((1.0, 1.0));
        // Steepest first: they hold for the smallest q.
        lines.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
        let mut hull: Vec<(f64, f64)> = Vec::new();
        for (slope, intercept) in lines {
            // Below the last line from q = 0 on.
            while hull.last().is_some_and(|last| intercept <= last.1) {
                hull.pop();
            }
            while let [.., before, last] = *hull.as_slice() {
                // Where the new line is below `before` at their crossing, `last` can be dropped.
                if crossing(before, (slope, intercept)) > crossing(before, last) {
                    break;
                }
                hull.pop();
            }
            if hull.last().is_none_or(|last| last.0 > slope) {
                hull.push((slope, intercept));
            }
        }
        let mut corners = vec![(0.0, hull.first().map_or(1.0, |line| line.1))];
        for pair in hull.windows(2) {
            let q = crossing(pair[0], pair[1]);
            corners.push((q, pair[0].0 * q + pair[0].1));
        }
        let last = hull.last().copied().unwrap_or((1.0, 1.0));
        corners.push((1.0, last.0 + last.1));
        Self::below_the_diagonal(corners)
    }

    /// The bound 1 − f for a trade-off function by its points (type-I error, type-II error), straight
    /// between them: convex, falling, from type-I error 0 to 1.
    pub(super) fn of_tradeoff(points: &[(f64, f64)]) -> Self {
        let corners: Vec<_> = points.iter().map(|(a, f)| (*a, 1.0 - f)).collect();
        Self::meeting(&Self { corners: corners.clone() }, &mirrored(&corners))
    }

    /// Region that contains p <= g(q), for a concave g that is symmetric as a whole and rounded up
    /// where it is evaluated.
    ///
    /// Over a cell of its grid g is below both neighboring chords, prolonged; below the first point
    /// it is at most its value there.
    pub(super) fn around(g: impl Fn(f64) -> f64) -> Self {
        let count = FINE as f64;
        // Denser towards 1, where the diagonal is near.
        let fine = (0..=FINE).map(|i| (FINE_RATE.ln() * (1.0 - i as f64 / count).powi(2)).exp());
        // Rates that no trials can distinguish from 0 begin the region.
        let step = (FINE_RATE.ln() - LEAST_RATE.ln()) / COARSE as f64;
        let coarse = (0..COARSE).map(|i| (LEAST_RATE.ln() + step * i as f64).exp());
        let grid = coarse.chain(fine);
        let mut points: Vec<(f64, f64)> = Vec::with_capacity(COARSE + FINE + 2);
        for q in grid {
            let p = (g(q) * (1.0 + OUTWARD)).min(1.0);
            points.push((q, p));
            if q + p >= 1.0 {
                // The point beyond the diagonal, for the last chord.
                let beyond = q + 0.25 * (1.0 - q);
                points.push((beyond, (g(beyond) * (1.0 + OUTWARD)).min(1.0)));
                break;
            }
        }
        let mut corners = vec![(0.0, points[1].1), points[1]];
        for cell in points.windows(4) {
            let (before, after) = (line(cell[0], cell[1]), line(cell[2], cell[3]));
            let q = crossing(before, after);
            // Not inside only where rounding hides the bend.
            if q > cell[1].0 && q < cell[2].0 {
                corners.push((q, (before.0 * q + before.1) * (1.0 + OUTWARD)));
            }
            corners.push(cell[2]);
        }
        corners.push((1.0, 1.0));
        Self::below_the_diagonal(concave(corners))
    }

    /// The claim's region for datasets `size` apart: g applied `size` times (Dong, Roth, Su 2022,
    /// Theorem 2.14).
    pub(super) fn of_group(&self, size: u64) -> Self {
        (1..size).fold(self.clone(), |so_far, _| so_far.then(self))
    }

    pub(super) fn meeting(&self, other: &Self) -> Self {
        let mut places: Vec<f64> =
            self.corners.iter().chain(&other.corners).map(|corner| corner.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let mut corners: Vec<(f64, f64)> = Vec::with_capacity(places.len());
        let both = |q: f64| (self.straight(q), other.straight(q));
        for (at, &q) in places.iter().enumerate() {
            let here = both(q);
            if at > 0 {
                // Between two places both are straight, and cross at most once.
                let start = places[at - 1];
                let from = both(start);
                let (gap, next_gap) = (from.0 - from.1, here.0 - here.1);
                if (gap < 0.0 && next_gap > 0.0) || (gap > 0.0 && next_gap < 0.0) {
                    let share = gap / (gap - next_gap);
                    let height = from.0 + share * (here.0 - from.0);
                    corners.push((start + share * (q - start), height));
                }
            }
            corners.push((q, here.0.min(here.1)));
        }
        Self { corners: concave(corners) }
    }

    /// first this bound, then `outer` of what it allows.
    fn then(&self, outer: &Self) -> Self {
        let mut places: Vec<f64> = self.corners.iter().map(|corner| corner.0).collect();
        for pair in self.corners.windows(2) {
            let ((q, p), (next_q, next_p)) = (pair[0], pair[1]);
            let inside = outer.corners_between(p, next_p).iter().map(|corner| corner.0);
            places.extend(inside.map(|at| q + (at - p) / (next_p - p) * (next_q - q)));
        }
        places.sort_by(f64::total_cmp);
        places.dedup();
        let height = |q: f64| (outer.straight(self.straight(q)) * (1.0 + ULPS)).min(1.0);
        Self { corners: concave(places.into_iter().map(|q| (q, height(q))).collect()) }
    }

    /// Region where q + p <= 1, and its mirror image beyond.
    fn below_the_diagonal(corners: Vec<(f64, f64)>) -> Self {
        let mut near: Vec<(f64, f64)> = Vec::new();
        for (q, p) in corners {
            if q + p < 1.0 {
                near.push((q, p));
                continue;
            }
            if let Some(&(from_q, from_p)) = near.last() {
                let share = (1.0 - from_q - from_p) / (q + p - from_q - from_p);
                let at = from_q + share * (q - from_q);
                near.push((at, 1.0 - at));
            } else {
                near.push((0.0, 1.0));
            }
            break;
        }
        let far: Vec<_> = near.iter().rev().map(|(q, p)| (1.0 - p, 1.0 - q)).collect();
        near.extend(far);
        Self { corners: concave(near) }
    }

    /// The corners: (q, g(q)), q ascending from 0 to 1.
    pub fn corners(&self) -> &[(f64, f64)] {
        &self.corners
    }

    /// The corners strictly between two rates.
    pub(crate) fn corners_between(&self, low: f64, high: f64) -> &[(f64, f64)] {
        let first = self.corners.partition_point(|corner| corner.0 <= low);
        let last = self.corners.partition_point(|corner| corner.0 < high);
        &self.corners[first..last.max(first)]
    }

    /// g(q), by its corners.
    fn straight(&self, q: f64) -> f64 {
        let after = self.corners.partition_point(|corner| corner.0 <= q);
        match (self.corners[..after].last(), self.corners.get(after)) {
            (Some(&(q0, p0)), Some(&(q1, p1))) => p0 + (q - q0) / (q1 - q0) * (p1 - p0),
            (Some(&(_, p)), None) | (None, Some(&(_, p))) => p,
            (None, None) => 1.0,
        }
    }

    pub fn most_power(&self, q: f64) -> f64 {
        (self.straight(q) * (1.0 + OUTWARD)).clamp(q.min(1.0), 1.0)
    }

    /// The largest p − e^ε q that the region allows: the profile at ε >= 0, rounded up.
    pub(super) fn delta_at(&self, epsilon: f64) -> f64 {
        let factor = epsilon.exp();
        let excess = |(q, p): &(f64, f64)| {
            let p = p * (1.0 + 0.5 * ULPS);
            if *q > 0.0 { p - factor * q } else { p }
        };
        let most = self.corners.iter().map(excess).fold(0.0, f64::max);
        (most * (1.0 + ULPS)).min(1.0)
    }

    /// ln of the slope of g just above q: the ε of the point of the profile that bounds p there.
    pub(super) fn epsilon_at(&self, q: f64) -> f64 {
        let after = self.corners.partition_point(|corner| corner.0 <= q).max(1);
        match (self.corners.get(after - 1), self.corners.get(after)) {
            (Some((q0, p0)), Some((q1, p1))) => ((p1 - p0) / (q1 - q0)).ln(),
            _ => 0.0,
        }
    }
}

/// The least rate of a grid.
const LEAST_RATE: f64 = 1e-300;
/// Least rate that trials could distinguish from 0.
const FINE_RATE: f64 = 1e-18;
/// Points of a grid below [`FINE_RATE`].
const COARSE: usize = 400;
/// Points of a grid from there on.
const FINE: usize = 1600;

/// Point where two lines (slope, intercept) meet, the first the steeper.
fn crossing(steep: (f64, f64), flat: (f64, f64)) -> f64 {
    (flat.1 - steep.1) / (steep.0 - flat.0)
}

/// The line (slope, intercept) through two points.
fn line(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let slope = (to.1 - from.1) / (to.0 - from.0);
    (slope, from.1 - slope * from.0)
}

fn mirrored(corners: &[(f64, f64)]) -> Polygon {
    Polygon { corners: corners.iter().rev().map(|(q, p)| (1.0 - p, 1.0 - q)).collect() }
}

/// The upper hull of points with ascending q: all of a concave curve, and no point that rounding put
/// below it. Never lower than the points.
fn concave(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut hull: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    for point in points {
        if let Some(last) = hull.last_mut()
            && point.0 <= last.0
        {
            last.1 = last.1.max(point.1);
            continue;
        }
        while let [.., a, b] = *hull.as_slice() {
            // Slopes and not products: products of rates below 1e-150 are 0.
            let to_point = (point.1 - a.1) / (point.0 - a.0);
            let below = (b.1 - a.1) / (b.0 - a.0) <= to_point && to_point.is_finite();
            if !below {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

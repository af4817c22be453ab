//! Laws composed on a lattice, in one direction or both, from above, from below or both: windows
//! under the tilts that are asked for.

use super::cut::{self, Cut};
use super::product::Product;
use super::sketch::{Sketch, Tilt};
use super::uses::Use;
use super::window::{MOST_POINTS, Place, Transforms, Window};
use std::sync::OnceLock;

/// Which ends of the bracket are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Both,
    Upper,
    Lower,
}

/// A composition on a lattice. Windows are made when they are first asked for.
#[derive(Debug)]
pub(super) struct Composed {
    ends: Ends,
    directions: Vec<Direction>,
    /// λ with the estimated total loss and ln δ there, ascending.
    tilts: Vec<Tilt>,
    /// The largest total of finite losses.
    largest: f64,
}

#[derive(Debug)]
struct Direction {
    cut: Cut,
    sketch: Sketch,
    windows: Vec<OnceLock<Option<Pair>>>,
}

#[derive(Debug)]
struct Pair {
    upper: Option<Window>,
    /// In the first direction only: that is enough from below.
    lower: Option<Window>,
}

impl Composed {
    /// Composes, with the finest lattice where δ is about `delta`.
    pub fn new(uses: &[Use], ends: Ends, delta: f64, largest: f64) -> Self {
        let sketch = Sketch::new(uses, false);
        let (tilts, aim) = sketch.tilts(delta);
        let lambda = tilts[aim].lambda;
        let steps = cut::steps(uses, &sketch, lambda);
        let make = |absent: bool| Direction {
            cut: Cut::new(uses, absent, steps, lambda),
            sketch: Sketch::new(uses, absent),
            windows: tilts.iter().map(|_| OnceLock::new()).collect(),
        };
        // From below, one direction is enough.
        let directions = if ends != Ends::Lower && uses.iter().any(Use::is_poisson) {
            let (one, other) = rayon::join(|| make(false), || make(true));
            vec![one, other]
        } else {
            vec![make(false)]
        };
        Self { ends, directions, tilts, largest }
    }

    /// At least δ(ε).
    pub fn upper(&self, epsilon: f64) -> f64 {
        let upper = self.upper_in(self.informed(epsilon), epsilon);
        if upper < 1.0 {
            return upper;
        }
        let beyond = |it: &Direction| {
            let finite = it
                .least_above(|lambda, moment| {
                    moment - lambda * epsilon * (1.0 - 8.0 * f64::EPSILON)
                })
                .exp();
            it.cut.upper.infinite() * (1.0 + 1e-12) + finite * (1.0 + 1e-12)
        };
        self.directions.iter().map(beyond).fold(0.0, f64::max).min(1.0)
    }

    /// At most δ(ε).
    pub fn lower(&self, epsilon: f64) -> f64 {
        self.lower_in(self.informed(epsilon), epsilon)
    }

    fn upper_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.cut.upper.infinite() * (1.0 + 1e-12);
            if epsilon >= self.largest {
                return infinite.min(1.0);
            }
            let window = it.pair(tilt, self).and_then(|pair| pair.upper.as_ref());
            (infinite + window.map_or(1.0, |window| window.upper(epsilon))).min(1.0)
        };
        self.directions.iter().map(of).fold(0.0, f64::max)
    }

    fn lower_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.cut.lower.as_ref()?.infinite() * (1.0 - 1e-12);
            let window = it.pair(tilt, self).and_then(|pair| pair.lower.as_ref());
            Some((infinite + window.map_or(0.0, |window| window.lower(epsilon))).min(1.0))
        };
        self.directions.iter().filter_map(of).fold(0.0, f64::max)
    }

    /// At least ε(δ), for 0 < δ < 1.
    pub fn epsilon_above(&self, delta: f64) -> f64 {
        let infinite = self.directions.iter().map(|it| it.cut.upper.infinite()).fold(0.0, f64::max);
        let left = delta - infinite * (1.0 + 1e-12);
        if left <= 0.0 {
            return f64::INFINITY;
        }
        let found = self.solve(delta, |tilt, epsilon| self.upper_in(tilt, epsilon) > delta).1;
        if found < self.largest {
            return found;
        }
        let beyond = |it: &Direction| {
            let least = it.least_above(|lambda, moment| (moment - left.ln() + 1e-12) / lambda);
            (least * (1.0 + 8.0 * f64::EPSILON)).max(0.0)
        };
        self.directions.iter().map(beyond).fold(0.0, f64::max).min(self.largest)
    }

    /// At most ε(δ), for 0 < δ < 1.
    pub fn epsilon_below(&self, delta: f64) -> f64 {
        let below = self.directions.iter().filter_map(|it| it.cut.lower.as_ref());
        let infinite = below.map(Product::infinite).fold(0.0, f64::max) * (1.0 - 1e-12);
        if infinite > delta {
            return f64::INFINITY;
        }
        self.solve(delta, |tilt, epsilon| self.lower_in(tilt, epsilon) > delta).0
    }

    /// An ε at which a condition holds (or 0) and a larger one at which it does not (or +∞), near
    /// each other. It holds for small ε, up to about that of δ.
    fn solve(&self, delta: f64, holds: impl Fn(usize, f64) -> bool) -> (f64, f64) {
        let aim = delta.max(1e-300).ln();
        let mut tilt = nearest(&self.tilts, |tilt| (tilt.ln_delta - aim).abs());
        let center = |tilt: usize| self.tilts[tilt].loss.max(0.0);
        let bisect = |mut low: f64, mut high: f64, tilt: &dyn Fn(f64) -> usize| {
            while high - low > 1e-13 * high.max(1e-3) {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if holds(tilt(middle), middle) { low = middle } else { high = middle }
            }
            (low, high)
        };
        // Mostly one window is enough.
        let around = 1.5 * self.tilts[tilt].deviation;
        let (start, end) = (self.tilts[tilt].loss - around, self.tilts[tilt].loss + around);
        if start >= 0.0 && holds(tilt, start) && !holds(tilt, end) {
            return bisect(start, end, &|_| tilt);
        }
        // Two typical losses with the answer between them.
        let (mut low, mut high);
        if holds(tilt, center(tilt)) {
            loop {
                low = center(tilt);
                if tilt + 1 == self.tilts.len() {
                    high = self.end(tilt).max(low);
                    if holds(tilt, high) {
                        return (high, f64::INFINITY);
                    }
                    break;
                }
                high = center(tilt + 1);
                if !holds(tilt + 1, high) {
                    break;
                }
                tilt += 1;
            }
        } else {
            loop {
                high = center(tilt);
                if tilt == 0 || high == 0.0 {
                    low = 0.0;
                    if high == 0.0 || !holds(tilt, 0.0) {
                        return (0.0, 0.0);
                    }
                    break;
                }
                tilt -= 1;
                low = center(tilt);
                if holds(tilt, low) {
                    break;
                }
            }
        }
        bisect(low, high, &|epsilon| self.informed(epsilon))
    }

    /// The tilt that is to be asked for δ(ε): of those whose typical losses are next to ε the nearer
    /// one, if its windows reach there.
    fn informed(&self, epsilon: f64) -> usize {
        let near = nearest(&self.tilts, |tilt| (tilt.loss - epsilon).abs());
        let reaches = |tilt: usize| {
            let mut windows = self.windows(tilt).peekable();
            windows.peek().is_some()
                && windows.all(|window| {
                    let (start, end) = window.ends();
                    start <= epsilon && epsilon < end
                })
        };
        if reaches(near) {
            return near;
        }
        let other =
            if self.tilts[near].loss > epsilon { near.checked_sub(1) } else { Some(near + 1) };
        other.filter(|&other| other < self.tilts.len() && reaches(other)).unwrap_or(near)
    }

    /// The windows of a tilt.
    fn windows(&self, tilt: usize) -> impl Iterator<Item = &Window> {
        let pairs = self.directions.iter().filter_map(move |it| it.pair(tilt, self));
        pairs.flat_map(|pair| [&pair.upper, &pair.lower]).flatten()
    }

    /// The last loss that the windows of a tilt tell of.
    fn end(&self, tilt: usize) -> f64 {
        self.windows(tilt).map(|window| window.ends().1).fold(0.0, f64::max)
    }
}

impl Direction {
    fn pair(&self, tilt: usize, of: &Composed) -> Option<&Pair> {
        let make = || {
            let Cut { upper, lower, outside } = &self.cut;
            let lambda = of.tilts[tilt].lambda;
            let rough = |lambda| self.sketch.cumulants(lambda);
            let limits = (*outside, MOST_POINTS);
            // Where the lattice is coarse beside a single use, the sketch does not say what its law is.
            let place = |product: &Product| {
                Place::around(product, rough, lambda, limits).or_else(|| {
                    Place::around(product, |lambda| product.cumulants(lambda), lambda, limits)
                })
            };
            let window = |product: &Product, place: Place| {
                Window::new(product, place, &Transforms::of(place.length))
            };
            let lower = lower.as_ref().filter(|_| of.ends != Ends::Upper);
            let (upper, lower) = match lower.filter(|lower| lower.step == upper.step) {
                Some(lower) => {
                    let here = place(upper)?;
                    let there = Some(here.of(lower)).filter(|there| !there.is_lost());
                    rayon::join(
                        || (of.ends != Ends::Lower).then(|| window(upper, here)),
                        || there.or_else(|| place(lower)).map(|there| window(lower, there)),
                    )
                }
                None => rayon::join(
                    || {
                        (of.ends != Ends::Lower)
                            .then(|| Some(window(upper, place(upper)?)))
                            .flatten()
                    },
                    || lower.and_then(|lower| Some(window(lower, place(lower)?))),
                ),
            };
            Some(Pair { upper, lower })
        };
        // Not `get_or_init`: while this thread waits for the other half of the work, it may take up
        // work that asks for the same window.
        let place = &self.windows[tilt];
        if place.get().is_none() {
            let _ = place.set(make());
        }
        place.get().and_then(Option::as_ref)
    }
}

impl Direction {
    /// The least of something over tilts λ, of λ and of a bound on ln E e^(λℓ) (1 − e^(−ℓ))₊ for the
    /// finite total loss ℓ from above: what is left where there is no window. It grows with the
    /// bound.
    fn least_above(&self, goal: impl Fn(f64, f64) -> f64) -> f64 {
        // sup (1 − e^(−x)) e^(−λx) is at e^(−x) = λ/(1 + λ).
        let of = |lambda: f64, moment: f64| {
            // Large moments are rounded.
            let moment = moment + 8.0 * f64::EPSILON * moment.abs();
            goal(lambda, moment - lambda * (1.0 / lambda).ln_1p() - lambda.ln_1p())
        };
        let rough = |lambda: &f64| of(*lambda, self.sketch.cumulants(*lambda).value);
        let lambdas = (-64..=64).map(|i| 10.0_f64.powf(0.25 * f64::from(i)));
        let best = lambdas.min_by(|a, b| rough(a).total_cmp(&rough(b))).unwrap_or(1.0);
        let above = |factor: f64| {
            let lambda = factor * best;
            of(lambda, self.cut.upper.log_moment_above(lambda))
        };
        [0.75, 1.0, 1.35].map(above).into_iter().fold(f64::INFINITY, f64::min)
    }
}

fn nearest(tilts: &[Tilt], distance: impl Fn(&Tilt) -> f64) -> usize {
    let places = 0..tilts.len();
    places.min_by(|&a, &b| distance(&tilts[a]).total_cmp(&distance(&tilts[b]))).unwrap_or(0)
}

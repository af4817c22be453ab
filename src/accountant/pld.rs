//! Privacy-loss distributions composed: the profile as a bracket.

use super::Bracket;
use super::cut::{self, Cut};
use super::pair::Law;
use super::rules::single_delta;
use super::sketch::{Sketch, Tilt};
use super::uses::{Use, largest_losses};
use super::window::{MOST_POINTS, Place, Product, Transforms, Window};
use std::sync::OnceLock;

/// A composed profile. Laws are cut and windows are made when they are first asked for.
#[derive(Debug)]
pub(super) struct Pld {
    uses: Vec<Use>,
    /// δ around which the lattice is at its finest.
    delta: f64,
    /// The largest total of finite losses, from below and from above; +∞ if there is none.
    largest: (f64, f64),
    /// At least δ(0), from the closed forms of single uses.
    most: f64,
    composed: OnceLock<Composed>,
}

#[derive(Debug)]
struct Composed {
    directions: Vec<Direction>,
    /// λ with the estimated total loss and ln δ there, ascending.
    tilts: Vec<Tilt>,
    /// At least δ(0).
    most: f64,
    /// The largest total of finite losses, from above.
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
    upper: Window,
    /// In the first direction only: that is enough from below.
    lower: Option<Window>,
}

impl Pld {
    /// Composes, with the finest lattice where δ is about `delta`.
    pub fn new(uses: Vec<Use>, delta: f64) -> Self {
        // The distance in total variation of a product is at most 1 − Π(1 − that of a factor).
        let together = |it: &Use| {
            let (_, upper) = single_delta(&it.upper, it.sampling, 0.0);
            it.count as f64 * (-upper).ln_1p()
        };
        let most = -uses.iter().map(together).sum::<f64>().exp_m1() * (1.0 + 1e-12);
        let (largest, composed) = (largest_losses(&uses), OnceLock::new());
        Self { uses, delta, largest, most: most.clamp(0.0, 1.0), composed }
    }

    /// See [`super::Curve::delta_at`]; ε >= 0.
    pub fn delta_at(&self, epsilon: f64) -> Bracket {
        self.composed().delta_at(epsilon)
    }

    /// See [`super::Curve::epsilon_at`].
    pub fn epsilon_at(&self, delta: f64) -> Bracket {
        if delta >= self.most {
            return Bracket { lower: 0.0, upper: 0.0 };
        }
        if delta == 0.0 {
            return self.pure();
        }
        self.composed().epsilon_at(delta)
    }

    /// ε at δ = 0.
    fn pure(&self) -> Bracket {
        let end = |unbounded: bool, largest: f64| if unbounded { f64::INFINITY } else { largest };
        let below = |it: &Use| it.lower.as_ref().is_some_and(Law::is_unbounded);
        let (below, above) =
            (self.uses.iter().any(below), self.uses.iter().any(|it| it.upper.is_unbounded()));
        Bracket { lower: end(below, self.largest.0), upper: end(above, self.largest.1) }
    }

    fn composed(&self) -> &Composed {
        // See `Direction::pair` on why this is not `get_or_init` alone.
        if let Some(composed) = self.composed.get() {
            return composed;
        }
        let composed = Composed::new(self);
        self.composed.get_or_init(|| composed)
    }
}

impl Composed {
    fn new(Pld { uses, delta, largest, most, .. }: &Pld) -> Self {
        let sketch = Sketch::new(uses, false);
        let (tilts, aim) = sketch.tilts(*delta);
        let lambda = tilts[aim].lambda;
        let step = cut::step(uses, &sketch, lambda);
        let make = |absent: bool| Direction {
            cut: Cut::new(uses, absent, step, lambda),
            sketch: Sketch::new(uses, absent),
            windows: tilts.iter().map(|_| OnceLock::new()).collect(),
        };
        let directions = if uses.iter().any(Use::is_poisson) {
            let (one, other) = rayon::join(|| make(false), || make(true));
            vec![one, other]
        } else {
            vec![make(false)]
        };
        Self { directions, tilts, most: *most, largest: largest.1 }
    }

    /// The probability of infinite loss, from below and from above.
    fn infinite(&self) -> (f64, f64) {
        let below = self.directions.iter().filter_map(|it| it.cut.lower.as_ref());
        let below = below.map(Product::infinite).fold(0.0, f64::max);
        let above = self.directions.iter().map(|it| it.cut.upper.infinite()).fold(0.0, f64::max);
        (below * (1.0 - 1e-12), above * (1.0 + 1e-12))
    }

    fn delta_at(&self, epsilon: f64) -> Bracket {
        let tilt = self.nearest(epsilon);
        Bracket { lower: self.lower_in(tilt, epsilon), upper: self.upper_in(tilt, epsilon) }
    }

    fn upper_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.cut.upper.infinite() * (1.0 + 1e-12);
            if epsilon >= self.largest {
                return infinite.min(1.0);
            }
            let finite = it.pair(tilt, &self.tilts).map_or(1.0, |pair| pair.upper.upper(epsilon));
            (infinite + finite).min(1.0)
        };
        self.directions.iter().map(of).fold(0.0, f64::max).min(self.most)
    }

    fn lower_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.cut.lower.as_ref()?.infinite() * (1.0 - 1e-12);
            let window = it.pair(tilt, &self.tilts).and_then(|pair| pair.lower.as_ref());
            Some((infinite + window.map_or(0.0, |window| window.lower(epsilon))).min(1.0))
        };
        self.directions.iter().filter_map(of).fold(0.0, f64::max)
    }

    /// For 0 < δ < 1.
    fn epsilon_at(&self, delta: f64) -> Bracket {
        let above = |tilt: usize, epsilon: f64| self.upper_in(tilt, epsilon) > delta;
        let below = |tilt: usize, epsilon: f64| self.lower_in(tilt, epsilon) > delta;
        let infinite = self.infinite();
        let lower = if infinite.0 > delta { f64::INFINITY } else { self.solve(delta, below).0 };
        let most = if infinite.1 > delta { f64::INFINITY } else { self.largest };
        Bracket { lower, upper: self.solve(delta, above).1.min(most) }
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
        bisect(low, high, &|epsilon| self.nearest(epsilon))
    }

    fn nearest(&self, epsilon: f64) -> usize {
        nearest(&self.tilts, |tilt| (tilt.loss - epsilon).abs())
    }

    /// The last loss that the windows of a tilt tell of.
    fn end(&self, tilt: usize) -> f64 {
        let pairs = self.directions.iter().filter_map(|it| it.pair(tilt, &self.tilts));
        pairs.map(|pair| pair.upper.ends().1).fold(0.0, f64::max)
    }
}

impl Direction {
    fn pair(&self, tilt: usize, tilts: &[Tilt]) -> Option<&Pair> {
        let make = || {
            let Cut { upper, lower, outside } = &self.cut;
            let lambda = tilts[tilt].lambda;
            let rough = |lambda| self.sketch.cumulants(lambda);
            let limits = (*outside, MOST_POINTS);
            // Where the lattice is coarse beside a single use, the sketch does not say what its law is.
            let place = Place::around(upper, rough, lambda, limits)
                .or_else(|| Place::around(upper, |lambda| upper.cumulants(lambda), lambda, limits))?;
            let transforms = Transforms::of(place.length);
            let (upper, lower) = rayon::join(
                || Window::new(upper, place, &transforms),
                || {
                    let product = lower.as_ref()?;
                    Some(Window::new(product, place.of(product), &transforms))
                },
            );
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

fn nearest(tilts: &[Tilt], distance: impl Fn(&Tilt) -> f64) -> usize {
    let places = 0..tilts.len();
    places.min_by(|&a, &b| distance(&tilts[a]).total_cmp(&distance(&tilts[b]))).unwrap_or(0)
}

//! Laws composed on a lattice, in one direction or both, from above, from below or both: windows
//! under the tilts that are asked for.

use crate::component::law::Law;
use crate::component::uses::Use;
use crate::compose::window::{MOST_POINTS, Transforms, Window, WindowPlace};
use crate::discretise::discretisation::{self, Discretisation};
use crate::discretise::pilot::{PilotApproximation, Tilt};
use crate::discretise::product::Product;
use std::sync::OnceLock;

/// Ends of the bracket that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Both,
    Upper,
    Lower,
}

/// A composition on a lattice. Windows are made when they are first asked for.
#[derive(Debug)]
pub(crate) struct Composed {
    /// The first one, and its reverse if that is another. From below the first is enough, unless laws are directed.
    directions: Vec<Direction>,
}

/// One direction of the neighboring relation, with tilts of its own: the losses of one may end long
/// before those of the other.
#[derive(Debug)]
struct Direction {
    ends: Ends,
    cut: Discretisation,
    pilot: PilotApproximation,
    /// λ with the estimated total loss and ln δ there, ascending.
    tilts: Vec<Tilt>,
    /// The largest total of finite losses.
    largest: f64,
    windows: Vec<OnceLock<Option<WindowPair>>>,
}

#[derive(Debug)]
struct WindowPair {
    upper: Option<Window>,
    lower: Option<Window>,
}

impl Composed {
    /// Composes, with the finest lattice where δ is about `delta`; with the largest total of finite
    /// losses in each direction.
    pub fn new(uses: &[Use], ends: Ends, delta: f64, largest: [f64; 2]) -> Self {
        let pilot = PilotApproximation::new(uses, false);
        let (tilts, aim) = pilot.tilts(delta);
        let steps = discretisation::steps(uses, &pilot, tilts[aim].lambda);
        let first = (pilot, tilts, aim);
        let is_directed = |it: &Use| it.lower.as_ref().is_some_and(Law::is_directed);
        let directed = uses.iter().any(is_directed);
        let is_one = !uses.iter().any(|it| it.upper.is_two_sided());
        if is_one || (ends == Ends::Lower && !directed) {
            return Self {
                directions: vec![Direction::new(uses, (false, ends), steps, first, largest[0])],
            };
        }
        let (one, other) = rayon::join(
            || Direction::new(uses, (false, ends), steps, first, largest[0]),
            || {
                let pilot = PilotApproximation::new(uses, true);
                let (tilts, aim) = pilot.tilts(delta);
                let ends = if directed { ends } else { Ends::Upper };
                Direction::new(uses, (true, ends), steps, (pilot, tilts, aim), largest[1])
            },
        );
        Self { directions: vec![one, other] }
    }

    pub fn upper(&self, epsilon: f64) -> f64 {
        self.directions.iter().map(|it| it.upper(epsilon)).fold(0.0, f64::max)
    }

    pub fn lower(&self, epsilon: f64) -> f64 {
        self.below().map(|it| it.lower(epsilon)).fold(0.0, f64::max)
    }

    /// The directions that are seen from below.
    fn below(&self) -> impl Iterator<Item = &Direction> {
        self.directions.iter().filter(|it| it.cut.lower.is_some())
    }

    /// At least ε(δ), for 0 < δ < 1.
    pub fn epsilon_above(&self, delta: f64) -> f64 {
        self.directions.iter().fold(0.0, |found, it| {
            // One direction usually shows that the other cannot add anything.
            if found > 0.0 && it.upper(found) <= delta {
                found
            } else {
                it.epsilon_above(delta).max(found)
            }
        })
    }

    /// At most ε(δ), for 0 < δ < 1.
    pub fn epsilon_below(&self, delta: f64) -> f64 {
        self.below().map(|it| it.epsilon_below(delta)).fold(0.0, f64::max)
    }
}

impl Direction {
    /// Composes what is seen in one direction, or the other, with tilts and the place of the one that
    /// matters most.
    fn new(
        uses: &[Use],
        (absent, ends): (bool, Ends),
        steps: (f64, f64),
        (pilot, tilts, aim): (PilotApproximation, Vec<Tilt>, usize),
        largest: f64,
    ) -> Self {
        let cut = Discretisation::new(uses, absent, steps, tilts[aim].lambda);
        let windows = tilts.iter().map(|_| OnceLock::new()).collect();
        Self { ends, cut, pilot, tilts, largest, windows }
    }

    fn upper(&self, epsilon: f64) -> f64 {
        let upper = self.upper_in(self.informed(epsilon), epsilon);
        if upper < 1.0 {
            return upper;
        }
        let finite = self
            .least_above(|lambda, moment| moment - lambda * epsilon * (1.0 - 8.0 * f64::EPSILON))
            .exp();
        (self.infinite_above() + finite * (1.0 + 1e-12)).min(1.0)
    }

    fn lower(&self, epsilon: f64) -> f64 {
        self.lower_in(self.informed(epsilon), epsilon)
    }

    /// At least the probability of an infinite loss.
    fn infinite_above(&self) -> f64 {
        self.cut.upper.infinite() * (1.0 + 1e-12)
    }

    fn infinite_below(&self) -> f64 {
        self.cut.lower.as_ref().map_or(0.0, |lower| lower.infinite() * (1.0 - 1e-12))
    }

    fn upper_in(&self, tilt: usize, epsilon: f64) -> f64 {
        if epsilon >= self.largest {
            return self.infinite_above().min(1.0);
        }
        let window = self.pair(tilt).and_then(|pair| pair.upper.as_ref());
        (self.infinite_above() + window.map_or(1.0, |window| window.upper(epsilon))).min(1.0)
    }

    fn lower_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let window = self.pair(tilt).and_then(|pair| pair.lower.as_ref());
        (self.infinite_below() + window.map_or(0.0, |window| window.lower(epsilon))).min(1.0)
    }

    /// At least ε(δ), for 0 < δ < 1.
    fn epsilon_above(&self, delta: f64) -> f64 {
        let left = delta - self.infinite_above();
        if left <= 0.0 {
            return f64::INFINITY;
        }
        let found = self.solve(delta, |tilt, epsilon| self.upper_in(tilt, epsilon) > delta).1;
        if found < self.largest {
            return found;
        }
        let least = self.least_above(|lambda, moment| (moment - left.ln() + 1e-12) / lambda);
        (least * (1.0 + 8.0 * f64::EPSILON)).max(0.0).min(self.largest)
    }

    /// At most ε(δ), for 0 < δ < 1.
    fn epsilon_below(&self, delta: f64) -> f64 {
        if self.infinite_below() > delta {
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

    /// Tilt to use for δ(ε): the one with the smallest Chernoff bound there, since it takes away the
    /// least of δ, if its windows reach there. For bell-shaped losses it has the nearest typical loss;
    /// where a single rare loss matters, the two are far apart.
    fn informed(&self, epsilon: f64) -> usize {
        let near = nearest(&self.tilts, |tilt| tilt.value - tilt.lambda * epsilon);
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

    fn windows(&self, tilt: usize) -> impl Iterator<Item = &Window> {
        self.pair(tilt).into_iter().flat_map(|pair| [&pair.upper, &pair.lower]).flatten()
    }

    /// Last loss that the windows of a tilt cover.
    fn end(&self, tilt: usize) -> f64 {
        self.windows(tilt).map(|window| window.ends().1).fold(0.0, f64::max)
    }

    fn pair(&self, tilt: usize) -> Option<&WindowPair> {
        let make = || {
            let Discretisation { upper, lower, outside } = &self.cut;
            let lambda = self.tilts[tilt].lambda;
            let rough = |lambda| self.pilot.cumulants(lambda);
            let limits = (*outside, MOST_POINTS);
            // Where the lattice is coarse next to a single use, the pilot does not describe its law.
            let place = |product: &Product| {
                WindowPlace::around(product, rough, lambda, limits).or_else(|| {
                    WindowPlace::around(product, |lambda| product.cumulants(lambda), lambda, limits)
                })
            };
            let window = |product: &Product, place: WindowPlace| {
                Window::new(product, place, &Transforms::of(place.length))
            };
            let lower = lower.as_ref().filter(|_| self.ends != Ends::Upper);
            let (upper, lower) = match lower.filter(|lower| lower.step == upper.step) {
                Some(lower) => {
                    let here = place(upper)?;
                    let there = Some(here.of(lower)).filter(|there| !there.is_lost());
                    rayon::join(
                        || (self.ends != Ends::Lower).then(|| window(upper, here)),
                        || there.or_else(|| place(lower)).map(|there| window(lower, there)),
                    )
                }
                None => rayon::join(
                    || {
                        (self.ends != Ends::Lower)
                            .then(|| Some(window(upper, place(upper)?)))
                            .flatten()
                    },
                    || lower.and_then(|lower| Some(window(lower, place(lower)?))),
                ),
            };
            Some(WindowPair { upper, lower })
        };
        // Not `get_or_init`: while this thread waits for the other half of the work, it may take up
        // work that asks for the same window.
        let place = &self.windows[tilt];
        if place.get().is_none() {
            let _ = place.set(make());
        }
        place.get().and_then(Option::as_ref)
    }

    /// Minimum of `goal` over tilts λ, given λ and a bound on ln E e^(λℓ) (1 − e^(−ℓ))₊ for the finite
    /// total loss ℓ from above: the fallback without a window. It grows with the bound.
    fn least_above(&self, goal: impl Fn(f64, f64) -> f64) -> f64 {
        // sup (1 − e^(−x)) e^(−λx) is at e^(−x) = λ/(1 + λ).
        let of = |lambda: f64, moment: f64| {
            // Large moments are rounded.
            let moment = moment + 8.0 * f64::EPSILON * moment.abs();
            goal(lambda, moment - lambda * (1.0 / lambda).ln_1p() - lambda.ln_1p())
        };
        let rough = |lambda: &f64| of(*lambda, self.pilot.cumulants(*lambda).value);
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

//! Privacy-loss distributions composed: the profile as a bracket.

use super::lattice::{Grid, Lattice};
use super::pair::{Law, View};
use super::uses::Use;
use super::window::{Cumulants, Factor, Place, Product, Transforms, Window};
use super::{Bracket, Sampling};
use std::sync::OnceLock;

/// Widest step of a lattice, unless all laws are on a wider one anyway.
const STEP: f64 = 8.5e-5;
/// Widest distance of points of a lattice, in loss, where little mass is.
const WIDEST: f64 = 0.01;
/// Most points of a window.
const MOST_POINTS: usize = 1 << 21;
/// Outside, masses of single laws are not told apart.
const FLOOR: f64 = 1e-250;
/// Most tilts.
const TILTS: usize = 48;
/// Bounds on the relative error of masses and on the error of losses (relative beyond 1) of laws
/// that are cut from a density, and of laws that are atoms.
const CUT_ERRORS: (f64, f64) = (5e-13, 6e-14);
const ATOM_ERRORS: (f64, f64) = (5e-14, 2e-15);

/// A composed profile. Windows are made when they are first asked for.
#[derive(Debug)]
pub(super) struct Pld {
    directions: Vec<Direction>,
    /// λ with the estimated total loss and ln δ there, ascending.
    tilts: Vec<Tilt>,
    /// The largest finite total loss, from below and from above.
    largest: (f64, f64),
}

#[derive(Debug)]
struct Direction {
    upper: Product,
    /// In the first direction only.
    lower: Option<Product>,
    sketch: Sketch,
    /// ln of the tilted mass that windows may leave out.
    outside: f64,
    windows: Vec<OnceLock<Option<Pair>>>,
}

#[derive(Debug)]
struct Pair {
    upper: Window,
    /// In the first direction only: that is enough from below.
    lower: Option<Window>,
}

#[derive(Clone, Copy, Debug)]
struct Tilt {
    lambda: f64,
    loss: f64,
    deviation: f64,
    ln_delta: f64,
}

/// The laws of one step as they are seen, roughly: atoms to estimate cumulants of, and a count.
#[derive(Debug)]
struct Sketch(Vec<(Vec<(f64, f64)>, f64)>);

impl Sketch {
    fn new(uses: &[Use], absent: bool) -> Self {
        let of_use = |it: &Use| {
            let view = view(it, absent);
            let law = &it.upper;
            let (start, end) = law.range(FLOOR);
            let mut parts = law.atoms();
            if parts.len() < 3 {
                const PARTS: u32 = 600;
                let edge = |i: u32| start + (end - start) * f64::from(i) / f64::from(PARTS);
                parts.extend((0..PARTS).filter_map(|i| law.part(edge(i), edge(i + 1))));
            }
            parts.extend(view.hidden(law));
            let seen = parts.into_iter().map(|part| view.of(part));
            let finite = seen.filter(|part| part.loss.is_finite() && part.p > 0.0);
            (finite.map(|part| (part.p, part.loss)).collect(), it.count as f64)
        };
        Self(uses.iter().map(of_use).collect())
    }

    fn cumulants(&self, lambda: f64) -> Cumulants {
        let mut total = Cumulants::default();
        for (atoms, count) in &self.0 {
            total.add(Cumulants::of(atoms.iter().copied(), lambda), *count);
        }
        total
    }

    /// The largest total loss.
    fn end(&self) -> f64 {
        let largest = |atoms: &[(f64, f64)]| atoms.iter().map(|atom| atom.1).fold(-1e300, f64::max);
        self.0.iter().map(|(atoms, count)| count * largest(atoms)).sum()
    }

    /// A tilt, with the saddle-point estimate of δ at its typical loss; `None` where exponents
    /// overflow.
    fn tilt(&self, lambda: f64) -> Option<Tilt> {
        let here = self.cumulants(lambda);
        if !(here.value.is_finite() && here.mean.is_finite()) {
            return None;
        }
        let deviation = here.variance.max(0.0).sqrt();
        let scale = (lambda * (lambda + 1.0) * deviation * std::f64::consts::TAU.sqrt()).max(2.0);
        let ln_delta = here.value - lambda * here.mean - scale.ln();
        Some(Tilt { lambda, loss: here.mean, deviation, ln_delta })
    }

    /// Tilts whose typical losses are two standard deviations apart, and one for the δ that
    /// matters most; and the place of that.
    fn tilts(&self, delta: f64) -> (Vec<Tilt>, usize) {
        let end = self.end();
        let mut tilts: Vec<Tilt> = Vec::new();
        let mut lambda = 0.0;
        while tilts.len() < TILTS {
            let Some(tilt) = self.tilt(lambda) else { break };
            tilts.push(tilt);
            let aim = tilt.loss + 2.0 * tilt.deviation;
            if tilt.ln_delta < -540.0 || tilt.deviation == 0.0 || aim >= end {
                break;
            }
            // K' grows by about K'' for each unit of λ; K'' changes along the way.
            let mut step = 2.0 / tilt.deviation;
            for _ in 0..4 {
                let there = self.cumulants(lambda + step);
                let slope = there.variance.max(1e-300);
                let next = step + ((aim - there.mean) / slope).clamp(-0.7 * step, 2.0 * step);
                if !next.is_finite() {
                    break;
                }
                step = next;
            }
            lambda += step;
        }
        if tilts.is_empty() {
            // No loss is finite.
            tilts.push(Tilt { lambda: 0.0, loss: 0.0, deviation: 0.0, ln_delta: 0.0 });
        }
        let aim = delta.max(1e-200).ln();
        let after = tilts.partition_point(|tilt| tilt.ln_delta > aim);
        if after == 0 || after == tilts.len() {
            return (tilts, after.saturating_sub(1));
        }
        let (mut low, mut high) = (tilts[after - 1], tilts[after]);
        for _ in 0..6 {
            let Some(middle) = self.tilt(0.5 * (low.lambda + high.lambda)) else { break };
            if middle.ln_delta > aim { low = middle } else { high = middle }
        }
        tilts.insert(after, low);
        (tilts, after)
    }
}

fn view(it: &Use, absent: bool) -> View {
    match (it.sampling, absent) {
        (None, _) => View::Whole,
        (Some(Sampling::Poisson(rate)), false) => View::Present(rate),
        (Some(Sampling::Poisson(rate)), true) => View::Absent(rate),
        (Some(Sampling::WithoutReplacement(rate)), _) => View::Substituted(rate),
    }
}

impl Pld {
    /// Composes, with the finest lattice where δ is about `delta`.
    pub fn new(uses: &[Use], delta: f64) -> Self {
        let sketch = Sketch::new(uses, false);
        let (tilts, aim) = sketch.tilts(delta);
        let lambda = tilts[aim].lambda;
        let step = step(uses, &sketch, lambda);
        let poisson = uses.iter().any(|it| matches!(it.sampling, Some(Sampling::Poisson(_))));
        let directions: &[bool] = if poisson { &[false, true] } else { &[false] };
        let make = |&absent: &bool| Direction {
            windows: tilts.iter().map(|_| OnceLock::new()).collect(),
            ..direction(uses, absent, (step, WIDEST), lambda)
        };
        let directions: Vec<Direction> = match directions {
            [one, other] => {
                let (one, other) = rayon::join(|| make(one), || make(other));
                vec![one, other]
            }
            _ => directions.iter().map(make).collect(),
        };
        let above = uses.iter().map(|it| {
            let end = |absent| finite_ends(&it.upper, view(it, absent)).map(|(_, end)| end);
            let end = end(false).zip(end(poisson)).map_or(f64::INFINITY, |(a, b)| a.max(b));
            it.count as f64 * end
        });
        // From below, the first direction is enough.
        let below = uses.iter().map(|it| {
            let ends = |law| {
                let ends = finite_ends(law, lower_view(it, false));
                let without = if matches!(law, Law::Gaussian { .. }) { f64::INFINITY } else { 0.0 };
                ends.map_or(without, |(_, end)| end)
            };
            it.count as f64 * it.lower.as_ref().map_or(0.0, ends)
        });
        let largest = (below.sum::<f64>() * (1.0 - 1e-14), above.sum::<f64>() * (1.0 + 1e-14));
        Self { directions, tilts, largest }
    }

    /// The probability of infinite loss, from below and from above.
    fn infinite(&self) -> (f64, f64) {
        let below =
            self.directions.iter().filter_map(|it| it.lower.as_ref()).map(Product::infinite);
        let above = self.directions.iter().map(|it| it.upper.infinite());
        let below = below.fold(0.0, f64::max) * (1.0 - 1e-12);
        (below, above.fold(0.0, f64::max) * (1.0 + 1e-12))
    }

    /// See [`super::Curve::delta_at`]; ε >= 0.
    pub fn delta_at(&self, epsilon: f64) -> Bracket {
        let tilt = self.nearest(epsilon);
        Bracket { lower: self.lower_in(tilt, epsilon), upper: self.upper_in(tilt, epsilon) }
    }

    fn upper_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.upper.infinite() * (1.0 + 1e-12);
            if epsilon >= self.largest.1 {
                return infinite.min(1.0);
            }
            let finite = it.pair(tilt, &self.tilts).map_or(1.0, |pair| pair.upper.upper(epsilon));
            (infinite + finite).min(1.0)
        };
        self.directions.iter().map(of).fold(0.0, f64::max)
    }

    fn lower_in(&self, tilt: usize, epsilon: f64) -> f64 {
        let of = |it: &Direction| {
            let infinite = it.lower.as_ref()?.infinite() * (1.0 - 1e-12);
            let window = it.pair(tilt, &self.tilts).and_then(|pair| pair.lower.as_ref());
            Some((infinite + window.map_or(0.0, |window| window.lower(epsilon))).min(1.0))
        };
        self.directions.iter().filter_map(of).fold(0.0, f64::max)
    }

    /// See [`super::Curve::epsilon_at`].
    pub fn epsilon_at(&self, delta: f64) -> Bracket {
        if delta >= 1.0 {
            return Bracket { lower: 0.0, upper: 0.0 };
        }
        if delta == 0.0 {
            let (lower, upper) = self.infinite();
            let below = if lower > 0.0 { f64::INFINITY } else { self.largest.0 };
            let above = if upper > 0.0 { f64::INFINITY } else { self.largest.1 };
            return Bracket { lower: below, upper: above };
        }
        let above = |tilt: usize, epsilon: f64| self.upper_in(tilt, epsilon) > delta;
        let below = |tilt: usize, epsilon: f64| self.lower_in(tilt, epsilon) > delta;
        let infinite = self.infinite();
        let lower = if infinite.0 > delta { f64::INFINITY } else { self.solve(delta, below).0 };
        let most = if infinite.1 > delta { f64::INFINITY } else { self.largest.1 };
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
            let rough = |lambda| self.sketch.cumulants(lambda);
            let lambda = tilts[tilt].lambda;
            let place = Place::around(&self.upper, rough, lambda, (self.outside, MOST_POINTS))?;
            let transforms = Transforms::of(place.length);
            let (upper, lower) = rayon::join(
                || Window::new(&self.upper, place, &transforms),
                || {
                    let product = self.lower.as_ref()?;
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

/// The view of the law from below. A sample without replacement is seen from below by a pair of
/// datasets that does exist: one in which the substitute is like no row at all.
fn lower_view(it: &Use, absent: bool) -> View {
    match it.sampling {
        Some(Sampling::WithoutReplacement(rate)) => View::Present(rate),
        _ => view(it, absent),
    }
}

/// The least and the greatest finite loss of a law as it is seen; `None` if there is no end.
fn finite_ends(law: &Law, view: View) -> Option<(f64, f64)> {
    let losses: Vec<f64> = match law {
        Law::Gaussian { .. } => Vec::new(),
        Law::Laplace { .. } | Law::BoundedRange { .. } => {
            let (start, end) = law.support();
            vec![view.loss(start), view.loss(end)]
        }
        Law::Atoms { parts, .. } => {
            let seen = parts.iter().map(|part| view.of(*part)).filter(|part| part.p > 0.0);
            seen.map(|part| part.loss).filter(|loss| loss.is_finite()).collect()
        }
    };
    let least = losses.iter().copied().reduce(f64::min)?;
    let greatest = losses.iter().copied().reduce(f64::max)?;
    Some((least, greatest))
}

/// The step of the lattice.
fn step(uses: &[Use], sketch: &Sketch, lambda: f64) -> f64 {
    let spacings: Vec<Option<f64>> = match uses {
        // A sample leaves only the distance between the ends.
        [it] if it.sampling.is_some() => {
            let ends = finite_ends(&it.upper, view(it, false));
            vec![ends.map(|(least, greatest)| greatest - least).filter(|&width| width > 0.0)]
        }
        _ => uses.iter().map(|it| it.upper.spacing()).collect(),
    };
    let here = sketch.cumulants(lambda);
    let window = 16.0 * sketch.cumulants(0.0).variance.max(here.variance).sqrt();
    if let Some(Some(spacing)) = spacings.first()
        && uses.iter().all(|it| it.is_atoms() && it.fits_its_spacing())
        && spacings.iter().all(|other| other == &Some(*spacing))
        && (window / spacing) < 0.9 * MOST_POINTS as f64
    {
        return *spacing;
    }
    // Each use spreads by up to step²/6 and gathers by step²/12, which moves ε by (λ + 1)/2 of it.
    let count: f64 = uses.iter().map(|it| it.count as f64).sum();
    const WIDTH: f64 = 1e-4;
    let fine = (8.0 * WIDTH / (count * (lambda + 1.0))).sqrt();
    let least = (window / (0.6 * MOST_POINTS as f64)).max(1e-300);
    let step = STEP.min(fine).min(window / 4000.0).max(least);
    match spacings.iter().flatten().next() {
        Some(&spacing) if spacing >= step => spacing / (spacing / step).ceil(),
        _ => step,
    }
}

fn direction(uses: &[Use], absent: bool, (step, widest): (f64, f64), lambda: f64) -> Direction {
    let sketch = Sketch::new(uses, absent);
    let mut upper = Product { step, factors: Vec::new() };
    let mut lower = Product { step, factors: Vec::new() };
    for it in uses {
        let (view, from_below) = (view(it, absent), lower_view(it, absent));
        let factor = |law: Lattice| {
            let errors = if it.is_atoms() { ATOM_ERRORS } else { CUT_ERRORS };
            let ends = law.points.first().into_iter().chain(law.points.last());
            let largest = ends.map(|&point| law.loss(point).abs()).fold(1.0, f64::max);
            let (mass_error, loss_error) = (errors.0, errors.1 * largest);
            Factor { law, count: it.count, mass_error, loss_error }
        };
        let cut = grid(it, &it.upper, view, (step, widest), lambda);
        let from_below = it.lower.as_ref().filter(|_| !absent).map(|law| {
            let same = *law == it.upper && view == from_below;
            (!same).then(|| grid(it, law, from_below, (step, widest), lambda))
        });
        let (above, below) = rayon::join(
            || cut.upper(),
            || from_below.map(|other| other.as_ref().unwrap_or(&cut).lower()),
        );
        upper.factors.push(factor(above));
        lower.factors.extend(below.map(factor));
    }
    if lower.factors.is_empty() {
        // No loss at all.
        let (mass_error, loss_error) = ATOM_ERRORS;
        let law = Lattice::without_loss(step);
        lower.factors.push(Factor { law, count: 1, mass_error, loss_error });
    }
    // Small beside what the lattice adds, which is nothing where it fits all losses.
    let count: f64 = uses.iter().map(|it| it.count as f64).sum();
    let fits = upper.factors.iter().all(|it| it.law.points.len() < 3)
        || uses.iter().all(|it| it.is_atoms() && it.upper.spacing() == Some(step));
    let outside = if fits { -30.0 } else { (1e-4 * count * step * step).ln().clamp(-30.0, -14.0) };
    let lower = (!absent).then_some(lower);
    Direction { upper, lower, sketch, outside, windows: Vec::new() }
}

/// Cuts a law. Where little mass is, under the tilt and without it, points are further apart, up to
/// `widest`.
fn grid(it: &Use, law: &Law, view: View, (step, widest): (f64, f64), lambda: f64) -> Grid {
    /// What wide distances may add to the spread, beside the narrow ones.
    const SHARE: f64 = 0.002;
    let one = Use { upper: law.clone(), lower: None, sampling: it.sampling, count: 1 };
    let absent = view.is_reversed();
    let mut sketch = Sketch::new(&[one], absent).0.swap_remove(0).0;
    if let View::Present(_) = view
        && let Some(Sampling::WithoutReplacement(rate)) = it.sampling
    {
        let one = Use {
            upper: law.clone(),
            lower: None,
            sampling: Some(Sampling::Poisson(rate)),
            count: 1,
        };
        sketch = Sketch::new(&[one], false).0.swap_remove(0).0;
    }
    sketch.sort_by(|a, b| a.1.total_cmp(&b.1));
    let tails = |lambda: f64| {
        let scale = Cumulants::of(sketch.iter().copied(), lambda).value;
        let weights = sketch.iter().map(|(p, loss)| p * (lambda * loss - scale).exp());
        let mut sum = 0.0;
        let mut below: Vec<f64> = Vec::with_capacity(sketch.len());
        for weight in weights {
            sum += weight;
            below.push(sum);
        }
        below
    };
    let tilted = [tails(0.0), tails(lambda)];
    // Of a law of wide range, no more than some 10⁵ points where little mass is.
    let (start, end) = law.range(FLOOR);
    let widest = widest.max(2e-5 * (end - start));
    let most = (widest / step).log2().floor().max(0.0);
    let coarseness = |loss: f64| {
        let at = sketch.partition_point(|(_, other)| *other < loss);
        // The mass beyond, on the smaller side; a part of the sketch further than it is.
        let beyond = |below: &Vec<f64>| {
            let under = below.get(at + 1).or(below.last()).copied().unwrap_or(0.0);
            let total = below.last().copied().unwrap_or(0.0);
            let over =
                total - at.checked_sub(2).and_then(|at| below.get(at)).copied().unwrap_or(0.0);
            under.min(over)
        };
        let mass = tilted.iter().map(beyond).fold(0.0, f64::max).max(1e-300);
        // Between 0 and a few dozens.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let power = (0.5 * (SHARE / mass).log2()).floor().clamp(0.0, most) as u32;
        power
    };
    let end = match view {
        // Loss 0 must be on the lattice.
        View::Substituted(_) => 0.0,
        _ => finite_ends(law, view).map_or(0.0, |(_, end)| end),
    };
    let offset = end - step * (end / step).round();
    let offset = if offset.abs() <= 1e-9 * step { 0.0 } else { offset };
    Grid::new(law, view, (step, offset), FLOOR, &coarseness)
}

/// The law of one use as it is seen, from above.
pub(super) fn upper_law(law: &Law, sampling: Option<Sampling>, absent: bool) -> Factor {
    let it = Use { upper: law.clone(), lower: None, sampling, count: 1 };
    let uses = [it];
    let sketch = Sketch::new(&uses, absent);
    let deviation = sketch.cumulants(0.0).variance.sqrt();
    let (start, end) = law.range(FLOOR);
    let least = (deviation / 3000.0).max(5e-6 * (end - start));
    let step = step(&uses, &sketch, 10.0).min(deviation / 50.0).max(least);
    direction(&uses, absent, (step, 0.2 * WIDEST), 10.0).upper.factors.swap_remove(0)
}

//! A composition by Fourier transform, under a tilt that makes a chosen loss the typical one.
//!
//! With weights p e^(λℓ)/M in the place of p, losses around K'(λ) become typical, K being ln of the
//! moment generating function of the total loss. The transform's error is absolute, so the tilt
//! makes it small next to the requested δ, however small that is. The window is periodic:
//! what would fall outside comes in at the other end, and is bounded by Chernoff's inequality.

use crate::discretise::product::{Cumulants, Factor, Product};
use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

/// Bound on the error of a transform, in units of the last place, per binary stage and relative to
/// the Euclidean norm of the data. Higham (2002, Thm 24.2) proves about 7 for radix 2 and twiddle
/// factors as exact as doubles are.
const STAGE: f64 = 16.0;
const ULP: f64 = f64::EPSILON / 2.0;
/// Factors of a composed transform below e to this power are taken as 0.
const NEGLIGIBLE: f64 = -60.0;
/// Total length of the plans that are kept, and twice the largest whose buffers are; a point takes some 50
/// bytes.
const KEPT: usize = 1 << 20;

pub(crate) const MOST_POINTS: usize = 1 << 21;

thread_local! {
    /// Large buffers are costly to come by: those of the last window are kept.
    static BUFFERS: Cell<Buffers> = const { Cell::new(Buffers::NONE) };
}

#[derive(Default)]
struct Buffers {
    composed: Vec<Complex<f64>>,
    spectrum: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl Buffers {
    const NONE: Self = Self { composed: Vec::new(), spectrum: Vec::new(), scratch: Vec::new() };
}

pub(crate) struct Transforms {
    forward: Arc<dyn RealToComplex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
}

impl Transforms {
    /// Plans are kept, the last ones of [`KEPT`] points in all.
    pub fn of(length: usize) -> Arc<Self> {
        static PLANS: Mutex<Vec<(usize, Arc<Transforms>)>> = Mutex::new(Vec::new());
        let plans = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = plans().iter().find(|(other, _)| *other == length) {
            return Arc::clone(plan);
        }
        let mut planner = RealFftPlanner::new();
        let (forward, inverse) =
            (planner.plan_fft_forward(length), planner.plan_fft_inverse(length));
        let plan = Arc::new(Self { forward, inverse });
        let mut plans = plans();
        plans.push((length, Arc::clone(&plan)));
        while plans.iter().map(|(length, _)| length).sum::<usize>() > KEPT {
            plans.remove(0);
        }
        plan
    }
}

/// Position of a window: lattice sums first..first + length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowPlace {
    pub lambda: f64,
    pub first: i64,
    pub length: usize,
    outside: f64,
    /// Tilts further, down and up, by which that was found.
    bounds: (f64, f64),
}

impl WindowPlace {
    /// Window around the typical loss, so wide that about e^`outside` of the mass is outside at each end; `None` if
    /// that takes more than `most` points. The rough cumulants give the position, those of the laws the mass outside.
    pub fn around(
        product: &Product,
        rough: impl Fn(f64) -> Cumulants,
        lambda: f64,
        (outside, most): (f64, usize),
    ) -> Option<Self> {
        let here = rough(lambda);
        let offset = product.offset();
        let (least, greatest) = product.ends();
        // Chernoff's bound with the tilt s is best at the loss K'(λ + s).
        let end = |sign: f64| {
            let exponent = |s: f64| {
                let there = rough(lambda + s);
                (there.value - here.value - s * there.mean, there.mean)
            };
            let (mut low, mut high) = (0.0, sign / here.variance.sqrt().max(product.step));
            while exponent(high).0 > outside && high.abs() < 1e9 {
                (low, high) = (high, 2.0 * high);
            }
            let bound = if sign < 0.0 { least } else { greatest };
            if exponent(high).0 > outside {
                // No tilt leaves so little outside: the losses end before.
                return (bound, high);
            }
            for round in 0..40 {
                // Losses jump where few rare ones decide.
                let near = exponent(high).1 - exponent(low).1;
                if round >= 8 && near.abs() <= 0.1 * (exponent(high).1 - here.mean).abs() {
                    break;
                }
                let middle = 0.5 * (low + high);
                if exponent(middle).0 > outside { low = middle } else { high = middle }
            }
            let loss = exponent(high).1 + sign * product.step;
            let sum = (loss - offset) / product.step;
            if sign * (bound - sum) > 0.0 { (sum, high) } else { (bound, high) }
        };
        let (low, high) = (end(-1.0), end(1.0));
        let (first, last) = (low.0.floor() - 1.0, high.0.ceil() + 1.0);
        if !(last - first < most as f64 && first.abs() < 9e15) {
            return None;
        }
        // Within the range that was just checked.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (first, length) = (first as i64, (last - first) as usize + 1);
        let (length, bounds) = (good_length(length), (low.1, high.1));
        let place = Self { lambda, first, length, outside: 1.0, bounds }.of(product);
        (!place.is_lost()).then_some(place)
    }

    /// `true` if as much may be outside as inside.
    pub fn is_lost(&self) -> bool {
        self.outside.is_nan() || self.outside >= 0.5
    }

    /// Equal window for another product.
    pub fn of(self, product: &Product) -> Self {
        let (least, greatest) = product.ends();
        let (first, last) = (self.first as f64, self.first as f64 + self.length as f64 - 1.0);
        let here = product.log_moment(self.lambda);
        let tail = |s: f64, sum: f64| {
            let loss = product.offset() + product.step * sum;
            let there = product.log_moment(self.lambda + s);
            let rounding = 8.0 * f64::EPSILON * (there.abs() + here.abs() + (s * loss).abs());
            (there - here - s * loss + rounding).exp().min(1.0)
        };
        let below = if first <= least { 0.0 } else { tail(self.bounds.0, first) };
        let above = if last >= greatest { 0.0 } else { tail(self.bounds.1, last) };
        // The moments are rounded, once for each use.
        let uses: f64 = product.factors.iter().map(|factor| factor.count as f64).sum();
        Self { outside: (below + above) * (2e-12 * uses).exp() * (1.0 + 1e-9), ..self }
    }
}

/// The next even length without prime factors above 5.
fn good_length(least: usize) -> usize {
    let least = least.max(16);
    let mut best = least.next_power_of_two();
    for factor in [3, 5, 9, 15] {
        let mut length: usize = 2 * factor;
        while length < least {
            length *= 2;
        }
        best = best.min(length);
    }
    best
}

/// The finite part of a profile over a window.
#[derive(Debug)]
pub(crate) struct Window {
    lambda: f64,
    step: f64,
    start: f64,
    /// ln of what the tilt took away.
    scale: f64,
    /// δ at each point, tilted; the first point is at the place `turn`, and so around.
    deltas: Vec<f64>,
    turn: usize,
    /// Bound on the error of each sum over masses, tilted.
    absolute: f64,
    relative: f64,
    /// Bound on the error of the loss.
    shift: f64,
}

/// Tilted masses of a composition, in a window that goes around.
#[derive(Debug)]
pub(crate) struct Composed {
    pub lambda: f64,
    /// The point of the window's beginning.
    pub first: i64,
    /// ln of what the tilt took away.
    pub scale: f64,
    /// The mass of each point, tilted; that of point i is at i modulo the length.
    pub masses: Vec<f64>,
    /// Bound on the Euclidean norm of their errors.
    pub error: f64,
    /// Bound on the relative error of each.
    pub relative: f64,
    /// Bound on the tilted mass that came in from outside.
    pub outside: f64,
    /// The largest total of losses.
    pub greatest: f64,
    /// Bound on the error of the loss.
    shift: f64,
}

impl Composed {
    pub fn new(product: &Product, place: WindowPlace, transforms: &Transforms) -> Self {
        let length = place.length;
        let Transforms { forward, inverse } = transforms;
        let stages = STAGE * ULP * (length as f64).log2();
        let Buffers { mut composed, mut spectrum, mut scratch } = BUFFERS.take();
        let zero = Complex::new(0.0, 0.0);
        scratch.resize(forward.get_scratch_len().max(inverse.get_scratch_len()), zero);
        let mut masses: Vec<f64> = Vec::new();
        let (mut scale, mut relative, mut shift) = (0.0, 0.0, 0.0);
        // Σ count · error of a transform, in the Euclidean and in the maximum norm.
        let (mut error, mut largest, mut uses) = (0.0, 0.0, 0.0);
        // How far the whole may be from 1, which the tilt makes it.
        let mut excess = 0.0;
        for (place_of_factor, factor) in product.factors.iter().enumerate() {
            let count = factor.count as f64;
            let tilted = Tilted::new(factor, place);
            scale += count * tilted.scale;
            relative += count * (factor.mass_error + tilted.error)
                + 4.0 * f64::EPSILON * (count * tilted.scale).abs();
            shift += count * factor.loss_error;
            error += count * stages * tilted.norm;
            largest += count * stages * tilted.norm * (length as f64).sqrt();
            uses += count;
            excess += count * ((tilted.total - 1.0).abs() + 1e-13);
            let mut weights = tilted.weights;
            spectrum.resize(length / 2 + 1, zero);
            // The lengths are those of the plan.
            let _ = forward.process_with_scratch(&mut weights, &mut spectrum, &mut scratch);
            masses = weights;
            let negligible = (2.0 * NEGLIGIBLE / count).exp();
            for value in &mut spectrum {
                *value =
                    if value.norm_sqr() < negligible { zero } else { power(*value, factor.count) };
            }
            if place_of_factor == 0 {
                std::mem::swap(&mut composed, &mut spectrum);
            } else {
                composed.iter_mut().zip(&spectrum).for_each(|(a, b)| *a *= b);
            }
        }
        // A real signal of even length has real ends in its spectrum.
        if let Some(value) = composed.first_mut() {
            value.im = 0.0;
        }
        if let Some(value) = composed.last_mut() {
            value.im = 0.0;
        }
        masses.resize(length, 0.0);
        let _ = inverse.process_with_scratch(&mut composed, &mut masses, &mut scratch);
        if length <= KEPT / 2 {
            BUFFERS.set(Buffers { composed, spectrum, scratch });
        }
        let unit = 1.0 / length as f64;
        let mut squares = 0.0;
        for mass in &mut masses {
            *mass *= unit;
            squares += *mass * *mass;
        }
        let norm = squares.sqrt();
        // e_j^n − f_j^n is at most n |e_j − f_j| max(|e_j|, |f_j|)^(n − 1).
        let growth = if largest + excess < 0.15 { 1.2 } else { f64::INFINITY };
        let error = growth * error + (4.0 * ULP * uses + stages) * (norm + error) + 1e-24;
        let WindowPlace { lambda, first, outside, .. } = place;
        let greatest = product.offset() + product.step * product.ends().1;
        Self { lambda, first, scale, masses, error, relative, outside, greatest, shift }
    }

    /// The point after the last one.
    #[allow(clippy::cast_possible_wrap)]
    pub fn end(&self) -> i64 {
        self.first + self.masses.len() as i64
    }

    /// `true` if a point is in the window.
    pub fn has(&self, point: i64) -> bool {
        (self.first..self.end()).contains(&point)
    }

    /// The tilted mass of a point.
    pub fn mass(&self, point: i64) -> f64 {
        // The length is far below 2^63, and the remainder is not negative.
        #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
        #[allow(clippy::cast_possible_truncation)]
        let place = point.rem_euclid(self.masses.len() as i64) as usize;
        self.masses[place]
    }
}

impl Window {
    pub fn new(product: &Product, place: WindowPlace, transforms: &Transforms) -> Self {
        let length = place.length;
        let Composed { scale, mut masses, error, relative, shift, .. } =
            Composed::new(product, place, transforms);
        // length is below 2^53 and positive.
        #[allow(
            clippy::cast_possible_wrap,
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation
        )]
        let turn = place.first.rem_euclid(length as i64) as usize;
        let (last, first) = masses.split_at_mut(turn);
        accumulate(last, first, place.lambda * product.step, product.step);
        let far = product.step * (place.first as f64);
        let steepness = (place.lambda * product.step).max(1e-300);
        let reach = (1.0 + 0.5 / steepness).min(length as f64);
        // The sums lose a little with every point that still counts, e^−30 of the mass being nothing.
        let counting = (30.0 / steepness).min(length as f64);
        Self {
            lambda: place.lambda,
            step: product.step,
            start: product.offset() + product.step * place.first as f64,
            scale,
            absolute: place.outside + error * reach.sqrt() + 1e-13,
            relative: relative + 4.0 * f64::EPSILON * counting,
            deltas: masses,
            turn,
            shift: shift + 8.0 * f64::EPSILON * (product.offset().abs() + far.abs()),
        }
    }

    /// First and last loss that it covers.
    pub fn ends(&self) -> (f64, f64) {
        (self.start, self.start + self.step * (self.deltas.len() - 1) as f64)
    }

    /// Bounds on the finite part of δ(ε).
    fn bounds(&self, epsilon: f64) -> (f64, f64) {
        let (start, end) = self.ends();
        if epsilon < start {
            let (lower, _) = self.bounds(start);
            return (lower, 1.0);
        }
        if epsilon >= end {
            let before = start + (end - start) * (1.0 - 1e-9);
            return if epsilon.is_finite() && end > start && before < end {
                (0.0, self.bounds(before).1)
            } else {
                (0.0, 1.0)
            };
        }
        let place = ((epsilon - start) / self.step).floor();
        // 0 <= place, and below the length.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let place = (place as usize).min(self.deltas.len() - 2);
        let loss = start + self.step * place as f64;
        let share = ((epsilon - loss).exp_m1() / self.step.exp_m1()).clamp(0.0, 1.0);
        let decay = (-self.lambda * self.step).exp();
        let delta = |place: usize| self.deltas[(place + self.turn) % self.deltas.len()];
        let tilted = (1.0 - share) * delta(place) + share * decay * delta(place + 1);
        let exponent = self.scale - self.lambda * loss;
        let relative = self.relative
            + 8.0 * f64::EPSILON * (1.0 + self.scale.abs() + (self.lambda * loss).abs());
        let lower = (tilted - self.absolute).max(0.0) * exponent.exp() * (1.0 - relative);
        let upper = (tilted + self.absolute) * exponent.exp() * relative.exp();
        (lower.max(0.0), if upper.is_nan() { 1.0 } else { upper.clamp(f64::MIN_POSITIVE, 1.0) })
    }

    /// At least the finite part of δ(ε) of a law that is dominated by that of the window.
    pub fn upper(&self, epsilon: f64) -> f64 {
        self.bounds(epsilon - self.shift - self.rounding(epsilon)).1
    }

    /// At most the finite part of δ(ε) of a law that dominates that of the window.
    pub fn lower(&self, epsilon: f64) -> f64 {
        self.bounds(epsilon + self.shift + self.rounding(epsilon)).0
    }

    fn rounding(&self, epsilon: f64) -> f64 {
        8.0 * f64::EPSILON * (epsilon.abs() + self.start.abs())
    }
}

/// Replaces masses g by Σ_{j > m} g_j e^(−(j − m)λh) (1 − e^(−(j − m)h)), from the top; `first` are
/// those below `last`.
fn accumulate(last: &mut [f64], first: &mut [f64], tilt: f64, step: f64) {
    let decay = (-tilt).exp();
    let (near, toward) = (-(-step).exp_m1() * decay, (-step).exp() * decay);
    // Two at a time, so that each waits for the one before half as often.
    let (both, far) = (near * (decay + toward), toward * toward);
    let (mut sum, mut delta) = (0.0, 0.0);
    for part in [last, first] {
        let mut pairs = part.rchunks_exact_mut(2);
        for pair in &mut pairs {
            let (value, before) = (pair[1], pair[0]);
            pair[1] = near * sum + toward * delta;
            delta = (near * value + both * sum) + far * delta;
            pair[0] = delta;
            // `sum` now begins at this point.
            sum = (before + decay * value) + decay * decay * sum;
        }
        for value in pairs.into_remainder() {
            delta = near * sum + toward * delta;
            sum = *value + decay * sum;
            *value = delta;
        }
    }
}

/// Tilted masses, folded into a period.
struct Tilted {
    weights: Vec<f64>,
    total: f64,
    scale: f64,
    norm: f64,
    error: f64,
}

impl Tilted {
    fn new(factor: &Factor, place: WindowPlace) -> Self {
        let law = &factor.law;
        // The offset is put back with the whole window.
        let losses = || law.points.iter().map(|&point| law.loss(point));
        let scale = factor.log_moment(place.lambda);
        let mut weights = vec![0.0; place.length];
        let mut exponents = 0.0_f64;
        for ((&point, &mass), loss) in law.points.iter().zip(&law.masses).zip(losses()) {
            let exponent = place.lambda * loss - scale;
            let weight = mass * exponent.exp();
            if weight > 1e-40 {
                exponents = exponents.max((place.lambda * loss).abs());
            }
            // The length is far below 2^63, and the remainder is not negative.
            #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
            #[allow(clippy::cast_possible_truncation)]
            let index = point.rem_euclid(place.length as i64) as usize;
            weights[index] += weight;
        }
        let norm = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        let total = weights.iter().sum();
        let error = 4.0 * f64::EPSILON * (1.0 + exponents + scale.abs());
        Self { weights, total, scale, norm, error }
    }
}

fn power(z: Complex<f64>, mut count: u64) -> Complex<f64> {
    let mut base = z;
    let mut result = Complex::new(1.0, 0.0);
    while count > 0 {
        if count & 1 == 1 {
            result *= base;
        }
        count >>= 1;
        if count > 0 {
            base *= base;
        }
    }
    result
}

//! Samplers of the noise that mechanisms add.
//!
//! Continuous noise is drawn in doubles. Added to an answer as it is, it leaks through the lowest
//! bits of the sum, which an audit may find; the mechanisms of this catalog round the sum.

use plaudit_core::random::Stream;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1, StandardNormal};
use std::sync::LazyLock;

/// Laplace noise of density e^(−|x|/scale)/(2 scale).
#[inline]
pub fn laplace(random: &mut Stream, scale: f64) -> f64 {
    scale * ZIGGURAT.draw(random)
}

/// [`laplace`] with the scale fixed and the tables at hand, for loops of millions.
#[inline]
pub fn laplace_of(scale: f64) -> impl Fn(&mut Stream) -> f64 {
    let ziggurat = unit_laplace();
    move |random| scale * ziggurat.draw(random)
}

/// The unit Laplace distribution.
#[inline]
pub(super) fn unit_laplace() -> &'static Ziggurat {
    &ZIGGURAT
}

/// Exponential noise of density e^(−x/scale)/scale on x >= 0.
#[inline]
pub fn exponential(random: &mut Stream, scale: f64) -> f64 {
    let unit: f64 = Exp1.sample(random);
    scale * unit
}

/// Gaussian noise of standard deviation `sigma`.
#[inline]
pub fn gaussian(random: &mut Stream, sigma: f64) -> f64 {
    let unit: f64 = StandardNormal.sample(random);
    sigma * unit
}

/// Discrete Laplace noise (the two-sided geometric distribution): probability
/// (1 − q)/(1 + q) · q^|z| of the integer z, where q = e^(−1/scale).
///
/// The difference of two geometric numbers, each the whole part of an exponential one (Ghosh,
/// Roughgarden, Sundararajan 2009, section 2).
#[inline]
pub fn discrete_laplace(random: &mut Stream, scale: f64) -> i64 {
    exponential(random, scale) as i64 - exponential(random, scale) as i64
}

/// Law of [`discrete_laplace`], sampled as textbooks define it: a coin is tossed until it shows
/// heads, as often as the noise is large, so that the time reveals its size.
pub fn discrete_laplace_by_trials(random: &mut Stream, scale: f64) -> i64 {
    let heads = -(-scale.recip()).exp_m1();
    loop {
        let mut size = 0;
        while random.random::<f64>() >= heads {
            size += 1;
        }
        // −0 is the same outcome as 0.
        if random.random::<bool>() {
            return size;
        } else if size > 0 {
            return -size;
        }
    }
}

/// Discrete Gaussian noise: probability proportional to e^(−z²/(2σ²)) of the integer z.
///
/// Rejection from the discrete Laplace (Canonne, Kamath, Steinke 2020, Algorithm 3).
#[inline]
pub fn discrete_gaussian(random: &mut Stream, sigma: f64) -> i64 {
    let scale = sigma.floor() + 1.0;
    let shift = sigma * sigma / scale;
    loop {
        let z = discrete_laplace(random, scale);
        let miss = ((z.unsigned_abs() as f64 - shift) / sigma).powi(2) / 2.0;
        // Bernoulli(e^(−miss)), by the tail of an exponential.
        if exponential(random, 1.0) > miss {
            return z;
        }
    }
}

/// Uniform number in (0, 1) with every double of that range possible: 53 significant bits for every
/// exponent.
pub fn fine_uniform(random: &mut Stream) -> f64 {
    let mut exponent = -1;
    loop {
        let bits = random.next_u64();
        if bits != 0 {
            exponent -= bits.trailing_zeros() as i32;
            break;
        }
        exponent -= 64;
    }
    let significand = 1.0 + (random.next_u64() >> 12) as f64 * f64::EPSILON;
    significand * 2f64.powi(exponent)
}

/// The unit Laplace distribution by the ziggurat method (Marsaglia & Tsang 2000; Doornik 2005):
/// one 64-bit word gives layer, sign and position in 98 of 100 draws. It takes half the time of
/// −ln(U), and two thirds of that of a one-sided ziggurat with a sign of its own.
pub(super) struct Ziggurat {
    /// Right ends of the layers: the base strip's like that of a rectangle, then downwards to 0.
    x: [f64; LAYERS + 1],
    density: [f64; LAYERS + 1],
}

const LAYERS: usize = 256;
/// Start of the tail, for 256 layers of equal area.
const TAIL: f64 = 7.697_117_470_131_05;
/// Area: TAIL·e^(−TAIL) and the tail, e^(−TAIL).
const AREA: f64 = 0.003_949_659_822_581_557;

static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    let mut x = [0.0; LAYERS + 1];
    x[0] = AREA * TAIL.exp();
    x[1] = TAIL;
    for layer in 2..LAYERS {
        x[layer] = -((-x[layer - 1]).exp() + AREA / x[layer - 1]).ln();
    }
    Ziggurat { x, density: x.map(|x| (-x).exp()) }
});

impl Ziggurat {
    #[inline]
    pub(super) fn draw(&self, random: &mut Stream) -> f64 {
        let (layer, x) = self.propose(random);
        if x.abs() < self.x[layer + 1] { x } else { self.draw_outside(random, layer, x) }
    }

    /// A layer (8 bits of the word) and a point uniform across it, in both directions (54 other
    /// bits of the word).
    #[inline]
    fn propose(&self, random: &mut Stream) -> (usize, f64) {
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        let bits = random.next_u64();
        let layer = bits as usize % LAYERS;
        (layer, (bits as i64 >> 10) as f64 * UNIT * self.x[layer])
    }

    /// The point is not under the part of its layer that is wholly below the density.
    #[cold]
    fn draw_outside(&self, random: &mut Stream, mut layer: usize, mut x: f64) -> f64 {
        loop {
            if layer == 0 {
                return exponential(random, 1.0).copysign(x) + TAIL.copysign(x);
            }
            let height = self.density[layer + 1] - self.density[layer];
            if self.density[layer] + height * random.random::<f64>() < (-x.abs()).exp() {
                return x;
            }
            (layer, x) = self.propose(random);
            if x.abs() < self.x[layer + 1] {
                return x;
            }
        }
    }
}

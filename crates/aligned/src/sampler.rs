//! The way to run such code: doubles from a stream.

use super::draws::{Draws, Noise};
use super::sample;
use plaudit_core::random::Stream;
use rand::RngExt;

/// Draws doubles from a stream, and keeps the cells of the outcome.
pub struct Sampler<'a> {
    random: &'a mut Stream,
    cells: &'a mut Vec<f64>,
}

impl<'a> Sampler<'a> {
    /// Appends the cells of outcomes to `cells`.
    pub fn new(random: &'a mut Stream, cells: &'a mut Vec<f64>) -> Self {
        Self { random, cells }
    }
}

impl Draws for Sampler<'_> {
    type Real = f64;

    // Where the law is known, only its own draw is left.
    #[inline(always)]
    fn noise(&mut self, law: Noise, scale: f64) -> f64 {
        match law {
            Noise::Laplace => sample::laplace(self.random, scale),
            Noise::Exponential => sample::exponential(self.random, scale),
            Noise::Gumbel => -scale * sample::exponential(self.random, 1.0).ln(),
            Noise::Gaussian => sample::gaussian(self.random, scale),
            Noise::Uniform => scale * self.random.random::<f64>(),
        }
    }

    #[inline]
    fn at_least(&mut self, a: &f64, b: &f64) -> bool {
        a >= b
    }

    #[inline]
    fn release(&mut self, number: f64) {
        self.cells.push(number);
    }

    #[inline]
    fn tell(&mut self, known: f64) {
        self.cells.push(known);
    }
}

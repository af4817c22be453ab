//! The way to run such code: doubles from a stream.

use super::draws::{Draws, Noise};
use super::sample::{self, Ziggurat};
use plaudit_core::random::Stream;
use rand::RngExt;

/// Where the cells of outcomes go.
pub trait Cells {
    /// Takes the next cell.
    fn take(&mut self, cell: f64);
}

impl Cells for Vec<f64> {
    #[inline]
    fn take(&mut self, cell: f64) {
        self.push(cell);
    }
}

/// The last cell: for outcomes that have only one.
impl Cells for f64 {
    #[inline]
    fn take(&mut self, cell: f64) {
        *self = cell;
    }
}

/// Draws doubles from a stream, and keeps the cells of the outcome.
pub struct Sampler<'a, C = Vec<f64>> {
    random: &'a mut Stream,
    // At hand, so that no draw has to ask whether the tables are there.
    laplace: &'static Ziggurat,
    cells: &'a mut C,
}

impl<'a, C: Cells> Sampler<'a, C> {
    /// Appends the cells of outcomes to `cells`.
    #[inline]
    pub fn new(random: &'a mut Stream, cells: &'a mut C) -> Self {
        Self { random, laplace: sample::unit_laplace(), cells }
    }

    /// The cells so far.
    #[inline]
    pub fn cells(&mut self) -> &mut C {
        self.cells
    }
}

impl<C: Cells> Draws for Sampler<'_, C> {
    type Real = f64;

    // Where the law is known, only its own draw is left.
    #[inline(always)]
    fn noise(&mut self, law: Noise, scale: f64) -> f64 {
        match law {
            Noise::Laplace => scale * self.laplace.draw(self.random),
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
        self.cells.take(number);
    }

    #[inline]
    fn tell(&mut self, known: f64) {
        self.cells.take(known);
    }
}

//! The interface that such code draws by.

use super::affine::Affine;
use std::ops::{Add, Mul, Neg, Sub};

/// A real number of a mechanism: an answer, a draw, or a sum of such with known factors.
pub trait Real:
    Clone
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
}

impl Real for f64 {}
impl Real for Affine {}

/// Laws of continuous noise, each of scale 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Noise {
    /// Density e^(−|x|)/2.
    Laplace,
    /// Density e^(−x) on x >= 0.
    Exponential,
    /// Distribution function e^(−e^(−x)).
    Gumbel,
    /// Standard normal.
    Gaussian,
    /// Uniform between 0 and 1.
    Uniform,
}

/// Randomness of a mechanism, and its outcome: a list of cells, in the order in which they are released.
pub trait Draws {
    /// Its numbers: doubles when it runs, unknowns when it is followed.
    type Real: Real;

    /// Noise of a law, times a scale above 0.
    fn noise(&mut self, law: Noise, scale: f64) -> Self::Real;

    /// `true` if a >= b. The only way to branch on data or noise.
    fn at_least(&mut self, a: &Self::Real, b: &Self::Real) -> bool;

    /// A number as a cell of the outcome.
    fn release(&mut self, number: Self::Real);

    /// A cell that is known where it is told: an answer yes or no, a place, a constant.
    fn tell(&mut self, known: f64);

    /// Laplace noise of density e^(−|x|/scale)/(2 scale).
    #[inline]
    fn laplace(&mut self, scale: f64) -> Self::Real {
        self.noise(Noise::Laplace, scale)
    }

    /// Exponential noise of density e^(−x/scale)/scale on x >= 0.
    #[inline]
    fn exponential(&mut self, scale: f64) -> Self::Real {
        self.noise(Noise::Exponential, scale)
    }

    /// Gumbel noise of distribution function e^(−e^(−x/scale)).
    #[inline]
    fn gumbel(&mut self, scale: f64) -> Self::Real {
        self.noise(Noise::Gumbel, scale)
    }

    /// Gaussian noise of standard deviation sigma.
    #[inline]
    fn gaussian(&mut self, sigma: f64) -> Self::Real {
        self.noise(Noise::Gaussian, sigma)
    }

    /// A number uniform between 0 and 1.
    #[inline]
    fn uniform(&mut self) -> Self::Real {
        self.noise(Noise::Uniform, 1.0)
    }

    /// The place of the largest of `count` numbers, at least one, the first of several; and that number.
    #[inline]
    fn largest(
        &mut self,
        count: usize,
        mut number: impl FnMut(&mut Self, usize) -> Self::Real,
    ) -> (usize, Self::Real) {
        let mut best = (0, number(self, 0));
        for at in 1..count {
            let next = number(self, at);
            let stays = self.at_least(&best.1, &next);
            // Selected, not branched to: which is larger is a matter of chance.
            best = (if stays { best.0 } else { at }, if stays { best.1 } else { next });
        }
        best
    }
}

/// A mechanism that takes exact answers and draws by [`Draws`] only. Any loop must end by itself.
pub trait Aligned: Send + Sync {
    /// One run.
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D);
}

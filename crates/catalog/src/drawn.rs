//! Families that are written against [`Draws`]: audits run them, and proofs follow their paths.

use super::family::{Family, finite_numbers};
use super::grid::PowerOfTwoGrid;
use plaudit_aligned::{Aligned, Cells, Draws, Noise, Sampler, Written};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;

/// The form of outcomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// All cells.
    Vector,
    /// The only cell, a whole number.
    Integer,
    /// The only cell.
    Number,
}

/// Definition of a mechanism on a list of finite numbers.
pub(super) trait DrawnFamily: Aligned {
    fn shape(&self) -> Shape {
        Shape::Vector
    }

    /// The scale of the noise on numbers that are released, which are rounded to its [`PowerOfTwoGrid`].
    fn released_scale(&self) -> Option<f64> {
        None
    }

    /// See [`CatalogMechanism::describe`].
    fn describe(&self) -> String;
}

/// Such a definition as a [`Family`].
pub(super) struct Drawn<F>(pub F);

/// A sampler that rounds released numbers.
struct OnGrid<'a, C> {
    sampler: Sampler<'a, C>,
    grid: Option<PowerOfTwoGrid>,
}

impl<C: Cells> Draws for OnGrid<'_, C> {
    type Real = f64;

    #[inline(always)]
    fn noise(&mut self, law: Noise, scale: f64) -> f64 {
        self.sampler.noise(law, scale)
    }

    #[inline]
    fn at_least(&mut self, a: &f64, b: &f64) -> bool {
        a >= b
    }

    #[inline]
    fn release(&mut self, number: f64) {
        self.sampler.release(self.grid.map_or(number, |grid| grid.round(number)));
    }

    #[inline]
    fn tell(&mut self, known: f64) {
        self.sampler.tell(known);
    }

    // Of doubles the first is as all others: the loop has the code of one draw, not two.
    #[inline]
    fn largest(
        &mut self,
        count: usize,
        mut number: impl FnMut(&mut Self, usize) -> f64,
    ) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for at in 0..count {
            let next = number(self, at);
            let rises = next > best.1;
            best = (if rises { at } else { best.0 }, if rises { next } else { best.1 });
        }
        best
    }
}

impl<F: DrawnFamily> Drawn<F> {
    fn draws<'a, C: Cells>(&self, random: &'a mut Stream, cells: &'a mut C) -> OnGrid<'a, C> {
        let grid = self.0.released_scale().map(PowerOfTwoGrid::for_scale);
        OnGrid { sampler: Sampler::new(random, cells), grid }
    }
}

impl<F: DrawnFamily> Family for Drawn<F> {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, exact: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        match self.0.shape() {
            Shape::Vector => {
                let mut cells = Vec::with_capacity(exact.len());
                let mut draws = self.draws(random, &mut cells);
                for _ in 0..runs {
                    draws.sampler.cells().clear();
                    self.0.run(exact, &mut draws);
                    outcomes.push_vector(draws.sampler.cells());
                }
            }
            Shape::Integer => {
                let mut cell = 0.0;
                let mut draws = self.draws(random, &mut cell);
                for _ in 0..runs {
                    self.0.run(exact, &mut draws);
                    outcomes.push_integer(*draws.sampler.cells() as i64);
                }
            }
            Shape::Number => {
                let mut cell = 0.0;
                let mut draws = self.draws(random, &mut cell);
                outcomes.extend_numbers(runs, || {
                    self.0.run(exact, &mut draws);
                    *draws.sampler.cells()
                });
            }
        }
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn drawn(&self) -> Option<&dyn Written> {
        Some(&self.0)
    }
}

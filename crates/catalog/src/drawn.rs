//! Families that are written against [`Draws`]: audits run them, and proofs follow their paths.

use super::family::{Family, finite_numbers};
use super::grid::PowerOfTwoGrid;
use plaudit_aligned::{Aligned, Draws, Noise, Sampler, Written};
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
struct OnGrid<'a> {
    sampler: Sampler<'a>,
    grid: Option<PowerOfTwoGrid>,
}

impl Draws for OnGrid<'_> {
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
}

impl<F: DrawnFamily> Family for Drawn<F> {
    type Exact = Vec<f64>;

    fn read(&self, dataset: &Dataset) -> Result<Vec<f64>, String> {
        finite_numbers(dataset)
    }

    fn draw(&self, exact: &Vec<f64>, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let grid = self.0.released_scale().map(PowerOfTwoGrid::for_scale);
        let mut cells = Vec::with_capacity(exact.len());
        let mut run = |cells: &mut Vec<f64>| {
            cells.clear();
            let sampler = Sampler::new(random, cells);
            self.0.run(exact, &mut OnGrid { sampler, grid });
        };
        match self.0.shape() {
            Shape::Vector => {
                for _ in 0..runs {
                    run(&mut cells);
                    outcomes.push_vector(&cells);
                }
            }
            Shape::Integer => {
                for _ in 0..runs {
                    run(&mut cells);
                    outcomes.push_integer(cells[0] as i64);
                }
            }
            Shape::Number => outcomes.extend_numbers(runs, || {
                run(&mut cells);
                cells[0]
            }),
        }
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn drawn(&self) -> Option<&dyn Written> {
        Some(&self.0)
    }
}

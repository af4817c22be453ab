//! Families that are written against [`Draws`]: audits run them, and proofs follow their paths.

use super::family::finite_numbers;
use super::grid::PowerOfTwoGrid;
use plaudit_aligned::{Aligned, Draws, Noise, Sampler};
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::{
    Capabilities, CatalogMechanism, Mechanism, Outcomes, Releases, Trouble,
};
use std::sync::atomic::AtomicBool;

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

/// A family's mechanism as the rest of the house sees it.
pub(super) struct BuiltByDraws<F>(pub F);

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

impl<F: DrawnFamily> BuiltByDraws<F> {
    fn draw(&self, exact: &[f64], runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
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
}

impl<F: DrawnFamily> Mechanism<Dataset> for BuiltByDraws<F> {
    fn accepts(&self, dataset: &Dataset) -> Result<(), String> {
        finite_numbers(dataset).map(drop)
    }

    fn fill(
        &self,
        dataset: &Dataset,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        match finite_numbers(dataset) {
            Ok(exact) => self.draw(&exact, runs, random, outcomes),
            Err(why) => (0..runs).for_each(|_| outcomes.push_failure(why.clone())),
        }
        Ok(())
    }

    fn capabilities(&self) -> Capabilities<'_, Dataset> {
        Capabilities { drawn: Some(&self.0), ..Capabilities::independent() }
    }
}

impl<F: DrawnFamily> CatalogMechanism for BuiltByDraws<F> {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn reading<'a>(&'a self, dataset: &Dataset) -> Result<Releases<'a>, String> {
        let exact = finite_numbers(dataset)?;
        Ok(Box::new(move |runs, random, outcomes| self.draw(&exact, runs, random, outcomes)))
    }
}

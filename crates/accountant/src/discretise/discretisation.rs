//! How finely laws are cut: the step of the lattice, and where its points may be further apart.

use crate::component::law::{Choice, Law, Seen};
use crate::component::pair::LawPair;
use crate::component::uses::Use;
use crate::component::view::UseView;
use crate::compose::window::MOST_POINTS;
use crate::discretise::lattice::{LatticeGrid, LossLattice};
use crate::discretise::pilot::{FLOOR, PilotApproximation, atoms};
use crate::discretise::product::{Cumulants, Factor, Product};
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Widest step of a lattice, unless all laws are on a wider one anyway.
const STEP: f64 = 8.5e-5;
/// Widest distance of points of a lattice, in loss, where little mass is.
const WIDEST: f64 = 0.01;
/// About the most points of the lattice of a single law.
const MOST_CUTS: f64 = 3e5;
/// Steps in the standard deviation of a single use, at least: the lattice is not to spread it much.
const STEPS: f64 = 10.0;
/// Bounds on the relative error of masses and on the error of losses (relative beyond 1) of laws
/// that are cut from a density, and of laws that are atoms.
const CUT_ERRORS: (f64, f64) = (5e-13, 6e-14);
const ATOM_ERRORS: (f64, f64) = (5e-14, 2e-15);

/// The steps of the lattices from above and from below.
pub(crate) fn steps(uses: &[Use], pilot: &PilotApproximation, lambda: f64) -> (f64, f64) {
    let spacings: Vec<Option<f64>> = match uses {
        // A sample leaves only the distance between the ends.
        [it] if it.upper.alone().is_none_or(|(_, seen)| seen != Seen::Whole) => {
            let ends = it.upper.finite_ends(false);
            vec![ends.map(|(least, greatest)| greatest - least).filter(|&width| width > 0.0)]
        }
        _ => uses.iter().map(|it| it.upper.spacing()).collect(),
    };
    let here = pilot.cumulants(lambda);
    let window = 16.0 * pilot.cumulants(0.0).variance.max(here.variance).sqrt();
    if let Some(Some(spacing)) = spacings.first()
        && uses.iter().all(|it| it.is_atoms() && it.upper.fits_its_spacing())
        && spacings.iter().all(|other| other == &Some(*spacing))
        && (window / spacing) < 0.9 * MOST_POINTS as f64
    {
        return (*spacing, *spacing);
    }
    // Each use spreads by up to step²/6 and gathers by step²/12, which moves ε by (λ + 1)/2 of it.
    let count: f64 = uses.iter().map(|it| it.count as f64).sum();
    const WIDTH: f64 = 1e-4;
    let fine = (8.0 * WIDTH / (count * (lambda + 1.0))).sqrt();
    if window.is_nan() || window <= 0.0 {
        // No two losses are finite, or all are next to nothing.
        return (STEP, STEP);
    }
    // Points are counted in whole numbers, from loss 0 on.
    let least = (window / (0.6 * MOST_POINTS as f64)).max(1e-12 * pilot.widest());
    let most = (window / 4000.0).min(pilot.least_deviation() / STEPS);
    let fit = |step: f64| match spacings.iter().flatten().next() {
        Some(&spacing) if spacing >= step => spacing / (spacing / step).ceil(),
        _ => step,
    };
    let upper = fit(STEP.min(fine).min(most).max(least));
    // From below, an error of a twenty-fifth of that is negligible.
    let lower = fit((0.2 * fine).min(most).max(least));
    (upper, if lower < 2.0 * upper { upper } else { lower })
}

/// Products that bracket a composition, seen in one direction.
#[derive(Debug)]
pub(crate) struct Discretisation {
    pub upper: Product,
    pub lower: Option<Product>,
    /// ln of the tilted mass that windows may leave out.
    pub outside: f64,
}

impl Discretisation {
    /// On lattices of these steps, the finest where the tilt λ makes losses typical.
    pub fn new(uses: &[Use], absent: bool, steps: (f64, f64), lambda: f64) -> Self {
        Self::within(uses, absent, (steps, WIDEST), lambda)
    }

    fn within(
        uses: &[Use],
        absent: bool,
        ((step, below), widest): ((f64, f64), f64),
        lambda: f64,
    ) -> Self {
        // Of most laws one direction is the worse one, and enough from below.
        let is_directed = |it: &Use| it.lower.as_ref().is_some_and(Law::is_directed);
        let is_below = !absent || uses.iter().any(is_directed);
        let mut upper = Product { step, factors: Vec::new() };
        let mut lower = Product { step: below, factors: Vec::new() };
        for it in uses {
            let factor = |law: LossLattice| {
                let errors = if it.is_atoms() { ATOM_ERRORS } else { CUT_ERRORS };
                let ends = law.points.first().into_iter().chain(law.points.last());
                let largest = ends.map(|&point| law.loss(point).abs()).fold(1.0, f64::max);
                let (mass_error, loss_error) = (errors.0, errors.1 * largest);
                Factor { law, count: it.count, mass_error, loss_error }
            };
            let law = it.lower.as_ref().filter(|_| is_below);
            let cut = |law: &Law, step: f64| Cuts::new(law, absent, (step, widest), lambda);
            let shared = |law: &Law| *law == it.upper && below == step;
            let (above, from_below) = if law.is_some_and(shared) {
                let cuts = cut(&it.upper, step);
                rayon::join(
                    || cuts.joined(LatticeGrid::upper),
                    || Some(cuts.joined(LatticeGrid::lower)),
                )
            } else {
                rayon::join(
                    || cut(&it.upper, step).joined(LatticeGrid::upper),
                    || law.map(|law| cut(law, below).joined(LatticeGrid::lower)),
                )
            };
            upper.factors.push(factor(above));
            lower.factors.extend(from_below.map(factor));
        }
        if lower.factors.is_empty() {
            // No loss at all.
            let (mass_error, loss_error) = ATOM_ERRORS;
            let law = LossLattice::without_loss(below);
            lower.factors.push(Factor { law, count: 1, mass_error, loss_error });
        }
        // Small next to the lattice's error, which is zero where it fits all losses.
        let count: f64 = uses.iter().map(|it| it.count as f64).sum();
        let fits = upper.factors.iter().all(|it| it.law.points.len() < 3)
            || uses.iter().all(|it| it.is_atoms() && it.upper.spacing() == Some(step));
        let outside =
            if fits { -30.0 } else { (1e-4 * count * step * step).ln().clamp(-30.0, -14.0) };
        Self { upper, lower: is_below.then_some(lower), outside }
    }
}

/// A grid for each pair of a law, with its weight.
struct Cuts(Vec<(f64, LatticeGrid)>);

impl Cuts {
    fn new(law: &Law, absent: bool, (step, widest): (f64, f64), lambda: f64) -> Self {
        let is_alone = law.alone().is_some();
        let cut = |choice: &Choice| {
            let view = choice.view(absent);
            (choice.weight, grid(&choice.pair, view, (step, widest), lambda, is_alone))
        };
        Self(law.0.par_iter().map(cut).collect())
    }

    /// The laws on the grids, put together.
    fn joined(&self, of: fn(&LatticeGrid) -> LossLattice) -> LossLattice {
        let mut laws: Vec<(f64, LossLattice)> =
            self.0.iter().map(|(weight, grid)| (*weight, of(grid))).collect();
        if laws.len() == 1 {
            return laws.swap_remove(0).1;
        }
        let mut masses: BTreeMap<i64, f64> = BTreeMap::new();
        let (step, mut infinite) = (laws[0].1.step, 0.0);
        for (weight, law) in &laws {
            infinite += weight * law.infinite;
            for (point, mass) in law.points.iter().zip(&law.masses) {
                *masses.entry(*point).or_default() += weight * mass;
            }
        }
        let (points, masses) = masses.into_iter().unzip();
        LossLattice { step, offset: 0.0, points, masses, infinite }
    }
}

/// Cuts a law. Where little mass is, under the tilt and without it, points are further apart, up to
/// `widest`.
fn grid(
    law: &LawPair,
    view: UseView,
    (step, widest): (f64, f64),
    lambda: f64,
    is_alone: bool,
) -> LatticeGrid {
    let (start, end) = law.range(FLOOR);
    // Of a law of wide range, no more than some 10⁵ points where little mass is.
    let widest = widest.max(2e-5 * (end - start));
    let distances = Distances::new(atoms(law, view), lambda, (step, widest));
    let end = match view {
        // Loss 0 must be on the lattice; and lattices that are put together are one.
        UseView::Substituted(_) => 0.0,
        _ if !is_alone => 0.0,
        _ => view.finite_ends(law).map_or(0.0, |(_, end)| end),
    };
    let offset = end - step * (end / step).round();
    let offset = if offset.abs() <= 1e-9 * step { 0.0 } else { offset };
    LatticeGrid::new(law, view, (step, offset), FLOOR, &|loss| distances.power(loss))
}

/// Maximum distance of points between the atoms of a pilot, in steps, by powers of 2.
struct Distances {
    losses: Vec<f64>,
    /// Before each loss, and after the last one.
    powers: Vec<u32>,
    /// The last place that was asked for: the next is mostly the same.
    last: Cell<usize>,
}

impl Distances {
    fn new(mut pilot: Vec<(f64, f64)>, lambda: f64, (step, widest): (f64, f64)) -> Self {
        /// Spread that wide distances may add, besides the narrow ones.
        const SHARE: f64 = 0.002;
        pilot.sort_by(|a, b| a.1.total_cmp(&b.1));
        let tails = |lambda: f64| {
            let scale = Cumulants::of(pilot.iter().copied(), lambda).value;
            let weights = pilot.iter().map(|(p, loss)| p * (lambda * loss - scale).exp());
            let sums = weights.scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            });
            sums.collect::<Vec<f64>>()
        };
        let tilted = [tails(0.0), tails(lambda)];
        // The mass beyond, on the smaller side; a part of the pilot further than it is.
        let mass = |at: usize| {
            let beyond = |below: &Vec<f64>| {
                let total = below.last().copied().unwrap_or(0.0);
                let under = below.get(at + 1).copied().unwrap_or(total);
                let over = at.checked_sub(2).and_then(|at| below.get(at)).copied();
                under.min(total - over.unwrap_or(0.0))
            };
            tilted.iter().map(beyond).fold(0.0, f64::max).max(1e-300)
        };
        let losses: Vec<f64> = pilot.iter().map(|atom| atom.1).collect();
        let masses: Vec<f64> = (0..=losses.len()).map(mass).collect();
        let most = (widest / step).log2().floor().max(0.0);
        // A wide range at a narrow step would have any number of points: then all are further apart.
        let (mut share, mut powers) = (SHARE, Vec::new());
        for _ in 0..60 {
            let power = |mass: &f64| {
                // Between 0 and a few dozens.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let power = (0.5 * (share / mass).log2()).floor().clamp(0.0, most) as u32;
                power
            };
            powers = masses.iter().map(power).collect::<Vec<u32>>();
            // Beyond the pilot is next to nothing.
            let (first, last) = (0, powers.len() - 1);
            for end in [first, last] {
                powers[end] = power(&1e-300);
            }
            let gaps = losses.windows(2).map(|two| two[1] - two[0]).zip(&powers[1..]);
            let points = gaps.map(|(gap, &power)| gap / (step * f64::from(power).exp2()));
            if points.sum::<f64>() <= MOST_CUTS {
                break;
            }
            share *= 4.0;
        }
        Self { losses, powers, last: Cell::new(0) }
    }

    fn power(&self, loss: f64) -> u32 {
        let last = self.last.get();
        let is_here = (last == 0 || self.losses[last - 1] < loss)
            && self.losses.get(last).is_none_or(|&next| loss <= next);
        if !is_here {
            self.last.set(self.losses.partition_point(|&other| other < loss));
        }
        self.powers[self.last.get()]
    }
}

/// The law of one use as it is seen, from above.
pub(crate) fn upper_law(law: &Law, absent: bool) -> Factor {
    let uses = [Use { upper: law.clone(), lower: None, count: 1 }];
    let pilot = PilotApproximation::new(&uses, absent);
    let deviation = pilot.cumulants(0.0).variance.sqrt();
    let ranges = || law.0.iter().map(|choice| choice.pair.range(FLOOR));
    let (start, end) = ranges().fold((0.0, 0.0), |all, one| (one.0.min(all.0), one.1.max(all.1)));
    let least = (deviation / 3000.0).max(5e-6 * (end - start));
    let step = steps(&uses, &pilot, 10.0).0.min(deviation / 50.0).max(least);
    Discretisation::within(&uses, absent, ((step, step), 0.2 * WIDEST), 10.0)
        .upper
        .factors
        .swap_remove(0)
}

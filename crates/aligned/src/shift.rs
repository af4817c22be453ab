//! The cheapest shift of a region's draws, as a linear program.

use super::affine::{Affine, Unknown};
use super::certificate::{Piece, Shift};
use super::draws::Noise;
use super::simplex::Program;
use super::tape::{Cell, Path};
use dashu_ratio::RBig;
use std::collections::{BTreeSet, HashMap};

/// Factors of answers, by place.
type Slopes = Vec<(usize, RBig)>;
/// Variables of a linear program for a number of any sign: what it is more and less than 0.
type Signed = [usize; 2];

/// One over the cost of a number that only bounds others: less than any shift.
const SMALL: u32 = 10_000_000;

/// The shifts of a piece's draws on a box of moves, and the program that looks for those that are not fixed.
struct Shifting<'a> {
    path: &'a Path,
    center: &'a [RBig],
    radius: &'a [RBig],
    /// See [`Shift`].
    in_sum: bool,
    /// Shifts that a released number alone decides: the base, and by which answers.
    fixed: Vec<Option<(RBig, Slopes)>>,
    /// Its variables are shifts in units of the draws' scales.
    program: Program,
    base: Vec<Option<Signed>>,
    by: HashMap<(usize, usize), Signed>,
}

/// The cheapest shift on a box of moves that keeps the rows and the released numbers, and its cost.
pub fn shifted(
    piece: &Piece,
    path: &Path,
    (center, radius, in_sum): (&[RBig], &[RBig], bool),
) -> Option<(Shift, f64)> {
    let mut shifting = Shifting {
        path,
        center,
        radius,
        in_sum,
        fixed: vec![None; path.draws.len()],
        program: Program::default(),
        base: Vec::new(),
        by: HashMap::new(),
    };
    shifting.fix()?;
    shifting.find(piece)
}

impl Shifting<'_> {
    fn released(&self) -> Vec<&Affine> {
        self.path.outcome.iter().filter_map(Cell::number).collect()
    }

    /// Fixes the shifts that released numbers decide one after another; `None` if one cannot be.
    fn fix(&mut self) -> Option<()> {
        let released: Vec<Affine> = self.released().into_iter().cloned().collect();
        let mut left: Vec<&Affine> = released.iter().collect();
        loop {
            let before = left.len();
            let mut kept = Vec::new();
            for number in left {
                let mut open = None;
                let mut several = false;
                for (unknown, factor) in &number.terms {
                    if let Unknown::Draw(at) = unknown
                        && self.fixed[*at].is_none()
                    {
                        several |= open.is_some();
                        open = Some((*at, factor));
                    }
                }
                match open {
                    Some((at, factor)) if !several => {
                        let (base, by) = self.change(number);
                        let divided = |slope: RBig| -slope / factor;
                        let base = divided(base);
                        let by: Vec<_> =
                            by.into_iter().map(|(i, slope)| (i, divided(slope))).collect();
                        let moves =
                            !base.is_zero() || by.iter().any(|(i, _)| !self.radius[*i].is_zero());
                        if moves && self.path.draws[at].law != Noise::Laplace {
                            let only_up = by.iter().all(|(i, _)| self.radius[*i].is_zero())
                                && base > RBig::ZERO;
                            let one_sided = matches!(
                                self.path.draws[at].law,
                                Noise::Exponential | Noise::Gumbel
                            );
                            if !(only_up && one_sided) {
                                return None;
                            }
                        }
                        self.fixed[at] = Some((base, by));
                    }
                    _ => kept.push(number),
                }
            }
            if kept.len() == before {
                return Some(());
            }
            left = kept;
        }
    }

    /// How a sum moves by answers and fixed shifts: at the center, and by which answers.
    fn change(&self, sum: &Affine) -> (RBig, Slopes) {
        let mut at_center = RBig::ZERO;
        let mut slopes = Slopes::new();
        let mut slope =
            |answer: usize, by: RBig| match slopes.iter_mut().find(|(i, _)| *i == answer) {
                Some((_, sum)) => *sum += by,
                None => slopes.push((answer, by)),
            };
        for (unknown, factor) in &sum.terms {
            match unknown {
                Unknown::Answer(at) => {
                    at_center += factor * &self.center[*at];
                    if !self.radius[*at].is_zero() {
                        slope(*at, factor.clone());
                    }
                }
                Unknown::Draw(at) => {
                    if let Some((base, by)) = &self.fixed[*at] {
                        at_center += factor * base;
                        by.iter().for_each(|(answer, by)| slope(*answer, factor * by));
                    }
                }
            }
        }
        slopes.retain(|(_, slope)| !slope.is_zero());
        (at_center, slopes)
    }

    /// Solves for the draws that are not fixed.
    fn find(mut self, piece: &Piece) -> Option<(Shift, f64)> {
        self.variables();
        for number in self.released().into_iter().cloned().collect::<Vec<_>>() {
            let (center, slopes) = self.change(&number);
            let line = self.line(&number, None);
            if line.is_empty() && (!center.is_zero() || !slopes.is_empty()) {
                return None;
            }
            self.program.equals(line, -center);
            for answer in 0..self.radius.len() {
                let line = self.line(&number, Some(answer));
                let far = self.far(&slopes, answer);
                if !line.is_empty() || !far.is_zero() {
                    self.program.equals(line, -far);
                }
            }
        }
        for row in &piece.rows {
            self.row(&row.value);
        }
        let solution = self.program.solve()?;
        let value = |[more, less]: &Signed| &solution[*more] - &solution[*less];
        let mut cost = 0.0;
        let mut spreads = vec![0.0; self.radius.len()];
        let (mut base, mut by) = (Vec::new(), Vec::new());
        for (at, draw) in self.path.draws.iter().enumerate() {
            let (own, own_by) = match (&self.fixed[at], &self.base[at]) {
                (Some((base, by)), _) => (base.clone(), by.clone()),
                (None, None) => (RBig::ZERO, Vec::new()),
                (None, Some(signed)) => {
                    let follows = |i: usize| {
                        let by = value(self.by.get(&(at, i))?) * &draw.scale / &self.radius[i];
                        (!by.is_zero()).then_some((i, by))
                    };
                    let by = (0..self.radius.len()).filter_map(follows);
                    (value(signed) * &draw.scale, by.collect())
                }
            };
            let scale = double(&draw.scale);
            for (i, by) in &own_by {
                spreads[*i] += double(by).abs() * double(&self.radius[*i]) / scale;
            }
            cost += double(&own).abs() / scale;
            base.push(own);
            by.push(own_by);
        }
        let (center, radius) = (self.center.to_vec(), self.radius.to_vec());
        let spread = match self.in_sum {
            true => spreads.into_iter().fold(0.0, f64::max),
            false => spreads.into_iter().sum::<f64>(),
        };
        Some((Shift { center, radius, in_sum: self.in_sum, base, by }, cost + spread))
    }

    /// Variables for the shift of each draw that may be shifted, and of those that are released for how it follows the
    /// answers that are.
    fn variables(&mut self) {
        let released = self.released();
        let involved = unknowns(released.into_iter());
        for (at, draw) in self.path.draws.iter().enumerate() {
            let can = self.fixed[at].is_none()
                && matches!(draw.law, Noise::Laplace | Noise::Exponential | Noise::Gumbel);
            let signed = can.then(|| [(); 2].map(|()| self.program.variable(RBig::ONE)));
            if let Some([_, less]) = signed
                && draw.law != Noise::Laplace
            {
                // Never less than 0.
                self.program.at_least(vec![(less, -RBig::ONE)], RBig::ZERO);
            }
            if signed.is_some()
                && !self.in_sum
                && draw.law == Noise::Laplace
                && involved.contains(&Unknown::Draw(at))
            {
                for answer in 0..self.radius.len() {
                    if !self.radius[answer].is_zero() && involved.contains(&Unknown::Answer(answer))
                    {
                        let pair = [(); 2].map(|()| self.program.variable(RBig::ONE));
                        self.by.insert((at, answer), pair);
                    }
                }
            }
            self.base.push(signed);
        }
    }

    /// The free shifts in a sum, or how they follow one answer, over its whole radius.
    fn line(&self, sum: &Affine, follows: Option<usize>) -> Vec<(usize, RBig)> {
        let mut line = Vec::new();
        for (unknown, factor) in &sum.terms {
            if let Unknown::Draw(at) = unknown {
                let signed = match follows {
                    None => self.base[*at].as_ref(),
                    Some(answer) => self.by.get(&(*at, answer)),
                };
                if let Some([more, less]) = signed {
                    let factor = factor * &self.path.draws[*at].scale;
                    line.extend([(*more, factor.clone()), (*less, -factor)]);
                }
            }
        }
        line
    }

    /// The slope of an answer, times its radius.
    fn far(&self, slopes: &Slopes, answer: usize) -> RBig {
        let slope = slopes.iter().find(|(i, _)| *i == answer);
        slope.map_or(RBig::ZERO, |(_, slope)| slope * &self.radius[answer])
    }

    /// A row stays at least 0: at the center, less the most that the box takes away.
    fn row(&mut self, sum: &Affine) {
        let (center, slopes) = self.change(sum);
        let mut row = self.line(sum, None);
        let mut most = RBig::ZERO;
        for answer in 0..self.radius.len() {
            let far = self.far(&slopes, answer);
            let size = if far < RBig::ZERO { -&far } else { far.clone() };
            let follows = self.line(sum, Some(answer));
            match follows.iter().map(|(_, factor)| factor).max() {
                None if self.in_sum => most = most.max(size),
                None => most += size,
                Some(unit) => {
                    // At least the slope and its opposite.
                    let bound = self.program.variable(RBig::from_parts(1.into(), SMALL.into()));
                    let opposite = follows.iter().map(|(at, factor)| (*at, -factor));
                    let above = opposite.chain([(bound, unit.clone())]).collect();
                    self.program.at_least(above, far.clone());
                    let below = follows.iter().cloned().chain([(bound, unit.clone())]).collect();
                    self.program.at_least(below, -far);
                    row.push((bound, -unit));
                }
            }
        }
        let bound = most - center;
        if !row.is_empty() || bound > RBig::ZERO {
            self.program.at_least(row, bound);
        }
    }
}

pub fn unknowns<'a>(sums: impl Iterator<Item = &'a Affine>) -> BTreeSet<Unknown> {
    sums.flat_map(|sum| sum.terms.iter().map(|(unknown, _)| *unknown)).collect()
}

pub fn double(number: &RBig) -> f64 {
    number.to_f64().value()
}

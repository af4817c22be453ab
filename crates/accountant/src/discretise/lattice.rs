//! Laws of the loss on a lattice: one that dominates a law as it is seen, and one that it
//! dominates.
//!
//! From above, each outcome is split between the two lattice points around its loss such that its
//! mass under both P and Q stays what it was: a mean-preserving spread of X = dP/dQ, which is
//! "connecting the dots" of the profile (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, Sec.
//! 4). From below, outcomes are put together, in order of their loss, until the X of the group is
//! that of a lattice point: a conditional expectation, whose profile is a chain of tangents that
//! meet at lattice points. Both err by the square of the width in each use.

use crate::component::pair::{LawPair, LawPart};
use crate::component::part::Place;
use crate::component::view::UseView;

/// A law of the loss on points `offset + step·point`, ascending: P-masses that may lack some of
/// the whole, and the P-mass of loss +∞.
#[derive(Clone, Debug)]
pub(crate) struct LossLattice {
    pub step: f64,
    pub offset: f64,
    pub points: Vec<i64>,
    pub masses: Vec<f64>,
    pub infinite: f64,
}

impl LossLattice {
    pub fn without_loss(step: f64) -> Self {
        Self { step, offset: 0.0, points: vec![0], masses: vec![1.0], infinite: 0.0 }
    }

    pub fn loss(&self, point: i64) -> f64 {
        // Below 2^53: the conversion is exact.
        self.offset + self.step * point as f64
    }
}

/// Cuts of a law: lattice points, and how outcomes are spread between them.
#[derive(Clone, Debug)]
pub(crate) struct LatticeGrid {
    step: f64,
    offset: f64,
    points: Vec<i64>,
    /// Outcomes between the first point and the last, ascending in loss.
    parts: Vec<LawPart>,
    below: f64,
    /// P-mass above the last one, the infinite with it.
    above: f64,
    infinite: f64,
    /// Outcomes further apart than this, in loss, are not put together: that would lose more than
    /// to round them down.
    far: f64,
}

/// Required fineness of a grid, by the loss as seen: the distance of neighboring points there is 2
/// to this power, in steps.
pub(crate) type Coarseness<'a> = &'a dyn Fn(f64) -> u32;

impl LatticeGrid {
    /// Cuts a law as seen. P- and Q-mass below `floor` at each end is not resolved.
    pub fn new(
        law: &LawPair,
        view: UseView,
        (step, offset): (f64, f64),
        floor: f64,
        coarseness: Coarseness<'_>,
    ) -> Self {
        let (start, end) = law.range(floor);
        let (start, end) = if view.is_reversed() { (end, start) } else { (start, end) };
        let (start, end) = (view.loss(start), view.loss(end));
        let mut atoms: Vec<LawPart> = law.atoms().into_iter().map(|part| view.of(part)).collect();
        atoms.extend(view.hidden(law));
        atoms.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let infinite: f64 = atoms.iter().filter(|x| x.loss == f64::INFINITY).map(|x| x.p).sum();
        atoms.retain(|part| part.loss.is_finite() && part.p > 0.0);

        let mut grid = Self {
            step,
            offset,
            points: Vec::new(),
            parts: Vec::new(),
            below: 0.0,
            above: infinite,
            infinite,
            far: 0.05,
        };
        if matches!(law, LawPair::Atoms { .. }) {
            for part in &mut atoms {
                grid.snap(part);
                let floor = grid.point_below(part.loss);
                grid.points.push(floor);
                if grid.loss(floor) < part.loss {
                    grid.points.push(floor + 1);
                }
            }
            if grid.points.is_empty() {
                // All losses are infinite.
                grid.points.push(0);
            }
            grid.points.sort_unstable();
            grid.points.dedup();
            grid.parts = atoms;
            return grid;
        }
        grid.points = grid.spaced(start, end, coarseness);
        let widest = grid.points.windows(2).map(|two| two[1] - two[0]).max().unwrap_or(1);
        grid.far = grid.far.max(4.0 * step * widest as f64);
        for part in &mut atoms {
            grid.snap(part);
        }
        grid.cut(law, view, &atoms);
        grid
    }

    fn loss(&self, point: i64) -> f64 {
        self.offset + self.step * point as f64
    }

    /// The last point that is not above a loss.
    fn point_below(&self, loss: f64) -> i64 {
        // Losses and steps are bounded such that this is far below 2^53.
        #[allow(clippy::cast_possible_truncation)]
        let near = ((loss - self.offset) / self.step).floor() as i64;
        // Division rounds.
        if self.loss(near) > loss {
            near - 1
        } else if self.loss(near + 1) <= loss {
            near + 1
        } else {
            near
        }
    }

    /// Moves an atom onto a point that it misses by rounding only.
    fn snap(&self, part: &mut LawPart) {
        let nearest = self.loss(self.point_below(part.loss + 0.5 * self.step));
        if (nearest - part.loss).abs() <= 8.0 * f64::EPSILON * (part.loss.abs() + self.step) {
            part.loss = nearest;
        }
    }

    /// Points from at or below `start` to at or above `end`, as far apart as is allowed, each a
    /// multiple of the distances around it; with 0 among them if it is between.
    fn spaced(&self, start: f64, end: f64, coarseness: Coarseness<'_>) -> Vec<i64> {
        let first = self.point_below(start);
        let mut last = self.point_below(end);
        if self.loss(last) < end {
            last += 1;
        }
        // Only where they are beyond all whole numbers.
        let (first, last) = (first.min(last), last.max(first));
        // From the middle outward, so that the distances grow.
        let middle = 0_i64.clamp(first, last);
        let outward = |sign: i64, limit: i64| {
            let mut points = Vec::new();
            let mut at = 0_i64;
            while at < limit {
                let mut gap = 1_i64 << coarseness(self.loss(middle + sign * at)).min(40);
                while at % gap != 0 {
                    gap >>= 1;
                }
                // Never far beyond the limit.
                while gap > 1 && at + gap > limit {
                    gap >>= 1;
                }
                at += gap;
                points.push(middle + sign * at);
            }
            points
        };
        let mut points = outward(-1, middle - first);
        points.reverse();
        points.push(middle);
        points.extend(outward(1, last - middle));
        if points.len() == 1 {
            points.push(middle + 1);
        }
        points
    }

    /// Cuts continuous parts at the points and in the middle between them, and puts the atoms where
    /// they belong.
    fn cut(&mut self, law: &LawPair, view: UseView, atoms: &[LawPart]) {
        let mut edges = Vec::with_capacity(2 * self.points.len());
        for two in self.points.windows(2) {
            let (low, high) = (self.loss(two[0]), self.loss(two[1]));
            edges.push(low);
            edges.push(0.5 * (low + high));
        }
        let last = self.loss(self.points[self.points.len() - 1]);
        edges.push(last);
        let base: Vec<Place> = edges.iter().map(|&edge| law.place(view.base(edge))).collect();
        let within = |from: Place, to: Place| {
            let (low, high) = if from.loss < to.loss { (from, to) } else { (to, from) };
            law.part(low, high).map(|part| view.of(part)).filter(|part| part.p > 0.0)
        };
        let far = if view.is_reversed() { f64::NEG_INFINITY } else { f64::INFINITY };
        let (bottom, top) = (law.place(-far), law.place(far));
        self.below = within(bottom, base[0]).map_or(0.0, |part| part.p);
        self.above += within(base[base.len() - 1], top).map_or(0.0, |part| part.p);
        let mut atoms = atoms.iter().peekable();
        for (edge, base) in edges.windows(2).zip(base.windows(2)) {
            while let Some(atom) = atoms.next_if(|atom| atom.loss <= edge[0]) {
                self.parts.push(*atom);
            }
            if let Some(mut part) = within(base[0], base[1]) {
                part.loss = part.loss.clamp(edge[0], edge[1]);
                let middle = atoms.peek().is_some_and(|atom| atom.loss < part.loss);
                if middle && let Some(atom) = atoms.next() {
                    self.parts.push(*atom);
                }
                self.parts.push(part);
            }
        }
        self.parts.extend(atoms);
    }

    /// A law on the points that dominates.
    pub fn upper(&self) -> LossLattice {
        let mut masses = vec![0.0; self.points.len()];
        let mut at = 0;
        for part in &self.parts {
            while at + 1 < self.points.len() && self.loss(self.points[at + 1]) <= part.loss {
                at += 1;
            }
            let low = self.loss(self.points[at]);
            if at + 1 == self.points.len() || part.loss <= low {
                // On a point: the last one is at or above all parts.
                masses[at] += part.p;
                continue;
            }
            let high = self.loss(self.points[at + 1]);
            let share = ((low - part.loss).exp_m1() / (low - high).exp_m1()).clamp(0.0, 1.0);
            masses[at] += part.p * (1.0 - share);
            masses[at + 1] += part.p * share;
        }
        masses[0] += self.below;
        self.law(masses, self.above)
    }

    /// A law on the points that is dominated. What is below the first point is left out, which
    /// lowers the profile; so is mass above the last one, except true infinity.
    pub fn lower(&self) -> LossLattice {
        let mut masses = vec![0.0; self.points.len()];
        // The group: its P-mass, its Σ p (1 − e^(ℓ_point − ℓ)) <= 0, and its point.
        let (mut mass, mut lack, mut at) = (0.0, 0.0, 0);
        let mut previous = f64::NEG_INFINITY;
        for part in &self.parts {
            let mut p = part.p;
            if mass > 0.0 && part.loss - previous > self.far {
                self.settle(&mut masses, mass, lack, at);
                (mass, lack) = (0.0, 0.0);
            }
            previous = part.loss;
            while p > 0.0 {
                if mass == 0.0 {
                    while at < self.points.len() && self.loss(self.points[at]) < part.loss {
                        at += 1;
                    }
                }
                if at == self.points.len() {
                    // Above the last point, by rounding.
                    masses[at - 1] += p;
                    at -= 1;
                    break;
                }
                let gain = -(self.loss(self.points[at]) - part.loss).exp_m1();
                if p * gain + lack <= 0.0 {
                    mass += p;
                    lack += p * gain;
                    break;
                }
                let share = (-lack / (p * gain)).clamp(0.0, 1.0);
                masses[at] += mass + share * p;
                p *= 1.0 - share;
                (mass, lack) = (0.0, 0.0);
                at += 1;
                if at == self.points.len() {
                    masses[at - 1] += p;
                    at -= 1;
                    break;
                }
            }
        }
        if mass > 0.0 {
            self.settle(&mut masses, mass, lack, at);
        }
        self.law(masses, self.infinite)
    }

    /// Puts a group that does not reach its point on the last point that it does reach: a smaller
    /// loss of the same P-mass, which lowers the profile of every composition. What it is above that
    /// point, masses near below make up for, which are put together with it: that lowers less.
    fn settle(&self, masses: &mut [f64], mass: f64, lack: f64, mut at: usize) {
        // ln X of the group is that of its point plus this.
        let below = if lack == 0.0 { 0.0 } else { (mass / (mass - lack)).ln() };
        let loss = self.loss(self.points[at]) + below;
        while at > 0 && self.loss(self.points[at]) > loss {
            at -= 1;
        }
        let here = self.loss(self.points[at]);
        if here > loss {
            return;
        }
        masses[at] += mass;
        // Σ p e^(−ℓ) of a group is that of its point, times e^(−ℓ) there.
        let mut above = -mass * (here - loss).exp_m1();
        for below in (0..at).rev() {
            let gain = (here - self.loss(self.points[below])).exp_m1();
            if above <= 0.0 || here - self.loss(self.points[below]) > self.far {
                break;
            }
            let taken = masses[below].min(above / gain);
            masses[below] -= taken;
            masses[at] += taken;
            above -= taken * gain;
        }
    }

    fn law(&self, masses: Vec<f64>, infinite: f64) -> LossLattice {
        LossLattice {
            step: self.step,
            offset: self.offset,
            points: self.points.clone(),
            masses,
            infinite,
        }
    }
}

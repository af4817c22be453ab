//! Rough laws of one step as seen: enough to show where a composition's losses are typical under
//! which tilt.

use crate::component::law::Choice;
use crate::component::pair::LawPair;
use crate::component::uses::Use;
use crate::component::view::UseView;
use crate::discretise::product::Cumulants;

/// Outside, masses of single laws are not resolved.
pub(crate) const FLOOR: f64 = 1e-250;
const TILTS: usize = 48;

/// A tilt, the estimated ln of the moment generating function there, the total loss that it makes
/// typical and its standard deviation, and ln δ there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tilt {
    pub lambda: f64,
    pub value: f64,
    pub loss: f64,
    pub deviation: f64,
    pub ln_delta: f64,
}

/// Atoms (P-mass, loss) of each use to estimate cumulants of, and a count.
#[derive(Debug)]
pub(crate) struct PilotApproximation(Vec<(Vec<(f64, f64)>, f64)>);

impl PilotApproximation {
    pub fn new(uses: &[Use], absent: bool) -> Self {
        let of_use = |it: &Use| {
            let of = |choice: &Choice| {
                let (weight, atoms) = (choice.weight, atoms(&choice.pair, choice.view(absent)));
                atoms.into_iter().map(move |(p, loss)| (weight * p, loss))
            };
            (it.upper.0.iter().flat_map(of).collect(), it.count as f64)
        };
        Self(uses.iter().map(of_use).collect())
    }

    pub fn cumulants(&self, lambda: f64) -> Cumulants {
        let mut total = Cumulants::default();
        for (atoms, count) in &self.0 {
            total.add(Cumulants::of(atoms.iter().copied(), lambda), *count);
        }
        total
    }

    /// The smallest standard deviation of a single use.
    pub fn least_deviation(&self) -> f64 {
        let deviation = |(atoms, _): &(Vec<(f64, f64)>, f64)| {
            Cumulants::of(atoms.iter().copied(), 0.0).variance.max(0.0).sqrt()
        };
        self.0.iter().map(deviation).fold(f64::INFINITY, f64::min)
    }

    /// The largest loss of a single use, in absolute value.
    pub fn widest(&self) -> f64 {
        let losses = self.0.iter().flat_map(|(atoms, _)| atoms.iter().map(|atom| atom.1.abs()));
        losses.fold(0.0, f64::max)
    }

    fn end(&self) -> f64 {
        let largest = |atoms: &[(f64, f64)]| atoms.iter().map(|atom| atom.1).fold(-1e300, f64::max);
        self.0.iter().map(|(atoms, count)| count * largest(atoms)).sum()
    }

    /// A tilt, with the saddle-point estimate of δ at its typical loss; `None` where exponents
    /// overflow.
    fn tilt(&self, lambda: f64) -> Option<Tilt> {
        let here = self.cumulants(lambda);
        if !(here.value.is_finite() && here.mean.is_finite()) {
            return None;
        }
        let deviation = here.variance.max(0.0).sqrt();
        let scale = (lambda * (lambda + 1.0) * deviation * std::f64::consts::TAU.sqrt()).max(2.0);
        let ln_delta = here.value - lambda * here.mean - scale.ln();
        Some(Tilt { lambda, value: here.value, loss: here.mean, deviation, ln_delta })
    }

    /// Distance of the next tilt: for bell-shaped losses, it moves the typical one by about two
    /// standard deviations. Where a few rare losses take over, typical losses may be far apart.
    fn step(&self, from: &Tilt) -> f64 {
        // In between, Chernoff's bound is below the better one of both ends by at most this exponent,
        // as the tangents of K at the ends show.
        const MOST: f64 = 1.5;
        let (mut low, mut high, mut step) = (0.0, f64::INFINITY, 2.0 / from.deviation);
        for _ in 0..60 {
            let there = self.cumulants(from.lambda + step);
            let slope = (there.value - from.value) / step;
            let (before, after) = (slope - from.loss, there.mean - slope);
            let gap = step * before * after / (before + after);
            if gap <= MOST {
                if gap >= 0.5 * MOST || gap <= 0.0 {
                    break;
                }
                low = step;
                step = if high.is_finite() { 0.5 * (low + high) } else { 1.5 * step };
            } else {
                // It is too large, or does not exist as exponents overflow.
                high = step;
                step = 0.5 * (low + high);
            }
        }
        step
    }

    /// Tilts so near each other that for each loss one is good enough, and one for the δ that matters
    /// most; and the place of that.
    pub fn tilts(&self, delta: f64) -> (Vec<Tilt>, usize) {
        let end = self.end();
        let mut tilts: Vec<Tilt> = Vec::new();
        let mut lambda = 0.0;
        while tilts.len() < TILTS {
            let Some(tilt) = self.tilt(lambda) else { break };
            tilts.push(tilt);
            let aim = tilt.loss + 2.0 * tilt.deviation;
            if tilt.ln_delta < -540.0 || tilt.deviation == 0.0 || aim >= end {
                break;
            }
            lambda += self.step(&tilt);
        }
        if tilts.is_empty() {
            // No loss is finite.
            tilts.push(Tilt { lambda: 0.0, value: 0.0, loss: 0.0, deviation: 0.0, ln_delta: 0.0 });
        }
        let aim = delta.max(1e-200).ln();
        let after = tilts.partition_point(|tilt| tilt.ln_delta > aim);
        if after == 0 || after == tilts.len() {
            return (tilts, after.saturating_sub(1));
        }
        let (mut low, mut high) = (tilts[after - 1], tilts[after]);
        for _ in 0..6 {
            let Some(middle) = self.tilt(0.5 * (low.lambda + high.lambda)) else { break };
            if middle.ln_delta > aim { low = middle } else { high = middle }
        }
        tilts.insert(after, low);
        (tilts, after)
    }
}

/// Atoms (P-mass, loss) of a law as it is seen.
pub(crate) fn atoms(law: &LawPair, view: UseView) -> Vec<(f64, f64)> {
    let mut parts = law.atoms();
    if parts.len() < 3 {
        parts.extend(
            edges(law).windows(2).filter_map(|two| law.part(law.place(two[0]), law.place(two[1]))),
        );
    }
    parts.extend(view.hidden(law));
    let seen = parts.into_iter().map(|part| view.of(part));
    let finite = seen.filter(|part| part.loss.is_finite() && part.p > 0.0);
    finite.map(|part| (part.p, part.loss)).collect()
}

/// Edges at which a pilot cuts a law: even, except that there is little to resolve between two
/// distant masses.
fn edges(law: &LawPair) -> Vec<f64> {
    const PARTS: u32 = 600;
    const BETWEEN: u32 = 60;
    if let LawPair::Mixture(pair) = law {
        return pair.even_losses(FLOOR, PARTS);
    }
    let (start, end) = law.range(FLOOR);
    // How far from the ends the masses under P and under Q reach.
    let reach = match *law {
        LawPair::Gaussian { mu } => 2.0 * (end - 0.5 * mu * mu),
        _ => 100.0,
    };
    let evenly = |from: f64, to: f64, parts: u32| {
        (0..parts).map(move |i| from + (to - from) * f64::from(i) / f64::from(parts))
    };
    if end - start <= 4.0 * reach {
        return evenly(start, end, PARTS).chain([end]).collect();
    }
    let (low, high) = (start + reach, end - reach);
    let sides = evenly(start, low, PARTS / 2).chain(evenly(low, high, BETWEEN));
    sides.chain(evenly(high, end, PARTS / 2)).chain([end]).collect()
}

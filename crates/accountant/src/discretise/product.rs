//! Laws of one step, composed in name only: their counts, and the cumulants of the total loss.

use crate::discretise::lattice::LossLattice;

/// Laws of one step on a common lattice, each with its number of uses.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub step: f64,
    pub factors: Vec<Factor>,
}

#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub law: LossLattice,
    pub count: u64,
    /// Bound on the relative error of each mass.
    pub mass_error: f64,
    /// Bound on the error of each loss.
    pub loss_error: f64,
}

impl Factor {
    /// The probability of an infinite loss.
    pub fn infinite(&self) -> f64 {
        self.law.infinite
    }

    /// At least ln of the moment generating function of the finite loss, for λ > 0.
    pub fn log_moment_above(&self, lambda: f64) -> f64 {
        // The sum over points is also rounded.
        self.log_moment(lambda) + 2.0 * self.mass_error + lambda * self.loss_error + 1e-11
    }

    /// ln of the moment generating function of the finite loss.
    pub fn log_moment(&self, lambda: f64) -> f64 {
        let law = &self.law;
        let terms = || {
            let losses = law.points.iter().map(|&point| lambda * law.loss(point));
            law.masses.iter().zip(losses).filter(|(p, _)| **p > 0.0)
        };
        // The largest exponent, so that nothing overflows.
        let top = terms().map(|(_, exponent)| exponent).fold(f64::NEG_INFINITY, f64::max);
        let top = if top > 600.0 {
            terms().map(|(p, exponent)| exponent + p.ln()).fold(f64::NEG_INFINITY, f64::max)
        } else {
            0.0
        };
        let sum: f64 = if top == 0.0 {
            terms().map(|(p, exponent)| p * exponent.exp()).sum()
        } else {
            terms().map(|(p, exponent)| (exponent + p.ln() - top).exp()).sum()
        };
        top + sum.ln()
    }
}

/// ln of the moment generating function of a total loss, and its first two derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cumulants {
    pub value: f64,
    pub mean: f64,
    pub variance: f64,
}

impl Cumulants {
    /// ln Σ p e^(λℓ) of one law, and its derivatives.
    pub fn of(atoms: impl Iterator<Item = (f64, f64)> + Clone, lambda: f64) -> Self {
        let exponent = |(p, loss): (f64, f64)| lambda * loss + p.ln();
        let atoms = atoms.filter(|(p, _)| *p > 0.0);
        // Around a loss that is typical, so that little cancels.
        let typical = |best: (f64, f64), atom| {
            let here = exponent(atom);
            if here > best.0 { (here, atom.1) } else { best }
        };
        let (top, center) = atoms.clone().fold((f64::NEG_INFINITY, 0.0), typical);
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        for (p, loss) in atoms {
            let (weight, away) = (p * (lambda * loss - top).exp(), loss - center);
            sum += weight;
            first += weight * away;
            second += weight * away * away;
        }
        let mean = first / sum;
        let variance = (second / sum - mean * mean).max(0.0);
        Self { value: top + sum.ln(), mean: center + mean, variance }
    }

    pub fn add(&mut self, other: Self, count: f64) {
        self.value += count * other.value;
        self.mean += count * other.mean;
        self.variance += count * other.variance;
    }
}

impl Product {
    pub fn offset(&self) -> f64 {
        self.factors.iter().map(|factor| factor.count as f64 * factor.law.offset).sum()
    }

    /// The probability that some loss is infinite.
    pub fn infinite(&self) -> f64 {
        let finite = |factor: &Factor| factor.count as f64 * (-factor.law.infinite).ln_1p();
        -self.factors.iter().map(finite).sum::<f64>().exp_m1()
    }

    pub fn cumulants(&self, lambda: f64) -> Cumulants {
        let mut total = Cumulants::default();
        for Factor { law, count, .. } in &self.factors {
            let losses = law.points.iter().map(|&point| law.loss(point));
            let atoms = law.masses.iter().copied().zip(losses);
            total.add(Cumulants::of(atoms, lambda), *count as f64);
        }
        total
    }

    /// ln of the moment generating function of the total of the finite losses.
    pub fn log_moment(&self, lambda: f64) -> f64 {
        self.factors.iter().map(|factor| factor.count as f64 * factor.log_moment(lambda)).sum()
    }

    /// At least that, for λ > 0.
    pub fn log_moment_above(&self, lambda: f64) -> f64 {
        let of = |factor: &Factor| factor.count as f64 * factor.log_moment_above(lambda);
        self.factors.iter().map(of).sum::<f64>()
    }

    /// The least and the greatest total, as sums of points.
    pub fn ends(&self) -> (f64, f64) {
        self.factors.iter().fold((0.0, 0.0), |(least, greatest), factor| {
            let first = factor.law.points.first().map_or(0.0, |&point| point as f64);
            let last = factor.law.points.last().map_or(0.0, |&point| point as f64);
            let count = factor.count as f64;
            (least + count * first, greatest + count * last)
        })
    }
}

//! All releases together, and their privacy.

use super::arithmetic::{compare, rational};
use super::shift::Shift;
use crate::mechanism::choice::Rational;
use crate::mechanism::{AddedNoise, Release};
use crate::verify::enclose::{Enclosure, double_above, double_below};
use crate::verify::held::Held;
use plaudit_accountant::{Composition, Curve, Event, EventKind};
use plaudit_core::dataset::Relation;
use plaudit_core::loss::ExactLoss;

/// Consecutive releases, and the distance of two datasets' answers in each.
#[derive(Clone, Debug)]
pub(super) struct Released {
    /// Each with its number of uses.
    parts: Vec<(Shift, u32)>,
    /// `true` if one pair of datasets moves the answers of all parts as far as any pair does.
    together: bool,
    /// The accountant's profile, for shifts rounded down and rounded up, if there is no formula:
    /// upper ends hold for all pairs, lower ends for one, if there is such a pair.
    curves: Option<[Curve; 2]>,
}

impl Released {
    /// Releases of mechanisms on lists of `entries` numbers; `None`: the relation is not a
    /// distance, or a distance of 0, or the noise is too large or too small for the accountant.
    pub fn new(releases: &[Release], relation: &Relation, entries: u32) -> Option<Self> {
        let shift = |release: &Release| {
            let entries = if release.of_one_entry { 1 } else { entries };
            Some((
                Shift::new(release.noise, relation, entries)?,
                u32::try_from(release.count).ok()?,
            ))
        };
        let parts = releases.iter().map(shift).collect::<Option<Vec<_>>>()?;
        if parts.iter().any(|(shift, _)| shift.size.lower.is_zero()) {
            return None;
        }
        // One release alone moves as far as its worst pair, even if it is of one entry that the
        // data choose: some lists always have the same one chosen.
        let together = releases.len() == 1 || entries == 1 || matches!(relation, Relation::Linf(_));
        Self { parts, together, curves: None }.accounted()
    }

    /// The releases for datasets `neighbors` neighbors apart.
    pub fn apart(&self, neighbors: u64) -> Option<Self> {
        let parts = self.parts.iter().map(|(shift, count)| (shift.apart(neighbors), *count));
        Self { parts: parts.collect(), together: self.together, curves: None }.accounted()
    }

    /// Adds the accountant's profile where there is no formula. Only for several uses: a single one
    /// is a [`Shift`].
    fn accounted(mut self) -> Option<Self> {
        let total = |(shift, count): &(Shift, u32)| {
            u64::from(shift.laplace_uses().map_or(1, |uses| uses.0)) * u64::from(*count)
        };
        if self.parts.iter().map(total).sum::<u64>() > 1 {
            let below = self.events(|size| double_below(&size.lower));
            let above = self.events(|size| double_above(&size.upper));
            let curve = |events: Vec<Event>| Composition::new(events).ok()?.curve().ok();
            let above = (curve(above.clone())?, above);
            let below = if below == above.1 { above.0.clone() } else { curve(below)? };
            self.curves = Some([below, above.0]);
        }
        Some(self)
    }

    /// The accountant's events, with rounded sizes; Laplace noise on several numbers with unknown
    /// moves counts as the worst case.
    fn events(&self, rounded: fn(&Enclosure) -> f64) -> Vec<Event> {
        let event = |(shift, count): &(Shift, u32)| {
            let (uses, size) = shift.laplace_uses().unwrap_or((1, shift.size.clone()));
            let size = rounded(&size);
            let kind = match shift.noise {
                AddedNoise::Gaussian { .. } => {
                    EventKind::Gaussian { sigma: 1.0, sensitivity: size }
                }
                AddedNoise::Laplace { .. } if shift.laplace_uses().is_some() => {
                    EventKind::Laplace { scale: 1.0, sensitivity: size }
                }
                AddedNoise::Laplace { .. } => EventKind::EpsilonDelta { epsilon: size, delta: 0.0 },
            };
            Event { count: u64::from(uses) * u64::from(*count), ..Event::once(kind) }
        };
        self.parts.iter().map(event).collect()
    }

    pub fn parts(&self) -> &[(Shift, u32)] {
        &self.parts
    }

    /// The only part, if there is one part with one use.
    fn only(&self) -> Option<&Shift> {
        match self.parts.as_slice() {
            [(shift, 1)] => Some(shift),
            _ => None,
        }
    }

    /// δ(ε) of the worst pair for an enclosed ε: lower at its upper end, and vice versa.
    pub fn delta(&self, epsilon: &Enclosure) -> Enclosure {
        // Every combination leaks at least as much as one part alone.
        let of_one = |(shift, _): &(Shift, u32)| shift.delta(&epsilon.upper).lower;
        let mut lower = self.parts.iter().map(of_one).fold(Rational::ZERO, Rational::max);
        let mut upper = Rational::ONE;
        if let Some(shift) = self.only() {
            upper = shift.delta(&epsilon.lower).upper;
        }
        if let Some([below, above]) = &self.curves {
            upper = upper.min(rational(above.delta_at(double_below(&epsilon.lower)).upper));
            if self.reaches_its_curve() {
                lower = lower.max(rational(below.delta_at(double_above(&epsilon.upper)).lower));
            }
        }
        Enclosure { lower, upper }
    }

    /// `true` if some pair has the accountant's profile.
    fn reaches_its_curve(&self) -> bool {
        let known = |(shift, _): &(Shift, u32)| match shift.noise {
            AddedNoise::Gaussian { .. } => true,
            AddedNoise::Laplace { .. } => shift.laplace_uses().is_some(),
        };
        self.together && self.parts.iter().all(known)
    }

    /// The smallest ε of ε-DP; `None`: it does not exist.
    pub fn largest_loss(&self) -> Option<Enclosure> {
        let mut sum = Enclosure::exact(Rational::ZERO);
        let mut most = Rational::ZERO;
        for (shift, count) in &self.parts {
            let AddedNoise::Laplace { .. } = shift.noise else { return None };
            let all = shift.size.scaled(&Rational::from(*count));
            sum = Enclosure { lower: sum.lower + &all.lower, upper: sum.upper + all.upper };
            most = most.max(all.lower);
        }
        let lower = if self.together { sum.lower } else { most };
        Some(Enclosure { lower, upper: sum.upper })
    }

    /// μ² of the smallest μ of μ-GDP, if all noise is Gaussian: Σ (Δ₂/σ)² (Dong, Roth, Su 2022,
    /// Corollary 3.3).
    pub fn squared_mu(&self) -> Option<Enclosure> {
        let mut sum = Enclosure::exact(Rational::ZERO);
        let mut most = Rational::ZERO;
        for (shift, count) in &self.parts {
            let AddedNoise::Gaussian { .. } = shift.noise else { return None };
            let square = |a: &Rational| a * a * Rational::from(*count);
            let lower = square(&shift.size.lower);
            most = most.max(lower.clone());
            sum = Enclosure {
                lower: sum.lower + lower,
                upper: sum.upper + square(&shift.size.upper),
            };
        }
        let lower = if self.together { sum.lower } else { most };
        Some(Enclosure { lower, upper: sum.upper })
    }

    /// Tests D_α <= `bound` on the worst pair: divergences add up (Mironov 2017, Proposition 1).
    ///
    /// The bound is split among the parts roughly as their divergences are: if each meets its
    /// share, all do; if none does, all exceed it, on a pair that is the worst of each.
    pub fn renyi(&self, order: f64, bound: &Rational) -> Held {
        if let Some(shift) = self.only() {
            return shift.renyi(order, bound);
        }
        if let Some(square) = self.squared_mu() {
            let twice = |a: Rational| rational(order) * a;
            return compare(twice(square.lower), twice(square.upper), &(bound + bound));
        }
        let about = |(shift, count): &(Shift, u32)| {
            let (uses, size) = shift.laplace_uses().unwrap_or((1, shift.size.clone()));
            let size = double_above(&size.upper);
            let loss = match shift.noise {
                AddedNoise::Laplace { .. } => ExactLoss::Laplace { shift: size },
                AddedNoise::Gaussian { .. } => ExactLoss::Gaussian { mu: size },
            };
            let one = loss.renyi(order).unwrap_or(1.0).max(f64::MIN_POSITIVE);
            rational(one) * Rational::from(uses) * Rational::from(*count)
        };
        let shares: Vec<Rational> = self.parts.iter().map(about).collect();
        let all = shares.iter().fold(Rational::ZERO, |sum, share| sum + share);
        if all.is_zero() {
            return Held::Unknown;
        }
        let mut held = self.parts.iter().zip(&shares).map(|((shift, count), share)| {
            let each = bound * share / &all / Rational::from(*count);
            let each = shift.renyi(order, &each);
            // Every combination leaks at least as much as one part alone.
            let alone = shift.renyi(order, &(bound / Rational::from(*count))) == Held::No;
            (each, alone)
        });
        let first = held.next().unwrap_or((Held::Unknown, false));
        let (held, alone) = held.fold(first, |(held, alone), (next, next_alone)| {
            (if next == held { held } else { Held::Unknown }, alone || next_alone)
        });
        match held {
            _ if alone => Held::No,
            Held::No if !self.together => Held::Unknown,
            held => held,
        }
    }
}

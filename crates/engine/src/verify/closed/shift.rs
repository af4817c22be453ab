//! One release of noise, and the shift of neighbors' answers in it.

use super::arithmetic::{compare, exact, rational, root};
use crate::mechanism::AddedNoise;
use crate::mechanism::choice::Rational;
use crate::verify::enclose::{Enclosure, Exponential};
use crate::verify::held::Held;
use crate::verify::moments;
use crate::verify::normal::cdf;
use dashu_int::UBig;
use plaudit_core::dataset::Relation;

/// Most entries for which it matters that each falls on one side with probability 1/2.
const MOST_HALVINGS: u32 = 4096;

/// Distance of neighbors' answers, over the size of the noise.
#[derive(Clone, Debug)]
pub(super) struct Shift {
    pub noise: AddedNoise,
    pub size: Enclosure,
    /// `true` if one entry can move all the way.
    in_one_entry: bool,
    /// `true` if all entries can move as far as any.
    all_entries: bool,
    entries: u32,
}

impl Shift {
    /// `None`: the relation is not a distance.
    pub fn new(noise: AddedNoise, relation: &Relation, entries: u32) -> Option<Self> {
        let (l1, l2) = match *relation {
            Relation::Histogram => (exact(1.0), exact(1.0)),
            Relation::L1(x) => (exact(x), exact(x)),
            Relation::L2(x) => (root(entries).scaled(&rational(x)), exact(x)),
            Relation::Linf(x) => {
                (exact(x).scaled(&Rational::from(entries)), root(entries).scaled(&rational(x)))
            }
            Relation::Substitution
            | Relation::AddRemove
            | Relation::RemoveAll(_)
            | Relation::ReplaceAll(_) => return None,
        };
        let (moved, by) = match noise {
            AddedNoise::Laplace { scale } => (l1, scale),
            AddedNoise::Gaussian { sigma } => (l2, sigma),
        };
        let in_one_entry =
            entries == 1 || matches!(relation, Relation::L1(_) | Relation::Histogram);
        let size = moved.scaled(&(Rational::ONE / rational(by)));
        let all_entries = matches!(relation, Relation::Linf(_));
        Some(Self { noise, size, in_one_entry, all_entries, entries })
    }

    /// The shift for datasets `neighbors` neighbors apart.
    pub fn apart(&self, neighbors: u64) -> Self {
        Self { size: self.size.scaled(&Rational::from(neighbors)), ..self.clone() }
    }

    /// The equivalent uses of Laplace noise on one number: their number, and the shift of each;
    /// `None`: there is no equivalent.
    pub fn laplace_uses(&self) -> Option<(u32, Enclosure)> {
        match self.noise {
            AddedNoise::Laplace { .. } if self.entries == 1 => Some((1, self.size.clone())),
            AddedNoise::Laplace { .. } if self.all_entries => {
                let each = Rational::ONE / Rational::from(self.entries);
                Some((self.entries, self.size.scaled(&each)))
            }
            _ => None,
        }
    }

    pub fn delta(&self, epsilon: &Rational) -> Enclosure {
        match self.noise {
            AddedNoise::Gaussian { .. } => {
                // It rises with the shift.
                let at = |a: &Rational| gaussian_delta(a, epsilon);
                Enclosure { lower: at(&self.size.lower).lower, upper: at(&self.size.upper).upper }
            }
            AddedNoise::Laplace { .. } => {
                let (a, two) = (&self.size, Rational::from(2));
                let one_entry = |a: &Rational| Exponential::of(&((epsilon - a) / &two));
                let at_most_1 =
                    |x: Exponential| x.upper.map_or(Rational::ZERO, |x| Rational::ONE - x);
                let lower = if *epsilon >= a.lower {
                    Rational::ZERO
                } else if self.in_one_entry {
                    at_most_1(one_entry(&a.lower))
                } else if self.entries > MOST_HALVINGS {
                    Rational::ZERO
                } else {
                    // All entries move the same way, and all fall on the near side.
                    let all = Rational::from_parts(1.into(), UBig::ONE << self.entries as usize);
                    all * at_most_1(Exponential::of(&(epsilon - &a.lower)))
                };
                let upper = if *epsilon >= a.upper {
                    Rational::ZERO
                } else if self.entries == 1 {
                    Rational::ONE - one_entry(&a.upper).lower
                } else {
                    // What pure a-DP implies (Kairouz, Oh, Viswanath 2015).
                    let (claimed, exp) = (Exponential::of(&a.upper), Exponential::of(epsilon));
                    let share = |claimed| (Rational::ONE + exp.lower) / (Rational::ONE + claimed);
                    Rational::ONE - claimed.upper.map_or(Rational::ZERO, share)
                };
                Enclosure { lower: lower.max(Rational::ZERO), upper: upper.max(Rational::ZERO) }
            }
        }
    }

    /// Tests whether D_α <= `bound`, on the worst pair.
    ///
    /// Gaussian: α a²/2 (Mironov 2017, Proposition 7). Laplace in one entry: Proposition 6, a function g of
    /// the shift that is convex with g(0) = 0, so that several entries that share a shift have no more;
    /// n entries that move as far each have n g(a/n).
    pub fn renyi(&self, order: f64, bound: &Rational) -> Held {
        match self.noise {
            AddedNoise::Gaussian { .. } => {
                let twice = |a: &Rational| rational(order) * a * a;
                compare(twice(&self.size.lower), twice(&self.size.upper), &(bound + bound))
            }
            AddedNoise::Laplace { .. } => {
                let together = moments::laplace(order, &self.size, bound);
                if self.in_one_entry || together == Held::Yes {
                    return together;
                }
                let entries = Rational::from(self.entries);
                let each = self.size.scaled(&(Rational::ONE / &entries));
                match moments::laplace(order, &each, &(bound / entries)) {
                    Held::Yes if !self.all_entries => Held::Unknown,
                    held => held,
                }
            }
        }
    }
}

/// δ(ε) of normal laws that are a standard deviations apart: Φ(a/2 − ε/a) − e^ε Φ(−a/2 − ε/a).
pub(super) fn gaussian_delta(a: &Rational, epsilon: &Rational) -> Enclosure {
    let (half, steep) = (a / Rational::from(2), epsilon / a);
    let (near, far) = (cdf(&(&half - &steep)), cdf(&-(half + steep)));
    let exp = Exponential::of(epsilon);
    let lower = exp.upper.map_or(Rational::ZERO, |exp| near.lower - exp * far.upper);
    let upper = near.upper - exp.lower * far.lower;
    Enclosure { lower: lower.max(Rational::ZERO), upper: upper.max(Rational::ZERO) }
}

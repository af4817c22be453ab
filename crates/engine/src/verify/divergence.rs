//! Exact distance of two enumerated laws.
//!
//! P and Q are the true laws on two datasets. Of each, masses were found, and some mass u is
//! unresolved: an event S has P(S) between p(S) and p(S) + u_P, where p(S) is what was found of it,
//! and likewise Q(S). With outcomes in descending order of p/q, every bound below is reached on one of
//! the events "the first k outcomes" (Neyman and Pearson 1933).

use super::enclose::Exponential;
use crate::mechanism::choice::{Law, Rational};
use crate::mechanism::order;
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

pub struct Divergence {
    /// Places of the outcomes in P's law, in descending order of p/q.
    pub order: Vec<usize>,
    /// The masses of the first k outcomes, k = 0, 1, …: under P and under Q.
    sums: Vec<(UBig, UBig)>,
    scale: (UBig, UBig),
    unresolved: (UBig, UBig),
}

/// A number enclosed from below and above; `None` is infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    pub lower: Option<Rational>,
    pub upper: Option<Rational>,
}

impl Between {
    /// The larger of two such numbers.
    pub fn max(self, other: Self) -> Self {
        let larger = |a: Option<Rational>, b: Option<Rational>| Some(a?.max(b?));
        Self { lower: larger(self.lower, other.lower), upper: larger(self.upper, other.upper) }
    }
}

impl Divergence {
    pub fn new(p: &Law, q: &Law) -> Self {
        let (p_masses, p_scale, p_unresolved) = whole(p);
        let (q_masses, q_scale, q_unresolved) = whole(q);
        // Both laws are in the order of outcomes.
        let mut at_q = 0;
        let mut masses: Vec<(usize, UBig, UBig)> = Vec::with_capacity(p_masses.len());
        for (at_p, (outcome, _)) in p.outcomes().iter().enumerate() {
            let compare = |at: usize| order(&q.outcomes()[at].0.as_ref(), &outcome.as_ref());
            while at_q < q_masses.len() && compare(at_q) == Ordering::Less {
                at_q += 1;
            }
            let there = at_q < q_masses.len() && compare(at_q) == Ordering::Equal;
            let mass = if there { q_masses[at_q].clone() } else { UBig::ZERO };
            masses.push((at_p, p_masses[at_p].clone(), mass));
        }
        // p/q descending, that is p' q before p q'.
        masses.sort_by(|(_, p, q), (_, other_p, other_q)| {
            (other_p * q).cmp(&(p * other_q)).then_with(|| other_p.cmp(p))
        });
        let mut sums = Vec::with_capacity(masses.len() + 1);
        let (mut p_sum, mut q_sum) = (UBig::ZERO, UBig::ZERO);
        sums.push((p_sum.clone(), q_sum.clone()));
        for (_, p, q) in &masses {
            p_sum += p;
            q_sum += q;
            sums.push((p_sum.clone(), q_sum.clone()));
        }
        Self {
            order: masses.into_iter().map(|(at, ..)| at).collect(),
            sums,
            scale: (p_scale, q_scale),
            unresolved: (p_unresolved, q_unresolved),
        }
    }

    /// e^ε for the smallest ε >= 0 at which δ(ε) <= `delta`.
    ///
    /// δ(ε) <= δ means P(S) − e^ε Q(S) <= δ for every S, that is e^ε >= (P(S) − δ)/Q(S).
    pub fn exp_epsilon(&self, delta: &Rational) -> Between {
        let (delta_up, delta_down) = (delta.numerator(), delta.denominator());
        let over = |p: &UBig| {
            let p = IBig::from(p * delta_down);
            let excess = p - delta_up * IBig::from(self.scale.0.clone());
            UBig::try_from(excess).ok().filter(|excess| !excess.is_zero())
        };
        let (more_p, more_q) = &self.unresolved;
        let lower = self.sums.iter().filter_map(|(p, q)| Some((over(p)?, q + more_q)));
        let upper = self.sums.iter().filter_map(|(p, q)| Some((over(&(p + more_p))?, q.clone())));
        let e = |largest: Option<(UBig, UBig)>| match largest {
            None => Some(Rational::ONE),
            Some((_, q)) if q.is_zero() => None,
            Some((p, q)) => {
                let ratio = Rational::from_parts(
                    (p * &self.scale.1).into(),
                    q * &self.scale.0 * delta_down,
                );
                Some(ratio.max(Rational::ONE))
            }
        };
        Between { lower: e(largest(lower)), upper: e(largest(upper)) }
    }

    /// The event that shows most of [`Divergence::exp_epsilon`] from below: its number of outcomes,
    /// from the first, its least probability under P, and its greatest under Q.
    pub fn event(&self, delta: &Rational) -> (usize, Rational, Rational) {
        let (delta_up, delta_down) = (delta.numerator(), delta.denominator());
        let claimed = delta_up * IBig::from(self.scale.0.clone());
        let excess = |p: &UBig| IBig::from(p * delta_down) - &claimed;
        let more_q = &self.unresolved.1;
        let first = self.sums.len().min(2) - 1;
        let mut best = first;
        for at in first..self.sums.len() {
            let (p, q) = &self.sums[at];
            let (best_p, best_q) = &self.sums[best];
            let better = excess(p) * IBig::from(best_q + more_q);
            if better > excess(best_p) * IBig::from(q + more_q) {
                best = at;
            }
        }
        let (p, q) = &self.sums[best];
        let mass = |whole: UBig, scale: &UBig| Rational::from_parts(whole.into(), scale.clone());
        (best, mass(p.clone(), &self.scale.0), mass(q + more_q, &self.scale.1))
    }

    /// δ(ε) = sup P(S) − e^ε Q(S), the hockey-stick divergence, at an e^ε within bounds.
    pub fn delta(&self, exp_epsilon: &Exponential) -> Between {
        let mass =
            |whole: &UBig, scale: &UBig| Rational::from_parts(whole.clone().into(), scale.clone());
        let at = |e: &Rational| &self.sums[self.worth_it(e)];
        let lower = exp_epsilon.upper.as_ref().map_or(Rational::ZERO, |exp_epsilon| {
            let (p, q) = at(exp_epsilon);
            let q = q + &self.unresolved.1;
            mass(p, &self.scale.0) - exp_epsilon * mass(&q, &self.scale.1)
        });
        let (p, q) = at(&exp_epsilon.lower);
        let p = p + &self.unresolved.0;
        let upper = mass(&p, &self.scale.0) - &exp_epsilon.lower * mass(q, &self.scale.1);
        Between { lower: Some(lower.max(Rational::ZERO)), upper: Some(upper.max(Rational::ZERO)) }
    }

    /// Number of outcomes, from the first, with p > e·q: the event of the hockey-stick divergence.
    pub fn worth_it(&self, e: &Rational) -> usize {
        let (up, down) = (e.numerator(), e.denominator());
        let (mut low, mut high) = (0, self.order.len());
        while low < high {
            let middle = (low + high) / 2;
            let (p, q) = (&self.sums[middle], &self.sums[middle + 1]);
            let p_mass = IBig::from((&q.0 - &p.0) * &self.scale.1 * down);
            let q_mass = IBig::from((&q.1 - &p.1) * &self.scale.0) * up;
            if p_mass > q_mass {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(super) fn is_resolved(&self) -> bool {
        self.unresolved.0.is_zero() && self.unresolved.1.is_zero()
    }

    /// The least mass under P and the largest under Q of each outcome that P is known to have.
    pub(super) fn masses(&self) -> impl Iterator<Item = (Rational, Rational)> {
        let mass = |whole: UBig, scale: &UBig| Rational::from_parts(whole.into(), scale.clone());
        self.sums.windows(2).map(move |pair| {
            let (p, q) = (&pair[1].0 - &pair[0].0, &pair[1].1 - &pair[0].1);
            (mass(p, &self.scale.0), mass(q + &self.unresolved.1, &self.scale.1))
        })
    }

    /// The events "the first k outcomes", k = 0, 1, …, as (least Q, most P) and (most Q, least P):
    /// no event is beyond the concave curve through the former, and each of the latter is one.
    pub fn knots(&self) -> impl Iterator<Item = [(Rational, Rational); 2]> {
        let mass = |whole: UBig, scale: &UBig| {
            Rational::from_parts(whole.into(), scale.clone()).min(Rational::ONE)
        };
        self.sums.iter().map(move |(p, q)| {
            let (more_p, more_q) = &self.unresolved;
            let far = (mass(q.clone(), &self.scale.1), mass(p + more_p, &self.scale.0));
            let near = (mass(q + more_q, &self.scale.1), mass(p.clone(), &self.scale.0));
            [far, near]
        })
    }
}

/// The largest of fractions of whole numbers; a denominator of 0 is infinity.
fn largest(fractions: impl Iterator<Item = (UBig, UBig)>) -> Option<(UBig, UBig)> {
    fractions.reduce(|best, next| if &next.0 * &best.1 > &best.0 * &next.1 { next } else { best })
}

/// A law's masses and its unresolved mass as whole numbers, and their divisor.
fn whole(law: &Law) -> (Vec<UBig>, UBig, UBig) {
    let rationals = || law.outcomes().iter().map(|(_, mass)| mass).chain([law.unresolved()]);
    let scale = rationals().fold(UBig::ONE, |scale, mass| {
        let divisor = (&scale).gcd(mass.denominator());
        scale / divisor * mass.denominator()
    });
    let whole = |mass: &Rational| {
        let (_, numerator) = mass.numerator().clone().into_parts();
        numerator * (&scale / mass.denominator())
    };
    let masses = law.outcomes().iter().map(|(_, mass)| whole(mass)).collect();
    let unresolved = whole(law.unresolved());
    (masses, scale, unresolved)
}

//! Laws: outcomes with their probabilities.

use crate::mechanism::order::order;
use crate::mechanism::outcome::Outcome;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig as Rational;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The law of a mechanism on one dataset, as far as it was enumerated.
///
/// Each outcome has at least its listed mass, and the rest up to 1 is unresolved: it belongs to
/// these outcomes or to others. Without unresolved mass the law is exact.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    outcomes: Vec<(Outcome, Rational)>,
    unresolved: Rational,
}

impl Law {
    pub(super) fn new(parted: Parted<OutcomeKey>) -> Self {
        let unresolved = parted.unresolved;
        let mut outcomes: Vec<_> =
            parted.values.into_iter().map(|(key, mass)| (key.0, mass)).collect();
        outcomes.sort_by(|a, b| order(&a.0.as_ref(), &b.0.as_ref()));
        Self { outcomes, unresolved }
    }

    /// Outcomes and their masses, each above 0, in the order of [`order`].
    pub fn outcomes(&self) -> &[(Outcome, Rational)] {
        &self.outcomes
    }

    /// The mass found for an outcome.
    pub fn mass(&self, outcome: &Outcome) -> Rational {
        let at =
            self.outcomes.binary_search_by(|(other, _)| order(&other.as_ref(), &outcome.as_ref()));
        at.map_or(Rational::ZERO, |at| self.outcomes[at].1.clone())
    }

    pub fn unresolved(&self) -> &Rational {
        &self.unresolved
    }
}

/// An outcome that equals another if they cannot be distinguished.
#[derive(Clone, Debug)]
pub(super) struct OutcomeKey(pub Outcome);

impl PartialEq for OutcomeKey {
    fn eq(&self, other: &Self) -> bool {
        order(&self.0.as_ref(), &other.0.as_ref()) == Ordering::Equal
    }
}
impl Eq for OutcomeKey {}

impl Hash for OutcomeKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let number = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        match &self.0 {
            Outcome::Number(x) => number(*x).hash(state),
            Outcome::Integer(i) => i.hash(state),
            Outcome::Vector(values) => values.iter().for_each(|x| number(*x).hash(state)),
            Outcome::Text(words) | Outcome::Structure(words) | Outcome::Failure(words) => {
                words.hash(state);
            }
            // Equal maps have equal keys; their numbers are compared, not hashed.
            Outcome::Keyed(keyed) => keyed.entries().iter().for_each(|(key, _)| key.hash(state)),
        }
    }
}

/// The law of any value, with its unresolved mass.
#[derive(Clone, Debug)]
pub(super) struct Parted<T> {
    pub values: Vec<(T, Rational)>,
    pub unresolved: Rational,
    /// Number of runs, without those of its own parts.
    pub runs: u64,
}

/// Binary digits of the masses of a part whose law is not exact: far below its unresolved mass.
const DIGITS_IF_INEXACT: usize = 128;

impl<T> Parted<T> {
    /// The found masses, rounded down to `digits` binary digits if they have more.
    pub fn new(values: Vec<(T, Rational)>, runs: u64, digits: usize) -> Self {
        let law = Self { values, unresolved: Rational::ZERO, runs }.rounded(digits);
        if law.unresolved.is_zero() { law } else { law.rounded(DIGITS_IF_INEXACT) }
    }

    fn rounded(self, digits: usize) -> Self {
        let values: Vec<_> = self
            .values
            .into_iter()
            .map(|(value, mass)| (value, rounded_down(mass, digits)))
            .filter(|(_, mass)| !mass.is_zero())
            .collect();
        let mut resolved = Rational::ZERO;
        for (_, mass) in &values {
            resolved += mass;
        }
        Self { values, unresolved: Rational::ONE - resolved, runs: self.runs }
    }
}

impl<T> Parted<Result<Option<T>, String>> {
    /// The law of the first value in repeated attempts.
    ///
    /// With masses aᵥ of values and r of no value, each at least the mass found (âᵥ, r̂), the loop
    /// gives v with probability aᵥ/(1 − r) >= âᵥ/(1 − r̂).
    pub fn accepted(self) -> Parted<Result<T, String>> {
        let mut again = Rational::ZERO;
        let mut values = Vec::with_capacity(self.values.len());
        for (value, mass) in self.values {
            match value {
                Ok(None) => again += mass,
                Ok(Some(value)) => values.push((Ok(value), mass)),
                Err(panic) => values.push((Err(panic), mass)),
            }
        }
        let given = Rational::ONE - again;
        if given.is_zero() {
            return Parted { values: Vec::new(), unresolved: Rational::ONE, runs: self.runs };
        }
        let exact = self.unresolved.is_zero();
        let values = values.into_iter().map(|(value, mass)| (value, mass / &given)).collect();
        let digits = if exact { usize::MAX } else { DIGITS_IF_INEXACT };
        Parted { values, unresolved: Rational::ZERO, runs: self.runs }.rounded(digits)
    }
}

/// A mass with at most `digits` binary digits of denominator, rounded down if it has more.
pub(super) fn rounded_down(mass: Rational, digits: usize) -> Rational {
    if mass.denominator().bit_len() <= digits {
        return mass;
    }
    let scale = UBig::ONE << digits;
    let (numerator, denominator) = mass.into_parts();
    Rational::from_parts((numerator * &scale) / denominator, scale)
}

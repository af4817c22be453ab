//! Sums of unknowns with rational factors.

use dashu_ratio::RBig;
use std::ops::{Add, Mul, Neg, Sub};

/// A number that is not known: an exact answer of the dataset, or a draw; by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unknown {
    /// An answer of the dataset.
    Answer(usize),
    /// A draw, counted along the path.
    Draw(usize),
}

/// A constant and factors of unknowns, in their order, none of them 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The part without unknowns; `None` if a number was not finite.
    pub constant: Option<RBig>,
    /// Factors of unknowns.
    pub terms: Vec<(Unknown, RBig)>,
}

impl Affine {
    /// An unknown itself.
    pub fn of(unknown: Unknown) -> Self {
        Self { constant: Some(RBig::ZERO), terms: vec![(unknown, RBig::ONE)] }
    }

    /// The factor of an unknown.
    pub fn factor(&self, unknown: Unknown) -> RBig {
        match self.terms.binary_search_by_key(&unknown, |(unknown, _)| *unknown) {
            Ok(at) => self.terms[at].1.clone(),
            Err(_) => RBig::ZERO,
        }
    }

    /// `true` if a draw is among its unknowns.
    pub fn is_noisy(&self) -> bool {
        self.terms.iter().any(|(unknown, _)| matches!(unknown, Unknown::Draw(_)))
    }

    /// Its value where the answers are these, and all draws 0.
    pub fn at(&self, answers: &[RBig]) -> RBig {
        let mut sum = self.constant.clone().unwrap_or(RBig::ZERO);
        for (unknown, factor) in &self.terms {
            if let Unknown::Answer(at) = unknown {
                sum += factor * &answers[*at];
            }
        }
        sum
    }

    /// The sum of this and `times` another.
    pub fn plus(&self, other: &Self, times: &RBig) -> Self {
        let constant = match (&self.constant, &other.constant) {
            (Some(a), Some(b)) => Some(a + b * times),
            _ => None,
        };
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let first = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let (unknown, factor) = match first {
                std::cmp::Ordering::Less => left.next().cloned(),
                std::cmp::Ordering::Greater => right.next().map(|(u, f)| (*u, f * times)),
                std::cmp::Ordering::Equal => {
                    left.next().zip(right.next()).map(|((u, a), (_, b))| (*u, a + b * times))
                }
            }
            .expect("one of them was peeked");
            if !factor.is_zero() {
                terms.push((unknown, factor));
            }
        }
        Self { constant, terms }
    }

    /// This times a number.
    pub fn times(&self, by: &RBig) -> Self {
        if by.is_zero() {
            return Self {
                constant: self.constant.as_ref().map(|_| RBig::ZERO),
                terms: Vec::new(),
            };
        }
        let scaled = |(unknown, factor): &(Unknown, RBig)| (*unknown, factor * by);
        Self {
            constant: self.constant.as_ref().map(|constant| constant * by),
            terms: self.terms.iter().map(scaled).collect(),
        }
    }
}

impl From<f64> for Affine {
    fn from(number: f64) -> Self {
        Self { constant: RBig::try_from(number).ok(), terms: Vec::new() }
    }
}

impl Add for Affine {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.plus(&other, &RBig::ONE)
    }
}

impl Sub for Affine {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.plus(&other, &RBig::from(-1))
    }
}

impl Neg for Affine {
    type Output = Self;
    fn neg(self) -> Self {
        self.times(&RBig::from(-1))
    }
}

impl Mul<f64> for Affine {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        match RBig::try_from(by) {
            Ok(by) => self.times(&by),
            Err(_) => Self { constant: None, terms: self.terms },
        }
    }
}

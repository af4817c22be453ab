//! Rényi divergences of known laws, compared with bounds: enclosed, never rounded the wrong way.

use super::bisect::{first, last};
use super::divergence::Divergence;
use super::enclose::{Enclosure, Exponential};
use super::held::Held;
use crate::mechanism::choice::Rational;
use plaudit_core::claim::Form;
use plaudit_core::finding::{Bracket, ComparedOrder};

/// Exponents beyond which an exponential counts as 0 or as infinity.
const FAR: u32 = 1500;
/// Orders at which a bound on all orders is tried first.
const FIRST_ORDERS: [f64; 8] = [1.001, 1.01, 1.1, 1.5, 2.0, 4.0, 16.0, 64.0];
/// Ratio of consecutive orders, where all are tried.
const STEP: f64 = 1.01;
/// Most orders tried.
const MOST_ORDERS: usize = 4000;

/// Tests whether D_α <= ρ α for all orders α > 1 (ρ-zCDP; Bun, Steinke 2016, Definition 1.1), by
/// the divergences at single orders and, if the loss is bounded, its bound.
///
/// D_α does not fall in α, so D_b <= ρ a implies it for all orders from a to b; and a loss of at
/// most ε implies D_α <= min(ε, ε² α / 2) (Proposition 1.4).
pub(super) fn concentrated(
    rho: f64,
    largest_loss: Option<&Rational>,
    renyi: impl Fn(f64, f64) -> Held,
) -> Held {
    let exact = Rational::try_from(rho).unwrap_or(Rational::ZERO);
    if largest_loss.is_some_and(|loss| loss * loss <= &exact + &exact) {
        return Held::Yes;
    }
    // The product is rounded up, so that an excess refutes.
    if FIRST_ORDERS.iter().any(|&order| renyi(order, (rho * order).next_up()) == Held::No) {
        return Held::No;
    }
    let Some(largest_loss) = largest_loss else { return Held::Unknown };
    let mut order = 1.0;
    for _ in 0..MOST_ORDERS {
        let bound = (rho * order).next_down().max(0.0);
        if Rational::try_from(bound).is_ok_and(|bound| *largest_loss <= bound) {
            return Held::Yes;
        }
        order *= STEP;
        if renyi(order, bound) != Held::Yes {
            return Held::Unknown;
        }
    }
    Held::Unknown
}

/// Orders at which a broken claim of ρ-zCDP is shown; the first that breaks it is used.
const SHOWN_ORDERS: [f64; 8] = [2.0, 4.0, 16.0, 64.0, 1.5, 1.1, 1.01, 1.001];

/// The order at which a claim on Rényi divergences is broken, with the divergence there and the
/// claim's limit; `None` for another claim, or if it is not broken. `renyi` tests whether a
/// divergence is at most a bound.
pub(super) fn broken_order(form: &Form, renyi: impl Fn(f64, f64) -> Held) -> Option<ComparedOrder> {
    let bounds: Vec<(f64, f64)> = match form {
        Form::Renyi { curve } => curve.iter().map(|bound| (bound.order, bound.epsilon)).collect(),
        Form::ZeroConcentrated { rho } => {
            SHOWN_ORDERS.iter().map(|&order| (order, (rho * order).next_up())).collect()
        }
        _ => return None,
    };
    let (order, allowed) =
        bounds.into_iter().find(|&(order, bound)| renyi(order, bound) == Held::No)?;
    let lower = last(|bound| renyi(order, bound) == Held::No).unwrap_or(0.0).max(allowed.next_up());
    let upper = first(|bound| renyi(order, bound) == Held::Yes);
    // What is beyond all bounds is infinite.
    let is_finite = lower < LARGEST;
    let divergence = Bracket { lower: is_finite.then_some(lower), upper };
    Some(ComparedOrder { order, allowed, divergence })
}

/// A divergence of at least this is called infinite.
const LARGEST: f64 = 1e4;

/// e^x from below and from above, roughly where it is far from 1; `None`: too large.
fn exp(x: &Rational) -> (Rational, Option<Rational>) {
    let Exponential { lower, upper } = Exponential::up_to(FAR, x);
    (lower, upper)
}

/// Tests whether D_α <= `bound` for Laplace laws that are a scales apart, a enclosed.
///
/// e^((α − 1) D_α) = s e^((α − 1) a) + (1 − s) e^(−α a), s = α/(2α − 1) (Mironov 2017, Table II); both
/// sides are divided by e^((α − 1) a).
pub(super) fn laplace(order: f64, shift: &Enclosure, bound: &Rational) -> Held {
    let order = Rational::try_from(order).unwrap_or(Rational::ZERO);
    let one = Rational::ONE;
    let (twice, less) = (&order + &order - &one, &order - &one);
    let share = &order / &twice;
    let left = |far: Rational| &share + (&one - &share) * far;
    let far = |a: &Rational| exp(&-(&twice * a));
    let right = |a: &Rational| exp(&(&less * (bound - a)));
    // The divergence rises with the shift.
    let (a, b) = (&shift.lower, &shift.upper);
    if far(b).1.is_some_and(|far| left(far) <= right(b).0) {
        Held::Yes
    } else if right(a).1.is_some_and(|right| left(far(a).0) > right) {
        Held::No
    } else {
        Held::Unknown
    }
}

impl Divergence {
    /// Tests whether D_α(P‖Q) <= `bound`: whether Σ p e^((α − 1)(ln(p/q) − bound)) <= 1.
    ///
    /// Each term rises in p and falls in q, so that the unresolved mass leaves a bound from below,
    /// but none from above: it may be where Q has no mass.
    pub(super) fn renyi(&self, order: f64, bound: &Rational) -> Held {
        let less = Rational::try_from(order).unwrap_or(Rational::ONE) - Rational::ONE;
        let (mut lower, mut upper) = (Rational::ZERO, Some(Rational::ZERO));
        for (p, q) in self.masses().filter(|(p, _)| !p.is_zero()) {
            if q.is_zero() {
                return Held::No;
            }
            let Some(loss) = Enclosure::ln(&(&p / &q)) else { return Held::Unknown };
            let term = |loss: &Rational| exp(&(&less * (loss - bound)));
            lower += &p * term(&loss.lower).0;
            upper = upper.zip(term(&loss.upper).1).map(|(sum, term)| sum + &p * term);
            if lower > Rational::ONE {
                return Held::No;
            }
        }
        let within = upper.is_some_and(|upper| upper <= Rational::ONE);
        if within && self.is_resolved() { Held::Yes } else { Held::Unknown }
    }
}

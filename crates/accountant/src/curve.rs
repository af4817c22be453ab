//! The privacy profile of a composition, by one of the methods.

use super::component::pair::LawPair;
use super::component::uses::{Use, uses};
use super::compose::pld::Pld;
use super::composition::Composition;
use super::error::{AccountantError, check_epsilon};
use super::event::{Event, EventKind, Sampling, probability};
use super::method::{Bracket, Method};
use super::rules::rdp::{self, Divergences};
use super::rules::{self, Advanced, Basic};
use std::sync::Arc;

/// The privacy profile of a composition: δ(ε) and ε(δ), each as a bracket.
///
/// Cheap to clone and to ask. What is asked for the first time may take some milliseconds; answers
/// do not depend on what was asked before.
#[derive(Clone, Debug)]
pub struct Curve {
    form: CurveForm,
    /// Curve of events of which more is known, where its upper end may be the lower one.
    told: Option<Arc<Curve>>,
}

#[derive(Clone, Debug)]
enum CurveForm {
    /// No loss at all.
    Nothing,
    /// One use: a closed form.
    Single(Arc<Use>),
    Pld(Arc<Pld>),
    Rdp(Arc<Divergences>),
    Gdp(f64),
    Basic(Arc<Basic>),
    Advanced(Advanced),
}

/// The largest ε that is looked for.
const LARGEST: f64 = 1e30;

impl Curve {
    /// The profile by a method, sharpest where δ is about `delta`.
    pub(super) fn new(
        composition: &Composition,
        method: Method,
        delta: f64,
    ) -> Result<Self, AccountantError> {
        composition.check()?;
        let events = composition.events();
        let known: Vec<Event> = events.iter().map(told).collect();
        let told = if method == Method::Pld && known != events {
            Some(Arc::new(Self::new(&Composition { events: known }, method, delta)?))
        } else {
            None
        };
        let form = match method {
            Method::Pld => by_pld(events, delta),
            Method::Rdp => CurveForm::Rdp(Arc::new(rdp::divergences(events)?)),
            Method::Gdp => CurveForm::Gdp(rules::total_mu(events)?),
            Method::Basic => CurveForm::Basic(Arc::new(Basic::new(events))),
            Method::Advanced | Method::AdvancedShort => {
                CurveForm::Advanced(Advanced::new(events, method)?)
            }
        };
        Ok(Self { form, told })
    }

    /// The smallest δ at which (ε, δ)-DP holds.
    ///
    /// For ε < 0 by the symmetry of the neighboring relation: δ(−ε) = 1 − e^(−ε) + e^(−ε) δ(ε). For
    /// NaN the bracket is [0, 1].
    pub fn delta_at(&self, epsilon: f64) -> Bracket {
        if epsilon.is_nan() {
            return Bracket { lower: 0.0, upper: 1.0 };
        }
        self.delta_of(epsilon).plain()
    }

    fn delta_of(&self, epsilon: f64) -> Bracket {
        if epsilon < 0.0 {
            let there = self.delta_of(-epsilon);
            let mirror = |delta: f64| -epsilon.exp_m1() + epsilon.exp() * delta;
            return Bracket {
                lower: (mirror(there.lower) * (1.0 - 1e-15)).max(0.0),
                upper: (mirror(there.upper) * (1.0 + 1e-15)).min(1.0),
            };
        }
        let Bracket { lower, upper } = self.own_delta(epsilon);
        let told = self.told.as_ref().map_or(1.0, |told| told.delta_of(epsilon).upper);
        Bracket { lower, upper: upper.min(told) }
    }

    fn own_delta(&self, epsilon: f64) -> Bracket {
        let above = |upper: f64| Bracket { lower: 0.0, upper: upper.clamp(0.0, 1.0) };
        match &self.form {
            CurveForm::Nothing => above(0.0),
            CurveForm::Single(it) => {
                let (same, upper) = it.upper.delta(epsilon);
                let is_same = it.lower.as_ref() == Some(&it.upper);
                Bracket { lower: if is_same { same } else { lower_at(it, epsilon) }, upper }
            }
            CurveForm::Pld(pld) => pld.delta_at(epsilon),
            CurveForm::Rdp(divergences) => above(divergences.delta_at(epsilon)),
            CurveForm::Gdp(0.0) => above(0.0),
            CurveForm::Gdp(mu) if *mu > 1e12 => above(1.0),
            CurveForm::Gdp(mu) => {
                let end = (epsilon, epsilon);
                above(LawPair::Gaussian { mu: *mu }.delta(end).1.clamp(1e-300, 1.0))
            }
            CurveForm::Basic(basic) => above(basic.delta_at(epsilon)),
            CurveForm::Advanced(advanced) => above(advanced.delta_at(epsilon).unwrap_or(1.0)),
        }
    }

    /// Smallest ε >= 0 at which (ε, δ)-DP holds; +∞ if it does not exist. For a δ outside [0, 1]
    /// the bracket is [0, +∞].
    pub fn epsilon_at(&self, delta: f64) -> Bracket {
        if !(0.0..=1.0).contains(&delta) {
            return Bracket { lower: 0.0, upper: f64::INFINITY };
        }
        self.epsilon_of(delta).plain()
    }

    fn epsilon_of(&self, delta: f64) -> Bracket {
        let Bracket { lower, upper } = self.own_epsilon(delta);
        let told = self.told.as_ref().map_or(f64::INFINITY, |told| told.epsilon_of(delta).upper);
        Bracket { lower, upper: upper.min(told) }
    }

    fn own_epsilon(&self, delta: f64) -> Bracket {
        let above = |upper: f64| Bracket { lower: 0.0, upper };
        match &self.form {
            CurveForm::Nothing => above(0.0),
            CurveForm::Pld(pld) => pld.epsilon_at(delta),
            CurveForm::Basic(basic) => above(basic.epsilon_at(delta)),
            CurveForm::Advanced(advanced) => {
                above(advanced.epsilon_at(delta).unwrap_or(f64::INFINITY))
            }
            CurveForm::Single(it) if delta == 0.0 => single_pure(it),
            CurveForm::Single(_) if self.delta_at(f64::MAX).lower > delta => {
                Bracket { lower: f64::INFINITY, upper: f64::INFINITY }
            }
            CurveForm::Single(it) => {
                // A guess mostly spares the search.
                let steps = [1.0, 4.0, 16.0];
                let ends = it.guess(delta).and_then(|(guess, width)| {
                    let mut low = steps.iter().map(|step| guess - step * width);
                    let mut high = steps.iter().map(|step| guess + step * width);
                    let lower =
                        low.find(|&epsilon| epsilon >= 0.0 && lower_at(it, epsilon) > delta);
                    lower.zip(high.find(|&epsilon| it.upper.delta(epsilon).1 <= delta))
                });
                match ends {
                    Some((lower, upper)) => Bracket { lower, upper },
                    None => self.search(delta),
                }
            }
            CurveForm::Rdp(_) | CurveForm::Gdp(_) => self.search(delta),
        }
    }

    fn search(&self, delta: f64) -> Bracket {
        let below = |epsilon: f64| self.delta_at(epsilon).lower > delta;
        let (_, upper) = last_above(|epsilon| self.delta_at(epsilon).upper > delta);
        // Mostly the ends are near each other.
        let near = upper * (1.0 - 1e-9);
        let lower = if upper.is_finite() && near > 0.0 && below(near) {
            bisect(near, upper, below).0
        } else {
            last_above(below).0
        };
        Bracket { lower, upper }
    }

    /// Checks that the method can answer at this ε or δ.
    pub(super) fn check(
        &self,
        epsilon: Option<f64>,
        delta: Option<f64>,
    ) -> Result<(), AccountantError> {
        if let CurveForm::Advanced(advanced) = &self.form {
            epsilon.map(|epsilon| advanced.delta_at(epsilon)).transpose()?;
            delta.map(|delta| advanced.epsilon_at(delta)).transpose()?;
        }
        Ok(())
    }
}

/// An event of which more is told: which step a row is in, or which answer is whose.
fn told(event: &Event) -> Event {
    match (&event.kind, event.sampling) {
        (_, Some(Sampling::Allocation { picks: 1, .. })) => {
            Event { sampling: None, ..event.clone() }
        }
        (EventKind::ShuffledRandomizedResponse { epsilon, .. }, None) => {
            let kind = EventKind::EpsilonDelta { epsilon: *epsilon, delta: 0.0 };
            Event { kind, ..event.clone() }
        }
        _ => event.clone(),
    }
}

fn by_pld(events: &[Event], delta: f64) -> CurveForm {
    let mut uses = uses(events, delta);
    if uses.is_empty() {
        return CurveForm::Nothing;
    }
    if uses.len() > 1 || uses[0].count > 1 {
        return CurveForm::Pld(Arc::new(Pld::new(uses, delta)));
    }
    let mut single = uses.swap_remove(0);
    if single.upper.0.iter().any(|it| matches!(it.pair, LawPair::BoundedRange { .. })) {
        // For each ε there is a mechanism of that range that reaches the profile.
        single.lower = Some(single.upper.clone());
    }
    CurveForm::Single(Arc::new(single))
}

/// At most δ(ε) of a single use.
fn lower_at(it: &Use, epsilon: f64) -> f64 {
    it.lower.as_ref().map_or(0.0, |law| law.delta(epsilon).0)
}

/// ε at δ = 0 of one use.
fn single_pure(it: &Use) -> Bracket {
    Bracket {
        lower: it.lower.as_ref().map_or(0.0, |law| law.largest() * (1.0 - 1e-14)),
        upper: it.upper.largest() * (1.0 + 1e-14),
    }
}

/// For a condition that holds up to some ε: one at which it holds (or 0) and one at which it does
/// not (or +∞), next to each other.
fn last_above(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    if !holds(0.0) {
        return (0.0, 0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while holds(high) {
        (low, high) = (high, 2.0 * high);
        if high > LARGEST {
            return (low, f64::INFINITY);
        }
    }
    bisect(low, high, holds)
}

/// Bisection between an ε at which it holds and one at which it does not.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    while high - low > 2.0 * f64::EPSILON * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

impl Composition {
    /// The privacy profile by privacy-loss distributions, at its sharpest around δ = 10⁻⁶.
    ///
    /// # Errors
    /// As [`Composition::check`].
    pub fn curve(&self) -> Result<Curve, AccountantError> {
        self.curve_by(Method::Pld)
    }

    /// The privacy profile by a method.
    ///
    /// # Errors
    /// As [`Composition::check`], or if the method does not apply.
    pub fn curve_by(&self, method: Method) -> Result<Curve, AccountantError> {
        Curve::new(self, method, USUAL_DELTA)
    }

    /// Privacy profile by a method, at its sharpest around this δ.
    ///
    /// # Errors
    /// As [`Composition::curve_by`].
    pub fn curve_around(&self, method: Method, delta: f64) -> Result<Curve, AccountantError> {
        probability("delta", delta)?;
        Curve::new(self, method, delta)
    }

    /// Smallest δ at which the composition is (ε, δ)-DP, by a method.
    ///
    /// # Errors
    /// As [`Composition::check`], if ε is negative, infinite or NaN, or if the method does not
    /// apply.
    pub fn delta_at(&self, epsilon: f64, method: Method) -> Result<Bracket, AccountantError> {
        check_epsilon(epsilon)?;
        let curve = self.curve_by(method)?;
        curve.check(Some(epsilon), None)?;
        Ok(curve.delta_at(epsilon))
    }

    /// Smallest ε >= 0 at which the composition is (ε, δ)-DP, by a method; +∞ if it does not exist.
    ///
    /// # Errors
    /// As [`Composition::check`], if δ is not in [0, 1], or if the method does not apply.
    pub fn epsilon_at(&self, delta: f64, method: Method) -> Result<Bracket, AccountantError> {
        probability("delta", delta)?;
        let curve = Curve::new(self, method, delta)?;
        curve.check(None, Some(delta))?;
        Ok(curve.epsilon_at(delta))
    }
}

/// δ around which a curve is at its sharpest, unless another is asked for.
const USUAL_DELTA: f64 = 1e-6;

//! Claims compared with releases of noise.

use super::arithmetic::{compare, exact, rational};
use super::everywhere::{Claimed, everywhere, somewhere};
use super::released::Released;
use super::shift::gaussian_delta;
use crate::mechanism::AddedNoise;
use crate::mechanism::choice::Rational;
use crate::verify::enclose::{Enclosure, double_above};
use crate::verify::held::Held;
use crate::verify::moments::concentrated;
use crate::verify::normal::cdf;
use plaudit_accountant::{Composition, Event, EventKind};
use plaudit_core::claim::{Claim, Form, SLACK};

/// ε at which a profile is compared with a claim's that cannot be followed from end to end.
const PLACES: u32 = 32;

impl Released {
    /// Truth of a claim, its numbers raised by `raised`; `None`: such a claim is not supported.
    pub fn held(&self, claim: &Claim, raised: &dyn Fn(f64) -> f64) -> Option<Held> {
        let point = |(epsilon, delta): (f64, f64)| {
            self.within(&exact(raised(epsilon)), &rational(raised(delta).min(1.0)))
        };
        let renyi = |order: f64, bound: f64| self.renyi(order, &rational(bound));
        let all = |held: &mut dyn Iterator<Item = Held>| held.fold(Held::Yes, Held::and);
        if let Form::Group { of, size } = claim.form() {
            return self.held_of_groups(claim, of, *size, raised);
        }
        if let Some(claimed) = claim.as_epsilon_delta() {
            return Some(point(claimed));
        }
        match claim.form() {
            Form::Profile { points } => Some(all(&mut points.iter().copied().map(point))),
            Form::Renyi { curve } => {
                Some(all(&mut curve.iter().map(|at| renyi(at.order, raised(at.epsilon)))))
            }
            Form::ZeroConcentrated { rho } => Some(match self.squared_mu() {
                Some(square) => compare(square.lower, square.upper, &rational(2.0 * raised(*rho))),
                None => {
                    let largest = self.largest_loss().map(|loss| loss.upper);
                    concentrated(raised(*rho), largest.as_ref(), renyi)
                }
            }),
            Form::Gaussian { mu } => Some(self.gaussian(&rational(raised(*mu)))),
            Form::Composition { composition } => Some(self.composed(claim, composition, raised)),
            form => {
                let points = form.tradeoff_points(raised(1.0) > 1.0)?;
                Some(all(&mut points.windows(2).map(|pair| self.above_line(pair[0], pair[1]))))
            }
        }
    }

    /// Truth of a claim of datasets `size` neighbors apart: it holds if that of neighbors does
    /// (Dwork, Roth 2014, Theorem 2.2; Dong, Roth, Su 2022, Theorem 2.14; Bun, Steinke 2016,
    /// Proposition 1.9), and it may hold of the datasets themselves.
    fn held_of_groups(
        &self,
        claim: &Claim,
        of: &Form,
        size: u64,
        raised: &dyn Fn(f64) -> f64,
    ) -> Option<Held> {
        let of_neighbors = Claim::try_from(of.clone()).ok()?;
        if self.held(&of_neighbors, raised) == Some(Held::Yes) {
            return Some(Held::Yes);
        }
        let apart = self.apart(size)?;
        let k = size as f64;
        let same_form = match of {
            // Rounded down: no weaker than the claim.
            Form::Gaussian { mu } => Claim::gaussian((k * mu).next_down().max(0.0)),
            Form::ZeroConcentrated { rho } => {
                Claim::zero_concentrated((k * k * rho).next_down().next_down().max(0.0))
            }
            _ => match claim.as_epsilon_delta() {
                Some((epsilon, delta)) => Claim::approximate(epsilon, delta),
                None => return Some(apart.exceeds(claim)),
            },
        };
        apart.held(&same_form.ok()?, raised)
    }

    /// Tests whether the profile exceeds that of the claim's region, rounded up, at some ε.
    fn exceeds(&self, claim: &Claim) -> Held {
        let claimed = |epsilon: f64| rational((claim.delta_at(epsilon) * (1.0 + 1e-12)).min(1.0));
        let (end, _) = claim.reference_point();
        let step = 1.5 * end.max(1e-3) / f64::from(PLACES);
        let places = (0..=PLACES).map(|at| step * f64::from(at));
        somewhere(places, |epsilon| self.delta(epsilon), &claimed)
    }

    fn gaussian(&self, mu: &Rational) -> Held {
        if let Some(square) = self.squared_mu() {
            return compare(square.lower, square.upper, &(mu * mu));
        }
        if mu.is_zero() {
            return Held::No;
        }
        let far = |epsilon: f64| cdf(&-(rational(epsilon) / mu + mu / Rational::from(2)));
        let delta = |epsilon: f64| gaussian_delta(mu, &rational(epsilon));
        self.below(&Claimed { delta: &delta, slope: Some(&far) })
    }

    /// Tests whether the profile is nowhere above another.
    fn below(&self, claimed: &Claimed<'_>) -> Held {
        let profile = |epsilon: &Enclosure| self.delta(epsilon);
        if let Some(largest) = self.largest_loss() {
            return everywhere(double_above(&largest.upper), profile, claimed);
        }
        let places = (0..=PLACES).map(|at| f64::from(at * at) / f64::from(PLACES));
        somewhere(places, profile, &|epsilon| (claimed.delta)(epsilon).upper)
    }

    /// Tests whether the profile of a composition holds: each release may be one of its uses, or
    /// less than one; else the accountant's ends decide.
    fn composed(
        &self,
        claim: &Claim,
        composition: &Composition,
        raised: &dyn Fn(f64) -> f64,
    ) -> Held {
        if self.is_among(composition.events(), raised) {
            return Held::Yes;
        }
        let Ok(curve) = composition.curve() else { return self.exceeds(claim) };
        let delta = |epsilon: f64| {
            let bracket = curve.delta_at(epsilon);
            Enclosure { lower: rational(bracket.lower), upper: rational(bracket.upper) }
        };
        self.below(&Claimed { delta: &delta, slope: None })
    }

    /// `true` if each release is a use of the same noise, with at least as large a shift, that the
    /// events list on whole datasets: for Gaussian noise all together.
    fn is_among(&self, events: &[Event], raised: &dyn Fn(f64) -> f64) -> bool {
        let whole = events.iter().filter(|event| event.sampling.is_none());
        let (mut squared_mu, mut laplace) = (Rational::ZERO, Vec::new());
        for event in whole {
            let count = Rational::from(event.count);
            let mu = match event.kind {
                EventKind::Laplace { scale, sensitivity } => {
                    laplace.push((rational(raised(sensitivity)) / rational(scale), event.count));
                    continue;
                }
                EventKind::Gaussian { sigma, sensitivity } => {
                    rational(raised(sensitivity)) / rational(sigma)
                }
                EventKind::Gdp { mu } => rational(raised(mu)),
                _ => continue,
            };
            squared_mu += &mu * &mu * count;
        }
        let (mut gaussian, mut wanted) = (Rational::ZERO, Vec::new());
        for (shift, count) in self.parts() {
            match (shift.noise, shift.laplace_uses()) {
                (AddedNoise::Gaussian { .. }, _) => {
                    let mu = &shift.size.upper;
                    gaussian += mu * mu * Rational::from(*count);
                }
                (AddedNoise::Laplace { .. }, Some((uses, size))) => {
                    wanted.push((size.upper, u64::from(uses) * u64::from(*count)));
                }
                (AddedNoise::Laplace { .. }, None) => return false,
            }
        }
        gaussian <= squared_mu && are_among(wanted, laplace)
    }

    /// Tests whether the trade-off function is above the line through two points: P(S) <= δ + m Q(S)
    /// for all S, with −m the line's slope. Below m = 1 the same applies to the complements, with
    /// the roles of P and Q exchanged: with 1/m and (δ + m − 1)/m, since added noise has the same
    /// law both ways.
    fn above_line(&self, (a, high): (f64, f64), (b, low): (f64, f64)) -> Held {
        let [a, high, b, low] = [a, high, b, low].map(rational);
        let slope = (&high - &low) / (&b - &a);
        let delta = Rational::ONE - (&high + &slope * &a);
        let (ratio, delta) = if slope >= Rational::ONE {
            (slope, delta)
        } else if slope.is_zero() {
            // A flat line at 0 states nothing, and the claim's are not above it.
            return Held::Yes;
        } else {
            let more = (delta + &slope - Rational::ONE) / &slope;
            (Rational::ONE / slope, more)
        };
        let Some(epsilon) = Enclosure::ln(&ratio) else { return Held::Unknown };
        // Points that are convex up to the slack have lines a little above the claim.
        let slack = rational(4.0 * SLACK);
        match self.within(&epsilon, &delta) {
            Held::No if self.within(&epsilon, &(delta + slack)) != Held::No => Held::Unknown,
            held => held,
        }
    }

    fn within(&self, epsilon: &Enclosure, delta: &Rational) -> Held {
        if delta.is_zero() {
            // δ(ε) may be too small to enclose away from 0.
            return match self.largest_loss() {
                None => Held::No,
                Some(loss) if loss.upper <= epsilon.lower => Held::Yes,
                Some(loss) if loss.lower > epsilon.upper => Held::No,
                Some(_) => Held::Unknown,
            };
        }
        let Enclosure { lower, upper } = self.delta(epsilon);
        compare(lower, upper, delta)
    }
}

/// `true` if each wanted shift has its own counterpart that is at least as large.
fn are_among(mut wanted: Vec<(Rational, u64)>, mut there: Vec<(Rational, u64)>) -> bool {
    wanted.sort_by(|a, b| b.cmp(a));
    there.sort_by(|a, b| b.cmp(a));
    let (mut wanted_before, mut there_before, mut at) = (0, 0, 0);
    for (size, count) in wanted {
        wanted_before += count;
        while at < there.len() && there[at].0 >= size {
            there_before += there[at].1;
            at += 1;
        }
        if there_before < wanted_before {
            return false;
        }
    }
    true
}

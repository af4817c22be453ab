//! Uses: laws, and how often.

use crate::component::law::{Law, Seen};
use crate::component::laws::{CUT, gaussian_mu, laws};
use crate::component::pair::LawPair;
use crate::event::{Event, EventKind, Sampling};

/// Uses of one kind: a law that dominates every mechanism the event may describe, and a law that one
/// of them has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Use {
    pub upper: Law,
    pub lower: Option<Law>,
    pub count: u64,
}

impl Use {
    pub fn is_atoms(&self) -> bool {
        self.upper.is_atoms() && self.lower.as_ref().is_none_or(Law::is_atoms)
    }

    /// `true` if the law from below equals that from above, or differs only by what underflows.
    pub fn is_tight(&self) -> bool {
        let near = || {
            let seen = |law: &Law| law.alone().map(|(_, seen)| seen);
            self.is_atoms()
                && self.upper.spacing().is_some()
                && self.lower.as_ref().is_some_and(|lower| seen(lower) == seen(&self.upper))
        };
        self.lower.as_ref() == Some(&self.upper) || near()
    }

    /// About ε(δ) of a single use of atoms on the whole dataset, where δ(ε) = P(ℓ > ε) − e^ε Q(ℓ > ε),
    /// and how far from it the bounds on δ meet δ.
    pub fn guess(&self, delta: f64) -> Option<(f64, f64)> {
        let Some((LawPair::Atoms { parts, .. }, Seen::Whole | Seen::Directed)) = self.upper.alone()
        else {
            return None;
        };
        // Above the last loss: the P-mass, and the Q-mass times e^ℓ there.
        let (mut above, mut weight, mut last) = (0.0, 0.0, f64::INFINITY);
        for part in parts.iter().rev() {
            let there = if weight > 0.0 { weight * (part.loss - last).exp() } else { 0.0 };
            if above - there > delta {
                break;
            }
            above += part.p;
            if part.loss < f64::INFINITY {
                (weight, last) = (there + part.p, part.loss);
            }
        }
        let guess = last + ((above - delta) / weight).ln();
        let (error, room) =
            (1.1e-13 + f64::EPSILON * parts.len() as f64, 6.0 * f64::EPSILON * guess);
        let width = error * delta / (above - delta) + room;
        (guess > width && width.is_finite()).then_some((guess, width))
    }

    /// Use from below, as a tight one; `None` if it has no loss.
    pub fn seen_from_below(&self) -> Option<Self> {
        let law = self.lower.clone()?;
        Some(Self { upper: law.clone(), lower: Some(law), count: self.count })
    }
}

/// Largest total of finite losses, from below and from above, in each direction; +∞ if it does not exist.
pub(crate) fn largest_losses(uses: &[Use]) -> ([f64; 2], [f64; 2]) {
    // From below, a missing finite loss counts as 0.
    let below = [false, true].map(|absent| {
        let reached = |it: &Use| it.lower.as_ref().map(|law| it.count as f64 * law.reached(absent));
        uses.iter().filter_map(reached).sum::<f64>() * (1.0 - 1e-14)
    });
    let above = [false, true].map(|absent| {
        let end = |it: &Use| it.count as f64 * it.upper.greatest(absent);
        uses.iter().map(end).sum::<f64>() * (1.0 + 1e-14)
    });
    (below, above)
}

/// Equal events are put together, and so are all that compose by a rule of their own: Gaussian
/// ones by μ², zCDP by ρ, Rényi ones of one order by ε. What has no loss is left out. The order of
/// the events does not matter. Probability far below `delta` need not be resolved.
pub(crate) fn uses(events: &[Event], delta: f64) -> Vec<Use> {
    let mut squares = 0.0;
    let (mut rho, mut xi, mut from_above) = (0.0, 0.0, false);
    let mut renyi: Vec<(f64, f64)> = Vec::new();
    let mut uses: Vec<Use> = Vec::new();
    let mut others: Vec<(&EventKind, Option<Sampling>, u64)> = Vec::new();
    for event in events {
        let sampling = event.sampling.filter(|_| !event.is_whole());
        let count = event.count as f64;
        match (&event.kind, sampling) {
            (kind, None) if gaussian_mu(kind).is_some() => {
                let mu = gaussian_mu(kind).unwrap_or(0.0);
                squares += count * mu * mu;
            }
            (EventKind::ZeroConcentrated { rho: one, xi: more }, None) => {
                rho += count * one;
                xi += count * more;
            }
            // What several lose together is known from above alone.
            (EventKind::DiscreteGaussianVector { sigma, sensitivity }, None)
                if event.count > 1 || events.len() > 1 =>
            {
                rho += count * 0.5 * (sensitivity / sigma) * (sensitivity / sigma);
                from_above = true;
            }
            (EventKind::Renyi { alpha, epsilon }, None) => {
                match renyi.iter_mut().find(|(order, _)| order == alpha) {
                    Some((_, sum)) => *sum += count * epsilon,
                    None => renyi.push((*alpha, count * epsilon)),
                }
            }
            (kind, Some(Sampling::Allocation { steps, picks })) if picks > 1 => {
                uses.extend(picked(kind, (steps, picks), event.count, 1e-7 * delta));
            }
            (kind, sampling) => {
                match others.iter_mut().find(|(a, b, _)| *a == kind && *b == sampling) {
                    Some((.., uses)) => *uses = uses.saturating_add(event.count),
                    None => others.push((kind, sampling, event.count)),
                }
            }
        }
    }
    let mut push = |kind: &EventKind, sampling: Option<Sampling>, count: u64| {
        if let Some((upper, lower)) = laws(kind, sampling, (count, 1e-7 * delta)) {
            let is_above = from_above && matches!(kind, EventKind::ZeroConcentrated { .. });
            let lower = lower.filter(|_| !is_above);
            uses.push(Use { upper, lower, count });
        }
    };
    push(&EventKind::Gdp { mu: squares.sqrt() }, None, 1);
    push(&EventKind::ZeroConcentrated { rho, xi }, None, 1);
    renyi.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (alpha, epsilon) in renyi {
        push(&EventKind::Renyi { alpha, epsilon }, None, 1);
    }
    others.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    for (kind, sampling, count) in others {
        push(kind, sampling, count);
    }
    uses
}

/// Laws that dominate an event, and how often; none if it has no loss.
pub(crate) fn upper_laws(event: &Event) -> Vec<(Law, u64)> {
    match event.sampling {
        Some(Sampling::Allocation { steps, picks }) if picks > 1 => {
            let parts = picked(&event.kind, (steps, picks), event.count, CUT);
            parts.into_iter().map(|it| (it.upper, it.count)).collect()
        }
        sampling => {
            let law = laws(&event.kind, sampling, (1, CUT));
            law.into_iter().map(|(upper, _)| (upper, event.count)).collect()
        }
    }
}

/// A row in several steps: no more is lost than with one in each of as many parts of the steps (Feldman, Shenfeld 2026);
/// and no less than by the sum of all answers, where the noise is Gaussian.
fn picked(kind: &EventKind, (steps, picks): (u64, u64), count: u64, cut: f64) -> Vec<Use> {
    let (part, longer) = (steps / picks, steps % picks);
    let share = picks as f64 / steps as f64;
    let sum = |mu: f64| Law::seen(LawPair::Gaussian { mu: mu * share.sqrt() }, Seen::Whole);
    let parts = [(part, picks - longer), (part + 1, longer)];
    let of = |(steps, parts): (u64, u64)| {
        let one = Some(Sampling::Allocation { steps, picks: 1 }).filter(|_| steps > 1);
        let (upper, _) = laws(kind, one, (1, cut))?;
        let lower = gaussian_mu(kind).map(sum);
        Some(Use { upper, lower, count: count.saturating_mul(parts) })
    };
    parts.into_iter().filter(|(_, parts)| *parts > 0).filter_map(of).collect()
}

//! The events of a composition as laws: pairs of laws, how often, and in what sample.

use crate::component::converted;
use crate::component::opposed::{OpposedNoise, OpposedPair};
use crate::component::pair::{LawPair, LawPart, UseView};
use crate::component::single::single_delta;
use crate::event::{Event, EventKind, Sampling};

/// Uses of one kind: a pair that dominates every mechanism the event may describe, and a pair that one
/// of them has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Use {
    pub upper: LawPair,
    pub lower: Option<LawPair>,
    pub sampling: Option<Sampling>,
    pub count: u64,
}

impl Use {
    pub fn is_atoms(&self) -> bool {
        matches!(self.upper, LawPair::Atoms { .. })
            && self.lower.as_ref().is_none_or(|law| matches!(law, LawPair::Atoms { .. }))
    }
}

impl Use {
    /// `true` if all atoms are multiples of the spacing, counted from one of them; under a sample,
    /// only two can be.
    pub fn fits_its_spacing(&self) -> bool {
        let finite = |parts: &[LawPart]| parts.iter().filter(|part| part.loss.is_finite()).count();
        match &self.upper {
            LawPair::Atoms { parts, .. } => {
                self.sampling.is_none() || (finite(parts) == 2 && parts.len() == 2)
            }
            _ => false,
        }
    }

    pub fn is_poisson(&self) -> bool {
        matches!(self.sampling, Some(Sampling::Poisson { .. }))
    }

    /// View of the law from above, in one direction or the other.
    pub fn view(&self, absent: bool) -> UseView {
        match (self.sampling, absent) {
            (None, _) => UseView::Whole,
            (Some(Sampling::Poisson { rate }), false) => UseView::Present(rate),
            (Some(Sampling::Poisson { rate }), true) => UseView::Absent(rate),
            (Some(Sampling::WithoutReplacement { rate }), _) => UseView::Substituted(rate),
            // Its pair has the sample in it.
            (Some(Sampling::PoissonSubstitution { .. }), _) => UseView::Whole,
        }
    }

    /// `true` if the pair from below equals that from above, or differs only by what underflows.
    pub fn is_tight(&self) -> bool {
        let same = self.lower.as_ref() == Some(&self.upper)
            || (self.is_atoms() && self.lower.is_some() && self.upper.spacing().is_some());
        same && !matches!(self.sampling, Some(Sampling::WithoutReplacement { .. }))
    }

    /// At least δ(ε) of a single use.
    pub fn upper_at(&self, epsilon: f64) -> f64 {
        single_delta(&self.upper, self.sampling, epsilon).1
    }

    /// At most δ(ε) of a single use.
    pub fn lower_at(&self, epsilon: f64) -> f64 {
        self.lower.as_ref().map_or(0.0, |law| single_delta(law, self.sampling, epsilon).0)
    }

    /// About ε(δ) of a single use of atoms on the whole dataset, where δ(ε) = P(ℓ > ε) − e^ε Q(ℓ > ε),
    /// and how far from it the bounds on δ meet δ.
    pub fn guess(&self, delta: f64) -> Option<(f64, f64)> {
        let (LawPair::Atoms { parts, .. }, None) = (&self.upper, self.sampling) else {
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

    /// Use from below, as a tight one; `None` if it has no loss. A sample without replacement becomes
    /// a pair of datasets that exists: one in which the substitute is unlike every row.
    pub fn seen_from_below(&self) -> Option<Self> {
        let law = self.lower.clone()?;
        let sampling = self.sampling.map(|sampling| Sampling::Poisson { rate: sampling.rate() });
        Some(Self { upper: law.clone(), lower: Some(law), sampling, count: self.count })
    }
}

/// Largest total of finite losses, from below, and from above in each direction; +∞ if it does not
/// exist.
pub(crate) fn largest_losses(uses: &[Use]) -> (f64, [f64; 2]) {
    // From below, the first direction is enough, and a missing finite loss counts as 0.
    let below = uses.iter().filter_map(Use::seen_from_below).map(|it| {
        let end = match it.upper {
            ref law if law.is_unbounded() && law.atoms().is_empty() => f64::INFINITY,
            _ => it.view(false).finite_ends(&it.upper).map_or(0.0, |(_, end)| end),
        };
        it.count as f64 * end
    });
    let above = [false, true].map(|absent| {
        let end = |it: &Use| it.count as f64 * it.view(absent).greatest(&it.upper);
        uses.iter().map(end).sum::<f64>() * (1.0 + 1e-14)
    });
    (below.sum::<f64>() * (1.0 - 1e-14), above)
}

impl LawPair {
    /// The distance of which all atoms, or both ends, are multiples, counted from loss 0.
    pub fn spacing(&self) -> Option<f64> {
        match *self {
            Self::Gaussian { .. } => None,
            // Its atoms are at both ends.
            Self::Opposed(pair) => Some(pair.end()).filter(|end| end.is_finite()),
            Self::Laplace { a: end } | Self::BoundedRange { epsilon: end } => Some(end),
            Self::Atoms { spacing, .. } => spacing,
        }
    }
}

/// Equal events are put together, and so are all that compose by a rule of their own: Gaussian
/// ones by μ², zCDP by ρ, Rényi ones of one order by ε. What has no loss is left out. The order of
/// the events does not matter.
pub(crate) fn uses(events: &[Event]) -> Vec<Use> {
    let mut squares = 0.0;
    let mut rho = 0.0;
    let mut renyi: Vec<(f64, f64)> = Vec::new();
    let mut others: Vec<(EventKind, Option<Sampling>, u64)> = Vec::new();
    for event in events {
        let sampling = event.sampling.filter(|sampling| {
            sampling.rate() < 1.0 || matches!(sampling, Sampling::PoissonSubstitution { .. })
        });
        let count = event.count as f64;
        match (event.kind.clone(), sampling) {
            (EventKind::Gaussian { sigma, sensitivity }, None) => {
                squares += count * (sensitivity / sigma) * (sensitivity / sigma);
            }
            (EventKind::Gdp { mu }, None) => squares += count * mu * mu,
            (EventKind::ZeroConcentrated { rho: one }, None) => rho += count * one,
            (EventKind::Renyi { alpha, epsilon }, None) => {
                match renyi.iter_mut().find(|(order, _)| *order == alpha) {
                    Some((_, sum)) => *sum += count * epsilon,
                    None => renyi.push((alpha, count * epsilon)),
                }
            }
            (kind, sampling) => {
                match others.iter_mut().find(|(a, b, _)| *a == kind && *b == sampling) {
                    Some((.., uses)) => *uses = uses.saturating_add(event.count),
                    None => others.push((kind, sampling, event.count)),
                }
            }
        }
    }
    let mut uses: Vec<Use> = Vec::new();
    let mut push = |kind: EventKind, sampling: Option<Sampling>, count: u64| {
        if let Some(Sampling::PoissonSubstitution { rate }) = sampling {
            if let Some(pair) = opposed(kind, rate) {
                let law = LawPair::Opposed(pair);
                uses.push(Use { upper: law.clone(), lower: Some(law), sampling: None, count });
            }
        } else if let Some((upper, lower)) = laws(kind, count) {
            uses.push(Use { upper, lower, sampling, count });
        }
    };
    push(EventKind::Gdp { mu: squares.sqrt() }, None, 1);
    push(EventKind::ZeroConcentrated { rho }, None, 1);
    renyi.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (alpha, epsilon) in renyi {
        push(EventKind::Renyi { alpha, epsilon }, None, 1);
    }
    others.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    for (kind, sampling, count) in others {
        push(kind, sampling, count);
    }
    uses
}

/// The pair of a row substituted in a Poisson sample, where it is known.
pub(crate) fn opposed(kind: EventKind, rate: f64) -> Option<OpposedPair> {
    let noise = match kind {
        EventKind::Gaussian { sigma, sensitivity } => {
            OpposedNoise::Gaussian { mu: sensitivity / sigma }
        }
        EventKind::Laplace { scale, sensitivity } => {
            OpposedNoise::Laplace { a: sensitivity / scale }
        }
        _ => return None,
    };
    Some(OpposedPair { noise, rate })
}

/// Dominating pair and realised pair; `None` if they have no loss.
pub(crate) fn laws(kind: EventKind, count: u64) -> Option<(LawPair, Option<LawPair>)> {
    let exact = |law: LawPair| Some((law.clone(), Some(law)));
    match kind {
        EventKind::Laplace { scale, sensitivity } => {
            exact(LawPair::Laplace { a: sensitivity / scale })
        }
        EventKind::Gaussian { sigma, sensitivity } => {
            exact(LawPair::Gaussian { mu: sensitivity / sigma })
        }
        EventKind::Gdp { mu: 0.0 } => None,
        EventKind::Gdp { mu } => exact(LawPair::Gaussian { mu }),
        EventKind::DiscreteLaplace { scale, sensitivity } => {
            exact(discrete_laplace(scale, sensitivity))
        }
        EventKind::DiscreteGaussian { sigma, sensitivity } => {
            let (upper, lower) = discrete_gaussian(sigma, sensitivity);
            Some((upper, Some(lower)))
        }
        EventKind::RandomizedResponse { truth, values } => {
            exact(randomized_response(truth, values))
        }
        EventKind::ExponentialMechanism { epsilon: 0.0 } => None,
        EventKind::ExponentialMechanism { epsilon } => {
            Some((LawPair::BoundedRange { epsilon }, Some(two_points(epsilon, count))))
        }
        EventKind::EpsilonDelta { epsilon: 0.0, delta: 0.0 } => None,
        EventKind::EpsilonDelta { epsilon, delta } => {
            exact(LawPair::randomized_response(epsilon, delta))
        }
        EventKind::Renyi { epsilon: 0.0, .. } | EventKind::ZeroConcentrated { rho: 0.0 } => None,
        // A Gaussian pair of mean μ has Rényi divergence αμ²/2 of every order.
        EventKind::Renyi { alpha, epsilon } => Some((
            converted::law(&[(alpha, epsilon)]),
            Some(LawPair::Gaussian { mu: (2.0 * epsilon / alpha).sqrt() * (1.0 - 1e-15) }),
        )),
        EventKind::ZeroConcentrated { rho } => Some((
            converted::law(&converted::of_every_order(rho)),
            Some(LawPair::Gaussian { mu: (2.0 * rho).sqrt() * (1.0 - 1e-15) }),
        )),
    }
}

/// Losses a(Δ − 2x) for x = 0..Δ, with a = 1/scale; the ends have all that is beyond them.
fn discrete_laplace(scale: f64, sensitivity: u64) -> LawPair {
    let a = 1.0 / scale;
    // Probability of a distance x under the dataset from which it is counted.
    let mass = |x: u64| {
        let away = (-a * x as f64).exp();
        let end = x == 0 || x == sensitivity;
        if end { away / (1.0 + (-a).exp()) } else { (0.5 * a).tanh() * away }
    };
    let parts = (0..=sensitivity).rev().map(|x| {
        let steps = sensitivity as f64 - 2.0 * x as f64;
        LawPart { p: mass(x), q: mass(sensitivity - x), loss: a * steps }
    });
    let spacing = if sensitivity.is_multiple_of(2) { 2.0 * a } else { a };
    LawPair::Atoms { parts: parts.collect(), spacing: Some(spacing) }
}

/// Losses (Δ² − 2Δx)/2σ² with probability proportional to e^(−x²/2σ²). Outcomes whose probability
/// under one dataset is too small for a double are lost for certain from above, and left out from
/// below; so is everything beyond 38σ.
fn discrete_gaussian(sigma: f64, sensitivity: u64) -> (LawPair, LawPair) {
    // Below 2^53, both: the conversion is exact.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
    let (shift, reach) = (sensitivity as i64, (38.0 * sigma).ceil() as i64);
    let weight = |x: i64| (-0.5 * (x as f64 / sigma) * (x as f64 / sigma)).exp();
    // Of distances from 0 on.
    let weights: Vec<f64> = (0..=reach + shift).map(weight).collect();
    let of = |x: i64| usize::try_from(x.abs()).ok().and_then(|x| weights.get(x)).unwrap_or(&0.0);
    let total = 1.0 + 2.0 * pairwise(&weights[1..=usize::try_from(reach).unwrap_or(0)]);
    let unit = shift as f64 / (2.0 * sigma * sigma);
    let parts = (-reach..=reach + shift).rev().map(|x| {
        let loss = unit * (shift - 2 * x) as f64;
        LawPart { p: of(x) / total, q: of(x - shift) / total, loss }
    });
    let (both, one): (Vec<LawPart>, Vec<LawPart>) =
        parts.partition(|part| part.p > 0.0 && part.q > 0.0);
    // The law is symmetric: as much is lost the other way round.
    let lost = one.iter().map(|part| part.p).sum::<f64>().max(1e-300) * (1.0 + 1e-12);
    let mut upper = vec![LawPart { p: 0.0, q: lost, loss: f64::NEG_INFINITY }];
    upper.extend(both.iter().copied());
    upper.push(LawPart { p: lost, q: 0.0, loss: f64::INFINITY });
    // Δ − 2x is always even or always odd.
    let spacing = Some(if shift % 2 == 0 { 2.0 * unit } else { unit });
    (LawPair::Atoms { parts: upper, spacing }, LawPair::Atoms { parts: both, spacing })
}

/// A sum whose rounding grows with the logarithm of the number of terms only.
fn pairwise(terms: &[f64]) -> f64 {
    if terms.len() <= 32 {
        return terms.iter().rev().sum();
    }
    let (first, rest) = terms.split_at(terms.len() / 2);
    pairwise(first) + pairwise(rest)
}

/// The answer under D, that under D', any other.
fn randomized_response(truth: f64, values: u64) -> LawPair {
    let other = (1.0 - truth) / values as f64;
    let told = truth + other;
    // ln((t + o)/o), accurate for small t.
    let loss = (truth / other).ln_1p();
    let rest = (values - 2) as f64 * other;
    let mut parts = vec![
        LawPart { p: other, q: told, loss: -loss },
        LawPart { p: rest, q: rest, loss: 0.0 },
        LawPart { p: told, q: other, loss },
    ];
    parts.retain(|part| part.p > 0.0);
    LawPair::Atoms { parts, spacing: Some(loss) }
}

/// An exponential mechanism with two answers, of losses t and t − ε: the best for one use near
/// the end of its range, and for many in the middle.
fn two_points(epsilon: f64, count: u64) -> LawPair {
    let t = 0.5 * epsilon * (1.0 + 0.5 / (count as f64).sqrt());
    // q e^t + (1 − q) e^(t − ε) = 1, and nothing overflows or cancels.
    let whole = -(-epsilon).exp_m1();
    let p = -(t - epsilon).exp_m1() / whole;
    let other = -(-t).exp_m1() / whole;
    let parts = vec![
        LawPart { p: (t - epsilon).exp() * other, q: other, loss: t - epsilon },
        LawPart { p, q: p * (-t).exp(), loss: t },
    ];
    LawPair::Atoms { parts, spacing: None }
}

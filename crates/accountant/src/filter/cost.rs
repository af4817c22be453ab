//! Amounts of each filter's quantity that one use of an event costs: never below the true one, `None` if no finite one
//! is known.

use super::amount::Amount;
use crate::component::laws::gaussian_mu;
use crate::component::view::UseView;
use crate::event::{Event, EventKind, Sampling};
use crate::normal;
use crate::rules::{rdp, stated};

/// Relative margin of what is computed in doubles.
const OUTWARD: f64 = 1.0 + 1e-12;
/// Most probability that the divergences of an event, all its uses together, may leave out.
pub(super) const LEFT_OUT: f64 = 1e-200;

/// Sample of a use, if it leaves any row out.
fn sample(event: &Event) -> Option<Sampling> {
    event.sampling.filter(|_| !event.is_whole())
}

/// The ε of ε-DP events, with that of their samples: ln(1 + r(e^ε − 1)) (Balle, Barthe, Gaboardi 2018). Exact for what
/// states its ε, and for sensitivity/scale of Laplace noise.
pub(super) fn epsilon(event: &Event) -> Option<Amount> {
    let whole = match &event.kind {
        EventKind::EpsilonDelta { epsilon, delta: 0.0 }
        | EventKind::ExponentialMechanism { epsilon } => Amount::decimal(*epsilon),
        EventKind::Laplace { scale, sensitivity } => Amount::decimal(*sensitivity).over(*scale),
        EventKind::DiscreteLaplace { scale, sensitivity } => {
            Amount::decimal(*sensitivity as f64).over(*scale)
        }
        EventKind::RandomizedResponse { .. }
        | EventKind::ReportNoisyMax { .. }
        | EventKind::RepeatAndSelect { .. } => {
            let (epsilon, _) = stated(&Event { count: 1, sampling: None, ..event.clone() })?;
            Amount::exact(epsilon * OUTWARD)
        }
        _ => return None,
    };
    match sample(event) {
        None => Some(whole),
        Some(Sampling::Poisson { rate } | Sampling::WithoutReplacement { rate }) => {
            Some(Amount::exact(UseView::Present(rate).loss(whole.above()) * OUTWARD))
        }
        Some(_) => None,
    }
}

/// ρ: Δ²/2σ² of Gaussian noise (Bun, Steinke 2016, Prop. 1.6) and of discrete Gaussian noise (Canonne, Kamath, Steinke
/// 2020, Thm 4), μ²/2 of μ-GDP, whose divergences are at most those of Gaussian noise, ε²/8 of bounded range (Cesar,
/// Rogers 2021), and min(ε²/2, ε) of ε-DP (Bun, Steinke 2016, Prop. 1.4; no divergence is above ε).
pub(super) fn rho(event: &Event) -> Option<Amount> {
    if sample(event).is_none() {
        match &event.kind {
            EventKind::ZeroConcentrated { rho, xi: 0.0 } => return Some(Amount::decimal(*rho)),
            EventKind::ZeroConcentrated { .. } => return None,
            EventKind::ExponentialMechanism { epsilon } => {
                return Some(Amount::decimal(*epsilon).square().over(8.0));
            }
            EventKind::DiscreteGaussianVector { sigma, sensitivity } => {
                return Some(Amount::decimal(*sensitivity).over(*sigma).square().over(2.0));
            }
            EventKind::DiscreteGaussian { sigma, sensitivity } => {
                let ratio = Amount::decimal(*sensitivity as f64).over(*sigma);
                return Some(ratio.square().over(2.0));
            }
            _ => {}
        }
    }
    let of_noise = square_of_noise(event).map(|square| square.over(2.0));
    of_noise.or_else(|| epsilon(event).map(|it| it.square().over(2.0).min(it)))
}

/// μ²: (Δ/σ)² of Gaussian noise, and of ε-DP events where the trade-off curves touch, Φ(−μ/2) = 1/(1 + e^ε) (Dong, Roth,
/// Su 2022).
pub(super) fn square_of_mu(event: &Event) -> Option<Amount> {
    square_of_noise(event).or_else(|| {
        let epsilon = epsilon(event)?;
        if epsilon == Amount::ZERO {
            return Some(epsilon);
        }
        // The quantile is exact to some 10^-13, not relative.
        let mu = 2e-12 - 2.0 * normal::quantile(1.0 / (1.0 + epsilon.above().exp()));
        Some(Amount::exact(mu * OUTWARD).square())
    })
}

/// (Δ/σ)² of Gaussian noise on the whole dataset, μ² of μ-GDP.
fn square_of_noise(event: &Event) -> Option<Amount> {
    match (&event.kind, sample(event)) {
        (EventKind::Gaussian { sigma, sensitivity }, None) => {
            Some(Amount::decimal(*sensitivity).over(*sigma).square())
        }
        (EventKind::Gdp { mu }, None) => Some(Amount::decimal(*mu).square()),
        (kind, None) => gaussian_mu(kind).map(|mu| Amount::exact(mu * OUTWARD).square()),
        _ => None,
    }
}

/// The Rényi divergence at an order, of all uses together, in the worse direction: that of `Method::Rdp`.
pub(super) fn divergence(event: &Event, alpha: f64) -> Option<Amount> {
    let order = Amount::decimal(alpha);
    match (&event.kind, sample(event)) {
        (EventKind::Gaussian { .. } | EventKind::Gdp { .. }, None) => {
            return square_of_noise(event).map(|it| (it * order).over(2.0).times(event.count));
        }
        (EventKind::ZeroConcentrated { rho, xi }, None) => {
            let one = Amount::decimal(*rho) * order + &Amount::decimal(*xi);
            return Some(one.times(event.count));
        }
        // Divergences grow with the order.
        (EventKind::Renyi { alpha: known, epsilon }, None) => {
            return (alpha <= *known).then(|| Amount::decimal(*epsilon).times(event.count));
        }
        (EventKind::EpsilonDelta { delta, .. }, _) if *delta > 0.0 => return None,
        _ => {}
    }
    let Some((directions, left_out)) = rdp::discretised(event, &[alpha]) else {
        return Some(Amount::ZERO);
    };
    let worst = directions.iter().map(|by_order| by_order[0]).fold(0.0, f64::max);
    (left_out <= LEFT_OUT && worst.is_finite()).then(|| Amount::exact(worst * OUTWARD))
}

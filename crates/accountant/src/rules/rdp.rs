//! Composition by Rényi divergences (Mironov 2017), converted at the best order.

use super::{OUTWARD, stated};
use crate::component::converted::delta_of_divergences;
use crate::component::laws::gaussian_mu;
use crate::component::uses::upper_laws;
use crate::discretise::discretisation;
use crate::error::AccountantError;
use crate::event::{Event, EventKind};

/// The orders, from 1.01 to 10⁵, evenly in ln(α − 1), four times as dense between 2 and 101: there
/// the best ones of samples are, and the divergence turns steep.
fn orders() -> impl Iterator<Item = f64> {
    let order = |decades: f64| 1.0 + 10.0_f64.powf(decades);
    let sparse = (-80..0).chain(81..=200).map(move |i| order(f64::from(i) / 40.0));
    sparse.chain((0..=320).map(move |i| order(f64::from(i) / 160.0)))
}

/// More orders, for events that state their divergences: no conversion there is more than 10⁻⁶ above the best.
fn between() -> impl Iterator<Item = f64> {
    (0..28_000).map(|i| 1.0 + 10.0_f64.powf(f64::from(i) * 2e-4 - 2.0))
}

/// The divergences of a composition at all orders, and the probability of what they leave out.
#[derive(Debug)]
pub(crate) struct Divergences {
    pub by_order: Vec<(f64, f64)>,
    /// The divergence of order ∞, which is the largest loss: the sum of the ε of pure events, and infinite with any other.
    pub largest: f64,
    pub left_out: f64,
}

impl Divergences {
    /// δ at this ε; above 0 where losses have no end, also below the smallest double.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        if epsilon >= self.largest {
            return self.left_out;
        }
        let by_order = delta_of_divergences(&self.by_order, epsilon) * (1.0 + 1e-12);
        by_order.max(f64::MIN_POSITIVE) + self.left_out
    }
}

/// Adds up the divergences of the events, in the worse direction.
pub(crate) fn divergences(events: &[Event]) -> Result<Divergences, AccountantError> {
    let orders: Vec<f64> = orders().collect();
    let mut sums = [vec![0.0; orders.len()], vec![0.0; orders.len()]];
    let mut left_out = 0.0;
    for event in events {
        let count = event.count as f64;
        if matches!(event.kind, EventKind::EpsilonDelta { delta, .. } if delta > 0.0) {
            return Err(AccountantError::Method {
                method: "rdp",
                why: "an epsilon-delta event with delta > 0 has an infinite Rényi divergence: \
                      use pld"
                    .to_owned(),
            });
        }
        if known(event, orders[0]).is_some() {
            for sum in &mut sums {
                let add = |(sum, &alpha): (&mut f64, &f64)| {
                    *sum += count * known(event, alpha).unwrap_or(f64::INFINITY);
                };
                sum.iter_mut().zip(&orders).for_each(add);
            }
            continue;
        }
        let Some((added, lost)) = discretised(event, &orders) else { continue };
        left_out += lost;
        for (place, sum) in sums.iter_mut().enumerate() {
            let added = &added[place.min(added.len() - 1)];
            sum.iter_mut().zip(added).for_each(|(sum, add)| *sum += add);
        }
    }
    let [present, absent] = sums;
    let worse = present.iter().zip(&absent).map(|(a, b)| a.max(*b) * (1.0 + 1e-12));
    let mut by_order: Vec<(f64, f64)> = orders.iter().copied().zip(worse).collect();
    // A black box may name an order outside these.
    let named = events.iter().filter_map(|event| match event.kind {
        EventKind::Renyi { alpha, .. } if event.is_whole() => Some(alpha),
        _ => None,
    });
    for alpha in named.chain(between()) {
        if let Some(total) = at_order(events, alpha) {
            by_order.push((alpha, total * (1.0 + 1e-12)));
        }
    }
    let pure = |event: &Event| match stated(event) {
        Some((epsilon, 0.0)) => event.count as f64 * epsilon,
        _ => f64::INFINITY,
    };
    let largest = events.iter().map(pure).sum::<f64>() * OUTWARD;
    Ok(Divergences { by_order, largest, left_out })
}

/// The divergences at the orders of all uses of an event, in each direction, from the law that `pld` uses, and the
/// probability of what they leave out; `None` if it has no loss.
pub(crate) fn discretised(event: &Event, orders: &[f64]) -> Option<(Vec<Vec<f64>>, f64)> {
    let laws = upper_laws(event);
    let is_two_sided = laws.iter().any(|(law, _)| law.is_two_sided());
    let directions: &[bool] = if is_two_sided { &[false, true] } else { &[false] };
    let (mut added, mut left_out) = (Vec::new(), 0.0);
    for &absent in directions {
        let mut sums = vec![0.0; orders.len()];
        for (law, count) in &laws {
            let (one, count) = (discretisation::upper_law(law, absent), *count as f64);
            left_out += count * one.infinite();
            let at = |alpha: f64| count * one.log_moment_above(alpha - 1.0) / (alpha - 1.0);
            sums.iter_mut().zip(orders).for_each(|(sum, &alpha)| *sum += at(alpha));
        }
        added.push(sums);
    }
    (!laws.is_empty()).then_some((added, left_out))
}

/// The divergence at an order of an event that states it for each.
fn known(event: &Event, alpha: f64) -> Option<f64> {
    let square = gaussian_mu(&event.kind).map(|mu| 0.5 * alpha * mu * mu);
    let stated = match event.kind {
        EventKind::ZeroConcentrated { rho, xi } => Some(xi + rho * alpha),
        EventKind::DiscreteGaussianVector { sigma, sensitivity } => {
            Some(0.5 * alpha * (sensitivity / sigma) * (sensitivity / sigma))
        }
        // Divergences grow with the order.
        EventKind::Renyi { alpha: order, epsilon } => {
            Some(if alpha <= order { epsilon } else { f64::INFINITY })
        }
        _ => square,
    };
    stated.filter(|_| event.is_whole())
}

/// The divergence at an order of a composition of events that all state it there.
fn at_order(events: &[Event], alpha: f64) -> Option<f64> {
    let of = |event: &Event| known(event, alpha).map(|one| event.count as f64 * one);
    events.iter().map(of).sum::<Option<f64>>().filter(|sum| sum.is_finite())
}

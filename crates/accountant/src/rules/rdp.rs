//! Composition by Rényi divergences (Mironov 2017), converted at the best order.

use crate::component::uses::laws;
use crate::discretise::discretisation;
use crate::error::AccountantError;
use crate::event::Sampling;
use crate::event::{Event, EventKind};

/// The orders, from 1.01 to 10⁵, evenly in ln(α − 1), four times as dense between 2 and 101: there
/// the best ones of samples are, and the divergence turns steep.
fn orders() -> impl Iterator<Item = f64> {
    let order = |decades: f64| 1.0 + 10.0_f64.powf(decades);
    let sparse = (-80..0).chain(81..=200).map(move |i| order(f64::from(i) / 40.0));
    sparse.chain((0..=320).map(move |i| order(f64::from(i) / 160.0)))
}

/// The divergences of a composition at all orders, and the probability of what they leave out.
#[derive(Debug)]
pub(crate) struct Divergences {
    pub by_order: Vec<(f64, f64)>,
    pub left_out: f64,
}

/// Adds up the divergences of the events, in the worse direction.
pub(crate) fn divergences(events: &[Event]) -> Result<Divergences, AccountantError> {
    let orders: Vec<f64> = orders().collect();
    let mut sums = [vec![0.0; orders.len()], vec![0.0; orders.len()]];
    let mut left_out = 0.0;
    for event in events {
        let sampling = event.sampling.filter(|sampling| sampling.rate() < 1.0);
        let count = event.count as f64;
        let known: Option<Box<dyn Fn(f64) -> f64>> = match (event.kind, sampling) {
            (EventKind::Gaussian { sigma, sensitivity }, None) => {
                let square = (sensitivity / sigma) * (sensitivity / sigma);
                Some(Box::new(move |alpha| 0.5 * alpha * square))
            }
            (EventKind::Gdp { mu }, None) => Some(Box::new(move |alpha| 0.5 * alpha * mu * mu)),
            (EventKind::ZeroConcentrated { rho }, None) => Some(Box::new(move |alpha| rho * alpha)),
            // Divergences grow with the order.
            (EventKind::Renyi { alpha: order, epsilon }, None) => {
                Some(Box::new(move |alpha| if alpha <= order { epsilon } else { f64::INFINITY }))
            }
            (EventKind::EpsilonDelta { delta, .. }, _) if delta > 0.0 => {
                return Err(AccountantError::Method {
                    method: "rdp",
                    why: "an epsilon-delta event with delta > 0 has an infinite Rényi divergence: \
                          use pld"
                        .to_owned(),
                });
            }
            _ => None,
        };
        if let Some(divergence) = known {
            for sum in &mut sums {
                let add = |(sum, &alpha): (&mut f64, &f64)| *sum += count * divergence(alpha);
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
    let named = events.iter().filter_map(|event| match (event.kind, event.sampling) {
        (EventKind::Renyi { alpha, .. }, None) => Some(alpha),
        _ => None,
    });
    for alpha in named {
        if let Some(total) = at_order(events, alpha) {
            by_order.push((alpha, total * (1.0 + 1e-12)));
        }
    }
    Ok(Divergences { by_order, left_out })
}

/// The divergences at the orders of all uses of an event, in each direction, from the pair that `pld` uses, and the
/// probability of what they leave out; `None` if it has no loss.
pub(crate) fn discretised(event: &Event, orders: &[f64]) -> Option<(Vec<Vec<f64>>, f64)> {
    let sampling = event.sampling.filter(|sampling| sampling.rate() < 1.0);
    let count = event.count as f64;
    let (law, _) = laws(event.kind, 1)?;
    let poisson = matches!(sampling, Some(Sampling::Poisson(_)));
    let directions: &[bool] = if poisson { &[false, true] } else { &[false] };
    let (mut added, mut left_out) = (Vec::new(), 0.0);
    for &absent in directions {
        let one = discretisation::upper_law(&law, sampling, absent);
        left_out += count * one.infinite();
        let at = |&alpha: &f64| count * one.log_moment_above(alpha - 1.0) / (alpha - 1.0);
        added.push(orders.iter().map(at).collect::<Vec<f64>>());
    }
    Some((added, left_out))
}

/// The divergence at an order of a composition of Rényi, zCDP, GDP and Gaussian events.
fn at_order(events: &[Event], alpha: f64) -> Option<f64> {
    let of_event = |event: &Event| {
        let one = match (event.kind, event.sampling) {
            (EventKind::Gaussian { sigma, sensitivity }, None) => {
                0.5 * alpha * (sensitivity / sigma) * (sensitivity / sigma)
            }
            (EventKind::Gdp { mu }, None) => 0.5 * alpha * mu * mu,
            (EventKind::ZeroConcentrated { rho }, None) => rho * alpha,
            (EventKind::Renyi { alpha: order, epsilon }, None) if alpha <= order => epsilon,
            _ => return None,
        };
        Some(event.count as f64 * one)
    };
    events.iter().map(of_event).sum()
}

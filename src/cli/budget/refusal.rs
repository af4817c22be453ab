//! Uses and noise that would fit in place of a release that is refused.

use super::ledger::{Ledger, Release};
use plaudit_accountant::{Amount, Event, EventKind, Filter, number};

/// A release that exceeds what is left.
pub(super) fn exceeds(ledger: &Ledger, release: &Release) -> String {
    let (filter, left) = (ledger.budget.filter, ledger.left());
    let quantity = filter.quantity();
    let mut words = format!(
        "{} costs {quantity} = {}, and {} of {} is left",
        release.events,
        release.cost.upper(),
        left.lower(),
        ledger.budget.total.lower()
    );
    if let [event] = release.events.events() {
        let fitting = fitting(filter, event, &left, &release.cost);
        if !fitting.is_empty() {
            words += &format!("; what fits: {}", fitting.join(", or "));
        }
    }
    words
}

/// Smaller counts and larger noise that fit.
fn fitting(filter: Filter, event: &Event, left: &Amount, cost: &Amount) -> Vec<String> {
    let mut found = Vec::new();
    let once = Event { count: 1, ..event.clone() };
    let count = filter.cost(&once).map_or(0, |one| one.fits(left)).min(event.count);
    if (1..event.count).contains(&count) {
        found.push(format!("at most {count} of its {} uses", event.count));
    }
    if event.sampling.is_some() || *left == Amount::ZERO {
        return found;
    }
    let times = cost.above() / left.below();
    let more = |value: f64, power: f64| {
        number::upper(value * times.powf(power) * (1.0 + 1e-12)).parse::<f64>().unwrap_or(f64::NAN)
    };
    // Where the cost falls as another power, the check below drops the guess.
    let power = if filter == Filter::Pure { 1.0 } else { 0.5 };
    let (name, value, kind) = match &event.kind {
        EventKind::Gaussian { sigma, sensitivity } => {
            let sigma = more(*sigma, power);
            ("sigma", sigma, EventKind::Gaussian { sigma, sensitivity: *sensitivity })
        }
        EventKind::DiscreteGaussian { sigma, sensitivity } => {
            let sigma = more(*sigma, power);
            ("sigma", sigma, EventKind::DiscreteGaussian { sigma, sensitivity: *sensitivity })
        }
        EventKind::Laplace { scale, sensitivity } => {
            let scale = more(*scale, power);
            ("scale", scale, EventKind::Laplace { scale, sensitivity: *sensitivity })
        }
        _ => return found,
    };
    let larger = Event { kind, ..event.clone() };
    let fits = larger.check().is_ok() && filter.cost(&larger).is_some_and(|cost| cost <= *left);
    if fits {
        found.push(format!("{name} = {} or more", number::words(value)));
    }
    found
}

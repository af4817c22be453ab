//! Known laws of a mechanism on a pair, besides the measurement.

use crate::audit::prove::CHEAP_RUNS;
use crate::audit::settings::Audit;
use crate::mechanism::choice::{Budget, Explorer, Law, Rational};
use crate::mechanism::{AddedNoise, order};
use crate::verify::Proved;
use plaudit_accountant::number;
use plaudit_core::dataset::Pair;
use plaudit_core::loss::ExactLoss;
use std::cmp::Ordering;

/// Largest unresolved mass of a law whose curves are reported as exact.
const UNRESOLVED: f64 = 1e-12;

/// The laws of the outcomes on a pair: where the mechanism is noise of a known law on numbers of
/// which one has moved, or any number for Gaussian noise (noise is taken as real numbers); or where
/// it is written against choices and a few runs enumerate its laws, unless a proof did.
pub fn exact_loss<D>(
    audit: &Audit<D>,
    pair: &Pair<D>,
    known: [Option<Law>; 2],
) -> Option<ExactLoss> {
    let Some(noise) = audit.mechanism.capabilities().added_noise() else {
        return enumerated(audit, pair, known);
    };
    let numbers = |dataset: &D| {
        (audit.numbers)(dataset).filter(|numbers| numbers.iter().all(|x| x.is_finite()))
    };
    let (d, d_prime) = (numbers(&pair.d)?, numbers(&pair.d_prime)?);
    if d.len() != d_prime.len() {
        return None;
    }
    let moves = || d.iter().zip(&d_prime).map(|(x, y)| (x - y).abs()).filter(|move_| *move_ > 0.0);
    match noise {
        AddedNoise::Laplace { scale } if moves().count() == 1 => {
            Some(ExactLoss::Laplace { shift: moves().sum::<f64>() / scale })
        }
        AddedNoise::Laplace { .. } => None,
        AddedNoise::Gaussian { sigma } => {
            let distance = moves().map(|x| x * x).sum::<f64>().sqrt();
            Some(ExactLoss::Gaussian { mu: distance / sigma })
        }
    }
}

/// Budget for the enumeration of a law that was not asked for.
fn budget() -> Budget {
    let runs = CHEAP_RUNS / 2;
    Budget { runs, pending: runs as usize, ..Budget::default() }
}

/// The law that a proof found on a dataset of its domain, if `budget` would give the same.
pub fn kept(proved: &Proved, dataset: usize) -> Option<Law> {
    let law = proved.law(dataset);
    let whole_and_cheap = law.unresolved().is_zero() && proved.runs <= budget().runs;
    (whole_and_cheap || proved.budget == budget()).then(|| law.clone())
}

/// Both laws, the unknown ones by enumeration, if that is allowed and cheap.
fn enumerated<D>(audit: &Audit<D>, pair: &Pair<D>, known: [Option<Law>; 2]) -> Option<ExactLoss> {
    let mechanism = audit.mechanism.capabilities().choices?;
    if audit.verify.is_none() && !audit.settings.prove_where_cheap {
        return None;
    }
    let explorer = Explorer::new(budget());
    let law = |dataset: &D, known: Option<Law>| {
        let law = known.or_else(|| explorer.law(dataset, mechanism).ok())?;
        (law.unresolved().to_f64().value() <= UNRESOLVED).then_some(law)
    };
    let [p, q] = known;
    let (p, q) = (law(&pair.d, p)?, law(&pair.d_prime, q)?);
    let outcomes = side_by_side(&p, &q);
    let whole = [&p, &q].into_iter().all(|law| law.unresolved().is_zero());
    Some(if whole { ExactLoss::Finite(outcomes) } else { ExactLoss::Nearly(outcomes) })
}

/// The probabilities of each outcome that either law has.
fn side_by_side(p: &Law, q: &Law) -> Vec<(f64, f64)> {
    let mass = |mass: &Rational| mass.to_f64().value();
    let (mut p, mut q) = (p.outcomes().iter().peekable(), q.outcomes().iter().peekable());
    let mut both = Vec::new();
    loop {
        let first = match (p.peek(), q.peek()) {
            (None, None) => return both,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => order(&a.as_ref(), &b.as_ref()),
        };
        let next = |law: &mut std::iter::Peekable<_>, unless| match first == unless {
            true => 0.0,
            false => law.next().map_or(0.0, |(_, found): &(_, Rational)| mass(found)),
        };
        both.push((next(&mut p, Ordering::Greater), next(&mut q, Ordering::Less)));
    }
}

pub fn law_words(law: &ExactLoss) -> String {
    match law {
        ExactLoss::Laplace { shift } => {
            format!("Laplace laws, {} scales apart", number::words(*shift))
        }
        ExactLoss::Gaussian { mu } => {
            format!("normal laws, {} standard deviations apart", number::words(*mu))
        }
        ExactLoss::Finite(outcomes) => format!("enumerated laws on {} outcomes", outcomes.len()),
        ExactLoss::Nearly(outcomes) => {
            format!("laws enumerated to all but 1e-12, on {} outcomes", outcomes.len())
        }
    }
}

//! The sensitivity of a query without noise: the largest distance of its answers between neighbors.
//!
//! Noise is calibrated to a declared sensitivity. A pair of neighbors whose answers are further
//! apart refutes it exactly, without a single trial: the answers are doubles, and doubles are
//! fractions. Answers are compared as computed, so that rounding, overflow, the order of a sum and
//! NaN or infinite values count (Casacuberta, Shoemate, Vadhan, Wagaman 2022; Mironov 2012).

use super::candidates::{Candidates, candidates};
use super::described::Described;
use super::mutate::mutate;
use super::plan::{Neighborhood, Plan};
use super::shrink::simpler;
use super::smaller::simpler_plans;
pub use crate::mechanism::Answer;
use crate::mechanism::choice::Rational;
use plaudit_core::dataset::{Dataset, Pair, Relation};
pub use plaudit_core::dataset::{Norm, Sensitivity};
use plaudit_core::random::Stream;
use rand::SeedableRng as _;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pair of neighbors with the largest distance found.
#[derive(Clone, Debug)]
pub struct Moved {
    pub pair: Pair<Dataset>,
    /// The answers on D and on D'.
    pub answers: [Answer; 2],
    /// Their distance, rounded to the nearest double; infinite if one is not a number, has another
    /// length, or is a failure, and the other differs from it.
    pub distance: f64,
    /// `true` if it exceeds the declared sensitivity, compared exactly.
    pub exceeds: bool,
}

#[derive(Clone, Debug)]
pub struct SensitivityCheck {
    /// Number of pairs of neighbors whose answers were compared.
    pub pairs: usize,
    /// The pair with the largest distance, or the smallest one found to exceed the declared
    /// sensitivity; `None`: no pair could be made.
    pub worst: Option<Moved>,
    pub interrupted: bool,
}

/// Initial plans of each kind.
const BEGUN: usize = 1500;
/// Most cells written in total for them; likewise for changed plans, and for shrinking.
const MOST_WRITTEN: usize = 100_000_000;
/// Number of generations of changed plans, and size of each.
const GENERATIONS: u64 = 40;
const MUTANTS: usize = 96;
const PARENTS: usize = 12;
const COMPARISONS: usize = 5000;
/// Pairs with more cells are compared one at a time, to keep only a few copies in memory.
const MANY_CELLS: usize = 200_000;

/// Looks for a pair of neighbors whose answers are further apart than `declared`, by named
/// patterns, extremes, quasi-random points and small changes of the best; the same seed takes the
/// same path, with any number of threads. A pair that exceeds is shrunk: fewer rows, fewer values.
///
/// A query must give the same dataset the same answer. Neighbors under a distance are at most that
/// far apart, exactly: they get no allowance for rounding. Finding no pair proves nothing.
///
/// ```
/// # mod plaudit { pub use {plaudit_core::dataset::Relation, plaudit_engine::search}; }
/// use plaudit::Relation;
/// use plaudit::search::{Neighborhood, Norm, SearchDomain, Values, check_sensitivity};
///
/// // A sum of rows that should have been clamped to [0, 1] first.
/// let sum = |rows: &Vec<f64>| Ok(vec![rows.iter().sum()]);
/// let values = Values::Numbers { lower: -10.0, upper: 10.0, not_finite: false };
/// let domain = SearchDomain::numbers(values, 1..=100)?;
/// let neighborhood = Neighborhood { domain, relation: Relation::AddRemove, group: 1 };
/// let found = check_sensitivity(sum, &neighborhood, (Norm::L1, 1.0), 0, &false.into());
/// assert!(found.worst.is_some_and(|worst| worst.exceeds && worst.distance > 1.0));
/// # Ok::<(), plaudit::search::SearchDomainError>(())
/// ```
pub fn check_sensitivity<D: Described>(
    query: impl Fn(&D) -> Answer + Sync,
    neighborhood: &Neighborhood,
    (norm, declared): (Norm, f64),
    seed: u64,
    interrupted: &AtomicBool,
) -> SensitivityCheck {
    let answer = |dataset: &Dataset| Some(query(&D::of_dataset(dataset.clone())?));
    let answers = |pair: &Pair<Dataset>| Some([answer(&pair.d)?, answer(&pair.d_prime)?]);
    let declared = Sensitivity { norm, most: declared };
    furthest_apart(&answers, (neighborhood, &[]), declared, seed, interrupted)
}

/// [`check_sensitivity`] for pairs whose answers are requested together, and may be absent, with
/// pairs to examine first.
pub(crate) fn furthest_apart(
    answers: &(impl Fn(&Pair<Dataset>) -> Option<[Answer; 2]> + Sync),
    (neighborhood, first): (&Neighborhood, &[Pair<Dataset>]),
    declared: Sensitivity,
    seed: u64,
    interrupted: &AtomicBool,
) -> SensitivityCheck {
    let checker = Checker { answers, neighborhood, declared, interrupted };
    let known: Vec<Moved> = first.iter().filter_map(|pair| checker.compare(pair.clone())).collect();
    let mut pairs = known.len();
    let known = known.into_iter().find(|moved| moved.exceeds);
    let mut best = Vec::new();
    if known.is_none() {
        let Candidates { named, scattered, .. } = candidates(neighborhood, BEGUN);
        let plans = named.into_iter().chain(scattered).collect();
        best = checker.measured(within(plans, &mut 0));
        pairs += best.len();
        let mut written = 0;
        for generation in 0..GENERATIONS {
            keep(&mut best, PARENTS);
            let done = best.first().is_none_or(|best| best.exceeds);
            if done || interrupted.load(Ordering::Relaxed) {
                break;
            }
            let parents = best.iter().cycle().take(MUTANTS).enumerate();
            let mutants = parents.map(|(place, parent)| {
                let mut random = Stream::seed_from_u64(seed);
                random.set_stream(generation * MUTANTS as u64 + place as u64);
                mutate(&parent.plan, neighborhood, &mut random)
            });
            let found = checker.measured(within(mutants.collect(), &mut written));
            pairs += found.len();
            best.extend(found);
        }
        keep(&mut best, PARENTS);
    }
    let worst = known.or_else(|| {
        let best = best.into_iter().next()?;
        let plan = if best.exceeds { checker.smaller(best.plan, &mut pairs) } else { best.plan };
        checker.again(&plan)
    });
    let worst = worst.map(|moved| match moved.exceeds {
        true => checker.shrunk(moved, &mut pairs),
        false => moved,
    });
    SensitivityCheck { pairs, worst, interrupted: interrupted.load(Ordering::Relaxed) }
}

/// Compares two answers: their distance, rounded to the nearest double (see [`Moved::distance`]),
/// and whether it exceeds the declared sensitivity, exactly.
pub fn compare_answers(answers: &[Answer; 2], declared: Sensitivity) -> (f64, bool) {
    match answers {
        [Ok(a), Ok(b)] => apart(a, b, declared.norm, declared.most),
        [Err(_), Err(_)] => (0.0, false),
        // A failure on one dataset distinguishes it from the other.
        _ => (f64::INFINITY, true),
    }
}

/// `true` if neighboring datasets are no further apart than the relation allows, without its
/// allowance for rounding.
pub fn exactly_neighbors(pair: &Pair<Dataset>, relation: &Relation) -> bool {
    let (norm, most) = match *relation {
        Relation::L1(most) => (Norm::L1, most),
        Relation::L2(most) => (Norm::L2, most),
        Relation::Linf(most) => (Norm::Linf, most),
        Relation::Substitution
        | Relation::AddRemove
        | Relation::Histogram
        | Relation::RemoveAll(_)
        | Relation::ReplaceAll(_) => return true,
    };
    match (pair.d.as_numbers(), pair.d_prime.as_numbers()) {
        (Some(d), Some(d_prime)) => !apart(&d, &d_prime, norm, most).1,
        _ => false,
    }
}

/// The first plans that fit into a limit on written cells.
fn within(mut plans: Vec<Plan>, written: &mut usize) -> Vec<Plan> {
    plans.retain(|plan| {
        *written = written.saturating_add(plan.cells());
        *written <= MOST_WRITTEN
    });
    plans
}

/// Keeps the plans that exceed, smallest first; then those with the largest distance.
fn keep(all: &mut Vec<MeasuredPlan>, many: usize) {
    all.sort_by(|a, b| {
        let smaller = a.plan.cells().cmp(&b.plan.cells());
        let by_size = if a.exceeds { smaller } else { std::cmp::Ordering::Equal };
        b.exceeds.cmp(&a.exceeds).then(by_size).then(b.distance.total_cmp(&a.distance))
    });
    all.dedup_by(|a, b| a.plan == b.plan);
    all.truncate(many);
}

/// A plan, and the distance of the answers on its pair.
struct MeasuredPlan {
    plan: Plan,
    distance: f64,
    exceeds: bool,
}

struct Checker<'a, Q> {
    answers: &'a Q,
    neighborhood: &'a Neighborhood,
    declared: Sensitivity,
    interrupted: &'a AtomicBool,
}

impl<Q: Fn(&Pair<Dataset>) -> Option<[Answer; 2]> + Sync> Checker<'_, Q> {
    /// In the order of the plans.
    fn measured(&self, plans: Vec<Plan>) -> Vec<MeasuredPlan> {
        let measure = |plan: Plan| {
            if self.interrupted.load(Ordering::Relaxed) {
                return None;
            }
            let Moved { distance, exceeds, .. } = self.again(&plan)?;
            Some(MeasuredPlan { plan, distance, exceeds })
        };
        let all_small = plans.iter().all(|plan| plan.cells() < MANY_CELLS);
        match all_small {
            true => plans.into_par_iter().filter_map(measure).collect(),
            false => plans.into_iter().filter_map(measure).collect(),
        }
    }

    fn again(&self, plan: &Plan) -> Option<Moved> {
        self.compare(plan.pair(NAME.to_owned(), self.neighborhood)?)
    }

    fn compare(&self, pair: Pair<Dataset>) -> Option<Moved> {
        if !exactly_neighbors(&pair, &self.neighborhood.relation) {
            return None;
        }
        let answers = (self.answers)(&pair)?;
        let (distance, exceeds) = compare_answers(&answers, self.declared);
        Some(Moved { pair, answers, distance, exceeds })
    }

    /// A plan of a pair that also exceeds and is not large, if steps lead to one.
    fn smaller(&self, plan: Plan, pairs: &mut usize) -> Plan {
        let mut plan = plan;
        while plan.cells() >= MANY_CELLS && !self.interrupted.load(Ordering::Relaxed) {
            let mut plans = simpler_plans(&plan, self.neighborhood).into_iter();
            let next = plans.find(|plan| {
                let found = self.again(plan);
                *pairs += usize::from(found.is_some());
                found.is_some_and(|found| found.exceeds)
            });
            match next {
                Some(simpler) => plan = simpler,
                None => break,
            }
        }
        plan
    }

    /// The smallest pair that also exceeds, by steps to simpler ones.
    fn shrunk(&self, moved: Moved, pairs: &mut usize) -> Moved {
        let mut moved = moved;
        let (mut left, mut written) = (COMPARISONS, 0);
        loop {
            let next = simpler(&moved.pair, self.neighborhood)
                .take_while(|pair| {
                    left = usize::saturating_sub(left, 1);
                    written += pair.d.entries() + pair.d_prime.entries();
                    left > 0 && written < MOST_WRITTEN && !self.interrupted.load(Ordering::Relaxed)
                })
                .find_map(|pair| self.compare(pair).filter(|found| found.exceeds));
            match next {
                Some(simpler) => moved = simpler,
                None => break,
            }
        }
        moved.pair.name = NAME.to_owned();
        *pairs += COMPARISONS - left;
        moved
    }
}

const NAME: &str = "found without noise";

/// The distance of two answers, and `true` if it exceeds `most` exactly.
fn apart(a: &[f64], b: &[f64], norm: Norm, most: f64) -> (f64, bool) {
    let same = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan();
    let differing = || a.iter().zip(b).filter(|(x, y)| !same(**x, **y));
    if a.len() != b.len() || differing().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return (f64::INFINITY, true);
    }
    let exact = |x: f64| Rational::try_from(x).unwrap_or(Rational::ZERO);
    let moves = differing().map(|(x, y)| {
        let difference = exact(*x) - exact(*y);
        if difference < Rational::ZERO { -difference } else { difference }
    });
    let most = exact(most);
    let (distance, limit) = match norm {
        Norm::L1 => (moves.fold(Rational::ZERO, |sum, by| sum + by), most),
        Norm::L2 => (moves.fold(Rational::ZERO, |sum, by| sum + &by * &by), &most * &most),
        Norm::Linf => (moves.fold(Rational::ZERO, Rational::max), most),
    };
    let exceeds = distance > limit;
    let nearest = distance.to_f64().value();
    (if norm == Norm::L2 { nearest.sqrt() } else { nearest }, exceeds)
}

#[cfg(test)]
#[path = "../../tests/unit/search/sensitivity.rs"]
mod tests;

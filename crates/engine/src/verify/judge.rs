//! From divergences to a decision.

use super::compared::places;
use super::divergence::{Between, Divergence};
use super::enclose::{Enclosure, Exponential, double_above, double_below};
use super::held::Held;
use super::moments::{broken_order, concentrated};
use super::{Domain, Explorer, Law};
use crate::mechanism::Outcome;
use crate::mechanism::choice::{Budget, Rational};
use plaudit_core::claim::{Claim, Form, Region};
use plaudit_core::finding::{ComparedOrder, Decision};

#[derive(Clone, Debug)]
pub struct Proved {
    pub decision: Decision,
    /// `true` if that is of the claim with its numbers raised: each to the next double, since the
    /// claim as it is fails by no more than that, or because they were rounded up when computed.
    pub raised: bool,
    /// e^ε for the smallest ε of (ε, δ)-DP on the domain, at the claim's δ.
    pub exp_epsilon: Between,
    /// δ(ε) on the domain, at the claim's ε.
    pub delta: Between,
    /// δ(ε) on the domain, over a grid of ε.
    pub profile: Vec<(f64, Between)>,
    /// The profile where a claim that is a curve is compared; else empty.
    pub compared: Vec<(f64, Between)>,
    /// The pair and direction with the largest ε.
    pub worst: Option<WorstPair>,
    /// For a refuted claim on Rényi divergences, the order at which that pair breaks it.
    pub renyi: Option<ComparedOrder>,
    pub(super) laws: Vec<Law>,
    /// Index of the law of each dataset of the domain.
    pub(super) of_dataset: Vec<usize>,
    /// Largest unresolved mass of a law.
    pub unresolved: Rational,
    /// Number of datasets, of distinct laws, and of pairs of neighbors.
    pub counts: [usize; 3],
    /// Runs of the mechanism and of its parts.
    pub runs: u64,
    pub budget: Budget,
}

/// An event on a pair of datasets.
#[derive(Clone, Debug)]
pub struct WorstPair {
    /// Places of D and D' in the domain.
    pub datasets: [usize; 2],
    /// Number of outcomes of the event.
    pub size: usize,
    /// Its likeliest outcomes under D, at most five.
    pub outcomes: Vec<Outcome>,
    /// Lower bound on the event's probability under D.
    pub d: Rational,
    /// Upper bound on the event's probability under D'.
    pub d_prime: Rational,
}

pub(super) struct OrderedPair {
    datasets: [usize; 2],
    exp_epsilon: Between,
    delta: Between,
    profile: Vec<Between>,
    compared: Vec<Between>,
    /// For the claim as it is, and with its numbers raised.
    held: [Held; 2],
    event: (usize, Vec<usize>, Rational, Rational),
    outcomes: Vec<Outcome>,
}

pub(super) struct Judge<'a> {
    claim: &'a Claim,
    /// The δ and e^ε at which numbers are quoted.
    reference: (Rational, Exponential),
    /// The points (δ, e^ε) of a claim that consists of points: as they are, and raised.
    points: Option<Vec<[(Rational, Exponential); 2]>>,
    /// `true` if its points were computed from the claim, and rounded up.
    computed: bool,
    grid: Vec<(f64, Exponential)>,
    /// Places where a claim that is a curve is compared with the proof.
    places: Vec<(f64, Exponential)>,
}

/// Relative error allowed in a claim's region for it to be met: far above that of
/// [`Region::most_power`](plaudit_core::claim::Region::most_power).
const REGION_ERROR: f64 = 1e-10;
/// Steps of the profile up to the claim's ε, and beyond.
const STEPS: [u32; 2] = [8, 2];
/// Most outcomes of an event that are named.
const NAMED: usize = 5;

impl<'a> Judge<'a> {
    pub fn new(claim: &'a Claim) -> Self {
        let (epsilon, delta) = claim.reference_point();
        let raised = |x: f64| if x == 0.0 { x } else { x.next_up() };
        let point = |epsilon, delta| (rational(delta), Exponential::of(&rational(epsilon)));
        let step = if epsilon > 0.0 { epsilon } else { 0.5 } / f64::from(STEPS[0]);
        let grid = (0..=STEPS[0] + STEPS[1]).map(|at| match at {
            at if at == STEPS[0] && epsilon > 0.0 => epsilon,
            at => step * f64::from(at),
        });
        let both = |(epsilon, delta): (f64, f64)| {
            [point(epsilon, delta), point(raised(epsilon), raised(delta).min(1.0))]
        };
        let points = match claim.form() {
            Form::Profile { points } => Some(points.iter().copied().map(both).collect()),
            _ => claim.as_epsilon_delta().map(|point| vec![both(point)]),
        };
        Self {
            claim,
            reference: point(epsilon, delta),
            points,
            computed: matches!(
                claim.form(),
                Form::Composed { .. } | Form::Group { .. } | Form::Gaussian { .. }
            ),
            grid: grid.map(with_exponential).collect(),
            places: places(claim).into_iter().map(with_exponential).collect(),
        }
    }

    /// One direction of a pair: of P, the law on the first dataset, against Q, that on the second.
    pub fn direction(&self, datasets: [usize; 2], p: &Law, divergence: &Divergence) -> OrderedPair {
        let (delta, exp_epsilon) = &self.reference;
        let between = divergence.exp_epsilon(delta);
        let held = match &self.points {
            Some(points) => [0, 1].map(|raised| {
                let held = points.iter().map(|point| {
                    let (delta, exp_epsilon) = &point[raised];
                    within(&divergence.exp_epsilon(delta), exp_epsilon)
                });
                held.fold(Held::Yes, Held::and)
            }),
            None => {
                let bounds = |raised: bool| in_bounds(self.claim.form(), divergence, raised);
                match bounds(false) {
                    Some(plain) => [plain, bounds(true).unwrap_or(plain)],
                    None => [in_region(self.claim, divergence); 2],
                }
            }
        };
        let (size, p_mass, q_mass) = divergence.event(delta);
        let mut named = divergence.order[..size].to_vec();
        named.sort_by(|a, b| p.outcomes()[*b].1.cmp(&p.outcomes()[*a].1));
        named.truncate(NAMED);
        let outcomes = named.iter().map(|&at| p.outcomes()[at].0.clone()).collect();
        let deltas = |places: &[(f64, Exponential)]| {
            places.iter().map(|(_, exp)| divergence.delta(exp)).collect()
        };
        OrderedPair {
            datasets,
            exp_epsilon: between,
            delta: divergence.delta(exp_epsilon),
            profile: deltas(&self.grid),
            compared: deltas(&self.places),
            held,
            event: (size, named, p_mass, q_mass),
            outcomes,
        }
    }

    pub fn decide<D>(
        &self,
        directions: Vec<OrderedPair>,
        (laws, of_dataset): (Vec<Law>, Vec<usize>),
        domain: &Domain<D>,
        explorer: &Explorer,
    ) -> Proved {
        let all = |raised: usize, held| directions.iter().all(|d| d.held[raised] == held);
        let (decision, raised) = match directions.iter().any(|d| d.held[1] == Held::No) {
            true => (Decision::Refuted, false),
            false if all(0, Held::Yes) => (Decision::Verified, self.computed),
            false if all(1, Held::Yes) => (Decision::Verified, true),
            false => (Decision::Undecided, false),
        };
        let nothing = || Between { lower: Some(Rational::ZERO), upper: Some(Rational::ZERO) };
        let one = || Between { lower: Some(Rational::ONE), upper: Some(Rational::ONE) };
        let largest = |places: &[(f64, Exponential)], of: fn(&OrderedPair) -> &[Between]| {
            let place = |(at, (epsilon, _)): (usize, &(f64, Exponential))| {
                let deltas = directions.iter().map(|direction| of(direction)[at].clone());
                (*epsilon, deltas.fold(nothing(), Between::max))
            };
            places.iter().enumerate().map(place).collect()
        };
        let profile = largest(&self.grid, |direction| &direction.profile);
        let compared = largest(&self.places, |direction| &direction.compared);
        let exp = directions.iter().map(|direction| direction.exp_epsilon.clone());
        let delta = directions.iter().map(|direction| direction.delta.clone());
        let worst =
            directions.iter().reduce(|worst, next| if next.worse(worst) { next } else { worst });
        let renyi = worst.filter(|_| decision == Decision::Refuted).and_then(|worst| {
            let [p, q] = worst.datasets.map(|dataset| &laws[of_dataset[dataset]]);
            let divergence = Divergence::new(p, q);
            broken_order(self.claim.form(), |order, bound| {
                divergence.renyi(order, &rational(bound))
            })
        });
        Proved {
            decision,
            raised,
            renyi,
            exp_epsilon: exp.fold(one(), Between::max),
            delta: delta.fold(nothing(), Between::max),
            profile,
            compared,
            worst: worst.map(|direction| WorstPair {
                datasets: direction.datasets,
                size: direction.event.0,
                outcomes: direction.outcomes.clone(),
                d: direction.event.2.clone(),
                d_prime: direction.event.3.clone(),
            }),
            unresolved: laws
                .iter()
                .map(|law| law.unresolved().clone())
                .max()
                .unwrap_or(Rational::ZERO),
            counts: [domain.datasets.len(), laws.len(), domain.pairs.len()],
            runs: explorer.runs(),
            budget: explorer.budget(),
            laws,
            of_dataset,
        }
    }
}

impl Proved {
    /// The law on a dataset, by its place in the domain.
    pub fn law(&self, dataset: usize) -> &Law {
        &self.laws[self.of_dataset[dataset]]
    }
}

impl OrderedPair {
    /// `true` if it refutes more, or has the larger ε.
    fn worse(&self, other: &Self) -> bool {
        let refutes = |direction: &Self| direction.held[1] == Held::No;
        let larger = match (&self.exp_epsilon.lower, &other.exp_epsilon.lower) {
            (None, Some(_)) => true,
            (Some(a), Some(b)) => a > b,
            _ => false,
        };
        match (refutes(self), refutes(other)) {
            (true, false) => true,
            (false, true) => false,
            _ => larger,
        }
    }
}

fn within(between: &Between, claimed: &Exponential) -> Held {
    let exceeds = |lower: &Rational| claimed.upper.as_ref().is_some_and(|upper| lower > upper);
    if between.upper.as_ref().is_some_and(|upper| *upper <= claimed.lower) {
        Held::Yes
    } else if between.lower.as_ref().is_none_or(exceeds) {
        Held::No
    } else {
        Held::Unknown
    }
}

/// Tests whether two laws meet a claim that bounds Rényi divergences, or names a trade-off function
/// by points, as it is or with its numbers raised; `None`: another claim.
fn in_bounds(form: &Form, divergence: &Divergence, raised: bool) -> Option<Held> {
    let number = |x: f64| if raised && x > 0.0 { x.next_up() } else { x };
    let renyi = |order: f64, bound: f64| divergence.renyi(order, &rational(bound));
    match form {
        Form::Renyi { curve } => {
            let held = curve.iter().map(|point| renyi(point.order, number(point.epsilon)));
            Some(held.fold(Held::Yes, Held::and))
        }
        Form::ZeroConcentrated { rho } => {
            let largest = divergence.exp_epsilon(&Rational::ZERO).upper;
            let largest = largest.and_then(|exp| Enclosure::ln(&exp)).map(|ln| ln.upper);
            Some(concentrated(number(*rho), largest.as_ref(), renyi))
        }
        form => form.tradeoff_points(raised).map(|points| {
            let point = |(x, y): &(f64, f64)| (rational(*x), rational(*y));
            above(divergence, &points.iter().map(point).collect::<Vec<_>>())
        }),
    }
}

/// `true` if the trade-off function of two laws is nowhere below another by points. Both are
/// straight between their corners, so the corners of both decide.
fn above(divergence: &Divergence, claimed: &[(Rational, Rational)]) -> Held {
    let corner = |(q, p): (Rational, Rational)| (q, Rational::ONE - p);
    let (far, near): (Vec<_>, Vec<_>) =
        divergence.knots().map(|[far, near]| (corner(far), corner(near))).unzip();
    if near.iter().any(|(x, y)| *y < height(claimed, x)) {
        return Held::No;
    }
    let over_corners = far.iter().all(|(x, y)| *y >= height(claimed, x));
    match over_corners && claimed.iter().all(|(x, y)| height(&far, x) >= *y) {
        true => Held::Yes,
        false => Held::Unknown,
    }
}

/// The height at x of a line through corners, ascending in x; 0 beyond the last.
fn height(corners: &[(Rational, Rational)], x: &Rational) -> Rational {
    // Of several corners at x the last.
    let next = corners.partition_point(|corner| corner.0 <= *x);
    let Some((a, high)) = next.checked_sub(1).map(|at| &corners[at]) else { return Rational::ONE };
    match corners.get(next) {
        Some((b, low)) => high + (low - high) * (x - a) / (b - a),
        None if x == a => high.clone(),
        None => Rational::ZERO,
    }
}

/// Tests whether all events are in the claim's region p <= g(q). The trade-off function of two
/// enumerated laws is linear between its knots and g is concave, so the knots decide.
///
/// An event beyond the region refutes any claim. If all are inside, that verifies only μ-GDP: other
/// regions are rounded outward, and a bound on a Rényi divergence claims more.
fn in_region(claim: &Claim, divergence: &Divergence) -> Held {
    let region = claim.region();
    let symmetric_and_whole = matches!(region, Region::Gaussian { .. });
    let mut held = if symmetric_and_whole { Held::Yes } else { Held::Unknown };
    for [far, near] in divergence.knots() {
        // g is rounded up, so that an event beyond it refutes.
        if double_below(&near.1) > region.most_power(double_above(&near.0)) {
            return Held::No;
        }
        let (q, p) = (double_below(&far.0), double_above(&far.1));
        let meets = |q: f64, p: f64| p * (1.0 + REGION_ERROR) <= region.most_power(q);
        // Beyond the middle, where g is flat, the complement reveals more.
        let mirrored = || {
            let (spared, kept) = (Rational::ONE - &far.1, Rational::ONE - &far.0);
            meets(double_below(&spared), double_above(&kept))
        };
        if far.1 > far.0 && !meets(q, p) && !mirrored() {
            held = Held::Unknown;
        }
    }
    held
}

fn with_exponential(epsilon: f64) -> (f64, Exponential) {
    (epsilon, Exponential::of(&rational(epsilon)))
}

fn rational(x: f64) -> Rational {
    Rational::try_from(x).unwrap_or(Rational::ZERO)
}

//! Closed forms: the privacy profile of noise added to real numbers, by its formula, or by the accountant
//! if there are several releases.

mod arithmetic;
mod claims;
mod everywhere;
mod released;
mod shift;

use super::bisect::{first, last};
use super::compared::{compared, places};
use super::enclose::{decimal, double_above, double_below};
use super::held::Held;
use super::moments::broken_order;
use crate::mechanism::{AddedNoise, Release};
use arithmetic::{exact, rational};
use plaudit_core::claim::Claim;
use plaudit_core::dataset::Relation;
use plaudit_core::finding::{
    Bracket, ComparedOrder, ComparedPoint, Decision, Proof, ProofDomain, ProofMethod, ProofOf,
    ProofPoint,
};
use released::Released;

/// Relative excess of a claim's numbers that is allowed: noise is calibrated in doubles.
const CALIBRATION: f64 = 1e-12;
/// Steps of the profile up to the claim's ε, and beyond.
const STEPS: [u32; 2] = [8, 2];

/// Proves or refutes a claim of real noise that is added to each of `entries` numbers, or to one of
/// them, once or several times, for all lists of at most this length that are neighbors under a
/// distance. `None` if the relation is not a distance, or the claim is not supported.
///
/// Laplace: (Δ₁/b)-DP, and δ(ε) = 1 − e^((ε − a)/2) for a shift of a = Δ₁/b in one entry (Balle,
/// Barthe, Gaboardi 2018, Theorem 3). Gaussian: δ(ε) = Φ(a/2 − ε/a) − e^ε Φ(−a/2 − ε/a) for a =
/// Δ₂/σ (Balle & Wang 2018, Theorem 8), which is a-GDP. Several releases: the accountant's bracket.
/// A curve that is claimed as a whole is held against the profile at every ε, cell by cell.
pub fn prove_closed(
    releases: &[Release],
    relation: &Relation,
    entries: usize,
    claim: &Claim,
) -> Option<Proof> {
    let entries = u32::try_from(entries).ok()?;
    let released = Released::new(releases, relation, entries)?;
    let (epsilon, delta) = claim.reference_point();
    let raised = |x: f64| x * (1.0 + CALIBRATION);
    let (decision, is_raised) = match released.held(claim, &|x| x)? {
        Held::Yes => (Decision::Verified, false),
        _ => match released.held(claim, &raised)? {
            Held::Yes => (Decision::Verified, true),
            Held::No => (Decision::Refuted, false),
            Held::Unknown => (Decision::Undecided, false),
        },
    };
    // Meaning of the numbers.
    let released = match claim.group_size() {
        1 => released,
        size => released.apart(size)?,
    };
    let bracket = released.epsilon(delta);
    let at = released.delta(&exact(epsilon));
    let step = if epsilon > 0.0 { epsilon } else { 0.5 } / f64::from(STEPS[0]);
    let point = |epsilon: f64| {
        let delta = released.delta(&exact(epsilon));
        let lower = double_below(&delta.lower).max(0.0);
        (epsilon, lower, double_above(&delta.upper).clamp(0.0, 1.0))
    };
    let profile = (0..=STEPS[0] + STEPS[1]).map(|at| {
        let (epsilon, delta_lower, delta_upper) = point(step * f64::from(at));
        ProofPoint { epsilon, delta_lower, delta_upper }
    });
    let neighbors = match claim.group_size() {
        1 => "neighbors".to_owned(),
        size => format!("{size} neighbors apart"),
    };
    // Shorter lists are these with more entries that stay as they are.
    let lists = match entries {
        1 => "all real numbers".to_owned(),
        entries => format!("all lists of at most {entries} real numbers"),
    };
    let words = format!("{lists} that are {neighbors} under {relation}");
    let is_refuted = decision == Decision::Refuted;
    let by_order = |order: f64, bound: f64| released.renyi(order, &rational(bound));
    let renyi = is_refuted.then(|| broken_order(claim.form(), by_order)).flatten();
    let compared = compared(claim, decision, places(claim).into_iter().map(point));
    let shown = Shown { epsilon: bracket, renyi, compared };
    let pure = released.largest_loss().filter(|_| delta == 0.0);
    Some(Proof {
        method: ProofMethod::ClosedForm,
        of: ProofOf::Model,
        decision,
        covers_relation: true,
        statement: statement(releases, claim, &words, (decision, is_raised), &shown),
        domain: ProofDomain { words, datasets: None, laws: None, pairs: None },
        budget: None,
        runs: 0,
        unresolved: 0.0,
        epsilon: bracket,
        epsilon_decimal: pure.map(|loss| decimal(&loss.lower, 20)),
        exp_epsilon: None,
        delta: Bracket {
            lower: Some(double_below(&at.lower).max(0.0)),
            upper: Some(double_above(&at.upper).clamp(0.0, 1.0)),
        },
        profile: profile.collect(),
        renyi,
        compared,
        worst: None,
    })
}

struct Shown {
    epsilon: Bracket,
    renyi: Option<ComparedOrder>,
    compared: Option<ComparedPoint>,
}

impl Released {
    /// ε at a δ, between doubles.
    fn epsilon(&self, delta: f64) -> Bracket {
        if delta == 0.0 {
            return match self.largest_loss() {
                None => Bracket { lower: None, upper: None },
                Some(loss) => Bracket {
                    lower: Some(double_below(&loss.lower)),
                    upper: Some(double_above(&loss.upper)),
                },
            };
        }
        let delta = rational(delta);
        let above = |epsilon: f64| self.delta(&exact(epsilon)).lower > delta;
        let below = |epsilon: f64| self.delta(&exact(epsilon)).upper <= delta;
        let lower = last(above);
        Bracket { lower: Some(lower.unwrap_or(0.0)), upper: first(below) }
    }
}

fn statement(
    releases: &[Release],
    claim: &Claim,
    words: &str,
    (decision, raised): (Decision, bool),
    shown: &Shown,
) -> String {
    let Shown { epsilon, .. } = *shown;
    let noise = |release: &Release| {
        let noise = match release.noise {
            AddedNoise::Laplace { scale } => format!("Laplace noise of scale {scale}"),
            AddedNoise::Gaussian { sigma } => format!("Gaussian noise of sigma {sigma}"),
        };
        let on = if release.of_one_entry { " on one entry" } else { "" };
        match release.count {
            1 => format!("{noise}{on}"),
            count => format!("{count} times {noise}{on}"),
        }
    };
    let noise = releases.iter().map(noise).collect::<Vec<_>>().join(" and ");
    let broken = match decision {
        Decision::Refuted => super::summary::broken_words(shown.renyi, shown.compared),
        _ => String::new(),
    };
    let decision = match decision {
        Decision::Verified if raised => {
            "is verified, its numbers raised by a relative 1e-12 (noise is calibrated in doubles),"
        }
        Decision::Verified => "is verified",
        Decision::Refuted => "is refuted",
        Decision::Undecided => "is neither proved nor refuted",
    };
    let (_, delta) = claim.reference_point();
    let at = if delta == 0.0 { String::new() } else { format!(" at δ = {delta}") };
    let found = match (epsilon.lower, epsilon.upper) {
        (None, _) => format!("ε is infinite{at}"),
        (Some(lower), None) => format!("ε is at least {lower}{at}"),
        (Some(lower), Some(upper)) => format!("ε is in [{lower}, {upper}]{at}"),
    };
    format!(
        "In closed form the claim {claim} {decision} for {noise} on {words}: {broken}{found}. This \
         covers noise as real numbers, and any post-processing of the sum; a sampler in doubles \
         only approximates it."
    )
}

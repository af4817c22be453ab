//! Proofs of code that draws real noise: by alignment for all neighbors, else by the probabilities of its outcomes on
//! pairs.

use super::bisect::{first, last};
use super::enclose::double_above;
use super::on_pairs::{OnPairs, outcome};
use crate::mechanism::choice::Rational;
use plaudit_accountant::number::words;
use plaudit_aligned::{
    Bounds, Found, Moves, NotFollowed, Path, Piece, Written, check, check_regions, paths, regions,
    search,
};
use plaudit_core::claim::{Claim, Region};
use plaudit_core::dataset::Relation;
use plaudit_core::finding::{
    Bracket, Decision, Proof, ProofDomain, ProofMethod, ProofOf, ProofPoint, ProofWorst,
};

/// Relative excess of a claim's numbers that is allowed: noise is calibrated in doubles.
const CALIBRATION: f64 = 1e-12;
/// Limits of a search for pairs: regions of the code, lists around which, and places that are moved.
const MOST_SEARCHED: usize = 64;
const MOST_BASES: usize = 2;
const MOST_PLACES: usize = 8;

/// Proves or refutes a claim of (ε, δ) for code that draws real noise, on lists of as many numbers as the pairs have.
/// At most `most` paths are followed.
///
/// A certificate of alignment covers all neighbors under a distance. Where none is found at the claim's ε, the
/// probabilities of all outcomes on each of the pairs may refute the claim, or prove it for these pairs. Where each
/// pair is a list and itself, neighbors of the lists are tried for a refutation instead.
///
/// # Errors
/// In words, if the code cannot be followed, the relation is not a distance of lists, or the claim is not (ε, δ).
pub fn prove_aligned(
    mechanism: &dyn Written,
    pairs: &[[Vec<f64>; 2]],
    relation: Option<&Relation>,
    claim: &Claim,
    most: usize,
) -> Result<Proof, String> {
    let followed = |why: NotFollowed| format!("the code cannot be followed: {why}");
    let follow = |length: usize| paths(mechanism, length, most).map_err(followed);
    prove_paths(follow, pairs, relation, claim)
}

/// As [`prove_aligned`], for the paths that `follow` finds on lists of a length.
///
/// # Errors
/// As [`prove_aligned`], with the errors of `follow`.
pub fn prove_paths(
    follow: impl FnOnce(usize) -> Result<Vec<Path>, String>,
    pairs: &[[Vec<f64>; 2]],
    relation: Option<&Relation>,
    claim: &Claim,
) -> Result<Proof, String> {
    let &Region::EpsilonDelta { epsilon, delta } = claim.region() else {
        return Err("alignment proves claims of (ε, δ), and this is another".to_owned());
    };
    let length = pairs.first().map(|[d, _]| d.len());
    let length = length.ok_or("without pairs it is not known how many numbers a dataset has")?;
    if pairs.iter().flatten().any(|list| list.len() != length) {
        return Err("the lists of the pairs differ in length".to_owned());
    }
    let relation =
        relation.ok_or("it is not known under which relation the pairs are neighbors")?;
    let moves = moves(relation, length, claim.group_size())
        .ok_or_else(|| format!("it is not known how far answers move under {relation}"))?;
    let followed = Followed::new(follow(length)?, &moves, epsilon)?;
    let decided = proves(followed.proved, epsilon, delta);
    // A list and itself show nothing: where no other pair is given, neighbors of it are tried for a refutation.
    let is_search = pairs.iter().all(|[d, d_prime]| d == d_prime);
    let found = match is_search && !decided && followed.regions.len() <= MOST_SEARCHED {
        true => neighbors(pairs, relation, claim.group_size()),
        false => Vec::new(),
    };
    let pairs = if is_search { &found } else { pairs };
    let on_pairs = OnPairs::new(&followed.paths, &followed.regions, pairs, !decided);
    let relation = match claim.group_size() {
        1 => relation.to_string(),
        size => format!("{size} steps of {relation}"),
    };
    let all = format!("all lists of {length} real numbers that are neighbors under {relation}");
    Ok(followed.proof(claim, (epsilon, delta), (&on_pairs, is_search), all))
}

/// The code's paths, and what alignment found.
struct Followed {
    paths: Vec<Path>,
    regions: Vec<Piece>,
    /// The ε that is proved for all neighbors, rounded up.
    proved: Option<f64>,
    /// Why none is proved.
    stuck: Option<String>,
}

impl Followed {
    fn new(paths: Vec<Path>, moves: &[Moves], aim: f64) -> Result<Self, String> {
        let regions = regions(&paths);
        check_regions(&paths, &regions).map_err(|why| format!("a region is wrong: {why}"))?;
        let (proved, stuck) = match search(&paths, &regions, moves, aim) {
            Found::Proof(certificate) => match check(&paths, moves, &certificate) {
                Ok(found) => (Some(double_above(&found)), None),
                // What the search finds is a guess.
                Err(why) => (
                    None,
                    Some(format!("the shifts of the noise that were found prove nothing: {why}")),
                ),
            },
            Found::NoShift { path } => {
                let outcome = outcome(&paths[path].outcome);
                (
                    None,
                    Some(format!(
                        "no shift of the noise was found that keeps the outcome {outcome}"
                    )),
                )
            }
        };
        Ok(Self { paths, regions, proved, stuck })
    }

    fn proof(
        self,
        claim: &Claim,
        (epsilon, delta): (f64, f64),
        (on_pairs, is_search): (&OnPairs<'_>, bool),
        all: String,
    ) -> Proof {
        let Self { paths, proved, stuck, .. } = self;
        let aligned = proves(proved, epsilon, delta);
        let Bounds { lower, upper } = on_pairs.delta(epsilon);
        let decision = match aligned {
            true => Decision::Verified,
            false if lower > raised(delta) => Decision::Refuted,
            // Pairs that were looked for may refute a claim, and never prove it.
            false if upper <= delta && !is_search => Decision::Verified,
            false => Decision::Undecided,
        };
        let covers = aligned || decision != Decision::Verified;
        let delta_upper = |epsilon: f64| match (covers, proved) {
            (true, Some(proved)) => delta_of(proved, epsilon),
            (true, None) => 1.0,
            (false, _) => on_pairs.delta(epsilon).upper,
        };
        let step = if epsilon > 0.0 { epsilon } else { 0.5 } / 8.0;
        let point = |at: u32| {
            let epsilon = step * f64::from(at);
            let delta_lower = on_pairs.delta(epsilon).lower;
            ProofPoint { epsilon, delta_lower, delta_upper: delta_upper(epsilon).max(delta_lower) }
        };
        let least = last(|epsilon: f64| on_pairs.delta(epsilon).lower > delta).unwrap_or(0.0);
        let most = match covers {
            true => proved,
            false => first(|epsilon: f64| on_pairs.delta(epsilon).upper <= delta),
        };
        let most = most.map(|most| most.max(least));
        let bracket = Bracket { lower: Some(least), upper: most };
        let words = if covers { all } else { "the pairs of the audit".to_owned() };
        let worst = on_pairs.worst(epsilon).filter(|_| decision == Decision::Refuted);
        Proof {
            method: ProofMethod::Alignment,
            of: ProofOf::RealCode,
            decision,
            covers_relation: covers,
            statement: statement(
                claim,
                (decision, covers),
                (paths.len(), &words),
                bracket,
                &worst,
                stuck,
            ),
            domain: ProofDomain { words, datasets: None, laws: None, pairs: None },
            budget: None,
            runs: paths.len() as u64,
            unresolved: 0.0,
            epsilon: bracket,
            epsilon_decimal: None,
            exp_epsilon: None,
            delta: Bracket { lower: Some(lower), upper: Some(delta_upper(epsilon).max(lower)) },
            profile: (0..=10).map(point).collect(),
            renyi: None,
            compared: None,
            worst,
        }
    }
}

fn raised(x: f64) -> f64 {
    x * (1.0 + CALIBRATION)
}

/// `true` if a claim holds for whatever is `proved`-DP.
fn proves(proved: Option<f64>, epsilon: f64, delta: f64) -> bool {
    proved.is_some_and(|proved| delta_of(proved, raised(epsilon)) <= raised(delta))
}

/// How far answers move; `None` if that is not known.
fn moves(relation: &Relation, answers: usize, steps: u64) -> Option<Vec<Moves>> {
    let far = |most: f64| Some(Rational::try_from(most).ok()? * Rational::from(steps));
    Some(vec![match relation {
        // In each direction at most the whole distance.
        Relation::Linf(most) | Relation::L2(most) => Moves::each(&far(*most)?, answers),
        Relation::L1(most) => Moves::Sum { most: far(*most)?, answers },
        Relation::Histogram => Moves::Sum { most: Rational::from(steps), answers },
        _ => return None,
    }])
}

/// Pairs on which mistakes usually show: lists, and their answers some up and the others down, or one of them alone.
fn neighbors(pairs: &[[Vec<f64>; 2]], relation: &Relation, steps: u64) -> Vec<[Vec<f64>; 2]> {
    let (most, together) = match relation {
        Relation::Linf(most) => (*most, true),
        Relation::L1(most) | Relation::L2(most) => (*most, false),
        _ => (1.0, false),
    };
    let exact = |x: f64| Rational::try_from(x).unwrap_or(Rational::ZERO);
    let (far, farthest) = (most * steps as f64, exact(most) * Rational::from(steps));
    // As far as doubles can be apart that are neighbors.
    let moved_by = |x: f64, up: f64| {
        let mut other = Some(x + far * up).filter(|other| other.is_finite()).unwrap_or(x);
        while exact(other.max(x)) - exact(other.min(x)) > farthest {
            other = if other > x { other.next_down() } else { other.next_up() };
        }
        other
    };
    let mut bases: Vec<&Vec<f64>> = Vec::new();
    for [list, _] in pairs {
        if !bases.contains(&list) && bases.len() < MOST_BASES {
            bases.push(list);
        }
    }
    let mut found = Vec::new();
    for base in bases {
        let count = base.len();
        let mut moved = |up: &dyn Fn(usize) -> f64| {
            let other = base.iter().enumerate().map(|(at, x)| moved_by(*x, up(at))).collect();
            found.push([base.clone(), other]);
        };
        for sign in [1.0, -1.0] {
            for place in 0..count.min(MOST_PLACES) {
                moved(&|at| if at == place { sign } else { 0.0 });
                if together {
                    moved(&|at| if at == place { sign } else { -sign });
                    moved(&|at| if at <= place { sign } else { -sign });
                }
            }
            if together {
                moved(&|_| sign);
            }
        }
    }
    found
}

/// δ at an ε of whatever is `proved`-DP: (e^p − e^ε)/(e^p + 1) (Kairouz, Oh, Viswanath 2015), rounded up.
fn delta_of(proved: f64, epsilon: f64) -> f64 {
    if proved <= epsilon {
        return 0.0;
    }
    let gap = -(epsilon - proved).exp_m1();
    (gap / (1.0 + (-proved).exp()) * (1.0 + 1e-14)).min(1.0)
}

fn statement(
    claim: &Claim,
    (decision, covers): (Decision, bool),
    (paths, domain): (usize, &str),
    epsilon: Bracket,
    worst: &Option<ProofWorst>,
    stuck: Option<String>,
) -> String {
    let paths = if paths == 1 { "its one path".to_owned() } else { format!("its {paths} paths") };
    let (_, delta) = claim.reference_point();
    let at = if delta == 0.0 { String::new() } else { format!(" at δ = {delta}") };
    let found = match (epsilon.lower, epsilon.upper) {
        (Some(lower), Some(upper)) => format!("ε is in [{lower}, {upper}]{at}"),
        (lower, _) => format!("ε is at least {}{at}", lower.unwrap_or(0.0)),
    };
    let why =
        stuck.unwrap_or_else(|| "the shifts of the noise that were found cost more".to_owned());
    let decided = match decision {
        Decision::Verified if covers => "is verified".to_owned(),
        Decision::Verified => format!("is verified, not for all neighbors ({why}),"),
        Decision::Refuted => "is refuted".to_owned(),
        Decision::Undecided => format!("is neither proved nor refuted ({why})"),
    };
    let shown = worst.as_ref().map_or_else(String::new, |worst| {
        format!(
            " {} has probability at least {} on {} and at most {} on {}.",
            worst.outcome.join(" or "),
            words(worst.probability_d),
            worst.d,
            words(worst.probability_d_prime),
            worst.d_prime
        )
    });
    format!(
        "By {paths} the claim {claim} {decided} on {domain}: {found}.{shown} This covers the code with \
         its noise as real numbers; a sampler in doubles only approximates them."
    )
}

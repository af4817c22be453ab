//! Proofs of code that draws real noise: by alignment for all neighbors, else by the probabilities of its outcomes on
//! pairs.

use super::bisect::{first, last};
use super::enclose::double_above;
use crate::mechanism::choice::Rational;
use plaudit_accountant::number::words;
use plaudit_aligned::{
    Affine, Bounds, Cell, Found, Moves, NotFollowed, Path, Piece, Row, Written, check,
    check_regions, in_cells, paths, regions, search,
};
use plaudit_core::claim::{Claim, Region};
use plaudit_core::dataset::Relation;
use plaudit_core::finding::{
    Bracket, Decision, Proof, ProofDomain, ProofMethod, ProofOf, ProofPoint, ProofWorst,
};
use std::collections::HashMap;

/// Relative excess of a claim's numbers that is allowed: noise is calibrated in doubles.
const CALIBRATION: f64 = 1e-12;
/// Cells into which a draw is cut where two link the others, if the regions are few.
const CELLS: usize = 48;
const FEW_REGIONS: usize = 128;
/// Values of a released number at which events are cut.
const MOST_VALUES: usize = 16;
/// Paths for which probabilities on pairs are computed.
const MOST_INTEGRATED: usize = 4_096;

/// Proves or refutes a claim of (ε, δ) for code that draws real noise, on lists of as many numbers as the pairs have.
/// At most `most` paths are followed.
///
/// A certificate of alignment covers all neighbors under a distance. Where none is found at the claim's ε, the
/// probabilities of all outcomes on each of the pairs may refute the claim, or prove it for these pairs.
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
    let on_pairs = OnPairs::new(&followed.paths, &followed.regions, pairs);
    let relation = match claim.group_size() {
        1 => relation.to_string(),
        size => format!("{size} steps of {relation}"),
    };
    let all = format!("all lists of {length} real numbers that are neighbors under {relation}");
    Ok(followed.proof(claim, (epsilon, delta), &on_pairs, all))
}

/// The code's paths, and what alignment found.
struct Followed {
    paths: Vec<Path>,
    regions: Vec<Piece>,
    /// The ε that is proved for all neighbors, rounded up.
    proved: Option<f64>,
    /// An outcome for which no shift was found.
    stuck: Option<String>,
}

impl Followed {
    fn new(paths: Vec<Path>, moves: &[Moves], aim: f64) -> Result<Self, String> {
        let regions = regions(&paths);
        check_regions(&paths, &regions).map_err(|why| format!("a region is wrong: {why}"))?;
        let (proved, stuck) = match search(&paths, &regions, moves, aim) {
            Found::Proof(certificate) => {
                let found = check(&paths, moves, &certificate)
                    .map_err(|why| format!("a certificate is wrong: {why}"))?;
                (Some(double_above(&found)), None)
            }
            Found::NoShift { path } => (None, Some(outcome(&paths[path].outcome))),
        };
        Ok(Self { paths, regions, proved, stuck })
    }

    fn proof(
        self,
        claim: &Claim,
        (epsilon, delta): (f64, f64),
        on_pairs: &OnPairs<'_>,
        all: String,
    ) -> Proof {
        let Self { paths, proved, stuck, .. } = self;
        let raised = |x: f64| x * (1.0 + CALIBRATION);
        let aligned =
            proved.is_some_and(|proved| delta_of(proved, raised(epsilon)) <= raised(delta));
        let Bounds { lower, upper } = on_pairs.delta(epsilon);
        let decision = match aligned {
            true => Decision::Verified,
            false if lower > raised(delta) => Decision::Refuted,
            false if upper <= delta => Decision::Verified,
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

/// δ at an ε of whatever is `proved`-DP: (e^p − e^ε)/(e^p + 1) (Kairouz, Oh, Viswanath 2015), rounded up.
fn delta_of(proved: f64, epsilon: f64) -> f64 {
    if proved <= epsilon {
        return 0.0;
    }
    let gap = -(epsilon - proved).exp_m1();
    (gap / (1.0 + (-proved).exp()) * (1.0 + 1e-14)).min(1.0)
}

/// Probabilities of outcomes on both datasets of each pair.
struct OnPairs<'a> {
    pairs: &'a [[Vec<f64>; 2]],
    /// For each pair in both directions, each outcome: events of it. The first is the outcome itself.
    events: Vec<([usize; 3], Vec<Vec<Event>>)>,
    /// `true` if all outcomes are known, and their probabilities.
    all: bool,
}

#[derive(Clone)]
struct Event {
    words: String,
    p: Bounds,
    q: Bounds,
}

impl<'a> OnPairs<'a> {
    fn new(paths: &[Path], regions: &[Piece], pairs: &'a [[Vec<f64>; 2]]) -> Self {
        let mut found = Self { pairs, events: Vec::new(), all: regions.len() <= MOST_INTEGRATED };
        if !found.all {
            return found;
        }
        let cells = if regions.len() <= FEW_REGIONS { CELLS } else { 0 };
        // Who sees an outcome does not see which region it is of.
        let mut seen: Vec<Vec<&Piece>> = Vec::new();
        let mut place: HashMap<Vec<Option<&Cell>>, usize> = HashMap::new();
        for region in regions {
            let cells = &paths[region.paths[0]].outcome;
            let known = |cell: &'_ Cell| cell.number().is_none();
            let what = cells.iter().map(|cell| Some(cell).filter(|cell| known(cell))).collect();
            let at = *place.entry(what).or_insert(seen.len());
            match seen.get_mut(at) {
                Some(alike) => alike.push(region),
                None => seen.push(vec![region]),
            }
        }
        let exact = |list: &Vec<f64>| {
            list.iter().map(|x| Rational::try_from(*x).ok()).collect::<Option<Vec<_>>>()
        };
        for (at, [d, d_prime]) in pairs.iter().enumerate() {
            let (Some(d), Some(d_prime)) = (exact(d), exact(d_prime)) else {
                found.all = false;
                continue;
            };
            let events: Vec<Vec<Event>> =
                seen.iter().map(|alike| events(paths, alike, [&d, &d_prime], cells)).collect();
            found.all &= events.iter().all(|events| !events.is_empty());
            let swapped =
                |event: &Event| Event { p: event.q, q: event.p, words: event.words.clone() };
            let opposite = events.iter().map(|events| events.iter().map(swapped).collect());
            let opposite = opposite.collect();
            found.events.push(([at, 0, 1], events));
            found.events.push(([at, 1, 0], opposite));
        }
        let real = |path: &Path| path.outcome.iter().any(|cell| cell.number().is_some());
        found.all &= !paths.iter().any(real);
        found
    }

    /// The largest δ(ε) of a pair in a direction.
    fn delta(&self, epsilon: f64) -> Bounds {
        let factor = epsilon.exp();
        let mut worst = Bounds { lower: 0.0, upper: if self.all { 0.0 } else { 1.0 } };
        for (_, regions) in &self.events {
            let over = |event: &Event| event.p.lower - factor * (1.0 + 1e-15) * event.q.upper;
            let under = |event: &Event| event.p.upper - factor * (1.0 - 1e-15) * event.q.lower;
            let (mut lower, mut upper) = (0.0, 0.0);
            for events in regions {
                lower += events.iter().map(over).fold(0.0, f64::max);
                upper += events.first().map_or(1.0, under).max(0.0);
            }
            worst.lower = worst.lower.max(lower);
            worst.upper = worst.upper.max(upper.min(1.0));
        }
        worst
    }

    /// The pair with the largest δ(ε), and the event.
    fn worst(&self, epsilon: f64) -> Option<ProofWorst> {
        let factor = epsilon.exp();
        let over = |event: &&Event| event.p.lower - factor * event.q.upper;
        let of = |regions: &'_ Vec<Vec<Event>>| -> Vec<Event> {
            let best = |events: &Vec<Event>| {
                let best = events.iter().max_by(|a, b| over(a).total_cmp(&over(b)));
                best.filter(|event| over(event) > 0.0).cloned()
            };
            regions.iter().filter_map(best).collect()
        };
        let sum = |events: &Vec<Event>| events.iter().map(|event| over(&event)).sum::<f64>();
        let all = self.events.iter().map(|(of_pair, regions)| (of_pair, of(regions)));
        let (&[pair, d, d_prime], mut events) =
            all.max_by(|(_, a), (_, b)| sum(a).total_cmp(&sum(b)))?;
        events.sort_by(|a, b| b.p.lower.total_cmp(&a.p.lower));
        let list = |side: usize| serde_json::json!(self.pairs[pair][side]);
        Some(ProofWorst {
            d: list(d),
            d_prime: list(d_prime),
            outcomes: events.len(),
            outcome: events.iter().take(5).map(|event| event.words.clone()).collect(),
            probability_d: events.iter().map(|event| event.p.lower).sum(),
            probability_d_prime: events.iter().map(|event| event.q.upper).sum::<f64>().min(1.0),
        })
    }
}

/// Events that who sees an outcome can tell: the outcome, and with one released number above or below a value. The
/// outcome comes first. None if a probability cannot be integrated.
fn events(
    paths: &[Path],
    alike: &[&Piece],
    [d, d_prime]: [&[Rational]; 2],
    cells: usize,
) -> Vec<Event> {
    let of = |region: &Piece| &paths[region.paths[0]];
    let event = |limit: Option<(usize, &Rational, bool)>, words: String| {
        let mut event = Event { words, p: NEVER, q: NEVER };
        for region in alike {
            let path = of(region);
            let mut rows = region.rows.clone();
            if let Some((at, value, above)) = limit {
                let number = path.outcome[at].number()?;
                let below = Affine { constant: Some(-value), terms: Vec::new() };
                let over = number.plus(&below, &Rational::ONE);
                let value = if above { over } else { over.times(&Rational::from(-1)) };
                rows.push(Row { value, strict: false });
            }
            event.p = sum(event.p, in_cells(&rows, &path.draws, d, cells)?);
            event.q = sum(event.q, in_cells(&rows, &path.draws, d_prime, cells)?);
        }
        Some(event)
    };
    let released = &of(alike[0]).outcome;
    let Some(whole) = event(None, outcome(released)) else {
        return Vec::new();
    };
    let mut all = vec![whole];
    for at in 0..released.len() {
        let numbers = alike.iter().filter_map(|region| of(region).outcome[at].number());
        let mut values: Vec<Rational> =
            numbers.flat_map(|number| [d, d_prime].map(|on| number.at(on))).collect();
        values.sort();
        values.dedup();
        for value in values.iter().take(MOST_VALUES) {
            for (above, sign) in [(true, ">="), (false, "<=")] {
                let limit = words(value.to_f64().value());
                let words = format!("{} with entry {at} {sign} {limit}", outcome(released));
                all.extend(event(Some((at, value, above)), words));
            }
        }
    }
    all
}

const NEVER: Bounds = Bounds { lower: 0.0, upper: 0.0 };

fn sum(a: Bounds, b: Bounds) -> Bounds {
    Bounds { lower: a.lower + b.lower, upper: a.upper + b.upper }
}

/// Cells of an outcome, with dots for numbers that are not known.
fn outcome(cells: &[Cell]) -> String {
    let cell = |cell: &Cell| match cell {
        Cell::Known(bits) => words(f64::from_bits(*bits)).into_owned(),
        Cell::Named(name) => name.clone(),
        Cell::Real(_) => "…".to_owned(),
    };
    if let Some(Cell::Named(name)) = cells.first() {
        return name.clone();
    }
    format!("[{}]", cells.iter().map(cell).collect::<Vec<_>>().join(", "))
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
    let why = match stuck {
        Some(outcome) => format!("no shift of the noise keeps the outcome {outcome}"),
        None => "the shifts of the noise that were found cost more".to_owned(),
    };
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

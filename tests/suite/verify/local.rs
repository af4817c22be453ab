//! Protocols of local privacy: each law is that of the published formulas, computed here without the code of the
//! catalog; each proof ends at the ε of the formulas; and each mistake is refuted twice, by proof and by
//! what 100 000 runs certify.
//!
//! Draws are compared at level 2e-12 each (see `support::catalog`), with one fixed seed.

use crate::support::catalog::assert_law;
use plaudit::dataset::{Cell, Dataset};
use plaudit::finding::{Decision, Proof};
use plaudit::game::Control;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::choice::{Budget, Law};
use plaudit::mechanism::{CatalogMechanism, Outcomes, Stream, order, release};
use plaudit::spec::{Overrides, load};
use plaudit::verify::{Sequences, prove};
use plaudit::{Claim, Explorer, Outcome, Relation};
use rand::SeedableRng;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::atomic::AtomicBool;

/// P(outcome | answer), by the published formula.
type Formula = Box<dyn Fn(usize, &[f64]) -> f64>;

/// A protocol: its kind and parameters, the number of answers, e^ε as the formulas say it, and its law.
struct Protocol {
    kind: &'static str,
    parameters: Value,
    answers: usize,
    exp_epsilon: &'static str,
    formula: Formula,
}

fn protocol(
    kind: &'static str,
    parameters: Value,
    (answers, exp_epsilon): (usize, &'static str),
    formula: impl Fn(usize, &[f64]) -> f64 + 'static,
) -> Protocol {
    Protocol { kind, parameters, answers, exp_epsilon, formula: Box::new(formula) }
}

fn coin(one: f64, shown: f64) -> f64 {
    if shown == 1.0 { one } else { 1.0 - one }
}

/// Bits that are 1 with probability p where `set`, else q, independently.
fn bits(set: &[bool], reported: &[f64], p: f64, q: f64) -> f64 {
    assert_eq!(set.len(), reported.len());
    set.iter().zip(reported).map(|(set, shown)| coin(if *set { p } else { q }, *shown)).product()
}

/// Bits that are drawn once (p, q) and then again (p₂, q₂) in each report.
fn memoised_bits(set: &[bool], reported: &[f64], (p, q): (f64, f64), (p2, q2): (f64, f64)) -> f64 {
    let reports = |at: usize, one: f64| -> f64 {
        reported.iter().skip(at).step_by(set.len()).map(|shown| coin(one, *shown)).product()
    };
    let bit = |(at, set): (usize, &bool)| {
        let permanent = if *set { p } else { q };
        permanent * reports(at, p2) + (1.0 - permanent) * reports(at, q2)
    };
    set.iter().enumerate().map(bit).product()
}

fn one_hot(answer: usize, answers: usize) -> Vec<bool> {
    (0..answers).map(|at| at == answer).collect()
}

/// The first eight bytes of SHA-256 of (hash, value), four and eight bytes, modulo the buckets; all little-endian.
fn hash(index: usize, value: usize, buckets: usize) -> usize {
    let mut bytes = (index as u32).to_le_bytes().to_vec();
    bytes.extend((value as u64).to_le_bytes());
    let head: [u8; 8] = Sha256::digest(&bytes)[..8].try_into().unwrap();
    (u64::from_le_bytes(head) % buckets as u64) as usize
}

/// Sylvester's construction: (H H; H −H).
fn hadamard(order: usize) -> Vec<Vec<f64>> {
    if order == 1 {
        return vec![vec![1.0]];
    }
    let half = hadamard(order / 2);
    let both = |sign: f64| {
        half.iter().map(move |row| row.iter().copied().chain(row.iter().map(move |x| sign * x)))
    };
    both(1.0).map(Iterator::collect).chain(both(-1.0).map(Iterator::collect)).collect()
}

/// P(noise >= n) for discrete Laplace noise, P(z) = (1 − r)/(1 + r)·r^|z|.
fn tail(r: f64, n: i32) -> f64 {
    (n..n + 200).map(|z| (1.0 - r) / (1.0 + r) * r.powi(z.abs())).sum()
}

fn binomial(n: u64, k: u64) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// Wang, Blocki, Li, Jha 2017: SUE, OUE, THE (with discrete noise); Arcolezi et al. 2022: L-SUE, L-OSUE.
fn unary() -> Vec<Protocol> {
    let parameters =
        |encoding: &str, odds: u32| json!({ "answers": 4, "encoding": encoding, "odds": odds });
    let memoised = |encoding: &str, odds: u32, reports: u32| json!({ "answers": 3, "encoding": encoding, "odds": odds, "instant": 4, "reports": reports });
    let encode = |p, q| move |v, o: &[f64]| bits(&one_hot(v, 4), o, p, q);
    let e = 3f64;
    let half = 9f64.sqrt();
    let keep = half / (half + 1.0);
    // p₂ = (e^(ε∞/2 + ε₁/2) − 1)/((e^(ε∞/2) − 1)(e^(ε₁/2) + 1)) for the ε₁ of the first report.
    let first = (49f64 / 25.0).sqrt();
    let again = (half * first - 1.0) / ((half - 1.0) * (first + 1.0));
    let memo =
        |p, q, p2| move |v, o: &[f64]| memoised_bits(&one_hot(v, 3), o, (p, q), (p2, 1.0 - p2));
    let three = json!({ "answers": 3, "base": 2, "steps": 2, "threshold": 2 });
    let r = 0.5;
    let cells = move |v, o: &[f64]| bits(&one_hot(v, 3), o, tail(r, 0), tail(r, 2));
    vec![
        protocol("unary-encoding", parameters("symmetric", 9), (4, "9"), encode(keep, 1.0 - keep)),
        protocol(
            "unary-encoding",
            parameters("optimized", 3),
            (4, "3"),
            encode(0.5, 1.0 / (e + 1.0)),
        ),
        protocol(
            "unary-encoding",
            memoised("symmetric", 9, 1),
            (3, "49/25"),
            memo(keep, 1.0 - keep, again),
        ),
        protocol(
            "unary-encoding",
            memoised("symmetric", 9, 2),
            (3, "169/49"),
            memo(keep, 1.0 - keep, again),
        ),
        protocol(
            "unary-encoding",
            memoised("optimized", 3, 2),
            (3, "13/7"),
            memo(0.5, 1.0 / (e + 1.0), 2.0 / 3.0),
        ),
        protocol("thresholded-histogram-encoding", three, (3, "10"), cells),
    ]
}

/// Ye & Barg 2018; Acharya, Sun, Zhang 2019; Bhowmick et al. 2018, on a cube.
fn sets() -> Vec<Protocol> {
    let e = 3f64;
    let subset = move |v: usize, o: &[f64]| {
        let size = o.iter().sum::<f64>();
        let weight = if o[v] == 1.0 { e } else { 1.0 };
        let all = binomial(5, 1) * e + binomial(5, 2);
        if size == 2.0 { weight / all } else { 0.0 }
    };
    let matrix = hadamard(8);
    let response = move |v: usize, o: &[f64]| {
        let inside = matrix[v + 1][o[0] as usize] == 1.0;
        2.0 * if inside { e } else { 1.0 } / (8.0 * (1.0 + e))
    };
    let cube = move |v: usize, o: &[f64]| {
        let differ = |at: &usize| (o[*at] == 1.0) != (v >> at & 1 == 1);
        // Five corners of 16 differ in at most one sign: p is such that p/5 is e times (1 − p)/11.
        let p = 5.0 * e / (5.0 * e + 11.0);
        if (0..4).filter(differ).count() <= 1 { p / 5.0 } else { (1.0 - p) / 11.0 }
    };
    let size = json!({ "answers": 6, "size": 2, "odds": 3 });
    let corners = json!({ "dimension": 4, "distance": 1, "odds": 3 });
    vec![
        protocol("subset-selection", size, (6, "3"), subset),
        protocol("hadamard-response", json!({ "answers": 5, "odds": 3 }), (5, "3"), response),
        protocol("cube-privunit", corners, (16, "3"), cube),
    ]
}

/// The reports of a bucket: randomized response of odds e, and then of odds e₂ in each report.
fn buckets(bucket: usize, g: usize, reported: &[f64], e: f64, e2: f64) -> f64 {
    let keep = |x: usize, y: usize, e: f64| if x == y { e } else { 1.0 } / (e + g as f64 - 1.0);
    let given = |z: usize| -> f64 { reported.iter().map(|y| keep(z, *y as usize, e2)).product() };
    (0..g).map(|z| keep(bucket, z, e) * given(z)).sum()
}

/// Wang et al. 2017: BLH, OLH; Arcolezi et al. 2023: LOLOHA; Apple 2017: CMS, HCMS.
fn hashed() -> Vec<Protocol> {
    let local = |answers: u32, buckets: u32| json!({ "answers": answers, "hashes": 8, "buckets": buckets, "odds": 3 });
    // Without a second round: odds so large that it changes nothing.
    let hashing = |g: usize| {
        move |v: usize, o: &[f64]| buckets(hash(o[0] as usize, v, g), g, &o[1..], 3.0, 1e300) / 8.0
    };
    let loloha = json!({
        "answers": 4, "hashes": 4, "buckets": 3, "odds": 3, "instant": 4, "reports": 2
    });
    let memoised =
        |v: usize, o: &[f64]| buckets(hash(o[0] as usize, v, 3), 3, &o[1..], 3.0, 4.0) / 4.0;
    let sketch = |odds: u32| json!({ "answers": 4, "hashes": 4, "buckets": 4, "odds": odds });
    let row = |v: usize, o: &[f64]| {
        let flip = 1.0 / (1.0 + 9f64.sqrt());
        bits(&one_hot(hash(o[0] as usize, v, 4), 4), &o[1..], 1.0 - flip, flip) / 4.0
    };
    let matrix = hadamard(4);
    let entry = move |v: usize, o: &[f64]| {
        let truth = matrix[o[1] as usize][hash(o[0] as usize, v, 4)];
        (if o[2] == truth { 0.75 } else { 0.25 }) / 16.0
    };
    vec![
        protocol("local-hashing", local(4, 2), (4, "3"), hashing(2)),
        protocol("local-hashing", local(6, 4), (6, "3"), hashing(4)),
        protocol("local-hashing", loloha, (4, "5/2"), memoised),
        protocol("count-mean-sketch", sketch(9), (4, "9"), row),
        protocol("hadamard-count-mean-sketch", sketch(3), (4, "3"), entry),
    ]
}

/// Erlingsson, Pihur, Korolova 2014; Ding, Kulkarni, Yekhanin 2017.
fn others() -> Vec<Protocol> {
    let rappor = json!({
        "f": 0.5, "set": 0.7, "unset": 0.2, "bits": 4, "hashes": 1, "reports": 2
    });
    let reports = |v: usize, o: &[f64]| {
        memoised_bits(&one_hot(hash(0, v, 4), 4), o, (0.75, 0.25), (0.7, 0.2))
    };
    let mean = |v: usize, o: &[f64]| coin(0.25 + v as f64 / 4.0 * 0.5, o[0]);
    vec![
        // (0.75·49 + 0.25·4)/(0.25·49 + 0.75·4) from 1 to 0, and (0.75·64 + 0.25·9)/(0.25·64 + 0.75·9) from 0 to 1.
        protocol("memoised-rappor", rappor, (4, "30351/5551"), reports),
        protocol("one-bit-mean", json!({ "most": 4, "odds": 3 }), (5, "3"), mean),
    ]
}

fn protocols() -> Vec<Protocol> {
    [unary(), sets(), hashed(), others()].into_iter().flatten().collect()
}

fn law(mechanism: &dyn CatalogMechanism, number: usize) -> Law {
    let by_choices = mechanism.capabilities().choices.expect("it is written against choices");
    Explorer::default().law(&Dataset::Numbers(vec![number as f64]), by_choices).unwrap()
}

fn numbers(outcome: &Outcome) -> Vec<f64> {
    match outcome {
        Outcome::Integer(x) => vec![*x as f64],
        Outcome::Vector(x) => x.clone(),
        other => panic!("{other:?}"),
    }
}

fn proof(
    mechanism: &dyn CatalogMechanism,
    values: usize,
    relation: &Relation,
    claim: &Claim,
) -> Proof {
    let values = (0..values).map(|value| Cell::Number(value as f64)).collect();
    let sequences = Sequences { values, least: 1, most: 1, column: None };
    let domain = sequences.domain(relation).unwrap();
    let by_choices = mechanism.capabilities().choices.unwrap();
    let proved = prove(by_choices, &domain, Budget::default(), claim, &AtomicBool::new(false));
    proved.unwrap().summary(claim, &domain, Dataset::abridged)
}

#[test]
fn laws_are_those_of_the_published_formulas() {
    for Protocol { kind, parameters, answers, formula, .. } in protocols() {
        let mechanism = build(kind, parameters.clone()).unwrap();
        for answer in 0..answers {
            let law = law(&*mechanism, answer);
            assert!(law.unresolved().is_zero(), "{kind} {parameters}");
            let mut total = 0.0;
            for (outcome, mass) in law.outcomes() {
                let (found, expected) = (mass.to_f64().value(), formula(answer, &numbers(outcome)));
                let off = (found - expected).abs();
                assert!(off <= 1e-12, "{kind} {parameters} {outcome:?}: {found} {expected}");
                total += expected;
            }
            // The formula leaves nothing for outcomes that the law does not have.
            assert!((total - 1.0).abs() < 1e-12, "{kind} {parameters}: {total}");
        }
    }
}

#[test]
fn what_is_drawn_has_the_published_law() {
    for Protocol { kind, parameters, answers, formula, .. } in protocols() {
        let mechanism = build(kind, parameters.clone()).unwrap();
        let law = law(&*mechanism, answers - 1);
        let dataset = Dataset::Numbers(vec![answers as f64 - 1.0]);
        let mut drawn = Outcomes::new();
        let stream = &mut Stream::seed_from_u64(11);
        release(&mechanism, &dataset, 50_000, stream, &mut drawn).unwrap();
        let mut counts = vec![0u64; law.outcomes().len()];
        for one in drawn.iter() {
            let place = law.outcomes().binary_search_by(|(other, _)| order(&other.as_ref(), &one));
            counts[place.expect("it is an outcome of the law")] += 1;
        }
        let chance = |(outcome, _): &(Outcome, _)| formula(answers - 1, &numbers(outcome));
        let chances: Vec<f64> = law.outcomes().iter().map(chance).collect();
        assert_law(&format!("{kind} {parameters}"), &counts, &chances);
    }
}

#[test]
fn proofs_end_at_the_epsilon_of_the_formulas_and_cover_all_answers() {
    let relation = Relation::Substitution;
    for Protocol { kind, parameters, answers, exp_epsilon, .. } in protocols() {
        let mechanism = build(kind, parameters.clone()).unwrap();
        let ratio = match exp_epsilon.split_once('/') {
            Some((up, down)) => up.parse::<f64>().unwrap() / down.parse::<f64>().unwrap(),
            None => exp_epsilon.parse().unwrap(),
        };
        let decision = |factor: f64| {
            let claim = Claim::pure(ratio.ln() * factor).unwrap();
            proof(&*mechanism, answers, &relation, &claim)
        };
        let right = decision(1.0 + 1e-9);
        assert_eq!(right.decision, Decision::Verified, "{kind}: {}", right.statement);
        assert_eq!(right.exp_epsilon.as_deref(), Some(exp_epsilon), "{kind} {parameters}");
        assert_eq!(decision(1.0 - 1e-9).decision, Decision::Refuted, "{kind} {parameters}");
        let cells = |values: &[usize]| -> Vec<Cell> {
            values.iter().map(|&value| Cell::Number(value as f64)).collect()
        };
        let all: Vec<usize> = (0..answers).collect();
        assert!(mechanism.covers(&cells(&all), 1, &relation), "{kind} {parameters}");
        assert!(!mechanism.covers(&cells(&all[..1]), 1, &relation), "{kind} {parameters}");
        if kind == "one-bit-mean" {
            assert!(mechanism.covers(&cells(&[0, 4]), 1, &relation));
            assert!(!mechanism.covers(&cells(&[1, 2, 3]), 1, &relation));
        } else if kind != "memoised-rappor" {
            assert!(!mechanism.covers(&cells(&all[1..]), 1, &relation), "{kind} {parameters}");
        }
    }
}

/// P(k) = C(k + r − 1, k)·q^k·(1 − q)^r.
fn polya(r: f64, q: f64) -> Vec<f64> {
    let next = |(k, mass): &(f64, f64)| Some((k + 1.0, mass * q * (k + r) / (k + 1.0)));
    std::iter::successors(Some((0.0, (1.0 - q).powf(r))), next).take(400).map(|(_, p)| p).collect()
}

/// The difference of two such numbers: all shares make discrete Laplace noise, n − 1 of n make less.
#[test]
fn shares_add_up_to_discrete_laplace_noise() {
    for (parties, odds) in [(2, 3), (3, 3), (4, 2)] {
        let q = 1.0 / f64::from(odds);
        for missing in [0, 1] {
            let mut parameters = json!({ "parties": parties, "odds": odds });
            if missing == 1 {
                parameters["mistake"] = json!("share-missing");
            }
            let law = law(&*build("laplace-shares", parameters).unwrap(), 5);
            assert!(law.unresolved().to_f64().value() < 1e-14);
            let pmf = polya(f64::from(parties - missing) / f64::from(parties), q);
            for z in -30i64..=30 {
                let found = law.mass(&Outcome::Integer(5 + z)).to_f64().value();
                let away = z.unsigned_abs() as usize;
                let convolved: f64 = pmf[away..].iter().zip(&pmf).map(|(a, b)| a * b).sum();
                assert!((found - convolved).abs() <= 1e-12, "{parties} {z}: {found} {convolved}");
                if missing == 0 {
                    let laplace = (1.0 - q) / (1.0 + q) * q.powi(away as i32);
                    assert!((found - laplace).abs() <= 1e-12, "{parties} {z}: {found} {laplace}");
                }
            }
        }
    }
}

#[test]
fn shares_are_private_for_the_odds_and_no_less() {
    let mechanism = build("laplace-shares", json!({ "parties": 3, "odds": 3 })).unwrap();
    let decision = |epsilon: f64| {
        let claim = Claim::approximate(epsilon, 1e-12).unwrap();
        proof(&*mechanism, 3, &Relation::L1(1.0), &claim).decision
    };
    assert_eq!(decision(3f64.ln()), Decision::Verified);
    assert_eq!(decision(3f64.ln() * (1.0 - 1e-6)), Decision::Refuted);
}

/// With the default seed. For each mistake the bound that runs certify is above the claim.
#[test]
fn each_mistake_is_refuted_by_proof_and_by_runs_and_nothing_else_is() {
    let spec = load(&["audits/local-protocols.toml".into()], &Overrides::default()).unwrap();
    let mut broken = 0;
    for loaded in &spec {
        let audit = &loaded.audit;
        let finding = audit.run(Control::unattended()).unwrap().finding;
        assert!(finding.as_expected, "{}: {}", finding.name, finding.reason());
        let proof = finding.proof.as_ref().unwrap();
        let (epsilon, _) = audit.claim().as_epsilon_delta().unwrap();
        let mistaken = proof.decision == Decision::Refuted;
        assert_eq!(finding.epsilon_lower > epsilon, mistaken, "{}", finding.name);
        let extent = finding.name.starts_with("laplace-shares") || proof.covers_relation;
        assert!(extent, "{}: {}", finding.name, proof.statement);
        broken += usize::from(mistaken);
    }
    assert_eq!((broken, spec.len()), (14, 33));
}

#[test]
fn impossible_protocols_are_refused_with_what_is_allowed() {
    let cases = [
        (
            "unary-encoding",
            json!({"answers": 4, "encoding": "symmetric", "odds": 3}),
            "square of a fraction",
        ),
        (
            "unary-encoding",
            json!({"answers": 1, "encoding": "optimized", "odds": 3}),
            "from 2 to 1024",
        ),
        ("unary-encoding", json!({"answers": 4, "encoding": "optimized", "odds": 1}), "above 1"),
        (
            "count-mean-sketch",
            json!({"answers": 4, "hashes": 2, "buckets": 4, "odds": 2}),
            "square of a fraction",
        ),
        (
            "hadamard-count-mean-sketch",
            json!({"answers": 4, "hashes": 2, "buckets": 6, "odds": 2}),
            "a power of two",
        ),
        ("subset-selection", json!({"answers": 4, "size": 4, "odds": 3}), "from 1 to 3"),
        ("cube-privunit", json!({"dimension": 3, "distance": 3, "odds": 3}), "from 0 to 2"),
        (
            "thresholded-histogram-encoding",
            json!({"answers": 3, "base": 2, "steps": 2, "threshold": 3}),
            "from 1 to 2",
        ),
        (
            "memoised-rappor",
            json!({"f": 0.5, "set": 0.2, "unset": 0.7, "bits": 4, "hashes": 1, "reports": 1}),
            "must be above unset",
        ),
        (
            "memoised-rappor",
            json!({"f": 0.5, "set": 0.7, "unset": 0.2, "bits": 4, "hashes": 3, "reports": 1}),
            "from 6 to 1024",
        ),
        ("laplace-shares", json!({"parties": 1, "odds": 3}), "from 2 to 1000"),
    ];
    for (kind, parameters, words) in cases {
        let message = build(kind, parameters).err().expect(kind).to_string();
        assert!(message.contains(words), "{kind}: {message}");
    }
    let hashing = build("hadamard-response", json!({"answers": 5, "odds": 3})).unwrap();
    for wrong in [vec![5.0], vec![0.5], vec![0.0, 1.0]] {
        assert!(hashing.accepts(&Dataset::Numbers(wrong)).is_err());
    }
}

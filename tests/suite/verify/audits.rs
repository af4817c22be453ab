//! Proofs in audits: the verdict is the proof's, what was measured never contradicts it, and if it
//! does the audit says so and blames nobody else.

use crate::tier;
use plaudit::audit::AuditError;
use plaudit::dataset::{Cell, Dataset};
use plaudit::finding::{Decision, Expectation, Finding, Proof};
use plaudit::game::Control;
use plaudit::mechanism::CatalogMechanism;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::choice::Budget;
use plaudit::mechanism::{Capabilities, Trouble};
use plaudit::verify::{Domain, DomainError, Sequences, prove};
use plaudit::{
    Audit, ByChoices, ChoiceMechanism, Choices, Claim, Mechanism, Outcome, Outcomes, Relation,
    Stream, Verdict,
};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Audits of each mechanism that are held against its proof. The second tier has 80.
fn seeds() -> u64 {
    tier::of([20, 80, 80])
}

const LN_3: f64 = 1.098_612_288_668_109_8;

fn catalog(kind: &str, parameters: Value) -> Box<dyn CatalogMechanism> {
    build(kind, parameters).unwrap()
}

fn sequences(values: std::ops::Range<i32>, size: usize) -> Sequences {
    let values = values.map(|value| Cell::Number(value.into())).collect();
    Sequences { values, least: size, most: size, column: None }
}

/// Everything that is held against a claim, over all seeds: the claim, and what was proved.
fn over_seeds(
    kind: &str,
    parameters: &Value,
    claim: fn() -> Claim,
    (d, d_prime, relation): (&[f64], &[f64], Relation),
    seeds: u64,
) -> Vec<Finding> {
    let finding = |seed: u64| {
        let mechanism = catalog(kind, parameters.clone());
        let [d, d_prime] = [d, d_prime].map(|numbers| Dataset::Numbers(numbers.to_vec()));
        let datasets = vec![d.clone(), d_prime.clone()];
        let domain = Domain::of("the pair", datasets, &relation).unwrap().exhaustive();
        let audit = Audit::of_mechanism("seeds", claim(), mechanism)
            .neighbors(relation.clone(), d, d_prime)
            .unwrap()
            .verify_on(domain)
            .trials(5_000)
            .alpha(1e-9)
            .seed(seed);
        audit.run(Control::unattended()).unwrap().finding
    };
    (0..seeds).map(finding).collect()
}

type Case<'a> = (&'a str, Value, fn() -> Claim, (&'a [f64], &'a [f64], Relation), Verdict);

/// 400 audits at most, at level 1e-9 of which two certified bounds each are held against the proof: a
/// contradiction comes by chance with probability below 1e-6.
#[test]
fn what_is_measured_never_contradicts_what_is_proved() {
    let linf = Relation::Linf(1.0);
    let one = |at: f64| [at];
    let cases: [Case<'_>; 5] = [
        (
            "randomized-response",
            json!({"truth": 0.5}),
            || Claim::pure(LN_3).unwrap(),
            (&one(0.0), &one(1.0), Relation::Substitution),
            Verdict::Verified,
        ),
        (
            "randomized-response",
            json!({"truth": 0.5}),
            || Claim::pure(1.0).unwrap(),
            (&one(0.0), &one(1.0), Relation::Substitution),
            Verdict::Violated,
        ),
        (
            "truncated-geometric",
            json!({"epsilon": 0.5, "n": 3}),
            || Claim::pure(0.25).unwrap(),
            (&one(1.0), &one(2.0), linf.clone()),
            Verdict::Verified,
        ),
        (
            "exact-svt-1",
            json!({"epsilon": 4, "threshold": 1, "stop_after": 1}),
            || Claim::approximate(4.0, 1e-12).unwrap(),
            (&[0.0, 0.0], &[1.0, 1.0], linf.clone()),
            Verdict::Verified,
        ),
        (
            "exact-bounded-noise",
            json!({"bound": 50}),
            || Claim::approximate(0.5, 0.001).unwrap(),
            (&one(0.0), &one(1.0), linf),
            Verdict::Violated,
        ),
    ];
    for (kind, parameters, claim, pair, verdict) in cases {
        for finding in over_seeds(kind, &parameters, claim, pair, seeds()) {
            let proof = finding.proof.as_ref().unwrap();
            assert_eq!(finding.verdict, verdict, "{kind}: {}", finding.reason());
            let upper = proof.epsilon.upper.unwrap_or(f64::INFINITY);
            assert!(finding.epsilon_lower <= upper, "{kind}: {}", finding.reason());
            assert!(finding.delta_lower <= proof.delta.upper.unwrap(), "{kind}");
        }
    }
}

/// Runs one mechanism and shows another one's law.
struct Liar;

impl Mechanism<Vec<f64>> for Liar {
    fn fill(
        &self,
        dataset: &Vec<f64>,
        runs: usize,
        _: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        (0..runs).for_each(|_| outcomes.push_number(dataset[0]));
        Ok(())
    }
    fn capabilities(&self) -> Capabilities<'_, Vec<f64>> {
        Capabilities { choices: Some(self), ..Capabilities::default() }
    }
}

impl ChoiceMechanism<Vec<f64>> for Liar {
    fn release(&self, _: &Vec<f64>, choices: &mut Choices<'_>) -> Outcome {
        choices.uniform(2).into()
    }
}

#[test]
fn a_contradiction_is_inconclusive_and_never_a_violation() {
    for expect in [Expectation::NotViolated, Expectation::Violated] {
        let audit = Audit::of_mechanism("liar", Claim::pure(0.1).unwrap(), Liar)
            .pair(vec![0.0], vec![1.0])
            .verify()
            .trials(2_000);
        let audit = match expect {
            Expectation::NotViolated => audit,
            Expectation::Violated => audit.expect_violated(),
        };
        let finding = audit.run(Control::unattended()).unwrap().finding;
        assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
        assert!(!finding.as_expected);
        assert!(finding.reason().contains("contradicts"), "{}", finding.reason());
        assert_eq!(finding.proof.unwrap().decision, Decision::Verified);
    }
}

#[test]
fn undecided_proofs_leave_the_verdict_to_what_was_measured() {
    let mechanism = catalog("exact-discrete-laplace", json!({"scale": 1}));
    let audit = Audit::of_mechanism("laplace", Claim::pure(1.0).unwrap(), mechanism)
        .pair(Dataset::Numbers(vec![0.0]), Dataset::Numbers(vec![1.0]))
        .verify()
        .trials(10_000);
    let finding = audit.run(Control::unattended()).unwrap().finding;
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert_eq!(finding.proof.unwrap().decision, Decision::Undecided);
}

/// Mass that is unresolved may lie where the other law has none: no bound from above is proved, and a
/// bound from below is.
#[test]
fn unresolved_mass_leaves_renyi_bounds_undecided() {
    let mechanism = catalog("exact-discrete-laplace", json!({"scale": 1}));
    let mechanism = mechanism.capabilities().choices.unwrap();
    let domain = sequences(0..2, 1).domain(&Relation::Linf(1.0)).unwrap();
    // D_2 = 0.735326 for neighbors that are one scale apart.
    for (bound, decision) in [(0.735, Decision::Refuted), (0.736, Decision::Undecided)] {
        let claim = Claim::renyi([(2.0, bound)]).unwrap();
        let never = AtomicBool::new(false);
        let proved = prove(mechanism, &domain, Budget::default(), &claim, &never).unwrap();
        assert_eq!(proved.decision, decision, "{bound}");
    }
}

#[test]
fn a_proof_that_costs_little_needs_no_asking() {
    let audit = |claim: f64| {
        let mechanism = catalog("randomized-response", json!({"truth": 0.5}));
        Audit::of_mechanism("response", Claim::pure(claim).unwrap(), mechanism)
            .pair(Dataset::Numbers(vec![0.0]), Dataset::Numbers(vec![1.0]))
            .trials(1_000)
    };
    let proved = |audit: Audit<Dataset>| {
        let finding = audit.run(Control::unattended()).unwrap().finding;
        (finding.verdict, finding.proof.map(|proof| proof.decision))
    };
    // On one pair a proof refutes, and makes nothing verified.
    assert_eq!(proved(audit(LN_3)), (Verdict::NotRefuted, Some(Decision::Verified)));
    assert_eq!(proved(audit(1.098)), (Verdict::Violated, Some(Decision::Refuted)));
    assert_eq!(proved(audit(LN_3).only_measured()), (Verdict::NotRefuted, None));
    // One that decides nothing leaves no trace.
    let mechanism = catalog("exact-discrete-laplace", json!({"scale": 1}));
    let undecided = Audit::of_mechanism("noise", Claim::pure(1.0).unwrap(), mechanism)
        .pair(Dataset::Numbers(vec![0.0]), Dataset::Numbers(vec![1.0]))
        .trials(1_000);
    let finding = undecided.run(Control::unattended()).unwrap().finding;
    assert_eq!((finding.verdict, finding.proof), (Verdict::NotRefuted, None));
    // The exact curves are told all the same: 1 − 2/(1 + e) for this noise.
    assert!(finding.loss.law.is_some_and(|law| law.contains("all but 1e-12")));
    let delta = 1.0 - 2.0 / (1.0 + 1f64.exp());
    assert!((finding.profile[0].delta_exact.unwrap() - delta).abs() < 1e-11);
    // And of a finite law its moments, too.
    let response = audit(LN_3).run(Control::unattended()).unwrap().finding;
    let divergence = response.loss.renyi.iter().find(|point| point.order == 2.0).unwrap();
    assert!((divergence.exact.unwrap() - (7f64 / 3.0).ln()).abs() < 1e-12);
}

#[test]
fn without_choices_there_is_nothing_to_prove() {
    let audit = |verify: bool| {
        let audit = Audit::of("plain", Claim::pure(1.0).unwrap(), |x: &f64, _: &mut Stream| *x)
            .pair(0.0, 1.0)
            .trials(1_000);
        if verify { audit.verify() } else { audit }
    };
    assert_eq!(
        audit(true).run(Control::unattended()).err(),
        Some(AuditError::NoChoices("plain".into()))
    );
    let never = AtomicBool::new(false);
    assert_eq!(audit(false).prove(&never), Ok(None));
    assert_eq!(audit(false).run(Control::unattended()).unwrap().finding.proof, None);
}

#[test]
fn mechanisms_that_release_several_times_are_proved_on_demand() {
    let one = json!({"mechanism": {"kind": "laplace", "epsilon": 1, "sensitivity": 1}, "count": 2});
    let mechanism = catalog("composition", json!({"steps": [one]}));
    let audit = Audit::of_mechanism("two", Claim::pure(2.0).unwrap(), mechanism)
        .neighbors(Relation::L1(1.0), Dataset::Numbers(vec![0.0]), Dataset::Numbers(vec![1.0]))
        .unwrap()
        .verify()
        .trials(2_000);
    let finding = audit.run(Control::unattended()).unwrap().finding;
    assert_eq!(finding.verdict, Verdict::Verified, "{}", finding.reason());
}

#[test]
fn a_mechanism_of_ones_own_is_proved_on_the_domain_that_one_names() {
    let parity = |bits: &Vec<f64>, choices: &mut Choices<'_>| {
        let odd = bits.iter().sum::<f64>() as u64 % 2;
        if choices.chance(3, 4) { odd } else { 1 - odd }
    };
    let words = (0..8u32).map(|n| (0..3).map(|at| f64::from(n >> at & 1)).collect()).collect();
    let domain = Domain::of("three bits", words, &Relation::Substitution).unwrap().exhaustive();
    assert_eq!(domain.pairs.len(), 12);
    let report = Audit::of_choices("parity", Claim::pure(LN_3).unwrap(), parity)
        .pair(vec![0.0; 3], vec![1.0, 0.0, 0.0])
        .verify_on(domain)
        .trials(10_000)
        .report()
        .unwrap();
    let finding = &report.audits[0];
    let proof = finding.proof.as_ref().unwrap();
    assert_eq!(finding.verdict, Verdict::Verified, "{}", finding.reason());
    assert_eq!(proof.exp_epsilon.as_deref(), Some("3"));
    assert_eq!(proof.epsilon_decimal.as_deref(), Some("1.09861228866810969139"));
    assert_eq!(
        (proof.domain.datasets, proof.domain.laws, proof.domain.pairs),
        (Some(10), Some(2), Some(13))
    );
    assert_eq!(proof.domain.words, "three bits and the pairs of the audit");
    let worst = proof.worst.as_ref().unwrap();
    assert_eq!((worst.probability_d, worst.probability_d_prime), (0.75, 0.25));
}

fn proof_of(mechanism: &dyn ChoiceMechanism<Dataset>, claim: &Claim, budget: Budget) -> Proof {
    let domain = sequences(0..3, 2).domain(&Relation::Linf(1.0)).unwrap();
    let never = AtomicBool::new(false);
    let proved = prove(mechanism, &domain, budget, claim, &never).unwrap();
    proved.summary(claim, &domain, Dataset::abridged)
}

#[test]
fn a_smaller_budget_widens_every_bracket_and_turns_no_decision_around() {
    let kinds = [
        ("exact-noisy-max", json!({"epsilon": 1}), 1.0),
        ("exact-noisy-max", json!({"scale": 1}), 1.0),
        ("exact-svt-6", json!({"epsilon": 1, "threshold": 1}), 1.0),
        ("exact-exponential-mechanism", json!({"base": 2}), 1.0),
        ("exact-permute-and-flip", json!({"base": 2}), 4.0),
    ];
    for (kind, parameters, epsilon) in kinds {
        let mechanism = catalog(kind, parameters);
        let mechanism = mechanism.capabilities().choices.unwrap();
        let claim = Claim::approximate(epsilon, 1e-9).unwrap();
        let mut tighter = proof_of(mechanism, &claim, Budget::default());
        assert_ne!(tighter.decision, Decision::Undecided, "{kind}");
        for (runs, depth, digits) in [(1_000, 200, 100), (100, 60, 40), (20, 12, 20), (2, 1, 2)] {
            let budget = Budget { runs, depth, digits, ..Budget::default() };
            let wider = proof_of(mechanism, &claim, budget);
            let lower = |proof: &Proof| proof.epsilon.lower.unwrap();
            let upper = |proof: &Proof| proof.epsilon.upper.unwrap_or(f64::INFINITY);
            assert!(lower(&wider) <= lower(&tighter) && upper(&wider) >= upper(&tighter), "{kind}");
            for (a, b) in wider.profile.iter().zip(&tighter.profile) {
                assert!(a.delta_lower <= b.delta_lower && a.delta_upper >= b.delta_upper, "{kind}");
            }
            let turned =
                wider.decision != tighter.decision && wider.decision != Decision::Undecided;
            assert!(!turned, "{kind}: {}", wider.statement);
            tighter = wider;
        }
        assert_eq!(tighter.decision, Decision::Undecided, "{kind}: {}", tighter.statement);
    }
}

#[test]
fn gaussian_claims_are_decided_at_the_knots_of_the_trade_off_function() {
    // Randomized response at 3/4: P = 3/4 at Q = 1/4, so mu = 2 z(3/4) = 1.34898 is just enough.
    let mechanism = catalog("randomized-response", json!({"truth": 0.5}));
    let mechanism = mechanism.capabilities().choices.unwrap();
    let domain = sequences(0..2, 1).domain(&Relation::Substitution).unwrap();
    for (mu, decision) in [
        (1.35, Decision::Verified),
        (1.349, Decision::Verified),
        (1.3489, Decision::Refuted),
        (1.0, Decision::Refuted),
    ] {
        let claim = Claim::gaussian(mu).unwrap();
        let never = AtomicBool::new(false);
        let proved = prove(mechanism, &domain, Budget::default(), &claim, &never).unwrap();
        assert_eq!(proved.decision, decision, "{mu}");
    }
}

#[test]
fn domains_hold_every_pair_of_neighbors_once() {
    let rows = Sequences { least: 0, ..sequences(0..3, 3) };
    for relation in [Relation::Substitution, Relation::AddRemove] {
        let domain = rows.domain(&relation).unwrap();
        assert_eq!(domain.datasets.len(), 1 + 3 + 9 + 27);
        let all = Domain::of("all", domain.datasets.clone(), &relation).unwrap();
        let sorted = |pairs: &[(usize, usize)]| {
            let mut pairs: Vec<_> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(sorted(&domain.pairs), sorted(&all.pairs), "{relation}");
    }
    let too_large = sequences(0..10, 9).domain(&Relation::Substitution);
    assert!(matches!(too_large, Err(DomainError::TooLarge { .. })));
    let alone = sequences(0..1, 3).domain(&Relation::Substitution);
    assert!(matches!(alone, Err(DomainError::NoNeighbors(_))));
}

#[test]
fn a_closure_by_choices_runs_as_it_is_proved() {
    let mechanism = ByChoices(|bit: &bool, choices: &mut Choices<'_>| *bit ^ choices.chance(1, 4));
    let capabilities = Mechanism::<bool>::capabilities(&mechanism);
    assert!(capabilities.choices.is_some() && capabilities.independent);
}

#[test]
fn a_proof_is_the_same_on_any_number_of_threads() {
    let mechanism = catalog("exact-noisy-max", json!({"epsilon": 3}));
    let mechanism = mechanism.capabilities().choices.unwrap();
    let claim = Claim::approximate(3.0, 1e-12).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| proof_of(mechanism, &claim, Budget::default()))
    };
    let one = on(1);
    assert_eq!(one.decision, Decision::Verified, "{}", one.statement);
    for threads in [2, 5] {
        assert_eq!(on(threads), one, "{threads}");
    }
}

#[test]
fn an_interrupted_proof_ends_soon() {
    // Minutes of work: five numbers with noise of scale 20.
    let mechanism = catalog("exact-noisy-max", json!({"scale": 20}));
    let domain = sequences(0..3, 5).domain(&Relation::Linf(1.0)).unwrap();
    let claim = Claim::pure(1.0).unwrap();
    let interrupted = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let by_choices = mechanism.capabilities().choices.unwrap();
        prove(by_choices, &domain, Budget::default(), &claim, &interrupted).err()
    });
    assert_eq!(ended, Some(plaudit::verify::VerifyError::Interrupted));
}

#[test]
fn claims_of_every_form_are_decided() {
    use Decision::{Refuted, Verified};
    // delta(epsilon) of randomized response at 3/4: 3/4 - e^epsilon/4.
    let profile =
        |at_0: f64, at_1: f64| Claim::profile(vec![(0.0, at_0), (1.0, at_1), (1.2, 0.0)]).unwrap();
    let exact = 0.75 - 1f64.exp() / 4.0;
    let cases = [
        (profile(0.5, exact + 1e-9), Verified),
        (profile(0.5, exact - 1e-9), Refuted),
        (profile(0.499, exact + 1e-9), Refuted),
        (Claim::pure(0.55).unwrap().for_groups(2).unwrap(), Verified),
        (Claim::pure(0.54).unwrap().for_groups(2).unwrap(), Refuted),
        // D_1 = ln(3)/2 = 0.549306, where D_α/α is largest; ln(3)²/2 = 0.60347.
        (Claim::zero_concentrated(0.549).unwrap(), Refuted),
        (Claim::zero_concentrated(0.56).unwrap(), Verified),
        (Claim::zero_concentrated(0.604).unwrap(), Verified),
        // D_2 = ln(7/3) = 0.847297860, D_1.5 = 2 ln(3/4 √3 + 1/4/√3) = 0.733969.
        (Claim::renyi([(2.0, 0.847_297_8)]).unwrap(), Refuted),
        (Claim::renyi([(2.0, 0.847_297_9)]).unwrap(), Verified),
        (Claim::renyi([(1.5, 0.734), (2.0, 0.847_297_9), (1e9, 1.1)]).unwrap(), Verified),
        (Claim::renyi([(1.5, 0.734), (2.0, 0.847_297_9), (1e9, 1.098)]).unwrap(), Refuted),
        // Straight from (0, 1) over (1/4, 1/4) to (1, 0).
        (Claim::tradeoff(vec![(0.0, 0.9), (0.5, 0.45)]).unwrap(), Refuted),
        (Claim::tradeoff(vec![(0.0, 1.0), (0.25, 0.25)]).unwrap(), Verified),
        (Claim::tradeoff(vec![(0.0, 1.0), (0.25, 0.250_001)]).unwrap(), Refuted),
        (Claim::tradeoff(vec![(0.0, 0.9), (0.2, 0.25), (0.6, 0.1)]).unwrap(), Verified),
    ];
    let mechanism = catalog("randomized-response", json!({"truth": 0.5}));
    let mechanism = mechanism.capabilities().choices.unwrap();
    let domain = sequences(0..2, 1).domain(&Relation::Substitution).unwrap();
    for (claim, decision) in cases {
        let never = AtomicBool::new(false);
        let proved = prove(mechanism, &domain, Budget::default(), &claim, &never).unwrap();
        assert_eq!(proved.decision, decision, "{claim}");
    }
}

#[test]
fn a_domain_without_neighbors_proves_nothing() {
    let mechanism = catalog("randomized-response", json!({"truth": 0.5}));
    let domain = Domain::of_pairs(Vec::<(Dataset, Dataset)>::new());
    let (claim, never) = (Claim::pure(0.0).unwrap(), AtomicBool::new(false));
    let by_choices = mechanism.capabilities().choices.unwrap();
    let ended = prove(by_choices, &domain, Budget::default(), &claim, &never).err();
    assert_eq!(ended, Some(plaudit::verify::VerifyError::NoPairs));
}

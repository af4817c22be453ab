//! Proofs of code that draws real noise, against audits of the same code.

#[path = "../../../crates/aligned/tests/programs/random.rs"]
mod random;

use crate::tier;
use plaudit::aligned::{Aligned, Draws};
use plaudit::finding::{Decision, ProofOf};
use plaudit::mechanism::catalog;
use plaudit::verify::prove_aligned;
use plaudit::{Audit, Claim, Relation, Verdict};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use serde_json::json;

const FAR: [[[f64; 3]; 2]; 2] =
    [[[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0.0, 0.0, 1.0], [1.0, 1.0, 2.0]]];

/// Proves what it can of random programs, and audits these. No audit certifies more than is proved; where nothing is
/// proved, the statement says so.
fn audited(seed: u64, programs: usize, trials: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut proved, mut certified, mut open) = (0, 0, 0);
    while proved < programs {
        let program = random::program(&mut random, 3, &[1.0, -1.0, 0.1, -0.3]);
        let pairs = FAR.map(|pair| pair.map(|list| list[..program.answers].to_vec()));
        let claim = Claim::pure(1e-3).unwrap();
        let linf = Relation::Linf(1.0);
        let proof = prove_aligned(&program, &pairs, Some(&linf), &claim, 500).unwrap();
        // A proof for the pairs alone may rest on sums that cancel, which doubles only nearly do.
        let upper = proof.epsilon.upper.filter(|_| proof.covers_relation);
        let Some(most) = upper else {
            open += 1;
            let words = &proof.statement;
            assert!(
                words.contains("no shift")
                    || words.contains("cost more")
                    || proof.decision == Decision::Refuted,
                "{words}"
            );
            continue;
        };
        let lower = proof.epsilon.lower.unwrap();
        assert!(lower <= most, "{program:?}: {proof:?}");
        if most == 0.0 {
            continue;
        }
        proved += 1;
        for [d, d_prime] in pairs {
            let report = Audit::of_draws("random", Claim::pure(most).unwrap(), program.clone())
                .neighbors(linf.clone(), d, d_prime)
                .unwrap()
                .only_measured()
                .may_be_constant()
                .may_show_no_difference()
                .trials(trials)
                .seed(seed + proved as u64)
                .report()
                .unwrap();
            let found = &report.audits[0];
            assert_ne!(found.verdict, Verdict::Violated, "{program:?}: {}", found.reason());
            assert!(found.epsilon_lower <= most, "{program:?}: {} of {most}", found.epsilon_lower);
            certified += usize::from(found.epsilon_lower > 0.5 * most);
        }
    }
    // The audits can see something, and there are programs for which there is no proof.
    assert!(certified * 4 > programs && open > 0, "{certified} of {programs}, {open} open");
}

#[test]
fn no_audit_certifies_more_than_is_proved() {
    audited(7, 12, 50_000);
}

#[test]
#[ignore = "takes several seconds; several minutes with `long`"]
fn no_audit_certifies_more_than_is_proved_of_many() {
    let (programs, trials) = tier::of([(40, 200_000), (40, 200_000), (300, 1_000_000)]);
    audited(11, programs, trials);
}

/// A number below −1 that is released once a branch saw it: in doubles its lowest bits tell whether 1 was added to the noise, and
/// a sum of the outcome's entries whose terms cancel shows them. The claim is about real noise, so that is only a warning.
#[test]
fn sums_that_cancel_show_bits_and_refute_no_claim_of_real_noise() {
    use random::{Operand::*, Program, Step::*};
    let noise = plaudit::aligned::Noise::Laplace;
    let sum = |answer| [Draw(noise, 4.0), Sum(Answer(answer), 1.0, Value(0))];
    let inner =
        Branch(Constant(-1.0), Value(4), vec![Tell(1.0)], vec![Release(Value(2)), Tell(0.0)]);
    let outer = Branch(Constant(-1.0), Value(2), vec![Tell(0.0), inner], vec![Tell(0.0)]);
    let last = Branch(Value(0), Value(4), vec![Tell(5.0)], vec![Tell(6.0)]);
    let steps = [sum(0).to_vec(), sum(1).to_vec(), vec![outer, Tell(2.0), last]].concat();
    let program = Program { answers: 3, steps };
    for seed in 1..=4 {
        for [d, d_prime] in FAR.map(|pair| pair.map(|list| list.to_vec())) {
            let audit = Audit::of_draws("sum", Claim::pure(0.5).unwrap(), program.clone())
                .neighbors(Relation::Linf(1.0), d, d_prime)
                .unwrap()
                .only_measured()
                .trials(200_000)
                .seed(seed);
            let found = audit.report().unwrap().audits.remove(0);
            assert_ne!(found.verdict, Verdict::Violated, "{}", found.witness.description);
            assert!(found.epsilon_lower <= 0.5 && found.epsilon_lower > 0.2, "seed {seed}");
        }
    }
}

/// A maximum that is released without its place: who sees it does not see which number it is.
struct Largest;

impl Aligned for Largest {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let (_, most) =
            draws.largest(answers.len(), |draws, at| answers[at].clone() + draws.laplace(1.0));
        draws.release(most);
    }
}

#[test]
fn an_outcome_of_several_regions_is_one_event() {
    // By symmetry the two orders of the same answers have one law.
    let pairs = [[vec![0.0, 1.0], vec![1.0, 0.0]]];
    let claim = Claim::pure(0.01).unwrap();
    let proof = prove_aligned(&Largest, &pairs, Some(&Relation::Linf(1.0)), &claim, 500).unwrap();
    assert_eq!(proof.decision, Decision::Undecided, "{}", proof.statement);
    assert!(proof.epsilon.lower.unwrap() < 1e-9 && proof.epsilon.upper == Some(2.0));
}

/// The places of the three largest noisy numbers, in order.
struct TopThree;

impl Aligned for TopThree {
    fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
        let mut left: Vec<(usize, D::Real)> = Vec::new();
        for (at, answer) in answers.iter().enumerate() {
            left.push((at, answer.clone() + draws.laplace(2.0)));
        }
        for _ in 0..3 {
            let (most, _) = draws.largest(left.len(), |_, at| left[at].1.clone());
            draws.tell(left.remove(most).0 as f64);
        }
    }
}

#[test]
fn regions_that_two_draws_link_are_bounded_by_cells() {
    let pairs = [[vec![3.0, 2.0, 1.0, 0.0], vec![2.0, 2.0, 2.0, 1.0]]];
    let linf = Relation::Linf(1.0);
    let prove = |epsilon: f64| {
        let claim = Claim::pure(epsilon).unwrap();
        prove_aligned(&TopThree, &pairs, Some(&linf), &claim, 500).unwrap()
    };
    // An order of four: at the worst corner every second gap closes by 2, which shifts of 1 for each undo.
    let right = prove(2.0);
    assert_eq!((right.decision, right.epsilon.upper), (Decision::Verified, Some(2.0)));
    let wrong = prove(0.2);
    assert_eq!(wrong.decision, Decision::Refuted, "{}", wrong.statement);
    assert!(wrong.epsilon.lower.unwrap() < 2.0);
}

#[test]
fn catalog_and_forms_of_claims() {
    let svt = |kind: &str| {
        let parameters = json!({"epsilon": 1.0, "threshold": 0.5, "stop_after": 1});
        catalog::build_from_json(kind, &parameters).unwrap()
    };
    let pair = [vec![1.0; 5], vec![2.0, 2.0, 0.0, 0.0, 0.0]];
    let prove = |kind: &str, relation: Relation, claim: Claim| {
        let mechanism = svt(kind);
        let drawn = mechanism.capabilities().drawn.unwrap();
        prove_aligned(drawn, std::slice::from_ref(&pair), Some(&relation), &claim, 500)
    };
    let linf = || Relation::Linf(1.0);
    let pure = |epsilon: f64| Claim::pure(epsilon).unwrap();
    let right = prove("svt-1", linf(), pure(1.0)).unwrap();
    assert_eq!((right.decision, right.covers_relation), (Decision::Verified, true));
    assert_eq!(right.of, ProofOf::RealCode);
    // What is pure is (ε, δ) at a smaller ε as well: (e − e^0.9)/(e + 1) = 0.0696.
    let approximate = |delta: f64| Claim::approximate(0.9, delta).unwrap();
    let found = prove("svt-1", linf(), approximate(0.07)).unwrap();
    assert_eq!((found.decision, found.covers_relation), (Decision::Verified, true));
    // On the pair alone it is less.
    let found = prove("svt-1", linf(), approximate(0.06)).unwrap();
    assert_eq!((found.decision, found.covers_relation), (Decision::Verified, false));
    assert_eq!(prove("svt-1", linf(), pure(0.3)).unwrap().decision, Decision::Refuted);
    // Groups are as far apart as the steps between them.
    let group = prove("svt-1", linf(), pure(1.0).for_groups(2).unwrap());
    assert!(group.is_err() || group.unwrap().epsilon.upper == Some(2.0));
    let refused = |relation: Relation, claim: Claim| prove("svt-1", relation, claim).unwrap_err();
    assert!(refused(Relation::AddRemove, pure(1.0)).contains("how far answers move"));
    assert!(refused(linf(), Claim::gaussian(1.0).unwrap()).contains("(ε, δ)"));
}

#[test]
fn code_that_cannot_be_followed_says_why() {
    struct Wrong(u8);
    impl Aligned for Wrong {
        fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
            match self.0 {
                0 => {
                    // It ends by chance.
                    let zero = D::Real::from(0.0);
                    let mut noise = draws.laplace(1.0);
                    while !draws.at_least(&noise, &zero) {
                        noise = draws.laplace(1.0);
                    }
                }
                1 => drop(draws.laplace(0.0)),
                _ => draws.release(answers[0].clone() * f64::INFINITY),
            }
        }
    }
    let why = |kind: u8| {
        let pairs = [[vec![0.0], vec![1.0]]];
        let claim = Claim::pure(1.0).unwrap();
        prove_aligned(&Wrong(kind), &pairs, Some(&Relation::Linf(1.0)), &claim, 500).unwrap_err()
    };
    assert!(why(0).contains("more than"), "{}", why(0));
    assert!(why(1).contains("scale"), "{}", why(1));
    assert!(why(2).contains("finite"), "{}", why(2));
}

#[test]
fn kinds_of_real_noise_are_proved_for_all_neighbors_or_refuted() {
    let by = |kind: &str,
              parameters: serde_json::Value,
              relation: Relation,
              pair: [Vec<f64>; 2]| {
        let mechanism = catalog::build_from_json(kind, &parameters).unwrap();
        let drawn = mechanism.capabilities().drawn.unwrap();
        let claim = Claim::pure(1.0).unwrap();
        let proof = prove_aligned(drawn, &[pair], Some(&relation), &claim, 5_000).unwrap();
        (proof.decision, proof.covers_relation, proof.epsilon.lower.unwrap(), proof.epsilon.upper)
    };
    let svt = json!({"epsilon": 1.0, "threshold": 0.5, "stop_after": 1});
    let far = [vec![0.0, 1.0, 0.0, 1.0], vec![1.0, 0.0, 1.0, 0.0]];
    let found = by("gap-svt", svt, Relation::Linf(1.0), far.clone());
    assert!(matches!(found, (Decision::Verified, true, _, Some(1.0))), "{found:?}");
    for (noise, most) in [("laplace", 1.0), ("exponential", 1.0), ("gumbel", 1.0)] {
        let ranks = json!({"noise": noise, "epsilon": 1.0, "places": 2});
        let found = by("noisy-max", ranks, Relation::Linf(1.0), far.clone());
        assert!(matches!(found, (Decision::Verified, true, _, Some(e)) if e == most), "{found:?}");
    }
    let wrong = json!({"noise": "laplace", "scale": 2.0, "places": 3});
    let found = by("noisy-max", wrong, Relation::Linf(1.0), far);
    assert!(found.0 == Decision::Refuted && found.2 > 1.0, "{found:?}");
    // Ten levels: each number is in ten of 1 023 sums.
    let tree = |sums: usize, parameters| {
        let days = |first: f64| [vec![first], vec![0.0; sums - 1]].concat();
        by("binary-tree", parameters, Relation::L1(1.0), [days(0.0), days(1.0)])
    };
    let (decision, all, lower, upper) = tree(1023, json!({"epsilon": 1.0}));
    assert!(decision == Decision::Verified && all && lower > 0.999, "{lower}");
    assert!(upper.unwrap() < 1.000001);
    let (decision, all, lower, upper) = tree(127, json!({"scale": 1.0}));
    assert!(decision == Decision::Refuted && all && lower > 6.999, "{lower}");
    assert_eq!(upper, Some(7.0));
}

#[test]
fn a_pair_that_refutes_is_found_near_one_that_does_not() {
    let svt = |kind: &str| {
        let parameters = json!({"epsilon": 1.0, "threshold": 0.5, "stop_after": 1});
        catalog::build_from_json(kind, &parameters).unwrap()
    };
    let prove = |kind: &str| {
        let mechanism = svt(kind);
        let drawn = mechanism.capabilities().drawn.unwrap();
        let linf = Relation::Linf(1.0);
        // One list: no pair at all.
        let pairs = [[vec![0.0; 4], vec![0.0; 4]]];
        prove_aligned(drawn, &pairs, Some(&linf), &Claim::pure(1.0).unwrap(), 500).unwrap()
    };
    let wrong = prove("svt-4");
    assert_eq!(wrong.decision, Decision::Refuted, "{}", wrong.statement);
    let worst = wrong.worst.unwrap();
    assert_eq!(worst.d.as_array().unwrap().len(), 4);
    assert_ne!(worst.d, worst.d_prime);
    assert_eq!(prove("svt-1").decision, Decision::Verified);
    // What is not found is not proved: ε = 1.75 is claimed as 1.7499, which no pair here refutes.
    let mechanism = svt("svt-4");
    let drawn = mechanism.capabilities().drawn.unwrap();
    let claim = Claim::pure(1.7499).unwrap();
    let list = [[vec![0.0; 4], vec![0.0; 4]]];
    let open = prove_aligned(drawn, &list, Some(&Relation::Linf(1.0)), &claim, 500).unwrap();
    assert_eq!(open.decision, Decision::Undecided, "{}", open.statement);
    assert!(open.epsilon.upper >= Some(1.75), "{:?}", open.epsilon);
}

#[test]
fn an_exact_answer_after_a_test_has_the_delta_of_its_formula() {
    let prove = |parameters, relation, pair: [[f64; 3]; 2], delta: f64| {
        let mechanism = catalog::build_from_json("propose-test-release", &parameters).unwrap();
        let drawn = mechanism.capabilities().drawn.unwrap();
        let claim = Claim::approximate(1.0, delta).unwrap();
        let pair = pair.map(|list| list.to_vec());
        prove_aligned(drawn, &[pair], Some(&relation), &claim, 5_000).unwrap()
    };
    let right = json!({"epsilon": 1.0, "delta": 1e-5});
    let near = [[2.0, 3.0, 1.0], [3.0, 3.0, 1.0]];
    // The other mode is told with probability δ on one side only, so δ of the pair is that, and no less.
    for (delta, decision) in [(1.000_001e-5, Decision::Verified), (0.999_999e-5, Decision::Refuted)]
    {
        let proof = prove(right.clone(), Relation::L1(1.0), near, delta);
        assert_eq!(proof.decision, decision, "{}", proof.statement);
        // One pair refutes the claim for all neighbors, and proves it for itself.
        let refuted = decision == Decision::Refuted;
        assert_eq!(proof.covers_relation, refuted, "{}", proof.statement);
    }
    // The probability that both are told no answer differs by e at most, far away and near.
    let far = [[4.0, 17.0, 3.0], [4.0, 16.0, 3.0]];
    let proof = prove(right.clone(), Relation::L1(1.0), far, 1e-9);
    assert_eq!(proof.decision, Decision::Verified, "{}", proof.statement);
    // Without δ in the threshold, and with a distance that moves by 2: more by far.
    let without = json!({"scale": 1.0, "threshold": 0.0});
    let proof = prove(without, Relation::L1(1.0), near, 0.49);
    assert_eq!(proof.decision, Decision::Refuted, "{}", proof.statement);
    let twice = [[5.0, 18.0, 1.0], [4.0, 19.0, 2.0]];
    let proof = prove(right, Relation::Linf(1.0), twice, 0.05);
    assert_eq!(proof.decision, Decision::Refuted, "{}", proof.statement);
}

/// Gaussian noise on a number so large that a neighbor as far away as may be is not a double.
#[test]
fn pairs_that_are_looked_for_are_neighbors() {
    struct Released;
    impl Aligned for Released {
        fn run<D: Draws>(&self, answers: &[D::Real], draws: &mut D) {
            let noise = draws.gaussian(1.0);
            draws.release(answers[0].clone() + noise);
        }
    }
    // Φ(a/2) − Φ(−a/2).
    for (base, far, delta) in [(1e15, 0.2, 0.079_66), (1e9, 0.1, 0.039_878)] {
        let prove = |delta| {
            let claim = Claim::approximate(0.0, delta).unwrap();
            let pair = [vec![base], vec![base]];
            prove_aligned(&Released, &[pair], Some(&Relation::Linf(far)), &claim, 500).unwrap()
        };
        let right = prove(delta);
        assert_eq!(right.decision, Decision::Undecided, "{}", right.statement);
        let wrong = prove(delta / 2.0);
        assert_eq!(wrong.decision, Decision::Refuted, "{}", wrong.statement);
    }
}

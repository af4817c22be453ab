//! Post-processing cannot raise the loss: exactly, by enumeration of the laws before and after. Nothing is drawn but
//! mechanisms, datasets and operations.

use plaudit::dataset::Dataset;
use plaudit::mechanism::CatalogMechanism;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::choice::{Law, Rational};
use plaudit::mechanism::{Mechanism, PostProcessed, PostProcessing};
use plaudit::verify::Divergence;
use plaudit::{Explorer, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Mechanisms whose laws are finite and whole, each with two neighbors.
fn mechanisms() -> Vec<(&'static str, Value, [Vec<f64>; 2])> {
    let bits = || [vec![0.0, 1.0, 0.0], vec![1.0, 1.0, 0.0]];
    vec![
        ("randomized-response", json!({ "truth": 0.5 }), bits()),
        (
            "k-ary-randomized-response",
            json!({ "answers": 4, "truth": "2/5" }),
            [vec![3.0], vec![1.0]],
        ),
        ("one-time-rappor", json!({ "f": 0.5, "bits": 4, "hashes": 2 }), [vec![2.0], vec![0.0]]),
        ("subsample", json!({ "rate": 0.25 }), [vec![1.0, 4.0, 2.0], vec![1.0, 4.0]]),
        ("exact-bounded-noise", json!({ "bound": 3 }), [vec![0.0, 2.0], vec![1.0, 2.0]]),
        (
            "exact-exponential-mechanism",
            json!({ "base": 2 }),
            [vec![3.0, 1.0, 2.0], vec![2.0, 2.0, 3.0]],
        ),
        (
            "exact-permute-and-flip",
            json!({ "base": 2 }),
            [vec![2.0, 1.0, 0.0], vec![1.0, 2.0, 1.0]],
        ),
    ]
}

fn law(mechanism: &dyn Mechanism<Dataset>, entries: &[f64]) -> Law {
    let by_choices = mechanism.capabilities().choices.expect("it is written against choices");
    let law = Explorer::default().law(&Dataset::Numbers(entries.to_vec()), by_choices).unwrap();
    assert!(law.unresolved().is_zero());
    law
}

/// The largest ratio of the masses of an outcome in either direction; `None` if it is infinite.
fn exp_epsilon([p, q]: &[Law; 2]) -> Option<Rational> {
    let ratio = |p: &Law, q: &Law| {
        p.outcomes().iter().try_fold(Rational::ZERO, |worst, (outcome, mass)| {
            let other = q.mass(outcome);
            let ratio = (!other.is_zero()).then(|| mass / other)?;
            Some(if ratio > worst { ratio } else { worst })
        })
    };
    let (forth, back) = (ratio(p, q)?, ratio(q, p)?);
    Some(if forth > back { forth } else { back })
}

/// Σ (p − e q)₊, the δ at e^ε = e.
fn delta([p, q]: &[Law; 2], e: &Rational) -> Rational {
    let excess = |(outcome, mass): &(Outcome, Rational)| {
        let excess = mass - e * q.mass(outcome);
        if excess > Rational::ZERO { excess } else { Rational::ZERO }
    };
    p.outcomes().iter().map(excess).fold(Rational::ZERO, |sum, x| sum + x)
}

fn operation() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..40u32).prop_map(|step| format!("round:{}", f64::from(step) / 10.0)),
        (-3..4i32, 0..4i32).prop_map(|(low, width)| format!("clamp:{low},{}", low + width)),
        (-30..60i32).prop_map(|from| format!("threshold:{}", f64::from(from) / 10.0)),
        Just("argmax".to_owned()),
        (1..4usize).prop_map(|count| format!("top:{count}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_loss_is_larger_after_post_processing(
        which in 0..mechanisms().len(),
        operations in proptest::collection::vec(operation(), 1..4),
        e in 10..80u32,
    ) {
        let (kind, parameters, neighbors) = mechanisms().swap_remove(which);
        let post = PostProcessing::parse(operations.iter().map(String::as_str)).unwrap();
        let before: Box<dyn CatalogMechanism> = build(kind, parameters.clone()).unwrap();
        let after = PostProcessed::new(build(kind, parameters).unwrap(), post.clone());
        let before = [0, 1].map(|side: usize| law(&before, &neighbors[side]));
        let after = [0, 1].map(|side: usize| law(&after, &neighbors[side]));
        for side in 0..2 {
            let mut left = Rational::ONE;
            for (outcome, mass) in after[side].outcomes() {
                // The law is that of the outcomes, processed.
                let from = before[side].outcomes().iter();
                let from = from.filter(|(before, _)| post.apply(before) == *outcome);
                let sum = from.fold(Rational::ZERO, |sum, (_, mass)| sum + mass);
                prop_assert_eq!(&sum, mass, "{} {:?}", kind, &operations);
                left -= mass;
            }
            prop_assert!(left.is_zero());
        }
        match (exp_epsilon(&before), exp_epsilon(&after)) {
            (Some(before), Some(after)) => {
                prop_assert!(after <= before, "{} {:?}: {} {}", kind, &operations, after, before);
            }
            (Some(_), None) => prop_assert!(false, "{} {:?}: infinite after", kind, &operations),
            (None, _) => {}
        }
        let e = Rational::from_parts(e.into(), 10u8.into());
        prop_assert!(delta(&after, &e) <= delta(&before, &e), "{} {:?}", kind, &operations);
        // The divergence of the proofs agrees.
        let proved = Divergence::new(&after[0], &after[1]).exp_epsilon(&Rational::ZERO);
        let both = proved.max(Divergence::new(&after[1], &after[0]).exp_epsilon(&Rational::ZERO));
        prop_assert_eq!(both.lower, exp_epsilon(&after), "{} {:?}", kind, &operations);
    }
}

/// A process that only renames the outcomes loses nothing, one that forgets all of it loses all.
#[test]
fn the_loss_may_stay_and_may_go() {
    let loss = |post: &[&str]| {
        let mechanism =
            build("k-ary-randomized-response", json!({ "answers": 4, "truth": "2/5" })).unwrap();
        let post = PostProcessing::parse(post.iter().copied()).unwrap();
        let after = PostProcessed::new(mechanism, post);
        exp_epsilon(&[law(&after, &[3.0]), law(&after, &[1.0])]).unwrap()
    };
    let whole = loss(&["round:1"]);
    assert!(whole > Rational::ONE);
    assert_eq!(loss(&["clamp:0,0"]), Rational::ONE);
    let told = loss(&["threshold:2"]);
    assert!(told > Rational::ONE && told < whole, "{told} {whole}");
}

//! Enumerated laws are the laws: exactly where they are finite, and else up to what is unresolved;
//! and what is drawn has the same law.
//!
//! The draws are compared at level 2e-12 each (see `support::catalog`): a false alarm of this file has
//! probability below 1e-9.

use crate::support::catalog::assert_law;
use plaudit::dataset::{Cell, Dataset, Table};
use plaudit::mechanism::CatalogMechanism;
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::choice::{Budget, Coin, Fraction, Law, NotRepeatable, Rational, Weights};
use plaudit::mechanism::{Entry, Keyed, Outcomes, Stream, order, release};
use plaudit::{Choices, Explorer, Outcome};
use proptest::prelude::*;
use rand::SeedableRng;
use serde_json::Value;
use std::str::FromStr;

/// Probabilities that `tests/data/laws.py` found from the definitions.
const GOLDEN: &str = include_str!("../../data/laws.json");

fn golden() -> Vec<Value> {
    serde_json::from_str(GOLDEN).unwrap()
}

fn dataset(written: &Value) -> Dataset {
    let entries = written.as_array().unwrap();
    match entries.iter().map(Value::as_f64).collect() {
        Some(numbers) => Dataset::Numbers(numbers),
        None => {
            let row = |word: &Value| vec![Cell::Text(word.as_str().unwrap().to_owned())];
            let rows = entries.iter().map(row).collect();
            Dataset::Table(Table::new(vec!["word".into()], rows).unwrap())
        }
    }
}

fn outcome(written: &Value) -> Outcome {
    match written {
        Value::Array(entries) => {
            Outcome::Vector(entries.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect())
        }
        Value::Object(map) => {
            let entry =
                |(key, x): (&String, &Value)| (key.clone(), Entry::Number(x.as_f64().unwrap()));
            Outcome::Keyed(Keyed::new(map.iter().map(entry)))
        }
        whole => Outcome::Integer(whole.as_i64().unwrap()),
    }
}

fn mechanism(entry: &Value) -> Box<dyn CatalogMechanism> {
    build(entry["kind"].as_str().unwrap(), entry["parameters"].clone()).unwrap()
}

fn law(entry: &Value) -> Law {
    let mechanism = mechanism(entry);
    let by_choices = mechanism.capabilities().choices.expect("it is written against choices");
    Explorer::default().law(&dataset(&entry["dataset"]), by_choices).unwrap()
}

#[test]
fn laws_are_those_of_the_definitions() {
    let tiny = Rational::from_str("1/1000000000000000000000000000000000000").unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    let mut same: Option<(String, Law)> = None;
    for entry in golden() {
        let name = format!("{} {} {}", entry["kind"], entry["parameters"], entry["dataset"]);
        let law = match same.take() {
            Some((other, law)) if other == name => law,
            _ => law(&entry),
        };
        let found = law.mass(&outcome(&entry["outcome"]));
        let written = entry["mass"].as_str().unwrap();
        let expected = match written.split_once('.') {
            Some((whole, digits)) => Rational::from_parts(
                format!("{whole}{digits}").parse().unwrap(),
                dashu_int::UBig::from(10u8).pow(digits.len()),
            ),
            None => Rational::from_str(written).unwrap(),
        };
        if written.contains('.') {
            assert!(!law.unresolved().is_zero(), "{name}: it cannot be exact");
            assert!(*law.unresolved() < Rational::from_str("1/1000000000000").unwrap(), "{name}");
            assert!(found <= &expected + &tiny, "{name} {}: {found}", entry["outcome"]);
            assert!(&found + law.unresolved() + &tiny >= expected, "{name} {}", entry["outcome"]);
        } else {
            assert_eq!(found, expected, "{name} {}", entry["outcome"]);
            assert!(law.unresolved().is_zero(), "{name}");
        }
        kinds.insert(entry["kind"].to_string());
        same = Some((name, law));
    }
    assert!(kinds.len() >= 15, "{kinds:?}");
}

#[test]
fn what_is_drawn_has_the_enumerated_law() {
    let mut last = String::new();
    for entry in golden() {
        let name = format!("{} {} {}", entry["kind"], entry["parameters"], entry["dataset"]);
        if name == last {
            continue;
        }
        last.clone_from(&name);
        let law = law(&entry);
        let mut drawn = Outcomes::new();
        let (mechanism, dataset) = (mechanism(&entry), dataset(&entry["dataset"]));
        release(&mechanism, &dataset, 50_000, &mut Stream::seed_from_u64(11), &mut drawn).unwrap();
        let mut counts = vec![0u64; law.outcomes().len() + 1];
        for one in drawn.iter() {
            let place = law.outcomes().binary_search_by(|(other, _)| order(&other.as_ref(), &one));
            counts[place.unwrap_or(law.outcomes().len())] += 1;
        }
        let masses = law.outcomes().iter().map(|(_, mass)| mass).chain([law.unresolved()]);
        let masses: Vec<f64> = masses.map(|mass| mass.to_f64().value()).collect();
        if law.outcomes().len() > 1 {
            assert_law(&name, &counts, &masses);
        }
    }
}

#[test]
fn coins_weights_loops_and_panics_are_enumerated() {
    let third = Coin::new(Rational::from_str("1/3").unwrap()).unwrap();
    let explorer = Explorer::default();
    let law = |run: &(dyn Fn(&(), &mut Choices<'_>) -> i64 + Sync)| {
        let run = |unit: &(), choices: &mut Choices<'_>| run(unit, choices);
        explorer.law(&(), &run).unwrap()
    };
    let mass = |law: &Law, value: i64| law.mass(&Outcome::Integer(value)).to_string();
    let heads = law(&|_, choices| i64::from(choices.coin(&third)));
    assert_eq!((mass(&heads, 1), mass(&heads, 0)), ("1/3".into(), "2/3".into()));
    let weights = Weights::new([1u64, 0, 4]).unwrap();
    let weighted = law(&|_, choices| choices.weighted(&weights) as i64);
    assert_eq!(weighted.outcomes().len(), 2);
    assert_eq!((mass(&weighted, 0), mass(&weighted, 2)), ("1/5".into(), "4/5".into()));
    // A loop without an end: up to what is open, and never more.
    let geometric = law(&|_, choices| {
        let mut heads = 0;
        while choices.chance(1, 2) {
            heads += 1;
        }
        heads
    });
    assert_eq!(mass(&geometric, 3), "1/16");
    let open = geometric.unresolved().to_f64().value();
    assert!(open > 0.0 && open <= 2f64.powi(-50), "{open}");
    // The same as rejection has an end.
    let rejection = law(&|_, choices| {
        choices.until(&(), |(), choices| {
            let (a, b) = (choices.chance(1, 3), choices.chance(1, 3));
            (a != b).then_some(i64::from(a))
        })
    });
    assert_eq!((mass(&rejection, 0), rejection.unresolved().is_zero()), ("1/2".into(), true));
    // A panic is an outcome, in a part as elsewhere.
    let panics = law(&|_, choices| {
        choices.part(&3u64, |n, choices| match choices.uniform(*n) {
            2 => panic!("two"),
            low => low as i64,
        })
    });
    assert_eq!(panics.mass(&Outcome::Failure("panic: two".into())).to_string(), "1/3");
    // A loop that never gives anything has no law at all.
    let never = law(&|_, choices| choices.until(&(), |(), _| None::<i64>));
    assert!(never.outcomes().is_empty() && never.unresolved().is_one());
}

#[test]
fn a_mechanism_with_a_memory_is_no_function_of_its_choices() {
    struct Stateful(std::sync::Mutex<u64>);
    impl plaudit::ChoiceMechanism<()> for Stateful {
        fn release(&self, (): &(), choices: &mut Choices<'_>) -> Outcome {
            let mut calls = self.0.lock().unwrap();
            *calls += 1;
            (choices.uniform(1 + *calls) + choices.uniform(2)).into()
        }
    }
    let mechanism = Stateful(std::sync::Mutex::new(1));
    assert_eq!(Explorer::default().law(&(), &mechanism), Err(NotRepeatable));
}

#[test]
fn fractions_read_numbers_as_they_are_written() {
    for (written, words) in [("0.1", "1/10"), ("\"2/6\"", "1/3"), ("5", "5"), ("1e-3", "1/1000")] {
        let fraction: Fraction = serde_json::from_str(written).unwrap();
        assert_eq!(fraction.to_string(), words);
    }
    for wrong in ["-1", "-0.5", "\"1/0\"", "\"a\"", "1e300", "true", "null"] {
        assert!(serde_json::from_str::<Fraction>(wrong).is_err(), "{wrong}");
    }
}

/// A small random mechanism: a tree of choices with numbers at its ends.
#[derive(Clone, Debug)]
enum Tree {
    End(i64),
    Coin(u8, Box<Tree>, Box<Tree>),
    Uniform(Vec<Tree>),
}

impl Tree {
    fn run(&self, choices: &mut Choices<'_>) -> i64 {
        match self {
            Self::End(value) => *value,
            Self::Coin(sixteenths, heads, tails) => {
                match choices.chance((*sixteenths).into(), 16) {
                    true => heads.run(choices),
                    false => tails.run(choices),
                }
            }
            Self::Uniform(trees) => {
                trees[choices.uniform(trees.len() as u64) as usize].run(choices)
            }
        }
    }

    fn masses(&self, mass: Rational, into: &mut std::collections::BTreeMap<i64, Rational>) {
        match self {
            Self::End(value) => *into.entry(*value).or_insert(Rational::ZERO) += mass,
            Self::Coin(sixteenths, heads, tails) => {
                let share = |of: u8| Rational::from_parts(of.into(), 16u8.into());
                heads.masses(&mass * share(*sixteenths), into);
                tails.masses(mass * share(16 - sixteenths), into);
            }
            Self::Uniform(trees) => {
                let each = mass / Rational::from(trees.len());
                trees.iter().for_each(|tree| tree.masses(each.clone(), into));
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    (0..4i64).prop_map(Tree::End).prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            (0..=16u8, inner.clone(), inner.clone()).prop_map(|(p, a, b)| Tree::Coin(
                p,
                Box::new(a),
                Box::new(b)
            )),
            prop::collection::vec(inner, 1..4).prop_map(Tree::Uniform),
        ]
    })
}

proptest! {
    #[test]
    fn the_explorer_adds_up_what_the_tree_says(tree in trees()) {
        let run = |tree: &Tree, choices: &mut Choices<'_>| tree.run(choices);
        let law = Explorer::default().law(&tree, &run).unwrap();
        let mut masses = std::collections::BTreeMap::new();
        tree.masses(Rational::ONE, &mut masses);
        masses.retain(|_, mass| !mass.is_zero());
        prop_assert!(law.unresolved().is_zero());
        prop_assert_eq!(law.outcomes().len(), masses.len());
        for (value, mass) in masses {
            prop_assert_eq!(law.mass(&Outcome::Integer(value)), mass);
        }
    }

    /// A smaller budget finds less of each outcome, and leaves exactly the rest open.
    #[test]
    fn a_budget_only_takes_away(tree in trees(), runs in 1..20u64, depth in 1..6usize, digits in 1..12usize) {
        let run = |tree: &Tree, choices: &mut Choices<'_>| tree.run(choices);
        let whole = Explorer::default().law(&tree, &run).unwrap();
        let budget = Budget { runs, depth, digits, ..Budget::default() };
        let part = Explorer::new(budget).law(&tree, &run).unwrap();
        let mut sum = part.unresolved().clone();
        for (outcome, mass) in part.outcomes() {
            prop_assert!(*mass <= whole.mass(outcome));
            sum += mass;
        }
        prop_assert!(sum.is_one());
    }
}

/// A mechanism that catches everything must not make mass out of nothing.
#[test]
fn a_mechanism_that_catches_panics_cannot_hide_from_the_explorer() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let catches = |(): &(), choices: &mut Choices<'_>| {
        let mut heads = 0i64;
        let inner = AssertUnwindSafe(|| {
            while choices.chance(9, 10) {
                heads += 1;
            }
        });
        let caught = catch_unwind(inner).is_err();
        if caught { -1 } else { heads }
    };
    let law = Explorer::default().law(&(), &catches).unwrap();
    let mut sum = law.unresolved().clone();
    law.outcomes().iter().for_each(|(_, mass)| sum += mass);
    assert!(sum.is_one() && *law.unresolved() >= Rational::ZERO);
    assert!(law.mass(&Outcome::Integer(-1)).is_zero());
    assert_eq!(law.mass(&Outcome::Integer(1)).to_string(), "9/100");
}

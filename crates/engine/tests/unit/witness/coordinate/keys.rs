//! Unit tests of `witness::keys`.

use super::*;
use crate::witness::Scorer;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn entry() -> impl Strategy<Value = Entry> {
    let word = prop::sample::select(vec!["null", "\"x\"", "[1]"]);
    prop_oneof![
        Just(Entry::Member),
        prop::sample::select(vec![-1.0, 0.0, 2.0, f64::NAN, f64::INFINITY]).prop_map(Entry::Number),
        word.prop_map(|word| Entry::Other(word.into())),
    ]
}

fn keyed(most: usize) -> impl Strategy<Value = Keyed> {
    prop::collection::vec(("[a-f]{0,2}", entry()), 0..most).prop_map(Keyed::new)
}

fn facets() -> impl Strategy<Value = Vec<Facet>> {
    let words = ["null", "\"x\"", "NaN", "+infinity"].map(|word| Some(word.to_owned()));
    let holds = prop::sample::select([&[None, None][..], &words[..]].concat());
    let facet = ("[a-f]{0,2}", holds).prop_map(|(key, holds)| Facet { key, holds });
    let one_each =
        |facets: Vec<Facet>| facets.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    prop::collection::vec(facet, 0..60).prop_map(one_each)
}

/// The bin by its definition.
fn slowly(bins: &KeyBins, keyed: &Keyed) -> usize {
    let is_in = |facet: &Facet| match bins.look {
        Look::Presence => facet.is_in(keyed),
        Look::Largest => {
            let is = |key: &str| facet.key == key && facet.holds.is_none();
            largest(keyed).is_some_and(is)
        }
    };
    let order = bins.in_order();
    order.iter().position(|facet| is_in(facet)).unwrap_or(order.len())
}

proptest! {
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_bin_is_that_of_the_first_facet_however_it_is_looked_up(
        facets in facets(),
        few in keyed(4),
        many in keyed(80),
        turn in 0..60usize,
    ) {
        let mut places: Vec<usize> = (0..facets.len()).collect();
        places.rotate_left(turn % facets.len().max(1));
        for look in [Look::Presence, Look::Largest] {
            let shapes = vec![Shape::Structure];
            let bins =
                KeyBins { look, facets: facets.clone(), places: places.clone(), shapes };
            prop_assert!(bins.is_sound());
            for keyed in [&few, &many] {
                let bin = bins.bin(&OutcomeRef::Keyed(keyed));
                prop_assert_eq!(bin, slowly(&bins, keyed), "{:?} {:?}", bins, keyed);
            }
            prop_assert_eq!(bins.labels().len(), facets.len() + 1);
            prop_assert_eq!(bins.conditions(|_| true).len(), facets.len() + 1);
            prop_assert_eq!(bins.bin(&OutcomeRef::Structure("")), facets.len() + 1);
            prop_assert_eq!(bins.bin(&OutcomeRef::Number(1.0)), facets.len() + 2);
            let scorer = Scorer::Keys(bins);
            let text = serde_json::to_string(&scorer).unwrap();
            prop_assert_eq!(serde_json::from_str::<Scorer>(&text).unwrap(), scorer);
        }
    }

    #[test]
    fn a_sum_over_keys_is_the_same_from_either_side(
        few in keyed(4),
        many in keyed(80),
        keys in prop::collection::btree_set("[a-f]{0,2}", 0..40),
    ) {
        let term = |(at, key): (usize, String)| {
            let at = at as f64;
            KeyTerm { key, present: at, weight: 1.0 - at, center: 0.5, scale: 2.0 }
        };
        let terms: Vec<KeyTerm> = keys.into_iter().enumerate().map(term).collect();
        for keyed in [&few, &many] {
            let one = |term: &KeyTerm| weigh(std::slice::from_ref(term), keyed);
            let sum: f64 = terms.iter().map(one).sum();
            prop_assert!((weigh(&terms, keyed) - sum).abs() < 1e-9);
        }
    }
}

#[test]
fn statistics_read_numbers_and_leave_the_rest() {
    let entries = [
        ("a", Entry::Number(-3.0)),
        ("b", Entry::Number(f64::NAN)),
        ("c", Entry::Other("null".into())),
        ("d", Entry::Member),
        ("e", Entry::Number(2.0)),
    ];
    let map = Keyed::new(entries.map(|(key, entry)| (key.to_owned(), entry)));
    let read = |statistic: Statistic| statistic.read(OutcomeRef::Keyed(&map));
    let key = |key: &str| read(Statistic::Key(key.into()));
    assert_eq!(
        ["a", "b", "c", "d", "e", "f"].map(key),
        [Some(-3.0), None, None, None, Some(2.0), None]
    );
    assert_eq!(read(Statistic::Keys), Some(5.0));
    assert_eq!(read(Statistic::NewKeys(vec!["a".into(), "c".into(), "z".into()])), Some(3.0));
    assert_eq!(read(Statistic::Missing), Some(2.0));
    assert_eq!(read(Statistic::Sum), Some(-1.0));
    assert_eq!(read(Statistic::NormL1), Some(5.0));
    assert_eq!(read(Statistic::Max), Some(2.0));
    assert_eq!(read(Statistic::Min), Some(-3.0));
    assert_eq!([Statistic::Value, Statistic::Length, Statistic::Last].map(read), [None; 3]);
    assert_eq!(largest(&map), Some("e"));
    let (empty, sum) = (Keyed::default(), Statistic::Sum);
    assert_eq!((sum.read(OutcomeRef::Keyed(&empty)), largest(&empty)), (None, None));
    let vector = OutcomeRef::Vector(&[1.0]);
    assert_eq!(Statistic::Keys.read(vector), None);
}

#[test]
fn conditions_name_what_must_not_be_there() {
    let facet = |key: &str| Facet { key: key.into(), holds: None };
    let bins = KeyBins {
        look: Look::Presence,
        facets: ["a", "b", "c"].map(facet).to_vec(),
        places: vec![1, 0, 2],
        shapes: vec![],
    };
    assert_eq!(bins.conditions(|bin| bin == 0), ["key \"b\" is present"]);
    let without = ["key \"a\" is present and key \"b\" is not"];
    assert_eq!(bins.conditions(|bin| bin == 1), without);
    let none = ["key \"c\" is present and none of 2 others is", "none of 3 keys is present"];
    assert_eq!(bins.conditions(|bin| bin >= 2), none);
    let one = KeyBins { facets: vec![facet("\u{7}")], places: vec![0], ..bins };
    assert_eq!(one.conditions(|bin| bin == 1), ["key \"\\u{7}\" is not present"]);
}

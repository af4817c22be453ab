use super::super::Keyed;
use super::*;
use std::collections::BTreeMap;

#[test]
fn outcomes_of_any_kind_come_back_in_order_whatever_came_first() {
    let map = BTreeMap::from([("b".to_owned(), 2.0), ("a".to_owned(), f64::NAN)]);
    let all: [Outcome; 7] = [
        Outcome::Failure("late".into()),
        Keyed::from_iter(["z", "a", "z"]).into(),
        map.into(),
        Outcome::Structure("null".into()),
        3i64.into(),
        vec![1.0, 2.0].into(),
        "word".into(),
    ];
    for first in 0..all.len() {
        let mut batch = Outcomes::new();
        for _ in 0..2 {
            let turned = || (first..all.len()).chain(0..first);
            turned().for_each(|at| batch.push(all[at].clone()));
            assert_eq!(batch.len(), all.len());
            for (place, at) in turned().enumerate() {
                let words = |outcome: &Outcome| format!("{outcome:?}");
                assert_eq!(words(&batch.get(place).to_owned()), words(&all[at]));
            }
            assert!(batch.bytes() > 0);
            batch.clear();
            assert!(batch.is_empty() && batch.bytes() == 0);
        }
    }
}

use super::*;
use crate::search::{SearchDomain, Values};
use plaudit_core::dataset::Relation;

fn between(lower: f64, upper: f64, not_finite: bool) -> Values {
    Values::Numbers { lower, upper, not_finite }
}

fn neighborhood(values: Values, most: usize, relation: Relation) -> Neighborhood {
    let domain = SearchDomain::numbers(values, 1..=most).unwrap();
    Neighborhood { domain, relation, group: 1 }
}

fn check(
    query: impl Fn(&Vec<f64>) -> Answer + Sync,
    neighborhood: &Neighborhood,
    (norm, declared): (Norm, f64),
) -> SensitivityCheck {
    check_sensitivity(query, neighborhood, (norm, declared), 0, &AtomicBool::new(false))
}

fn clamp(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

#[test]
fn right_sensitivities_are_not_exceeded_and_are_reached() {
    let relations = [(Relation::AddRemove, 1.0), (Relation::Substitution, 1.0)];
    for (relation, declared) in relations {
        let neighborhood = neighborhood(between(-3.0, 3.0, false), 20, relation);
        // Multiples of a half, so that every sum is exact.
        let sum =
            |rows: &Vec<f64>| Ok(vec![rows.iter().map(|x| (2.0 * clamp(*x)).round() / 2.0).sum()]);
        let found = check(sum, &neighborhood, (Norm::L1, declared));
        let worst = found.worst.unwrap();
        assert!(!worst.exceeds && worst.distance == 1.0, "{worst:?}");
        assert!(found.pairs > 100);
    }
}

#[test]
fn mistakes_that_people_make_are_found() {
    let (add, swap) = (|| Relation::AddRemove, || Relation::Substitution);
    let numbers = || between(-10.0, 10.0, false);
    type Query = fn(&Vec<f64>) -> Answer;
    let large = 4_503_599_627_370_496.0; // 2^52
    let cases: [(&str, Query, Neighborhood, f64); 7] = [
        (
            "a mean under add/remove, with the sensitivity of many rows",
            |rows| Ok(vec![rows.iter().copied().map(clamp).sum::<f64>() / rows.len() as f64]),
            neighborhood(numbers(), 100, add()),
            0.01,
        ),
        (
            "a clamp after the sum",
            |rows| Ok(vec![rows.iter().sum::<f64>().clamp(0.0, 100.0)]),
            neighborhood(numbers(), 20, swap()),
            1.0,
        ),
        (
            "rounding beyond the range",
            |rows| Ok(vec![rows.iter().sum::<f64>()]),
            neighborhood(between(0.0, 2.0 * large, false), 10, add()),
            2.0 * large,
        ),
        (
            "integers that wrap around",
            |rows| {
                let sum = rows.iter().fold(0i32, |sum, x| sum.wrapping_add(*x as i32));
                Ok(vec![sum.into()])
            },
            neighborhood(Values::Integers { lower: 0.0, upper: 1e9 }, 10, add()),
            1e9,
        ),
        (
            "a NaN that survives clipping",
            |rows| Ok(vec![rows.iter().copied().map(clamp).sum()]),
            neighborhood(between(-1.0, 2.0, true), 5, swap()),
            1.0,
        ),
        (
            "a failure for some data",
            |rows| match rows.iter().any(|x| *x > 9.0) {
                true => Err("out of range".into()),
                false => Ok(vec![0.0]),
            },
            neighborhood(numbers(), 5, swap()),
            1.0,
        ),
        (
            "a histogram under substitution",
            |rows| {
                let above = rows.iter().filter(|x| **x > 0.0).count();
                Ok(vec![above as f64, (rows.len() - above) as f64])
            },
            neighborhood(numbers(), 5, swap()),
            1.0,
        ),
    ];
    for (what, query, neighborhood, declared) in cases {
        let found = check(query, &neighborhood, (Norm::L1, declared));
        let worst = found.worst.unwrap();
        assert!(worst.exceeds, "{what}: {worst:?}");
        // Every reader can check it.
        let Dataset::Numbers(d) = &worst.pair.d else { panic!("{what}: {worst:?}") };
        let Dataset::Numbers(d_prime) = &worst.pair.d_prime else { panic!("{what}") };
        let same = |a: &Answer, b: &Answer| format!("{a:?}") == format!("{b:?}");
        assert!(same(&query(d), &worst.answers[0]) && same(&query(d_prime), &worst.answers[1]));
        assert!(d.len() <= 4, "{what} is shrunk: {worst:?}");
    }
}

#[test]
fn distances_are_compared_exactly() {
    let next = 1f64.next_up();
    assert_eq!(apart(&[0.0], &[1.0], Norm::L1, 1.0), (1.0, false));
    assert_eq!(apart(&[0.0], &[next], Norm::L1, 1.0), (next, true));
    // 1 + 2^-60 is not a double.
    let tiny = 2f64.powi(-60);
    assert_eq!(apart(&[0.0, 0.0], &[1.0, tiny], Norm::L1, 1.0), (1.0, true));
    assert_eq!(apart(&[0.0, 0.0], &[1.0, tiny], Norm::L2, 1.0), (1.0, true));
    assert_eq!(apart(&[0.0, 0.0], &[1.0, tiny], Norm::Linf, 1.0), (1.0, false));
    assert_eq!(apart(&[0.0, -0.0], &[-0.0, 0.0], Norm::L1, 0.0), (0.0, false));
    assert_eq!(apart(&[f64::NAN], &[f64::NAN], Norm::L1, 0.0), (0.0, false));
    assert_eq!(apart(&[f64::NAN], &[0.0], Norm::L1, 9.0), (f64::INFINITY, true));
    assert_eq!(apart(&[0.0], &[], Norm::L2, 9.0), (f64::INFINITY, true));
}

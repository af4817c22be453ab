use super::*;
use crate::search::{Candidates, SearchDomain, Values, candidates};
use plaudit_core::dataset::Relation;

#[test]
fn plans_become_simpler_and_come_to_an_end() {
    let values = || Values::Numbers { lower: -10.0, upper: 10.0, not_finite: false };
    let columns = [("a".to_owned(), values()), ("b".to_owned(), values())];
    let table = SearchDomain::table(columns, 3..=1000).unwrap();
    let list = SearchDomain::numbers(values(), 3..=1000).unwrap();
    for (domain, relation) in [
        (table.clone(), Relation::AddRemove),
        (table, Relation::Substitution),
        (list, Relation::Linf(1.0)),
    ] {
        let neighborhood = Neighborhood { domain, relation, group: 1 };
        let Candidates { named, scattered, .. } = candidates(&neighborhood, 100);
        for mut plan in named.into_iter().chain(scattered) {
            let mut steps = 0;
            // The least bold step: the longest way.
            while let Some(next) = simpler_plans(&plan, &neighborhood).pop() {
                assert!(next.rows <= plan.rows && next.rows >= 3, "{next:?}");
                assert!(complexity(&next) < complexity(&plan), "{next:?}");
                plan = next;
                steps += 1;
                assert!(steps < 100, "{plan:?}");
            }
        }
    }
}

#[test]
fn the_boldest_step_leads_to_the_fewest_rows() {
    let values = Values::Numbers { lower: 0.0, upper: 1.0, not_finite: false };
    let domain = SearchDomain::numbers(values, 0..=1_000_000).unwrap();
    let neighborhood = Neighborhood { domain, relation: Relation::AddRemove, group: 1 };
    let plan = Plan {
        rows: 1_000_000,
        fills: vec![Fill::Ramp(0.0, 1.0)],
        edits: vec![(999_999, 0, 0.5)],
        change: PlanChange::Remove(999_999),
    };
    let pair = simpler_plans(&plan, &neighborhood)[0].pair(String::new(), &neighborhood).unwrap();
    assert_eq!((pair.d, pair.d_prime), (Dataset::Numbers(vec![0.5]), Dataset::Numbers(vec![])));
}

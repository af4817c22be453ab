//! Shrinking: found pairs become small ones, and none is shown that its own trials do not confirm.
//!
//! The claims are broken far beyond chance: that the smallest pair is none is left to chance with
//! probability at most 1e-6 a mechanism, and the last test repeats it on given pairs.

use crate::support::search::broken::BROKEN;
use crate::support::search::{Line, audits, spec};
use plaudit::audit::Audited;
use plaudit::dataset::{Pair, Table};
use plaudit::game::Control;
use plaudit::rebuild::rebuild;
use plaudit::search::{Neighborhood, SearchDomain, Values, simpler};
use plaudit::spec::Overrides;
use plaudit::{Audit, Dataset, Relation, Verdict};
use serde_json::Value;

fn lines(names: &[&str]) -> Vec<Line> {
    BROKEN.iter().filter(|line| names.contains(&line.0)).copied().collect()
}

fn audited(line: Line) -> Audited {
    let loaded = audits(&spec(&[line], ""), &Overrides::default()).remove(0);
    loaded.audit.run(Control::unattended()).unwrap()
}

fn dataset(value: &Value) -> Dataset {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn svt_5_shrinks_to_three_queries_and_keys_to_two_rows() {
    for line in lines(&["svt-5", "exact-svt-5", "group-by-keys", "exact-group-by-keys"]) {
        let Audited { finding, certificate, .. } = audited(line);
        let certificate = certificate.unwrap();
        // The pair that was found may be as small already.
        let pair = certificate.smallest.as_ref().map_or(&certificate.pair, |small| &small.pair);
        for side in [&pair.d, &pair.d_prime] {
            let (size, most) = match dataset(side) {
                Dataset::Numbers(answers) => (answers.len(), 3),
                Dataset::Table(Table { rows, .. }) => (rows.len(), 2),
                Dataset::Json(other) => panic!("{other}"),
            };
            assert!(size <= most, "{}: {}", finding.name, finding.reason());
        }
    }
}

#[test]
#[ignore = "takes several seconds"]
fn the_smallest_pair_is_refuted_by_trials_of_its_own() {
    let mut shrunk = 0;
    for line in lines(&["svt-5", "bounded-noise", "sum-forgotten", "mean-private-n", "subsample"]) {
        let Audited { finding, certificate, .. } = audited(line);
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.name);
        let certificate = certificate.unwrap();
        let Some(smallest) = &certificate.smallest else {
            assert!(finding.smallest.is_none());
            continue;
        };
        shrunk += 1;
        let shown = finding.smallest.clone().unwrap();
        assert!(smallest.p_value <= smallest.alpha && smallest.alpha <= certificate.alpha);
        assert!(smallest.witness.is_sound() && shown.p_value == smallest.p_value);
        assert_eq!(smallest.tally.trials(), shown.confirm);
        assert!(finding.reason().contains("It was shrunk to"), "{}", finding.reason());
        // Another seed, another witness: the pair itself is a violating one.
        let (d, d_prime) = (dataset(&smallest.pair.d), dataset(&smallest.pair.d_prime));
        let mechanism = rebuild(&certificate.mechanism).unwrap();
        let again = Audit::of_mechanism(certificate.audit, certificate.content.claim, mechanism)
            .pair(d, d_prime)
            .seed(17)
            .trials(200_000);
        let again = again.run(Control::unattended()).unwrap().finding;
        assert_eq!(again.verdict, Verdict::Violated, "{}: {}", again.name, again.reason());
    }
    assert!(shrunk >= 3, "{shrunk}");
}

#[test]
fn simpler_pairs_are_neighbors_in_the_domain_and_come_to_an_end() {
    let numbers = Values::Numbers { lower: -10.0, upper: 10.0, not_finite: false };
    let neighborhood = Neighborhood {
        domain: SearchDomain::numbers(numbers, 1..=10).unwrap(),
        relation: Relation::Linf(1.0),
        group: 1,
    };
    let list = |values: &[f64]| Dataset::Numbers(values.to_vec());
    let mut pair = Pair {
        name: String::new(),
        d: list(&[1.5, 2.0, -3.25, 7.0, 7.0]),
        d_prime: list(&[2.5, 2.0, -3.0, 6.0, 8.0]),
    };
    let mut steps = 0;
    while let Some(next) = simpler(&pair, &neighborhood).last() {
        for other in simpler(&pair, &neighborhood) {
            neighborhood.relation.check(&other.d, &other.d_prime).unwrap();
            assert!(
                neighborhood.domain.contains(&other.d)
                    && neighborhood.domain.contains(&other.d_prime)
            );
        }
        pair = next;
        steps += 1;
        assert!(steps < 200, "{pair:?}");
    }
    // As simple as it gets: one entry moves.
    assert!(steps > 3, "{steps}");
}

/// All simpler pairs of a pair.
fn all_simpler(pair: [&[f64]; 2], values: Values, relation: Relation) -> Vec<[Vec<f64>; 2]> {
    let domain = SearchDomain::numbers(values, 1..=10).unwrap();
    let neighborhood = Neighborhood { domain, relation, group: 1 };
    let [d, d_prime] = pair.map(|numbers| Dataset::Numbers(numbers.to_vec()));
    let pair = Pair { name: String::new(), d, d_prime };
    let numbers = |dataset: &Dataset| dataset.numbers().unwrap().to_vec();
    simpler(&pair, &neighborhood).map(|pair| [numbers(&pair.d), numbers(&pair.d_prime)]).collect()
}

#[test]
fn values_become_ends_of_the_domain_and_fewer() {
    let values = || Values::Numbers { lower: -10.0, upper: 10.0, not_finite: false };
    let row = Relation::Substitution;
    let found = all_simpler([&[3.5, 7.25, 2.5], &[3.5, 7.25, -4.0]], values(), row.clone());
    for wanted in [
        // Shared entries at an end; a row at an end; a value that is listed twice.
        [vec![10.0, 10.0, 2.5], vec![10.0, 10.0, -4.0]],
        [vec![1.0, 1.0, 2.5], vec![1.0, 1.0, -4.0]],
        [vec![3.5, 7.25, 2.5], vec![3.5, 7.25, -10.0]],
        [vec![3.5, 7.25, 10.0], vec![3.5, 7.25, -4.0]],
        [vec![-4.0, 7.25, 2.5], vec![-4.0, 7.25, -4.0]],
    ] {
        assert!(found.contains(&wanted), "{wanted:?}: {found:?}");
    }
    // From an end no way leads to what is none, unless fewer rows differ.
    let found = all_simpler([&[10.0], &[1.0]], values(), row);
    assert!(
        found.iter().flatten().flatten().all(|x| [0.0, 1.0, 10.0, -10.0].contains(x)),
        "{found:?}"
    );
}

//! Searches for people with many rows: all rows of one person tell, and a program that counts each person once
//! is not accused.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::dataset::{Cell, People, Table};
use plaudit::game::Control;
use plaudit::search::{
    Candidates, Neighborhood, Norm, SearchDomain, Values, candidates, check_sensitivity, mutate,
    simpler, simpler_plans,
};
use plaudit::spec::{Overrides, load};
use plaudit::{Dataset, Relation, Stream, Verdict};
use rand::SeedableRng as _;
use std::collections::HashMap;

/// Orders from one state, with noise for one order a person; the right one counts a person once.
const PROGRAM: &str = r#"
import json, random, sys

for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    table = request["dataset"]
    rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
    us = [row["id"] for row in rows if row["state"] == "US"]
    total = len(us) if sys.argv[1] == "broken" else len(set(us))
    for _ in range(request["runs"]):
        print(json.dumps(total + round(noise.choice([-1, 1]) * noise.expovariate(1.0))))
    sys.stdout.flush()
"#;

fn relations() -> [(&'static str, &'static str); 3] {
    [
        ("remove", "{ remove_all = \"id\" }"),
        ("few", "{ remove_all = \"id\", most_rows = 3 }"),
        ("replace", "{ replace_all = \"id\" }"),
    ]
}

#[test]
#[ignore = "takes several seconds"]
fn many_rows_of_one_person_are_found_in_the_domain_of_a_program() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.py"), PROGRAM).unwrap();
    let mut spec = String::new();
    for (name, relation) in relations() {
        for (kind, expected) in [("broken", "violated"), ("right", "not violated")] {
            spec += &format!(
                "[[audit]]\nname = \"{name}-{kind}\"\nmechanism = {{ command = {:?} }}\nrelation = {relation}\n\
                 domain = {{ columns = {{ id = {{ values = [1, 2] }}, \
                 state = {{ values = [\"US\", \"CA\"] }} }}, size = [0, 6] }}\nclaim = {{ epsilon = 1 }}\n\
                 expect = \"{expected}\"\n",
                [&interpreter()[..], &["program.py", kind]].concat()
            );
        }
    }
    let file = folder.path().join("people.toml");
    std::fs::write(&file, spec).unwrap();
    let overrides = Overrides { trials: Some(40_000), alpha: Some(1e-9), ..Overrides::default() };
    for loaded in load(&[file], &overrides).unwrap_or_else(|error| panic!("{error}")) {
        let audited = loaded.audit.run(Control::unattended()).unwrap();
        let finding = &audited.finding;
        assert!(finding.as_expected, "{}: {}", finding.name, finding.reason());
        if finding.verdict == Verdict::Violated {
            let difference = &finding.pair.difference;
            assert!(difference.starts_with("person id "), "{}: {difference}", finding.name);
            let certificate = audited.certificate.unwrap();
            assert_eq!(certificate.neighbors.unwrap().to_string(), finding.relation);
        }
    }
}

fn hoods() -> Vec<Neighborhood> {
    let whole = |lower, upper| Values::Integers { lower, upper };
    let words = Values::Among(["a", "b", "c"].map(|word| Cell::Text(word.into())).to_vec());
    let domain = |people, size| {
        let columns = [("id".to_owned(), people), ("x".to_owned(), whole(-3.0, 3.0))];
        SearchDomain::table(columns, size).unwrap()
    };
    let domains = [
        domain(whole(1.0, 20.0), 0..=12),
        domain(words, 3..=7),
        domain(Values::Numbers { lower: 0.0, upper: 9.5, not_finite: false }, 1..=200),
    ];
    let mut hoods = Vec::new();
    for domain in domains {
        for most_rows in [None, Some(3)] {
            for group in [1, 2] {
                let people = || People { id: "id".into(), most_rows };
                for relation in [Relation::RemoveAll(people()), Relation::ReplaceAll(people())] {
                    hoods.push(Neighborhood { domain: domain.clone(), relation, group });
                }
            }
        }
    }
    hoods
}

fn rows_of_people(dataset: &Dataset) -> HashMap<String, usize> {
    let mut held = HashMap::new();
    for row in &dataset.table().unwrap().rows {
        *held.entry(row[0].to_string()).or_default() += 1;
    }
    held
}

#[test]
fn what_is_made_keeps_to_the_relation_and_goes_as_far_as_it_allows() {
    for neighborhood in hoods() {
        let Candidates { named, scattered, .. } = candidates(&neighborhood, 150);
        let pairs: Vec<_> =
            named.iter().filter_map(|plan| plan.pair(String::new(), &neighborhood)).collect();
        assert!(pairs.len() >= 20, "{neighborhood:?}: {} of {}", pairs.len(), named.len());
        let longest =
            pairs.iter().flat_map(|pair| rows_of_people(&pair.d).into_values()).max().unwrap();
        let size = neighborhood.domain.size();
        let most = match neighborhood.relation.people().unwrap().most_rows {
            Some(most) => most as usize,
            None => size.end() - size.start(),
        } / neighborhood.group as usize;
        assert!(longest >= most, "{neighborhood:?}: {longest}");
        let mut random = Stream::seed_from_u64(3);
        let mut made = 0;
        for plan in named.iter().chain(&scattered) {
            for plan in [plan.clone(), mutate(plan, &neighborhood, &mut random)] {
                let Some(pair) = plan.pair(String::new(), &neighborhood) else { continue };
                made += 1;
                assert!(
                    neighborhood.domain.contains(&pair.d)
                        && neighborhood.domain.contains(&pair.d_prime)
                );
                neighborhood
                    .relation
                    .check_group(&pair.d, &pair.d_prime, neighborhood.group)
                    .unwrap();
            }
        }
        assert!(made > 40, "{neighborhood:?}: {made}");
    }
}

#[test]
fn pairs_and_plans_shrink_and_come_to_an_end() {
    for neighborhood in hoods() {
        let Candidates { named, .. } = candidates(&neighborhood, 10);
        for plan in named {
            let mut steps = 0;
            let mut next = plan.clone();
            while let Some(plan) = simpler_plans(&next, &neighborhood).pop() {
                next = plan;
                steps += 1;
                assert!(steps < 500, "{next:?}");
            }
            let Some(mut pair) = plan.pair(String::new(), &neighborhood) else { continue };
            let mut steps = 0;
            loop {
                let next = simpler(&pair, &neighborhood).next();
                let Some(next) = next else { break };
                neighborhood
                    .relation
                    .check_group(&next.d, &next.d_prime, neighborhood.group)
                    .unwrap();
                pair = next;
                steps += 1;
                assert!(steps < 1000, "{pair:?}");
            }
        }
    }
}

#[test]
fn a_sum_moves_by_all_rows_of_a_person() {
    let sum = |table: &Table| Ok(vec![table.rows.iter().filter_map(|row| row[1].number()).sum()]);
    let columns = |id| {
        let x = Values::Integers { lower: 0.0, upper: 2.0 };
        [("id".to_owned(), id), ("x".to_owned(), x)]
    };
    let id = || Values::Integers { lower: 1.0, upper: 30.0 };
    let domain = SearchDomain::table(columns(id()), 0..=20).unwrap();
    for (most_rows, expected) in [(Some(4), 8.0), (Some(1), 2.0), (None, 40.0)] {
        let people = People { id: "id".into(), most_rows };
        let relation = Relation::RemoveAll(people);
        let neighborhood = Neighborhood { domain: domain.clone(), relation, group: 1 };
        let found = check_sensitivity(sum, &neighborhood, (Norm::L1, expected), 0, &false.into());
        let worst = found.worst.unwrap();
        assert!(!worst.exceeds && worst.distance == expected, "{most_rows:?}: {worst:?}");
    }
}

/// The furthest that a query of one person's rows is moved by the first candidates.
fn furthest(
    columns: Vec<(&str, Values)>,
    most_rows: Option<u64>,
    relation: fn(People) -> Relation,
    query: impl Fn(&Table) -> f64,
) -> f64 {
    let columns = columns.into_iter().map(|(name, values)| (name.to_owned(), values));
    let domain = SearchDomain::table(columns, 0..=20).unwrap();
    let relation = relation(People { id: "id".into(), most_rows });
    let neighborhood = Neighborhood { domain, relation, group: 1 };
    let Candidates { named, .. } = candidates(&neighborhood, 1000);
    let pairs = named.iter().take(100).filter_map(|plan| plan.pair(String::new(), &neighborhood));
    let value = |dataset: &Dataset| query(dataset.table().unwrap());
    pairs.map(|pair| (value(&pair.d) - value(&pair.d_prime)).abs()).fold(0.0, f64::max)
}

#[test]
fn one_person_holds_many_different_values_and_equal_ones_between_the_bounds() {
    let words =
        |many: usize| Values::Among((0..many).map(|at| Cell::Text(format!("word {at}"))).collect());
    let whole = |lower, upper| Values::Integers { lower, upper };
    let number = |lower, upper| Values::Numbers { lower, upper, not_finite: false };
    let id = || ("id", whole(1.0, 2.0));
    let different = |table: &Table| {
        let rows = table.rows.iter().map(|row| format!("{:?}", &row[1..]));
        rows.collect::<std::collections::HashSet<_>>().len() as f64
    };
    let of_us = |table: &Table| {
        let rows = table.rows.iter().filter(|row| row[1].to_string().contains("word 1"));
        rows.map(|row| row[2].to_string()).collect::<std::collections::HashSet<_>>().len() as f64
    };
    // The sum, with a factor that is 1 for rows whose squares add up to 1 at most: the square root of the
    // number of rows, at equal values.
    let clipped = |table: &Table| {
        let x: Vec<f64> = table.rows.iter().filter_map(|row| row[1].number()).collect();
        let squares: f64 = x.iter().map(|x| x * x).sum();
        if squares > 0.0 { x.iter().sum::<f64>() * (1.0 / squares).min(1.0) } else { 0.0 }
    };
    // Under replacement a person keeps a row.
    type OfPeople = fn(People) -> Relation;
    let relations: [(OfPeople, f64); 2] = [(Relation::RemoveAll, 0.0), (Relation::ReplaceAll, 1.0)];
    for (relation, least) in relations {
        for (columns, most_rows, query, expected) in [
            (vec![id(), ("x", words(8))], None, &different as &dyn Fn(&Table) -> f64, 8.0 - least),
            (vec![id(), ("x", words(30))], None, &different, 20.0 - least),
            (vec![id(), ("x", whole(-50.0, 50.0))], Some(12), &different, 12.0 - least),
            (vec![id(), ("x", number(0.0, 1.0))], Some(12), &different, 12.0 - least),
            (vec![id(), ("x", words(3)), ("y", words(4))], None, &different, 12.0 - least),
            (vec![id(), ("x", words(4)), ("y", words(4))], None, &different, 16.0 - least),
            (vec![id(), ("x", words(3)), ("y", whole(0.0, 63.0))], Some(9), &of_us, 9.0 - least),
            (vec![id(), ("x", number(-1.0, 1.0))], Some(16), &clipped, 3.9),
            (vec![id(), ("x", number(-1.0, 1.0))], Some(4), &clipped, 1.9),
            (vec![id(), ("x", number(0.0, 4.0))], Some(16), &clipped, 3.3 - least),
        ] {
            let found = furthest(columns.clone(), most_rows, relation, query);
            assert!(found >= expected, "{columns:?}: {found} of {expected}");
        }
    }
}

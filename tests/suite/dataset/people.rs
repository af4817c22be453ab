//! People with many rows: which datasets are neighbors, pairs from a base table, and how it is said.

use plaudit::dataset::{Cell, Dataset, Neighboring, Pair, People, Relation, Table, pairs};
use plaudit::spec::relation_from_words;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A person and a value.
type Row = (u8, u8);

fn people(most_rows: Option<u64>) -> People {
    People { id: "id".into(), most_rows }
}

fn remove_all() -> Relation {
    Relation::RemoveAll(people(None))
}

fn replace_all() -> Relation {
    Relation::ReplaceAll(people(None))
}

fn table(rows: &[Row]) -> Table {
    let row = |&(id, x): &Row| vec![Cell::Number(x.into()), Cell::Text(format!("p{id}"))];
    Table::new(vec!["x".into(), "id".into()], rows.iter().map(row).collect()).unwrap()
}

fn list(rows: &[Row]) -> Dataset {
    let row = |&(id, x): &Row| json!({ "id": format!("p{id}"), "x": x });
    Dataset::Json(Value::Array(rows.iter().map(row).collect()))
}

/// The answer of tables and of lists of objects, in both directions; they agree.
#[track_caller]
fn check(relation: &Relation, a: &[Row], b: &[Row], size: u64) -> Result<(), String> {
    let of = |a: &Dataset, b: &Dataset| relation.check_group(a, b, size).map_err(|why| why.why);
    let tables = [a, b].map(|rows| Dataset::Table(table(rows)));
    let found = of(&tables[0], &tables[1]);
    assert_eq!(of(&tables[1], &tables[0]).is_ok(), found.is_ok());
    assert_eq!(of(&list(a), &list(b)), found);
    assert_eq!(table(a).check(&table(b), relation, size).is_ok(), found.is_ok());
    found
}

#[track_caller]
fn refused(relation: &Relation, a: &[Row], b: &[Row], words: &str) {
    let why = check(relation, a, b, 1).unwrap_err();
    assert!(why.contains(words), "`{why}` does not say `{words}`");
}

const BASE: [Row; 5] = [(1, 0), (2, 5), (1, 1), (2, 5), (3, 9)];

#[test]
fn a_person_is_removed_with_all_rows() {
    let gone = remove_all();
    assert_eq!(check(&gone, &BASE, &[(1, 0), (1, 1), (3, 9)], 1), Ok(()));
    assert_eq!(check(&gone, &[(1, 0), (1, 0)], &[], 1), Ok(()));
    refused(&gone, &BASE, &BASE, "identical datasets can show no violation");
    // One of two rows is not a person.
    refused(&gone, &BASE, &BASE[1..], "both hold the same people");
    refused(&gone, &BASE, &[(2, 5), (2, 5)], "2 people are in D alone");
    refused(&gone, &BASE, &[(1, 1), (1, 0), (3, 9)], "rows of another person differ");
    refused(&gone, &BASE, &[(3, 9), (1, 0), (1, 1)], "rows of another person differ");
    refused(&gone, &[(1, 0)], &[(2, 0)], "1 person is in D alone, 1 in D' alone");
}

#[test]
fn the_rows_of_a_person_are_replaced_by_as_many_as_one_likes() {
    let other = replace_all();
    assert_eq!(check(&other, &BASE, &[(1, 0), (2, 7), (1, 1), (3, 9)], 1), Ok(()));
    assert_eq!(check(&other, &BASE, &[(1, 0), (1, 1), (4, 5), (4, 6), (4, 7), (3, 9)], 1), Ok(()));
    // Only the place among the rows of others.
    assert_eq!(check(&other, &[(1, 0), (2, 0)], &[(2, 0), (1, 0)], 1), Ok(()));
    refused(&other, &BASE, &BASE, "identical");
    refused(&other, &BASE, &[(1, 0), (1, 1), (3, 9)], "both must hold the same number of people");
    refused(&other, &BASE, &[(1, 0), (2, 7), (1, 1), (3, 8)], "more than one person differ");
    // A new id that somebody else has is no new id.
    refused(&other, &BASE, &[(1, 0), (3, 5), (1, 1), (3, 9)], "the same number of people");
}

#[test]
fn nobody_has_more_rows_than_there_may_be() {
    let few = |relation: fn(People) -> Relation| relation(people(Some(2)));
    let three = [(1, 0), (2, 0), (2, 0), (2, 0)];
    assert_eq!(check(&few(Relation::RemoveAll), &three[..3], &[(1, 0)], 1), Ok(()));
    refused(&few(Relation::RemoveAll), &three, &[(1, 0)], "more than 2 rows, and most_rows = 2");
    refused(&few(Relation::ReplaceAll), &three, &three[..2], "row 3 of D holds more than 2");
    // The others hold no more, either.
    refused(&few(Relation::RemoveAll), &three, &three[1..], "more than 2 rows");
}

#[test]
fn it_must_be_known_whose_row_it_is() {
    let check = |a: Value, b: Value| {
        let why = remove_all().check(&Dataset::Json(a), &Dataset::Json(b)).unwrap_err();
        why.to_string()
    };
    let cases = [
        (json!([1.0]), json!([]), "needs rows with columns"),
        (json!({ "id": 1 }), json!([]), "needs rows with columns"),
        (json!([{ "x": 1 }]), json!([]), "row 0 of D belongs to no person"),
        (json!([]), json!([{ "id": null }]), "row 0 of D' belongs to no person"),
        (json!([{ "id": "" }]), json!([]), "belongs to no person"),
        (json!([{ "id": [1] }]), json!([]), "belongs to no person"),
    ];
    for (a, b, words) in cases {
        let message = check(a, b);
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
    let numbers = |x: &[f64]| Dataset::Numbers(x.to_vec());
    let error = remove_all().check(&numbers(&[1.0]), &numbers(&[])).unwrap_err();
    assert!(error.why.contains("needs rows with columns"), "{error}");
    let error = vec!["a"].check(&vec![], &remove_all(), 1).unwrap_err();
    assert!(error.why.contains("needs rows with columns"), "{error}");
    let other = Relation::RemoveAll(People { id: "user".into(), most_rows: None });
    let tables = [table(&BASE), table(&BASE[..1])].map(Dataset::Table);
    let error = other.check(&tables[0], &tables[1]).unwrap_err();
    assert!(error.why.contains("no column `user`; the table has x, id"), "{error}");
}

/// A program that asks whether they are equal sees one person.
#[test]
fn equal_numbers_are_one_person_however_they_are_written() {
    let same = [json!(1), json!(1.0)].map(|id| json!({ "id": id }));
    let gone = remove_all()
        .check(&Dataset::Json(json!([same[0], same[1]])), &Dataset::Json(json!([same[0]])));
    assert!(gone.unwrap_err().why.contains("the same people"));
    let zeros = |ids: &[f64]| {
        let rows = ids.iter().map(|x| vec![Cell::Number(*x)]).collect();
        Dataset::Table(Table::new(vec!["id".into()], rows).unwrap())
    };
    assert!(remove_all().check(&zeros(&[0.0, -0.0]), &zeros(&[0.0])).is_err());
    assert!(remove_all().check(&zeros(&[0.0, -0.0]), &zeros(&[])).is_ok());
    let large = |ids: &[u64]| Dataset::Json(ids.iter().map(|id| json!({ "id": id })).collect());
    let (a, b) = (1 << 53, (1 << 53) + 1);
    assert!(remove_all().check(&large(&[a, b]), &large(&[a])).is_ok());
}

/// All that one step leads to under a relation, by its definition, with ids from 0 to 2, values 0 and 1 and at
/// most four rows in all.
fn steps(rows: &[Row], removes: bool) -> BTreeSet<Vec<Row>> {
    let ids: BTreeSet<u8> = rows.iter().map(|row| row.0).collect();
    let rest = |id: u8| -> Vec<Row> { rows.iter().copied().filter(|row| row.0 != id).collect() };
    let mut all = BTreeSet::new();
    if removes {
        all.extend(ids.iter().map(|id| rest(*id)));
        (0..3).filter(|id| !ids.contains(id)).for_each(|id| put(rows.to_vec(), id, 0, &mut all));
    } else {
        for id in &ids {
            let rest = rest(*id);
            let free = |new: &u8| *new == *id || !ids.contains(new);
            (0..3).filter(free).for_each(|new| put(rest.clone(), new, 0, &mut all));
        }
    }
    all.remove(rows);
    all
}

/// All ways to put one row or more of a person in, from a place on.
fn put(rows: Vec<Row>, id: u8, from: usize, all: &mut BTreeSet<Vec<Row>>) {
    if rows.len() >= 4 {
        return;
    }
    for at in from..=rows.len() {
        for x in 0..2 {
            let mut more = rows.clone();
            more.insert(at, (id, x));
            put(more.clone(), id, at + 1, all);
            all.insert(more);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The check against its definition, for one step and for two.
    #[test]
    fn neighbors_are_one_step_apart_and_groups_two(
        rows in prop::collection::vec((0u8..3, 0u8..2), 0..4),
        other in prop::collection::vec((0u8..3, 0u8..2), 0..4),
        pick in any::<prop::sample::Index>(),
    ) {
        for (relation, removes) in [(remove_all(), true), (replace_all(), false)] {
            let near = steps(&rows, removes);
            for found in &near {
                prop_assert_eq!(check(&relation, &rows, found, 1), Ok(()), "{:?}", found);
            }
            prop_assert_eq!(check(&relation, &rows, &other, 1).is_ok(), near.contains(&other));
            let far: BTreeSet<_> = near.iter().flat_map(|rows| steps(rows, removes)).collect();
            let within = rows != other && (near.contains(&other) || far.contains(&other));
            // Steps between may need more ids or rows than the enumeration has.
            prop_assert!(!within || check(&relation, &rows, &other, 2).is_ok());
            if !far.is_empty() {
                let found = far.iter().nth(pick.index(far.len())).unwrap();
                prop_assert!(*found == rows || check(&relation, &rows, found, 2).is_ok());
            }
        }
    }
}

#[test]
fn groups_are_so_many_people() {
    let three: Vec<Row> = vec![(1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1)];
    assert!(check(&remove_all(), &three, &[(3, 0), (3, 1)], 2).is_ok());
    let why = check(&remove_all(), &three, &[], 2).unwrap_err();
    assert_eq!(why, "they are more than 2 people apart");
    // A person of both whose rows are others goes and comes again.
    let one: Vec<Row> = vec![(1, 0), (2, 0), (3, 0), (1, 9), (2, 1), (3, 1)];
    assert!(check(&remove_all(), &three, &one, 1).is_err());
    assert!(check(&remove_all(), &three, &one, 2).is_ok());
    assert!(check(&replace_all(), &three, &one, 1).is_ok());
    let two: Vec<Row> = vec![(4, 0), (2, 0), (3, 0), (2, 7), (3, 1)];
    assert!(check(&replace_all(), &three, &two, 1).is_err());
    assert!(check(&replace_all(), &three, &two, 2).is_ok());
    // Two others stand the other way round: one of them went and came again.
    let order: Vec<Row> = vec![(2, 0), (1, 0), (3, 0), (1, 1), (2, 1), (3, 1)];
    assert!(check(&remove_all(), &three, &order, 1).is_err());
    assert!(check(&remove_all(), &three, &order, 2).is_ok());
}

fn words(relation: &Relation, a: &[Row], b: &[Row]) -> String {
    let [a, b] = [a, b].map(|rows| Dataset::Table(table(rows)));
    relation.difference_words(&a, &b)
}

#[test]
fn differences_name_the_person() {
    let gone = remove_all();
    let rest = [(1, 0), (1, 1), (3, 9)];
    assert_eq!(words(&gone, &BASE, &rest), "person id \"p2\" removed: 2 rows");
    assert_eq!(words(&gone, &rest, &BASE), "person id \"p2\" added: 2 rows");
    assert_eq!(words(&gone, &BASE, &BASE[..4]), "person id \"p3\" removed: 1 row");
    let other = replace_all();
    let fewer = [(1, 0), (2, 5), (1, 1), (3, 9)];
    assert_eq!(words(&other, &BASE, &fewer), "person id \"p2\": 2 rows replaced by 1 row");
    let new = [(1, 0), (1, 1), (4, 5), (4, 5), (4, 5), (3, 9)];
    assert_eq!(
        words(&other, &BASE, &new),
        "person id \"p2\" (2 rows) replaced by person id \"p4\" (3 rows)"
    );
    // What no person explains is said as ever.
    assert_eq!(words(&gone, &BASE, &BASE[..1]), "5 rows against 1");
    let json = gone.difference_words(&list(&BASE), &list(&rest));
    assert_eq!(json, "person id \"p2\" removed: 2 rows");
}

fn names(pairs: &[Pair<Dataset>], relation: &Relation) -> Vec<String> {
    for pair in pairs {
        assert_eq!(pair.d, Dataset::Table(table(&BASE)));
        relation.check(&pair.d, &pair.d_prime).unwrap_or_else(|why| panic!("{why}"));
    }
    pairs.iter().map(|pair| pair.name.clone()).collect()
}

#[test]
fn people_of_a_table_are_removed_and_replaced() {
    let base = table(&BASE);
    let removed = pairs::remove_person(&base, 3, &people(None)).unwrap();
    assert_eq!(removed.d_prime, Dataset::Table(table(&[(1, 0), (1, 1), (3, 9)])));
    assert_eq!(names(&[removed], &remove_all()), ["person id \"p2\" removed"]);
    let extremes = pairs::extremes(&base, "x", &remove_all()).unwrap();
    assert_eq!(
        names(&extremes, &remove_all()),
        ["person id \"p1\" removed (smallest x)", "person id \"p3\" removed (largest x)"]
    );
    let extremes = pairs::extremes(&base, "x", &replace_all()).unwrap();
    names(&extremes, &replace_all());
    let copied = table(&[(1, 9), (2, 5), (2, 5), (3, 9)]);
    assert_eq!(extremes[0].d_prime, Dataset::Table(copied));
    for relation in [remove_all(), replace_all()] {
        let some = pairs::random(&base, &relation, 3, 7).unwrap();
        assert_eq!(some, pairs::random(&base, &relation, 3, 7).unwrap());
        let all: BTreeSet<_> = names(&some, &relation).into_iter().collect();
        assert_eq!(all.len(), 3, "{all:?}");
        let error = pairs::random(&base, &relation, 4, 7).unwrap_err().to_string();
        assert_eq!(error, "cannot choose 4 different people: the table has 3");
    }
    let nobody = People { id: "user".into(), most_rows: None };
    let error = pairs::remove_person(&base, 0, &nobody).unwrap_err().to_string();
    assert_eq!(error, "no column `user`; the table has x, id");
    let alike = table(&[(1, 0), (2, 0)]);
    assert!(pairs::random(&alike, &replace_all(), 1, 0).is_err());
}

proptest! {
    #[test]
    fn relations_about_people_are_read_back_from_words_and_json(
        id in any::<String>(), most in prop::option::of(1u64..), removes in any::<bool>(),
    ) {
        let people = People { id, most_rows: most };
        let relation = if removes { Relation::RemoveAll(people) } else { Relation::ReplaceAll(people) };
        prop_assert_eq!(relation_from_words(&relation.to_string()), Some(relation.clone()));
        let text = serde_json::to_string(&relation).unwrap();
        prop_assert_eq!(serde_json::from_str::<Relation>(&text).unwrap(), relation);
    }
}

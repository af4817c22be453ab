//! Which datasets are neighbors, what differs, and how it is said.

use plaudit::dataset::{Cell, Dataset, Neighboring, Relation, Table};
use proptest::prelude::*;
use serde_json::json;

fn numbers(entries: &[f64]) -> Dataset {
    Dataset::Numbers(entries.to_vec())
}

fn table(rows: &[(f64, &str)]) -> Dataset {
    let columns = vec!["income".to_owned(), "party".to_owned()];
    let row = |&(income, party): &(f64, &str)| vec![Cell::Number(income), Cell::Text(party.into())];
    Dataset::Table(Table::new(columns, rows.iter().map(row).collect()).unwrap())
}

#[track_caller]
fn refused(relation: Relation, d: &Dataset, d_prime: &Dataset, words: &str) {
    for (a, b) in [(d, d_prime), (d_prime, d)] {
        let message = relation.check(a, b).unwrap_err().to_string();
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
}

#[track_caller]
fn taken(relation: Relation, d: &Dataset, d_prime: &Dataset) {
    assert_eq!(relation.check(d, d_prime), Ok(()));
    assert_eq!(relation.check(d_prime, d), Ok(()));
}

#[test]
fn identical_datasets_show_nothing_under_any_relation() {
    let relations = [
        Relation::Substitution,
        Relation::AddRemove,
        Relation::Histogram,
        Relation::L1(1.0),
        Relation::L2(1.0),
        Relation::Linf(1.0),
    ];
    for relation in relations {
        refused(
            relation,
            &numbers(&[1.0]),
            &numbers(&[1.0]),
            "identical datasets can show no violation",
        );
    }
    let rows = table(&[(1.0, "red")]);
    refused(Relation::AddRemove, &rows, &rows, "identical");
}

#[test]
fn substitution_replaces_exactly_one_row() {
    let base = table(&[(1.0, "red"), (2.0, "blue"), (3.0, "red")]);
    taken(Relation::Substitution, &base, &table(&[(1.0, "red"), (2.0, "red"), (3.0, "red")]));
    let two = table(&[(1.0, "blue"), (2.0, "red"), (3.0, "red")]);
    refused(Relation::Substitution, &base, &two, "more than one row differs");
    let fewer = table(&[(1.0, "red"), (3.0, "red")]);
    refused(Relation::Substitution, &base, &fewer, "rows, the other");
    taken(Relation::Substitution, &numbers(&[f64::NAN, 1.0]), &numbers(&[f64::NAN, 2.0]));
    taken(Relation::Substitution, &numbers(&[0.0]), &numbers(&[-0.0]));
}

#[test]
fn add_remove_inserts_one_row_anywhere() {
    let base = [(1.0, "red"), (2.0, "blue"), (2.0, "blue")];
    for gone in 0..3 {
        let mut fewer = base.to_vec();
        fewer.remove(gone);
        taken(Relation::AddRemove, &table(&base), &table(&fewer));
    }
    taken(Relation::AddRemove, &table(&[]), &table(&[(1.0, "red")]));
    refused(
        Relation::AddRemove,
        &table(&base),
        &table(&[(2.0, "blue"), (1.0, "red")]),
        "with a row removed",
    );
    refused(Relation::AddRemove, &table(&base), &table(&base[..1]), "rows, the other");
    let replaced = table(&[(9.0, "red"), (2.0, "blue"), (2.0, "blue")]);
    refused(Relation::AddRemove, &table(&base), &replaced, "row 0 differs");
    taken(Relation::AddRemove, &numbers(&[1.0, 2.0]), &numbers(&[2.0]));
}

#[test]
fn histograms_are_counts_that_are_one_apart() {
    taken(Relation::Histogram, &numbers(&[3.0, 0.0]), &numbers(&[3.0, 1.0]));
    let base = numbers(&[3.0, 0.0]);
    refused(Relation::Histogram, &base, &numbers(&[2.0, 1.0]), "2 apart, not 1");
    refused(Relation::Histogram, &base, &numbers(&[3.5, 0.5]), "not a count");
    refused(Relation::Histogram, &base, &numbers(&[3.0, -1.0]), "entry 1 is -1, not a count");
    refused(Relation::Histogram, &base, &numbers(&[3.0]), "entries, the other");
}

#[test]
fn distances_are_measured_in_their_norm() {
    let (a, b) = (numbers(&[0.0, 0.0]), numbers(&[3.0, -4.0]));
    taken(Relation::L1(7.0), &a, &b);
    taken(Relation::L2(5.0), &a, &b);
    taken(Relation::Linf(4.0), &a, &b);
    refused(Relation::L1(6.9), &a, &b, "they are 7 apart");
    refused(Relation::L2(4.9), &a, &b, "they are 5 apart");
    refused(Relation::Linf(3.9), &a, &b, "they are 4 apart");
    refused(Relation::Linf(f64::NAN), &a, &b, "finite and above 0");
    refused(Relation::Linf(0.0), &a, &b, "finite and above 0");
    refused(Relation::L1(1.0), &a, &numbers(&[f64::NAN, 0.0]), "not finite");
}

#[test]
fn distances_may_exceed_the_relation_by_rounding_and_no_more() {
    let thirds = numbers(&[0.1; 10]);
    taken(Relation::L1(1.0 - 2e-16), &numbers(&[0.0; 10]), &thirds);
    taken(Relation::Linf(0.1), &numbers(&[0.3]), &numbers(&[0.2]));
    refused(Relation::Linf(0.1), &numbers(&[0.0]), &numbers(&[0.1 + 1e-12]), "apart");
}

#[test]
fn relations_need_data_that_fit_them() {
    let rows = table(&[(1.0, "red")]);
    refused(Relation::Linf(1.0), &rows, &table(&[(2.0, "red")]), "defined on numbers");
    refused(Relation::AddRemove, &rows, &numbers(&[1.0]), "one is a table");
    let Dataset::Table(mut renamed) = rows.clone() else { unreachable!() };
    renamed.columns[0] = "age".into();
    refused(Relation::AddRemove, &rows, &Dataset::Table(renamed), "different columns");
}

#[test]
fn plain_vectors_are_rows_and_vectors_of_numbers_take_every_relation() {
    let words = vec!["a", "b"];
    assert!(words.check(&vec!["a"], &Relation::AddRemove, 1).is_ok());
    assert!(words.check(&vec!["a", "c"], &Relation::Substitution, 1).is_ok());
    let error = words.check(&vec!["a", "c"], &Relation::L1(1.0), 1).unwrap_err();
    assert!(error.why.contains("defined on numbers"), "{error}");
    assert!(vec![1.0].check(&vec![2.0], &Relation::Linf(1.0), 1).is_ok());
    assert!(vec![1.0].check(&vec![3.0], &Relation::Linf(1.0), 1).is_err());
    assert!(vec![f64::NAN].check(&vec![f64::NAN], &Relation::Substitution, 1).is_err());
    assert!(1.0.check(&2.0, &Relation::L1(1.0), 1).is_ok());
}

proptest! {
    /// The check against its definition, by trying every row of the longer one.
    #[test]
    fn add_remove_is_the_removal_of_some_row(
        a in prop::collection::vec(0u8..3, 0..6),
        b in prop::collection::vec(0u8..3, 0..6),
    ) {
        let (longer, shorter) = if a.len() > b.len() { (&a, &b) } else { (&b, &a) };
        let removal = |row: usize| {
            let mut rest = longer.clone();
            rest.remove(row);
            rest == *shorter
        };
        let neighbors = longer.len() > shorter.len() && (0..longer.len()).any(removal);
        prop_assert_eq!(a.check(&b, &Relation::AddRemove, 1).is_ok(), neighbors);
        let differ = a.len() == b.len() && a.iter().zip(&b).filter(|(x, y)| x != y).count() == 1;
        prop_assert_eq!(a.check(&b, &Relation::Substitution, 1).is_ok(), differ);
    }
}

/// How many rows must go or come to get from one list to the other: by the longest list that both
/// hold in order.
fn rows_moved(a: &[u8], b: &[u8]) -> usize {
    let mut common = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..a.len() {
        for j in 0..b.len() {
            common[i + 1][j + 1] = match a[i] == b[j] {
                true => common[i][j] + 1,
                false => common[i][j + 1].max(common[i + 1][j]),
            };
        }
    }
    a.len() + b.len() - 2 * common[a.len()][b.len()]
}

proptest! {
    #[test]
    fn groups_are_so_many_neighbors_apart_and_no_more(
        a in prop::collection::vec(0u8..3, 0..9),
        b in prop::collection::vec(0u8..3, 0..9),
        size in 2u64..20,
    ) {
        let moved = rows_moved(&a, &b) as u64;
        prop_assert_eq!(a.check(&b, &Relation::AddRemove, size).is_ok(), (1..=size).contains(&moved));
        let differ = a.iter().zip(&b).filter(|(x, y)| x != y).count() as u64;
        let within = a.len() == b.len() && (1..=size).contains(&differ);
        prop_assert_eq!(a.check(&b, &Relation::Substitution, size).is_ok(), within);
    }
}

#[test]
fn groups_of_answers_are_so_many_distances_apart() {
    let (d, far) = (numbers(&[0.0, 0.0]), numbers(&[3.0, 0.0]));
    for relation in [Relation::L1(1.0), Relation::L2(1.0), Relation::Linf(1.0), Relation::Histogram]
    {
        assert!(relation.check_group(&d, &far, 3).is_ok(), "{relation}");
        assert!(relation.check_group(&d, &far, 4).is_ok(), "{relation}");
        assert!(relation.check_group(&d, &far, 2).is_err(), "{relation}");
        assert!(relation.check_group(&d, &d, 2).is_err(), "{relation}");
    }
}

#[test]
fn differences_name_rows_entries_and_values() {
    let words = |a: &[f64], b: &[f64]| numbers(a).difference_words(&numbers(b));
    assert_eq!(words(&[1.0, 5.0], &[2.0, 5.0]), "entry 0: 1 → 2");
    assert_eq!(
        words(&[1.0, 1.0, 1.0, 4.0], &[2.0, 0.0, 0.0, 4.0]),
        "entry 0: 1 → 2, entries 1 to 2: 1 → 0"
    );
    assert_eq!(words(&[1.0, 2.0], &[1.0]), "entry 1 removed: 2");
    assert_eq!(words(&[1.0], &[0.5, 1.0]), "entry 0 added: 0.5");
    assert_eq!(words(&[1.0], &[1.0, 2.0, 3.0]), "1 entries against 3");
    assert_eq!(words(&[f64::NAN], &[f64::NAN]), "nothing");
    let many: Vec<f64> = (0..20).map(f64::from).collect();
    assert!(words(&[-1.0; 20], &many).ends_with("entry 7: -1 → 7 and 12 more"));

    let base = table(&[(3.0, "red"), (4.0, "blue")]);
    let words = |b: &[(f64, &str)]| base.difference_words(&table(b));
    assert_eq!(words(&[(3.0, "red")]), "row 1 removed: income 4, party \"blue\"");
    assert_eq!(
        words(&[(3.0, "red"), (5.0, ""), (4.0, "blue")]),
        "row 1 added: income 5, party \"\""
    );
    assert_eq!(words(&[(3.0, "red"), (9.0, "blue")]), "row 1: income 4 → 9");
    assert_eq!(words(&[(1.0, "red"), (9.0, "blue")]), "2 rows differ");
    assert_eq!(words(&[]), "2 rows against 0");
}

#[test]
fn short_datasets_are_shown_whole_and_long_ones_abridged() {
    assert_eq!(numbers(&[1.0, f64::NAN]).abridged(), json!([1.0, "NaN"]));
    let long: Vec<f64> = (0..41).map(f64::from).collect();
    assert_eq!(
        numbers(&long).abridged(),
        json!({
            "entries": 41, "first_entries": [0.0, 1.0, 2.0, 3.0, 4.0],
            "smallest": 0.0, "largest": 40.0
        })
    );
    assert_eq!(numbers(&long[..40]).abridged().as_array().unwrap().len(), 40);
    let short = table(&[(3.0, "red")]);
    assert_eq!(short.abridged(), json!({"columns": ["income", "party"], "rows": [[3.0, "red"]]}));
    let long = table(&[(3.0, "red"); 21]).abridged();
    assert_eq!(long["row_count"], 21);
    assert_eq!(long["first_rows"].as_array().unwrap().len(), 5);
}

#[test]
fn datasets_survive_json() {
    let datasets =
        [numbers(&[1.0, -0.0, f64::NAN, f64::INFINITY, 5e-324]), table(&[(0.1, "1"), (1e300, "")])];
    for dataset in datasets {
        let text = serde_json::to_string(&dataset).unwrap();
        let back: Dataset = serde_json::from_str(&text).unwrap();
        assert_eq!(dataset.difference_words(&back), "nothing", "{text}");
    }
    let ragged = r#"{"table": {"columns": ["a", "b"], "rows": [[1, 2], [3]]}}"#;
    let error = serde_json::from_str::<Dataset>(ragged).unwrap_err().to_string();
    assert!(error.contains("row 1 has 1 cells, but there are 2 columns (a, b)"), "{error}");
}

//! Where datasets come from: CSV files, pairs made from a base table, named patterns.

use plaudit::dataset::{Cell, Dataset, Pair, Relation, Table, pairs, pattern};
use std::path::Path;

fn read(bytes: &[u8], columns: &[&str]) -> Result<Table, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, bytes).unwrap();
    let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
    Table::read_csv(&path, &columns).map_err(|error| {
        let message = error.to_string();
        message.replace(&path.display().to_string(), "people.csv")
    })
}

fn number(x: f64) -> Cell {
    Cell::Number(x)
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn csv_cells_are_finite_numbers_or_text_and_columns_come_in_the_order_asked_for() {
    let csv = b"name, age ,income\n\"Smith, J\",30,1e3\n, nan ,\n";
    let table = read(csv, &["income", "name", "age"]).unwrap();
    assert_eq!(table.columns, ["income", "name", "age"]);
    assert_eq!(table.rows[0], [number(1000.0), text("Smith, J"), number(30.0)]);
    assert_eq!(table.rows[1], [text(""), text(""), text("nan")]);
    assert_eq!(table.rows.len(), 2);
}

#[test]
fn csv_files_that_are_no_table_are_refused_with_file_and_line() {
    let cases: [(&[u8], &[&str], &str); 8] = [
        (b"", &["a"], "people.csv: the file is empty"),
        (b"a,b\n1,2\n3\n", &["a"], "people.csv, line 3: 1 cells, but the header names 2"),
        (b"a,b\n1,2,3\n", &["a"], "people.csv, line 2: 3 cells"),
        (b"a,b,a\n1,2,3\n", &["b"], "people.csv, line 1: two columns are called `a`"),
        (b"a,b\n1,2\n", &["a", "c"], "people.csv: no column `c`; the file has a, b"),
        (b"a,b\n1,2\n\xff,2\n", &["a"], "people.csv, line 3: not UTF-8"),
        (b"a\n1\n", &[], "no columns are named"),
        (b"a\n1\n", &["a", "a"], "column `a` is named twice"),
    ];
    for (bytes, columns, words) in cases {
        let message = read(bytes, columns).unwrap_err();
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
    let missing = Table::read_csv(Path::new("no/such.csv"), &["a".into()]).unwrap_err();
    assert!(missing.to_string().starts_with("no/such.csv: cannot read it"), "{missing}");
}

/// It would be read for ever.
#[cfg(unix)]
#[test]
fn a_device_is_no_table() {
    let error = Table::read_csv(Path::new("/dev/zero"), &["a".into()]).unwrap_err();
    assert!(error.to_string().contains("it is not a regular file"), "{error}");
}

#[test]
fn the_survey_that_ships_has_944_rows_of_numbers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("audits/data/anes96.csv");
    let table = Table::read_csv(&path, &["vote".into(), "income".into(), "age".into()]).unwrap();
    assert_eq!(table.rows.len(), 944);
    assert!(table.rows.iter().flatten().all(|cell| cell.number().is_some()));
    let dole = table.rows.iter().filter(|row| row[0] == number(1.0)).count();
    assert_eq!(dole, 393);
}

fn base() -> Table {
    let rows = [(5.0, "a"), (1.0, "b"), (9.0, "c"), (1.0, "d")];
    let rows = rows.map(|(x, name)| vec![number(x), text(name)]).to_vec();
    Table::new(vec!["x".into(), "name".into()], rows).unwrap()
}

fn changes(pairs: &[Pair<Dataset>], relation: Relation) -> Vec<String> {
    for pair in pairs {
        assert_eq!(pair.d, Dataset::Table(base()));
        relation.check(&pair.d, &pair.d_prime).unwrap();
    }
    pairs.iter().map(|pair| pair.d.difference_words(&pair.d_prime)).collect()
}

#[test]
fn rows_are_removed_added_and_replaced() {
    let removed = pairs::remove(&base(), 2).unwrap();
    assert_eq!(removed.name, "row 2 removed");
    assert_eq!(changes(&[removed], Relation::AddRemove), ["row 2 removed: x 9, name \"c\""]);
    let added = pairs::add(&base(), [("name", text("e")), ("x", number(2.0))]).unwrap();
    assert_eq!(changes(&[added], Relation::AddRemove), ["row 4 added: x 2, name \"e\""]);
    let replaced = pairs::replace(&base(), 1, [("x", number(7.0))]).unwrap();
    assert_eq!(changes(&[replaced], Relation::Substitution), ["row 1: x 1 → 7"]);
}

#[test]
fn extremes_are_the_first_rows_with_the_least_and_the_greatest_value() {
    let gone = pairs::extremes(&base(), "x", &Relation::AddRemove).unwrap();
    assert_eq!(
        changes(&gone, Relation::AddRemove),
        ["row 1 removed: x 1, name \"b\"", "row 2 removed: x 9, name \"c\""]
    );
    let swapped = pairs::extremes(&base(), "x", &Relation::Substitution).unwrap();
    assert_eq!(
        changes(&swapped, Relation::Substitution),
        ["row 1: x 1 → 9, name \"b\" → \"c\"", "row 2: x 9 → 1, name \"c\" → \"b\""]
    );
}

#[test]
fn random_rows_are_distinct_and_follow_from_the_seed() {
    for relation in [Relation::AddRemove, Relation::Substitution] {
        let some = pairs::random(&base(), &relation, 4, 11).unwrap();
        assert_eq!(some, pairs::random(&base(), &relation, 4, 11).unwrap());
        let mut rows: Vec<_> =
            some.iter().map(|p| p.name.split(' ').nth(1).unwrap().to_owned()).collect();
        rows.sort();
        assert_eq!(rows, ["0", "1", "2", "3"]);
        changes(&some, relation.clone());
        let others = (0..20).map(|seed| pairs::random(&base(), &relation, 1, seed).unwrap());
        assert!(others.collect::<Vec<_>>().windows(2).any(|two| two[0] != two[1]));
    }
    // Two rows that differ among many that do not: the search finds them.
    let mut rows = vec![vec![number(0.0)]; 500];
    rows.push(vec![number(1.0)]);
    let table = Table::new(vec!["x".into()], rows).unwrap();
    for pair in pairs::random(&table, &Relation::Substitution, 501, 3).unwrap() {
        Relation::Substitution.check(&pair.d, &pair.d_prime).unwrap();
    }
}

#[test]
fn pairs_that_cannot_be_made_are_refused() {
    let alike = Table::new(vec!["x".into()], vec![vec![number(1.0)]; 3]).unwrap();
    let empty = Table::new(vec!["x".into()], Vec::new()).unwrap();
    let cases = [
        (pairs::remove(&base(), 4).unwrap_err(), "there is no row 4"),
        (pairs::replace(&base(), 9, []).unwrap_err(), "the table has 4"),
        (pairs::replace(&base(), 0, [("y", number(1.0))]).unwrap_err(), "no column `y`"),
        (pairs::add(&base(), [("x", number(1.0))]).unwrap_err(), "no `name`"),
        (
            pairs::extremes(&base(), "name", &Relation::AddRemove).unwrap_err(),
            "column `name`, row 0: \"a\" is not a number",
        ),
        (pairs::extremes(&base(), "y", &Relation::AddRemove).unwrap_err(), "has x, name"),
        (pairs::extremes(&empty, "x", &Relation::AddRemove).unwrap_err(), "has 0"),
        (
            pairs::extremes(&alike, "x", &Relation::Substitution).unwrap_err(),
            "all rows are identical",
        ),
        (pairs::extremes(&base(), "x", &Relation::Histogram).unwrap_err(), "not under histogram"),
        (pairs::random(&base(), &Relation::AddRemove, 5, 1).unwrap_err(), "choose 5 different"),
        (pairs::random(&base(), &Relation::AddRemove, 0, 1).unwrap_err(), "choose 0"),
        (
            pairs::random(&alike, &Relation::Substitution, 1, 1).unwrap_err(),
            "all rows are identical",
        ),
        (pairs::random(&base(), &Relation::L1(1.0), 1, 1).unwrap_err(), "not under l1"),
    ];
    for (error, words) in cases {
        let message = error.to_string();
        assert!(message.contains(words), "`{message}` does not say `{words}`");
    }
}

#[test]
fn patterns_are_those_of_the_literature() {
    let vectors = |name: &str, size: usize| -> Vec<(Vec<f64>, Vec<f64>)> {
        let pairs = pattern::named(name, size).unwrap();
        let numbers = |d: &Dataset| d.numbers().unwrap().to_vec();
        pairs.iter().map(|pair| (numbers(&pair.d), numbers(&pair.d_prime))).collect()
    };
    let ones = || vec![1.0; 5];
    let from_ones = |d_prime: [f64; 5]| (ones(), d_prime.to_vec());
    let all = [
        from_ones([0.0, 1.0, 1.0, 1.0, 1.0]),
        from_ones([2.0, 1.0, 1.0, 1.0, 1.0]),
        from_ones([2.0, 0.0, 0.0, 0.0, 0.0]),
        from_ones([0.0, 2.0, 2.0, 2.0, 2.0]),
        from_ones([2.0, 2.0, 0.0, 0.0, 0.0]),
        from_ones([2.0; 5]),
        from_ones([0.0; 5]),
        (vec![1.0, 1.0, 0.0, 0.0, 0.0], vec![0.0, 0.0, 1.0, 1.0, 1.0]),
    ];
    assert_eq!(vectors("last-up-rest-down", 5), [from_ones([0.0, 0.0, 0.0, 0.0, 2.0])]);
    assert_eq!(vectors("last-down-rest-up", 5), [from_ones([2.0, 2.0, 2.0, 2.0, 0.0])]);
    assert_eq!(vectors("all", 5), all);
    assert_eq!(vectors("one", 5), all[..2]);
    assert_eq!(vectors("half-half", 5), all[4..5]);
    assert_eq!(pattern::named("one-up-rest-down", 5).unwrap()[0].name, "one up rest down of 5");
}

#[test]
fn every_pattern_is_a_pair_of_neighbors_and_has_a_name() {
    for name in pattern::NAMES {
        for size in [1, 2, 5, 10] {
            for pair in pattern::named(name, size).unwrap() {
                Relation::Linf(1.0).check(&pair.d, &pair.d_prime).unwrap();
            }
        }
    }
    for pair in pattern::named("one", 7).unwrap() {
        Relation::Histogram.check(&pair.d, &pair.d_prime).unwrap();
    }
    let unknown = pattern::named("two-up", 5).unwrap_err().to_string();
    assert!(unknown.contains("`two-up`") && unknown.contains("half-half"), "{unknown}");
    assert!(pattern::named("all", 0).unwrap_err().to_string().contains("at least 1"));
}

#[test]
fn an_empty_line_of_one_column_is_an_empty_cell_and_large_integers_lose_no_digit() {
    let table = read(b"a\n1\n\n2\n", &["a"]).unwrap();
    assert_eq!(
        table.rows,
        [[Cell::Whole(1)], [text("")], [Cell::Whole(2)]].map(|row| row.to_vec())
    );
    assert_eq!(read(b"\na,b\n\n1,2\n\n", &["a"]).unwrap().rows.len(), 1);
    let kept = read(b"a\n9223372036854775808\n", &["a"]).unwrap();
    assert_eq!(kept.rows, [[number(9_223_372_036_854_775_808.0)]]);
    for large in ["9223372036854775809", "-9223372036854775809", "18446744073709551615"] {
        let why = read(format!("a\n1\n{large}\n").as_bytes(), &["a"]).unwrap_err();
        assert!(why.contains("people.csv, line 3: ") && why.contains("beyond 64 bits"), "{why}");
        let cell: Result<Cell, _> = serde_json::from_str(large);
        assert!(large.starts_with('-') || cell.is_err(), "{large}");
    }
}

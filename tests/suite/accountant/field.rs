//! The events of practice against values of their pairs of laws, computed apart, and against bounds that other tools
//! assert in their own tests (tests/data/field.py).

use plaudit::accountant::{Bracket, Composition, Method};

/// Widest bracket around an exact value, and distance of an upper end that has a formula from it.
const NARROW: f64 = 1e-6;

struct Row {
    composition: String,
    method: Method,
    question: String,
    value: f64,
    kind: String,
    within: f64,
}

fn table() -> Vec<Row> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/field.csv");
    let mut reader = csv::Reader::from_path(file).unwrap();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        Row {
            composition: record[0].to_owned(),
            method: Method::of_name(&record[1]).unwrap(),
            question: record[2].to_owned(),
            value: record[3].parse().unwrap(),
            kind: record[4].to_owned(),
            within: record[5].parse().unwrap(),
        }
    });
    rows.collect()
}

fn answer(row: &Row) -> Bracket {
    let composition: Composition = row.composition.parse().unwrap();
    let (what, at) = row.question.split_once('@').unwrap_or((&row.question, "0"));
    let at: f64 = at.parse().unwrap();
    let curve = || composition.curve_by(row.method).unwrap();
    match what {
        "epsilon" => composition.epsilon_at(at, row.method).unwrap(),
        "delta" => composition.delta_at(at, row.method).unwrap(),
        "tpr" => curve().true_positives_at(at),
        _ => curve().mu_between(0.005, 0.5),
    }
}

fn each(kind: &str, check: impl Fn(&Row, Bracket, &str)) {
    let table = table();
    let rows: Vec<&Row> = table.iter().filter(|row| row.kind == kind).collect();
    assert!(rows.len() >= 4, "only {} rows of {kind}", rows.len());
    for row in rows {
        let bracket = answer(row);
        let shown = format!("{} {}: {} {bracket:?}", row.composition, row.question, row.value);
        check(row, bracket, &shown);
    }
}

#[test]
fn values_computed_apart_lie_in_narrow_brackets() {
    each("exact", |row, Bracket { lower, upper }, shown| {
        // They have twelve digits at least.
        let read = 1e-11 * row.value;
        assert!(lower <= row.value + read && row.value - read <= upper, "{shown}");
        assert!(upper - lower <= row.within.max(NARROW), "{shown}");
    });
}

#[test]
fn upper_ends_that_have_a_formula_equal_it() {
    each("upper", |row, Bracket { lower, upper }, shown| {
        assert!(lower <= row.value, "{shown}");
        assert!((upper - row.value).abs() <= row.within.max(NARROW), "{shown}");
    });
}

/// Of one pair of datasets, where no dataset is known to lose more.
#[test]
fn lower_ends_of_a_pair_of_datasets_are_its_values() {
    each("lower", |row, Bracket { lower, upper }, shown| {
        assert!(lower <= row.value && row.value <= upper, "{shown}");
        assert!(row.value - lower <= row.within.max(NARROW) * row.value.min(1.0), "{shown}");
    });
}

#[test]
fn bounds_that_other_tools_assert_are_not_below_ours() {
    each("peer", |row, Bracket { lower, upper }, shown| {
        assert!(lower <= row.value + row.within, "{shown}");
        assert!(upper <= row.value + row.within, "{shown}");
    });
}

/// The mean loss of permute-and-flip is at most that of Laplace noise, 1/e for ε = 1: the loss of many uses is their
/// number times that.
#[test]
fn permute_and_flip_loses_what_laplace_noise_does_on_average() {
    let composition: Composition = "permute-and-flip(epsilon=1) x 1e6".parse().unwrap();
    let epsilon = composition.epsilon_at(0.5, Method::Pld).unwrap();
    let mean = 1e-6 * epsilon.upper;
    assert!((mean - f64::exp(-1.0)).abs() < 1e-3, "{epsilon:?}");
    assert!(epsilon.lower <= epsilon.upper);
}

/// No method is below the lower end, nor is that infinite, where a row is in several steps or ε is huge.
#[test]
fn no_method_is_below_the_bracket_of_a_new_event() {
    for expression in [
        "gaussian(sigma=5) x 2 @ allocation(steps=10, picks=3)",
        "gaussian(sigma=1) @ allocation(steps=2, picks=2)",
        "report-noisy-max(epsilon=1e4) x 3",
    ] {
        let composition: Composition = expression.parse().unwrap();
        let pld = composition.epsilon_at(1e-5, Method::Pld).unwrap();
        assert!(0.0 < pld.lower && pld.lower <= pld.upper, "{expression}: {pld:?}");
        for method in Method::ALL {
            let Ok(other) = composition.epsilon_at(1e-5, method) else { continue };
            assert!(pld.lower <= other.upper, "{expression} {}: {pld:?} {other:?}", method.name());
        }
    }
}

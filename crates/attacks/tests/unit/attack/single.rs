//! Guesses from small tables, found by hand, and comparisons whose result is known.

use super::*;
use plaudit_core::random::Stream;
use rand::SeedableRng;

fn released(columns: &[(&str, &[&str])]) -> (Schema, CodedTable) {
    let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
    Schema::of(columns.iter().map(|(name, of)| ((*name).to_owned(), cells(of))).collect()).unwrap()
}

fn words(schema: &Schema, table: &CodedTable, conditions: usize) -> Vec<String> {
    let mut random = Stream::seed_from_u64(1);
    let found = guesses(schema, table, (100, conditions), &mut random);
    let mut words: Vec<String> = found.iter().map(|guess| guess.words(schema)).collect();
    words.sort();
    words
}

const AGES: (&str, &[&str]) = ("age", &["30", "", "91", "30", "7", "40"]);
const JOBS: (&str, &[&str]) = ("job", &["mine", "shop", "shop", "", "", "farm"]);

#[test]
fn one_condition_is_a_rare_value_an_extreme_or_an_empty_cell() {
    let (schema, table) = released(&[AGES, JOBS]);
    let all = ["age <= 7", "age = 40", "age >= 91", "age is empty", "job = farm", "job = mine"];
    assert_eq!(words(&schema, &table, 1), all);
}

#[test]
fn several_conditions_are_those_of_one_released_row() {
    let (schema, table) = released(&[AGES, JOBS]);
    // Ages above the median of 30, with 40, are at least. At most 30 and no job: two rows.
    let all = [
        "age <= 30 and job = mine",
        "age <= 7 and job is empty",
        "age >= 40 and job = farm",
        "age >= 91 and job = shop",
        "age is empty and job = shop",
    ];
    let found = words(&schema, &table, 2);
    assert_eq!(found, all);
}

#[test]
fn a_word_where_the_release_has_numbers_is_refused() {
    let (schema, _) = released(&[AGES, JOBS]);
    let error = schema.table([["12", "farm"], ["old", "farm"]]).unwrap_err();
    assert!(error.contains("`age` is `old`"), "{error}");
    assert!(schema.table([["12"]]).is_err());
    // Unknown words are equal to none, and an empty cell is missing.
    let table = schema.table([["", "unknown"]]).unwrap();
    let of = |condition| Guess { conditions: vec![(1, condition)] }.is_of_one(&table);
    assert!(!of(Condition::Missing) && !(0..3).any(|code| of(Condition::Equals(code.into()))));
    assert!(Guess { conditions: vec![(0, Condition::Missing)] }.is_of_one(&table));
}

/// Each person has a number: a copy singles out everybody, and nobody else.
#[test]
fn a_copy_singles_out_each_row_because_of_the_release() {
    let numbers =
        |from: u32| -> Vec<String> { (from..from + 400).map(|n| format!("p{n}")).collect() };
    let (schema, table) = Schema::of(vec![("name".into(), numbers(0))]).unwrap();
    let control = schema.table(numbers(400).into_iter().map(|name| [name])).unwrap();
    let found = single_out(&schema, [&table, &table], Some(&control), (1_000, 1), 0.05, 0).unwrap();
    assert_eq!((found.guessed.right, found.guessed.of), (400, 400));
    let compared = found.compared.unwrap();
    assert_eq!(
        (compared.original.right, compared.original.of, compared.control.right),
        (400, 400, 0)
    );
    assert_eq!(compared.excess.estimate, 1.0);
    // Both ends are 1 − 0.025^(1/400) from certain.
    let end = 1.0 - 0.025_f64.powf(1.0 / 400.0);
    let lower = (1.0 - 2.0 * end) / (1.0 - end);
    assert!((compared.excess.lower - lower).abs() < 1e-9, "{}", compared.excess.lower);
    // (399/400)^399.
    assert!((found.chance - (399.0_f64 / 400.0).powi(399)).abs() < 1e-12, "{}", found.chance);
    // The copy and the control in each other's place: nothing is certified.
    let other = single_out(&schema, [&table, &control], Some(&table), (1_000, 1), 0.05, 0).unwrap();
    assert_eq!(other.compared.unwrap().excess, crate::attack::Excess { estimate: 0.0, lower: 0.0 });
}

/// Compared guesses concern different people: of nested ones, one is left.
#[test]
fn of_guesses_about_the_same_people_one_is_compared() {
    let (schema, table) = released(&[("age", &["1", "2", "3", "4"])]);
    let guess = |least: f64| Guess { conditions: vec![(0, Condition::AtLeast(least))] };
    let far = schema.table([["-1"], ["-2"], ["-3"], ["-4"]]).unwrap();
    let mut random = Stream::seed_from_u64(1);
    let frozen = [guess(4.0), guess(3.5), guess(2.5), guess(9.0)];
    let compared = compare(&frozen, [&table, &far], 0.05, &mut random);
    // The one that no row satisfies concerns nobody, and is wrong about both.
    assert_eq!(compared.each, [[true, false], [false, false]]);
}

#[test]
fn no_guess_is_an_answer() {
    let (schema, table) = released(&[("sex", &["f", "f", "m", "m"])]);
    assert!(single_out(&schema, [&table, &table], None, (10, 1), 0.05, 0).is_none());
}

/// Markov's inequality, where binomial tails do not bound those of unequal probabilities.
#[test]
fn the_first_success_is_bounded_by_the_mean() {
    let one = Guessed::of(1, 100, 0.05);
    assert!(one.share.lower <= 0.025 / 100.0, "{}", one.share.lower);
    let all_but_one = Guessed::of(99, 100, 0.05);
    assert!(all_but_one.share.upper >= 1.0 - 0.025 / 100.0);
}

//! Attacks on releases that know nothing of who is in the original: false alarms are as rare as they say.
//!
//! People are drawn, half of them are the original and the others the control, by chance; the release has half of all
//! people, by chance as well: conditions are about people who exist, and as often about the control. Of n runs those with an
//! excess above 0 are at most Bin(n, α); the limit is its upper 0.001 quantile.

use plaudit::Stream;
use plaudit::attack::{CodedTable, Guessing, Schema, infer, single_out};
use plaudit::inference::binomial;
use plaudit::rand::seq::SliceRandom;
use plaudit::rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const ALPHA: f64 = 0.05;
/// Rows of each table.
const ROWS: usize = 200;

type Person = Vec<String>;

/// Columns with few values, columns with many, and a coarse number.
fn person(random: &mut Stream) -> Person {
    let job = random.random_range(0..6_u32);
    vec![
        random.random_range(0..90_u32).to_string(),
        format!("job {job}"),
        random.random_range(0..10_000_u32).to_string(),
        ["f", "m", ""][random.random_range(0..3)].to_owned(),
    ]
}

/// One in twenty is like nobody in any column, so that many guesses are about the same few people.
fn rare_person(random: &mut Stream) -> Person {
    let is_rare = random.random_range(0..20_u32) == 0;
    let cell = |_| if is_rare { format!("p{}", random.random::<u64>()) } else { "common".into() };
    (0..8).map(cell).collect()
}

/// The schema, and the release, the original and the control.
fn tables(seed: u64, person: fn(&mut Stream) -> Person) -> (Schema, [CodedTable; 3]) {
    let mut random = Stream::seed_from_u64(seed);
    let mut people: Vec<Person> = (0..2 * ROWS).map(|_| person(&mut random)).collect();
    people.shuffle(&mut random);
    let cells = |place: usize| people[..ROWS].iter().map(|row| row[place].clone()).collect();
    let columns =
        (0..people[0].len()).map(|place| (format!("column {place}"), cells(place))).collect();
    let (schema, released) = Schema::of(columns).unwrap();
    people.shuffle(&mut random);
    let [original, control] =
        [&people[..ROWS], &people[ROWS..]].map(|rows| schema.table(rows).unwrap());
    (schema, [released, original, control])
}

fn assert_rarely_alarmed(runs: u64, what: &str, excess: impl Fn(u64) -> f64 + Sync) {
    let alarms = (0..runs).into_par_iter().filter(|seed| excess(*seed) > 0.0).count() as u64;
    let limit = binomial::upper_quantile(1e-3, runs, ALPHA);
    println!("{what}: {alarms} of {runs} runs without an excess certify one, at most {limit} may");
    assert!(alarms <= limit, "{what}: {alarms} > {limit}");
}

fn singled_out(runs: u64) {
    type Draw = fn(&mut Stream) -> Person;
    let people: [(&str, Draw, usize); 4] = [
        ("people", person, 1),
        ("people", person, 2),
        ("people", person, 3),
        ("a few rare people", rare_person, 2),
    ];
    for (who, draw, conditions) in people {
        let excess = |seed| {
            let (schema, [released, original, control]) = tables(seed, draw);
            let tables = [&released, &original];
            let found = single_out(&schema, tables, Some(&control), (300, conditions), ALPHA, seed);
            found.map_or(0.0, |found| found.compared.unwrap().excess.lower)
        };
        assert_rarely_alarmed(runs, &format!("{who}, {conditions} conditions"), excess);
    }
}

/// A word and a number, by one row and by several.
fn inferred(runs: u64) {
    for (secret, neighbors) in [(1, 1), (1, 5), (0, 1)] {
        let known = (0..4).filter(|place| *place != secret).collect();
        let how = Guessing { known, secret, neighbors, tolerance: 0.2 };
        let excess = |seed| {
            let (schema, [released, original, control]) = tables(seed, person);
            let found = infer(&schema, [&released, &original], Some(&control), &how, ALPHA);
            found.unwrap().excess.unwrap().lower
        };
        assert_rarely_alarmed(runs, &format!("column {secret} by {neighbors}"), excess);
    }
}

#[test]
fn nothing_is_inferred_because_of_a_release_that_knows_nothing() {
    inferred(200);
}

#[test]
#[ignore = "takes several seconds"]
fn nothing_is_inferred_in_a_thousand_runs() {
    inferred(1_000);
}

#[test]
fn nobody_is_singled_out_because_of_a_release_that_knows_nothing() {
    singled_out(200);
}

#[test]
#[ignore = "takes several seconds"]
fn nobody_is_singled_out_in_a_thousand_runs() {
    singled_out(1_000);
}

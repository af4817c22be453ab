//! Three tables of people who do not exist, for `plaudit attack single-out` and `infer`: those a release was made from,
//! as many others, and the release.
//!
//! ```text
//! cargo run --release --example synthetic FOLDER 1000
//! ```
//!
//! The number is that of the rows of each table. One in five released rows is a copy of a row of the original; the
//! others are new people of the same population, so that they tell nothing about the original.

use plaudit::Stream;
use plaudit::rand::{RngExt, SeedableRng};
use std::io::{BufWriter, Result, Write};

/// One person: the diagnosis depends on year of birth and job, as in any population.
fn person(random: &mut Stream) -> String {
    const JOBS: [&str; 5] = ["office", "mine", "school", "farm", "shop"];
    const DIAGNOSES: [&str; 5] = ["diabetes", "lungs", "flu", "fracture", "asthma"];
    let (zip, year) = (random.random_range(0..20), random.random_range(1930..2008));
    let sex = ["f", "m"][random.random_range(0..2)];
    let job = random.random_range(0..5);
    let income = 12_000 + 100 * (random.random_range(0..200) + random.random_range(0..100) * job);
    let diagnosis = match random.random_range(0..10) {
        0..6 if year < 1970 => job,
        _ => random.random_range(0..5),
    };
    let (job, diagnosis) = (JOBS[job], DIAGNOSES[diagnosis]);
    format!("{},{year},{sex},{job},{income},{diagnosis}", 10_000 + zip)
}

/// Writes the original, the control and the release.
pub fn write(rows: u32, [original, control, released]: [&mut dyn Write; 3]) -> Result<()> {
    let mut random = Stream::seed_from_u64(2_026);
    let people: Vec<String> = (0..rows).map(|_| person(&mut random)).collect();
    let head = "zip,year,sex,job,income,diagnosis";
    [&mut *original, &mut *control, &mut *released]
        .into_iter()
        .try_for_each(|table| writeln!(table, "{head}"))?;
    for (row, own) in people.iter().enumerate() {
        writeln!(original, "{own}")?;
        writeln!(control, "{}", person(&mut random))?;
        let new = person(&mut random);
        writeln!(released, "{}", if row % 5 == 0 { own } else { &new })?;
    }
    Ok(())
}

#[allow(dead_code, reason = "tests take the tables alone")]
fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().expect("a folder is given"));
    let rows = arguments.next().map_or(1_000, |word| word.parse().expect("a whole number"));
    let file = |name: &str| std::fs::File::create(folder.join(name)).map(BufWriter::new);
    let (mut original, mut control) = (file("original.csv")?, file("control.csv")?);
    let mut released = file("released.csv")?;
    write(rows, [&mut original, &mut control, &mut released])?;
    [&mut original, &mut control, &mut released].into_iter().try_for_each(Write::flush)
}

//! Two tables of people who do not exist, for `plaudit attack link`: patients without names, and a list of voters.
//!
//! ```text
//! cargo run --release --example voters FOLDER 1000
//! ```
//!
//! The number is that of the patients. Of 10 patients 7 are on the list, beside as many others; 1 of 20 of them has
//! moved since, to any other ZIP code.

use plaudit::Stream;
use plaudit::rand::{RngExt, SeedableRng};
use std::io::{BufWriter, Result, Write};

/// Writes the patients and the voters.
pub fn write(patients: u32, released: &mut impl Write, known: &mut impl Write) -> Result<()> {
    let mut random = Stream::seed_from_u64(2_026);
    // About 2 500 people a code, as towns have.
    let codes = (patients / 1_250).max(20);
    writeln!(released, "id,zip,birth,year,sex,diagnosis")?;
    writeln!(known, "name,id,zip,birth,year,sex")?;
    for id in 1..=2 * patients {
        let mut zip = random.random_range(0..codes);
        let year = random.random_range(1930..2008);
        let (month, day) = (random.random_range(1..13), random.random_range(1..29));
        let person = format!("{year}-{month:02}-{day:02},{year},{}", ["f", "m"][id as usize % 2]);
        if id <= patients {
            let diagnosis = ["asthma", "diabetes", "fracture", "flu"][random.random_range(0..4)];
            writeln!(released, "{id},{:05},{person},{diagnosis}", 10_000 + zip)?;
        }
        if random.random_range(0..10) < 7 {
            if random.random_range(0..20) == 0 {
                zip = random.random_range(0..codes);
            }
            writeln!(known, "Voter {id},{id},{:05},{person}", 10_000 + zip)?;
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "tests take the tables alone")]
fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().expect("a folder is given"));
    let patients = arguments.next().map_or(1_000, |word| word.parse().expect("a whole number"));
    let file = |name: &str| std::fs::File::create(folder.join(name)).map(BufWriter::new);
    let (mut released, mut known) = (file("released.csv")?, file("voters.csv")?);
    write(patients, &mut released, &mut known)?;
    released.flush()?;
    known.flush()
}

//! A mechanism of your own, written against choices: audited on a pair, and proved on a domain.
//!
//! `cargo run --release --example choices`

use plaudit::verify::Domain;
use plaudit::{Audit, Choices, Claim, Relation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A count of ages from 18 up, with noise that is cut off: outcomes are -3 to 5 for two people.
    let adults = |ages: &Vec<f64>, choices: &mut Choices<'_>| {
        let count = ages.iter().filter(|age| **age >= 18.0).count() as i64;
        let mut noise = 0;
        // Heads of probability 1/3 in a row, three at most.
        while noise < 3 && choices.chance(1, 3) {
            noise += 1;
        }
        if choices.chance(1, 2) { count + noise } else { count - noise }
    };
    let people = (0..=2u32).flat_map(|size| {
        let ages = move |number: u32| {
            (0..size).map(|at| if number >> at & 1 == 1 { 40.0 } else { 9.0 }).collect()
        };
        (0..1 << size).map(ages)
    });
    // The mechanism sees no more of an age than whether it is below 18.
    let all = Domain::of("up to two people", people.collect(), &Relation::AddRemove)?.exhaustive();
    // Geometric noise looks like ln 3. It is not: where it is cut off, outcomes are impossible.
    let report = Audit::of_choices("adults", Claim::pure(3f64.ln())?, adults)
        .neighbors(Relation::AddRemove, vec![9.0], vec![9.0, 40.0])?
        .verify_on(all)
        .trials(100_000)
        .report()?;
    let finding = &report.audits[0];
    println!("{}: {}", finding.verdict.word(), finding.reason());
    if let Some(worst) = finding.proof.as_ref().and_then(|proof| proof.worst.as_ref()) {
        println!("worst: {:?} on {} and {}", worst.outcome, worst.d, worst.d_prime);
    }
    Ok(())
}

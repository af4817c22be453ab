//! Audits a closure: a count with Laplace noise of scale 1, claimed to be 0.5-DP.
//!
//! `cargo run --release --example closure`

use plaudit::{Audit, Claim, Relation, Stream, laplace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = |ages: &Vec<f64>, random: &mut Stream| {
        ages.iter().filter(|age| **age >= 18.0).count() as f64 + laplace(random, 1.0)
    };
    let report = Audit::of("adults", Claim::pure(0.5)?, count)
        .neighbors(Relation::AddRemove, vec![17.0, 34.0], vec![17.0, 34.0, 71.0])?
        .report()?;
    let finding = &report.audits[0];
    println!("{}: {}\n{}", finding.verdict.word(), finding.reason(), finding.witness.description);
    Ok(())
}

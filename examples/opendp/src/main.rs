//! Audits mechanisms of the opendp crate, in process. See README.md.

use opendp::core::Measurement;
use opendp::domains::AtomDomain;
use opendp::measurements::{make_laplace, make_randomized_response_bool};
use opendp::measures::MaxDivergence;
use opendp::metrics::{AbsoluteDistance, DiscreteDistance};
use plaudit::{Audit, Claim, Stream, Verdict};
use std::error::Error;

const TRIALS: u64 = 200_000;

type Laplace = Measurement<AtomDomain<f64>, AbsoluteDistance<f64>, MaxDivergence, f64>;
type RandomizedResponse = Measurement<AtomDomain<bool>, DiscreteDistance, MaxDivergence, bool>;

// Measurements of opendp stay on the thread that made them, and plaudit runs several.
thread_local! {
    static LAPLACE: Laplace =
        make_laplace(AtomDomain::new_non_nan(), AbsoluteDistance::default(), 1.0, None)
            .expect("a scale that is possible");
    static RANDOMIZED_RESPONSE: RandomizedResponse =
        make_randomized_response_bool(0.75, false).expect("a probability");
}

// opendp draws from a generator of its own, and plaudit's stream goes unused. A panic is an outcome.

fn release(x: &f64, _: &mut Stream) -> f64 {
    LAPLACE.with(|laplace| laplace.invoke(x).expect("an answer"))
}

fn answer(x: &bool, _: &mut Stream) -> bool {
    RANDOMIZED_RESPONSE.with(|response| response.invoke(x).expect("an answer"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let tell = 0.75_f64 / 0.25;
    let reports = [
        Audit::of("laplace", Claim::pure(1.0)?, release).pair(0.0, 1.0).trials(TRIALS).report()?,
        Audit::of("randomized-response", Claim::pure(tell.ln())?, answer)
            .pair(false, true)
            .trials(TRIALS)
            .report()?,
        // A claim that is wrong: the scale is that of epsilon = 1.
        Audit::of("laplace-claimed-at-half", Claim::pure(0.5)?, release)
            .pair(0.0, 1.0)
            .trials(TRIALS)
            .report()?,
    ];
    for (report, expected) in
        reports.iter().zip([Verdict::NotRefuted, Verdict::NotRefuted, Verdict::Violated])
    {
        let finding = &report.audits[0];
        println!(
            "{:<24} {:<12} {}: epsilon is at least {:.4}; {:.1} s",
            finding.name,
            finding.verdict.word(),
            finding.claim.words,
            finding.epsilon_lower,
            finding.wall_s,
        );
        if finding.verdict != expected {
            return Err(format!("{}: {}", finding.name, finding.reason()).into());
        }
    }
    Ok(())
}

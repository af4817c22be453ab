//! Unit tests of `audit::judge::causes`.

use super::*;
use crate::witness::{Atom, Shape, Statistic};
use plaudit_core::inference::Corner;

/// The causes of a witness that says D on the first bin and D' on the second.
fn of(scorer: Scorer, [d, d_prime]: [[u64; 2]; 2], missing_delta: bool) -> Vec<Cause> {
    let mut says = vec![Guess::Abstain; scorer.bins()];
    (says[0], says[1]) = (Guess::D, Guess::DPrime);
    let mut tally = Tally::new(scorer.bins());
    tally.d[..2].copy_from_slice(&d);
    tally.d_prime[..2].copy_from_slice(&d_prime);
    let order = (0..says.len()).collect();
    let witness = Witness { scorer, says, corner: Corner { own: 0.5, other: 0.5 }, order };
    of_counts(&witness, &tally, missing_delta)
}

fn half_lines() -> Scorer {
    Scorer::Thresholds { statistic: Statistic::Value, edges: vec![1.0], shapes: vec![] }
}

#[test]
fn causes_follow_from_how_a_violation_shows() {
    let both = [[90, 10], [10, 90]];
    let noise = [Cause::NoiseScale, Cause::Accounting, Cause::ReusedNoise];
    assert_eq!(of(half_lines(), both, false), noise);
    // One dataset alone shows what is below 1.
    let one = [[100, 0], [50, 50]];
    let range = [Cause::OutputRange, Cause::NoiseSupport];
    assert_eq!(of(half_lines(), one, false), range);
    assert_eq!(of(half_lines(), one, true), [&range[..], &[Cause::MissingDelta]].concat());
    let remainder = Statistic::Remainder { of: Box::new(Statistic::Value), divisor: 0.1 };
    let bits = Scorer::Thresholds { statistic: remainder, edges: vec![0.05], shapes: vec![] };
    assert_eq!(of(bits, both, false), [Cause::LowBits]);
    let shapes = vec![Shape::Number, Shape::Failure("empty".into())];
    assert_eq!(of(Scorer::Shape { shapes }, both, false), [Cause::Errors]);
    let atoms = vec![Atom::Text("a".into()), Atom::Failure("b".into())];
    assert_eq!(of(Scorer::Atoms { atoms }, both, false), [Cause::Errors]);
}

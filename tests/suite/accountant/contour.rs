//! Poisson-subsampled compositions at deltas down to 1e-30, where no other accountant is a reference, against
//! contour integration (tests/data/contour.py): the truth lies in the bracket, and the bracket is narrow.

use plaudit::accountant::{Bracket, Composition, Method};

#[test]
fn contour_integrals_lie_in_narrow_brackets() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/contour.csv");
    let mut reader = csv::Reader::from_path(file).unwrap();
    let mut rows = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let (sigma, rate, uses) = (&record[0], &record[1], &record[2]);
        let [epsilon, truth, within]: [f64; 3] =
            [&record[3], &record[4], &record[5]].map(|n| n.parse().unwrap());
        let written = format!("gaussian(sigma={sigma}) x {uses} @ poisson({rate})");
        let composition: Composition = written.parse().unwrap();
        let Bracket { lower, upper } = composition.delta_at(epsilon, Method::Pld).unwrap();
        let at = format!("{written} at {epsilon}: [{lower:e}, {upper:e}], truth e^{truth}");
        assert!(lower.ln() <= truth + within && truth - within <= upper.ln(), "{at}");
        let there = composition.epsilon_at(truth.exp(), Method::Pld).unwrap();
        assert!(there.upper - there.lower <= 1e-4 * epsilon, "{at}: {there:?}");
        rows += 1;
    }
    assert!(rows >= 12, "{rows}");
}

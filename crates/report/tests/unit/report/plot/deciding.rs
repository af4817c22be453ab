use super::*;
use plaudit_core::claim::Claim;
use plaudit_core::finding::{BrokenPoint, Evidence, Report};
use plaudit_core::tally::Guess;

/// A violation that every rule leaves to the profile, seen in counts of both datasets.
fn violated() -> Finding {
    let report: Report = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/sample-report.json"
    )))
    .expect("the sample is a report");
    let is_counted = |finding: &&Finding| {
        finding.verdict == Verdict::Violated && finding.p_value <= finding.alpha
    };
    let mut finding = report.audits.iter().find(is_counted).expect("one is violated").clone();
    finding.claim.claim = Claim::approximate(1.0, 1e-5).expect("a claim");
    finding.evidence = Evidence { on_d: [90, 5], on_d_prime: [6, 80], ..Evidence::default() };
    finding.broken_point = Some(BrokenPoint { epsilon: 1.0, delta_claim: 0.1, delta_lower: 0.2 });
    finding
}

#[test]
fn the_profile_decides_where_a_point_of_it_is_broken() {
    assert_eq!(deciding(&violated()), PlotKind::Profile);
}

#[test]
fn outcomes_decide_where_one_dataset_alone_has_them_or_no_point_is_broken() {
    let mut one_sided = violated();
    one_sided.evidence.on_d = [90, 0];
    one_sided.evidence.on_d_prime = [0, 80];
    assert_eq!(deciding(&one_sided), PlotKind::Outcomes);
    // What only a proof shows is not in the counts.
    one_sided.p_value = 1.0;
    assert_eq!(deciding(&one_sided), PlotKind::Profile);
    let mut unbroken = violated();
    (unbroken.broken_point, unbroken.proof) = (None, None);
    unbroken.profile.iter_mut().for_each(|point| point.delta_lower = 0.0);
    assert_eq!(deciding(&unbroken), PlotKind::Outcomes);
}

#[test]
fn the_tradeoff_curve_decides_claims_of_one_where_it_shows_the_violation() {
    let mut finding = violated();
    finding.tally.d = vec![900, 100];
    finding.tally.d_prime = vec![100, 900];
    finding.witness.bins.truncate(2);
    finding.witness.bins[0].says = Guess::D;
    finding.witness.bins[1].says = Guess::DPrime;
    let straight = vec![(0.0, 0.9), (0.9, 0.0), (1.0, 0.0)];
    for claim in [Claim::gaussian(0.5), Claim::tradeoff(straight)] {
        finding.claim.claim = claim.expect("a claim");
        assert_eq!(deciding(&finding), PlotKind::Tradeoff);
    }
    finding.claim.claim = Claim::gaussian(9.0).expect("a claim");
    assert_eq!(deciding(&finding), PlotKind::Profile);
}

#[test]
fn the_profile_decides_what_is_not_violated() {
    for verdict in [Verdict::Verified, Verdict::Bounded, Verdict::NotRefuted, Verdict::Inconclusive]
    {
        let mut finding = Finding { verdict, ..violated() };
        finding.claim.claim = Claim::gaussian(0.5).expect("a claim");
        assert_eq!(deciding(&finding), PlotKind::Profile);
    }
}

//! Plots of findings that are out of the ordinary: everything stays on the sheet.
#![cfg(feature = "html")]

mod report_support;

use plaudit::claim::Claim;
use plaudit::game::Tally;
use plaudit::report::plot::{self, Kind, Plot};
use plaudit::report::{BinSummary, Finding, LossPoint, ProfilePoint, TradeoffPoint};
use plaudit::witness::Guess;
use report_support::markup::{attributes, tags, well_formed};
use report_support::report;

fn ordinary() -> Finding {
    report().audits.swap_remove(0)
}

/// Every number in a plot, with the name of its attribute.
fn numbers(plot: &Plot) -> Vec<(String, f64)> {
    let places = ["x", "y", "x1", "x2", "y1", "y2", "width", "height", "points", "cx", "cy"];
    let all = tags(&plot.svg).into_iter().flat_map(attributes);
    all.filter(|(name, _)| places.contains(&name.as_str()))
        .flat_map(|(name, value)| {
            let numbers: Vec<_> = value
                .split([' ', ','])
                .map(|n| (name.clone(), n.parse().unwrap_or(f64::NAN)))
                .collect();
            numbers
        })
        .collect()
}

/// The height in the view box.
fn height(plot: &Plot) -> f64 {
    let view = plot.svg.split('"').nth(1).unwrap();
    view.split(' ').nth(3).unwrap().parse().unwrap()
}

#[track_caller]
fn on_the_sheet(finding: &Finding) {
    for plot in plot::all(finding) {
        let most = height(&plot).max(960.0);
        for (name, number) in numbers(&plot) {
            assert!((0.0..=most).contains(&number), "{:?}: {name} = {number}", plot.kind);
        }
        well_formed(&plot.svg).unwrap();
    }
}

fn bin(from: Option<f64>, to: Option<f64>, says: Guess) -> BinSummary {
    BinSummary { label: format!("{from:?} to {to:?}"), from, to, numeric: true, says }
}

fn with_bins(bins: Vec<BinSummary>, d: Vec<u64>, d_prime: Vec<u64>) -> Finding {
    let mut finding = ordinary();
    finding.witness.bins = bins;
    finding.tally = Tally { d, d_prime };
    finding
}

#[test]
fn ordinary_findings_are_drawn_with_data() {
    for finding in &report().audits {
        on_the_sheet(finding);
        let counted = finding.tally.trials() > 0;
        for plot in plot::all(finding) {
            let always = matches!(plot.kind, Kind::Tradeoff | Kind::Posterior);
            assert_eq!(plot.has_data, counted || always, "{} {:?}", finding.name, plot.kind);
        }
    }
}

#[test]
fn bins_without_ends_or_counts_are_drawn() {
    let says = Guess::D;
    let whole = bin(None, None, says);
    let half = |at: f64| vec![bin(None, Some(at), says), bin(Some(at), None, Guess::DPrime)];
    let atom = |at: f64| bin(Some(at), Some(at), says);
    let extreme = vec![
        bin(None, Some(-1e308), says),
        bin(Some(-1e308), Some(0.0), says),
        bin(Some(0.0), Some(5e-324), says),
        bin(Some(5e-324), Some(1e308), says),
        bin(Some(1e308), None, says),
    ];
    let mut outlier: Vec<_> =
        (0..40).map(|i| bin(Some(f64::from(i)), Some(f64::from(i + 1)), says)).collect();
    outlier.push(bin(Some(40.0), Some(1e300), says));
    let backwards = vec![bin(Some(2.0), Some(1.0), says), bin(Some(f64::NAN), Some(1.0), says)];
    let gap = vec![
        bin(Some(0.0), Some(1.0), says),
        bin(Some(5.0), Some(6.0), says),
        bin(Some(6.0), Some(7.0), Guess::Abstain),
    ];
    let cases = [
        vec![whole],
        half(0.0),
        half(1e300),
        vec![atom(3.5)],
        (0..500).map(|i| atom(f64::from(i))).collect(),
        extreme,
        outlier,
        backwards,
        gap,
    ];
    for bins in cases {
        let n = bins.len();
        let one = (0..n).map(|i| u64::from(i == n / 2)).collect::<Vec<_>>();
        for (d, d_prime) in [
            (vec![0; n], vec![0; n]),
            (vec![7; n], vec![0; n]),
            (one.clone(), one),
            (vec![u64::MAX / 1000; n], vec![1; n]),
            (vec![], vec![1, 2, 3]),
        ] {
            on_the_sheet(&with_bins(bins.clone(), d, d_prime));
        }
    }
}

#[test]
fn a_bin_far_out_does_not_squeeze_the_others() {
    let mut bins: Vec<_> =
        (0..40).map(|i| bin(Some(f64::from(i)), Some(f64::from(i + 1)), Guess::Abstain)).collect();
    bins.push(bin(Some(40.0), Some(1e300), Guess::D));
    let plot = plot::outcomes(&with_bins(bins, vec![100; 41], vec![100; 41]));
    let lines = tags(&plot.svg).into_iter().filter(|tag| tag.starts_with("polyline"));
    let longest = lines.map(|tag| tag.matches(',').count()).max().unwrap();
    let distinct = numbers(&plot).into_iter().filter(|(name, _)| name == "points");
    let distinct: std::collections::BTreeSet<_> = distinct.map(|(_, n)| n as i64).collect();
    assert!(longest >= 80 && distinct.len() > 40, "{longest} points, {distinct:?}");
}

#[test]
fn claims_of_nothing_and_of_anything_are_drawn() {
    for (epsilon, delta) in [(0.0, 0.0), (700.0, 0.0), (1e4, 0.0), (0.0, 1.0), (1e-12, 1e-300)] {
        for mut finding in report().audits {
            let claim = Claim::approximate(epsilon, delta).unwrap();
            finding.claim.claim = claim.clone();
            (finding.claim.reference_epsilon, finding.claim.reference_delta) = (epsilon, delta);
            finding.profile.iter_mut().for_each(|p| p.delta_claim = claim.delta_at(p.epsilon));
            on_the_sheet(&finding);
        }
    }
    let mut finding = ordinary();
    finding.claim.claim = Claim::gaussian(0.0).unwrap();
    on_the_sheet(&finding);
    finding.claim.claim = Claim::gaussian(40.0).unwrap();
    on_the_sheet(&finding);
}

#[test]
fn numbers_that_are_none_are_left_out() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, 5e-324];
    for x in odd {
        for y in odd {
            let mut finding = ordinary();
            finding.epsilon_lower = x;
            finding.claim.reference_epsilon = y;
            let strange = LossPoint { loss: Some(x), share_d: y, share_d_prime: x };
            finding.loss.distribution.push(strange.clone());
            finding.profile.push(ProfilePoint {
                epsilon: x,
                delta_lower: y,
                delta_estimate: x,
                delta_claim: y,
                delta_exact: None,
            });
            finding.tradeoff.push(TradeoffPoint { type_1: x, type_2: y, type_2_claim: x });
            on_the_sheet(&finding);
            finding.loss.distribution = vec![strange];
            finding.profile = finding.profile.split_off(finding.profile.len() - 1);
            finding.tradeoff = finding.tradeoff.split_off(finding.tradeoff.len() - 1);
            on_the_sheet(&finding);
        }
    }
}

#[test]
fn a_profile_of_zeros_is_drawn() {
    let mut finding = ordinary();
    for point in &mut finding.profile {
        (point.delta_lower, point.delta_estimate, point.delta_claim) = (0.0, 0.0, 0.0);
    }
    on_the_sheet(&finding);
    finding.profile.truncate(1);
    on_the_sheet(&finding);
}

#[test]
fn a_leak_that_is_rare_is_seen_on_the_loss_plot() {
    // An event of probability 1e-5 that is impossible under D': a linear axis would hide it.
    for epsilon in [0.0, 1.0] {
        rare_leak(epsilon);
    }
}

fn rare_leak(epsilon: f64) {
    let mut finding = ordinary();
    finding.claim.reference_epsilon = epsilon;
    finding.loss.distribution = vec![
        LossPoint { loss: Some(0.0), share_d: 0.99999, share_d_prime: 1.0 },
        LossPoint { loss: None, share_d: 1e-5, share_d_prime: 0.0 },
    ];
    let plot = plot::loss(&finding);
    assert!(plot.svg.contains(">∞<") && !plot.svg.contains(">−∞<"));
    let bars = tags(&plot.svg).into_iter().filter(|tag| tag.starts_with("rect"));
    let tall = |tag: &str| {
        attributes(tag)
            .iter()
            .any(|(name, value)| name == "height" && value.parse::<f64>().unwrap() > 20.0)
    };
    let blue = bars.filter(|tag| tag.contains("#0072B2") && tall(tag) && !tag.contains("x=\"24\""));
    assert_eq!(blue.count(), 2, "the bulk and the leak");
}

#[test]
fn a_leak_is_larger_on_the_plot_than_the_claim_allows() {
    // The filled gap of the profile is there if and only if the claim is broken.
    for finding in &report().audits {
        let broken = finding.profile.iter().any(|p| p.delta_lower > p.delta_claim);
        assert_eq!(plot::profile(finding).svg.contains("breaks the claim"), broken);
    }
}

//! The trade-off curve against the claim's region.

use super::about::{counted, named, proved_only};
use super::axis::Axis;
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::words::brief;
use plaudit_core::finding::{Finding, Verdict};
use plaudit_core::tally::Guess;

/// Least distance on an axis from 0 to 1 that is seen.
const SEEN: f64 = 0.007;

/// Errors of the witness as a test of D' against D, its own event marked, and the region that the
/// claim forbids: any point below the claim's curve.
pub fn tradeoff(finding: &Finding) -> Option<Plot> {
    if !counted(finding) {
        return None;
    }
    let mut points: Vec<_> = finding
        .tradeoff
        .iter()
        .filter(|p| p.type_1.is_finite() && p.type_2.is_finite())
        .map(|p| (p.type_1.clamp(0.0, 1.0), p.type_2.clamp(0.0, 1.0)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let events = events(finding);
    let mut keys = vec![
        LegendKey::of(Series::Claim),
        LegendKey::of(Series::Forbidden),
        LegendKey::of(Series::NoLeak),
    ];
    if !points.is_empty() {
        keys.push(LegendKey::of(Series::Estimated));
    }
    // A point that is merely estimated breaks nothing.
    let is_refuted = finding.verdict == Verdict::Violated && proved_only(finding).is_none();
    let series = |event: &(f64, f64)| match is_refuted && is_forbidden(finding, *event) {
        true => Series::Violation,
        false => Series::Witness,
    };
    for kind in [Series::Witness, Series::Violation] {
        keys.extend(events.iter().any(|event| series(event) == kind).then(|| LegendKey::of(kind)));
    }
    let mut sheet = PlotSheet::new();
    sheet.legend(&keys);
    let says = says(finding, &events);
    if finding.verdict == Verdict::Violated && !shows_violation(finding) {
        match proved_only(finding) {
            Some(sentence) => sheet.note(sentence),
            None => sheet.note(&format!("The violation is too small to see here: {says}.")),
        }
    }
    let x = Axis::linear(0.0, 1.0, "type-I error: guesses D, was D′");
    let y = Axis::linear(0.0, 1.0, "type-II error: misses D");
    let mut chart = sheet.chart(x, y);
    let claim = claim_curve(finding);
    chart.under(Series::Forbidden.style(), claim.iter().copied());
    chart.line(Series::NoLeak.style(), [(0.0, 1.0), (1.0, 0.0)]);
    chart.line(Series::Claim.style(), claim);
    chart.line(Series::Estimated.style(), points);
    for event in &events {
        chart.diamond(series(event).style(), *event);
    }
    Some(sheet.done(PlotKind::Tradeoff, &named(finding), says))
}

/// `true` if the witness is visibly within what the claim forbids.
pub(super) fn shows_violation(finding: &Finding) -> bool {
    counted(finding) && events(finding).into_iter().any(|event| is_forbidden(finding, event))
}

/// `true` if a pair of errors is visibly below the claim's curve.
fn is_forbidden(finding: &Finding, (type_1, type_2): (f64, f64)) -> bool {
    finding.claim.claim.tradeoff_at(type_1) - type_2 > SEEN
}

fn says(finding: &Finding, events: &[(f64, f64)]) -> String {
    let gap = |event: &(f64, f64)| event.1 - finding.claim.claim.tradeoff_at(event.0);
    match events.iter().min_by(|a, b| gap(a).total_cmp(&gap(b))) {
        Some((type_1, type_2)) => {
            let below = *type_2 < finding.claim.claim.tradeoff_at(*type_1);
            let chance = match below && finding.verdict != Verdict::Violated {
                true => "; an estimate below that may be chance, and does not refute the claim",
                false => "",
            };
            format!(
                "with a type-I error of {} the witness has a type-II error of {} (estimated); \
             the claim allows {} or more",
                brief(*type_1),
                brief(*type_2),
                brief(finding.claim.claim.tradeoff_at(*type_1))
            ) + chance
        }
        None => "the witness names no dataset".into(),
    }
}

/// Errors of the witness's own events: where it names D, and where it does not name D'.
fn events(finding: &Finding) -> Vec<(f64, f64)> {
    let tally = &finding.tally;
    let bins = &finding.witness.bins;
    let share = |counts: &[u64], total: u64, guess: Guess| {
        let said = counts.iter().zip(bins).filter(|(_, bin)| bin.says == guess);
        said.map(|(count, _)| *count as f64).sum::<f64>() / total as f64
    };
    let named = |guess: Guess| {
        bins.iter().any(|bin| bin.says == guess).then(|| {
            let p = share(&tally.d, tally.trials_d(), guess);
            (p, share(&tally.d_prime, tally.trials_d_prime(), guess))
        })
    };
    let d = named(Guess::D).map(|(p, q)| (q, 1.0 - p));
    let not_d_prime = named(Guess::DPrime).map(|(p, q)| (1.0 - q, p));
    d.into_iter().chain(not_d_prime).collect()
}

/// The claim's curve, exact at its corners: denser towards both ends, where a large ε bends.
fn claim_curve(finding: &Finding) -> Vec<(f64, f64)> {
    let claim = &finding.claim.claim;
    let even = (1..32).map(|i| f64::from(i) / 32.0);
    let ends = (6..=28).map(|i| 10_f64.powf(-f64::from(i) / 4.0)).flat_map(|a| [a, 1.0 - a]);
    let mut errors: Vec<f64> = even.chain(ends).chain([0.0, 1.0]).collect();
    // Where the two lines of an (ε, δ) claim meet: a = f(a).
    if let Some((epsilon, delta)) = claim.as_epsilon_delta() {
        errors.push((1.0 - delta) / (1.0 + epsilon.exp()));
        errors.push(1.0 - delta);
    }
    errors.sort_by(f64::total_cmp);
    errors
        .into_iter()
        .map(|a| (a, claim.tradeoff_at(a)))
        .filter(|(_, b)| b.is_finite())
        .map(|(a, b)| (a, b.clamp(0.0, 1.0)))
        .collect()
}

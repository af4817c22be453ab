//! Outcomes under D and under D', with the witness's regions shaded.

mod axis;
mod bin;
mod categories;
mod labels;

use super::about::{named, proved_only};
use super::canvas::{LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::words::percent;
use axis::Numbers;
use bin::{DrawnBin, bins};
use plaudit_core::finding::Finding;
use plaudit_core::tally::Guess;

/// Bins of the witness: numbers along an axis where there are enough, all others as bars with
/// labels. Every bin on which the witness names a dataset is shaded, and comes first among the
/// bars; one beyond the axis has a bar.
pub fn outcomes(finding: &Finding) -> Option<Plot> {
    let bins = bins(finding);
    if !bins.iter().any(DrawnBin::seen) {
        return None;
    }
    let (numbers, rest) = axis::split(bins);
    let rows = categories::rows(rest);
    let mut sheet = PlotSheet::new();
    let is_lines = rows.is_empty() && numbers.as_ref().is_some_and(Numbers::is_lines);
    sheet.legend(&keys(finding, is_lines));
    if let Some(sentence) = proved_only(finding) {
        sheet.note(sentence);
    }
    categories::draw(&mut sheet, &rows);
    if let Some(numbers) = numbers {
        axis::draw(&mut sheet, &numbers, &finding.witness.statistic);
    }
    Some(sheet.done(PlotKind::Outcomes, &named(finding), says(finding)))
}

/// How often the witness names which dataset, in a sentence.
fn says(finding: &Finding) -> String {
    let (bins, tally) = (&finding.witness.bins, &finding.tally);
    let share = |counts: &[u64], total: u64, guess: Guess| {
        let said = counts.iter().zip(bins).filter(|(_, bin)| bin.says == guess);
        percent(said.map(|(count, _)| *count as f64).sum::<f64>() / total.max(1) as f64)
    };
    let named = [(Guess::D, "D"), (Guess::DPrime, "D′")].into_iter();
    let said: Vec<String> = named
        .filter(|(guess, _)| bins.iter().any(|bin| bin.says == *guess))
        .map(|(guess, word)| {
            format!(
                "{word} in {} of the runs on D and {} of those on D′",
                share(&tally.d, tally.trials_d(), guess),
                share(&tally.d_prime, tally.trials_d_prime(), guess)
            )
        })
        .collect();
    match said.is_empty() {
        true => "the witness names no dataset".into(),
        false => format!("the witness says {}", said.join(", ")),
    }
}

fn keys(finding: &Finding, is_lines: bool) -> Vec<LegendKey> {
    let mut keys = match is_lines {
        true => vec![LegendKey::of(Series::LineD), LegendKey::of(Series::LineDPrime)],
        false => vec![LegendKey::of(Series::BarsD), LegendKey::of(Series::BarsDPrime)],
    };
    let says = |guess| finding.witness.bins.iter().any(|bin| bin.says == guess);
    if says(Guess::D) {
        keys.push(LegendKey::of(Series::SaysD));
    }
    if says(Guess::DPrime) {
        keys.push(LegendKey::of(Series::SaysDPrime));
    }
    keys
}

//! Outcomes under D and under D', with the witness's regions shaded.

mod axis;
mod categories;
mod labels;

use super::about::{named, proved_only};
use super::backend::Style;
use super::canvas::{Key, Sheet};
use super::series::Series;
use super::svg::{Kind, Plot};
use crate::finding::Finding;
use crate::report::words::percent;
use crate::witness::Guess;
use axis::Numbers;

/// One bin of the witness with its counts.
#[derive(Clone, Debug)]
struct Bin {
    /// Its place in the tally.
    index: usize,
    label: String,
    /// Lower and upper end of an interval; infinite where unbounded. `None`: not an interval of
    /// positive width.
    interval: Option<(f64, f64)>,
    /// The number, of bins that are one.
    value: Option<f64>,
    share_d: f64,
    share_d_prime: f64,
    says: Guess,
}

impl Bin {
    fn seen(&self) -> bool {
        self.share_d > 0.0 || self.share_d_prime > 0.0
    }

    /// The larger share.
    fn mass(&self) -> f64 {
        self.share_d.max(self.share_d_prime)
    }
}

/// The bins of the witness: numbers along an axis where there are enough, all others as bars with
/// labels. Every bin on which the witness says something is shaded, and comes first among the bars;
/// one that the axis does not reach has a bar.
pub fn outcomes(finding: &Finding) -> Option<Plot> {
    let bins = bins(finding);
    if !bins.iter().any(Bin::seen) {
        return None;
    }
    let (numbers, rest) = axis::split(bins);
    let rows = categories::rows(rest);
    let mut sheet = Sheet::new();
    let is_lines = rows.is_empty() && numbers.as_ref().is_some_and(Numbers::is_lines);
    sheet.legend(&keys(finding, is_lines));
    if let Some(sentence) = proved_only(finding) {
        sheet.note(sentence);
    }
    categories::draw(&mut sheet, &rows);
    if let Some(numbers) = numbers {
        axis::draw(&mut sheet, &numbers, &finding.witness.statistic);
    }
    Some(sheet.done(Kind::Outcomes, &named(finding), says(finding)))
}

/// How often the witness says what, in a sentence.
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

fn keys(finding: &Finding, is_lines: bool) -> Vec<Key> {
    let mut keys = match is_lines {
        true => vec![Key::of(Series::LineD), Key::of(Series::LineDPrime)],
        false => vec![Key::of(Series::BarsD), Key::of(Series::BarsDPrime)],
    };
    let says = |guess| finding.witness.bins.iter().any(|bin| bin.says == guess);
    if says(Guess::D) {
        keys.push(Key::of(Series::SaysD));
    }
    if says(Guess::DPrime) {
        keys.push(Key::of(Series::SaysDPrime));
    }
    keys
}

/// How a region is shaded, and what the witness says there.
fn region(says: Guess) -> Option<(Style, Style, &'static str)> {
    match says {
        Guess::D => Some((Series::SaysD.style(), Style::StripD, "D")),
        Guess::DPrime => Some((Series::SaysDPrime.style(), Style::StripDPrime, "D′")),
        Guess::Abstain => None,
    }
}

fn bins(finding: &Finding) -> Vec<Bin> {
    let tally = &finding.tally;
    let share = |counts: &[u64], total: u64, at: usize| match counts.get(at) {
        Some(count) if total > 0 => *count as f64 / total as f64,
        _ => 0.0,
    };
    let (trials_d, trials_d_prime) = (tally.trials_d(), tally.trials_d_prime());
    let summaries = finding.witness.bins.iter().enumerate();
    summaries
        .map(|(at, bin)| {
            let from = bin.from.filter(|from| !from.is_nan());
            let to = bin.to.filter(|to| !to.is_nan());
            let ends = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
            let single = bin.numeric && from.is_some() && from == to;
            Bin {
                index: at,
                label: bin.label.clone(),
                interval: (bin.numeric && ends.0 < ends.1).then_some(ends),
                value: from.filter(|at| single && at.is_finite()),
                share_d: share(&tally.d, trials_d, at),
                share_d_prime: share(&tally.d_prime, trials_d_prime, at),
                says: bin.says,
            }
        })
        .collect()
}

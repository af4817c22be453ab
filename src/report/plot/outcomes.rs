//! Outcomes under D and under D', with the witness's regions shaded.

mod categories;
mod densities;

use super::canvas::{D, D_PRIME, HEIGHT, Key, blank, legend, legend_height, sheet};
use super::svg::{Kind, Plot};
use crate::report::Finding;
use crate::witness::Guess;
use plotters::prelude::RGBColor;

/// Opacity of the witness's regions.
const REGION: f64 = 0.13;

/// One bin of the witness with its counts.
#[derive(Clone, Debug)]
struct Bin {
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

/// Intervals of numbers, and many single ones on a grid, as densities along an axis; other values,
/// words and failures as bars with labels below. Few or endless intervals are bars too.
pub fn outcomes(finding: &Finding) -> Plot {
    let mut bins = bins(finding);
    densities::spread(&mut bins);
    let (mut intervals, mut rest): (Vec<Bin>, Vec<Bin>) =
        bins.into_iter().partition(|bin| bin.interval.is_some());
    if !densities::worth_an_axis(&intervals) {
        rest.extend(std::mem::take(&mut intervals));
    }
    let rows = categories::rows(rest);
    let bars = categories::height(rows.len());
    let keys = keys(finding);
    let height = match (intervals.is_empty(), rows.is_empty()) {
        (true, true) => return blank(Kind::Outcomes, &finding.name, "no outcome was counted"),
        (true, false) => legend_height(&keys) as u32 + bars,
        (false, true) => HEIGHT,
        (false, false) => HEIGHT - 40 + bars,
    };
    sheet(Kind::Outcomes, &finding.name, height, |root| {
        let area = legend(root, &keys)?;
        let left = area.dim_in_pixel().1.saturating_sub(bars);
        let (top, bottom) = area.split_vertically(if rows.is_empty() { left + bars } else { left });
        if !intervals.is_empty() {
            densities::draw(&top, &intervals, &finding.witness.statistic)?;
        }
        categories::draw(if intervals.is_empty() { &area } else { &bottom }, &rows)
    })
}

fn keys(finding: &Finding) -> Vec<Key> {
    let mut keys = vec![Key::fill(D, 0.8, "under D"), Key::fill(D_PRIME, 0.8, "under D′")];
    let says = |guess| finding.witness.bins.iter().any(|bin| bin.says == guess);
    if says(Guess::D) {
        keys.push(Key::fill(D, REGION, "witness says D"));
    }
    if says(Guess::DPrime) {
        let words = if says(Guess::D) { "says D′" } else { "witness says D′" };
        keys.push(Key::fill(D_PRIME, REGION, words));
    }
    keys
}

/// The colour of a region.
fn region(says: Guess) -> Option<RGBColor> {
    match says {
        Guess::D => Some(D),
        Guess::DPrime => Some(D_PRIME),
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
                label: bin.label.clone(),
                interval: (bin.numeric && ends.0 < ends.1).then_some(ends),
                value: from.filter(|_| single),
                share_d: share(&tally.d, trials_d, at),
                share_d_prime: share(&tally.d_prime, trials_d_prime, at),
                says: bin.says,
            }
        })
        .collect()
}

//! Bins with labels, as pairs of bars.

use super::super::backend::{Style, WIDTH, text_width};
use super::super::canvas::PlotSheet;
use super::super::series::Series;
use super::bin::{DrawnBin, region};
use super::labels::{labels, lines};
use crate::report::words::percent;
use plaudit_core::tally::Guess;
use plotters::element::PathElement;
use plotters::style::text_anchor::HPos;

/// Most rows; what is left over is summed up.
const ROWS: usize = 10;
const ROW: i32 = 66;
const BAR: i32 = 23;
/// Start of the labels: the witness's guess is before.
const LABELS_FROM: i32 = 58;
/// Least and greatest start of the bars.
const BARS_FROM: std::ops::RangeInclusive<i32> = 160..=370;

/// Bins to show: first those on which the witness names a dataset, then others, each the likeliest
/// (numbers by value). The rest is summed up by kind.
pub(super) fn rows(bins: Vec<DrawnBin>) -> Vec<DrawnBin> {
    let [d, d_prime, rest] = [Guess::D, Guess::DPrime, Guess::Abstain].map(|guess| {
        let of: Vec<&DrawnBin> = bins.iter().filter(|bin| bin.says == guess).collect();
        let seen: Vec<&DrawnBin> = of.iter().copied().filter(|bin| bin.seen()).collect();
        // The witness's bins have a row even if none was ever seen.
        if seen.is_empty() && guess != Guess::Abstain { of } else { seen }
    });
    // The others get what is left of the rows, and at least three.
    let named = ROWS - rest.len().min(3);
    let room_d = named - d_prime.len().min(if d.is_empty() { named } else { named / 2 });
    let d = fullest(d, room_d, ", where it says D");
    let d_prime = fullest(d_prime, named - d.len(), ", where it says D′");
    let rest = fullest(rest, ROWS - d.len() - d_prime.len(), "");
    d.into_iter().chain(d_prime).chain(rest).collect()
}

/// The `room` fullest of some bins, the last of them the sum of those left over.
fn fullest(mut bins: Vec<&DrawnBin>, room: usize, of: &str) -> Vec<DrawnBin> {
    bins.sort_by(|a, b| b.mass().total_cmp(&a.mass()));
    let left = if bins.len() > room { bins.split_off(room.saturating_sub(1)) } else { Vec::new() };
    bins.sort_by(|a, b| place(a).total_cmp(&place(b)));
    let mut rows: Vec<DrawnBin> = bins.into_iter().cloned().collect();
    rows.extend(left.first().map(|first| DrawnBin {
        label: format!("{} others{of}", left.len()),
        share_d: left.iter().map(|bin| bin.share_d).sum(),
        share_d_prime: left.iter().map(|bin| bin.share_d_prime).sum(),
        interval: None,
        value: None,
        ..(*first).clone()
    }));
    rows
}

/// Numbers by value, before everything else; the sort is stable.
fn place(bin: &DrawnBin) -> f64 {
    bin.value.or(bin.interval.map(|(from, _)| from)).unwrap_or(f64::INFINITY)
}

pub(super) fn draw(sheet: &mut PlotSheet, rows: &[DrawnBin]) {
    if rows.is_empty() {
        return;
    }
    let whole: Vec<(usize, &str)> =
        rows.iter().map(|bin| (bin.index, bin.label.as_str())).collect();
    let labels: Vec<Vec<String>> = labels(&whole).iter().map(|label| lines(label)).collect();
    let widest = labels.iter().flatten().map(|line| text_width(line)).max().unwrap_or(0);
    let bars_from = (LABELS_FROM + widest + 14).clamp(*BARS_FROM.start(), *BARS_FROM.end());
    // Room for the longest share in words, after the longest bar.
    let shares = rows.iter().flat_map(|bin| [bin.share_d, bin.share_d_prime]);
    let words = shares.map(|share| text_width(&said(share))).max().unwrap_or(0);
    let longest = f64::from(WIDTH - bars_from - words - 24);
    let most = rows.iter().map(DrawnBin::mass).fold(0.0, f64::max);
    let start = sheet.top;
    let top = |row: usize| start + row as i32 * ROW + 8;
    for (row, bin) in rows.iter().enumerate() {
        if let Some((fill, strip, words)) = region(bin.says) {
            let (top, bottom) = (top(row), top(row) + ROW - 6);
            sheet.rectangle(fill, (6, top), (WIDTH - 6, bottom));
            sheet.rectangle(strip, (8, top), (18, bottom));
            sheet.text(words, (26, (top + bottom) / 2), HPos::Left);
        }
    }
    for (row, label) in labels.iter().enumerate() {
        let middle = top(row) + (ROW - 6) / 2;
        for (i, line) in label.iter().enumerate() {
            let at = middle + 28 * i as i32 - 14 * (label.len() as i32 - 1);
            sheet.text(line, (bars_from - 14, at), HPos::Right);
        }
    }
    let bars = |style: Style, share: fn(&DrawnBin) -> f64, below: i32| {
        for (row, bin) in rows.iter().enumerate() {
            let (share, top) = (share(bin), top(row) + (ROW - 6) / 2 + below);
            // What was seen at all is at least a thin line.
            let length = if share > 0.0 { (share / most * longest).max(3.0) } else { 0.0 };
            let end = bars_from + length.round() as i32;
            if share > 0.0 {
                sheet.rectangle(style, (bars_from, top), (end, top + BAR));
            }
            sheet.text(&said(share), (end + 10, top + BAR / 2), HPos::Left);
        }
    };
    bars(Series::BarsD.style(), |bin| bin.share_d, -BAR - 2);
    bars(Series::BarsDPrime.style(), |bin| bin.share_d_prime, 2);
    sheet.top = top(rows.len()) + 12;
    let axis = [start, sheet.top - 16].map(|y| (bars_from, y));
    sheet.draw(&PathElement::new(axis, Style::Axis));
}

fn said(share: f64) -> String {
    if share > 0.0 { percent(share) } else { "not once".into() }
}

#[cfg(test)]
#[path = "../../../../tests/unit/report/plot/outcomes/categories.rs"]
mod tests;

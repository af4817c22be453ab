//! Bins with labels, as pairs of bars.

use super::super::canvas::{Area, D, D_PRIME, Drawn, GRID, INK, text_width, write};
use super::{Bin, REGION, region};
use crate::report::words::{cut, percent, visible};
use crate::witness::Guess;
use plotters::prelude::{Color as _, RGBColor, Rectangle};
use plotters::style::text_anchor::HPos;

/// Most rows; what is left over is summed up in the last.
const ROWS: usize = 10;
const ROW: i32 = 70;
const BAR: i32 = 24;
/// Where the bars begin, at least and at most: labels stand before.
const BARS_FROM: std::ops::RangeInclusive<i32> = 400..=560;
/// Longest label, in columns.
const LABEL: usize = 36;

/// The bins to show: the likeliest, in their order (numbers by value), and the others together.
pub(super) fn rows(mut bins: Vec<Bin>) -> Vec<Bin> {
    bins.retain(Bin::seen);
    bins.sort_by(|a, b| place(a).total_cmp(&place(b)));
    if bins.len() <= ROWS {
        return bins;
    }
    let mut masses: Vec<f64> = bins.iter().map(Bin::mass).collect();
    masses.sort_by(|a, b| b.total_cmp(a));
    let least = masses[ROWS - 2];
    let mut left = ROWS - 1;
    let (mut kept, others): (Vec<Bin>, Vec<Bin>) = bins.into_iter().partition(|bin| {
        let keep = bin.mass() >= least && left > 0;
        left -= usize::from(keep);
        keep
    });
    kept.push(Bin {
        label: format!("{} others", others.len()),
        interval: None,
        value: None,
        share_d: others.iter().map(|bin| bin.share_d).sum(),
        share_d_prime: others.iter().map(|bin| bin.share_d_prime).sum(),
        says: Guess::Abstain,
    });
    kept
}

/// Numbers by value, before everything else; the sort is stable.
fn place(bin: &Bin) -> f64 {
    bin.value.or(bin.interval.map(|(from, _)| from)).unwrap_or(f64::INFINITY)
}

/// Height of that many rows.
pub(super) fn height(rows: usize) -> u32 {
    rows as u32 * ROW as u32 + if rows > 0 { 20 } else { 0 }
}

pub(super) fn draw(area: &Area<'_>, rows: &[Bin]) -> Drawn {
    let width = area.dim_in_pixel().0 as i32;
    let label = |bin: &Bin| cut(&visible(&bin.label), LABEL);
    let widest = rows.iter().map(|bin| text_width(&label(bin)) + 32).max().unwrap_or(0);
    let bars_from = widest.clamp(*BARS_FROM.start(), *BARS_FROM.end());
    // Room for the longest share in words, after the longest bar.
    let longest = f64::from(width - bars_from - text_width("99.99999 %") - 24);
    let most = rows.iter().map(Bin::mass).fold(0.0, f64::max);
    for (row, bin) in (0..).zip(rows) {
        let top = row * ROW + 8;
        if let Some(color) = region(bin.says) {
            let whole = [(12, top), (width - 12, top + ROW - 6)];
            area.draw(&Rectangle::new(whole, color.mix(REGION).filled()))?;
        }
        let middle = top + (ROW - 6) / 2;
        write(area, &label(bin), (bars_from - 16, middle), HPos::Right, INK)?;
        let bar = |share: f64, top: i32, color: RGBColor| -> Drawn {
            // What was seen at all is at least a thin line.
            let length = if share > 0.0 { (share / most * longest).max(3.0) } else { 0.0 };
            let end = bars_from + length.round() as i32;
            if share > 0.0 {
                let ends = [(bars_from, top), (end, top + BAR)];
                area.draw(&Rectangle::new(ends, color.mix(0.8).filled()))?;
            }
            let words = if share > 0.0 { percent(share) } else { "never".into() };
            write(area, &words, (end + 10, top + BAR / 2), HPos::Left, INK)
        };
        bar(bin.share_d, middle - BAR - 2, D)?;
        bar(bin.share_d_prime, middle + 2, D_PRIME)?;
    }
    let axis = [(bars_from - 2, 4), (bars_from, rows.len() as i32 * ROW + 8)];
    area.draw(&Rectangle::new(axis, GRID.filled()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(label: String, share: f64) -> Bin {
        let (interval, value) = (None, None);
        Bin { label, interval, value, share_d: share, share_d_prime: 0.0, says: Guess::D }
    }

    #[test]
    fn no_outcome_is_lost_when_there_are_many() {
        for bins in [0, 1, 10, 11, 500] {
            let all: Vec<_> = (0..bins).map(|i| bin(i.to_string(), 1.0 / 512.0)).collect();
            let rows = rows(all);
            assert!(rows.len() <= ROWS);
            let total: f64 = rows.iter().map(|bin| bin.share_d).sum();
            assert!((total - f64::from(bins) / 512.0).abs() < 1e-12);
        }
    }
}

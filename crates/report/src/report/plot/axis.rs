//! Axes: where they begin and end, and the few short labels on them.

use super::backend::text_width;
use crate::report::words::significant;
use plotters::coord::ranged1d::{
    BoldPoints, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter,
};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// Smallest counted rate that differs from 0.
const SMALLEST: f64 = 1e-18;
/// Width that labels side by side share, and the least distance between two.
const ROOM: i32 = 450;
const APART: i32 = 20;

/// An axis: where its values are, and the labelled ones among them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// First and last coordinate, which are decimal logarithms if `log`; first < last, both finite.
    pub range: (f64, f64),
    /// Labelled values, ascending, in the range.
    pub ticks: Vec<(f64, String)>,
    pub title: String,
    log: bool,
}

impl Axis {
    /// A linear axis over what is finite of [low, high], widened if that is nothing.
    pub fn linear(low: f64, high: f64, title: impl Into<String>) -> Self {
        let range = proper(low, high);
        Self { range, ticks: fitting(range), title: title.into(), log: false }
    }

    /// A linear axis from 0 to a little above `high`.
    pub fn from_zero(high: f64, title: impl Into<String>) -> Self {
        let high = if high.is_finite() && high > 0.0 { high } else { 1.0 };
        Self::linear(0.0, high * 1.05, title)
    }

    /// An axis for values in [0, 1] of which some matter though they are small: logarithmic when
    /// the positive ones span more than two decades, with zeros on the bottom line; else linear
    /// from 0.
    pub fn of_shares(values: impl IntoIterator<Item = f64>, title: impl Into<String>) -> Self {
        let positive = values.into_iter().filter(|v| v.is_finite() && *v > 0.0);
        let (low, high) = positive
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
        if high <= 100.0 * low {
            return Self::from_zero(high, title);
        }
        Self::log(low, high, title)
    }

    /// A logarithmic axis for values in [low, high], with a line below them for what is 0, or too
    /// small to be on it.
    pub fn log(low: f64, high: f64, title: impl Into<String>) -> Self {
        let top = high.max(SMALLEST).log10().ceil() as i32;
        let lowest = low.max(SMALLEST).log10().floor() as i32;
        let step = ((top - lowest) as u32).div_ceil(6).max(1) as usize;
        let labelled = (top - lowest).max(1).unsigned_abs().div_ceil(step as u32) as i32;
        let bottom = top - (labelled + 1) * step as i32;
        let mut ticks: Vec<_> =
            (bottom..=top).step_by(step).map(|power| (10_f64.powi(power), decade(power))).collect();
        ticks[0] = (0.0, "≈ 0".into());
        let (bottom, top) = (f64::from(bottom), f64::from(top));
        let range = (bottom, top + 0.05 * (top - bottom));
        Self { range, ticks, title: title.into(), log: true }
    }

    /// A logarithmic axis for values in [low, high], 0 < low < high.
    pub fn powers(low: f64, high: f64, title: impl Into<String>) -> Self {
        let range = (low.log10(), high.log10());
        let (first, last) = (range.0.floor() as i32, range.1.ceil() as i32);
        let steps = [1.0, 2.0, 5.0];
        let fine = (first..=last).flat_map(|power| steps.map(|step| step * 10_f64.powi(power)));
        let coarse = (first..=last).map(|power| 10_f64.powi(power));
        let within = |at: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(at);
        let fine: Vec<f64> = fine.filter(within).collect();
        let ticks = if fine.len() <= 6 { fine } else { coarse.filter(within).collect() };
        let label =
            |at: f64| if at < 1e4 { significant(at, 2) } else { decade(at.log10().round() as i32) };
        let ticks = ticks.into_iter().map(|at| (at, label(at))).collect();
        Self { range, ticks, title: title.into(), log: true }
    }

    /// The coordinate of a value, moved to the nearest end if it is outside; NaN to the first.
    fn at(&self, value: f64) -> f64 {
        let place = match self.log {
            true if value > 0.0 => value.log10(),
            true => self.range.0,
            false => value,
        };
        if place.is_nan() { self.range.0 } else { place.clamp(self.range.0, self.range.1) }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let share = (self.at(*value) - self.range.0) / (self.range.1 - self.range.0);
        (f64::from(first) + share * f64::from(last - first)).round() as i32
    }

    /// Labelled values; there are no lines between them.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.0..self.range.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(at, _)| at == value);
        tick.map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// A range that can be drawn: finite, of positive width that is not lost in rounding.
fn proper(low: f64, high: f64) -> (f64, f64) {
    let low = if low.is_finite() { low.max(-1e300) } else { 0.0 };
    let high = if high.is_finite() { high.min(1e300) } else { low + 1.0 };
    let least = (low.abs().max(high.abs()) * 1e-9).max(1e-300);
    if high - low >= least { (low, high) } else { (low - 0.5 - least, low + 0.5 + least) }
}

/// Round values that fit side by side, from two to six.
fn fitting(range: (f64, f64)) -> Vec<(f64, String)> {
    let width = |ticks: &[(f64, String)]| -> i32 {
        ticks.iter().map(|(_, label)| text_width(label) + APART).sum()
    };
    let fits = |most| Some(ticks(range, most)).filter(|ticks| width(ticks) <= ROOM);
    (3..=6).rev().find_map(fits).unwrap_or_else(|| ticks(range, 2))
}

/// At most `most` round values in a range, with distinct labels. A width below 2e-16 is nothing to plotters,
/// so the range is measured in units of the width.
fn ticks((low, high): (f64, f64), most: usize) -> Vec<(f64, String)> {
    let unit = 10_f64.powf((high - low).log10().floor());
    let round = RangedCoordf64::from(low / unit..high / unit).key_points(BoldPoints(most));
    let step = round.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0) * unit;
    // Digits before those that differ, and the one that differs.
    let digits = (low.abs().max(high.abs()) / step).log10().max(0.0).floor() as usize + 2;
    // Zero is zero, and has no sign.
    let values = round.into_iter().map(|at| (at * unit / step).round() * step + 0.0);
    values.map(|at| (at, minus(&significant(at, digits.min(15))))).collect()
}

/// A power of ten: "1", "0.1", "10⁻³".
fn decade(power: i32) -> String {
    if (-2..=0).contains(&power) {
        return significant(10_f64.powi(power), 1);
    }
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = power.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    format!("10{}{}", if power < 0 { "⁻" } else { "" }, raised.collect::<String>())
}

/// The proper sign for a minus at the front.
pub(super) fn minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(rest) => format!("−{rest}"),
        None => number.to_owned(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/report/plot/axis.rs"]
mod tests;

//! Numbers along an axis: whole numbers as bars, what has a density as its outline, and what has both as the
//! share up to each place.

use super::super::axis::Axis;
use super::super::canvas::{Chart, PlotSheet};
use super::super::series::Series;
use super::bin::{DrawnBin, region};
use crate::report::words::{cut, visible};
use plaudit_core::tally::Guess;

/// Maximum number of steps; more would be indistinguishable.
const STEPS: usize = 48;
/// Number of whole numbers that are shown as rows.
const FEW: usize = 8;
/// Whole numbers beyond are not distinguished from others.
const WHOLE: f64 = 1e9;
/// An interval narrower than this share of the axis is a single value to the eye.
const NARROW: f64 = 1.0 / 400.0;
/// Factor of density above which a narrow peak is not drawn among densities: it would flatten everything next
/// to it.
const PEAK: f64 = 5.0;

pub(super) struct Numbers {
    steps: Vec<Step>,
    range: (f64, f64),
    measure: Measure,
    /// Shares of what is below the axis, under D and under D'.
    below: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Density,
    /// Share of all that is not above a place.
    UpTo,
    /// Share of each value, of values so far apart; of ranges the mean.
    Values(f64),
}

/// An interval, or several side by side, as drawn; a single value has no width.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: f64,
    to: f64,
    /// Width that holds the shares, which may be more than is drawn.
    width: f64,
    bins: usize,
    share_d: f64,
    share_d_prime: f64,
    says: Guess,
}

/// Bins for an axis, if there are enough for one, and bins to show in rows.
pub(super) fn split(mut bins: Vec<DrawnBin>) -> (Option<Numbers>, Vec<DrawnBin>) {
    bins.iter_mut().for_each(narrow_to_value);
    let is_few = bins.iter().filter(|bin| bin.interval.is_some()).count() <= FEW;
    let is_rows = is_few && is_whole(&bins);
    let grid = spread(&mut bins).or_else(|| centred(&mut bins));
    let (numbers, mut rest): (Vec<DrawnBin>, Vec<DrawnBin>) =
        bins.into_iter().partition(|bin| bin.interval.is_some() || bin.value.is_some());
    let intervals = || numbers.iter().filter(|bin| bin.interval.is_some());
    if is_rows || intervals().count() < 3 || !intervals().any(|bin| finite(bin).is_some()) {
        rest.extend(numbers);
        return (None, rest);
    }
    let (low, high) = bulk(&numbers);
    let margin = 0.1 * (high - low);
    let (first, last) = (low - margin, high + margin);
    let narrow =
        |bin: &DrawnBin| finite(bin).is_some_and(|(from, to)| to - from < NARROW * (last - first));
    let is_mixed = numbers.iter().any(|bin| bin.value.is_some()) || peaks(&numbers, narrow);
    let measure = match grid {
        Some(step) => Measure::Values(step),
        None if is_mixed => Measure::UpTo,
        None => Measure::Density,
    };
    // Bins beyond the axis are in rows; of unseen ones only those that the witness names.
    let mut below = [0.0; 2];
    let mut inner: Vec<DrawnBin> = Vec::new();
    for bin in numbers {
        let (from, to) = ends(&bin);
        let is_reached =
            from.max(first) < to.min(last) || (from == to && from >= first && to <= last);
        if is_reached {
            inner.push(bin);
            continue;
        }
        if to <= first {
            below = [below[0] + bin.share_d, below[1] + bin.share_d_prime];
        }
        if bin.seen() || bin.says != Guess::Abstain {
            rest.push(bin);
        }
    }
    let steps = steps(inner, (low, high), measure);
    let ends = || steps.iter().flat_map(|step| [step.from, step.to]);
    let range = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    (Some(Numbers { steps, range, measure, below }), rest)
}

/// Makes an interval that holds a few neighboring doubles at most a single value.
fn narrow_to_value(bin: &mut DrawnBin) {
    let Some((from, to)) = finite(bin) else { return };
    let spacing = f64::EPSILON * from.abs().max(to.abs());
    if to - from <= (2.0 * spacing).max(1e-300) {
        (bin.interval, bin.value) = (None, Some(from));
    }
}

/// `true` if all numbers are intervals between whole numbers.
fn is_whole(bins: &[DrawnBin]) -> bool {
    let whole = |end: f64| end.is_infinite() || end.fract() == 0.0 && end.abs() <= WHOLE;
    let mut intervals = bins.iter().filter_map(|bin| bin.interval);
    bins.iter().all(|bin| bin.value.is_none())
        && bins.iter().any(|bin| finite(bin).is_some())
        && intervals.all(|(from, to)| whole(from) && whole(to))
}

/// Puts intervals of whole numbers around those, the least in the middle of the first unit; how far
/// apart they are.
fn centred(bins: &mut [DrawnBin]) -> Option<f64> {
    if !is_whole(bins) {
        return None;
    }
    for bin in bins {
        bin.interval = bin.interval.map(|(from, to)| (from - 0.5, to - 0.5));
    }
    Some(1.0)
}

/// Turns many single numbers on a grid (counts, mostly) into intervals around themselves; returns their
/// distance.
fn spread(bins: &mut [DrawnBin]) -> Option<f64> {
    let mut values: Vec<f64> = bins.iter().filter_map(|bin| bin.value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let step = values.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let (first, last) = (values.first()?, values.last()?);
    let intervals = bins.iter().filter(|bin| finite(bin).is_some()).count();
    if values.len() < 9 || (last - first) / step > 500.0 || intervals > 0 {
        return None;
    }
    for bin in bins {
        if let Some(at) = bin.value.take() {
            bin.interval = Some((at - step / 2.0, at + step / 2.0));
        }
    }
    Some(step)
}

/// Place of a number; a single value begins where it ends.
fn ends(bin: &DrawnBin) -> (f64, f64) {
    bin.interval.or(bin.value.map(|at| (at, at))).unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
}

fn finite(bin: &DrawnBin) -> Option<(f64, f64)> {
    bin.interval.filter(|(from, to)| from.is_finite() && to.is_finite())
}

/// `true` if some narrow interval is far denser than all that are not narrow.
fn peaks(bins: &[DrawnBin], narrow: impl Fn(&DrawnBin) -> bool) -> bool {
    let highest = |of: &dyn Fn(&DrawnBin) -> bool| {
        let dense = |bin: &DrawnBin| finite(bin).map(|(from, to)| bin.mass() / (to - from));
        bins.iter().filter(|bin| of(bin)).filter_map(dense).fold(0.0, f64::max)
    };
    highest(&narrow) > PEAK * highest(&|bin| !narrow(bin))
}

/// Intervals in ascending order, cut to a range that shows where the outcomes are, and merged where they are
/// many: endless ones get the width of half the density of their neighbor, or of one value.
fn steps(mut sorted: Vec<DrawnBin>, (low, high): (f64, f64), measure: Measure) -> Vec<Step> {
    sorted.sort_by(|a, b| {
        let ((from_a, to_a), (from_b, to_b)) = (ends(a), ends(b));
        from_a.total_cmp(&from_b).then(to_a.total_cmp(&to_b))
    });
    let dense = |bin: &DrawnBin| {
        let (from, to) = ends(bin);
        bin.mass() / (to - from)
    };
    let tail = |bin: &DrawnBin, neighbor: Option<&DrawnBin>| {
        if let Measure::Values(step) = measure {
            return step;
        }
        let beside = neighbor.map_or(0.0, dense);
        let width = if beside > 0.0 { 2.0 * bin.mass() / beside } else { 0.0 };
        width.clamp(0.02 * (high - low), 0.1 * (high - low))
    };
    let first = sorted.iter().find(|bin| finite(bin).is_some());
    let last = sorted.iter().rev().find(|bin| finite(bin).is_some());
    let margin = 0.1 * (high - low);
    let all: Vec<Step> = sorted
        .iter()
        .map(|bin| {
            let (mut from, mut to) = ends(bin);
            if from.is_infinite() {
                from = to.min(high) - tail(bin, first);
            }
            if to.is_infinite() {
                to = from.max(low) + tail(bin, last);
            }
            Step {
                from: from.max(low - margin),
                to: to.min(high + margin),
                // Densities are those of the true width, where there is one.
                width: to - from,
                bins: 1,
                share_d: bin.share_d,
                share_d_prime: bin.share_d_prime,
                says: bin.says,
            }
        })
        .filter(|step| step.to > step.from || measure == Measure::UpTo && step.to == step.from)
        .collect();
    merged(all, measure)
}

/// At most about [`STEPS`] steps: neighbors that the witness treats alike are one where they are
/// narrower than an even share of the axis (of all bins, if what counts is the share of a bin).
fn merged(steps: Vec<Step>, measure: Measure) -> Vec<Step> {
    // What is summed up needs no room.
    if steps.len() <= STEPS || measure == Measure::UpTo {
        return steps;
    }
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return steps };
    let width = (last.to - first.from) / STEPS as f64;
    let bins = steps.len().div_ceil(STEPS);
    let mut out: Vec<Step> = Vec::new();
    for step in steps {
        match out.last_mut() {
            Some(open)
                if open.says == step.says
                    && open.to == step.from
                    && match measure {
                        Measure::Values(_) => open.bins < bins,
                        Measure::Density | Measure::UpTo => step.to - open.from <= width,
                    } =>
            {
                open.to = step.to;
                open.width += step.width;
                open.bins += step.bins;
                open.share_d += step.share_d;
                open.share_d_prime += step.share_d_prime;
            }
            _ => out.push(step),
        }
    }
    out
}

/// Bulk of the finite ends: from the first to the last that is not much farther out than the middle half is
/// wide.
fn bulk(numbers: &[DrawnBin]) -> (f64, f64) {
    let mut ends: Vec<f64> = numbers
        .iter()
        .filter_map(|bin| bin.interval.or(bin.value.map(|at| (at, at))))
        .flat_map(|(from, to)| [from, to])
        .filter(|end| end.is_finite())
        .map(|end| end.clamp(-1e300, 1e300))
        .collect();
    ends.sort_by(f64::total_cmp);
    let (Some(&first), Some(&last)) = (ends.first(), ends.last()) else { return (-1.0, 1.0) };
    let (q1, q3) = (ends[ends.len() / 4], ends[ends.len() * 3 / 4]);
    let spread = 4.0 * (q3 - q1);
    let near = |end: &&f64| spread == 0.0 || (q1 - spread..=q3 + spread).contains(*end);
    let low = ends.iter().find(near).copied().unwrap_or(first);
    let high = ends.iter().rev().find(near).copied().unwrap_or(last);
    if low < high { (low, high) } else { (low - 1.0, low + 1.0) }
}

impl Numbers {
    /// `true` if they are drawn as lines, and not as bars.
    pub fn is_lines(&self) -> bool {
        !matches!(self.measure, Measure::Values(_))
    }

    /// Height of a step, unless all are summed up.
    fn height(&self, step: &Step, share: f64) -> f64 {
        let height = match self.measure {
            Measure::Values(apart) => share / (step.width / apart).max(1.0),
            Measure::Density | Measure::UpTo => share / step.width,
        };
        if height.is_finite() { height } else { 0.0 }
    }

    fn highest(&self) -> f64 {
        if self.measure == Measure::UpTo {
            let ends = [0, 1].map(|side| self.up_to(side).last().map_or(0.0, |end| end.1));
            // Below the strips of the witness.
            return 1.08 * ends[0].max(ends[1]);
        }
        let heights = self
            .steps
            .iter()
            .flat_map(|step| [0, 1].map(|side| self.height(step, step.share(side))));
        heights.fold(0.0, f64::max)
    }

    /// The share of all that is not above a place: straight within an interval, upright at a single value.
    fn up_to(&self, side: usize) -> Vec<(f64, f64)> {
        let mut sum = self.below[side];
        let mut points = Vec::with_capacity(2 * self.steps.len());
        for step in &self.steps {
            points.push((step.from, sum));
            sum += step.share(side);
            points.push((step.to, sum));
        }
        points
    }

    /// Outline of the steps; it drops to 0 where there is a gap between two.
    fn outline(&self, side: usize) -> Vec<(f64, f64)> {
        let mut points = Vec::with_capacity(2 * self.steps.len() + 2);
        let mut end = None;
        for step in &self.steps {
            if end != Some(step.from) {
                points.extend(end.map(|at| (at, 0.0)));
                points.push((step.from, 0.0));
            }
            let height = self.height(step, step.share(side));
            points.extend([(step.from, height), (step.to, height)]);
            end = Some(step.to);
        }
        points.extend(end.map(|at| (at, 0.0)));
        points
    }

    fn regions(&self) -> Vec<(f64, f64, Guess)> {
        let mut regions: Vec<(f64, f64, Guess)> = Vec::new();
        for step in &self.steps {
            match regions.last_mut() {
                Some(last) if last.2 == step.says && last.1 == step.from => last.1 = step.to,
                _ => regions.push((step.from, step.to, step.says)),
            }
        }
        regions
    }
}

impl Step {
    /// The share under D, 0, or under D', 1.
    fn share(&self, side: usize) -> f64 {
        [self.share_d, self.share_d_prime][side]
    }
}

pub(super) fn draw(sheet: &mut PlotSheet, numbers: &Numbers, statistic: &str) {
    let title = if statistic.is_empty() { "outcome" } else { statistic };
    let x = Axis::linear(numbers.range.0, numbers.range.1, cut(&visible(title), 32));
    let measured = match numbers.measure {
        Measure::Density => "density",
        Measure::UpTo => "share up to here",
        Measure::Values(_) => "share of each value",
    };
    let mut chart = sheet.chart(x, Axis::from_zero(numbers.highest(), measured));
    for guess in [Guess::D, Guess::DPrime] {
        for (from, to, _) in numbers.regions().into_iter().filter(|region| region.2 == guess) {
            shade(&chart, (from, to), guess);
        }
    }
    for (side, series) in [Series::LineD, Series::LineDPrime].into_iter().enumerate() {
        let line = series.style();
        match numbers.measure {
            Measure::Density => chart.line(line, numbers.outline(side)),
            Measure::UpTo => chart.line(line, numbers.up_to(side)),
            Measure::Values(_) => bars(&chart, numbers, side),
        }
    }
}

/// A bar a step: under D to the left of its middle, under D' a hollow one to the right.
fn bars(chart: &Chart, numbers: &Numbers, side: usize) {
    let style = [Series::BarsD, Series::BarsDPrime][side].style();
    for step in numbers.steps.iter().filter(|step| step.share(side) > 0.0) {
        let width = step.to - step.from;
        let left = step.from + width * [0.1, 0.5][side];
        let height = numbers.height(step, step.share(side));
        chart.bar(style, (left, height), (left + 0.4 * width, 0.0));
    }
}

/// Shades where the witness names a dataset, wide enough to be seen, under a strip at the top.
fn shade(chart: &Chart, (from, to): (f64, f64), guess: Guess) {
    let Some((fill, strip, _)) = region(guess) else { return };
    let ((left, bottom), (right, top)) = (chart.place((from, 0.0)), chart.place((to, f64::MAX)));
    let widen = (15 - (right - left)).max(0) / 2;
    // The strips have two heights: a reader who sees no colours can distinguish them.
    let strip_top = top + if guess == Guess::D { 0 } else { 10 };
    for (style, top, bottom) in [(fill, top, bottom), (strip, strip_top, strip_top + 6)] {
        chart.rectangle(style, (left - widen, top), (right + widen, bottom));
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/report/plot/outcomes/axis.rs"]
mod tests;

//! Intervals of numbers, as densities along an axis.

use super::super::axis::Axis;
use super::super::canvas::{Area, D, D_PRIME, Drawn, chart, fill, line};
use super::{Bin, REGION, region};
use crate::report::words::{cut, visible};
use crate::witness::Guess;

/// Whether there is enough for an axis: three intervals, one of them with two ends.
pub(super) fn worth_an_axis(intervals: &[Bin]) -> bool {
    intervals.len() >= 3 && intervals.iter().filter_map(finite).count() >= 1
}

/// Makes many single numbers that lie on a grid (counts, mostly) intervals around themselves.
pub(super) fn spread(bins: &mut [Bin]) {
    let mut values: Vec<f64> = bins.iter().filter_map(|bin| bin.value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let step = values.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
    if values.len() < 9 || (last - first) / step > 500.0 {
        return;
    }
    for bin in bins {
        bin.interval = bin.interval.or(bin.value.map(|at| (at - step / 2.0, at + step / 2.0)));
    }
}

fn finite(bin: &Bin) -> Option<(f64, f64)> {
    bin.interval.filter(|(from, to)| from.is_finite() && to.is_finite())
}

/// An interval as it is drawn.
struct Step {
    from: f64,
    to: f64,
    density_d: f64,
    density_d_prime: f64,
    says: Guess,
}

pub(super) fn draw(area: &Area<'_>, intervals: &[Bin], statistic: &str) -> Drawn {
    let steps = steps(intervals);
    let title = if statistic.is_empty() { "outcome" } else { statistic };
    let (first, last) = (steps.first().map_or(0.0, |s| s.from), steps.last().map_or(1.0, |s| s.to));
    let x = Axis::linear(first, last, cut(&visible(title), 40));
    let (high, is_cut) = highest(&steps);
    let y = Axis::from_zero(high, if is_cut { "density (peak cut off)" } else { "density" });
    let mut chart = chart(area, &x, &y)?;
    for run in steps.chunk_by(|a, b| a.says == b.says && a.to == b.from) {
        let (from, to) = (x.at(run[0].from), x.at(run[run.len() - 1].to));
        if let Some(color) = region(run[0].says) {
            let corners = [(from, 0.0), (from, y.range.1), (to, y.range.1), (to, 0.0)];
            fill(&mut chart, corners, color, REGION)?;
        }
    }
    for (color, density) in [(D, density_d as fn(&Step) -> f64), (D_PRIME, density_d_prime)] {
        line(
            &mut chart,
            outline(&steps, density).map(|(at, height)| (x.at(at), y.at(height))),
            color,
            4,
        )?;
    }
    Ok(())
}

fn density_d(step: &Step) -> f64 {
    step.density_d
}

fn density_d_prime(step: &Step) -> f64 {
    step.density_d_prime
}

/// The outline of the steps; it goes down to 0 where there is a gap between two.
fn outline(steps: &[Step], density: fn(&Step) -> f64) -> impl Iterator<Item = (f64, f64)> {
    let mut points = Vec::with_capacity(2 * steps.len() + 2);
    let mut end = None;
    for step in steps {
        if end != Some(step.from) {
            points.extend(end.map(|at| (at, 0.0)));
            points.push((step.from, 0.0));
        }
        points.extend([(step.from, density(step)), (step.to, density(step))]);
        end = Some(step.to);
    }
    points.extend(end.map(|at| (at, 0.0)));
    points.into_iter()
}

/// The intervals in ascending order, cut to a range that shows where the outcomes are: endless
/// ones are as wide as they would be at half the density of their neighbor.
fn steps(intervals: &[Bin]) -> Vec<Step> {
    let (low, high) = bulk(intervals);
    let mut sorted: Vec<&Bin> = intervals.iter().filter(|bin| bin.interval.is_some()).collect();
    let ends = |bin: &Bin| bin.interval.expect("kept above");
    sorted.sort_by(|a, b| ends(a).0.total_cmp(&ends(b).0));
    let inner = |bin: &&&Bin| ends(bin).0 <= high && ends(bin).1 >= low;
    let dense = |bin: &Bin| {
        let (from, to) = ends(bin);
        bin.mass() / (to - from)
    };
    let bounded = |bin: &&&Bin| finite(bin).is_some();
    let tail = |bin: &Bin, neighbor: Option<&&Bin>| {
        let beside = neighbor.map_or(0.0, |bin| dense(bin));
        let width = if beside > 0.0 { 2.0 * bin.mass() / beside } else { 0.0 };
        width.clamp(0.02 * (high - low), 0.1 * (high - low))
    };
    let first = sorted.iter().filter(bounded).find(inner);
    let last = sorted.iter().rev().filter(bounded).find(inner);
    sorted
        .iter()
        .filter(inner)
        .map(|bin| {
            let (mut from, mut to) = ends(bin);
            // Densities are those of the true width, where there is one.
            if from.is_infinite() {
                from = to.min(high) - tail(bin, first);
            }
            if to.is_infinite() {
                to = from.max(low) + tail(bin, last);
            }
            let (density_d, density_d_prime) =
                (bin.share_d / (to - from), bin.share_d_prime / (to - from));
            let margin = 0.1 * (high - low);
            Step {
                from: from.max(low - margin),
                to: to.min(high + margin),
                density_d,
                density_d_prime,
                says: bin.says,
            }
        })
        .filter(|step| step.to > step.from)
        .collect()
}

/// Where the bulk of the finite ends is: from the first to the last that is not much farther out
/// than the middle half is wide.
fn bulk(intervals: &[Bin]) -> (f64, f64) {
    let mut ends: Vec<f64> = intervals
        .iter()
        .filter_map(|bin| bin.interval)
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

/// The top of the axis, and whether it cuts a peak off: one that is far above the density of
/// nine tenths of the outcomes would flatten all the rest.
fn highest(steps: &[Step]) -> (f64, bool) {
    let mut heights: Vec<(f64, f64)> = steps
        .iter()
        .map(|step| {
            let height = step.density_d.max(step.density_d_prime);
            (height, height * (step.to - step.from))
        })
        .filter(|(height, _)| height.is_finite())
        .collect();
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let most = heights.last().map_or(0.0, |(height, _)| *height);
    let total: f64 = heights.iter().map(|(_, mass)| mass).sum();
    let mut below = 0.0;
    let usual = heights.iter().find(|(_, mass)| {
        below += mass;
        below >= 0.9 * total
    });
    let limit = 5.0 * usual.map_or(0.0, |(height, _)| *height);
    if limit > 0.0 && most > limit { (limit, true) } else { (most, false) }
}

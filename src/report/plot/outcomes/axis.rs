//! Numbers along an axis: intervals as steps, atoms as stems.

use super::super::axis::Axis;
use super::super::backend::Style;
use super::super::canvas::{Chart, Sheet};
use super::{Bin, region};
use crate::report::words::{cut, visible};
use crate::witness::Guess;
use plotters::element::{EmptyElement, Rectangle};
use plotters::style::Color;

/// Most steps and most stems; more would not be told apart.
const STEPS: usize = 48;
const STEMS: usize = 40;
/// An interval narrower than this share of the axis is an atom to the eye.
const NARROW: f64 = 1.0 / 400.0;
/// A narrow peak so many times denser than all else makes the axis one of shares: drawn as a density, it
/// would flatten everything beside it.
const PEAK: f64 = 5.0;

/// What is drawn along the axis.
pub(super) struct Numbers {
    steps: Vec<Step>,
    atoms: Vec<Atom>,
    range: (f64, f64),
    measure: Measure,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Density,
    /// Share of each interval and of each atom.
    Share,
    /// Mean share of each value of a grid.
    Values,
}

/// An interval, or several side by side, as drawn.
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

#[derive(Clone, Copy, Debug)]
struct Atom {
    at: f64,
    share_d: f64,
    share_d_prime: f64,
    says: Guess,
}

/// What goes on an axis, if there is enough for one, and what has to be shown in rows.
pub(super) fn split(mut bins: Vec<Bin>) -> (Option<Numbers>, Vec<Bin>) {
    let grid = spread(&mut bins);
    let (mut numbers, mut rest): (Vec<Bin>, Vec<Bin>) =
        bins.into_iter().partition(|bin| bin.interval.is_some() || bin.value.is_some());
    let intervals = || numbers.iter().filter(|bin| bin.interval.is_some());
    if intervals().count() < 3 || !intervals().any(|bin| finite(bin).is_some()) {
        rest.extend(numbers);
        return (None, rest);
    }
    let (low, high) = bulk(&numbers);
    let margin = 0.1 * (high - low);
    let (first, last) = (low - margin, high + margin);
    let span = last - first;
    let sparse = |bin: &Bin| finite(bin).is_some_and(|(from, to)| to - from < NARROW * span);
    let stems = numbers.iter().any(|bin| bin.value.is_some() && !grid)
        || (!grid && peaks(&numbers, sparse));
    let measure = match (grid, stems) {
        (true, _) => Measure::Values,
        (false, true) => Measure::Share,
        (false, false) => Measure::Density,
    };
    // What the axis does not reach is shown in rows; of what nobody saw only what the witness names.
    let mut out: Vec<Bin> = Vec::new();
    let mut atoms: Vec<Bin> = Vec::new();
    let mut inner: Vec<Bin> = Vec::new();
    for bin in numbers.drain(..) {
        let (from, to) = bin.interval.or(bin.value.map(|at| (at, at))).expect("kept above");
        let reached = from.max(first) < to.min(last) || (from == to && from >= first && to <= last);
        if !reached {
            out.push(bin);
        } else if from == to || (stems && sparse(&bin)) {
            atoms.push(bin);
        } else {
            inner.push(bin);
        }
    }
    atoms.sort_by(|a, b| {
        let named = |bin: &Bin| bin.says != Guess::Abstain;
        named(b).cmp(&named(a)).then(b.mass().total_cmp(&a.mass()))
    });
    out.extend(atoms.split_off(atoms.len().min(STEMS)));
    rest.extend(out.into_iter().filter(|bin| bin.seen() || bin.says != Guess::Abstain));
    let steps = steps(inner, (low, high), measure);
    let mut atoms: Vec<Atom> = atoms
        .iter()
        .map(|bin| Atom {
            at: finite(bin).map_or_else(|| bin.value.unwrap_or(low), |(from, _)| from),
            share_d: bin.share_d,
            share_d_prime: bin.share_d_prime,
            says: bin.says,
        })
        .collect();
    atoms.sort_by(|a, b| a.at.total_cmp(&b.at));
    let ends = || {
        let ends = steps.iter().flat_map(|step| [step.from, step.to]);
        ends.chain(atoms.iter().map(|atom| atom.at))
    };
    let range = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    (Some(Numbers { steps, atoms, range, measure }), rest)
}

/// Makes many single numbers that lie on a grid (counts, mostly) intervals around themselves, and
/// says whether it did.
fn spread(bins: &mut [Bin]) -> bool {
    let mut values: Vec<f64> = bins.iter().filter_map(|bin| bin.value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let step = values.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return false };
    let intervals = bins.iter().filter(|bin| finite(bin).is_some()).count();
    if values.len() < 9 || (last - first) / step > 500.0 || intervals > 0 {
        return false;
    }
    for bin in bins {
        if let Some(at) = bin.value.take() {
            bin.interval = Some((at - step / 2.0, at + step / 2.0));
        }
    }
    true
}

fn finite(bin: &Bin) -> Option<(f64, f64)> {
    bin.interval.filter(|(from, to)| from.is_finite() && to.is_finite())
}

/// Whether some narrow interval is far denser than all that are not narrow.
fn peaks(bins: &[Bin], narrow: impl Fn(&Bin) -> bool) -> bool {
    let highest = |of: &dyn Fn(&Bin) -> bool| {
        let dense = |bin: &Bin| finite(bin).map(|(from, to)| bin.mass() / (to - from));
        bins.iter().filter(|bin| of(bin)).filter_map(dense).fold(0.0, f64::max)
    };
    highest(&narrow) > PEAK * highest(&|bin| !narrow(bin))
}

/// The intervals in ascending order, cut to a range that shows where the outcomes are, and merged
/// where they are many: endless ones are as wide as they would be at half the density of their
/// neighbor.
fn steps(mut sorted: Vec<Bin>, (low, high): (f64, f64), measure: Measure) -> Vec<Step> {
    let ends = |bin: &Bin| bin.interval.unwrap_or((low, high));
    sorted.sort_by(|a, b| ends(a).0.total_cmp(&ends(b).0));
    let dense = |bin: &Bin| {
        let (from, to) = ends(bin);
        bin.mass() / (to - from)
    };
    let tail = |bin: &Bin, neighbor: Option<&Bin>| {
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
        .filter(|step| step.to > step.from)
        .collect();
    merged(all, measure)
}

/// At most about [`STEPS`] steps: neighbors that the witness treats alike are one where they are
/// narrower than an even share of the axis (of all bins, if what counts is the share of a bin).
fn merged(steps: Vec<Step>, measure: Measure) -> Vec<Step> {
    if steps.len() <= STEPS {
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
                        Measure::Density => step.to - open.from <= width,
                        Measure::Share | Measure::Values => open.bins < bins,
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

/// Where the bulk of the finite ends is: from the first to the last that is not much farther out
/// than the middle half is wide.
fn bulk(numbers: &[Bin]) -> (f64, f64) {
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
    fn height(&self, step: &Step, share: f64) -> f64 {
        let height = match self.measure {
            Measure::Density => share / step.width,
            // Of merged ones the mean.
            Measure::Share | Measure::Values => share / step.bins as f64,
        };
        if height.is_finite() { height } else { 0.0 }
    }

    fn highest(&self) -> f64 {
        let steps = self.steps.iter().flat_map(|step| {
            [step.share_d, step.share_d_prime].map(|share| self.height(step, share))
        });
        let atoms = self.atoms.iter().flat_map(|atom| [atom.share_d, atom.share_d_prime]);
        steps.chain(atoms).fold(0.0, f64::max)
    }
}

pub(super) fn draw(sheet: &mut Sheet, numbers: &Numbers, statistic: &str) {
    let title = if statistic.is_empty() { "outcome" } else { statistic };
    let x = Axis::linear(numbers.range.0, numbers.range.1, cut(&visible(title), 32));
    let measured = match numbers.measure {
        Measure::Density => "density",
        Measure::Share => "share of each bin",
        Measure::Values => "share of each value",
    };
    let mut chart = sheet.chart(x, Axis::from_zero(numbers.highest(), measured));
    let mut regions: Vec<(f64, f64, Guess)> = Vec::new();
    for step in &numbers.steps {
        match regions.last_mut() {
            Some(last) if last.2 == step.says && last.1 == step.from => last.1 = step.to,
            _ => regions.push((step.from, step.to, step.says)),
        }
    }
    regions.extend(numbers.atoms.iter().map(|atom| (atom.at, atom.at, atom.says)));
    for guess in [Guess::D, Guess::DPrime] {
        for (from, to, _) in regions.iter().filter(|region| region.2 == guess) {
            shade(&chart, (*from, *to), guess);
        }
    }
    let height = |share: fn(&Step) -> f64| move |step: &Step| numbers.height(step, share(step));
    chart.line(Style::LineD, outline(&numbers.steps, height(|step| step.share_d)));
    chart.line(Style::LineDPrime, outline(&numbers.steps, height(|s| s.share_d_prime)));
    for atom in numbers.atoms.iter() {
        stem(&chart, (atom.at, atom.share_d), false);
    }
    for atom in numbers.atoms.iter() {
        stem(&chart, (atom.at, atom.share_d_prime), true);
    }
}

/// Shades where the witness says something, wide enough to be seen, under a strip at the top.
fn shade(chart: &Chart, (from, to): (f64, f64), guess: Guess) {
    let Some((fill, strip, _)) = region(guess) else { return };
    let ((left, bottom), (right, top)) = (chart.place((from, 0.0)), chart.place((to, f64::MAX)));
    let widen = (15 - (right - left)).max(0) / 2;
    // The strips are at two heights: one who sees no colours tells them apart.
    let strip_top = top + if guess == Guess::D { 0 } else { 10 };
    for (style, top, bottom) in [(fill, top, bottom), (strip, strip_top, strip_top + 6)] {
        chart.rectangle(style, (left - widen, top), (right + widen, bottom));
    }
}

/// A stem: under D a thin bar to the left of its place, under D' a hollow one to the right.
fn stem(chart: &Chart, (at, share): (f64, f64), prime: bool) {
    if share <= 0.0 {
        return;
    }
    // What was seen at all is at least a thin line.
    let height = (chart.place((at, 0.0)).1 - chart.place((at, share)).1).max(3);
    let (style, left) = if prime { (Style::BarDPrime, 0) } else { (Style::BarD, -5) };
    let bar = Rectangle::new([(left, -height), (left + 5, 0)], style.filled());
    chart.draw(&(EmptyElement::at((at, 0.0)) + bar));
}

/// The outline of the steps; it goes down to 0 where there is a gap between two.
fn outline(steps: &[Step], height: impl Fn(&Step) -> f64) -> Vec<(f64, f64)> {
    let mut points = Vec::with_capacity(2 * steps.len() + 2);
    let mut end = None;
    for step in steps {
        if end != Some(step.from) {
            points.extend(end.map(|at| (at, 0.0)));
            points.push((step.from, 0.0));
        }
        points.extend([(step.from, height(step)), (step.to, height(step))]);
        end = Some(step.to);
    }
    points.extend(end.map(|at| (at, 0.0)));
    points
}

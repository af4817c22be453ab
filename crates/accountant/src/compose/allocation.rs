//! A row that is in one of t steps, each as likely (random allocation, balls in bins): the mean of P in one step and Q in
//! the others, against Q in all. With X the likelihood ratio of a step under Q, that of the whole is the mean of t of
//! them, and the profile of either direction is an expectation of a convex function of it: so a law of X that is more
//! spread, on a lattice of X itself, has the larger profile, and one that is less spread the smaller (Feldman, Shenfeld
//! 2026; Chua and others 2025 for Gaussian noise).

use crate::component::pair::{LawPair, LawPart};
use crate::compose::window::{Composed, Transforms, WindowPlace};
use crate::discretise::lattice::LossLattice;
use crate::discretise::product::{Cumulants, Factor, Product};

/// Most points of a window, and where its step would be wide next to 1.
const MOST: [usize; 2] = [1 << 20, 1 << 22];
const WIDE_STEP: f64 = 0.02;
/// Distance of the losses of atoms that are kept: at most this, and this share of their standard deviation.
const NEAR: [f64; 2] = [1e-4, 2e-3];
/// Share of what is lost that errors may have where there is nothing.
const LITTLE: f64 = 0.05;
/// So few atoms are all kept.
const FEW: usize = 1 << 12;
/// Distance of lattice points where X is large, relative to X.
const WIDE: f64 = 2e-4;
/// The largest ratio that is resolved.
const LARGEST: f64 = 1e7;
/// Most windows, and tilts that are tried, each half as large as the one before.
const WINDOWS: usize = 3;
const HALVINGS: usize = 10;
/// Bound on the relative error of a ratio.
const ROUNDING: f64 = 1e-14;
/// Bound on the relative error of each mass that is cut from a density.
const MASS_ERROR: f64 = 5e-13;

/// The pair of the mean of `steps` likelihood ratios of a pair, from above and from below. Probability of about `cut` is
/// not resolved.
pub(crate) fn mean_of_steps(
    (upper, lower): (&LawPair, Option<&LawPair>),
    steps: u64,
    cut: f64,
) -> (LawPair, Option<LawPair>) {
    let (upper, lower) = rayon::join(
        || mean(upper, steps, cut, true),
        || lower.map(|lower| mean(lower, steps, cut, false)),
    );
    (upper, lower)
}

fn mean(pair: &LawPair, steps: u64, cut: f64, is_upper: bool) -> LawPair {
    // Where the largest ratios would make the step wide, less of them is resolved.
    let mut cuts = [1.0, 1e2, 1e4].into_iter().map(|more| more * cut);
    let fits = |cut: &f64| largest(pair, *cut) < WIDE_STEP * MOST[1] as f64;
    let cut = cuts.find(fits).unwrap_or(1e4 * cut);
    let most = largest(pair, cut).min(LARGEST);
    let outside = (0.01 * cut).ln().clamp(-90.0, -25.0);
    let mut step = most / MOST[0] as f64;
    loop {
        // The largest ratio may be an atom: it is on the lattice.
        step = most / (most / step).ceil();
        let (law, infinite) = ratios(pair, (step, most), is_upper);
        let factor = Factor { law, count: steps, mass_error: MASS_ERROR, loss_error: 0.0 };
        let product = Product { step, factors: vec![factor] };
        let points = MOST[usize::from(step > WIDE_STEP)];
        let windows = windows(&product, (outside, points));
        if !windows.is_empty() {
            let ends = ends(&product.factors[0].law, steps);
            let mean = Mean { windows, step, steps: steps as f64, ends, infinite, is_upper };
            return LawPair::Atoms { parts: thinned(&mean.law(), is_upper), spacing: None };
        }
        step *= 1.5;
    }
}

/// The least and the greatest sum that has a mass, as points.
fn ends(law: &LossLattice, steps: u64) -> (i64, i64) {
    let masses = || law.points.iter().zip(&law.masses).filter(|(_, mass)| **mass > 0.0);
    let of = |point: Option<(&i64, &f64)>| point.map_or(0, |(point, _)| *point);
    // At most 10⁶ steps, and a few million points.
    let steps = i64::try_from(steps).unwrap_or(i64::MAX);
    (steps * of(masses().next()), steps * of(masses().next_back()))
}

/// The ratio beyond which P has no more than `cut`.
fn largest(pair: &LawPair, cut: f64) -> f64 {
    let mut beyond = 0.0;
    let mut parts = pair.atoms();
    parts.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let kept = parts.into_iter().find(|part| {
        beyond += part.p;
        beyond > cut && part.loss < f64::INFINITY
    });
    let end = if let LawPair::Atoms { .. } = pair { f64::NEG_INFINITY } else { pair.range(cut).1 };
    kept.map_or(end, |part| part.loss.max(end)).min(600.0).exp()
}

/// Windows of the sum: without a tilt, which must fit, and under the largest tilts that leave it in about its place.
fn windows(product: &Product, (outside, points): (f64, usize)) -> Vec<Composed> {
    let compose = |lambda: f64, points: usize| {
        let rough = |lambda: f64| product.cumulants(lambda);
        let place = WindowPlace::around(product, rough, lambda, (outside, points))?;
        Some(Composed::new(product, place, &Transforms::of(place.length)))
    };
    let Some(first) = compose(0.0, points) else { return Vec::new() };
    let (mut lambda, end) = (2.0 / product.cumulants(0.0).variance.sqrt(), first.end());
    let mut windows = vec![first];
    for _ in 0..HALVINGS {
        // Where large ratios are rare, but decide under a tilt, its window is elsewhere, or too wide.
        if windows.len() < WINDOWS && product.cumulants(lambda).mean < product.step * end as f64 {
            windows.extend(compose(lambda, 2 * points));
        }
        lambda *= 0.5;
    }
    windows
}

/// Atoms whose losses are no nearer to each other than matters: those between are put together, and for a law from above
/// split between the two at the ends such that their masses stay.
fn thinned(parts: &[LawPart], is_upper: bool) -> Vec<LawPart> {
    if parts.len() <= FEW {
        return parts.to_vec();
    }
    let finite = parts.iter().filter(|part| part.loss.is_finite());
    let Cumulants { variance, .. } = Cumulants::of(finite.map(|part| (part.q, part.loss)), 0.0);
    let near = NEAR[0].min(NEAR[1] * variance.sqrt());
    let mut thin: Vec<LawPart> = Vec::new();
    let mut rest = parts;
    while let Some(first) = rest.first() {
        let count = rest.partition_point(|part| part.loss <= first.loss + near).max(1);
        let (group, after) = rest.split_at(count);
        rest = after;
        let sum = |of: fn(&LawPart) -> f64| group.iter().map(of).sum::<f64>();
        let (p, q, last) = (sum(|part| part.p), sum(|part| part.q), group[count - 1]);
        if count < 3 {
            thin.extend(group);
        } else if first.loss == last.loss {
            thin.push(LawPart { p, q, loss: first.loss });
        } else if is_upper {
            let (low, high) = (first.loss.exp(), last.loss.exp());
            let far = ((p - q * low) / (high - low)).clamp(0.0, q);
            let of = |q: f64, loss: f64, x: f64| LawPart { p: q * x, q, loss };
            thin.extend([of(q - far, first.loss, low), of(far, last.loss, high)]);
        } else {
            thin.push(LawPart { p, q, loss: (p / q).ln().clamp(first.loss, last.loss) });
        }
    }
    thin
}

/// The law of X under Q on multiples of a step, and the P-probability beyond the last.
fn ratios(pair: &LawPair, (step, most): (f64, f64), is_upper: bool) -> (LossLattice, f64) {
    // The largest ratio is a whole number of steps.
    #[allow(clippy::cast_possible_truncation)]
    let last = (most / step).round() as i64;
    let (mut points, mut at) = (vec![0_i64], 0);
    if let LawPair::Atoms { parts, .. } = pair {
        // Those around each ratio.
        let around = |part: &LawPart| {
            #[allow(clippy::cast_possible_truncation)]
            let point = (part.loss.exp().min(most) / step).floor() as i64;
            [point, point + 1]
        };
        points.extend(parts.iter().flat_map(around).filter(|&point| point < last).chain([last]));
        points.sort_unstable();
        points.dedup();
        at = last;
    }
    while at < last {
        // At least 1, and far below 2^62.
        #[allow(clippy::cast_possible_truncation)]
        let mut gap = 1_i64 << (WIDE * at as f64).max(1.0).log2() as u32;
        while at % gap != 0 || at + gap > last {
            gap >>= 1;
        }
        at += gap;
        points.push(at);
    }
    let x = |point: i64| step * point as f64;
    let mut parts: Vec<LawPart> = pair.atoms();
    let mut infinite: f64 = parts.iter().filter(|it| it.loss == f64::INFINITY).map(|it| it.p).sum();
    let end = x(at) * (1.0 + 1e-12);
    infinite += parts
        .iter()
        .filter(|it| it.loss.is_finite() && it.loss.exp() > end)
        .map(|it| it.p)
        .sum::<f64>();
    parts.retain(|part| part.loss.exp() <= end && part.q > 0.0);
    for two in points.windows(2) {
        let (low, high) = (x(two[0]), x(two[1]));
        let places = [low, 0.5 * (low + high), high].map(|x| pair.place(x.ln()));
        parts.extend(places.windows(2).filter_map(|two| pair.part(two[0], two[1])));
    }
    let beyond = pair.part(pair.place(x(at).ln()), pair.place(f64::INFINITY));
    infinite += beyond.map_or(0.0, |part| part.p);
    // Beside the last point by rounding only.
    let ratio = |part: &LawPart| match part.loss.exp() {
        ratio if ratio > x(at) * (1.0 - ROUNDING) => x(at),
        ratio => ratio,
    };
    let mut ratios: Vec<(f64, f64)> = parts.iter().map(|it| (it.q, ratio(it))).collect();
    ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
    let masses = if is_upper { spread(&points, x, &ratios) } else { gathered(&points, x, &ratios) };
    (LossLattice { step, offset: 0.0, points, masses, infinite: 0.0 }, infinite)
}

/// Splits each mass between the points around it, such that its mean stays.
fn spread(points: &[i64], x: impl Fn(i64) -> f64, ratios: &[(f64, f64)]) -> Vec<f64> {
    let (mut masses, mut at) = (vec![0.0; points.len()], 0);
    for &(mass, ratio) in ratios {
        while at + 2 < points.len() && x(points[at + 1]) <= ratio {
            at += 1;
        }
        let (low, high) = (x(points[at]), x(points[at + 1]));
        let share = ((ratio - low) / (high - low)).clamp(0.0, 1.0);
        masses[at] += mass * (1.0 - share);
        masses[at + 1] += mass * share;
    }
    masses
}

/// Puts masses together, in order, until their mean is a point. What does not reach one is left out.
fn gathered(points: &[i64], x: impl Fn(i64) -> f64, ratios: &[(f64, f64)]) -> Vec<f64> {
    let mut masses = vec![0.0; points.len()];
    // The group: its mass, its Σ q (X − point) <= 0, and its point.
    let (mut group, mut lack, mut at) = (0.0, 0.0, 0);
    let last = points.len() - 1;
    for &(mut mass, ratio) in ratios {
        if ratio == x(points[last]) && (group == 0.0 || at == last) {
            masses[last] += mass;
            continue;
        }
        while mass > 0.0 {
            while group == 0.0 && at < points.len() && x(points[at]) < ratio {
                at += 1;
            }
            let Some(&point) = points.get(at) else { return masses };
            let gain = mass * (ratio - x(point));
            if lack + gain <= 0.0 {
                (group, lack, mass) = (group + mass, lack + gain, 0.0);
                if lack == 0.0 {
                    masses[at] += group;
                    group = 0.0;
                }
            } else {
                let share = -lack / gain;
                masses[at] += group + share * mass;
                (group, lack, mass) = (0.0, 0.0, mass * (1.0 - share));
                at += 1;
            }
        }
    }
    masses
}

/// The windows of a sum, of each of which the points are taken where its error is the smallest.
struct Mean {
    windows: Vec<Composed>,
    step: f64,
    steps: f64,
    /// The first point and the last of the sum.
    ends: (i64, i64),
    /// P-probability of a step that is not on the lattice.
    infinite: f64,
    is_upper: bool,
}

impl Mean {
    fn law(&self) -> Vec<LawPart> {
        // Nothing is beyond the ends of the sum but errors.
        let first = self.windows[0].first.max(self.ends.0);
        let mut parts = Vec::new();
        // Squares of what the errors of each window weigh, for P and for Q, and the most that one of them weighs.
        let mut errors = vec![[0.0_f64; 4]; self.windows.len()];
        let mut end = first;
        for point in first..=self.ends.1 {
            end = point + 1;
            let sum = self.step * point as f64;
            let size = |window: &Composed| window.scale - window.lambda * sum;
            let inside = self.windows.iter().enumerate().filter(|(_, it)| it.has(point));
            let error = |it: &Composed| (it.error + it.outside).ln() + size(it);
            let best = inside.min_by(|a, b| error(a.1).total_cmp(&error(b.1)));
            let Some((place, window)) = best else {
                end = point;
                break;
            };
            let (ratio, weight) = (sum / self.steps, size(window).exp());
            let mass = window.mass(point) * weight;
            let [p, q, most_p, most_q] = &mut errors[place];
            (*p, *q) = (*p + (ratio * weight) * (ratio * weight), *q + weight * weight);
            (*most_p, *most_q) = (most_p.max(ratio * weight), most_q.max(weight));
            if mass > 0.0 && (ratio > 0.0 || self.is_upper) {
                let ratio = ratio.max(0.0);
                parts.push(LawPart { p: ratio * mass, q: mass, loss: ratio.ln() });
            }
        }
        let lost = |at: usize| {
            let of = |(window, error): (&Composed, &[f64; 4])| {
                window.error * error[at].sqrt() + window.outside * error[at + 2]
            };
            self.windows.iter().zip(&errors).map(of).sum::<f64>()
        };
        let (mut lost_p, mut lost_q) = (lost(0), lost(1));
        // Errors where there is nothing: all together they are little next to what is lost.
        let least = [lost_p, lost_q].map(|lost| LITTLE * lost / parts.len() as f64);
        parts.retain(|part| part.p >= least[0] || part.q >= least[1]);
        if self.is_upper {
            (lost_p, lost_q) = ((1.0 + LITTLE) * lost_p, (1.0 + LITTLE) * lost_q);
        }
        let relative = self.windows.iter().map(|window| window.relative).fold(0.0, f64::max);
        let relative = relative + 4.0 * ROUNDING;
        if self.is_upper {
            self.raise(&mut parts, (lost_p, lost_q, end), relative);
        } else {
            self.lower(&mut parts, (lost_p, lost_q), relative);
        }
        parts
    }

    /// Tells for certain whatever is lost.
    fn raise(
        &self,
        parts: &mut Vec<LawPart>,
        (lost_p, lost_q, end): (f64, f64, i64),
        relative: f64,
    ) {
        // Beyond the windows, X is at most the mean of the largest ratios.
        let first = &self.windows[0];
        let past = |it: &Composed| {
            let last = self.step * it.end() as f64;
            (it.end() <= end).then(|| it.outside * (it.scale - it.lambda * last).exp())
        };
        let past = if end > self.ends.1 {
            0.0
        } else {
            self.windows.iter().filter_map(past).fold(f64::INFINITY, f64::min)
        };
        let beyond = past * first.greatest / self.steps;
        for part in parts.iter_mut() {
            (part.p, part.q) = (part.p * relative.exp(), part.q * relative.exp());
        }
        let never = lost_q + first.outside;
        parts.insert(0, LawPart { p: 0.0, q: never, loss: f64::NEG_INFINITY });
        let sure = self.infinite + lost_p + beyond;
        parts.push(LawPart { p: sure.min(1.0), q: 0.0, loss: f64::INFINITY });
    }

    /// Leaves out outcomes at both ends, until the profiles there have fallen by as much as may be lost.
    ///
    /// At the end of the sum itself the error of a profile is at most the distance from that end times what is lost of Q:
    /// an atom there need not fall by more.
    fn lower(&self, parts: &mut Vec<LawPart>, (lost_p, lost_q): (f64, f64), relative: f64) {
        let [least, greatest] =
            [self.ends.0, self.ends.1].map(|end| (self.step * end as f64 / self.steps).ln());
        match parts.last_mut() {
            Some(last) if last.loss == greatest && last.q > lost_q => last.take(lost_q),
            _ => leave_out(parts, lost_p),
        }
        let reversed = |parts: &mut Vec<LawPart>| {
            parts.iter_mut().for_each(|part| *part = part.reversed());
            parts.reverse();
        };
        match parts.first_mut() {
            Some(first) if first.loss == least && first.q > lost_q => first.take(lost_q),
            _ => {
                reversed(parts);
                leave_out(parts, lost_q);
                reversed(parts);
            }
        }
        for part in parts {
            (part.p, part.q) = (part.p * (-relative).exp(), part.q * (-relative).exp());
        }
    }
}

/// Leaves out the last outcomes, until δ at the loss of the last one kept, Σ (p − q X), has fallen by as much as is lost.
fn leave_out(parts: &mut Vec<LawPart>, lost: f64) {
    let (mut p, mut q) = (0.0, 0.0);
    while let Some(last) = parts.last() {
        if p - q * last.loss.exp() >= lost {
            break;
        }
        (p, q) = (p + last.p, q + last.q);
        parts.pop();
    }
}

#[cfg(test)]
#[path = "../../tests/unit/allocation.rs"]
mod tests;

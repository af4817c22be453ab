//! The privacy-loss distribution.

use super::about::{counted, named, proved_only};
use super::axis::Axis;
use super::canvas::{Chart, LegendKey, PlotSheet};
use super::series::Series;
use super::svg::{Plot, PlotKind};
use crate::report::words::{brief, percent};
use plaudit_core::finding::{Finding, Loss, LossPoint, Verdict};

/// Bars between the ends of the axis; odd, so that a loss of 0 is in the middle of one.
const BARS: usize = 49;

/// Shares of outcomes by their estimated loss ln(P/Q), under D as bars and under D' as an outline,
/// with lines at ± the claim's ε; outcomes seen on one side only are apart, at ±∞.
pub fn loss(finding: &Finding) -> Option<Plot> {
    let claimed = finding.claim.reference_epsilon;
    let bars = Bars::new(&finding.loss, claimed);
    if bars.d.iter().chain(&bars.d_prime).all(|share| *share == 0.0) {
        return None;
    }
    let mut sheet = PlotSheet::new();
    sheet.legend(&keys(finding, bars.holds(claimed)));
    if let Some(sentence) = note(finding) {
        sheet.note(sentence);
    }
    let mut chart = sheet.chart(bars.x(), bars.y(claimed));
    for bar in (0..bars.d.len()).filter(|bar| bars.d[*bar] > 0.0) {
        let (left, right) = bars.span(bar);
        chart.bar(Series::BarsD.style(), (left, bars.d[bar]), (right, 0.0));
    }
    draw_d_prime(&mut chart, &bars);
    if bars.holds(claimed) {
        for at in [-claimed, claimed] {
            chart.line(Series::Claim.style(), [(at, 0.0), (at, f64::INFINITY)]);
        }
    }
    let says = beyond(&finding.loss, claimed);
    let says = match note(finding) {
        Some(sentence) => format!("{says}. {}", sentence.trim_end_matches('.')),
        None => says,
    };
    Some(sheet.done(PlotKind::Loss, &named(finding), says))
}

/// Share of the loss beyond the claim's ε: by the laws where they are known, else by the counts.
pub fn beyond(loss: &Loss, claimed: f64) -> String {
    let exact = loss.tail.iter().find(|point| point.epsilon == claimed).and_then(|p| p.exact);
    match exact {
        Some(exact) => {
            format!(
                "the loss exceeds the claim’s ε = {} with probability {}",
                brief(claimed),
                percent(exact)
            )
        }
        None if share(loss.exceeds_epsilon).max(share(loss.exceeds_epsilon_reverse)) == 0.0 => {
            format!("outcomes beyond the claim’s ε = {} are within sampling error", brief(claimed))
        }
        None => format!(
            "by more than chance, the loss exceeds the claim’s ε = {} for an estimated {} of the outcomes under D and \
             {} under D′",
            brief(claimed),
            percent(share(loss.exceeds_epsilon)),
            percent(share(loss.exceeds_epsilon_reverse))
        ),
    }
}

/// Reason why a violation is invisible beyond the claim's ε, if it is.
fn note(finding: &Finding) -> Option<&'static str> {
    let beyond = finding.loss.exceeds_epsilon > 0.0 || finding.loss.exceeds_epsilon_reverse > 0.0;
    let claim = finding.claim.claim.as_epsilon_delta();
    let at = finding.claim.reference_epsilon;
    let drawn = |point: &LossPoint| point.loss.is_none_or(|loss| loss.abs() > at);
    let drawn = finding.loss.distribution.iter().any(drawn);
    match finding.verdict {
        Verdict::Violated if proved_only(finding).is_some() => proved_only(finding),
        Verdict::Violated if claim.is_none_or(|(_, delta)| delta > 0.0) => Some(
            "This plot cannot show the violation: the claim allows some loss beyond ±ε. The privacy \
             profile shows how much.",
        ),
        Verdict::Violated if !(beyond && counted(finding)) => Some(
            "This plot cannot show the violation: no single bin is beyond ±ε by more than chance; \
             all that the witness names are, together.",
        ),
        Verdict::Violated => None,
        _ if drawn && !beyond => {
            Some("Bars beyond ±ε are within sampling error (4 standard errors).")
        }
        _ => None,
    }
}

fn keys(finding: &Finding, on_the_chart: bool) -> Vec<LegendKey> {
    let claim = &finding.claim;
    let at = match claim.claim.as_epsilon_delta() {
        None => format!(" at δ = {}", brief(claim.reference_delta)),
        Some(_) => String::new(),
    };
    let off = if on_the_chart { "" } else { ", off the chart" };
    vec![
        LegendKey::of(Series::BarsD),
        LegendKey::of(Series::LineDPrime),
        LegendKey::with(
            Series::Claim,
            &format!(": ε = ±{}{at}{off}", brief(claim.reference_epsilon)),
        ),
    ]
}

/// The distribution in bars: the first is −∞, the last +∞, those between are equally wide.
struct Bars {
    /// Largest finite loss on the axis.
    reach: f64,
    d: Vec<f64>,
    d_prime: Vec<f64>,
}

impl Bars {
    fn new(loss: &Loss, claimed: f64) -> Self {
        let reach = reach(loss, claimed);
        let mut bars = Self { reach, d: vec![0.0; BARS + 2], d_prime: vec![0.0; BARS + 2] };
        for point in &loss.distribution {
            let bar = match point.loss {
                Some(at) if at.is_finite() => bars.bar(at),
                _ if share(point.share_d) > 0.0 => BARS + 1,
                _ => 0,
            };
            bars.d[bar] += share(point.share_d);
            bars.d_prime[bar] += share(point.share_d_prime);
        }
        bars
    }

    fn bar(&self, loss: f64) -> usize {
        let place = (loss / self.reach + 1.0) / 2.0 * BARS as f64;
        1 + (place.max(0.0) as usize).min(BARS - 1)
    }

    fn holds(&self, loss: f64) -> bool {
        loss.abs() <= self.reach
    }

    fn width(&self) -> f64 {
        2.0 * self.reach / BARS as f64
    }

    /// Ends of a bar; those at ±∞ are wider and apart.
    fn span(&self, bar: usize) -> (f64, f64) {
        let (gap, wide) = (2.0 * self.width(), 3.0 * self.width());
        match bar {
            0 => (-self.reach - gap - wide, -self.reach - gap),
            bar if bar == BARS + 1 => (self.reach + gap, self.reach + gap + wide),
            bar => {
                let left = -self.reach + (bar - 1) as f64 * self.width();
                (left, left + self.width())
            }
        }
    }

    /// The axis of the loss; ±∞ are on it only if something was seen there.
    fn x(&self) -> Axis {
        let seen = |bar: usize| self.d[bar] > 0.0 || self.d_prime[bar] > 0.0;
        let mut axis = Axis::linear(-self.reach, self.reach, "privacy loss ln(P/Q)");
        // A label needs the width of ten bars: those that would touch "±∞" give way.
        let room = self.reach - 4.0 * self.width();
        axis.range = (-self.reach - self.width(), self.reach + self.width());
        if seen(0) {
            let (left, right) = self.span(0);
            axis.range.0 = left - self.width();
            axis.ticks.retain(|(at, _)| *at >= -room);
            axis.ticks.insert(0, ((left + right) / 2.0, "−∞".into()));
        }
        if seen(BARS + 1) {
            let (left, right) = self.span(BARS + 1);
            axis.range.1 = right + self.width();
            axis.ticks.retain(|(at, _)| *at <= room);
            axis.ticks.push(((left + right) / 2.0, "∞".into()));
        }
        axis
    }

    /// The axis of shares: logarithmic if there is a share beyond ± the claim's ε, or apart at
    /// ±∞, that a linear axis would hide.
    fn y(&self, claimed: f64) -> Axis {
        let title = "share of outcomes";
        let all = || self.d.iter().chain(&self.d_prime).copied();
        let high = all().fold(0.0, f64::max);
        let beyond = |bar: &usize| {
            let (left, right) = self.span(*bar);
            left >= claimed - self.width() / 2.0 || right <= -claimed + self.width() / 2.0
        };
        let hidden = [&self.d, &self.d_prime].into_iter().any(|shares| {
            let far = (1..=BARS).filter(beyond).map(|bar| shares[bar]).sum();
            [shares[0], far, shares[BARS + 1]].iter().any(|far| *far > 0.0 && *far < 0.02 * high)
        });
        if hidden {
            let low = all().filter(|share| *share > 0.0).fold(f64::INFINITY, f64::min);
            Axis::log(low, high, title)
        } else {
            Axis::from_zero(high, title)
        }
    }
}

/// A loss that holds nearly everything that was seen, and the claim if it is not out of all
/// proportion.
fn reach(loss: &Loss, claimed: f64) -> f64 {
    let finite = loss.distribution.iter().filter_map(|p| p.loss).filter(|at| at.is_finite());
    let seen = finite.fold(0.0, |most: f64, at| most.max(at.abs())).min(1e6);
    let claim_fits = claimed.is_finite() && claimed <= (20.0 * seen).max(2.0);
    let reach = if claim_fits { seen.max(claimed) } else { seen };
    // Six digits are distinguishable on an axis; a loss of 0 still needs a width.
    if reach > 1e-6 { reach * 1.06 } else { 0.1 }
}

fn share(value: f64) -> f64 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
}

/// An outline, as high as the shares.
fn draw_d_prime(chart: &mut Chart, bars: &Bars) {
    let mut outline: Vec<(f64, f64)> = Vec::new();
    for bar in 0..=bars.d_prime.len() {
        let share = bars.d_prime.get(bar).copied().unwrap_or(0.0);
        if share > 0.0 {
            let (left, right) = bars.span(bar);
            if outline.is_empty() {
                outline.push((left, 0.0));
            }
            outline.extend([(left, share), (right, share)]);
        }
        let apart = share <= 0.0 || bar == 0 || bar == BARS;
        if let Some(last) = outline.last().copied()
            && apart
        {
            outline.push((last.0, 0.0));
            chart.line(Series::LineDPrime.style(), std::mem::take(&mut outline));
        }
    }
}

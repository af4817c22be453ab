//! Rényi divergences of events, and the regions of claims that bound them.

use super::polygon::Polygon;

/// Orders at which a claim of ρ-zCDP, which holds at all of them, is compared with events: any choice
/// is sound. α − 1 from 10⁻³ to 10⁶, twelve to a decade.
fn orders() -> impl Iterator<Item = f64> {
    (0..=108).map(|i| 1.0 + 10f64.powf(-3.0 + f64::from(i) / 12.0))
}

/// An event's rate under one dataset, as its logit, so that neither it nor what it lacks to 1 is
/// rounded away.
#[derive(Clone, Copy)]
struct Rate {
    ln: f64,
    ln_of_complement: f64,
}

impl Rate {
    fn of_logit(logit: f64) -> Self {
        let ln_1p_exp = |x: f64| if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() };
        Self { ln: -ln_1p_exp(-logit), ln_of_complement: -ln_1p_exp(logit) }
    }
}

/// D_α(Bern(p) ‖ Bern(q)) = ln(p^α q^(1−α) + (1−p)^α (1−q)^(1−α))/(α − 1) (Rényi 1961; Mironov 2017,
/// Definition 3).
fn divergence(order: f64, p: Rate, q: Rate) -> f64 {
    let term = |p: f64, q: f64| order * p - (order - 1.0) * q;
    let (a, b) = (term(p.ln, q.ln), term(p.ln_of_complement, q.ln_of_complement));
    let (most, least) = (a.max(b), a.min(b));
    (most + (least - most).exp().ln_1p()) / (order - 1.0)
}

/// The Rényi divergence of order α > 1 between the two laws of an event: probability `p` under one
/// dataset and `q` under the other, both in (0, 1).
pub fn event_divergence(order: f64, p: f64, q: f64) -> f64 {
    let rate = |p: f64| Rate { ln: p.ln(), ln_of_complement: (-p).ln_1p() };
    divergence(order, rate(p), rate(q)).max(0.0)
}

/// The region of a bound on D_α, both ways, at each of these orders (α, bound): by data processing no
/// event's divergence may exceed it.
pub(super) fn region(curve: &[(f64, f64)]) -> Polygon {
    Polygon::around(|q| most_power(curve, q))
}

/// The region of ρ-zCDP (Bun, Steinke 2016, Definition 1.1): D_α <= ρα for all α > 1.
pub(super) fn concentrated_region(rho: f64) -> Polygon {
    let curve: Vec<(f64, f64)> = orders().map(|order| (order, rho * order)).collect();
    region(&curve)
}

/// The largest p that is allowed at q in (0, 1), rounded up.
fn most_power(curve: &[(f64, f64)], q: f64) -> f64 {
    let start = (q / (1.0 - q)).ln();
    let rate_q = Rate::of_logit(start);
    let mut last_broken = 0;
    // The divergence grows with p >= q, both ways.
    let mut allowed = |logit: f64| {
        let p = Rate::of_logit(logit);
        let breaks = |at: usize| {
            let (order, bound) = curve[at];
            // Rounding may only widen the region.
            let bound = bound * (1.0 + 1e-9) + 1e-13 / (order - 1.0);
            divergence(order, p, rate_q) > bound || divergence(order, rate_q, p) > bound
        };
        if breaks(last_broken) {
            return false;
        }
        match (0..curve.len()).find(|&at| breaks(at)) {
            Some(at) => {
                last_broken = at;
                false
            }
            None => true,
        }
    };
    let (mut low, mut high) = (start, start.abs() + 750.0);
    if allowed(high) {
        return 1.0;
    }
    while high - low > 1e-11 * high.abs().max(1.0) {
        let middle = 0.5 * (low + high);
        if allowed(middle) { low = middle } else { high = middle }
    }
    Rate::of_logit(high).ln.exp()
}

//! Closed forms: the privacy profile of noise added to real numbers, by its formula.

use super::enclose::{Enclosure, decimal, double_above, double_below};
use super::held::Held;
use super::moments::{self, concentrated};
use super::normal::cdf;
use crate::claim::{Claim, Form, SLACK};
use crate::dataset::Relation;
use crate::mechanism::AddedNoise;
use crate::mechanism::choice::Rational;
use crate::report::{Bracket, Decision, Proof, ProofDomain, ProofMethod, ProofPoint};
use dashu_int::ops::SquareRoot;
use dashu_int::{IBig, UBig};

/// How far neighbors' answers move, over the size of the noise.
struct Shift {
    noise: AddedNoise,
    /// Δ₁/scale, or Δ₂/σ.
    size: Enclosure,
    /// Whether one entry can move all the way.
    in_one_entry: bool,
    /// Whether all entries can move as far as any.
    all_entries: bool,
    entries: u32,
}

/// Relative excess of a claim's numbers that is allowed for: noise is calibrated in doubles.
const CALIBRATION: f64 = 1e-12;
/// Steps of the profile up to the claim's ε, and beyond.
const STEPS: [u32; 2] = [8, 2];

/// Proves or refutes a claim of real noise that is added to each of so many numbers, for all lists of
/// so many that are neighbors under a distance. `None` if the relation is no distance, or nothing
/// is known of such a claim.
///
/// Laplace: (Δ₁/b)-DP, and δ(ε) = 1 − e^((ε − a)/2) for a shift of a = Δ₁/b in one entry (Balle,
/// Barthe, Gaboardi 2018, Theorem 3). Gaussian: δ(ε) = Φ(a/2 − ε/a) − e^ε Φ(−a/2 − ε/a) for a =
/// Δ₂/σ (Balle & Wang 2018, Theorem 8), which is a-GDP. Rényi divergences as in `Shift::renyi`.
pub fn prove_closed(
    noise: AddedNoise,
    relation: &Relation,
    entries: usize,
    claim: &Claim,
) -> Option<Proof> {
    let shift = Shift::new(noise, relation, u32::try_from(entries).ok()?)?;
    let (epsilon, delta) = claim.reference_point();
    let raised = |x: f64| x * (1.0 + CALIBRATION);
    let (decision, is_raised) = match (shift.held(claim, &|x| x)?, shift.held(claim, &raised)?) {
        (Held::Yes, _) => (Decision::Verified, false),
        (_, Held::Yes) => (Decision::Verified, true),
        (_, Held::No) => (Decision::Refuted, false),
        (_, Held::Unknown) => (Decision::Undecided, false),
    };
    let bracket = shift.epsilon(delta);
    let at = shift.delta(&rational(epsilon));
    let step = if epsilon > 0.0 { epsilon } else { 0.5 } / f64::from(STEPS[0]);
    let profile = (0..=STEPS[0] + STEPS[1]).map(|at| {
        let epsilon = step * f64::from(at);
        let delta = shift.delta(&rational(epsilon));
        ProofPoint {
            epsilon,
            delta_lower: double_below(&delta.lower).max(0.0),
            delta_upper: double_above(&delta.upper).clamp(0.0, 1.0),
        }
    });
    let words = format!("all lists of {entries} real numbers that are neighbors under {relation}");
    let pure = matches!(noise, AddedNoise::Laplace { .. }) && delta == 0.0;
    Some(Proof {
        method: ProofMethod::ClosedForm,
        decision,
        statement: statement(noise, claim, &words, (decision, is_raised), bracket),
        domain: ProofDomain { words, datasets: None, laws: None, pairs: None },
        budget: None,
        runs: 0,
        unresolved: 0.0,
        epsilon: bracket,
        epsilon_decimal: pure.then(|| decimal(&shift.size.lower, 20)),
        exp_epsilon: None,
        delta: Bracket {
            lower: Some(double_below(&at.lower).max(0.0)),
            upper: Some(double_above(&at.upper).clamp(0.0, 1.0)),
        },
        profile: profile.collect(),
        worst: None,
    })
}

impl Shift {
    fn new(noise: AddedNoise, relation: &Relation, entries: u32) -> Option<Self> {
        let (l1, l2) = match *relation {
            Relation::Histogram => (exact(1.0), exact(1.0)),
            Relation::L1(x) => (exact(x), exact(x)),
            Relation::L2(x) => (root(entries).scaled(&rational(x)), exact(x)),
            Relation::Linf(x) => {
                (exact(x).scaled(&Rational::from(entries)), root(entries).scaled(&rational(x)))
            }
            Relation::Substitution | Relation::AddRemove => return None,
        };
        let (moved, by) = match noise {
            AddedNoise::Laplace { scale } => (l1, scale),
            AddedNoise::Gaussian { sigma } => (l2, sigma),
        };
        let in_one_entry =
            entries == 1 || matches!(relation, Relation::L1(_) | Relation::Histogram);
        let size = moved.scaled(&(Rational::ONE / rational(by)));
        let all_entries = matches!(relation, Relation::Linf(_));
        Some(Self { noise, size, in_one_entry, all_entries, entries })
    }

    /// δ(ε) of the worst pair.
    fn delta(&self, epsilon: &Rational) -> Enclosure {
        match self.noise {
            AddedNoise::Gaussian { .. } => {
                // It rises with the shift.
                let exp = Enclosure::exp(epsilon);
                let at = |a: &Rational| {
                    let (half, steep) = (a / Rational::from(2), epsilon / a);
                    let (near, far) = (cdf(&(&half - &steep)), cdf(&-(half + steep)));
                    Enclosure {
                        lower: near.lower - &exp.upper * far.upper,
                        upper: near.upper - &exp.lower * far.lower,
                    }
                };
                let (lower, upper) = (at(&self.size.lower).lower, at(&self.size.upper).upper);
                Enclosure { lower: lower.max(Rational::ZERO), upper: upper.max(Rational::ZERO) }
            }
            AddedNoise::Laplace { .. } => {
                let (a, two) = (&self.size, Rational::from(2));
                let one_entry = |a: &Rational| Enclosure::exp(&((epsilon - a) / &two));
                let lower = if *epsilon >= a.lower {
                    Rational::ZERO
                } else if self.in_one_entry {
                    Rational::ONE - one_entry(&a.lower).upper
                } else {
                    // All entries move the same way, and all come out on the near side.
                    let all = Rational::from_parts(1.into(), UBig::ONE << self.entries as usize);
                    all * (Rational::ONE - Enclosure::exp(&(epsilon - &a.lower)).upper)
                };
                let upper = if *epsilon >= a.upper {
                    Rational::ZERO
                } else if self.entries == 1 {
                    Rational::ONE - one_entry(&a.upper).lower
                } else {
                    // What pure a-DP implies (Kairouz, Oh, Viswanath 2015).
                    let (claimed, exp) = (Enclosure::exp(&a.upper), Enclosure::exp(epsilon));
                    Rational::ONE - (Rational::ONE + exp.lower) / (Rational::ONE + claimed.upper)
                };
                Enclosure { lower: lower.max(Rational::ZERO), upper: upper.max(Rational::ZERO) }
            }
        }
    }

    /// Whether a claim holds, its numbers raised by `raised`; `None`: nothing is known of such a claim.
    fn held(&self, claim: &Claim, raised: &dyn Fn(f64) -> f64) -> Option<Held> {
        let point = |(epsilon, delta): (f64, f64)| {
            self.within(&exact(raised(epsilon)), &rational(raised(delta).min(1.0)))
        };
        let renyi = |order: f64, bound: f64| self.renyi(order, &rational(bound));
        let all = |held: &mut dyn Iterator<Item = Held>| held.fold(Held::Yes, Held::and);
        if let Some(claimed) = claim.as_epsilon_delta().filter(|_| claim.group_size() == 1) {
            return Some(point(claimed));
        }
        match claim.form() {
            Form::Profile { points } => Some(all(&mut points.iter().copied().map(point))),
            Form::Renyi { curve } => {
                Some(all(&mut curve.iter().map(|at| renyi(at.order, raised(at.epsilon)))))
            }
            Form::ZeroConcentrated { rho } => match self.noise {
                AddedNoise::Gaussian { .. } => {
                    let rho = rational(2.0 * raised(*rho));
                    let square = |a: &Rational| a * a;
                    Some(compare(square(&self.size.lower), square(&self.size.upper), &rho))
                }
                AddedNoise::Laplace { .. } => {
                    Some(concentrated(raised(*rho), Some(&self.size.upper), renyi))
                }
            },
            Form::Gaussian { mu } if matches!(self.noise, AddedNoise::Gaussian { .. }) => {
                let (lower, upper) = (self.size.lower.clone(), self.size.upper.clone());
                Some(compare(lower, upper, &rational(raised(*mu))))
            }
            form => {
                let points = form.tradeoff_points(raised(1.0) > 1.0)?;
                Some(all(&mut points.windows(2).map(|pair| self.above_line(pair[0], pair[1]))))
            }
        }
    }

    /// Whether the trade-off function lies above the line through two points: P(S) <= δ + m Q(S) for
    /// all S, with −m the line's slope. Below m = 1 that is said of the complements, Q's roles with
    /// P's: with 1/m and (δ + m − 1)/m, since noise that is added has the same law both ways.
    fn above_line(&self, (a, high): (f64, f64), (b, low): (f64, f64)) -> Held {
        let [a, high, b, low] = [a, high, b, low].map(rational);
        let slope = (&high - &low) / (&b - &a);
        let delta = Rational::ONE - (&high + &slope * &a);
        let (ratio, delta) = if slope >= Rational::ONE {
            (slope, delta)
        } else if slope.is_zero() {
            // A flat line at 0 says nothing, and the claim's are not above it.
            return Held::Yes;
        } else {
            let more = (delta + &slope - Rational::ONE) / &slope;
            (Rational::ONE / slope, more)
        };
        let Some(epsilon) = Enclosure::ln(&ratio) else { return Held::Unknown };
        // Points that are convex but for the slack have lines a little above the claim.
        let slack = rational(4.0 * SLACK);
        match self.within(&epsilon, &delta) {
            Held::No if self.within(&epsilon, &(delta + slack)) != Held::No => Held::Unknown,
            held => held,
        }
    }

    /// Whether δ(ε) <= δ.
    fn within(&self, epsilon: &Enclosure, delta: &Rational) -> Held {
        // Its loss has no bound, though δ(ε) is soon too small to enclose away from 0.
        if delta.is_zero() && matches!(self.noise, AddedNoise::Gaussian { .. }) {
            return Held::No;
        }
        compare(self.delta(&epsilon.upper).lower, self.delta(&epsilon.lower).upper, delta)
    }

    /// Whether D_α <= `bound`, on the worst pair.
    ///
    /// Gaussian: α a²/2 (Mironov 2017, Proposition 7). Laplace in one entry: Proposition 6, a function g of
    /// the shift that is convex with g(0) = 0, so that several entries that share a shift have no more;
    /// n entries that move as far each have n g(a/n).
    fn renyi(&self, order: f64, bound: &Rational) -> Held {
        match self.noise {
            AddedNoise::Gaussian { .. } => {
                let twice = |a: &Rational| rational(order) * a * a;
                compare(twice(&self.size.lower), twice(&self.size.upper), &(bound + bound))
            }
            AddedNoise::Laplace { .. } => {
                let together = moments::laplace(order, &self.size, bound);
                if self.in_one_entry || together == Held::Yes {
                    return together;
                }
                let entries = Rational::from(self.entries);
                let each = self.size.scaled(&(Rational::ONE / &entries));
                match moments::laplace(order, &each, &(bound / entries)) {
                    Held::Yes if !self.all_entries => Held::Unknown,
                    held => held,
                }
            }
        }
    }

    /// ε at a δ, between doubles.
    fn epsilon(&self, delta: f64) -> Bracket {
        if delta == 0.0 {
            return match self.noise {
                AddedNoise::Gaussian { .. } => Bracket { lower: None, upper: None },
                AddedNoise::Laplace { .. } => Bracket {
                    lower: Some(double_below(&self.size.lower)),
                    upper: Some(double_above(&self.size.upper)),
                },
            };
        }
        let delta = rational(delta);
        let above = |epsilon: f64| self.delta(&rational(epsilon)).lower > delta;
        let below = |epsilon: f64| self.delta(&rational(epsilon)).upper <= delta;
        let lower = last(above);
        Bracket { lower: Some(lower.unwrap_or(0.0)), upper: first(below) }
    }
}

/// Largest ε that is looked at.
const LARGEST: f64 = 1e4;
/// Halvings of an interval of ε.
const HALVINGS: u32 = 44;

/// Nearly the last ε >= 0 for which something that ends holds, from below.
fn last(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(0.0) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while high < LARGEST && holds(high) {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    Some(low)
}

/// Nearly the first ε >= 0 from which on something holds, from above.
fn first(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(0.0) {
        return Some(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while !holds(high) {
        if high > LARGEST {
            return None;
        }
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

fn statement(
    noise: AddedNoise,
    claim: &Claim,
    words: &str,
    (decision, raised): (Decision, bool),
    epsilon: Bracket,
) -> String {
    let noise = match noise {
        AddedNoise::Laplace { scale } => format!("Laplace noise of scale {scale}"),
        AddedNoise::Gaussian { sigma } => format!("Gaussian noise of sigma {sigma}"),
    };
    let decision = match decision {
        Decision::Verified if raised => {
            "is verified, its numbers raised by a relative 1e-12 (noise is calibrated in doubles),"
        }
        Decision::Verified => "is verified",
        Decision::Refuted => "is refuted",
        Decision::Undecided => "is neither proved nor refuted",
    };
    let (_, delta) = claim.reference_point();
    let at = if delta == 0.0 { String::new() } else { format!(" at delta = {delta}") };
    let found = match (epsilon.lower, epsilon.upper) {
        (None, _) => format!("epsilon is infinite{at}"),
        (Some(lower), None) => format!("epsilon is at least {lower}{at}"),
        (Some(lower), Some(upper)) => format!("epsilon is in [{lower}, {upper}]{at}"),
    };
    format!(
        "By closed form the claim {claim} {decision} for {noise} on {words}: {found}. This is of \
         noise as real numbers, and of whatever is made of the sum; a sampler in doubles only comes \
         close to it."
    )
}

/// Whether a number between these is at most a bound.
fn compare(lower: Rational, upper: Rational, bound: &Rational) -> Held {
    if upper <= *bound {
        Held::Yes
    } else if lower > *bound {
        Held::No
    } else {
        Held::Unknown
    }
}

fn exact(x: f64) -> Enclosure {
    Enclosure::exact(rational(x))
}

/// √n, to 200 binary digits after the point.
fn root(n: u32) -> Enclosure {
    let scaled = UBig::from(n) << 400;
    let below = scaled.sqrt();
    let more = if &below * &below == scaled { UBig::ZERO } else { UBig::ONE };
    let rational = |value: UBig| Rational::from_parts(IBig::from(value), UBig::ONE << 200);
    Enclosure { lower: rational(below.clone()), upper: rational(below + more) }
}

impl Enclosure {
    /// Times a number of at least 0.
    fn scaled(&self, by: &Rational) -> Self {
        Self { lower: &self.lower * by, upper: &self.upper * by }
    }
}

/// A double as it is.
fn rational(x: f64) -> Rational {
    Rational::try_from(x).unwrap_or(Rational::ZERO)
}

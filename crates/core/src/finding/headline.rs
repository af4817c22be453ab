//! Numbers of a finding, each with how it is known: which one it is about, where it is compared with the claim, and in
//! which words.

use super::power::{Look, Looks};
use super::proof::{Bracket, Decision, Proof};
use super::quantity::{BrokenPoint, Fixed, Headline, Known, Quantity};
use super::value::{ClaimSummary, Finding, Verdict};
use crate::claim::{Form, Region};
use plaudit_accountant::number::{RoundingSide, apart, brief, chosen, lower, upper};

/// Relative difference between what was verified and the claim that is rounding.
const ROUNDING: f64 = 1e-9;

impl Finding {
    /// Finding with its main number in its JSON as well. Findings in reports are complete.
    #[must_use]
    pub fn with_headline(self) -> Self {
        Self { headline: self.numbers().into_iter().next(), ..self }
    }

    /// All known numbers of this finding. The first is its main one, which table, card and plots quote: for a claim
    /// that is a curve, the place where it is broken or has the least slack. Empty if nothing was counted and nothing
    /// proved.
    pub fn numbers(&self) -> Vec<Headline> {
        let check = self.sensitivity.as_ref();
        if let Some(check) = check.filter(|check| check.counterexample.is_some()) {
            let of = ["₁", "₂", "∞"][check.norm as usize];
            let words = match check.distance {
                Some(distance) => {
                    format!("Δ{of} ≥ {}", apart(distance, check.declared, RoundingSide::Down))
                }
                None => format!("Δ{of} = ∞"),
            };
            return vec![Headline {
                quantity: Quantity::Sensitivity,
                known: Known::Proved,
                value: check.distance,
                words,
                at: None,
                allowed: Some(check.declared),
                allowed_words: Some(stated(check.declared, check.distance)),
            }];
        }
        let mut numbers = Vec::new();
        if let Some(proof) = &self.proof {
            numbers.extend(proved(proof, &self.claim));
        }
        if self.tally.trials() > 0 {
            let by_bits = if self.is_by_bits() { " (low bits)" } else { "" };
            let certified = self.certified().numbers(&self.claim).into_iter();
            numbers.extend(certified.map(|number| {
                // The larger of two bounds holds with less confidence.
                let is_at_claim = |at: Fixed| at.value == self.claim.reference_epsilon;
                let level = self.delta_alpha.filter(|_| {
                    number.quantity == Quantity::Delta && number.at.is_some_and(is_at_claim)
                });
                let level = level
                    .map_or_else(String::new, |alpha| format!(", confidence 1 − {}", brief(alpha)));
                Headline { words: number.words + &level + by_bits, ..number }
            }));
            if let Some(bounds) = &self.upper {
                let at_most = |place: QuantityPlace, value: f64| {
                    place.number(Known::CertifiedUpper, Some(value), BoundSide::AtMost)
                };
                let epsilon = QuantityPlace::epsilon(&self.claim);
                numbers.extend(bounds.epsilon_upper.map(|value| at_most(epsilon, value)));
                numbers.push(at_most(QuantityPlace::delta(&self.claim), bounds.delta_upper));
            }
        }
        // A verdict that a proof gives is about what was proved, and one that samples give about those.
        let known = match (self.verdict, &self.proof) {
            (Verdict::Verified, _) => Known::Proved,
            (Verdict::Violated, Some(Proof { decision: Decision::Refuted, .. })) => Known::Proved,
            (Verdict::Bounded, _) => Known::CertifiedUpper,
            _ => Known::CertifiedLower,
        };
        let first = |holds: &dyn Fn(&Headline) -> bool| {
            numbers.iter().position(|number| number.known == known && holds(number))
        };
        // Of several places of a curve, one at which it holds, or is broken, according to the verdict.
        let at = first(&|number| number.agrees(self.verdict)).or_else(|| first(&|_| true));
        if let Some(at) = at {
            numbers[..=at].rotate_right(1);
        }
        numbers
    }

    fn certified(&self) -> CertifiedByCounts {
        CertifiedByCounts {
            epsilon: self.epsilon_lower,
            delta: self.delta_lower,
            mu: self.mu_lower,
            point: self.point(),
        }
    }

    /// Point where counts break a claim that is a curve, or leave it the least slack.
    fn point(&self) -> Option<BrokenPoint> {
        // The betting test holds a curve to one point, which is where ε is quoted.
        let is_curve = self.claim.claim.as_epsilon_delta().is_none() && !self.test.is_betting();
        if !is_curve || self.broken_point.is_some_and(|point| point.epsilon.is_finite()) {
            return self.broken_point;
        }
        let is_violated = self.verdict == Verdict::Violated && self.p_value <= self.alpha;
        let points = self.profile.iter().map(|point| {
            // A certified ε certifies all smaller ones as well.
            let epsilon = lower(point.epsilon).parse().unwrap_or(0.0);
            let delta_claim = self.claim.claim.delta_at(epsilon);
            BrokenPoint { epsilon, delta_claim, delta_lower: point.delta_lower }
        });
        let scored = points.filter_map(|point| {
            let BrokenPoint { delta_claim, delta_lower, .. } = point;
            let is_broken = delta_lower > delta_claim;
            let score = match is_violated {
                true => delta_lower - delta_claim,
                false => delta_lower / delta_claim,
            };
            (is_broken == is_violated && score > 0.0).then_some((score, point))
        });
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, point)| point)
    }
}

pub struct CertifiedByCounts {
    /// At least the ε at the claim's δ.
    pub epsilon: f64,
    /// At least the δ at the claim's ε.
    pub delta: f64,
    /// At least the μ, of claims of μ-GDP.
    pub mu: Option<f64>,
    /// A point of a claim that is a curve.
    pub point: Option<BrokenPoint>,
}

impl CertifiedByCounts {
    /// Certified numbers; the first is compared with the claim.
    pub fn numbers(&self, claim: &ClaimSummary) -> Vec<Headline> {
        let at_least = |place: QuantityPlace, value| {
            place.number(Known::CertifiedLower, Some(value), BoundSide::AtLeast)
        };
        let mut numbers = Vec::new();
        if let (Some(value), Region::Gaussian { mu }) = (self.mu, claim.claim.region()) {
            let is_stated = matches!(claim.claim.form(), Form::Gaussian { .. });
            let place = QuantityPlace { quantity: Quantity::Mu, at: None, allowed: *mu, is_stated };
            numbers.push(at_least(place, value));
        }
        numbers.extend(self.point.map(|point| {
            at_least(QuantityPlace::of_curve(point.epsilon, point.delta_claim), point.delta_lower)
        }));
        numbers.push(at_least(QuantityPlace::epsilon(claim), self.epsilon));
        numbers.push(at_least(QuantityPlace::delta(claim), self.delta));
        numbers
    }
}

/// A quantity where something else is fixed, and what a claim allows of it.
struct QuantityPlace {
    quantity: Quantity,
    at: Option<Fixed>,
    allowed: f64,
    /// `true` if the claim states that number, so that nothing was rounded.
    is_stated: bool,
}

/// On which side of a number the truth is.
#[derive(Clone, Copy, PartialEq)]
enum BoundSide {
    AtLeast,
    AtMost,
    /// Equal to the number, to the digits shown.
    Equal,
    /// Equal to the number, and so is what the claim allows.
    Alike,
    /// At most the number, and so is what the claim allows.
    AtMostAlike,
}

impl QuantityPlace {
    fn epsilon(claim: &ClaimSummary) -> Self {
        let at = Some(Fixed { quantity: Quantity::Delta, value: claim.reference_delta });
        let allowed = claim.reference_epsilon;
        Self { quantity: Quantity::Epsilon, at, allowed, is_stated: is_stated(claim) }
    }

    fn delta(claim: &ClaimSummary) -> Self {
        let at = Some(Fixed { quantity: Quantity::Epsilon, value: claim.reference_epsilon });
        let allowed = claim.reference_delta;
        Self { quantity: Quantity::Delta, at, allowed, is_stated: is_stated(claim) }
    }

    /// δ at some ε of a claim that is a curve.
    fn of_curve(epsilon: f64, allowed: f64) -> Self {
        let at = Some(Fixed { quantity: Quantity::Epsilon, value: epsilon });
        Self { quantity: Quantity::Delta, at, allowed, is_stated: false }
    }

    /// A number that is known there; `None`: infinite.
    fn number(self, known: Known, value: Option<f64>, bound: BoundSide) -> Headline {
        let Self { quantity, at, allowed, is_stated } = self;
        let digits = |x: f64| match bound {
            BoundSide::AtLeast => apart(x, allowed, RoundingSide::Down),
            BoundSide::AtMost => apart(x, allowed, RoundingSide::Up),
            BoundSide::Equal => apart(x, allowed, RoundingSide::Near),
            BoundSide::Alike => brief(x),
            BoundSide::AtMostAlike => upper(x),
        };
        let sign = match bound {
            _ if value.is_none() => "=",
            BoundSide::AtLeast => "≥",
            BoundSide::AtMost | BoundSide::AtMostAlike => "≤",
            BoundSide::Equal | BoundSide::Alike => "=",
        };
        let shown = value.map_or_else(|| "∞".to_owned(), digits);
        let place = at.map_or_else(String::new, |at| format!(" at {}", at.words()));
        // Compared with the number as written, so that the two read in their true order.
        let written = shown.parse().ok();
        let allowed_words = match bound {
            _ if is_stated => stated(allowed, value),
            BoundSide::Alike | BoundSide::AtMostAlike => shown.clone(),
            _ => written
                .map_or_else(|| upper(allowed), |shown| apart(allowed, shown, RoundingSide::Up)),
        };
        let words = format!("{} {sign} {shown}{place}", quantity.symbol());
        let (allowed, allowed_words) = (Some(allowed), Some(allowed_words));
        Headline { quantity, known, value, words, at, allowed, allowed_words }
    }
}

impl Headline {
    /// `true` if it fits a verdict: above what the claim allows if violated, at most that if it holds.
    pub fn agrees(&self, verdict: Verdict) -> bool {
        let Some(allowed) = self.allowed else { return true };
        let value = self.value.unwrap_or(f64::INFINITY);
        match verdict {
            Verdict::Violated => value > allowed,
            Verdict::Verified | Verdict::Bounded => value <= allowed * (1.0 + ROUNDING),
            Verdict::NotRefuted | Verdict::Inconclusive => true,
        }
    }
}

fn is_stated(claim: &ClaimSummary) -> bool {
    matches!(claim.claim.form(), Form::EpsilonDelta { .. })
}

/// A number that a user chose, in enough digits to differ from a rounder one and from what was found.
pub fn stated(number: f64, found: Option<f64>) -> String {
    let told = found.map(|found| apart(number, found, RoundingSide::Near));
    let own = chosen(number);
    // The longer one distinguishes both.
    told.filter(|told| told.len() > own.len()).unwrap_or(own)
}

/// Proved numbers; the first is the one compared with the claim.
fn proved(proof: &Proof, claim: &ClaimSummary) -> Vec<Headline> {
    let mut numbers = Vec::new();
    numbers.extend(proof.renyi.map(|at_order| {
        let at_place = Some(Fixed { quantity: Quantity::Order, value: at_order.order });
        let (quantity, allowed) = (Quantity::Renyi, at_order.allowed);
        let place = QuantityPlace { quantity, at: at_place, allowed, is_stated: false };
        at(place, proof, at_order.divergence)
    }));
    numbers.extend(proof.compared.map(|point| {
        let bracket = Bracket { lower: Some(point.delta_lower), upper: Some(point.delta_upper) };
        at(QuantityPlace::of_curve(point.epsilon, point.delta_claim), proof, bracket)
    }));
    numbers.push(at(QuantityPlace::epsilon(claim), proof, proof.epsilon));
    numbers.push(at(QuantityPlace::delta(claim), proof, proof.delta));
    numbers
}

/// Proved number at a place; as precise as the decision needs where the last digit shown is not known.
fn at(place: QuantityPlace, proof: &Proof, bracket: Bracket) -> Headline {
    let claimed = place.allowed;
    let is_verified = proof.decision == Decision::Verified;
    let is_rounding = |x: f64| (x - claimed).abs() <= ROUNDING * claimed.abs();
    let (value, bound) = match (bracket.lower, bracket.upper) {
        (None, _) => (None, BoundSide::Equal),
        // Of pairs that do not cover the relation: other neighbors may lose more.
        (Some(low), _) if !proof.covers_relation => (Some(low), BoundSide::AtLeast),
        // A claim inside the bracket cannot be separated from it: its side is unknown.
        (Some(low), Some(high)) if high - low <= ROUNDING * high => {
            let is_alike = (low..=high).contains(&claimed) || is_verified && is_rounding(low);
            (Some(low), if is_alike { BoundSide::Alike } else { BoundSide::Equal })
        }
        (_, Some(high)) if is_verified && is_rounding(high) => (Some(high), BoundSide::AtMostAlike),
        (_, Some(high)) if is_verified => (Some(high), BoundSide::AtMost),
        (Some(low), _) => (Some(low), BoundSide::AtLeast),
    };
    place.number(Known::Proved, value, bound)
}

/// The kind of witnesses that look at time.
const CLOCK: &str = "clock";

impl Finding {
    /// Upper bound on the chance that the sampling gives a false alarm: that of all looks, and 0 where nothing was
    /// sampled.
    pub fn level(&self) -> f64 {
        match &self.looks {
            _ if self.trials.total == 0 => 0.0,
            Some(looks) => looks.alpha,
            None => self.alpha,
        }
    }

    /// `true` if a failure can be due to the load of the machine: the running time is part of the outcome, and no violation is seen
    /// without it, by a proof, by the check of the sensitivity, or by a witness that does not look at time.
    pub fn rests_on_time(&self) -> bool {
        let is_proved =
            self.proof.as_ref().is_some_and(|proof| proof.decision == Decision::Refuted);
        let is_exceeded =
            self.sensitivity.as_ref().is_some_and(|check| check.counterexample.is_some());
        let is_counted = self.p_value <= self.alpha && self.witness.kind != CLOCK;
        let is_seen_without =
            self.verdict.is_violation() && (is_proved || is_exceeded || is_counted);
        self.scope.clock && !is_seen_without
    }

    /// Configured false-alarm level of all looks together.
    pub fn alpha_of_all_looks(&self) -> f64 {
        self.looks.as_ref().map_or(self.alpha, |looks| looks.alpha)
    }

    /// The runs that there would have been, had it not ended early.
    pub fn most_trials(&self) -> u64 {
        let last = self.looks.as_ref().and_then(|looks| looks.looks.last());
        last.map_or(self.trials.total, |look| look.trials)
    }

    /// Smallest loss that would have been caught with probability 0.99, wherever the audit had ended: ε at the claim's
    /// δ, or μ, with a margin ([`Looks::MARGIN`]). `None`: no loss.
    pub fn catches(&self) -> Option<f64> {
        let enough = self.looks.as_ref().and_then(|looks| looks.enough).unwrap_or(0.0);
        self.power.nearly_surely.map(|loss| (loss * Looks::MARGIN).max(enough))
    }

    /// The p-value of the claim over all looks: the audit alarms where it is at most [`Finding::level`].
    pub fn p_value_over_looks(&self) -> f64 {
        let Some(looks) = &self.looks else { return self.p_value };
        let scaled = |look: &Look| Some(look.p_value? * (looks.alpha / look.alpha));
        looks.looks.iter().filter_map(scaled).fold(1.0, f64::min)
    }
}

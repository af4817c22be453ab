//! From a proof to its place in a report.

use super::compared::compared;
use super::divergence::Between;
use super::enclose::{Enclosure, decimal, double_above, double_below, fraction_words};
use super::{Domain, Extent, Proved};
use crate::mechanism::choice::Rational;
use crate::mechanism::{Entry, Outcome};
use plaudit_accountant::number::{self, RoundingSide, words};
use plaudit_core::claim::Claim;
use plaudit_core::finding::{
    Bracket, ComparedOrder, ComparedPoint, Decision, Proof, ProofBudget, ProofDomain, ProofMethod,
    ProofOf, ProofPoint, ProofWorst,
};
use serde_json::Value;

/// Longest rational in a report.
const LONGEST: usize = 200;
const DECIMALS: usize = 20;

/// Place where a claim that is a curve is broken: "the Rényi divergence of order 2 is 1, where the
/// claim allows 0.99; ".
pub(super) fn broken_words(
    renyi: Option<ComparedOrder>,
    compared: Option<ComparedPoint>,
) -> String {
    match (renyi, compared) {
        (Some(ComparedOrder { order, allowed, divergence }), _) => {
            let shown = match divergence.lower {
                Some(lower) => {
                    format!("at least {}", number::apart(lower, allowed, RoundingSide::Down))
                }
                None => "infinite".to_owned(),
            };
            format!(
                "the Rényi divergence of order {order} is {shown}, where the claim allows {}; ",
                number::chosen(allowed)
            )
        }
        (None, Some(ComparedPoint { epsilon, delta_claim, delta_lower, .. })) => format!(
            "at ε = {epsilon} δ is at least {}, where the claim allows {}; ",
            number::apart(delta_lower, delta_claim, RoundingSide::Down),
            number::apart(delta_claim, delta_lower, RoundingSide::Up)
        ),
        (None, None) => String::new(),
    }
}

impl Proved {
    /// The proof in its form for a report; `show` describes a dataset for readers.
    pub fn summary<D>(
        &self,
        claim: &Claim,
        domain: &Domain<D>,
        show: impl Fn(&D) -> Value,
    ) -> Proof {
        let [datasets, laws, pairs] = self.counts;
        let delta = bracket(&self.delta);
        let epsilon = self.epsilon();
        let point = |(epsilon, delta): &(f64, Between)| {
            let Bracket { lower, upper } = bracket(delta);
            (*epsilon, lower.unwrap_or(1.0), upper.unwrap_or(1.0).min(1.0))
        };
        let profile = self.profile.iter().map(point).map(|(epsilon, delta_lower, delta_upper)| {
            ProofPoint { epsilon, delta_lower, delta_upper }
        });
        let exact = self.exact();
        let ln = exact.and_then(Enclosure::ln);
        let written = exact.map(fraction_words).filter(|words| words.len() <= LONGEST);
        Proof {
            method: ProofMethod::Enumeration,
            of: ProofOf::Code,
            decision: self.decision,
            covers_relation: matches!(domain.extent, Extent::Whole(_)),
            statement: self.statement(
                claim,
                domain,
                epsilon,
                compared(claim, self.decision, self.compared.iter().map(point)),
            ),
            domain: ProofDomain {
                words: domain.words.clone(),
                datasets: Some(datasets),
                laws: Some(laws),
                pairs: Some(pairs),
            },
            budget: Some(ProofBudget {
                runs: self.budget.runs,
                depth: self.budget.depth,
                pending: self.budget.pending,
                digits: self.budget.digits,
                enough: self.budget.enough,
            }),
            runs: self.runs,
            unresolved: double_above(&self.unresolved),
            epsilon,
            epsilon_decimal: ln.map(|ln| decimal(&ln.lower.max(Rational::ZERO), DECIMALS)),
            exp_epsilon: written,
            delta,
            profile: profile.collect(),
            renyi: self.renyi,
            compared: compared(claim, self.decision, self.compared.iter().map(point)),
            worst: self.worst.as_ref().map(|worst| ProofWorst {
                d: show(&domain.datasets[worst.datasets[0]]),
                d_prime: show(&domain.datasets[worst.datasets[1]]),
                outcomes: worst.size,
                outcome: worst.outcomes.iter().map(outcome_words).collect(),
                probability_d: double_below(&worst.d),
                probability_d_prime: double_above(&worst.d_prime).min(1.0),
            }),
        }
    }

    /// e^ε, if it is known exactly and finite.
    pub fn exact(&self) -> Option<&Rational> {
        let Between { lower, upper } = &self.exp_epsilon;
        lower.as_ref().filter(|lower| upper.as_ref() == Some(*lower))
    }

    /// ε at the claim's δ, rounded outward.
    pub fn epsilon(&self) -> Bracket {
        let ln = |exp: &Rational| Enclosure::ln(exp).unwrap_or(Enclosure::exact(Rational::ZERO));
        let Between { lower, upper } = &self.exp_epsilon;
        Bracket {
            lower: lower.as_ref().map(|lower| double_below(&ln(lower).lower).max(0.0)),
            upper: upper.as_ref().map(|upper| double_above(&ln(upper).upper)),
        }
    }

    fn statement<D>(
        &self,
        claim: &Claim,
        domain: &Domain<D>,
        epsilon: Bracket,
        compared: Option<ComparedPoint>,
    ) -> String {
        let [_, _, pairs] = self.counts;
        let (_, delta) = claim.reference_point();
        let at = if delta == 0.0 { String::new() } else { format!(" at δ = {delta}") };
        let found = match (epsilon.lower, epsilon.upper) {
            (None, _) => format!("ε is infinite{at}"),
            (Some(lower), None) => format!("ε is at least {}{at}", brief(lower)),
            (Some(lower), Some(upper)) if upper - lower <= 1e-9 * upper.max(1e-9) => {
                match self.exact() {
                    Some(exact) if fraction_words(exact).len() <= 40 => {
                        format!("ε = ln({}) = {}{at}", fraction_words(exact), brief(lower))
                    }
                    _ => format!("ε = {}{at}", brief(lower)),
                }
            }
            (Some(lower), Some(upper)) => {
                format!("ε is between {} and {}{at}", brief(lower), brief(upper))
            }
        };
        let decision = match self.decision {
            Decision::Verified if self.raised => {
                "is verified, its numbers raised by a relative 1e-12 at most (most are no doubles),"
            }
            Decision::Verified => "is verified",
            Decision::Refuted => "is refuted",
            Decision::Undecided => "is neither proved nor refuted",
        };
        let broken = match self.decision {
            Decision::Refuted => broken_words(self.renyi, compared),
            _ => String::new(),
        };
        let only = match &domain.extent {
            _ if self.decision == Decision::Refuted => String::new(),
            Extent::Whole(_) => String::new(),
            Extent::Named => " only".to_owned(),
            Extent::Values(relation) => {
                format!(" only, as rows of other values are neighbors under {relation}, too")
            }
            Extent::Nearer(relation) => {
                format!(" only, where no neighbors are as far apart as {relation} allows")
            }
        };
        let unresolved = match self.unresolved.is_zero() {
            true => "all laws are exact".to_owned(),
            false => format!(
                "up to {} of each law is unresolved and counted against the claim",
                number::upper(double_above(&self.unresolved))
            ),
        };
        format!(
            "By enumeration the claim {claim} {decision} on {}{only}: {broken}{found} over {pairs} {} of \
             neighbors in both directions; {unresolved}.",
            domain.words,
            if pairs == 1 { "pair" } else { "pairs" },
        )
    }
}

/// A number with at most ten digits.
fn brief(x: f64) -> String {
    let rounded: f64 = format!("{x:.9e}").parse().unwrap_or(x);
    words(rounded).into_owned()
}

fn bracket(Between { lower, upper }: &Between) -> Bracket {
    Bracket {
        lower: lower.as_ref().map(double_below),
        upper: upper.as_ref().map(|upper| double_above(upper).min(1.0)),
    }
}

fn outcome_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Number(x) => words(*x).into_owned(),
        Outcome::Integer(i) => i.to_string(),
        Outcome::Text(text) => format!("{text:?}"),
        Outcome::Vector(values) => {
            let values: Vec<_> = values.iter().map(|&x| words(x)).collect();
            format!("[{}]", values.join(", "))
        }
        Outcome::Keyed(keyed) => {
            let entries = keyed.entries().iter().map(|(key, entry)| match entry {
                Entry::Member => key.clone(),
                Entry::Number(x) => format!("{key}: {}", words(*x)),
                Entry::Other(other) => format!("{key}: {other}"),
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Outcome::Structure(json) => json.clone(),
        Outcome::Failure(words) => words.clone(),
    }
}

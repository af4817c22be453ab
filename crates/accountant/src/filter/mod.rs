//! Privacy filters: a budget that holds although each later event is chosen after the earlier outputs were seen.
//!
//! A filter adds up one quantity along the events that happened and stops before the sum passes a total that was fixed
//! beforehand. What has come out by then has that total, for every way to choose the events.

mod amount;
mod cost;

use crate::composition::Composition;
use crate::error::{AccountantError, check_epsilon};
use crate::event::{Event, EventKind, probability};
use crate::method::Method;
use crate::near::nearest;
use std::fmt;
use std::str::FromStr;

pub use amount::Amount;

/// Share of δ that a Rényi filter keeps for the tails that its divergences leave out, and the smallest δ of one: 10⁴⁰
/// events leave out less than that share of it (`cost::LEFT_OUT`).
const SHARE: f64 = 1e-9;
const SMALLEST_DELTA: f64 = 1e-150;

/// Relative distance to the largest total.
const NEAR: f64 = 1e-6;
/// Largest total (root of a total, for μ²).
const LARGEST: f64 = 1e4;

/// Quantity that adds up in fully adaptive composition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// ε of pure differential privacy (Rogers, Roth, Ullman, Vadhan 2016, Thm 3.6).
    Pure,
    /// ρ of zero-concentrated differential privacy (Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023).
    Zcdp,
    /// μ² of Gaussian differential privacy (Smith, Thakurta 2022).
    Gdp,
    /// ε of Rényi differential privacy at this order, above 1 and at most 10⁶ (Feldman, Zrnic 2021, Thm 4.3).
    Renyi(f64),
}

impl Filter {
    /// The filter that is used unless one is named: pure for δ = 0, which no other reaches, else zCDP.
    pub fn usual(delta: f64) -> Self {
        if delta == 0.0 { Self::Pure } else { Self::Zcdp }
    }

    /// Name of the quantity.
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Pure => "epsilon",
            Self::Zcdp => "rho",
            Self::Gdp => "mu^2",
            Self::Renyi(_) => "Rényi epsilon",
        }
    }

    /// The largest total that implies (ε, δ)-DP, by the upper end of [`Composition::delta_at`], up to a relative 10⁻⁶ and
    /// never above it; at most 10⁴ (of μ²: 10⁸).
    ///
    /// # Errors
    /// If ε >= 0 and δ in \[0, 1\] do not hold, or no total implies it.
    pub fn budget(self, epsilon: f64, delta: f64) -> Result<Amount, AccountantError> {
        check_epsilon(epsilon)?;
        probability("delta", delta)?;
        let refuse = |why: String| Err(AccountantError::Method { method: "this filter", why });
        let delta = match self {
            Self::Pure if delta == 0.0 => return Ok(Amount::decimal(epsilon)),
            Self::Renyi(_) if delta < SMALLEST_DELTA => {
                return refuse(format!("{self} needs a delta of at least {SMALLEST_DELTA:e}"));
            }
            _ => self.kept(delta),
        };
        let holds = |total: f64| -> Result<bool, AccountantError> {
            Ok(self.composition(total)?.delta_at(epsilon, Method::Pld)?.upper <= delta)
        };
        let (mut low, mut high) = (1e-12, LARGEST);
        if !holds(low)? {
            return refuse(format!(
                "no total of {} implies this budget: take another filter, or a larger delta",
                self.quantity()
            ));
        }
        if holds(high)? {
            low = high;
        }
        while high > low * (1.0 + NEAR) {
            let middle = (low * high).sqrt();
            if holds(middle)? { low = middle } else { high = middle }
        }
        Ok(match self {
            Self::Gdp => Amount::exact(low).square(),
            Self::Pure => Amount::exact(low).max(Amount::decimal(epsilon)),
            _ => Amount::exact(low),
        })
    }

    /// δ without what the divergences leave out.
    fn kept(self, delta: f64) -> f64 {
        if matches!(self, Self::Renyi(_)) { delta * (1.0 - SHARE) } else { delta }
    }

    /// One event of this much of the quantity (of its root, for μ²).
    fn composition(self, total: f64) -> Result<Composition, AccountantError> {
        Composition::new(vec![Event::once(match self {
            Self::Pure => EventKind::EpsilonDelta { epsilon: total, delta: 0.0 },
            Self::Zcdp => EventKind::ZeroConcentrated { rho: total, xi: 0.0 },
            Self::Gdp => EventKind::Gdp { mu: total },
            Self::Renyi(alpha) => EventKind::Renyi { alpha, epsilon: total },
        })])
    }

    /// An ε for which whatever has this total is (ε, δ)-DP; +∞ for totals above 10⁴ (of μ²: 10⁸).
    ///
    /// # Errors
    /// If δ is not in \[0, 1\].
    pub fn epsilon_at(self, total: &Amount, delta: f64) -> Result<f64, AccountantError> {
        let total = total.above();
        if total == 0.0 || (self == Self::Pure && delta == 0.0) {
            return Ok(total);
        }
        let total = if self == Self::Gdp { total.sqrt().next_up() } else { total };
        if total > LARGEST {
            return Ok(f64::INFINITY);
        }
        Ok(self.composition(total.max(1e-12))?.epsilon_at(self.kept(delta), Method::Pld)?.upper)
    }

    /// Amount of the quantity that an event costs, all its uses together, never below; `None` if no finite one is known.
    pub fn cost(self, event: &Event) -> Option<Amount> {
        let one = match self {
            Self::Pure => cost::epsilon(event),
            Self::Zcdp => cost::rho(event),
            Self::Gdp => cost::square_of_mu(event),
            Self::Renyi(alpha) => return cost::divergence(event, alpha),
        };
        one.map(|one| one.times(event.count))
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pure => f.write_str("pure"),
            Self::Zcdp => f.write_str("zcdp"),
            Self::Gdp => f.write_str("gdp"),
            Self::Renyi(alpha) => write!(f, "renyi:{alpha}"),
        }
    }
}

impl FromStr for Filter {
    type Err = String;

    /// Reads `pure`, `zcdp`, `gdp`, or `renyi:` and an order.
    fn from_str(word: &str) -> Result<Self, String> {
        match (word, word.strip_prefix("renyi:")) {
            ("pure", _) => Ok(Self::Pure),
            ("zcdp", _) => Ok(Self::Zcdp),
            ("gdp", _) => Ok(Self::Gdp),
            (_, Some(order)) => match order.parse() {
                Ok(alpha) if alpha > 1.0 && alpha <= 1e6 => Ok(Self::Renyi(alpha)),
                _ => Err(format!("the order `{order}` is not a number above 1 and at most 1e6")),
            },
            _ => {
                let near = nearest(word, &["pure", "zcdp", "gdp", "renyi"]);
                let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
                Err(format!(
                    "{near}the filters are pure, zcdp, gdp and renyi:ORDER, such as renyi:16"
                ))
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/filter.rs"]
mod tests;

//! Averaging: an attacker asks the same question again and again, and averages the noise away. Differencing: two
//! questions that differ in one person, each asked equally often; the attacker averages the differences of the answers.
//!
//! Two equally likely datasets whose exact answers are one sensitivity apart, as with and without one person. The
//! attacker takes the mean of k answers and names the dataset whose exact answer is nearer. Nothing is drawn here.

use super::noise::{self, Noise};
use plaudit_accountant::number;
use plaudit_accountant::{AccountantError, Bracket, Composition, Event, Method};
use serde::Serialize;

/// Most answers that are averaged: the law of a sum of Laplace noise has as many terms.
pub const MOST_QUERIES: u64 = 100_000;
/// Errors whose first number of answers is looked for.
const ERRORS: [f64; 3] = [0.5, 0.1, 0.01];

/// A service that answers one counting query with noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Service {
    #[serde(flatten)]
    pub noise: Noise,
    /// Distance that one person moves the exact answer.
    pub sensitivity: f64,
    /// `true` if the first answer is kept and repeated, rather than drawn again.
    pub cached: bool,
    /// `true` if two questions that differ in one person are asked in turn: a pair of answers shows as much as one
    /// answer with twice the noise.
    pub differencing: bool,
    /// The ε, at the δ below, that it answers up to by the accountant.
    pub budget: Option<f64>,
    /// δ at which ε is reported.
    pub delta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    pub asked: u64,
    /// Answers with fresh noise among them.
    pub fresh: u64,
    /// Probability that the attacker names the wrong dataset: exact, up to rounding.
    pub error: f64,
    /// The ε of the fresh answers by basic composition, at δ; of Laplace noise at δ = 0.
    #[serde(with = "number::one")]
    pub epsilon_basic: f64,
    /// The ε of the fresh answers at δ, by the accountant.
    pub epsilon: Bracket,
}

/// Point at which the attacker errs this seldom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// The probability that the error is below.
    pub below: f64,
    /// Fewest answers for that; `None` if all allowed answers are not enough.
    pub answers: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Averaging {
    pub service: Service,
    /// Times that it may be asked.
    pub queries: u64,
    /// Answers with fresh noise that the attacker gets at most.
    pub fresh_at_most: u64,
    /// Rows for 1, 2, 5, 10, … and all queries.
    pub rows: Vec<Row>,
    /// Points at which the error falls below a half, a tenth and a hundredth.
    pub reached: Vec<Reached>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AveragingError {
    #[error("{0} queries are invalid: there must be between 1 and {MOST_QUERIES}")]
    Queries(u64),
    #[error("a budget of {0} is invalid: it must be at least 0")]
    Budget(f64),
    /// The accountant does not take the noise.
    #[error(transparent)]
    Accountant(#[from] AccountantError),
}

/// Result of an attacker who asks up to `queries` times.
///
/// # Errors
/// If a number is impossible.
pub fn average(service: Service, queries: u64) -> Result<Averaging, AveragingError> {
    if !(1..=MOST_QUERIES).contains(&queries) {
        return Err(AveragingError::Queries(queries));
    }
    let fresh_at_most = service.fresh_at_most(queries)?;
    let rows = asked(queries).map(|asked| service.row(asked, asked.min(fresh_at_most)));
    let rows = rows.collect::<Result<_, _>>()?;
    let reached = ERRORS.map(|below| service.reached(below, fresh_at_most)).to_vec();
    Ok(Averaging { service, queries, fresh_at_most, rows, reached })
}

/// 1, 2, 5, 10, … below `queries`, and `queries`.
fn asked(queries: u64) -> impl Iterator<Item = u64> {
    let round = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    round.take_while(move |asked| *asked < queries).chain([queries])
}

impl Service {
    /// The fresh answers among `queries`: one if it is kept, and as many as the budget pays for.
    fn fresh_at_most(&self, queries: u64) -> Result<u64, AveragingError> {
        let most = if self.cached { self.answers_each().min(queries) } else { queries };
        let Some(budget) = self.budget else { return Ok(most) };
        if budget.is_nan() || budget < 0.0 {
            return Err(AveragingError::Budget(budget));
        }
        // Paid for, and more than paid for: ε grows with the answers.
        let (mut low, mut high) = (0, most + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.epsilon(middle, Method::Pld)?.upper <= budget {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn row(&self, asked: u64, fresh: u64) -> Result<Row, AccountantError> {
        Ok(Row {
            asked,
            fresh,
            error: self.error(fresh),
            epsilon_basic: self.epsilon(fresh, Method::Basic)?.upper,
            epsilon: self.epsilon(fresh, Method::Pld)?,
        })
    }

    /// Answers that are needed for one value that depends on the person.
    fn answers_each(&self) -> u64 {
        if self.differencing { 2 } else { 1 }
    }

    /// Probability of a wrong guess after this many fresh answers; without answers, that of a coin. Half of a pair
    /// shows nothing.
    fn error(&self, fresh: u64) -> f64 {
        let each = self.answers_each();
        match fresh / each {
            0 => 0.5,
            count => noise::mean_beyond_half(self.noise, self.sensitivity, (count, each)),
        }
    }

    /// ε of this many fresh answers at the service's δ; for Laplace noise by basic composition at δ = 0.
    fn epsilon(&self, fresh: u64, method: Method) -> Result<Bracket, AccountantError> {
        let event = Event { count: fresh.max(1), ..Event::once(self.noise.kind(self.sensitivity)) };
        let composition = Composition::new(vec![event])?;
        if fresh == 0 {
            return Ok(Bracket { lower: 0.0, upper: 0.0 });
        }
        let delta = match (method, self.noise) {
            (Method::Basic, Noise::Laplace { .. }) => 0.0,
            _ => self.delta,
        };
        composition.epsilon_at(delta, method)
    }

    /// The error falls with each answer: the mean of symmetric log-concave noise becomes more peaked (Proschan 1965).
    fn reached(&self, below: f64, most: u64) -> Reached {
        let (mut low, mut high) = (0, most + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.error(middle) < below {
                high = middle;
            } else {
                low = middle;
            }
        }
        Reached { below, answers: (high <= most).then_some(high) }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/attack/average.rs"]
mod tests;

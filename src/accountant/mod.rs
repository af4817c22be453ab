//! The accountant: what a composition of mechanisms costs in privacy, as a bracket around the
//! true value.
//!
//! ```text
//! Composition (events)  ──>  uses: a dominating pair from above and a realised pair from below
//!       └─> lattice: two laws on one grid, one more spread than the truth, one less
//!             └─> window: both composed by Fourier transform, tilted, with all errors added
//!                   └─> Curve: δ(ε) and ε(δ), each a Bracket
//! ```
//!
//! The true value is the best that holds for everything that the events describe: the largest
//! δ(ε) over all adaptive compositions of such mechanisms. docs/accountant.md says of each step
//! what is proved and what is argued.

mod composed;
mod converted;
mod curve;
mod discretisation;
mod event;
mod expression;
mod lattice;
mod pair;
mod pilot;
mod pld;
mod product;
mod rdp;
mod rules;
mod solve;
mod uses;
mod window;
mod written;

pub use curve::Curve;
pub use event::{Event, EventKind, LARGEST_COUNT, Sampling};
pub use solve::SMALLEST_SIGMA;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A list of events: all that happens to one dataset, each later step free to depend on what came
/// out before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    events: Vec<Event>,
}

/// Two ends with the true value between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bracket {
    /// At most the true value; 0 where the method says nothing from below; may be +∞.
    #[serde(with = "crate::number::one")]
    #[schemars(with = "serde_json::Value")]
    pub lower: f64,
    /// At least the true value; may be +∞.
    #[serde(with = "crate::number::one")]
    #[schemars(with = "serde_json::Value")]
    pub upper: f64,
}

impl Bracket {
    /// The same, 0 without a sign.
    fn plain(self) -> Self {
        Self { lower: self.lower + 0.0, upper: self.upper + 0.0 }
    }
}

/// What cannot be accounted for, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AccountantError {
    /// There are no events.
    #[error("an empty composition has no privacy loss to speak of: name at least one event")]
    Empty,
    /// A number that cannot be.
    #[error("{name} = {value} is impossible: {name} must be {must_be}")]
    Impossible {
        /// The field's name of the value.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The values allowed.
        must_be: &'static str,
    },
    /// An event of no known kind.
    #[error("there is no event `{kind}`: {kinds}")]
    UnknownKind {
        /// What was given.
        kind: String,
        /// The one that was probably meant, and those that there are.
        kinds: String,
    },
    /// A parameter that the kind of event does not have.
    #[error("{kind} has no parameter `{name}`: it takes {takes}")]
    UnknownParameter {
        /// The event.
        kind: String,
        /// What was given.
        name: String,
        /// Those that there are.
        takes: String,
    },
    /// A parameter that is not given.
    #[error("{kind} needs `{name}`: it takes {takes}")]
    MissingParameter {
        /// The event.
        kind: String,
        /// What is missing.
        name: String,
        /// Those that there are.
        takes: String,
    },
    /// An expression that does not follow the grammar.
    #[error("at character {at} of the composition: {message}")]
    Grammar {
        /// Place in the expression, counting characters from 1.
        at: usize,
        /// What was wanted.
        message: String,
    },
    /// An event of an expression that is wrong.
    #[error("in the event at character {at} of the composition: {error}")]
    InEvent {
        /// Place of the event in the expression, counting characters from 1.
        at: usize,
        /// What is wrong.
        error: Box<AccountantError>,
    },
    /// Events whose neighboring relations differ.
    #[error(
        "Poisson samples account for neighbors that add or remove a row, samples without \
         replacement for neighbors that substitute one: a composition has one relation, so keep one \
         kind of sample"
    )]
    Relations,
    /// A method outside the range of its theorem.
    #[error("{method} does not apply: {why}")]
    Method {
        /// The method.
        method: &'static str,
        /// What it needs, and what to do instead.
        why: String,
    },
}

impl Composition {
    /// A composition of these events.
    ///
    /// # Errors
    /// As [`Composition::check`].
    pub fn new(events: Vec<Event>) -> Result<Self, AccountantError> {
        let composition = Self { events };
        composition.check()?;
        Ok(composition)
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The neighboring relation that it is accounted for, in words.
    pub fn relation(&self) -> &'static str {
        match self.events.iter().find_map(|event| event.sampling) {
            Some(Sampling::Poisson(_)) => "add/remove one row",
            Some(Sampling::WithoutReplacement(_)) => "substitution of one row",
            None => "that of the sensitivities and of the claims that the events make",
        }
    }

    /// Checks that there are events, that their numbers are possible and that they agree on the
    /// neighboring relation.
    ///
    /// # Errors
    /// Names the number that is not possible, and what it must be.
    pub fn check(&self) -> Result<(), AccountantError> {
        if self.events.is_empty() {
            return Err(AccountantError::Empty);
        }
        self.events.iter().try_for_each(Event::check)?;
        let any = |wanted: fn(Sampling) -> bool| {
            self.events.iter().filter_map(|event| event.sampling).any(wanted)
        };
        if any(|s| matches!(s, Sampling::Poisson(_)))
            && any(|s| matches!(s, Sampling::WithoutReplacement(_)))
        {
            return Err(AccountantError::Relations);
        }
        Ok(())
    }

    /// The privacy profile by privacy-loss distributions, at its sharpest around δ = 10⁻⁶.
    ///
    /// # Errors
    /// As [`Composition::check`].
    pub fn curve(&self) -> Result<Curve, AccountantError> {
        self.curve_by(Method::Pld)
    }

    /// The privacy profile by a method.
    ///
    /// # Errors
    /// As [`Composition::check`], or if the method does not apply.
    pub fn curve_by(&self, method: Method) -> Result<Curve, AccountantError> {
        Curve::new(self, method, USUAL_DELTA)
    }

    /// The same, at its sharpest around this δ.
    ///
    /// # Errors
    /// As [`Composition::curve_by`].
    pub fn curve_around(&self, method: Method, delta: f64) -> Result<Curve, AccountantError> {
        event::probability("delta", delta)?;
        Curve::new(self, method, delta)
    }

    /// The smallest δ at which the composition is (ε, δ)-DP, by a method.
    ///
    /// # Errors
    /// As [`Composition::check`], if ε is negative, infinite or NaN, or if the method does not
    /// apply.
    pub fn delta_at(&self, epsilon: f64, method: Method) -> Result<Bracket, AccountantError> {
        check_epsilon(epsilon)?;
        let curve = self.curve_by(method)?;
        curve.check(Some(epsilon), None)?;
        Ok(curve.delta_at(epsilon))
    }

    /// The smallest ε >= 0 at which the composition is (ε, δ)-DP, by a method; +∞ if there is
    /// none.
    ///
    /// # Errors
    /// As [`Composition::check`], if δ is not in [0, 1], or if the method does not apply.
    pub fn epsilon_at(&self, delta: f64, method: Method) -> Result<Bracket, AccountantError> {
        event::probability("delta", delta)?;
        let curve = Curve::new(self, method, delta)?;
        curve.check(None, Some(delta))?;
        Ok(curve.epsilon_at(delta))
    }
}

/// δ around which a curve is at its sharpest, unless another is asked for.
const USUAL_DELTA: f64 = 1e-6;

/// How a composition is accounted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Privacy-loss distributions: a bracket, as narrow as discretisation allows.
    Pld,
    /// Rényi divergences at the best order: an upper bound.
    Rdp,
    /// Gaussian differential privacy: an upper bound.
    Gdp,
    /// The sum of ε and of δ: an upper bound.
    Basic,
    /// Advanced composition in its long form: an upper bound.
    Advanced,
    /// Advanced composition in its short form, for a total ε below 1: an upper bound.
    AdvancedShort,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Pld, Self::Rdp, Self::Gdp, Self::Basic, Self::Advanced, Self::AdvancedShort];

    /// The method of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pld => "pld",
            Self::Rdp => "rdp",
            Self::Gdp => "gdp",
            Self::Basic => "basic",
            Self::Advanced => "advanced",
            Self::AdvancedShort => "advanced-short",
        }
    }
}

fn check_epsilon(epsilon: f64) -> Result<(), AccountantError> {
    if epsilon >= 0.0 && epsilon.is_finite() {
        return Ok(());
    }
    let must_be = "at least 0 and finite";
    Err(AccountantError::Impossible { name: "epsilon", value: epsilon, must_be })
}

#[cfg(test)]
#[path = "../../tests/unit/accountant/mod.rs"]
mod tests;

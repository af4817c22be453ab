//! Errors of the accountant.

/// Reason why a composition cannot be accounted for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AccountantError {
    /// The composition has no events.
    #[error("an empty composition has no privacy loss to speak of: name at least one event")]
    Empty,
    /// A number that cannot be.
    #[error("{name} = {value} is invalid: {name} must be {must_be}")]
    Impossible {
        /// The field's name of the value.
        name: &'static str,
        value: f64,
        must_be: &'static str,
    },
    /// An event or a sample of no known kind.
    #[error("there is no {what} `{kind}`: {kinds}")]
    UnknownKind {
        what: String,
        kind: String,
        /// The one that was probably meant, and those that there are.
        kinds: String,
    },
    /// A parameter that the kind of event does not have.
    #[error("{kind} has no parameter `{name}`: {takes}")]
    UnknownParameter { kind: String, name: String, takes: String },
    #[error("{kind} needs `{name}`: it takes {takes}")]
    MissingParameter { kind: String, name: String, takes: String },
    /// An expression that does not follow the grammar.
    #[error("at character {at} of the composition: {message}")]
    Grammar {
        /// Place in the expression, counting characters from 1.
        at: usize,
        message: String,
    },
    /// An event of an expression that is wrong.
    #[error("in the event at character {at} of the composition: {error}")]
    InEvent {
        /// Place of the event in the expression, counting characters from 1.
        at: usize,
        error: Box<AccountantError>,
    },
    /// Events whose neighboring relations differ.
    #[error(
        "`{one}` accounts for {}, but `{other}` for {}: a composition has one relation, so keep events of one",
        .relations.0, .relations.1
    )]
    Relations {
        one: String,
        other: String,
        /// In words, of the one and of the other.
        relations: (String, String),
    },
    /// A sample written as several, or as none.
    #[error("a sample has one name, as in {{ poisson = 0.01 }}")]
    OneSample,
    /// A sample that is not known for the kind of event.
    #[error("{sample} is known for {takes} alone, not for {kind}")]
    Sample { kind: &'static str, sample: &'static str, takes: &'static str },
    /// A method outside the range of its theorem.
    #[error("{method} does not apply: {why}")]
    Method { method: &'static str, why: String },
}

/// Checks that ε is a number to ask for.
pub(super) fn check_epsilon(epsilon: f64) -> Result<(), AccountantError> {
    if epsilon >= 0.0 && epsilon.is_finite() {
        return Ok(());
    }
    let must_be = "at least 0 and finite";
    Err(AccountantError::Impossible { name: "epsilon", value: epsilon, must_be })
}

//! Errors in a claim.

/// A value that no claim can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {value} is invalid: {name} must be {must_be}")]
pub struct ClaimError {
    /// The field's name of the value.
    pub name: &'static str,
    pub value: f64,
    /// The values allowed.
    pub must_be: &'static str,
}

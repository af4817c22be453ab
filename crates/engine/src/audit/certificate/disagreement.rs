//! Fields of a certificate that contradict the rest of it.

use plaudit_accountant::number;

/// Largest relative difference between a recomputed number and the written one: other systems round
/// exponentials and logarithms differently.
const ROUNDING: f64 = 1e-6;

/// A field that differs from what follows from the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is {says}, but {follows} follows from {from}")]
pub struct Disagreement {
    /// Path of the field, with points between its parts.
    pub field: String,
    pub says: String,
    pub follows: String,
    pub from: &'static str,
}

impl Disagreement {
    pub fn of_words(field: &str, says: &str, follows: &str, from: &'static str) -> Option<Self> {
        let quoted = |words: &str| format!("{words:?}");
        (says != follows).then(|| Self {
            field: field.to_owned(),
            says: quoted(says),
            follows: quoted(follows),
            from,
        })
    }

    pub(in crate::audit) fn of_numbers(
        field: &str,
        says: f64,
        follows: f64,
        from: &'static str,
    ) -> Option<Self> {
        let apart = (says - follows).abs();
        let same = says == follows || apart <= ROUNDING * says.abs().max(follows.abs());
        // All digits: two numbers that differ must look different.
        let words = |x: f64| number::words(x).into_owned();
        (!same).then(|| Self {
            field: field.to_owned(),
            says: words(says),
            follows: words(follows),
            from,
        })
    }
}

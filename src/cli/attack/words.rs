//! Numbers of the accountant in words.

use crate::accountant::Bracket;
use crate::number::{brief, upper};

/// An upper bound in four digits, rounded up unless only the last bits of a double stand above them.
pub(super) fn at_most(x: f64) -> String {
    let near = brief(x);
    let is_enough = near.parse::<f64>().is_ok_and(|near| near >= x * (1.0 - 1e-9));
    if is_enough { near } else { upper(x) }
}

/// A bracket, as one number where four digits do not tell its ends apart.
pub(super) fn bracket(bracket: Bracket) -> String {
    match (brief(bracket.lower), brief(bracket.upper)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    }
}

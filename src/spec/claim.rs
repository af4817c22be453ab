//! Claims.

use super::error::Mistake;
use super::read::{self, Fields};
use crate::claim::{Claim, ClaimError};

const EXAMPLE: &str = "{ epsilon = 1.0 }, { epsilon = 1.0, delta = 1e-5 } or { mu = 1.0 }";

/// Reads the claim, and notes its mistakes.
pub(super) fn read(audit: &Fields<'_, '_>, mistakes: &mut Vec<Mistake>) -> Option<Claim> {
    let value = audit.require("claim", &format!("write claim = {EXAMPLE}"));
    let value = read::keep(mistakes, value)?;
    let fields = read::keep(mistakes, Fields::of("`claim`", value, EXAMPLE))?;
    let unknown = fields.unknown_keys(&["epsilon", "delta", "mu"]);
    if !unknown.is_empty() {
        mistakes.extend(unknown);
        return None;
    }
    read::keep(mistakes, form(&fields))
}

fn form(fields: &Fields<'_, '_>) -> Result<Claim, Mistake> {
    let of = |key: &str| {
        fields.get(key).map(|value| read::number(value, &format!("`{key}`"))).transpose()
    };
    let claim = match (of("epsilon")?, of("delta")?, of("mu")?) {
        (Some(epsilon), delta, None) => Claim::approximate(epsilon, delta.unwrap_or(0.0)),
        (None, None, Some(mu)) => Claim::gaussian(mu),
        (None, Some(_), None) => {
            let message = "a claim with `delta` needs `epsilon`, too";
            let help =
                "write claim = { epsilon = 1.0, delta = 1e-5 }, with epsilon = 0 if you mean it";
            return Err(Mistake::new(fields.span(), message, help));
        }
        (None, None, None) => {
            let help = format!("write claim = {EXAMPLE}");
            return Err(Mistake::new(fields.span(), "an empty claim says nothing", help));
        }
        (_, _, Some(_)) => {
            let message = "a claim has one form: (epsilon, delta) or mu, not both";
            let help = "keep one; to audit both, write two audits";
            return Err(Mistake::new(fields.span(), message, help));
        }
    };
    claim.map_err(|error: ClaimError| {
        let span = fields.get(error.name).map_or(fields.span(), |value| value.span());
        let help = format!("write {} {}", error.name, must_be(&error));
        Mistake::new(span, error.to_string(), help)
    })
}

fn must_be(error: &ClaimError) -> String {
    format!("as a number that is {}", error.must_be)
}

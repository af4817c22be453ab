//! Laws that a mechanism's noise is to follow.

use super::error::Checked;
use super::read::{self, Fields, Place, Value};
use plaudit_core::law::NamedLaw;
use toml::de::DeValue;

const KEYS: [&str; 3] = ["noise", "answer", "draws"];
const EXAMPLE: &str = "law = { noise = \"laplace(scale=1)\", answer = 10.0 }";
const DEFAULT_DRAWS: u64 = 100_000;
/// Fewest and most draws.
const DRAWS: std::ops::RangeInclusive<u64> = 20..=100_000_000;

/// A test of the noise on the first dataset of the first pair.
#[derive(Clone, Debug)]
pub struct LawTest {
    /// The law of the noise.
    pub noise: NamedLaw,
    /// Noise-free answer: one number, or one for each entry of the outcome.
    pub answers: Vec<f64>,
    /// Number of runs.
    pub draws: u64,
}

/// Reads the law of an audit, if it states one.
pub(super) fn read(audit: &Fields<'_>) -> Checked<Option<LawTest>> {
    let Some(value) = audit.get("law") else { return Ok(None) };
    let fields = Fields::with_keys("`law`", value, &KEYS, EXAMPLE)?;
    let noise = fields.needed("noise", EXAMPLE, |value, what| {
        let text = read::text(value, what)?;
        text.parse::<NamedLaw>().map_err(|error| value.wrong(error.to_string(), EXAMPLE))
    })?;
    let answers = fields.optional("answer", answers)?.unwrap_or_else(|| vec![0.0]);
    let draws = fields.optional("draws", read::whole)?.unwrap_or(DEFAULT_DRAWS);
    if !DRAWS.contains(&draws) {
        let place = fields.get("draws").unwrap_or(value);
        return place.refuse(
            format!("{draws} draws are too few or too many: 20 to 100 000 000 are possible"),
            "write a number of draws from 20 to 100 000 000, or leave it out for 100 000",
        );
    }
    Ok(Some(LawTest { noise, answers, draws }))
}

fn answers(value: &Value<'_>, what: &str) -> Checked<Vec<f64>> {
    match value.get_ref() {
        DeValue::Array(_) => read::list_of(value, (what, "an answer", EXAMPLE), read::finite),
        _ => read::finite(value, what).map(|answer| vec![answer]),
    }
}

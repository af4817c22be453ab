//! Claims.

use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place, Value, did_you_mean};
use plaudit_accountant::{Composition, Event, number};
use plaudit_core::claim::{Claim, ClaimError, Form, RenyiBound, Rule};
use serde::Deserialize;
use toml::de::{DeValue, ValueDeserializer};

const SEE: &str = "docs/spec-claims.md lists every form with its values";
const EXAMPLE: &str = "{ epsilon = 1.0 }, { epsilon = 1.0, delta = 1e-5 } or { mu = 1.0 }; other forms are \
                       in docs/spec-claims.md";
/// Form of an example in the help, with `claim =`.
const WRITE: &str = "write claim = { epsilon = 1.0 }, { epsilon = 1.0, delta = 1e-5 } or { mu = 1.0 }; \
                     other forms are in docs/spec-claims.md";
#[rustfmt::skip]
const KEYS: [&str; 12] = [
    "epsilon", "delta", "mu", "rho", "renyi", "profile", "tradeoff", "composition", "rule", "count", "delta_prime",
    "group",
];
/// Keys that each begin a form of their own.
const FORMS: [&str; 8] =
    ["epsilon", "mu", "rho", "renyi", "profile", "tradeoff", "composition", "rule"];
const RULES: [(&str, Rule); 3] =
    [("basic", Rule::Basic), ("advanced", Rule::Advanced), ("advanced-short", Rule::AdvancedShort)];
const COMPOSITION: &str = "write \"gaussian(sigma=1) x 10 + laplace(scale=2)\", or a list: \
                           [{ kind = \"gaussian\", sigma = 1, count = 10 }]; see docs/accountant.md";

/// Reads the claim, and notes its mistakes.
pub(super) fn read(audit: &Fields<'_>, mistakes: &mut Vec<Mistake>) -> Option<Claim> {
    let value = read::keep(mistakes, audit.require("claim", WRITE))?;
    let fields = read::keep(mistakes, Fields::of("`claim`", value, EXAMPLE))?;
    let before = mistakes.len();
    mistakes.extend(fields.unknown_keys(&KEYS));
    if mistakes.len() > before { None } else { read::keep(mistakes, claim(&fields)) }
}

fn claim(fields: &Fields<'_>) -> Checked<Claim> {
    let form = form(fields)?;
    let form = match fields.optional("group", read::whole)? {
        None => form,
        Some(size) => Form::Group { of: Box::new(form), size },
    };
    Claim::try_from(form).map_err(|error: ClaimError| {
        let given = fields.optional("delta", read::number).ok().flatten();
        let help = match (error.name, given) {
            ("delta", Some(delta)) if 1.0 < delta && delta <= 100.0 => {
                let guess = number::words((1e10 * delta).round() / 1e12);
                format!("delta is a probability, from 0 to 1: {delta} % is {guess}")
            }
            ("epsilon" | "delta" | "mu" | "rho", _) if error.must_be.starts_with("between") => {
                format!("write {} as a number that is {}", error.name, error.must_be)
            }
            _ => SEE.to_owned(),
        };
        Mistake::new(fields.place_of(error.name), error.to_string(), help)
    })
}

fn form(fields: &Fields<'_>) -> Checked<Form> {
    let key = key_of_form(fields)?;
    let number = |key: &str| fields.needed(key, WRITE, read::number);
    let delta = fields.optional("delta", read::number)?.unwrap_or(0.0);
    Ok(match key {
        "epsilon" => Form::EpsilonDelta { epsilon: number("epsilon")?, delta },
        "mu" => Form::Gaussian { mu: number("mu")? },
        "rho" => Form::ZeroConcentrated { rho: number("rho")? },
        "renyi" => Form::Renyi { curve: fields.needed("renyi", WRITE, renyi)? },
        "profile" => {
            let example = "[[0.0, 0.1], [1.0, 1e-3]]: epsilon, delta";
            Form::Profile { points: points(fields, "profile", example)? }
        }
        "tradeoff" => {
            let example = "[[0.0, 0.9], [0.1, 0.6]]: type-I error, least type-II error";
            Form::Tradeoff { points: points(fields, "tradeoff", example)? }
        }
        "composition" => {
            Form::Composition { composition: fields.needed("composition", WRITE, composition)? }
        }
        _ => Form::Composed {
            rule: fields.needed("rule", WRITE, rule)?,
            epsilon: number("epsilon")?,
            delta,
            count: fields.needed("count", WRITE, read::whole)?,
            delta_prime: fields.optional("delta_prime", read::number)?,
        },
    })
}

/// The key that begins the one form that is given; the other keys must belong to it.
fn key_of_form(fields: &Fields<'_>) -> Checked<&'static str> {
    let form = match fields.given(&FORMS)[..] {
        [] if fields.has("delta") => {
            return fields.refuse(
                "a claim with `delta` also needs `epsilon`",
                "write claim = { epsilon = 1.0, delta = 1e-5 }, with epsilon = 0 if intended",
            );
        }
        [] => return fields.refuse("the claim is empty", WRITE),
        // A rule has an epsilon of its own.
        ["epsilon", "rule"] => "rule",
        [one] => one,
        [first, second, ..] => {
            let message = format!("a claim has one form, not both `{first}` and `{second}`");
            return fields.refuse(message, "keep one; to audit both, write two audits");
        }
    };
    let belong: &[&str] = match form {
        "epsilon" => &["delta"],
        "rule" => &["epsilon", "delta", "count", "delta_prime"],
        _ => &[],
    };
    let belongs = |key: &str| key == form || key == "group" || belong.contains(&key);
    match fields.entries().find(|(key, _)| !belongs(key)) {
        None => Ok(form),
        Some((key, value)) => value.refuse(
            format!("`{key}` does not belong to a claim of `{form}`"),
            format!("leave it out, or write one of claim = {EXAMPLE}"),
        ),
    }
}

/// An expression, or a list of events.
fn composition(value: &Value<'_>, what: &str) -> Checked<Composition> {
    let composition = match value.get_ref() {
        DeValue::String(text) => value.check(text.parse::<Composition>(), COMPOSITION)?,
        _ => {
            read::list(value, what, COMPOSITION)?;
            let events = Vec::<Event>::deserialize(ValueDeserializer::from(value.clone()));
            let events = events.map_err(|error| match read::unknown_field(error.message()) {
                Some((given, known)) => Mistake::new(
                    error.span().unwrap_or_else(|| value.span()),
                    format!("unknown key `{given}` in an event of {what}"),
                    did_you_mean(given, &known, "keys"),
                ),
                None => value.wrong(error.message(), COMPOSITION),
            })?;
            value.check(Composition::new(events), COMPOSITION)?
        }
    };
    value.check(composition.check(), COMPOSITION)?;
    Ok(composition)
}

fn rule(value: &Value<'_>, what: &str) -> Checked<Rule> {
    read::word(value, what, &RULES, |other| {
        let help = did_you_mean(other, &RULES.map(|(word, _)| word), "composition rules");
        (format!("unknown rule `{other}`"), help)
    })
}

fn renyi(value: &Value<'_>, what: &str) -> Checked<Vec<RenyiBound>> {
    const BOUND: &str = "[{ order = 8, epsilon = 0.5 }]";
    read::list_of(value, (what, "a bound of `renyi`", BOUND), |value, what| {
        let fields = Fields::with_keys(what, value, &["order", "epsilon"], BOUND)?;
        let number = |key: &str| fields.needed(key, BOUND, read::number);
        Ok(RenyiBound { order: number("order")?, epsilon: number("epsilon")? })
    })
}

fn points(fields: &Fields<'_>, key: &str, example: &str) -> Checked<Vec<(f64, f64)>> {
    let point = |value: &Value<'_>, what: &str| match read::list_of(
        value,
        (what, "a point's number", example),
        read::number,
    )?[..]
    {
        [x, y] => Ok((x, y)),
        ref other => value.refuse(
            format!("a point is two numbers, not {}", other.len()),
            format!("write {example}"),
        ),
    };
    fields.needed(key, WRITE, |value, what| read::list_of(value, (what, "a point", example), point))
}

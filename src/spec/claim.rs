//! Claims.

use super::error::Mistake;
use super::read::{self, Fields, SpannedValue, did_you_mean};
use plaudit_accountant::{Composition, Event};
use plaudit_core::claim::{Claim, ClaimError, Form, RenyiBound, Rule};
use serde::Deserialize;
use toml::de::{DeValue, ValueDeserializer};

const SEE: &str = "docs/spec-claims.md has every form with its values";
const EXAMPLE: &str = "{ epsilon = 1.0 }, { epsilon = 1.0, delta = 1e-5 } or { mu = 1.0 }; other forms are \
                       in docs/spec-claims.md";
const KEYS: [&str; 12] = [
    "epsilon",
    "delta",
    "mu",
    "rho",
    "renyi",
    "profile",
    "tradeoff",
    "composition",
    "rule",
    "count",
    "delta_prime",
    "group",
];
/// Keys that each begin a form of their own.
const FORMS: [&str; 8] =
    ["epsilon", "mu", "rho", "renyi", "profile", "tradeoff", "composition", "rule"];
const RULES: [&str; 3] = ["basic", "advanced", "advanced-short"];

/// Reads the claim, and notes its mistakes.
pub(super) fn read(audit: &Fields<'_, '_>, mistakes: &mut Vec<Mistake>) -> Option<Claim> {
    let value = audit.require("claim", &format!("write claim = {EXAMPLE}"));
    let value = read::keep(mistakes, value)?;
    let fields = read::keep(mistakes, Fields::of("`claim`", value, EXAMPLE))?;
    let unknown = fields.unknown_keys(&KEYS);
    if !unknown.is_empty() {
        mistakes.extend(unknown);
        return None;
    }
    read::keep(mistakes, claim(&fields))
}

fn claim(fields: &Fields<'_, '_>) -> Result<Claim, Mistake> {
    let form = form(fields)?;
    let form = match fields.get("group") {
        None => form,
        Some(value) => Form::Group { of: Box::new(form), size: read::whole(value, "`group`")? },
    };
    Claim::try_from(form).map_err(|error: ClaimError| {
        let span = fields.get(error.name).map_or(fields.span(), |value| value.span());
        let help = match error.name {
            "epsilon" | "delta" | "mu" | "rho" if error.must_be.starts_with("between") => {
                format!("write {} as a number that is {}", error.name, error.must_be)
            }
            _ => SEE.to_owned(),
        };
        Mistake::new(span, error.to_string(), help)
    })
}

fn form(fields: &Fields<'_, '_>) -> Result<Form, Mistake> {
    let number = |key: &str| {
        fields.get(key).map(|value| read::number(value, &format!("`{key}`"))).transpose()
    };
    // A rule has an epsilon of its own.
    let given: Vec<&str> = FORMS.into_iter().filter(|key| fields.get(key).is_some()).collect();
    let form = match given.as_slice() {
        [] if fields.get("delta").is_some() => {
            let message = "a claim with `delta` needs `epsilon`, too";
            let help =
                "write claim = { epsilon = 1.0, delta = 1e-5 }, with epsilon = 0 if you mean it";
            return Err(Mistake::new(fields.span(), message, help));
        }
        [] => {
            let help = format!("write claim = {EXAMPLE}");
            return Err(Mistake::new(fields.span(), "an empty claim says nothing", help));
        }
        ["epsilon", "rule"] | ["rule"] => "rule",
        [one] => one,
        [first, second, ..] => {
            let message = format!("a claim has one form, not both `{first}` and `{second}`");
            let help = "keep one; to audit both, write two audits";
            return Err(Mistake::new(fields.span(), message, help));
        }
    };
    let belong: &[&str] = match form {
        "epsilon" => &["delta"],
        "rule" => &["epsilon", "delta", "count", "delta_prime"],
        _ => &[],
    };
    let strange =
        fields.entries().find(|(key, _)| *key != form && *key != "group" && !belong.contains(key));
    if let Some((key, value)) = strange {
        let message = format!("`{key}` does not belong to a claim of `{form}`");
        let help = format!("leave it out, or write one of claim = {EXAMPLE}");
        return Err(Mistake::new(value.span(), message, help));
    }
    let delta = number("delta")?.unwrap_or(0.0);
    let needed = |key: &str| fields.require(key, &format!("write claim = {EXAMPLE}"));
    Ok(match form {
        "epsilon" => Form::EpsilonDelta { epsilon: number("epsilon")?.unwrap_or(0.0), delta },
        "mu" => Form::Gaussian { mu: number("mu")?.unwrap_or(0.0) },
        "rho" => Form::ZeroConcentrated { rho: number("rho")?.unwrap_or(0.0) },
        "renyi" => Form::Renyi { curve: renyi(needed("renyi")?)? },
        "profile" => {
            let example = "[[0.0, 0.1], [1.0, 1e-3]]: epsilon, delta";
            Form::Profile { points: points(needed("profile")?, "`profile`", example)? }
        }
        "tradeoff" => {
            let example = "[[0.0, 0.9], [0.1, 0.6]]: type-I error, least type-II error";
            Form::Tradeoff { points: points(needed("tradeoff")?, "`tradeoff`", example)? }
        }
        "composition" => Form::Composition { composition: composition(needed("composition")?)? },
        _ => Form::Composed {
            rule: rule(needed("rule")?)?,
            epsilon: read::number(needed("epsilon")?, "`epsilon`")?,
            delta,
            count: read::whole(needed("count")?, "`count`")?,
            delta_prime: number("delta_prime")?,
        },
    })
}

/// An expression, or a list of events.
fn composition(value: &SpannedValue<'_>) -> Result<Composition, Mistake> {
    let mistake = |message: String| Mistake::new(value.span(), message, COMPOSITION);
    let composition = match value.get_ref() {
        DeValue::String(text) => text.parse::<Composition>().map_err(|e| mistake(e.to_string()))?,
        _ => {
            read::list(value, "`composition`", COMPOSITION)?;
            let events = Vec::<Event>::deserialize(ValueDeserializer::from(value.clone()))
                .map_err(|error| mistake(error.message().to_owned()))?;
            Composition::new(events).map_err(|error| mistake(error.to_string()))?
        }
    };
    composition.check().map_err(|error| mistake(error.to_string()))?;
    Ok(composition)
}

const COMPOSITION: &str = "write \"gaussian(sigma=1) x 10 + laplace(scale=2)\", or a list: \
                           [{ kind = \"gaussian\", sigma = 1, count = 10 }]; see docs/accountant.md";

fn rule(value: &SpannedValue<'_>) -> Result<Rule, Mistake> {
    match read::text(value, "`rule`")? {
        "basic" => Ok(Rule::Basic),
        "advanced" => Ok(Rule::Advanced),
        "advanced-short" => Ok(Rule::AdvancedShort),
        other => {
            let help = did_you_mean(other, &RULES, "composition rules");
            Err(Mistake::new(value.span(), format!("unknown rule `{other}`"), help))
        }
    }
}

fn renyi(value: &SpannedValue<'_>) -> Result<Vec<RenyiBound>, Mistake> {
    const BOUND: &str = "[{ order = 8, epsilon = 0.5 }]";
    let bound = |value: &SpannedValue<'_>| {
        let fields = Fields::of("a bound of `renyi`", value, BOUND)?;
        if let Some(mistake) = fields.unknown_keys(&["order", "epsilon"]).into_iter().next() {
            return Err(mistake);
        }
        let number = |key: &str| read::number(fields.require(key, BOUND)?, &format!("`{key}`"));
        Ok(RenyiBound { order: number("order")?, epsilon: number("epsilon")? })
    };
    read::list(value, "`renyi`", BOUND)?.iter().map(bound).collect()
}

fn points(value: &SpannedValue<'_>, what: &str, example: &str) -> Result<Vec<(f64, f64)>, Mistake> {
    let point = |value: &SpannedValue<'_>| {
        let numbers = read::list(value, "a point", example)?;
        match numbers
            .iter()
            .map(|x| read::number(x, "a point's number"))
            .collect::<Result<Vec<_>, _>>()?
            .as_slice()
        {
            [x, y] => Ok((*x, *y)),
            other => {
                let message = format!("a point is two numbers, not {}", other.len());
                Err(Mistake::new(value.span(), message, format!("write {example}")))
            }
        }
    };
    read::list(value, what, example)?.iter().map(point).collect()
}

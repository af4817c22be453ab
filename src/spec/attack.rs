//! One `[[attack]]`.

use super::error::{Mistake, SpecSource};
use super::loaded::{Document, LoadedAttack};
use super::read::{self, Fields, SpannedValue};
use super::settings::{DEFAULT_SEED, Overrides};
use plaudit_accountant::near::nearest;
use plaudit_attacks::attack::{
    AttackPlan, Bounded, Decoder, Disturbance, LinkQuestion, Noise, PlannedAttack, Question,
    Scores, Service, Setup, read_scores,
};
use plaudit_core::claim::{Claim, REFERENCE_DELTA};
use std::path::PathBuf;
use toml::de::DeValue;

const KEYS: [&str; 8] =
    ["name", "about", "average", "reconstruct", "membership", "link", "expect", "seed"];
const AVERAGE: [&str; 8] =
    ["noise", "scale", "sensitivity", "queries", "budget", "cached", "differencing", "delta"];
const RECONSTRUCT: [&str; 6] = ["noise", "scale", "entries", "queries", "decoder", "delta"];
const MEMBERSHIP: [&str; 7] =
    ["members", "non_members", "column", "epsilon", "delta", "mu", "alpha"];
const LINK: [&str; 7] = ["released", "known", "on", "truth", "epsilon", "delta", "alpha"];
/// The error of a guess that counts as success.
const BELOW: f64 = 0.1;
/// Level of all bounds of one attack by scores: what `plaudit attack membership` takes.
const LEVEL: f64 = 0.05;

/// Reads an attack into a document: the attack itself if it has no mistake, else its mistakes.
pub(super) fn read(
    value: &SpannedValue<'_>,
    (source, command, defaults): (&SpecSource, Overrides, Overrides),
    document: &mut Document,
) {
    let mistakes = &mut document.mistakes;
    let fields = Fields::of("an attack", value, "[[attack]]");
    let Some(mut fields) = read::keep(mistakes, fields) else { return };
    let name = fields
        .require("name", "give it one, such as name = \"averaging\"")
        .and_then(|value| Ok((read::text(value, "`name`")?.to_owned(), value.span())));
    let name = read::keep(mistakes, name);
    if let Some((name, span)) = &name {
        fields.call(format!("the attack `{name}`"));
        document.names.push((name.clone(), span.clone()));
    }
    mistakes.extend(fields.unknown_keys(&KEYS));
    let about = fields.get("about").map(|value| read::text(value, "`about`").map(str::to_owned));
    let about = read::keep(mistakes, about.transpose()).flatten();
    let seed = fields.get("seed").map(|value| read::whole(value, "`seed`"));
    let seed = read::keep(mistakes, seed.transpose()).flatten();
    let expected = read::keep(mistakes, expected(&fields));
    let of = read::keep(mistakes, plan(&fields, source));
    let (Some((name, _)), Some(expected), Some(of)) = (name, expected, of) else { return };
    let seed = command.seed.or(seed).or(defaults.seed).unwrap_or(DEFAULT_SEED);
    let attack = PlannedAttack { name, about, seed, expected, of };
    if let Err(error) = attack.check() {
        let help = "`plaudit attack --help` says what is possible";
        mistakes.push(Mistake::new(fields.span(), error.to_string(), help));
        return;
    }
    document.attacks.push(LoadedAttack { attack, file: source.path.clone() });
}

/// `true` if it should reach its goal.
fn expected(fields: &Fields<'_, '_>) -> Result<bool, Mistake> {
    let remedy = "write expect = \"succeeds\" or expect = \"fails\"";
    let value = fields.require("expect", remedy)?;
    match read::text(value, "`expect`")? {
        "succeeds" => Ok(true),
        "fails" => Ok(false),
        other => {
            let message = format!("`{other}` cannot be expected of an attack");
            Err(Mistake::new(value.span(), message, remedy))
        }
    }
}

fn plan(fields: &Fields<'_, '_>, source: &SpecSource) -> Result<AttackPlan, Mistake> {
    let kinds = ["average", "reconstruct", "membership", "link"];
    let given: Vec<_> = kinds.iter().filter_map(|kind| Some((*kind, fields.get(kind)?))).collect();
    let [(kind, value)] = given[..] else {
        let message = match given[..] {
            [] => "this attack does not say what is done",
            _ => "this attack does several things at once",
        };
        let help = "give it one of `average`, `reconstruct`, `membership` and `link`";
        return Err(Mistake::new(fields.span(), message, help));
    };
    match kind {
        "average" => average(value),
        "reconstruct" => reconstruct(value),
        "membership" => membership(value, source),
        _ => link(value, source),
    }
}

fn known<'a, 'i>(
    value: &'a SpannedValue<'i>,
    (what, keys): (&str, &[&str]),
    example: &str,
) -> Result<Fields<'a, 'i>, Mistake> {
    let fields = Fields::of(what, value, example)?;
    match fields.unknown_keys(keys).into_iter().next() {
        Some(mistake) => Err(mistake),
        None => Ok(fields),
    }
}

fn average(value: &SpannedValue<'_>) -> Result<AttackPlan, Mistake> {
    let example = "{ noise = \"laplace\", scale = 10.0, queries = 1000 }";
    let fields = known(value, ("`average`", &AVERAGE), example)?;
    let kind = fields.require("noise", example)?;
    let scale = positive(fields.require("scale", example)?, "`scale`")?;
    let noise = match one_of(kind, "`noise`", &["laplace", "gaussian"])? {
        "laplace" => Noise::Laplace { scale },
        _ => Noise::Gaussian { sigma: scale },
    };
    let sensitivity = fields.get("sensitivity").map(|value| positive(value, "`sensitivity`"));
    let service = Service {
        noise,
        sensitivity: sensitivity.transpose()?.unwrap_or(1.0),
        cached: yes(&fields, "cached")?,
        differencing: yes(&fields, "differencing")?,
        budget: number(&fields, "budget")?,
        delta: number(&fields, "delta")?.unwrap_or(REFERENCE_DELTA),
    };
    let queries = read::whole(fields.require("queries", example)?, "`queries`")?;
    Ok(AttackPlan::Average { service, queries, below: BELOW })
}

fn reconstruct(value: &SpannedValue<'_>) -> Result<AttackPlan, Mistake> {
    let example = "{ noise = \"laplace\", scale = [1.0, 10.0], entries = 500 }";
    let fields = known(value, ("`reconstruct`", &RECONSTRUCT), example)?;
    let kinds = ["laplace", "gaussian", "bounded", "adversarial", "rounding"];
    let kind = one_of(fields.require("noise", example)?, "`noise`", &kinds)?;
    let of_scale = |scale: f64| match kind {
        "laplace" => Disturbance::Noise(Noise::Laplace { scale }),
        "gaussian" => Disturbance::Noise(Noise::Gaussian { sigma: scale }),
        "bounded" => Disturbance::Bounded(Bounded::Uniform { error: scale }),
        "adversarial" => Disturbance::Bounded(Bounded::Adversarial { error: scale }),
        _ => Disturbance::Bounded(Bounded::Rounding { multiple: scale }),
    };
    let scales =
        several(fields.require("scale", example)?, |value| read::finite(value, "`scale`"))?;
    let entries = read::whole(fields.require("entries", example)?, "`entries`")?;
    let queries =
        fields.get("queries").map(|value| several(value, |it| read::whole(it, "`queries`")));
    let queries: Vec<Option<u64>> = match queries.transpose()? {
        Some(some) => some.into_iter().map(Some).collect(),
        None => vec![None],
    };
    let decoders = ["exhaustive", "linear-program", "least-squares"];
    let decoder = fields.get("decoder").map(|value| one_of(value, "`decoder`", &decoders));
    let decoder = match decoder.transpose()? {
        Some("exhaustive") => Decoder::Exhaustive,
        Some("least-squares") => Decoder::LeastSquares,
        _ => Decoder::LinearProgram,
    };
    let delta = number(&fields, "delta")?.unwrap_or(REFERENCE_DELTA);
    let setups = scales.iter().flat_map(|scale| {
        let disturbance = of_scale(*scale);
        queries.iter().map(move |queries| Setup { disturbance, decoder, queries: *queries, delta })
    });
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    Ok(AttackPlan::Reconstruct { entries, setups: setups.collect() })
}

fn membership(value: &SpannedValue<'_>, source: &SpecSource) -> Result<AttackPlan, Mistake> {
    let example = "{ members = \"members.txt\", non_members = \"others.txt\" }";
    let fields = known(value, ("`membership`", &MEMBERSHIP), example)?;
    let column = fields.get("column").map(|value| read::text(value, "`column`")).transpose()?;
    let scores = |key: &str| {
        let value = fields.require(key, example)?;
        let file = beside(source, read::text(value, &format!("`{key}`"))?);
        let help = "paths are relative to the folder of the spec";
        read_scores(&file, column).map_err(|why| Mistake::new(value.span(), why, help))
    };
    let (members, others) = (scores("members")?, scores("non_members")?);
    let wrong = |why: String| {
        Mistake::new(fields.span(), why, "`plaudit attack membership --help` says what is possible")
    };
    let scores = Scores::new(members, others).map_err(|error| wrong(error.to_string()))?;
    let (epsilon, mu) = (number(&fields, "epsilon")?, number(&fields, "mu")?);
    let delta = number(&fields, "delta")?.unwrap_or(REFERENCE_DELTA);
    let alpha = level(&fields)?;
    let point = Claim::approximate(epsilon.unwrap_or(1.0), delta);
    let point = point.map_err(|error| wrong(error.to_string()))?;
    let claim = match (epsilon, mu) {
        (Some(_), Some(_)) => {
            return Err(wrong("a claim is either `epsilon` or `mu`, not both".into()));
        }
        (None, Some(mu)) => Some(Claim::gaussian(mu).map_err(|error| wrong(error.to_string()))?),
        (Some(_), None) => Some(point),
        (None, None) => None,
    };
    let question = Question { delta, epsilon: epsilon.unwrap_or(1.0), alpha, claim };
    Ok(AttackPlan::Membership { scores, question })
}

fn link(value: &SpannedValue<'_>, source: &SpecSource) -> Result<AttackPlan, Mistake> {
    let example =
        "{ released = \"patients.csv\", known = \"voters.csv\", on = [\"zip\", \"birth\"] }";
    let fields = known(value, ("`link`", &LINK), example)?;
    let file = |key: &str| {
        let path = read::text(fields.require(key, example)?, &format!("`{key}`"))?;
        Ok::<_, Mistake>(beside(source, path))
    };
    let column = |value: &SpannedValue<'_>| read::text(value, "a column").map(str::to_owned);
    let delta = number(&fields, "delta")?.unwrap_or(REFERENCE_DELTA);
    Ok(AttackPlan::Link(LinkQuestion {
        released: file("released")?,
        known: file("known")?,
        on: several(fields.require("on", example)?, column)?,
        truth: fields.get("truth").map(column).transpose()?,
        counts: number(&fields, "epsilon")?.map(|epsilon| (epsilon, delta)),
        alpha: level(&fields)?,
    }))
}

/// A path relative to the folder of the spec.
fn beside(source: &SpecSource, path: &str) -> PathBuf {
    source.path.parent().map_or_else(PathBuf::new, PathBuf::from).join(path)
}

fn level(fields: &Fields<'_, '_>) -> Result<f64, Mistake> {
    let alpha = number(fields, "alpha")?.unwrap_or(LEVEL);
    if alpha > 0.0 && alpha < 1.0 {
        return Ok(alpha);
    }
    let message = format!("`alpha` is {alpha}");
    Err(Mistake::new(fields.span(), message, "write a level between 0 and 1, such as 0.05"))
}

fn yes(fields: &Fields<'_, '_>, key: &str) -> Result<bool, Mistake> {
    fields.get(key).map_or(Ok(false), |value| read::boolean(value, &format!("`{key}`")))
}

fn number(fields: &Fields<'_, '_>, key: &str) -> Result<Option<f64>, Mistake> {
    fields.get(key).map(|value| read::finite(value, &format!("`{key}`"))).transpose()
}

fn positive(value: &SpannedValue<'_>, what: &str) -> Result<f64, Mistake> {
    let x = read::finite(value, what)?;
    if x > 0.0 {
        return Ok(x);
    }
    Err(Mistake::new(value.span(), format!("{what} is {x}"), "write a number above 0"))
}

/// One value, or a list of some.
fn several<T>(
    value: &SpannedValue<'_>,
    one: impl Fn(&SpannedValue<'_>) -> Result<T, Mistake>,
) -> Result<Vec<T>, Mistake> {
    let DeValue::Array(list) = value.get_ref() else { return Ok(vec![one(value)?]) };
    if list.is_empty() {
        return Err(Mistake::new(value.span(), "this list is empty", "write at least one"));
    }
    list.iter().map(one).collect()
}

fn one_of<'a>(value: &'a SpannedValue<'_>, what: &str, words: &[&str]) -> Result<&'a str, Mistake> {
    let given = read::text(value, what)?;
    if words.contains(&given) {
        return Ok(given);
    }
    let all = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    let help = match nearest(given, words) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("write one of {all}"),
    };
    Err(Mistake::new(value.span(), format!("{what} cannot be `{given}`"), help))
}

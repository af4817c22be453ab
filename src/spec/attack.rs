//! One `[[attack]]`.

use super::error::{Checked, Mistake, SpecSource};
use super::loaded::{Document, LoadedAttack};
use super::read::{self, Fields, Place, Value};
use super::settings::{DEFAULT_SEED, Overrides};
use plaudit_accountant::near::nearest;
use plaudit_attacks::attack::{
    AttackPlan, Bounded, Decoder, Disturbance, GUESSES, InferQuestion, LinkQuestion, NEIGHBORS,
    Noise, PlannedAttack, Question, ScoreFiles, Service, Setup, SingleQuestion, TOLERANCE,
};
use plaudit_core::claim::{Claim, REFERENCE_DELTA};
use std::path::PathBuf;
use toml::de::DeValue;

/// Kinds of attacks, by their keys.
const KINDS: [&str; 6] = ["average", "reconstruct", "membership", "link", "single-out", "infer"];
/// The error of a guess that counts as success.
const BELOW: f64 = 0.1;
/// Level of all bounds of one attack by scores: what `plaudit attack membership` takes.
const LEVEL: f64 = 0.05;

/// Reads an attack into a document: the attack itself if it has no mistake, else its mistakes.
pub(super) fn read(
    value: &Value<'_>,
    (source, command, defaults): (&SpecSource, Overrides, Overrides),
    document: &mut Document,
) {
    let mistakes = &mut document.mistakes;
    let fields = Fields::of("an attack", value, "[[attack]]");
    let Some(mut fields) = read::keep(mistakes, fields) else { return };
    let name = fields.needed("name", "give it one, such as name = \"averaging\"", read::owned);
    let name = read::keep(mistakes, name);
    if let Some(name) = &name {
        fields.call(format!("the attack `{name}`"));
        document.names.push((name.clone(), fields.place_of("name")));
    }
    let keys = [&["name", "about", "expect", "seed"], &KINDS[..]].concat();
    mistakes.extend(fields.unknown_keys(&keys));
    let about = read::keep(mistakes, fields.optional("about", read::owned)).flatten();
    let seed = read::keep(mistakes, fields.optional("seed", read::whole)).flatten();
    let expected = read::keep(mistakes, expected(&fields));
    let of = read::keep(mistakes, plan(&fields, source));
    let (Some(name), Some(expected), Some(of)) = (name, expected, of) else { return };
    let seed = command.seed.or(seed).or(defaults.seed).unwrap_or(DEFAULT_SEED);
    let attack = PlannedAttack { name, about, seed, expected, of };
    let checked = fields.check(attack.check(), "`plaudit attack --help` lists the options");
    if read::keep(mistakes, checked).is_some() {
        document.attacks.push(LoadedAttack { attack, file: source.path.clone() });
    }
}

/// `true` if it should reach its goal.
fn expected(fields: &Fields<'_>) -> Checked<bool> {
    let remedy = "write expect = \"succeeds\" or expect = \"fails\"";
    fields.needed("expect", remedy, |value, what| {
        read::word(value, what, &[("succeeds", true), ("fails", false)], |other| {
            (format!("`{other}` cannot be expected of an attack"), remedy.to_owned())
        })
    })
}

fn plan(fields: &Fields<'_>, source: &SpecSource) -> Checked<AttackPlan> {
    let given = fields.given(&KINDS);
    let help =
        "give it one of `average`, `reconstruct`, `membership`, `link`, `single-out` and `infer`";
    let [kind] = given[..] else {
        let message = match given[..] {
            [] => "this attack has no kind",
            _ => "this attack has several kinds",
        };
        return fields.refuse(message, help);
    };
    fields.needed(kind, help, |value, what| match kind {
        "average" => average(value, what),
        "reconstruct" => reconstruct(value, what),
        "membership" => membership(value, what, source),
        "link" => link(value, what, source),
        "single-out" => single_out(value, what, source),
        _ => infer(value, what, source),
    })
}

fn average(value: &Value<'_>, what: &str) -> Checked<AttackPlan> {
    const KEYS: [&str; 8] =
        ["noise", "scale", "sensitivity", "queries", "budget", "cached", "differencing", "delta"];
    let example = "{ noise = \"laplace\", scale = 10.0, queries = 1000 }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    fields.require("noise", example)?;
    let scale = fields.needed("scale", example, read::positive)?;
    let noises =
        [("laplace", Noise::Laplace { scale }), ("gaussian", Noise::Gaussian { sigma: scale })];
    let service = Service {
        noise: fields.needed("noise", example, |value, what| one_of(value, what, &noises))?,
        sensitivity: fields.optional("sensitivity", read::positive)?.unwrap_or(1.0),
        cached: fields.flag("cached")?,
        differencing: fields.flag("differencing")?,
        budget: fields.optional("budget", read::finite)?,
        delta: delta(&fields)?,
    };
    let queries = fields.needed("queries", example, read::whole)?;
    Ok(AttackPlan::Average { service, queries, below: BELOW })
}

fn reconstruct(value: &Value<'_>, what: &str) -> Checked<AttackPlan> {
    const KEYS: [&str; 6] = ["noise", "scale", "entries", "queries", "decoder", "delta"];
    type OfScale = fn(f64) -> Disturbance;
    const NOISES: [(&str, OfScale); 5] = [
        ("laplace", |scale| Disturbance::Noise(Noise::Laplace { scale })),
        ("gaussian", |sigma| Disturbance::Noise(Noise::Gaussian { sigma })),
        ("bounded", |error| Disturbance::Bounded(Bounded::Uniform { error })),
        ("adversarial", |error| Disturbance::Bounded(Bounded::Adversarial { error })),
        ("rounding", |multiple| Disturbance::Bounded(Bounded::Rounding { multiple })),
    ];
    const DECODERS: [(&str, Decoder); 3] = [
        ("exhaustive", Decoder::Exhaustive),
        ("linear-program", Decoder::LinearProgram),
        ("least-squares", Decoder::LeastSquares),
    ];
    let example = "{ noise = \"laplace\", scale = [1.0, 10.0], entries = 500 }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    let noise = fields.needed("noise", example, |value, what| one_of(value, what, &NOISES))?;
    let scales =
        fields.needed("scale", example, |value, what| several(value, what, read::finite))?;
    let entries = fields.needed("entries", example, read::size)?;
    let queries = fields.optional("queries", |value, what| several(value, what, read::whole))?;
    let queries: Vec<Option<u64>> =
        queries.map_or_else(|| vec![None], |some| some.into_iter().map(Some).collect());
    let decoder = fields.optional("decoder", |value, what| one_of(value, what, &DECODERS))?;
    let decoder = decoder.unwrap_or(Decoder::LinearProgram);
    let delta = delta(&fields)?;
    let setups = scales.into_iter().flat_map(|scale| {
        let disturbance = noise(scale);
        queries.iter().map(move |queries| Setup { disturbance, decoder, queries: *queries, delta })
    });
    Ok(AttackPlan::Reconstruct { entries, setups: setups.collect() })
}

fn membership(value: &Value<'_>, what: &str, source: &SpecSource) -> Checked<AttackPlan> {
    const KEYS: [&str; 9] =
        ["members", "non_members", "scores", "label", "column", "epsilon", "delta", "mu", "alpha"];
    let example = "{ members = \"members.txt\", non_members = \"others.txt\" }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    let help = "`plaudit attack membership --help` lists the options";
    let path = |key: &str| {
        let path = fields.needed(key, example, read::text)?;
        Ok::<_, Mistake>(read::beside(&source.path, path))
    };
    let label = fields.optional("label", read::owned)?;
    let files = match (fields.given(&["scores", "members", "non_members"])[..] == ["scores"], label)
    {
        (true, Some(label)) => ScoreFiles::Labeled { table: path("scores")?, label },
        (true, None) => ScoreFiles::Archive(path("scores")?),
        (false, None) => ScoreFiles::Apart([path("members")?, path("non_members")?]),
        (false, Some(_)) => {
            return fields.refuse(
                "`label` goes with `scores`, one table of both groups",
                "write { scores = \"scores.csv\", label = \"member\" }",
            );
        }
    };
    let column: Vec<String> = fields.optional("column", read::owned)?.into_iter().collect();
    let scores = files.read(&column).map(|mut columns| columns.remove(0));
    let scores = value.check(
        scores,
        "paths are relative to the folder of the spec; `plaudit attack membership --help` lists the options",
    )?;
    let given = fields.optional("epsilon", read::finite)?;
    let mu = fields.optional("mu", read::finite)?;
    let (delta, alpha) = (delta(&fields)?, level(&fields)?);
    let epsilon = given.unwrap_or(1.0);
    let point = fields.check(Claim::approximate(epsilon, delta), help)?;
    let claim = match (given, mu) {
        (Some(_), Some(_)) => {
            return fields.refuse("a claim is either `epsilon` or `mu`, not both", help);
        }
        (None, Some(mu)) => Some(fields.check(Claim::gaussian(mu), help)?),
        (Some(_), None) => Some(point),
        (None, None) => None,
    };
    Ok(AttackPlan::Membership { scores, question: Question { delta, epsilon, alpha, claim } })
}

fn link(value: &Value<'_>, what: &str, source: &SpecSource) -> Checked<AttackPlan> {
    const KEYS: [&str; 7] = ["released", "known", "on", "truth", "epsilon", "delta", "alpha"];
    let example =
        "{ released = \"patients.csv\", known = \"voters.csv\", on = [\"zip\", \"birth\"] }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    let delta = delta(&fields)?;
    Ok(AttackPlan::Link(LinkQuestion {
        released: file(&fields, "released", example, source)?,
        known: file(&fields, "known", example, source)?,
        on: fields.needed("on", example, |value, what| several(value, what, column))?,
        truth: fields.optional("truth", column)?,
        counts: fields.optional("epsilon", read::finite)?.map(|epsilon| (epsilon, delta)),
        alpha: level(&fields)?,
    }))
}

fn single_out(value: &Value<'_>, what: &str, source: &SpecSource) -> Checked<AttackPlan> {
    const KEYS: [&str; 8] =
        ["original", "released", "control", "columns", "guesses", "conditions", "at_most", "alpha"];
    let example =
        "{ original = \"people.csv\", released = \"synthetic.csv\", control = \"others.csv\" }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    Ok(AttackPlan::SingleOut(SingleQuestion {
        original: file(&fields, "original", example, source)?,
        released: file(&fields, "released", example, source)?,
        control: Some(file(&fields, "control", example, source)?),
        columns: fields
            .optional("columns", |value, what| several(value, what, column))?
            .unwrap_or_default(),
        guesses: fields.optional("guesses", read::whole)?.unwrap_or(GUESSES),
        conditions: fields.optional("conditions", read::whole)?,
        alpha: level(&fields)?,
        at_most: fields.optional("at_most", read::finite)?,
    }))
}

fn infer(value: &Value<'_>, what: &str, source: &SpecSource) -> Checked<AttackPlan> {
    const KEYS: [&str; 9] = [
        "original",
        "released",
        "control",
        "secret",
        "known",
        "neighbors",
        "tolerance",
        "at_most",
        "alpha",
    ];
    let example = "{ original = \"people.csv\", released = \"synthetic.csv\", control = \"others.csv\", \
                   secret = \"diagnosis\", known = [\"zip\", \"age\"] }";
    let fields = Fields::with_keys(what, value, &KEYS, example)?;
    Ok(AttackPlan::Infer(InferQuestion {
        original: file(&fields, "original", example, source)?,
        released: file(&fields, "released", example, source)?,
        control: Some(file(&fields, "control", example, source)?),
        secret: fields.needed("secret", example, column)?,
        known: fields.needed("known", example, |value, what| several(value, what, column))?,
        neighbors: fields.optional("neighbors", read::whole)?.unwrap_or(NEIGHBORS),
        tolerance: fields.optional("tolerance", read::finite)?.unwrap_or(TOLERANCE),
        alpha: level(&fields)?,
        at_most: fields.optional("at_most", read::finite)?,
    }))
}

fn file(fields: &Fields<'_>, key: &str, example: &str, source: &SpecSource) -> Checked<PathBuf> {
    let path = fields.needed(key, example, read::text)?;
    Ok(read::beside(&source.path, path))
}

fn column(value: &Value<'_>, _: &str) -> Checked<String> {
    read::owned(value, "a column")
}

fn level(fields: &Fields<'_>) -> Checked<f64> {
    match fields.optional("alpha", read::finite)?.unwrap_or(LEVEL) {
        alpha if alpha > 0.0 && alpha < 1.0 => Ok(alpha),
        alpha => {
            let help = "write a level between 0 and 1, such as 0.05";
            fields.refuse(format!("`alpha` is {alpha}"), help)
        }
    }
}

fn delta(fields: &Fields<'_>) -> Checked<f64> {
    Ok(fields.optional("delta", read::finite)?.unwrap_or(REFERENCE_DELTA))
}

/// One value, or a list of some.
fn several<'a, T>(
    value: &'a Value<'a>,
    what: &str,
    one: impl Fn(&'a Value<'a>, &str) -> Checked<T>,
) -> Checked<Vec<T>> {
    match value.get_ref() {
        DeValue::Array(list) if list.is_empty() => {
            value.refuse("this list is empty", "write at least one")
        }
        DeValue::Array(list) => list.iter().map(|value| one(value, what)).collect(),
        _ => Ok(vec![one(value, what)?]),
    }
}

fn one_of<T: Clone>(value: &Value<'_>, what: &str, words: &[(&str, T)]) -> Checked<T> {
    read::word(value, what, words, |given| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let help = match nearest(given, &words) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("write one of \"{}\"", words.join("\", \"")),
        };
        (format!("{what} cannot be `{given}`"), help)
    })
}

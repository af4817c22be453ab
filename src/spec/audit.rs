//! One `[[audit]]`.

use super::domain::{sensitivity, verify};
use super::error::{Mistake, SpecSource};
use super::loaded::{Document, Loaded};
use super::mechanism::post::{self, After};
use super::mechanism::{Built, FunctionSpec, recorded};
use super::pairs::ReadPairs;
use super::read::{self, Fields, SpannedValue};
use super::settings::{self, Overrides};
use super::{claim, data, domain, evaluation, files, mechanism, pairs, relation};
use plaudit_core::claim::Claim;
use plaudit_core::dataset::{Dataset, Pair, Relation, Stated, pair_rows};
use plaudit_core::finding::{Evaluation, Expectation, Floats, LeakSource, PairSummary};
use plaudit_engine::audit::Audit;
use plaudit_engine::game::Runs;
use plaudit_engine::mechanism::Outcome;
use toml::de::DeValue;

pub(super) struct Context<'a> {
    /// The file, for places in it and for paths that are relative to it.
    pub source: &'a SpecSource,
    pub command: Overrides,
    pub defaults: Overrides,
    pub evaluation: Evaluation,
    /// The function of this process that is audited, if that is what is read.
    pub function: Option<&'a FunctionSpec>,
}

const KEYS: [&str; 28] = [
    "name",
    "about",
    "mechanism",
    recorded::RECORDED,
    "data",
    "relation",
    "pairs",
    "domain",
    "sensitivity",
    "claim",
    "expect",
    "post",
    "expect_after",
    "expect_leak",
    "constant",
    "no_difference",
    "floats",
    "grid",
    "stateful",
    "clock",
    "outcomes",
    "verify",
    "evaluation",
    "watch",
    "trials",
    "alpha",
    "seed",
    "min_power",
];

/// Reads an audit into a document: the audit itself if it has no mistake, and that of its processed outcomes if it asks
/// for one, else its mistakes.
pub(super) fn read(value: &SpannedValue<'_>, context: &Context<'_>, document: &mut Document) {
    if let Some(after) = read_one(value, context, document, None) {
        // Read again: a mechanism is of one audit. Its name has been given.
        let mut again = Document::default();
        read_one(value, context, &mut again, Some(&after));
        document.audits.extend(again.audits);
        document.mistakes.extend(again.mistakes);
    }
}

/// Reads the audit as it is, or that of its processed outcomes; and what is to be done to them, if it has no mistake.
fn read_one(
    value: &SpannedValue<'_>,
    context: &Context<'_>,
    document: &mut Document,
    after: Option<&After>,
) -> Option<After> {
    let mistakes = &mut document.mistakes;
    let before = mistakes.len();
    let fields = Fields::of("an audit", value, "[[audit]]");
    let mut fields = read::keep(mistakes, fields)?;
    let name = read::keep(mistakes, name(&fields));
    if let Some(name) = &name {
        fields.call(format!("the audit `{name}`"));
    }
    mistakes.extend(fields.unknown_keys(&KEYS));
    if let (Some(name), Some(value)) = (&name, fields.get("name")) {
        document.names.push((name.clone(), value.span()));
    }
    let about = fields
        .get("about")
        .and_then(|value| read::keep(mistakes, read::text(value, "`about`")).map(str::to_owned));
    let settings = settings::read(&fields, mistakes);
    let expect = read::keep(mistakes, expectation(&fields, "expect"));
    let expect_leak = read::keep(mistakes, leak(&fields, expect)).flatten();
    let expect_after = match fields.get("expect_after") {
        Some(_) => read::keep(mistakes, expectation(&fields, "expect_after")),
        None => expect,
    };
    let asked = read::keep(mistakes, post::read(&fields, expect_after)).flatten();
    let claim = claim::read(&fields, mistakes);
    let from_files = fields.get(recorded::RECORDED);
    let (mut mechanism, mut recorded) = (None, None);
    match from_files {
        Some(value) => {
            let read = recorded::read(value, &fields, &context.source.path, mistakes);
            if let Some(recorded::Read { built, pair, most_trials }) = read {
                mechanism = Some(built);
                recorded = Some((pair, most_trials));
            }
        }
        None => {
            let read = mechanism::read(&fields, &context.source.path, context.function);
            mechanism = read::keep(mistakes, read);
        }
    }
    if let Some(after) = after {
        mechanism = mechanism.map(|built| after.of(built));
    }
    let mut settled = settings::settle(context.command, settings, context.defaults);
    let is_program = mechanism.as_ref().is_some_and(Built::takes_any_value);
    let relation =
        read::keep(mistakes, relation::read(&fields, is_program || from_files.is_some()));
    let runs = runs(&fields, mistakes);
    let is_staged = mechanism.as_ref().is_some_and(Built::is_staged);
    if let Some(clock) = fields.get("clock").filter(|_| runs == Runs::Timed && is_staged) {
        mistakes.push(Mistake::new(clock.span(), mechanism::NO_TIME.0, mechanism::NO_TIME.1));
    }
    let may_be_constant = read::keep(mistakes, allowed(&fields, "constant")).unwrap_or(false);
    let may_show_no_difference =
        read::keep(mistakes, allowed(&fields, "no_difference")).unwrap_or(false);
    let floats = read::keep(mistakes, floats(&fields)).unwrap_or_default();
    let alphabet = fields.get("outcomes").map(alphabet).transpose();
    let mut alphabet = read::keep(mistakes, alphabet).flatten();
    if let Some(after) = after {
        alphabet = alphabet.map(|all| after.alphabet(&all));
    }
    let search = {
        let wanted = domain::DomainNeeds {
            relation: relation.as_ref(),
            group: claim.as_ref().map_or(1, Claim::group_size),
            mechanism: mechanism.as_ref().map(|built| built.mechanism.as_ref()),
            is_program,
        };
        domain::read(&fields, &wanted, mistakes)
    };
    let sensitivity = sensitivity::read(&fields, mechanism.as_ref(), search.as_ref());
    let sensitivity = read::keep(mistakes, sensitivity).flatten();
    let ReadPairs { pairs, drawn } = match (from_files, recorded) {
        _ if fields.get("domain").is_some() => ReadPairs::default(),
        (None, _) => {
            let data = data::read(&fields, &context.source.path, is_program, mistakes);
            let wanted = pairs::PairNeeds {
                data: &data,
                relation: relation.as_ref().and_then(Stated::checked).cloned(),
                group: claim.as_ref().map_or(1, Claim::group_size),
                is_program,
                mechanism: mechanism.as_ref().map(|built| built.mechanism.as_ref()),
                seed: settled.settings.seed,
                file: &context.source.path,
            };
            match context.function {
                Some(given) => ReadPairs::of(pairs::given(&given.pairs, value, &wanted, mistakes)),
                None => pairs::read(&fields, &wanted, mistakes),
            }
        }
        (Some(_), None) => ReadPairs::default(),
        (Some(_), Some((pair, most_trials))) => {
            settled.limit_trials(most_trials);
            ReadPairs::of(vec![pair])
        }
    };
    // A closed form is one of the noise, and not of what becomes of it.
    let enumerable = |built: &Built| built.mechanism.capabilities().choices.is_some();
    let provable = after.is_none() || mechanism.as_ref().is_some_and(enumerable);
    let verify = {
        let wanted = verify::Wanted {
            relation: relation.as_ref().and_then(Stated::checked).cloned(),
            claim: claim.as_ref(),
            mechanism: mechanism.as_ref().map(|built| built.mechanism.as_ref()),
        };
        if provable { verify::read(&fields, &wanted, mistakes) } else { None }
    };
    let mut stated = context.evaluation.clone();
    if let Some(value) = fields.get("evaluation") {
        stated.extend(evaluation::read("`evaluation`", value, mistakes));
    }
    let watch = fields.get("watch").map(|value| files::watch(value, mistakes));
    let table = data::csv_of(&fields, &context.source.path);
    let forbidden = |value: &SpannedValue<'_>| matches!(value.get_ref(), DeValue::Boolean(false));
    let prove_where_cheap = !fields.get("verify").is_some_and(forbidden);
    if mistakes.len() > before {
        return None;
    }
    // Without a mistake all are there.
    let (name, mechanism, relation, claim, expect) =
        (name?, mechanism?, relation?, claim?, expect?);
    let mut settings = settled.settings;
    settings.may_be_constant = may_be_constant;
    settings.may_show_no_difference = may_show_no_difference;
    settings.floats = floats;
    settings.prove_where_cheap = prove_where_cheap;
    settings.expect = after.map_or(expect, |after| after.expect);
    // Processed outcomes leak in another way.
    settings.expect_leak = expect_leak.filter(|_| after.is_none());
    let audit = Audit {
        post: after.map(|after| after.summary(&name)),
        name: after.map_or_else(|| name.clone(), |after| after.name(&name)),
        mechanism: Box::new(mechanism.mechanism),
        summary: mechanism.summary,
        relation,
        pairs,
        search,
        sensitivity,
        runs,
        most: 0,
        describe,
        show: Dataset::abridged,
        numbers: |dataset| dataset.numbers().map(<[f64]>::to_vec),
        about,
        claim,
        alphabet,
        verify,
        evaluation: stated,
        settings,
        identity: None,
        drawn,
    };
    let not_startable = mechanism.missing.map(|missing| context.source.error(missing));
    let SpecSource { path, text } = context.source;
    let line = context.source.line(value.span().start);
    let (file, text) = (path.clone(), text.clone());
    document.audits.push(Loaded { audit, file, line, text, watch, table, not_startable });
    asked
}

/// All outcomes that the mechanism can have.
fn alphabet(value: &SpannedValue<'_>) -> Result<Vec<Outcome>, Mistake> {
    const EXAMPLE: &str = "[0, 1], [0.5, 1.5], [\"yes\", \"no\"] or [[0, 1], [1, 0]]";
    let outcome = |value: &SpannedValue<'_>| match value.get_ref() {
        DeValue::Integer(_) => {
            let whole = read::integer(value).and_then(|x| i64::try_from(x).ok());
            let too_large = || Mistake::new(value.span(), "no outcome is so large", EXAMPLE);
            whole.map(Outcome::Integer).ok_or_else(too_large)
        }
        DeValue::String(text) => Ok(Outcome::Text(text.clone().into_owned())),
        DeValue::Array(entries) => {
            let number = |entry: &SpannedValue<'_>| read::number(entry, "an entry of an outcome");
            Ok(Outcome::Vector(entries.iter().map(number).collect::<Result<_, _>>()?))
        }
        _ => read::number(value, "an outcome").map(Outcome::Number),
    };
    let all = read::list(value, "`outcomes`", EXAMPLE)?;
    match all.len() {
        0 => Err(Mistake::new(value.span(), "`outcomes` is empty", format!("write {EXAMPLE}"))),
        1..=MOST_OUTCOMES => all.iter().map(outcome).collect(),
        many => {
            let message = format!("{many} outcomes are too many: at most {MOST_OUTCOMES}");
            let help = "leave `outcomes` out: so many are hardly bounded from above";
            Err(Mistake::new(value.span(), message, help))
        }
    }
}

/// Most outcomes of a declared alphabet.
const MOST_OUTCOMES: usize = 10_000;

/// A pair of datasets for readers: abridged, with what differs in words.
fn describe(pair: &Pair<Dataset>, relation: Option<&Relation>) -> PairSummary {
    PairSummary {
        name: pair.name.clone(),
        d: pair.d.abridged(),
        d_prime: pair.d_prime.abridged(),
        difference: match relation {
            Some(relation) => relation.difference_words(&pair.d, &pair.d_prime),
            None => pair.d.difference_words(&pair.d_prime),
        },
        rows: pair_rows(&pair.d, &pair.d_prime),
        answers: None,
        given: 1,
        surveyed: 0,
    }
}

/// The name: it appears in reports, and names files and random streams.
fn name(fields: &Fields<'_, '_>) -> Result<String, Mistake> {
    let value = fields.require("name", "give it a name, such as name = \"laplace\"")?;
    let name = read::text(value, "`name`")?;
    let help = "use 1 to 100 letters, digits, `-`, `_` and `.`";
    let strange = |c: &char| !(c.is_ascii_alphanumeric() || "-_.".contains(*c));
    if let Some(character) = name.chars().find(strange) {
        let message = format!("{character:?} cannot stand in the name of an audit");
        return Err(Mistake::new(value.span(), message, help));
    }
    if name.is_empty() || name.len() > 100 {
        let message = format!("a name of {} characters is impossible", name.len());
        return Err(Mistake::new(value.span(), message, help));
    }
    // Names of certificates' files.
    if name.starts_with('.') {
        let message = "the name of an audit cannot start with `.`";
        return Err(Mistake::new(value.span(), message, "start it with a letter or a digit"));
    }
    Ok(name.to_owned())
}

/// Dependence of the runs on one another, and whether they are timed.
fn runs(fields: &Fields<'_, '_>, mistakes: &mut Vec<Mistake>) -> Runs {
    let mut said = |key: &str| {
        let value = fields.get(key)?;
        let yes = read::keep(mistakes, read::boolean(value, &format!("`{key}`")))?;
        Some(yes)
    };
    match (said("stateful"), said("clock")) {
        (_, Some(true)) => Runs::Timed,
        (Some(true), _) => Runs::Stateful,
        _ => Runs::Independent,
    }
}

/// `true` if the mechanism may always give the same outcome.
fn allowed(fields: &Fields<'_, '_>, key: &str) -> Result<bool, Mistake> {
    let Some(value) = fields.get(key) else { return Ok(false) };
    match read::text(value, &format!("`{key}`"))? {
        "allowed" => Ok(true),
        other => {
            let message = format!("`{key} = {other:?}` means nothing");
            let help = format!("write {key} = \"allowed\", or leave it out");
            Err(Mistake::new(value.span(), message, help))
        }
    }
}

fn floats(fields: &Fields<'_, '_>) -> Result<Floats, Mistake> {
    const HELP: &str = "write floats = \"as released\", floats = \"ideal\", or floats = \"rounded\" with a \
                        grid = 0.001";
    let said = fields.get("floats").map(|value| Ok((value, read::text(value, "`floats`")?)));
    match (said.transpose()?, fields.get("grid")) {
        (Some((_, "rounded")), Some(grid)) => {
            let step = read::number(grid, "`grid`")?;
            if !(step.is_finite() && step > 0.0) {
                let message = format!("no numbers can be rounded to multiples of {step}");
                return Err(Mistake::new(grid.span(), message, "give a `grid` above 0"));
            }
            if let Some(outcomes) = fields.get("outcomes") {
                let message = "`outcomes` are compared as they are released, and `floats = \"rounded\"` \
                               rounds them";
                return Err(Mistake::new(outcomes.span(), message, "leave one of them out"));
            }
            Ok(Floats::Rounded(step))
        }
        (Some((value, "rounded")), None) => {
            let message = "`floats = \"rounded\"` does not say to multiples of what";
            Err(Mistake::new(value.span(), message, "give a grid as well, such as grid = 0.001"))
        }
        (_, Some(grid)) => {
            let message = "`grid` means nothing without `floats = \"rounded\"`";
            Err(Mistake::new(grid.span(), message, HELP))
        }
        (None, None) | (Some((_, "as released")), None) => Ok(Floats::AsReleased),
        (Some((_, "ideal")), None) => Ok(Floats::Ideal),
        (Some((value, other)), None) => {
            let message = format!("`floats = {other:?}` means nothing");
            Err(Mistake::new(value.span(), message, HELP))
        }
    }
}

fn expectation(fields: &Fields<'_, '_>, key: &str) -> Result<Expectation, Mistake> {
    let Some(value) = fields.get(key) else { return Ok(Expectation::default()) };
    match read::text(value, &format!("`{key}`"))? {
        "not violated" => Ok(Expectation::NotViolated),
        "violated" => Ok(Expectation::Violated),
        other => {
            let message = format!("`{other}` cannot be expected");
            let help = format!("write {key} = \"violated\" or {key} = \"not violated\"");
            Err(Mistake::new(value.span(), message, help))
        }
    }
}

/// The leak that a planted mistake is in.
fn leak(
    fields: &Fields<'_, '_>,
    expect: Option<Expectation>,
) -> Result<Option<LeakSource>, Mistake> {
    let Some(value) = fields.get("expect_leak") else { return Ok(None) };
    let word = read::text(value, "`expect_leak`")?;
    if expect == Some(Expectation::NotViolated) {
        let message = "`expect_leak` is for planted mistakes, and none is expected here";
        return Err(Mistake::new(value.span(), message, "add expect = \"violated\", or remove it"));
    }
    let found = LeakSource::ALL.into_iter().find(|source| source.word() == word);
    let words = LeakSource::ALL.map(|source| format!("\"{}\"", source.word())).join(", ");
    found.map(Some).ok_or_else(|| {
        let message = format!("unknown leak `{word}` in `expect_leak`");
        Mistake::new(value.span(), message, format!("use one of {words}"))
    })
}

//! One `[[audit]]`.

use super::domain::{sensitivity, verify};
use super::error::{Checked, Mistake, SpecSource};
use super::loaded::{Document, Loaded};
use super::mechanism::post::{self, After};
use super::mechanism::{FunctionSpec, recorded};
use super::pairs::ReadPairs;
use super::read::{self, Fields, Place, Value};
use super::settings::{self, Overrides, Settled};
use super::subject::Subject;
use super::{data, domain, evaluation, files, law, pairs};
use plaudit_core::dataset::{Dataset, Pair, Relation, Sensitivity, pair_rows};
use plaudit_core::finding::{Evaluation, Expectation, Floats, LeakSource, PairSummary};
use plaudit_engine::audit::{Audit, PairSearch};
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

#[rustfmt::skip]
const KEYS: [&str; 29] = [
    "name", "about", "mechanism", recorded::RECORDED, "data", "relation", "pairs", "domain", "sensitivity", "claim",
    "expect", "post", "expect_after", "expect_leak", "constant", "no_difference", "floats", "grid", "stateful", "clock",
    "outcomes", "law", "verify", "evaluation", "watch", "trials", "alpha", "seed", "min_power",
];
/// Most outcomes of a declared alphabet.
const MOST_OUTCOMES: usize = 10_000;
const OUTCOMES: &str = "[0, 1], [0.5, 1.5], [\"yes\", \"no\"] or [[0, 1], [1, 0]]";

/// Reads an audit into a document: the audit itself if it has no mistake, and that of its processed outcomes if it asks
/// for one, else its mistakes.
pub(super) fn read(value: &Value<'_>, context: &Context<'_>, document: &mut Document) {
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
    value: &Value<'_>,
    context: &Context<'_>,
    document: &mut Document,
    after: Option<&After>,
) -> Option<After> {
    let mistakes = &mut document.mistakes;
    let before = mistakes.len();
    let mut fields = read::keep(mistakes, Fields::of("an audit", value, "[[audit]]"))?;
    let name = read::keep(mistakes, name(&fields));
    if let Some(name) = &name {
        fields.call(format!("the audit `{name}`"));
        document.names.push((name.clone(), fields.place_of("name")));
    }
    mistakes.extend(fields.unknown_keys(&KEYS));
    let mut plain = Plain::read(&fields, context, mistakes);
    let asked = read::keep(mistakes, post::read(&fields, plain.expect_after)).flatten();
    let of = (context.source, context.function);
    let subject = Subject::read(&fields, of, mistakes, after);
    let data = Datasets::read(&fields, context, mistakes, &subject, &mut plain.settled);
    // A closed form is one of the noise, and not of what becomes of it.
    let enumerable = || subject.mechanism()?.capabilities().choices;
    let provable = after.is_none() || enumerable().is_some();
    let verify = provable.then(|| verify::read(&fields, &subject, mistakes)).flatten();
    if mistakes.len() > before {
        return None;
    }
    if let Some(after) = after {
        plain.processed(after);
    }
    // Without a mistake all are there.
    let (name, mechanism) = (name?, subject.mechanism?);
    let audit = Audit {
        post: after.map(|after| after.summary(&name)),
        name: after.map_or_else(|| name.clone(), |after| after.name(&name)),
        mechanism: Box::new(mechanism.mechanism),
        summary: mechanism.summary,
        relation: subject.relation?,
        pairs: data.pairs.pairs,
        search: data.search,
        sensitivity: data.sensitivity,
        runs: subject.runs,
        most: 0,
        describe,
        show: Dataset::abridged,
        numbers: |dataset| dataset.numbers().map(<[f64]>::to_vec),
        about: plain.about,
        claim: subject.claim?,
        alphabet: plain.alphabet,
        verify,
        evaluation: plain.evaluation,
        settings: plain.settled.settings,
        identity: None,
        drawn: data.pairs.drawn,
    };
    let missing = mechanism.missing;
    document.audits.push(loaded(audit, &fields, context, (plain.watch, plain.law, missing)));
    asked
}

fn loaded(
    audit: Audit<Dataset>,
    fields: &Fields<'_>,
    context: &Context<'_>,
    (watch, law, missing): (Option<Vec<glob::Pattern>>, Option<law::LawTest>, Option<Mistake>),
) -> Loaded {
    let SpecSource { path, text } = context.source;
    Loaded {
        audit,
        file: path.clone(),
        line: context.source.line(fields.place().start),
        text: text.clone(),
        watch,
        law,
        table: data::csv_of(fields, path),
        not_startable: missing.map(|missing| context.source.error(missing)),
    }
}

/// Values of the keys that no other key changes.
struct Plain {
    about: Option<String>,
    settled: Settled,
    expect_after: Option<Expectation>,
    alphabet: Option<Vec<Outcome>>,
    evaluation: Evaluation,
    watch: Option<Vec<glob::Pattern>>,
    law: Option<law::LawTest>,
}

impl Plain {
    fn read(fields: &Fields<'_>, context: &Context<'_>, mistakes: &mut Vec<Mistake>) -> Self {
        let about = read::keep(mistakes, fields.optional("about", read::owned)).flatten();
        let stated = settings::read(fields, mistakes);
        let mut settled = settings::settle(context.command, stated, context.defaults);
        let settings = &mut settled.settings;
        let expect = read::keep(mistakes, fields.optional("expect", expectation));
        let expect = expect.map(Option::unwrap_or_default);
        settings.expect = expect.unwrap_or_default();
        settings.expect_leak = read::keep(mistakes, leak(fields, expect)).flatten();
        let mut is_allowed =
            |key: &str| read::keep(mistakes, fields.optional(key, allowed)).flatten().is_some();
        settings.may_be_constant = is_allowed("constant");
        settings.may_show_no_difference = is_allowed("no_difference");
        settings.floats = read::keep(mistakes, floats(fields)).unwrap_or_default();
        let verify = fields.get("verify").and_then(|value| value.get_ref().as_bool());
        settings.prove_where_cheap = verify != Some(false);
        let after = read::keep(mistakes, fields.optional("expect_after", expectation));
        let mut evaluation = context.evaluation.clone();
        if let Some(value) = fields.get("evaluation") {
            evaluation.extend(evaluation::read("`evaluation`", value, mistakes));
        }
        Self {
            about,
            settled,
            expect_after: after.and_then(|after| after.or(expect)),
            alphabet: read::keep(mistakes, fields.optional("outcomes", alphabet)).flatten(),
            evaluation,
            watch: fields.get("watch").map(|value| files::watch(value, mistakes)),
            law: read::keep(mistakes, law::read(fields)).flatten(),
        }
    }

    /// The same for processed outcomes, which leak in another way.
    fn processed(&mut self, after: &After) {
        self.settled.settings.expect = after.expect;
        self.settled.settings.expect_leak = None;
        self.law = None;
        self.alphabet = self.alphabet.take().map(|all| after.alphabet(&all));
    }
}

/// Datasets: pairs, or a domain in which some are searched.
struct Datasets {
    pairs: ReadPairs,
    search: Option<PairSearch<Dataset>>,
    sensitivity: Option<Sensitivity>,
}

impl Datasets {
    fn read(
        fields: &Fields<'_>,
        context: &Context<'_>,
        mistakes: &mut Vec<Mistake>,
        subject: &Subject,
        settled: &mut Settled,
    ) -> Self {
        let search = domain::read(fields, subject, mistakes);
        let sensitivity = sensitivity::read(fields, subject.mechanism.as_ref(), search.as_ref());
        let sensitivity = read::keep(mistakes, sensitivity).flatten();
        let pairs = if fields.has("domain") {
            ReadPairs::default()
        } else if let Some((pair, most_trials)) = &subject.recorded {
            settled.limit_trials(*most_trials);
            ReadPairs::of(vec![pair.clone()])
        } else if fields.has(recorded::RECORDED) {
            ReadPairs::default()
        } else {
            let file = &context.source.path;
            let wanted = pairs::PairNeeds {
                data: &data::read(fields, file, subject.is_program, mistakes),
                subject,
                seed: settled.settings.seed,
                file,
            };
            match context.function {
                Some(given) => ReadPairs::of(pairs::given(&given.pairs, fields, &wanted, mistakes)),
                None => pairs::read(fields, &wanted, mistakes),
            }
        };
        Self { pairs, search, sensitivity }
    }
}

/// All outcomes that the mechanism can have.
fn alphabet(value: &Value<'_>, what: &str) -> Checked<Vec<Outcome>> {
    match read::list(value, what, OUTCOMES)?.len() {
        0 => value.refuse("`outcomes` is empty", format!("write {OUTCOMES}")),
        1..=MOST_OUTCOMES => read::list_of(value, (what, "an outcome", OUTCOMES), outcome),
        many => value.refuse(
            format!("{many} outcomes are too many: at most {MOST_OUTCOMES}"),
            "leave `outcomes` out: with this number of outcomes an upper bound is hardly possible",
        ),
    }
}

fn outcome(value: &Value<'_>, what: &str) -> Checked<Outcome> {
    match value.get_ref() {
        DeValue::Integer(_) => {
            let whole = read::integer(value).and_then(|x| i64::try_from(x).ok());
            let too_large = || value.wrong("no outcome is so large", OUTCOMES);
            whole.map(Outcome::Integer).ok_or_else(too_large)
        }
        DeValue::String(text) => Ok(Outcome::Text(text.clone().into_owned())),
        DeValue::Array(_) => {
            let entry = "an entry of an outcome";
            read::list_of(value, (what, entry, OUTCOMES), read::number).map(Outcome::Vector)
        }
        _ => read::number(value, what).map(Outcome::Number),
    }
}

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
fn name(fields: &Fields<'_>) -> Checked<String> {
    let value = fields.require("name", "give it a name, such as name = \"laplace\"")?;
    let name = read::owned(value, "`name`")?;
    let help = "use 1 to 100 letters, digits, `-`, `_` and `.`";
    let strange = |c: &char| !(c.is_ascii_alphanumeric() || "-_.".contains(*c));
    if let Some(character) = name.chars().find(strange) {
        return value.refuse(format!("{character:?} is not allowed in the name of an audit"), help);
    }
    if name.is_empty() || name.len() > 100 {
        return value.refuse(format!("a name of {} characters is invalid", name.len()), help);
    }
    // Names of certificates' files.
    if name.starts_with('.') {
        let message = "the name of an audit cannot start with `.`";
        return value.refuse(message, "start it with a letter or a digit");
    }
    Ok(name)
}

/// The word that allows what else makes an audit inconclusive.
fn allowed(value: &Value<'_>, what: &str) -> Checked<()> {
    let key = what.trim_matches('`');
    read::word(value, what, &[("allowed", ())], |other| {
        let help = format!("write {key} = \"allowed\", or leave it out");
        (format!("`{key} = {other:?}` is not a valid value"), help)
    })
}

fn floats(fields: &Fields<'_>) -> Checked<Floats> {
    const HELP: &str = "write floats = \"as released\", floats = \"ideal\", or floats = \"rounded\" with a \
                        grid = 0.001";
    let said = fields.optional("floats", |value, what| Ok((value, read::text(value, what)?)))?;
    match (said, fields.get("grid")) {
        (Some((_, "rounded")), Some(grid)) => rounded(fields, grid),
        (Some((value, "rounded")), None) => {
            let message = "`floats = \"rounded\"` needs a grid";
            value.refuse(message, "give a grid as well, such as grid = 0.001")
        }
        (_, Some(grid)) => grid.refuse("`grid` requires `floats = \"rounded\"`", HELP),
        (None | Some((_, "as released")), None) => Ok(Floats::AsReleased),
        (Some((_, "ideal")), None) => Ok(Floats::Ideal),
        (Some((value, other)), None) => {
            value.refuse(format!("`floats = {other:?}` is not a valid value"), HELP)
        }
    }
}

fn rounded(fields: &Fields<'_>, grid: &Value<'_>) -> Checked<Floats> {
    let step = read::number(grid, "`grid`")?;
    if !(step.is_finite() && step > 0.0) {
        let message = format!("no numbers can be rounded to multiples of {step}");
        return grid.refuse(message, "give a `grid` above 0");
    }
    if let Some(outcomes) = fields.get("outcomes") {
        let message =
            "`outcomes` are compared as they are released, but `floats = \"rounded\"` rounds them";
        return outcomes.refuse(message, "leave one of them out");
    }
    Ok(Floats::Rounded(step))
}

fn expectation(value: &Value<'_>, what: &str) -> Checked<Expectation> {
    let words = [("not violated", Expectation::NotViolated), ("violated", Expectation::Violated)];
    read::word(value, what, &words, |other| {
        let key = what.trim_matches('`');
        let help = format!("write {key} = \"violated\" or {key} = \"not violated\"");
        (format!("`{other}` cannot be expected"), help)
    })
}

/// The leak that a planted mistake is in.
fn leak(fields: &Fields<'_>, expect: Option<Expectation>) -> Checked<Option<LeakSource>> {
    fields.optional("expect_leak", |value, what| {
        read::text(value, what)?;
        if expect == Some(Expectation::NotViolated) {
            let message = "`expect_leak` is only for planted mistakes, and this audit expects none";
            return value.refuse(message, "add expect = \"violated\", or remove it");
        }
        let sources = LeakSource::ALL.map(|source| (source.word(), source));
        read::word(value, what, &sources, |word| {
            let words = sources.map(|(word, _)| format!("\"{word}\"")).join(", ");
            (format!("unknown leak `{word}` in `expect_leak`"), format!("use one of {words}"))
        })
    })
}

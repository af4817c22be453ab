//! Domains in which pairs of neighbors are looked for, and what else is checked without a list of pairs: declared
//! sensitivities, and what is to be proved.

pub(super) mod sensitivity;
pub(super) mod verify;

use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place, Value};
use super::subject::Subject;
use plaudit_core::dataset::{Dataset, People, Relation, Stated};
use plaudit_engine::audit::PairSearch;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::search::{
    Candidates, MOST_ROWS, Neighborhood, SearchDomain, Values, candidates,
};

const EXAMPLE: &str = "domain = { lower = 0, upper = 1, size = [1, 10] }, domain = { values = [0, 1], \
                       size = 5 } or domain = { columns = { age = { lower = 0, upper = 100 } }, \
                       size = [0, 5] }";
/// Keys of what entries may be.
const VALUES: [&str; 5] = ["lower", "upper", "integers", "not_finite", "values"];
/// Keys of an audit that name datasets in another way.
const OTHERS: [&str; 3] = ["pairs", "data", crate::spec::mechanism::recorded::RECORDED];
/// Plans that are tried before a domain is refused.
const TRIED: usize = 400;

/// Reads the domain, and notes its mistakes; `None` if it has some, or the domain is absent.
pub(super) fn read(
    audit: &Fields<'_>,
    subject: &Subject,
    mistakes: &mut Vec<Mistake>,
) -> Option<PairSearch<Dataset>> {
    let value = audit.get("domain")?;
    let before = mistakes.len();
    for other in OTHERS {
        if audit.has(other) {
            let message = format!(
                "an audit with a `domain` takes no `{other}`: the domain generates the datasets"
            );
            mistakes.push(value.wrong(message, format!("leave `{other}` out, or `domain`")));
        }
    }
    if let Some(Stated::Words(_)) = &subject.relation {
        let message = "datasets of a domain must be neighbors under a relation that can be checked";
        let help = "write relation = \"substitution\", \"add-remove\", \"histogram\", a distance, or { remove_all = \"id\" }";
        mistakes.push(value.wrong(message, help));
    }
    let fields = read::keep(mistakes, Fields::of("`domain`", value, EXAMPLE))?;
    let domain = read::keep(mistakes, domain(&fields, subject.is_program))?;
    if mistakes.len() > before {
        return None;
    }
    // If the relation was wrong any will do: nothing will be run.
    let relation = subject.checked_relation();
    let known = relation.is_some();
    let relation = relation.unwrap_or(Relation::Substitution);
    read::keep(mistakes, has_people(&domain, &relation, value))?;
    let search = PairSearch::new(domain, relation, subject.group());
    if known {
        read::keep(mistakes, possible(&search.neighborhood, value, subject.mechanism()))?;
    }
    Some(search)
}

/// Checks for a column that identifies the owner of rows, if people have several rows.
fn has_people(domain: &SearchDomain, relation: &Relation, value: &Value<'_>) -> Checked<()> {
    let Some(People { id, .. }) = relation.people() else { return Ok(()) };
    if domain.column(id).is_some() {
        return Ok(());
    }
    let (message, help) = match domain.names() {
        None => (
            format!("{relation} concerns people with several rows, and needs rows with columns"),
            format!(
                "write domain = {{ columns = {{ {id} = {{ values = [1, 2] }}, .. }}, size = [0, 6] }}"
            ),
        ),
        Some(names) => (
            format!("{relation} needs a column `{id}`; the domain has {}", names.join(", ")),
            "name that column in `columns`, or another one in `relation`".to_owned(),
        ),
    };
    value.refuse(message, help)
}

fn domain(fields: &Fields<'_>, is_program: bool) -> Checked<SearchDomain> {
    const COLUMNS: &str = "{ age = { lower = 0, upper = 100 }, vote = { values = [0, 1] } }";
    let known: Vec<&str> = VALUES.iter().copied().chain(["columns", "size"]).collect();
    fields.only(&known)?;
    let size = fields.require("size", "give the number of rows: size = 3, or size = [0, 3]")?;
    let (least, most) = verify::size(size, MOST_ROWS as u64)?;
    let made = match fields.get("columns") {
        None if is_program => SearchDomain::written(values(fields)?, least..=most),
        None => SearchDomain::numbers(values(fields)?, least..=most),
        Some(columns) => {
            if let Some(key) = fields.given(&VALUES).first() {
                let message = format!("`{key}` is next to `columns`, but does not name its column");
                let help = "write columns = { age = { lower = 0, upper = 100 } }";
                return fields.refuse(message, help);
            }
            let columns = Fields::of("`columns`", columns, COLUMNS)?;
            let column = |(name, value): (&str, &Value<'_>)| {
                let what = format!("column `{name}`");
                let bounds = "{ lower = 0, upper = 100 }";
                let fields = Fields::with_keys(&what, value, &VALUES, bounds)?;
                Ok((name.to_owned(), values(&fields)?))
            };
            SearchDomain::table(
                columns.entries().map(column).collect::<Result<Vec<_>, _>>()?,
                least..=most,
            )
        }
    };
    fields.check(made, format!("write {EXAMPLE}"))
}

fn values(fields: &Fields<'_>) -> Checked<Values> {
    if let Some(listed) = fields.get("values") {
        if let Some(key) = fields.given(&VALUES[..4]).first() {
            let message = format!("list values or give bounds, not both: `values` or `{key}`");
            return fields.refuse(message, "write one of them");
        }
        return verify::values(listed).map(Values::Among);
    }
    let bound = |key: &str| {
        let help = format!("give the range of the entries: {key} = …, or values = [0, 1]");
        fields.needed(key, &help, read::finite)
    };
    let (lower, upper) = (bound("lower")?, bound("upper")?);
    match (fields.flag("integers")?, fields.flag("not_finite")?) {
        (true, true) => fields.refuse(
            "whole numbers are finite: `integers` and `not_finite` exclude each other",
            "leave one of them out",
        ),
        (true, false) => Ok(Values::Integers { lower, upper }),
        (false, not_finite) => Ok(Values::Numbers { lower, upper, not_finite }),
    }
}

/// Some pair must be possible, of datasets that the mechanism takes.
fn possible(
    neighborhood: &Neighborhood,
    value: &Value<'_>,
    mechanism: Option<&dyn CatalogMechanism>,
) -> Checked<()> {
    let Candidates { named, scattered, .. } = candidates(neighborhood, TRIED);
    let mut refused = None;
    for plan in named.into_iter().chain(scattered) {
        let Some(pair) = plan.pair(String::new(), neighborhood) else { continue };
        let Some(mechanism) = mechanism else { return Ok(()) };
        match [&pair.d, &pair.d_prime].into_iter().try_for_each(|d| mechanism.accepts(d)) {
            Ok(()) => return Ok(()),
            Err(why) => refused = Some(why),
        }
    }
    let (message, help) = match refused {
        Some(why) => (
            format!("the mechanism cannot run on the datasets of this domain: {why}"),
            "name other values, other columns or other sizes",
        ),
        None => (
            format!("no two datasets of this domain are neighbors under {}", neighborhood.relation),
            "choose values and sizes such that some datasets are neighbors under the relation",
        ),
    };
    value.refuse(message, help)
}

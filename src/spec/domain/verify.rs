//! What is to be proved.

use crate::spec::data;
use crate::spec::error::Mistake;
use crate::spec::read::{self, Fields, SpannedValue};
use plaudit_core::claim::Claim;
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::audit::Verify;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::mechanism::choice::Budget;
use plaudit_engine::verify::{Domain, Sequences};
use toml::de::DeValue;

/// Requirements of a proof. A field that is `None` was invalid itself: reported already.
pub(in crate::spec) struct Wanted<'a> {
    pub relation: Option<Relation>,
    pub claim: Option<&'a Claim>,
    pub mechanism: Option<&'a dyn CatalogMechanism>,
}

const EXAMPLE: &str = "verify = true, or verify = { values = [0, 1], size = 3 }";
const KEYS: [&str; 4] = ["values", "size", "column", "runs"];
/// Most entries of a dataset of a domain.
const MAX_SIZE: u64 = 1_000;

/// Reads what is to be proved, and notes its mistakes.
pub(in crate::spec) fn read(
    audit: &Fields<'_, '_>,
    wanted: &Wanted<'_>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Verify<Dataset>> {
    let value = audit.get("verify")?;
    let verify = match value.get_ref() {
        DeValue::Boolean(false) => return None,
        DeValue::Boolean(true) => Some(Verify::default()),
        _ => {
            let fields = read::keep(mistakes, Fields::of("`verify`", value, EXAMPLE))?;
            let unknown = fields.unknown_keys(&KEYS);
            if !unknown.is_empty() {
                mistakes.extend(unknown);
                return None;
            }
            read::keep(mistakes, table(&fields, value, wanted))
        }
    };
    let enumerated = verify.as_ref().is_some_and(|verify| verify.domain.is_some());
    if verify.is_some() && audit.get("domain").is_some() {
        let message = "a proof is of the datasets that it names, and this audit searches others";
        let help = "write the proof as an audit of its own, with `pairs`";
        mistakes.push(Mistake::new(value.span(), message, help));
        return None;
    }
    let provable = |mechanism: &dyn CatalogMechanism| {
        let closed = mechanism.capabilities().releases.is_some()
            && wanted
                .relation
                .as_ref()
                .is_none_or(|relation| !relation.is_of_rows() && relation.people().is_none());
        mechanism.capabilities().choices.is_some() || !enumerated && closed
    };
    if !wanted.mechanism.is_none_or(provable) {
        let message = "this mechanism is not written against choices, and its law cannot be \
                       enumerated";
        let help = "leave `verify` out, or take one of the kinds that are: randomized-response, \
                    truncated-geometric, those that begin with exact-, and some more; laplace, \
                    gaussian and compositions of them are proved by closed form, with verify = true \
                    and under a distance";
        mistakes.push(Mistake::new(value.span(), message, help));
        return None;
    }
    verify
}

fn table(
    fields: &Fields<'_, '_>,
    value: &SpannedValue<'_>,
    wanted: &Wanted<'_>,
) -> Result<Verify<Dataset>, Mistake> {
    let mut budget = Budget::default();
    if let Some(value) = fields.get("runs") {
        budget.runs = read::whole(value, "`runs`")?.max(1);
    }
    if fields.get("values").is_none() && fields.get("size").is_none() {
        if let Some(column) = fields.get("column") {
            let message = "`column` without `values` names no datasets";
            return Err(Mistake::new(column.span(), message, format!("write {EXAMPLE}")));
        }
        return Ok(Verify { domain: None, budget });
    }
    let help = "say how many: size = 3, or size = [0, 3]";
    let (least, most) = size(fields.require("size", help)?, MAX_SIZE)?;
    let listed = fields.require("values", "list the values: values = [0, 1]")?;
    let values = values(listed)?;
    let column = fields.get("column").map(|column| read::text(column, "`column`")).transpose()?;
    let sequences = Sequences { values, least, most, column: column.map(str::to_owned) };
    if wanted.claim.is_some_and(|claim| claim.group_size() > 1) {
        let message = "the pairs of a domain are neighbors, and the claim is of groups";
        let help = "write verify = true, to prove it on the pairs of the audit";
        return Err(Mistake::new(value.span(), message, help));
    }
    // If the relation was wrong any will do: nothing will be run.
    let relation = wanted.relation.clone().unwrap_or(Relation::Substitution);
    if relation.people().is_some() {
        let message = format!(
            "the datasets of a proof have one column, and {relation} is about people with many rows: it is not \
             provable"
        );
        let help = "leave `values` and `size` out, to prove the claim on the pairs of the audit, or leave out \
                    `verify`";
        return Err(Mistake::new(value.span(), message, help));
    }
    let help = "name values and sizes of which some datasets are neighbors under the relation";
    let domain = sequences
        .domain(&relation)
        .map_err(|error| Mistake::new(value.span(), error.to_string(), help))?;
    accepted(&domain, listed, wanted)?;
    let covers =
        |mechanism: &dyn CatalogMechanism| mechanism.covers(&sequences.values, most, &relation);
    let domain = if wanted.mechanism.is_some_and(covers) { domain.exhaustive() } else { domain };
    Ok(Verify { domain: Some(domain), budget })
}

/// The values of a domain, each once.
pub(in crate::spec) fn values(listed: &SpannedValue<'_>) -> Result<Vec<Cell>, Mistake> {
    let mut values: Vec<Cell> = Vec::new();
    for value in read::list(listed, "`values`", "[0, 1]")? {
        let cell = data::cell(value, "an entry of `values`")?;
        if values.contains(&cell) {
            let message = format!("the value {cell} stands there twice");
            return Err(Mistake::new(value.span(), message, "name each value once"));
        }
        values.push(cell);
    }
    if values.is_empty() {
        let message = "there are no values to make datasets of";
        return Err(Mistake::new(listed.span(), message, "write for example values = [0, 1]"));
    }
    Ok(values)
}

/// "3", or "[0, 3]": fewest and most, up to `limit`.
pub(in crate::spec) fn size(
    value: &SpannedValue<'_>,
    limit: u64,
) -> Result<(usize, usize), Mistake> {
    let wrong = || {
        let message =
            format!("`size` must be a whole number up to {limit}, or the fewest and the most");
        Mistake::new(value.span(), message, "write size = 3, or size = [0, 3]")
    };
    let whole = |value: &SpannedValue<'_>| {
        let n = read::whole(value, "`size`")?;
        usize::try_from(n).ok().filter(|_| n <= limit).ok_or_else(wrong)
    };
    match value.get_ref() {
        DeValue::Array(ends) => match ends.iter().map(whole).collect::<Result<Vec<_>, _>>()?[..] {
            [least, most] if least <= most => Ok((least, most)),
            _ => Err(wrong()),
        },
        _ => whole(value).map(|size| (size, size)),
    }
}

/// The mechanism must take every dataset of the domain.
fn accepted(
    domain: &Domain<Dataset>,
    listed: &SpannedValue<'_>,
    wanted: &Wanted<'_>,
) -> Result<(), Mistake> {
    let Some(mechanism) = wanted.mechanism else { return Ok(()) };
    let refused = domain.datasets.iter().find_map(|dataset| mechanism.accepts(dataset).err());
    refused.map_or(Ok(()), |why| {
        let message = format!("the mechanism cannot run on every dataset of the domain: {why}");
        Err(Mistake::new(listed.span(), message, "name other values, or other sizes"))
    })
}

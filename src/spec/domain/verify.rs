//! The proof that a spec asks for.

use crate::spec::data;
use crate::spec::error::{Checked, Mistake};
use crate::spec::read::{self, Fields, Place, Value};
use crate::spec::subject::Subject;
use plaudit_core::dataset::{Cell, Dataset, Relation};
use plaudit_engine::audit::Verify;
use plaudit_engine::mechanism::CatalogMechanism;
use plaudit_engine::mechanism::choice::Budget;
use plaudit_engine::verify::{Domain, Sequences};
use toml::de::DeValue;

const EXAMPLE: &str = "verify = true, or verify = { values = [0, 1], size = 3 }";
const KEYS: [&str; 4] = ["values", "size", "column", "runs"];
/// Most entries of a dataset of a domain.
const MAX_SIZE: u64 = 1_000;

/// Reads what is to be proved, and notes its mistakes.
pub(in crate::spec) fn read(
    audit: &Fields<'_>,
    subject: &Subject,
    mistakes: &mut Vec<Mistake>,
) -> Option<Verify<Dataset>> {
    let value = audit.get("verify")?;
    let verify = match value.get_ref() {
        DeValue::Boolean(false) => return None,
        DeValue::Boolean(true) => Some(Verify::default()),
        _ => {
            let fields = read::keep(mistakes, Fields::of("`verify`", value, EXAMPLE))?;
            let before = mistakes.len();
            mistakes.extend(fields.unknown_keys(&KEYS));
            if mistakes.len() > before {
                return None;
            }
            read::keep(mistakes, table(&fields, subject))
        }
    };
    let enumerated = verify.as_ref().is_some_and(|verify| verify.domain.is_some());
    if verify.is_some() && audit.has("domain") {
        let message = "a proof covers the datasets it names, but this audit searches others";
        let help = "write the proof as a separate audit, with `pairs`";
        mistakes.push(value.wrong(message, help));
        return None;
    }
    let provable = |mechanism: &dyn CatalogMechanism| {
        let closed = mechanism.capabilities().releases.is_some()
            && subject
                .checked_relation()
                .is_none_or(|relation| !relation.is_of_rows() && relation.people().is_none());
        let capabilities = mechanism.capabilities();
        capabilities.choices.is_some() || !enumerated && (closed || capabilities.drawn.is_some())
    };
    if !subject.mechanism().is_none_or(provable) {
        let message = "this mechanism is not written against choices, so \
                       its law cannot be enumerated";
        let help = "leave `verify` out, or use a kind that is: randomized-response, \
                    truncated-geometric, kinds that begin with exact-, and a few others; laplace, \
                    gaussian and their compositions are proved in closed form, and svt-1 to \
                    svt-6 and noisy-max by alignment, with verify = true and a distance as the \
                    relation";
        mistakes.push(value.wrong(message, help));
        return None;
    }
    verify
}

fn table(fields: &Fields<'_>, subject: &Subject) -> Checked<Verify<Dataset>> {
    let mut budget = Budget::default();
    if let Some(runs) = fields.optional("runs", read::whole)? {
        budget.runs = runs.max(1);
    }
    let domain = match (fields.given(&["values", "size"])[..].is_empty(), fields.get("column")) {
        (false, _) => Some(domain(fields, subject)?),
        (true, None) => None,
        (true, Some(column)) => {
            let message = "`column` without `values` defines no datasets";
            return column.refuse(message, format!("write {EXAMPLE}"));
        }
    };
    Ok(Verify { domain, budget })
}

fn domain(fields: &Fields<'_>, subject: &Subject) -> Checked<Domain<Dataset>> {
    let help = "give the number: size = 3, or size = [0, 3]";
    let (least, most) = size(fields.require("size", help)?, MAX_SIZE)?;
    let listed = fields.require("values", "list the values: values = [0, 1]")?;
    let values = values(listed)?;
    let column = fields.optional("column", read::owned)?;
    let sequences = Sequences { values, least, most, column };
    if subject.group() > 1 {
        let message = "the pairs in a domain are neighbors, but the claim is for groups";
        return fields
            .refuse(message, "write verify = true, to prove it on the pairs of the audit");
    }
    // If the relation was wrong any will do: nothing will be run.
    let relation = subject.checked_relation().unwrap_or(Relation::Substitution);
    if relation.people().is_some() {
        let message = format!(
            "the datasets of a proof have one column, but {relation} concerns people with several rows: \
             it cannot be proved"
        );
        let help = "leave `values` and `size` out, to prove the claim on the pairs of the audit, or leave out \
                    `verify`";
        return fields.refuse(message, help);
    }
    let help = "choose values and sizes such that some datasets are neighbors under the relation";
    let domain = fields.check(sequences.domain(&relation), help)?;
    let Some(mechanism) = subject.mechanism() else { return Ok(domain) };
    // The mechanism must take every dataset of the domain.
    if let Some(why) = domain.datasets.iter().find_map(|dataset| mechanism.accepts(dataset).err()) {
        let message = format!("the mechanism cannot run on every dataset of the domain: {why}");
        return listed.refuse(message, "name other values, or other sizes");
    }
    let covers = mechanism.covers(&sequences.values, most, &relation);
    Ok(if covers { domain.exhaustive() } else { domain })
}

/// The values of a domain, each once.
pub(in crate::spec) fn values(listed: &Value<'_>) -> Checked<Vec<Cell>> {
    let mut values: Vec<Cell> = Vec::new();
    for value in read::list(listed, "`values`", "[0, 1]")? {
        let cell = data::cell(value, "an entry of `values`")?;
        if values.contains(&cell) {
            let message = format!("the value {cell} is listed twice");
            return value.refuse(message, "name each value once");
        }
        values.push(cell);
    }
    if values.is_empty() {
        let message = "there are no values to build datasets from";
        return listed.refuse(message, "write for example values = [0, 1]");
    }
    Ok(values)
}

/// "3", or "[0, 3]": fewest and most, up to `limit`.
pub(in crate::spec) fn size(value: &Value<'_>, limit: u64) -> Checked<(usize, usize)> {
    let wrong = || {
        let message =
            format!("`size` must be a whole number up to {limit}, or the fewest and the most");
        value.wrong(message, "write size = 3, or size = [0, 3]")
    };
    let whole = |value: &Value<'_>| {
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

//! Declared sensitivities of queries, to be checked without noise.

use crate::spec::error::Checked;
use crate::spec::mechanism::Built;
use crate::spec::read::{self, Fields, Place, Value};
use plaudit_core::dataset::{Dataset, Norm, Sensitivity};
use plaudit_engine::audit::PairSearch;
use plaudit_engine::mechanism::{Mechanism as _, query_of};
use plaudit_engine::search::{Candidates, candidates};
use std::sync::atomic::AtomicBool;
use toml::de::DeValue;

const NORMS: [Norm; 3] = [Norm::L1, Norm::L2, Norm::Linf];
const EXAMPLE: &str = "write the largest change of the answers: sensitivity = { l1 = 100.0 }, { l2 = 1.0 } \
                       or { linf = 1.0 }, or true for the sensitivity that the mechanism declares";
/// Plans that are tried to see whether a mechanism shows a query.
const TRIED: usize = 400;

/// Reads the sensitivity; `None` if there is nothing to check. Other fields that are `None` were
/// invalid themselves, or are absent.
pub(in crate::spec) fn read(
    audit: &Fields<'_>,
    mechanism: Option<&Built>,
    search: Option<&PairSearch<Dataset>>,
) -> Checked<Option<Sensitivity>> {
    let Some(value) = audit.get("sensitivity") else { return Ok(None) };
    let declared = match value.get_ref() {
        DeValue::Boolean(false) => return Ok(None),
        DeValue::Boolean(true) => {
            let Some(built) = mechanism else { return Ok(None) };
            let own = built.mechanism.capabilities().sensitivity;
            let message = "the mechanism declares no sensitivity of its own";
            let help = "write for example sensitivity = { l1 = 100.0 }";
            own.ok_or_else(|| value.wrong(message, help))?
        }
        DeValue::Table(_) => declared(value)?,
        _ => return value.refuse("`sensitivity` must be a table, or true", EXAMPLE),
    };
    if !audit.has("domain") {
        let message =
            "a sensitivity is checked on neighbors in a `domain`, but there is no `domain`";
        let help = "write for example domain = { lower = 0, upper = 1, size = [1, 10] }";
        return value.refuse(message, help);
    }
    let (Some(built), Some(search)) = (mechanism, search) else { return Ok(None) };
    // Whether a program answers is found out when it is run.
    if !built.takes_any_value() && !shows_a_query(built, search) {
        let message = format!("mechanism `{}` exposes no query without noise", built.summary.kind);
        let help = "leave `sensitivity` out; mechanisms that add noise to numbers, \
                    counts, sums or means expose it";
        return value.refuse(message, help);
    }
    Ok(Some(declared))
}

fn declared(value: &Value<'_>) -> Checked<Sensitivity> {
    let words = NORMS.map(Norm::word);
    let fields = Fields::with_keys("`sensitivity`", value, &words, "{ l1 = 100.0 }")?;
    let given: Vec<Norm> = NORMS.into_iter().filter(|norm| fields.has(norm.word())).collect();
    let [norm] = given[..] else { return value.refuse("a sensitivity has one norm", EXAMPLE) };
    fields.needed(norm.word(), EXAMPLE, |value, what| {
        let most = read::number(value, what)?;
        match (Sensitivity { norm, most }) {
            declared if declared.is_possible() => Ok(declared),
            _ => value.refuse(
                format!("a sensitivity of {most} is invalid"),
                "write a finite number above 0",
            ),
        }
    })
}

/// `true` if it answers on the first dataset of the domain that it takes.
fn shows_a_query(built: &Built, search: &PairSearch<Dataset>) -> bool {
    let Candidates { named, scattered, .. } = candidates(&search.neighborhood, TRIED);
    let pairs = named.into_iter().chain(scattered);
    let mut pairs = pairs.filter_map(|plan| plan.pair(String::new(), &search.neighborhood));
    let never = AtomicBool::new(false);
    let first = pairs.find(|pair| built.mechanism.accepts(&pair.d).is_ok());
    first.is_none_or(|pair| matches!(query_of(&built.mechanism, &pair.d, &never), Ok(Some(_))))
}

//! `plaudit replay`, of a counterexample to a declared sensitivity.

use super::args::{Format, ReplayArguments};
use super::replay::{consented, dataset_pair, takes};
use super::{Failure, exit, interrupt, output};
use crate::audit::{Counterexample, Recheck, ReplayError};
use crate::dataset::{Dataset, Pair};
use crate::game::GameError;
use crate::mechanism::catalog::CatalogMechanism;
use crate::report::SCHEMA_VERSION;
use crate::spec;
use serde::Serialize;

/// What is printed for `--format json`.
#[derive(Serialize)]
struct Answer<'a> {
    audit: &'a str,
    sensitivity: String,
    #[serde(flatten)]
    recheck: &'a Recheck,
}

/// Asks the query again on both datasets and says whether the answers are too far apart.
pub(super) fn run(raw: &ReplayArguments, counterexample: &Counterexample) -> Result<u8, Failure> {
    let refused =
        |why: String| Failure::of_file("cannot replay", &raw.certificate, &output::harmless(&why));
    consented(raw, &counterexample.mechanism).map_err(refused)?;
    let (mechanism, pair) = check(counterexample).map_err(refused)?;
    let interrupted = interrupt::listen()?;
    let recheck = counterexample
        .recheck::<Dataset>(&*mechanism, [&pair.d, &pair.d_prime], interrupted)
        .map_err(|error| match error {
            ReplayError::Game(GameError::Interrupted) => {
                Failure::Interrupted("interrupted: no answer".into())
            }
            error => refused(error.to_string()),
        })?;
    let sensitivity = counterexample.sensitivity.to_string();
    match raw.format {
        Format::Json => {
            let audit = &counterexample.audit;
            output::print_json(&Answer { audit, sensitivity, recheck: &recheck })?;
        }
        Format::Human => output::print(&human(counterexample, &recheck))?,
    }
    Ok(if recheck.holds { exit::AS_EXPECTED } else { exit::UNEXPECTED })
}

fn human(counterexample: &Counterexample, recheck: &Recheck) -> String {
    let audit = output::harmless(&counterexample.audit);
    let declared = counterexample.sensitivity;
    let found = if recheck.holds { "is exceeded" } else { "is not exceeded here" };
    let apart = match recheck.distance.is_finite() {
        true => format!("{} apart", crate::number::words(recheck.distance)),
        false => "no distance apart that a number says".to_owned(),
    };
    let answers = format!("{} and {}", recheck.answer_d, recheck.answer_d_prime);
    let mut words = format!(
        "{audit}: the declared {declared} {found}\n  Without noise the query answers {}: {apart}.\n",
        output::harmless(&answers)
    );
    if !recheck.same_answers {
        words.push_str("  These are not the answers of the certificate.\n");
    }
    words
}

/// Believes nothing in a counterexample: what it says must be possible.
fn check(
    counterexample: &Counterexample,
) -> Result<(Box<dyn CatalogMechanism>, Pair<Dataset>), String> {
    if counterexample.schema_version != SCHEMA_VERSION {
        let version = &counterexample.schema_version;
        return Err(format!(
            "it has schema version {version:?}, and this program knows {SCHEMA_VERSION:?}"
        ));
    }
    let mechanism = spec::rebuild(&counterexample.mechanism)?;
    let pair = dataset_pair(&counterexample.pair)?;
    let relation = spec::relation_from_words(&counterexample.relation)
        .ok_or_else(|| format!("unknown relation `{}`", counterexample.relation))?;
    counterexample.check(&pair, &relation)?;
    takes(&*mechanism, &pair)?;
    Ok((mechanism, pair))
}

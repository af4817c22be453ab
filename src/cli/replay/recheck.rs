//! `plaudit replay`, of a counterexample to a declared sensitivity.

use super::evidence::{self, refused};
use crate::audit::{Counterexample, Recheck, ReplayError, Seal};
use crate::cli::args::{Format, ReplayArguments};
use crate::cli::running::interrupt;
use crate::cli::{Failure, exit, output};
use crate::dataset::Dataset;
use crate::game::GameError;
use crate::visible::visible;
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
pub(super) fn run(
    raw: &ReplayArguments,
    counterexample: &Counterexample,
    seal: &Seal,
) -> Result<u8, Failure> {
    let refused = |why: String| refused(raw, &why);
    evidence::consented(raw, &counterexample.mechanism).map_err(refused)?;
    let (mechanism, pair) = evidence::check_exact(counterexample, seal).map_err(refused)?;
    if raw.pair.is_some() || raw.alpha.is_some() {
        let why = "it is of an exceeded sensitivity, which is checked on one pair and without chance: leave \
                   --pair and --alpha out";
        return Err(refused(why.into()));
    }
    evidence::remark(seal);
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
    let audit = visible(&counterexample.audit);
    let declared = counterexample.sensitivity;
    let found = if recheck.holds { "is exceeded" } else { "is not exceeded here" };
    let apart = match recheck.distance.is_finite() {
        true => format!("{} apart", crate::number::words(recheck.distance)),
        false => "no distance apart that a number says".to_owned(),
    };
    let answers = format!("{} and {}", recheck.answer_d, recheck.answer_d_prime);
    let mut words = format!(
        "{audit}: the declared {declared} {found}\n  Without noise the query answers {}: {apart}.\n",
        visible(&answers)
    );
    if !recheck.same_answers {
        let said = format!("{} and {}", counterexample.answer_d, counterexample.answer_d_prime);
        words.push_str(&format!(
            "  These are not the answers of the certificate, which says {}.\n",
            visible(&said)
        ));
    }
    words
}

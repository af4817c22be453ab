//! `plaudit replay`, of a counterexample to a declared sensitivity.

use super::evidence::{Playable, Replayable, failed, refused, unknown_relation};
use crate::cli::args::{OutputFormat, ReplayArguments};
use crate::cli::running::interrupt;
use crate::cli::{Failure, exit, output};
use plaudit_core::dataset::{Dataset, Pair, Relation};
use plaudit_core::visible::visible;
use plaudit_engine::audit::{Counterexample, ExceedingAnswers, Recheck};
use plaudit_engine::search::exactly_neighbors;
use serde::Serialize;

#[derive(Serialize)]
struct PrintedRecheck<'a> {
    audit: &'a str,
    sensitivity: String,
    #[serde(flatten)]
    recheck: &'a Recheck,
}

impl Replayable for ExceedingAnswers {
    fn check(&self) -> Result<(), String> {
        match self.sensitivity.is_possible() {
            true => Ok(()),
            false => Err("its sensitivity is not a finite number above 0".into()),
        }
    }

    fn check_pair(
        certificate: &Counterexample,
        pair: &Pair<Dataset>,
        relation: Option<&Relation>,
    ) -> Result<(), String> {
        let relation = relation.ok_or_else(|| unknown_relation(certificate))?;
        relation.check(&pair.d, &pair.d_prime).map_err(|error| error.to_string())?;
        match exactly_neighbors(pair, relation) {
            true => Ok(()),
            false => {
                Err(format!("the datasets are not neighbors under {relation}, by a small margin"))
            }
        }
    }

    fn run(raw: &ReplayArguments, playable: Playable<Self>) -> Result<u8, Failure> {
        let Playable { certificate: counterexample, mechanism, pair, .. } = playable;
        if raw.pair.is_some() || raw.alpha.is_some() {
            let why = "it certifies an exceeded sensitivity, which is checked on one pair without randomness: leave \
                       --pair and --alpha out";
            return Err(refused(raw, why));
        }
        let interrupted = interrupt::listen()?;
        let recheck = counterexample
            .recheck::<Dataset>(&*mechanism, [&pair.d, &pair.d_prime], interrupted)
            .map_err(|error| failed(raw, &counterexample.mechanism, error))?;
        let sensitivity = counterexample.sensitivity.to_string();
        match raw.format {
            OutputFormat::Json => {
                let audit = &counterexample.audit;
                output::print_json(&PrintedRecheck { audit, sensitivity, recheck: &recheck })?;
            }
            OutputFormat::Human => output::print(&human(&counterexample, &recheck))?,
        }
        Ok(if recheck.holds { exit::AS_EXPECTED } else { exit::UNEXPECTED })
    }
}

fn human(counterexample: &Counterexample, recheck: &Recheck) -> String {
    let audit = visible(&counterexample.audit);
    let declared = counterexample.sensitivity;
    let found = if recheck.holds { "is exceeded" } else { "is not exceeded here" };
    let apart = match recheck.distance.is_finite() {
        true => format!("{} apart", plaudit_accountant::number::words(recheck.distance)),
        false => "not at a distance that a number expresses".to_owned(),
    };
    let answers = format!("{} and {}", recheck.answer_d, recheck.answer_d_prime);
    let mut words = format!(
        "{audit}: the declared {declared} {found}\n  Without noise the query answers {}: {apart}.\n",
        visible(&answers)
    );
    if !recheck.same_answers {
        let said = format!("{} and {}", counterexample.answer_d, counterexample.answer_d_prime);
        words.push_str(&format!(
            "  These are not the answers in the certificate, which are {}.\n",
            visible(&said)
        ));
    }
    words
}

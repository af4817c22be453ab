//! `plaudit attack average`.

use crate::cli::args::AverageArguments;
use crate::cli::output::Answer;
use crate::cli::{Failure, exit};
use plaudit_accountant::number::{brief, chosen, grouped};
use plaudit_attacks::attack::words::{at_most, bracket};
use plaudit_attacks::attack::{Averaging, Noise, Reached, Service, average};

/// Computes what averaging shows, and prints it.
pub(super) fn answer(raw: &AverageArguments) -> Result<Answer, Failure> {
    for (name, value) in [("--scale", raw.scale), ("--sensitivity", raw.sensitivity)] {
        if !(value.is_finite() && value > 0.0) {
            let message = format!("{name} {value} is invalid: it must be finite and above 0");
            return Err(Failure::Message(message));
        }
    }
    let service = Service {
        noise: raw.noise.of_scale(raw.scale),
        sensitivity: raw.sensitivity,
        cached: raw.cached,
        differencing: raw.differencing,
        budget: raw.budget,
        delta: raw.delta,
    };
    let found =
        average(service, raw.queries).map_err(|error| Failure::Message(error.to_string()))?;
    Answer::new(&found, human(&found), exit::AS_EXPECTED)
}

fn human(found: &Averaging) -> String {
    let service = &found.service;
    let noise = match service.noise {
        Noise::Laplace { scale } => format!("Laplace noise of scale {}", chosen(scale)),
        Noise::Gaussian { sigma } => {
            format!("Gaussian noise of standard deviation {}", chosen(sigma))
        }
    };
    let delta = chosen(service.delta);
    let mut out = format!(
        "One person moves the exact answer by {}; each fresh answer has {noise}. {}\n\
         and guesses whether the person is in the data, a coin toss before.\n\n\
         {:>9}  {:>13}  {:>11}  {:>9}  epsilon at delta = {delta}\n",
        chosen(service.sensitivity),
        match service.differencing {
            true =>
                "The attacker alternates queries on everyone and on everyone but that person, averages the differences,",
            false => "The attacker averages all answers",
        },
        "questions",
        "fresh answers",
        "wrong guess",
        "basic",
    );
    for row in &found.rows {
        let epsilon = bracket(row.epsilon);
        out.push_str(&format!(
            "{:>9}  {:>13}  {:>11}  {:>9}  {epsilon}\n",
            grouped(row.asked),
            grouped(row.fresh),
            brief(row.error),
            at_most(row.epsilon_basic),
        ));
    }
    out.push('\n');
    for Reached { below, answers } in &found.reached {
        let when = match answers {
            Some(answers) => format!("from {} fresh answers on", grouped(*answers)),
            None => "never, with the answers given".to_owned(),
        };
        out.push_str(&format!("wrong less often than {}: {when}\n", chosen(*below)));
    }
    if service.cached {
        out.push_str(
            "\nThe first answer is stored and repeated, so more queries reveal nothing more.\n",
        );
    } else if found.fresh_at_most < found.queries {
        let paid = grouped(found.fresh_at_most);
        out.push_str(&format!(
            "\nThe budget pays for {paid} fresh answers; later questions get none.\n"
        ));
    }
    out
}

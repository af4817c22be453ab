//! `plaudit account`.

use super::args::{AccountArguments, OutputFormat};
use super::{Failure, exit, output};
use plaudit_accountant::number;
use plaudit_accountant::{
    AccountantError, Bracket, Composition, Event, Method, SMALLEST_SIGMA, Sampling,
};
use plaudit_core::visible::visible;
use plaudit_report::report::plot::{self, ProfileCurve};
use serde::Serialize;
use std::path::Path;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
struct PrintedAccount {
    composition: Composition,
    expression: String,
    relation: String,
    method: Method,
    #[serde(flatten)]
    found: AccountAnswer,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum AccountAnswer {
    Epsilon { delta: f64, epsilon: Bracket },
    Delta { epsilon: f64, delta: Bracket },
    Sigma { epsilon: f64, delta: f64, sigma: f64, delta_reached: Bracket },
    TruePositives { false_positives: f64, true_positives: Bracket },
}

/// Reads the composition, accounts for it, and prints the result.
pub(super) fn run(raw: &AccountArguments) -> Result<u8, Failure> {
    let question = question(raw)?;
    let composition = composition(&raw.composition)?;
    let answer = answer(&question, composition, raw.method).map_err(|error| failure(&error))?;
    if let Some(file) = &raw.plot {
        draw(&answer, file)?;
    }
    match raw.format {
        OutputFormat::Json => output::print_json(&answer)?,
        OutputFormat::Human => output::print(&human(&answer))?,
    }
    Ok(exit::AS_EXPECTED)
}

fn failure(error: &AccountantError) -> Failure {
    Failure::Message(visible(&error.to_string()))
}

/// An expression, or a file of one or of a table of events.
fn composition(word: &str) -> Result<Composition, Failure> {
    let path = Path::new(word);
    let is_file = path.extension().is_some_and(|extension| extension == "toml");
    if !is_file {
        return word.parse().map_err(|error| failure(&error));
    }
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::of_file("cannot read the composition in", path, &error.to_string().trim_end())
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let mut table: toml::Table = toml::from_str(&text).map_err(|error| wrong(&error))?;
    let composition = match table.remove("composition") {
        Some(toml::Value::String(expression)) => {
            expression.parse().map_err(|error| wrong(&error))?
        }
        Some(value) => value.try_into::<Composition>().map_err(|error| wrong(&error))?,
        None => {
            let wanted = "it has no `composition`: write composition = \"gaussian(sigma=1) x 10\", \
                          or a [[composition.events]] for each event";
            return Err(wrong(&wanted));
        }
    };
    composition.check().map_err(|error| wrong(&error))?;
    Ok(composition)
}

enum AccountQuestion {
    Epsilon { delta: f64 },
    Delta { epsilon: f64 },
    Sigma { epsilon: f64, delta: f64 },
    TruePositives { false_positives: f64 },
}

fn question(raw: &AccountArguments) -> Result<AccountQuestion, Failure> {
    // 0 without a sign.
    let plain = |value: Option<f64>| value.map(|value| value + 0.0);
    let wrong = |why: &str| {
        let help = "--delta D (prints epsilon), --epsilon E (prints delta), --fpr F (prints the true-positive rate) or --solve \
                    sigma (with both, prints sigma)";
        Err(Failure::Message(format!(
            "give one of --delta, --epsilon, --fpr, --solve: {help}; {why}"
        )))
    };
    if let Some(false_positives) = plain(raw.fpr) {
        if raw.epsilon.or(raw.delta).is_some() || raw.solve.is_some() {
            return wrong("--fpr stands alone");
        }
        return match (0.0..=1.0).contains(&false_positives) {
            true => Ok(AccountQuestion::TruePositives { false_positives }),
            false => Err(Failure::Message(format!(
                "--fpr = {false_positives} is invalid: a rate is between 0 and 1"
            ))),
        };
    }
    match (plain(raw.epsilon), plain(raw.delta), raw.solve.is_some()) {
        (Some(epsilon), Some(delta), true) => Ok(AccountQuestion::Sigma { epsilon, delta }),
        (Some(epsilon), None, false) => Ok(AccountQuestion::Delta { epsilon }),
        (None, Some(delta), false) => Ok(AccountQuestion::Epsilon { delta }),
        (Some(_), Some(_), false) => wrong("both --delta and --epsilon are given"),
        (None, None, false) => wrong("none is given"),
        (None, _, true) => wrong("--solve is given without --epsilon"),
        (Some(_), None, true) => wrong("--solve is given without --delta"),
    }
}

fn answer(
    question: &AccountQuestion,
    composition: Composition,
    method: Method,
) -> Result<PrintedAccount, AccountantError> {
    let found = match *question {
        AccountQuestion::Sigma { epsilon, delta } => {
            let sigma = composition.solve_sigma(epsilon, delta, method)?;
            let solved = composition.with_sigma(sigma);
            let delta_reached = solved.curve_around(method, delta)?.delta_at(epsilon);
            let found = AccountAnswer::Sigma { epsilon, delta, sigma, delta_reached };
            return Ok(PrintedAccount::new(solved, method, found));
        }
        AccountQuestion::TruePositives { false_positives } => {
            let true_positives = composition
                .curve_around(method, false_positives.max(1e-9))?
                .true_positives_at(false_positives);
            AccountAnswer::TruePositives { false_positives, true_positives }
        }
        AccountQuestion::Delta { epsilon } => {
            AccountAnswer::Delta { epsilon, delta: composition.delta_at(epsilon, method)? }
        }
        AccountQuestion::Epsilon { delta } => {
            AccountAnswer::Epsilon { delta, epsilon: composition.epsilon_at(delta, method)? }
        }
    };
    Ok(PrintedAccount::new(composition, method, found))
}

impl PrintedAccount {
    fn new(composition: Composition, method: Method, found: AccountAnswer) -> Self {
        let (expression, relation) = (composition.to_string(), composition.relation());
        Self { composition, expression, relation, method, found }
    }
}

fn human(answer: &PrintedAccount) -> String {
    let between = |bracket: Bracket| {
        let upper = outward(bracket.upper, true);
        if answer.method == Method::Pld {
            format!("between {} and {upper}", outward(bracket.lower, false))
        } else {
            format!("at most {upper}")
        }
    };
    let line = match answer.found {
        AccountAnswer::Epsilon { delta, epsilon } => {
            format!("epsilon at delta = {}: {}", number::words(delta), between(epsilon))
        }
        AccountAnswer::Delta { epsilon, delta } => {
            format!("delta at epsilon = {}: {}", number::words(epsilon), between(delta))
        }
        AccountAnswer::TruePositives { false_positives, true_positives } => format!(
            "true-positive rate of the best attack at false-positive rate {}: {}",
            number::words(false_positives),
            between(true_positives)
        ),
        AccountAnswer::Sigma { epsilon, delta, sigma, delta_reached } => format!(
            "sigma = {} times the sensitivity is enough for ({}, {})-DP{}\ndelta at that epsilon: {}",
            number::words(sigma),
            number::words(epsilon),
            number::words(delta),
            if sigma <= SMALLEST_SIGMA { "; smaller ones are not looked for" } else { "" },
            between(delta_reached)
        ),
    };
    let PrintedAccount { composition, expression, relation, method, .. } = answer;
    let without_replacement =
        |event: &Event| matches!(event.sampling, Some(Sampling::WithoutReplacement { .. }));
    let note = if composition.events().iter().any(without_replacement) {
        "a sum of clipped rows moves by twice the clip where one row is substituted: give scales and sigmas in \
         units of that\n"
    } else {
        ""
    };
    format!("{expression}\n{line}\nby {}; neighbors: {relation}\n{note}", method.name())
}

/// Seven digits, rounded up or down.
fn outward(x: f64, up: bool) -> String {
    if x == 0.0 || !x.is_finite() {
        return number::words(x.abs()).into_owned();
    }
    // From small to large: 10^±300 is exact enough to count digits.
    #[allow(clippy::cast_possible_truncation)]
    let power = 6 - x.log10().floor().clamp(-290.0, 290.0) as i32;
    let unit = 10.0_f64.powi(-power.abs());
    let scaled = if power >= 0 { x / unit } else { x * unit };
    let mut whole = if up { scaled.ceil() } else { scaled.floor() };
    let back = |whole: f64| if power >= 0 { whole * unit } else { whole / unit };
    // Rounding may have gone the wrong way.
    if up && back(whole) < x {
        whole += 1.0;
    } else if !up && back(whole) > x {
        whole -= 1.0;
    }
    // The shortest decimal of that many digits.
    let digits = format!("{whole:.0}e{}", -power);
    digits.parse::<f64>().map_or(digits, |value| number::words(value).into_owned())
}

/// Draws the profile by every method that applies.
fn draw(answer: &PrintedAccount, file: &Path) -> Result<(), Failure> {
    const POINTS: u32 = 120;
    let pld = answer.composition.curve_by(Method::Pld).map_err(|error| failure(&error))?;
    // To where little is left, and to the point that was asked for.
    let asked = match answer.found {
        AccountAnswer::Epsilon { epsilon, .. } => epsilon.upper,
        AccountAnswer::Delta { epsilon, .. } | AccountAnswer::Sigma { epsilon, .. } => epsilon,
        AccountAnswer::TruePositives { .. } => 0.0,
    };
    let tail = pld.epsilon_at(1e-9).upper;
    let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
    let end = (1.1 * finite(asked)).max(finite(tail)).max(1e-6);
    let curves = Method::ALL.into_iter().filter_map(|method| {
        let curve = answer.composition.curve_by(method).ok()?;
        let point = |i: u32| {
            let epsilon = end * f64::from(i) / f64::from(POINTS);
            let Bracket { lower, upper } = curve.delta_at(epsilon);
            (epsilon, lower, upper)
        };
        let points = (0..=POINTS).map(point).collect();
        Some(ProfileCurve { name: method.name().to_owned(), points })
    });
    let plot = plot::composition(&answer.expression, &curves.collect::<Vec<_>>());
    std::fs::write(file, plot.standalone())
        .map_err(|error| Failure::of_file("cannot write the plot to", file, &error))
}

#[cfg(test)]
#[path = "../../tests/unit/cli/account.rs"]
mod tests;

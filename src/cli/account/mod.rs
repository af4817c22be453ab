//! `plaudit account`.

mod answer;
pub(super) mod arguments;
mod events;

#[cfg(fuzzing)]
pub use events::read as recorded_events;

use super::parse::OutputFormat;
use super::{Failure, output};
use answer::{
    AccountAnswer, AttackTable, Claimed, MuRow, PrintedAccount, RAISED, RateRow, Reached, Solved,
    SuccessRow,
};
use arguments::{AccountArguments, Solve};
use plaudit_accountant::{AccountantError, Bracket, Composition, Curve, Method, Unknown};
use plaudit_core::visible::visible;
use plaudit_report::report::plot::{self, ProfileCurve};
use std::path::Path;

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
        OutputFormat::Human => output::print(&answer.human())?,
    }
    Ok(answer.exit_code())
}

fn failure(error: &AccountantError) -> Failure {
    Failure::Message(visible(&error.to_string()))
}

/// An expression, a file of one or of a table of events, or what another accountant has recorded.
fn composition(word: &str) -> Result<Composition, Failure> {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension == Some("json") {
        return events::read(path).map_err(|error| {
            Failure::of_file("cannot read the composition in", path, &error.trim_end())
        });
    }
    if extension != Some("toml") {
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
    Claim { epsilon: f64, delta: f64 },
    Solve { epsilon: f64, delta: f64, unknown: Solve },
    TruePositives { false_positives: f64 },
    Attack { prior: f64, mu_range: (f64, f64) },
}

fn question(raw: &AccountArguments) -> Result<AccountQuestion, Failure> {
    // 0 without a sign.
    let plain = |value: Option<f64>| value.map(|value| value + 0.0);
    let wrong = |why: &str| {
        let help = "--delta D (prints epsilon), --epsilon E (prints delta), --fpr F (prints the true-positive rate), --claim \
                    (with --delta and --epsilon, asks whether they hold), --solve WHAT (with --delta and --epsilon, prints the \
                    value that meets them) or --attack (prints the success of the best attackers)";
        Err(Failure::Message(format!(
            "give one of --delta, --epsilon, --fpr, --claim, --solve, --attack: {help}; {why}"
        )))
    };
    let has_loss = raw.epsilon.or(raw.delta).is_some() || raw.solve.is_some();
    if raw.attack {
        if has_loss || raw.fpr.is_some() {
            return wrong("--attack stands alone");
        }
        let prior = raw.prior;
        return match prior > 0.0 && prior < 1.0 {
            true => Ok(AccountQuestion::Attack { prior, mu_range: raw.mu_range }),
            false => Err(Failure::Message(format!(
                "--prior = {prior} is invalid: a prior is above 0 and below 1"
            ))),
        };
    }
    if let Some(false_positives) = plain(raw.fpr) {
        if has_loss {
            return wrong("--fpr stands alone");
        }
        return match (0.0..=1.0).contains(&false_positives) {
            true => Ok(AccountQuestion::TruePositives { false_positives }),
            false => Err(Failure::Message(format!(
                "--fpr = {false_positives} is invalid: a rate is between 0 and 1"
            ))),
        };
    }
    match (plain(raw.epsilon), plain(raw.delta), raw.solve) {
        (Some(epsilon), Some(delta), None) if raw.claim => {
            match (0.0..f64::INFINITY).contains(&epsilon) {
                true => Ok(AccountQuestion::Claim { epsilon, delta }),
                false => Err(Failure::Message(format!(
                    "--epsilon = {epsilon} is invalid: a claimed epsilon is finite and at least 0"
                ))),
            }
        }
        _ if raw.claim => wrong("--claim needs --epsilon and --delta (0 for a pure claim)"),
        (Some(epsilon), Some(delta), Some(unknown)) => {
            Ok(AccountQuestion::Solve { epsilon, delta, unknown })
        }
        (Some(epsilon), None, None) => Ok(AccountQuestion::Delta { epsilon }),
        (None, Some(delta), None) => Ok(AccountQuestion::Epsilon { delta }),
        (Some(_), Some(_), None) => wrong("both --delta and --epsilon are given, without --claim"),
        (None, None, None) => wrong("none is given"),
        (None, _, Some(_)) => wrong("--solve is given without --epsilon"),
        (Some(_), None, Some(_)) => wrong("--solve is given without --delta"),
    }
}

fn answer(
    question: &AccountQuestion,
    composition: Composition,
    method: Method,
) -> Result<PrintedAccount, AccountantError> {
    let found = match *question {
        AccountQuestion::Solve { epsilon, delta, unknown } => {
            return solved(&composition, method, unknown, epsilon, delta);
        }
        AccountQuestion::Claim { epsilon, delta } => {
            let curve = composition.curve_around(method, delta)?;
            let raised = [curve.delta_at(epsilon * RAISED), curve.epsilon_at(0.0)];
            let reached = reached(&curve, epsilon, delta);
            AccountAnswer::Claim(Claimed::of((epsilon, delta), reached, raised))
        }
        AccountQuestion::Attack { prior, mu_range } => {
            AccountAnswer::Attack(attack(&composition, method, prior, mu_range)?)
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

fn solved(
    composition: &Composition,
    method: Method,
    unknown: Solve,
    epsilon: f64,
    delta: f64,
) -> Result<PrintedAccount, AccountantError> {
    let unknown = unknown.of(composition)?;
    let value = composition.solve(unknown, epsilon, delta, method)?;
    let solved = composition.with(unknown, value).unwrap_or_else(|| composition.clone());
    let reached = reached(&solved.curve_around(method, delta)?, epsilon, delta);
    // A count is whole, and below 2^53.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (name, number) = match unknown {
        Unknown::Sigma => ("sigma", None),
        Unknown::Scale => ("scale", None),
        Unknown::Rate => ("rate", None),
        Unknown::Count(_) => ("count", Some(serde_json::Number::from(value as u64))),
    };
    let number = number.or_else(|| serde_json::Number::from_f64(value));
    let is_limit = value == unknown.loosest();
    let value = number.map(|number| (name, number)).into_iter().collect();
    let found = AccountAnswer::Solved(Solved { epsilon, delta, value, is_limit, reached });
    Ok(PrintedAccount::new(solved, method, found))
}

/// δ at the ε of a target, or ε where its δ is 0.
fn reached(curve: &Curve, epsilon: f64, delta: f64) -> Reached {
    match delta > 0.0 {
        true => Reached::DeltaReached(curve.delta_at(epsilon)),
        false => Reached::EpsilonReached(curve.epsilon_at(0.0)),
    }
}

/// False-positive rates of the table of `--attack`.
const RATES: [f64; 4] = [1e-4, 1e-3, 1e-2, 0.1];

fn attack(
    composition: &Composition,
    method: Method,
    prior: f64,
    mu_range: (f64, f64),
) -> Result<AttackTable, AccountantError> {
    // Sharp over the rates of the table.
    let curve = composition.curve_around(method, 1e-3)?;
    let rate = |false_positives| RateRow {
        false_positives,
        true_positives: curve.true_positives_at(false_positives),
    };
    Ok(AttackTable {
        advantage: curve.delta_at(0.0),
        mu: MuRow { false_positives: mu_range, mu: curve.mu_between(mu_range.0, mu_range.1) },
        success: SuccessRow { prior, success: curve.success_at(prior) },
        true_positives: RATES.map(rate).into(),
    })
}

/// Draws the profile by every method that applies.
fn draw(answer: &PrintedAccount, file: &Path) -> Result<(), Failure> {
    const POINTS: u32 = 120;
    let pld = answer.composition.curve_by(Method::Pld).map_err(|error| failure(&error))?;
    // To where little is left, and to the point that was asked for.
    let asked = match &answer.found {
        AccountAnswer::Epsilon { epsilon, .. } => epsilon.upper,
        AccountAnswer::Delta { epsilon, .. } => *epsilon,
        AccountAnswer::Claim(claim) => claim.epsilon,
        AccountAnswer::Solved(solved) => solved.epsilon,
        AccountAnswer::TruePositives { .. } | AccountAnswer::Attack(_) => 0.0,
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

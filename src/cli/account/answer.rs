//! Answers of `plaudit account`, for people and as JSON.

use crate::cli::exit;
use plaudit_accountant::number;
use plaudit_accountant::{Bracket, Composition, Event, Method, Sampling};
use serde::Serialize;
use std::collections::BTreeMap;

/// Question and result, for `--format json`.
#[derive(Debug, Serialize)]
pub(super) struct PrintedAccount {
    pub composition: Composition,
    pub expression: String,
    pub relation: String,
    pub method: Method,
    #[serde(flatten)]
    pub found: AccountAnswer,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum AccountAnswer {
    Epsilon { delta: f64, epsilon: Bracket },
    Delta { epsilon: f64, delta: Bracket },
    Claim(Claimed),
    Solved(Solved),
    TruePositives { false_positives: f64, true_positives: Bracket },
    Attack(AttackTable),
}

/// The value of an unknown that meets a target.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    pub epsilon: f64,
    pub delta: f64,
    /// The value by its name: `{"sigma": 2.5}`.
    #[serde(flatten)]
    pub value: BTreeMap<&'static str, serde_json::Number>,
    /// `true` if the value is an end of the range that is searched.
    pub is_limit: bool,
    #[serde(flatten)]
    pub reached: Reached,
}

/// A claim on the composition, and what is known of it.
#[derive(Debug, Serialize)]
pub(super) struct Claimed {
    pub epsilon: f64,
    pub delta: f64,
    pub claim: Standing,
    #[serde(flatten)]
    pub reached: Reached,
}

/// Standing of a claim, by a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Standing {
    /// The upper end meets it.
    Holds,
    /// The lower end exceeds it.
    Refuted,
    /// It is between the ends.
    Undecided,
}

/// Factor by which ε and δ of a claim are raised before it is held against brackets, which doubles round outward: a scale of
/// 1/0.3 is not that of ε = 0.3.
pub(super) const RAISED: f64 = 1.0 + 1e-9;

impl Claimed {
    /// With δ at the raised ε, and the ε of δ = 0: where that meets the claim, any δ does. A δ above 0 may be too small for a
    /// double.
    pub fn of((epsilon, delta): (f64, f64), reached: Reached, raised: [Bracket; 2]) -> Self {
        let [at, pure] = raised;
        let claim = if pure.upper <= epsilon * RAISED || at.upper <= delta * RAISED {
            Standing::Holds
        } else if at.lower > delta * RAISED || delta == 0.0 && pure.lower > epsilon * RAISED {
            Standing::Refuted
        } else {
            Standing::Undecided
        };
        Self { epsilon, delta, claim, reached }
    }

    fn human(&self, method: Method, between: impl Fn(Bracket) -> String) -> String {
        let [epsilon, delta] = [self.epsilon, self.delta].map(number::words);
        let claim = match self.claim {
            Standing::Holds => "holds",
            Standing::Refuted => "is refuted",
            Standing::Undecided if method == Method::Pld => {
                "is not decided: it lies between the ends of the bracket"
            }
            Standing::Undecided => "is not decided: this method bounds from above alone (use pld)",
        };
        format!("the claim ({epsilon}, {delta})-DP {claim}\n{}", self.reached.human(between))
    }
}

/// Loss with the value, or of the composition: ε where the target has δ = 0.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reached {
    DeltaReached(Bracket),
    EpsilonReached(Bracket),
}

/// The success of the best attackers.
#[derive(Debug, Serialize)]
pub(super) struct AttackTable {
    pub advantage: Bracket,
    pub mu: MuRow,
    pub success: SuccessRow,
    pub true_positives: Vec<RateRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct MuRow {
    pub false_positives: (f64, f64),
    pub mu: Bracket,
}

#[derive(Debug, Serialize)]
pub(super) struct SuccessRow {
    pub prior: f64,
    pub success: Bracket,
}

#[derive(Debug, Serialize)]
pub(super) struct RateRow {
    pub false_positives: f64,
    pub true_positives: Bracket,
}

impl PrintedAccount {
    pub fn new(composition: Composition, method: Method, found: AccountAnswer) -> Self {
        let (expression, relation) = (composition.to_string(), composition.relation());
        Self { composition, expression, relation, method, found }
    }

    /// The exit code: of a claim, how it stands.
    pub fn exit_code(&self) -> u8 {
        let AccountAnswer::Claim(claimed) = &self.found else { return exit::AS_EXPECTED };
        match claimed.claim {
            Standing::Holds => exit::AS_EXPECTED,
            Standing::Refuted => exit::UNEXPECTED,
            Standing::Undecided => exit::INCONCLUSIVE,
        }
    }

    /// Answer for people.
    pub fn human(&self) -> String {
        let between = |bracket: Bracket| {
            let upper = outward(bracket.upper, true);
            if self.method == Method::Pld {
                format!("between {} and {upper}", outward(bracket.lower, false))
            } else {
                format!("at most {upper}")
            }
        };
        let line = match &self.found {
            AccountAnswer::Epsilon { delta, epsilon } => {
                format!("epsilon at delta = {}: {}", number::words(*delta), between(*epsilon))
            }
            AccountAnswer::Delta { epsilon, delta } => {
                format!("delta at epsilon = {}: {}", number::words(*epsilon), between(*delta))
            }
            AccountAnswer::TruePositives { false_positives, true_positives } => format!(
                "true-positive rate of the best attack at false-positive rate {}: {}",
                number::words(*false_positives),
                between(*true_positives)
            ),
            AccountAnswer::Claim(claim) => claim.human(self.method, between),
            AccountAnswer::Solved(solved) => solved.human(between),
            AccountAnswer::Attack(table) => table.human(between),
        };
        let PrintedAccount { composition, expression, relation, method, .. } = self;
        let without_replacement =
            |event: &Event| matches!(event.sampling, Some(Sampling::WithoutReplacement { .. }));
        let note = if composition.events().iter().any(without_replacement) {
            "a sum of clipped rows moves by twice the clip where one row is substituted: give scales and \
             sigmas in units of that\n"
        } else {
            ""
        };
        format!("{expression}\n{line}\nby {}; neighbors: {relation}\n{note}", method.name())
    }
}

impl Solved {
    fn human(&self, between: impl Fn(Bracket) -> String) -> String {
        let [epsilon, delta] = [self.epsilon, self.delta].map(number::words);
        let of = |(name, value): (&&str, &serde_json::Number)| {
            let value =
                value.as_f64().map_or_else(|| value.to_string(), |x| number::words(x).into());
            let (is, other) = match *name {
                "rate" | "count" => ("is the largest", "larger"),
                _ => ("times the sensitivity is enough", "smaller"),
            };
            let limit = match self.is_limit {
                true => format!("; {other} ones are not looked for"),
                false => String::new(),
            };
            format!("{name} = {value} {is} for ({epsilon}, {delta})-DP{limit}")
        };
        let line: String = self.value.iter().map(of).collect();
        format!("{line}\n{}", self.reached.human(between))
    }
}

impl Reached {
    fn human(&self, between: impl Fn(Bracket) -> String) -> String {
        match self {
            Self::DeltaReached(delta) => format!("delta at that epsilon: {}", between(*delta)),
            Self::EpsilonReached(epsilon) => {
                format!("epsilon at that delta: {}", between(*epsilon))
            }
        }
    }
}

impl AttackTable {
    fn human(&self, between: impl Fn(Bracket) -> String) -> String {
        let words = number::words;
        let (least, most) = self.mu.false_positives;
        let mu =
            format!("mu that fits at false-positive rates {} to {}", words(least), words(most));
        let success = format!("success of a guess with prior {}", words(self.success.prior));
        let mut rows = vec![
            ("advantage (true minus false positives)".to_owned(), self.advantage),
            (mu, self.mu.mu),
            (success, self.success.success),
        ];
        rows.extend(self.true_positives.iter().map(|row| {
            let rate = words(row.false_positives);
            (format!("true-positive rate at false-positive rate {rate}"), row.true_positives)
        }));
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line =
            |(name, bracket): &(String, Bracket)| format!("{name:width$}  {}", between(*bracket));
        let lines: Vec<_> = rows.iter().map(line).collect();
        format!("best attacks, one dataset against its neighbor:\n{}", lines.join("\n"))
    }
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

#[cfg(test)]
#[path = "../../../tests/unit/cli/account.rs"]
mod tests;

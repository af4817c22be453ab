//! Mutants: audits of a spec with half the noise and the same claim, which a gate must find.

use crate::spec::{Overrides, SpecErrors, parse};
use std::path::Path;
use toml::{Table, Value};

const SUFFIX: &str = "-mutant";
/// The order in which a mutant's keys are written; others follow.
const ORDER: [&str; 6] = ["name", "about", "mechanism", "relation", "pairs", "claim"];
/// Words of a program's arguments whose number is noise.
const NOISE: [&str; 5] = ["scale", "sigma", "std", "stddev", "noise"];
/// Words of a program's arguments whose number is a loss.
const LOSS: [&str; 2] = ["epsilon", "eps"];
/// Parameters of mechanisms, the most direct first, and what halves the noise.
const PARAMETERS: [(&str, ParameterChange); 8] = [
    ("scale", ParameterChange::Half),
    ("sigma", ParameterChange::Half),
    ("variance", ParameterChange::Quarter),
    // Scales are calibrated to it: exactly half.
    ("sensitivity", ParameterChange::Half),
    ("epsilon", ParameterChange::Double),
    ("truth", ParameterChange::HalfFromOne),
    ("f", ParameterChange::Half),
    // The loss is twice its logarithm.
    ("base", ParameterChange::Square),
];

pub struct Mutants {
    /// A spec of them, for the folder of the spec.
    pub text: String,
    pub names: Vec<String>,
    /// Audits without a mutant, each with the reason.
    pub without: Vec<(String, String)>,
}

/// Mutants of a spec in memory; `file` is its name in messages.
///
/// # Errors
/// All mistakes of the spec, if there are any.
pub fn mutants(text: &str, file: &Path) -> Result<Mutants, SpecErrors> {
    let loaded = parse(text, file, &Overrides::default())?;
    let mut names: Vec<String> = loaded.into_iter().map(|loaded| loaded.audit.name).collect();
    let mut spec: Table = toml::from_str(text).unwrap_or_default();
    let defaults = match spec.remove("defaults") {
        Some(Value::Table(table)) => format!("[defaults]\n{}\n", lines(&table)),
        _ => String::new(),
    };
    let mut mutants = Mutants { text: defaults.clone(), names: Vec::new(), without: Vec::new() };
    let Some(Value::Array(audits)) = spec.remove("audit") else { return Ok(mutants) };
    for audit in audits {
        let Value::Table(audit) = audit else { continue };
        let name = audit.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let made = mutant(audit, &name, &names).and_then(|(mutant, text)| {
            match parse(&format!("{defaults}{text}"), file, &Overrides::default()) {
                Ok(_) => Ok((mutant, text)),
                Err(SpecErrors(errors)) => Err(match errors.first() {
                    Some(error) => {
                        format!("halving the noise makes the spec invalid: {}", error.message)
                    }
                    None => "halving the noise makes the spec invalid".to_owned(),
                }),
            }
        });
        match made {
            Ok((mutant, text)) => {
                mutants.text.push_str(&text);
                names.push(mutant.clone());
                mutants.names.push(mutant);
            }
            Err(why) => mutants.without.push((name, why)),
        }
    }
    Ok(mutants)
}

/// Name and text of an audit's mutant, or the reason for its lack.
fn mutant(mut audit: Table, name: &str, taken: &[String]) -> Result<(String, String), String> {
    if audit.get("expect").and_then(Value::as_str) == Some("violated") {
        return Err("it is expected to be violated, and shows that the gate can be red".into());
    }
    let mutant = format!("{name}{SUFFIX}");
    if taken.contains(&mutant) {
        return Err(format!("`{mutant}` is there already"));
    }
    let Some(Value::Table(mechanism)) = audit.get_mut("mechanism") else {
        return Err("its outcomes were recorded elsewhere".into());
    };
    let changes = less_noise(mechanism);
    if changes.is_empty() {
        let why = match mechanism.contains_key("command") || mechanism.contains_key("stages") {
            true => {
                "no argument of its command is known to be noise: give the program its noise as \
                     an argument such as `--scale 1.0` (or scale, sigma, std, noise, epsilon)"
            }
            false => "no parameter of its mechanism is known to be noise",
        };
        return Err(why.into());
    }
    let about = format!("{name} with half the noise, {}: it must be found.", changes.join(", "));
    audit.insert("name".into(), Value::String(mutant.clone()));
    audit.insert("about".into(), Value::String(about));
    audit.insert("expect".into(), Value::String("violated".into()));
    // It was calibrated to that, and would be found by it instead.
    audit.remove("sensitivity");
    // Post-processing may hide it.
    audit.remove("post");
    audit.remove("expect_after");
    Ok((mutant, format!("[[audit]]\n{}\n", lines(&audit))))
}

/// A table, a line for each key.
fn lines(table: &Table) -> String {
    let place = |key: &str| ORDER.iter().position(|first| *first == key).unwrap_or(ORDER.len());
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| place(key));
    // Keys that a spec may have are bare.
    entries.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

/// Halves the noise of a mechanism; what was changed, in words.
fn less_noise(mechanism: &mut Table) -> Vec<String> {
    if let Some(Value::Table(stages)) = mechanism.get_mut("stages") {
        let noise = stages.remove("noise").into_iter().map(|noise| ("command".to_owned(), noise));
        let mut noise = Table::from_iter(noise);
        let changes = less_noise(&mut noise);
        stages.extend(noise.into_iter().map(|(_, noise)| ("noise".to_owned(), noise)));
        return changes;
    }
    if let Some(Value::Array(command)) = mechanism.get_mut("command") {
        let noise = less_noise_of_command(command, &NOISE, ParameterChange::Half);
        return match noise.is_empty() {
            true => less_noise_of_command(command, &LOSS, ParameterChange::Double),
            false => noise,
        };
    }
    if let Some(Value::Array(steps)) = mechanism.get_mut("steps") {
        let steps = steps.iter_mut().filter_map(|step| step.get_mut("mechanism")?.as_table_mut());
        let changes: Vec<Vec<String>> = steps.map(less_noise).collect();
        // Half the noise of some steps is another thing.
        return if changes.iter().any(Vec::is_empty) { Vec::new() } else { changes.concat() };
    }
    for (key, change) in PARAMETERS {
        let Some(value) = mechanism.get(key) else { continue };
        let Some(changed) = change.of(value) else { continue };
        let words = format!("{key} {changed} instead of {value}");
        mechanism.insert(key.to_owned(), changed);
        return vec![words];
    }
    Vec::new()
}

/// Changes the numbers of a command's arguments that are called so: `--scale 2`, `--noise-scale=2`, `sigma=2`.
fn less_noise_of_command(
    command: &mut [Value],
    words: &[&str],
    change: ParameterChange,
) -> Vec<String> {
    let is_meant = |flag: &str| {
        let flag = flag.trim_start_matches('-').to_ascii_lowercase();
        flag.split(['-', '_']).any(|part| words.contains(&part))
    };
    let changed = |number: &str| {
        let number = number.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0)?;
        Some(change.of_number(number).to_string())
    };
    let mut changes = Vec::new();
    for at in 1..command.len() {
        let Some(word) = command[at].as_str().map(str::to_owned) else { continue };
        let before = command[at - 1].as_str().unwrap_or_default();
        let new = match word.split_once('=') {
            Some((flag, number)) if is_meant(flag) => {
                changed(number).map(|number| format!("{flag}={number}"))
            }
            None if before.starts_with('-') && is_meant(before) => changed(&word),
            _ => None,
        };
        if let Some(new) = new {
            changes.push(format!("argument {new} instead of {word}"));
            command[at] = Value::String(new);
        }
    }
    changes
}

#[derive(Clone, Copy)]
enum ParameterChange {
    Half,
    Quarter,
    Double,
    Square,
    HalfFromOne,
}

impl ParameterChange {
    /// Changed value, if it is a number above 0, or text of a fraction, which stays one.
    fn of(self, value: &Value) -> Option<Value> {
        match value {
            Value::Float(x) if *x > 0.0 => Some(Value::Float(self.of_number(*x))),
            Value::Integer(x) if *x > 0 => {
                let changed = self.of_number(*x as f64);
                // Below 2⁵³ a double holds whole numbers exactly.
                #[allow(clippy::cast_possible_truncation)]
                let whole = (changed.fract() == 0.0 && changed < 2_f64.powi(53))
                    .then_some(Value::Integer(changed as i64));
                Some(whole.unwrap_or(Value::Float(changed)))
            }
            Value::String(words) => {
                let (above, below) = words.split_once('/').unwrap_or((words, "1"));
                let parse = |words: &str| words.trim().parse::<i64>().ok().filter(|x| *x > 0);
                let (above, below) = self.of_fraction(parse(above)?, parse(below)?)?;
                Some(Value::String(format!("{above}/{below}")))
            }
            _ => None,
        }
    }

    fn of_number(self, x: f64) -> f64 {
        match self {
            Self::Half => 0.5 * x,
            Self::Quarter => 0.25 * x,
            Self::Double => 2.0 * x,
            Self::Square => x * x,
            Self::HalfFromOne => 0.5 * (1.0 + x),
        }
    }

    fn of_fraction(self, above: i64, below: i64) -> Option<(i64, i64)> {
        Some(match self {
            Self::Half => (above, below.checked_mul(2)?),
            Self::Quarter => (above, below.checked_mul(4)?),
            Self::Double => (above.checked_mul(2)?, below),
            Self::Square => (above.checked_mul(above)?, below.checked_mul(below)?),
            Self::HalfFromOne => (above.checked_add(below)?, below.checked_mul(2)?),
        })
    }
}

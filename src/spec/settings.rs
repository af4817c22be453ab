//! Trials, level and seed: their defaults, their limits, and who decides.

use super::error::{Checked, Mistake};
use super::read::{self, Fields, Place, Value};
use plaudit_engine::audit::Settings;
use toml::de::DeValue;

pub use plaudit_engine::audit::{
    DEFAULT_ALPHA, DEFAULT_MIN_POWER, DEFAULT_TRIALS, MIN_ALPHA, MIN_TRIALS,
};

/// Default seed of an audit.
pub const DEFAULT_SEED: u64 = 0;
/// Most trials of an audit.
pub const MAX_TRIALS: u64 = 1_000_000_000_000;

const MAX_SECONDS: f64 = 3.6e6;

/// Settings that outrank every file: the command line's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Runs of the mechanism, an audit.
    pub trials: Option<u64>,
    /// Seconds that an audit may take, instead: how many trials these allow is measured.
    pub seconds: Option<f64>,
    /// False-alarm level.
    pub alpha: Option<f64>,
    /// Seed of the random streams.
    pub seed: Option<u64>,
    /// Floor of power, in multiples of the claim; infinite without a floor.
    pub min_power: Option<f64>,
}

impl Overrides {
    /// These settings, and others where these are silent.
    fn or(self, other: Self) -> Self {
        // Either one determines the number of trials.
        let budget = if self.trials.or(self.seconds.map(|_| 0)).is_some() { self } else { other };
        Self {
            trials: budget.trials,
            seconds: budget.seconds,
            alpha: self.alpha.or(other.alpha),
            seed: self.seed.or(other.seed),
            min_power: self.min_power.or(other.min_power),
        }
    }
}

/// A number of trials that an audit can have.
///
/// # Errors
/// If it is below [`MIN_TRIALS`] or above [`MAX_TRIALS`]; what is allowed, in words.
pub fn check_trials(trials: u64) -> Result<u64, String> {
    match trials {
        MIN_TRIALS..=MAX_TRIALS => Ok(trials),
        _ => Err(format!("trials = {trials} is invalid: trials must be between 100 and 1e12")),
    }
}

/// Checks a number of runs that a certificate rests on: an audit that ends as soon as it is clear may have few.
///
/// # Errors
/// If it is 0 or above [`MAX_TRIALS`]; what is allowed, in words.
pub fn check_confirm(runs: u64) -> Result<(), String> {
    match runs {
        1..=MAX_TRIALS => Ok(()),
        _ => Err(format!("`confirm` = {runs} is invalid: it must be between 1 and 1e12")),
    }
}

/// Time that an audit may take, in seconds, from words such as "60 s", "5 min" and "2h"; `None` if the
/// words are not a time.
///
/// # Errors
/// If it is too short or too long: the allowed range, in words.
pub fn time_from_words(words: &str) -> Option<Result<f64, String>> {
    let words = words.trim();
    let unit = words.trim_start_matches(|c: char| c.is_ascii_digit() || "._".contains(c));
    let number = words[..words.len() - unit.len()].replace('_', "");
    let each = match unit.trim() {
        "s" | "sec" | "second" | "seconds" => 1.0,
        "min" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        _ => return None,
    };
    let seconds = each * number.parse::<f64>().ok()?;
    Some(match (1.0..=MAX_SECONDS).contains(&seconds) {
        true => Ok(seconds),
        false => Err(format!("trials = \"{words}\" is invalid: a time is between 1 s and 1000 h")),
    })
}

/// A false-alarm level that an audit can have.
///
/// # Errors
/// If it is not in (0, 0.5]; what is allowed, in words.
pub fn check_alpha(alpha: f64) -> Result<f64, String> {
    match alpha {
        MIN_ALPHA..=0.5 => Ok(alpha),
        _ => Err(format!("alpha = {alpha} is invalid: alpha must be between 1e-12 and 0.5")),
    }
}

/// A floor of power that an audit can have.
///
/// # Errors
/// If it is below 1; what is allowed, in words.
pub fn check_min_power(times: f64) -> Result<f64, String> {
    match times {
        1.0..=f64::MAX => Ok(times),
        _ => Err(format!(
            "min_power = {times} is invalid: it is a multiple of the claim, from 1 up, or false"
        )),
    }
}

pub(super) const KEYS: [&str; 4] = ["trials", "alpha", "seed", "min_power"];

/// Reads the settings of a table, and notes its mistakes.
pub(super) fn read(fields: &Fields<'_>, mistakes: &mut Vec<Mistake>) -> Overrides {
    let (trials, seconds) =
        read::keep(mistakes, fields.optional("trials", budget)).flatten().unwrap_or_default();
    let alpha = fields.optional("alpha", |value, what| {
        value.check(check_alpha(read::number(value, what)?), "the default is 1e-6")
    });
    let alpha = read::keep(mistakes, alpha).flatten();
    let seed = read::keep(mistakes, fields.optional("seed", read::whole)).flatten();
    let min_power = fields.optional("min_power", |value, what| match value.get_ref() {
        DeValue::Boolean(false) => Ok(f64::INFINITY),
        _ => {
            let floor = check_min_power(read::number(value, what)?);
            value.check(floor, "the default is 2; false for none")
        }
    });
    let min_power = read::keep(mistakes, min_power).flatten();
    Overrides { trials, seconds, alpha, seed, min_power }
}

/// A number of trials, or the seconds that they may take.
fn budget(value: &Value<'_>, what: &str) -> Checked<(Option<u64>, Option<f64>)> {
    const HELP: &str = "write a whole number, or a time: trials = \"60 s\", \"5 min\" or \"2 h\"";
    if let DeValue::String(words) = value.get_ref() {
        let neither = || Err("`trials` is neither a whole number nor a time".to_owned());
        let seconds = time_from_words(words).unwrap_or_else(neither);
        return Ok((None, Some(value.check(seconds, HELP)?)));
    }
    let trials = check_trials(read::whole(value, what)?);
    Ok((Some(value.check(trials, "the default is 1_000_000")?), None))
}

pub(super) struct Settled {
    trials_said: bool,
    pub settings: Settings,
}

/// Command line, else audit, else file, else built in.
pub(super) fn settle(command: Overrides, audit: Overrides, file: Overrides) -> Settled {
    let said = command.or(audit).or(file);
    let mut settings = Settings::default();
    settings.trials = said.trials.unwrap_or(DEFAULT_TRIALS);
    settings.seconds = said.seconds;
    settings.alpha = said.alpha.unwrap_or(DEFAULT_ALPHA);
    settings.seed = said.seed.unwrap_or(DEFAULT_SEED);
    settings.min_power = said.min_power.unwrap_or(DEFAULT_MIN_POWER);
    Settled { trials_said: said.trials.is_some(), settings }
}

impl Settled {
    /// Limits the trials to `most`, unless fewer were requested.
    pub fn limit_trials(&mut self, most: u64) {
        let Self { trials_said, settings } = self;
        let wanted = if *trials_said { settings.trials } else { most };
        // Nothing is run, so the time does not matter.
        settings.seconds = None;
        settings.trials = wanted.min(most).clamp(MIN_TRIALS, MAX_TRIALS);
    }
}

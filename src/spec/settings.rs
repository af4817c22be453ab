//! Trials, level and seed: their defaults, their limits, and who decides.

use super::error::Mistake;
use super::read::{self, Fields};
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
    if (MIN_TRIALS..=MAX_TRIALS).contains(&trials) {
        Ok(trials)
    } else {
        Err(format!("trials = {trials} is impossible: trials must be between 100 and 1e12"))
    }
}

/// Checks a number of runs that a certificate rests on: an audit that ends as soon as it is clear may have few.
///
/// # Errors
/// If it is 0 or above [`MAX_TRIALS`]; what is allowed, in words.
pub fn check_confirm(runs: u64) -> Result<(), String> {
    match runs {
        1..=MAX_TRIALS => Ok(()),
        _ => Err(format!("`confirm` = {runs} is impossible: it must be between 1 and 1e12")),
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
        false => {
            Err(format!("trials = \"{words}\" is impossible: a time is between 1 s and 1000 h"))
        }
    })
}

/// A false-alarm level that an audit can have.
///
/// # Errors
/// If it is not in (0, 0.5]; what is allowed, in words.
pub fn check_alpha(alpha: f64) -> Result<f64, String> {
    if (MIN_ALPHA..=0.5).contains(&alpha) {
        Ok(alpha)
    } else {
        Err(format!("alpha = {alpha} is impossible: alpha must be between 1e-12 and 0.5"))
    }
}

/// A floor of power that an audit can have.
///
/// # Errors
/// If it is below 1; what is allowed, in words.
pub fn check_min_power(times: f64) -> Result<f64, String> {
    if times >= 1.0 && times.is_finite() {
        Ok(times)
    } else {
        Err(format!(
            "min_power = {times} is impossible: it is a multiple of the claim, from 1 up, or false"
        ))
    }
}

pub(super) const KEYS: [&str; 4] = ["trials", "alpha", "seed", "min_power"];

/// Reads the settings of a table, and notes its mistakes.
pub(super) fn read(fields: &Fields<'_, '_>, mistakes: &mut Vec<Mistake>) -> Overrides {
    let mut settings = Overrides::default();
    if let Some(value) = fields.get("trials")
        && let DeValue::String(words) = value.get_ref()
    {
        const HELP: &str =
            "write a whole number, or a time: trials = \"60 s\", \"5 min\" or \"2 h\"";
        let time = time_from_words(words)
            .unwrap_or_else(|| Err("`trials` is neither a whole number nor a time".to_owned()))
            .map_err(|message| Mistake::new(value.span(), message, HELP));
        settings.seconds = read::keep(mistakes, time);
    } else if let Some(value) = fields.get("trials") {
        let trials = read::whole(value, "`trials`").and_then(|trials| {
            check_trials(trials)
                .map_err(|message| Mistake::new(value.span(), message, "the default is 1_000_000"))
        });
        settings.trials = read::keep(mistakes, trials);
    }
    if let Some(value) = fields.get("alpha") {
        let alpha = read::number(value, "`alpha`").and_then(|alpha| {
            check_alpha(alpha)
                .map_err(|message| Mistake::new(value.span(), message, "the default is 1e-6"))
        });
        settings.alpha = read::keep(mistakes, alpha);
    }
    if let Some(value) = fields.get("seed") {
        settings.seed = read::keep(mistakes, read::whole(value, "`seed`"));
    }
    if let Some(value) = fields.get("min_power") {
        let floor = match value.get_ref() {
            DeValue::Boolean(false) => Ok(f64::INFINITY),
            _ => read::number(value, "`min_power`").and_then(|times| {
                check_min_power(times).map_err(|message| {
                    Mistake::new(value.span(), message, "the default is 2; false asks for none")
                })
            }),
        };
        settings.min_power = read::keep(mistakes, floor);
    }
    settings
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

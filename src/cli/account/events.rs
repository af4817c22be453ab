//! Compositions that other accountants have recorded, as JSON: the history of opacus, and the events of dp-accounting.
//!
//! Opacus: `accountant.state_dict()["history"]`, a list of [noise multiplier, sample rate, steps], or the object that
//! holds it. Each entry is Gaussian noise on a Poisson sample (`opacus/accountants/accountant.py`).
//!
//! dp-accounting: `DpEvent.to_named_tuple()` (`dp_accounting/dp_event.py`): an object with `class_name` and the fields of
//! the event, or the list [module, class, fields …] that `json.dumps` makes of it.

use plaudit_accountant::{Composition, Event, EventKind, Sampling};
use plaudit_core::visible::excerpt;
use serde_json::Value;
use std::path::Path;

const SHAPES: &str = "write opacus' accountant.state_dict()[\"history\"], a list of [noise_multiplier, sample_rate, steps], or \
                      an event of dp-accounting with class_name and its fields";
/// Deepest nesting of events.
const DEEPEST: usize = 64;

/// Reads a file.
///
/// # Errors
/// A sentence with the place in the file and the remedy.
pub fn read(path: &Path) -> Result<Composition, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {SHAPES}"))?;
    composition(&value)
}

fn composition(value: &Value) -> Result<Composition, String> {
    let history = value.get("history").unwrap_or(value);
    let events = match history {
        Value::Array(entries) if entries.iter().all(Value::is_array) => of_opacus(entries)?,
        _ => {
            let mut events = Vec::new();
            of_event(value, ("the event", 0), (1, None), &mut events)?;
            events
        }
    };
    if events.is_empty() {
        return Err("it holds no event that costs anything: record at least one step".into());
    }
    Composition::new(events).map_err(|error| error.to_string())
}

/// The history of opacus.
fn of_opacus(entries: &[Value]) -> Result<Vec<Event>, String> {
    let one = |(place, entry): (usize, &Value)| {
        let place = format!("history[{place}]");
        let Some([sigma, rate, steps]) = entry.as_array().map(Vec::as_slice) else {
            return Err(format!("{place} is {}: {SHAPES}", shown(entry)));
        };
        let sigma = number(sigma, &place, "noise_multiplier")?;
        let sampling = sampled(number(rate, &place, "sample_rate")?);
        let count = whole(steps, &place, "steps")?;
        checked(&place, Event { kind: gaussian(sigma), count, sampling })
    };
    entries.iter().enumerate().map(one).collect()
}

/// Adds an event of dp-accounting, which is used `count` times, on this sample.
fn of_event(
    value: &Value,
    (place, depth): (&str, usize),
    (count, sampling): (u64, Option<Sampling>),
    events: &mut Vec<Event>,
) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("{place} is nested more than {DEEPEST} deep"));
    }
    let entry = Entry::of(value, place)?;
    let within = |name: &str| format!("{place}.{name}");
    let add = |kind| checked(place, Event { kind, count, sampling });
    let kind = match entry.class {
        "NoOpDpEvent" => return Ok(()),
        "ComposedDpEvent" if sampling.is_some() => return entry.refuse(COMPOSED_SAMPLE),
        "SelfComposedDpEvent" if sampling.is_some() => return entry.refuse(COMPOSED_SAMPLE),
        "ComposedDpEvent" => {
            let list = entry.field("events", 0)?;
            let Some(list) = list.as_array() else {
                return Err(format!("{place}.events is not a list: {SHAPES}"));
            };
            for (at, event) in list.iter().enumerate() {
                let place = format!("{place}.events[{at}]");
                of_event(event, (&place, depth + 1), (count, None), events)?;
            }
            return Ok(());
        }
        "SelfComposedDpEvent" => {
            let times = whole(entry.field("count", 1)?, place, "count")?;
            let Some(count) = count.checked_mul(times) else {
                return Err(format!("{place}: the event is used too often"));
            };
            let event = entry.field("event", 0)?;
            return of_event(event, (&within("event"), depth + 1), (count, None), events);
        }
        "PoissonSampledDpEvent" | "SampledWithoutReplacementDpEvent" if sampling.is_some() => {
            return entry
                .refuse("a sample of a sample is not known here: write its rate as one sample");
        }
        "PoissonSampledDpEvent" => {
            let rate =
                number(entry.field("sampling_probability", 0)?, place, "sampling_probability")?;
            let event = entry.field("event", 1)?;
            return of_event(event, (&within("event"), depth + 1), (count, sampled(rate)), events);
        }
        "GaussianDpEvent" => gaussian(entry.number("noise_multiplier", 0)?),
        "LaplaceDpEvent" => {
            EventKind::Laplace { scale: entry.number("noise_multiplier", 0)?, sensitivity: 1.0 }
        }
        "EpsilonDeltaDpEvent" => EventKind::EpsilonDelta {
            epsilon: entry.number("epsilon", 0)?,
            delta: entry.number("delta", 1)?,
        },
        _ => return entry.refuse(KNOWN),
    };
    events.push(add(kind)?);
    Ok(())
}

const KNOWN: &str = "GaussianDpEvent, LaplaceDpEvent, EpsilonDeltaDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent, \
                     ComposedDpEvent and NoOpDpEvent are read: write the composition as an expression, as `plaudit account \
                     --help` shows";
const COMPOSED_SAMPLE: &str = "a composition on one sample is not known here: sample each event by itself if each draws its \
                               own sample";

/// An event of dp-accounting: its class, and its fields by name or by place.
struct Entry<'a> {
    class: &'a str,
    value: &'a Value,
    place: &'a str,
}

impl<'a> Entry<'a> {
    fn of(value: &'a Value, place: &'a str) -> Result<Self, String> {
        let class = match value {
            Value::Object(fields) => fields.get("class_name"),
            Value::Array(fields) => fields.get(1),
            _ => None,
        };
        match class.and_then(Value::as_str) {
            Some(class) => Ok(Self { class, value, place }),
            None => Err(format!("{place} is {}, without a class_name: {SHAPES}", shown(value))),
        }
    }

    /// A field by its name, or by its place among the fields.
    fn field(&self, name: &str, place: usize) -> Result<&'a Value, String> {
        let field = match self.value {
            Value::Array(fields) => fields.get(place + 2),
            fields => fields.get(name),
        };
        field.ok_or_else(|| {
            format!("{} ({}) has no `{name}`: {SHAPES}", self.place, excerpt(self.class.as_bytes()))
        })
    }

    fn number(&self, name: &str, place: usize) -> Result<f64, String> {
        number(self.field(name, place)?, self.place, name)
    }

    fn refuse<T>(&self, why: &str) -> Result<T, String> {
        Err(format!("{} is a {}: {why}", self.place, excerpt(self.class.as_bytes())))
    }
}

fn gaussian(sigma: f64) -> EventKind {
    EventKind::Gaussian { sigma, sensitivity: 1.0 }
}

/// The sample; at rate 1 it is the whole dataset, whose neighbors differ as those of any sample.
fn sampled(rate: f64) -> Option<Sampling> {
    Some(Sampling::Poisson { rate })
}

fn checked(place: &str, event: Event) -> Result<Event, String> {
    event.check().map_err(|error| format!("{place}: {error}"))?;
    Ok(event)
}

fn number(value: &Value, place: &str, name: &str) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| {
        format!("{place}: {name} is {}, which is not a number: {SHAPES}", shown(value))
    })
}

/// A whole number, which may be written as 1000.0.
fn whole(value: &Value, place: &str, name: &str) -> Result<u64, String> {
    let float = || value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..9e15).contains(x));
    // Whole and below 2^53: the conversion is exact.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = value.as_u64().or_else(|| float().map(|x| x as u64));
    whole.ok_or_else(|| {
        format!("{place}: {name} is {}, which is not a whole number: {SHAPES}", shown(value))
    })
}

fn shown(value: &Value) -> String {
    excerpt(value.to_string().as_bytes())
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/account_events.rs"]
mod tests;

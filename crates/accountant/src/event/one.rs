//! One event, and how files have it: flat, by the names of its parameters.

use super::kinds::{EventKind, Sampling};
use super::relation::Relation;
use super::table::{ParameterValue, SampleValues, Values, WrittenSample};
use crate::error::AccountantError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most uses of one event. Beyond, the rounding of a single use decides the answer.
pub const LARGEST_COUNT: u64 = 1_000_000_000_000;

/// A mechanism, used `count` times, each time on the whole dataset or on a fresh sample of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Event {
    /// The component.
    pub kind: EventKind,
    /// How often, from 1 to [`LARGEST_COUNT`].
    pub count: u64,
    /// The sample that each use sees, drawn again for each.
    pub sampling: Option<Sampling>,
}

impl Event {
    /// One use, on the whole dataset.
    pub fn once(kind: EventKind) -> Self {
        Self { kind, count: 1, sampling: None }
    }

    /// `true` if each use sees the whole dataset.
    pub(crate) fn is_whole(&self) -> bool {
        self.sampling.is_none_or(Sampling::is_whole)
    }

    /// The neighboring relation that it is accounted for.
    pub fn relation(&self) -> Relation {
        let by_kind = self.kind.relation();
        self.sampling.as_ref().map_or(by_kind, Sampling::relation)
    }

    /// Checks that its numbers are possible.
    ///
    /// # Errors
    /// Names the number that is not, and what it must be.
    pub fn check(&self) -> Result<(), AccountantError> {
        if !(1..=LARGEST_COUNT).contains(&self.count) {
            let value = self.count as f64;
            let must_be = "a whole number between 1 and 1e12";
            return Err(AccountantError::Impossible { name: "count", value, must_be });
        }
        self.kind.check()?;
        let Some(sampling) = &self.sampling else { return Ok(()) };
        sampling.check()?;
        match sampling.takes(&self.kind) {
            Ok(()) => sampling.check_reach(&self.kind),
            Err(takes) => {
                let (kind, sample) = (self.kind.name(), sampling.name());
                Err(AccountantError::Sample { kind, sample, takes })
            }
        }
    }
}

/// An event as written in files, with only the parameters of its kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Written {
    pub kind: String,
    #[serde(flatten)]
    pub values: Values,
    /// Number of uses; 1 if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The sample that each use sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
}

impl TryFrom<Written> for Event {
    type Error = AccountantError;

    fn try_from(written: Written) -> Result<Self, AccountantError> {
        let Written { kind, values, count, sampling } = written;
        let kind = EventKind::of(&kind, values)?;
        let event = Self { kind, count: count.unwrap_or(1), sampling };
        event.check()?;
        Ok(event)
    }
}

impl From<Event> for Written {
    fn from(event: Event) -> Self {
        let values = owned(event.kind.unusual());
        let kind = event.kind.name().to_owned();
        Self { kind, values, count: Some(event.count), sampling: event.sampling }
    }
}

impl TryFrom<WrittenSample> for Sampling {
    type Error = AccountantError;

    fn try_from(WrittenSample(written): WrittenSample) -> Result<Self, AccountantError> {
        let mut all = written.into_iter();
        let (Some((name, values)), None) = (all.next(), all.next()) else {
            return Err(AccountantError::OneSample);
        };
        let values = match values {
            SampleValues::Named(values) => values,
            SampleValues::Number(number) => Self::of_number(&name, number),
        };
        let sampling = Self::of(&name, values)?;
        sampling.check()?;
        Ok(sampling)
    }
}

impl From<Sampling> for WrittenSample {
    fn from(sampling: Sampling) -> Self {
        let values = match sampling.values().as_slice() {
            [(_, ParameterValue::Number(number))] => SampleValues::Number(*number),
            _ => SampleValues::Named(owned(sampling.unusual())),
        };
        Self(BTreeMap::from([(sampling.name().to_owned(), values)]))
    }
}

impl Sampling {
    /// A number without a name is the first parameter.
    pub(crate) fn of_number(name: &str, number: f64) -> Values {
        let row = Self::ROWS.iter().find(|row| row.name == name);
        let first = row.and_then(|row| row.parameters.first()).map_or("rate", |first| first.name);
        Values::from([(first.to_owned(), ParameterValue::Number(number))])
    }
}

fn owned(values: Vec<(&'static str, ParameterValue)>) -> Values {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

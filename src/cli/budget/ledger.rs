//! The ledger: a budget and its releases, with all costs computed from the events.

use crate::cli::running::bounded;
use crate::cli::{Failure, output};
use plaudit_accountant::{AccountantError, Amount, Composition, Event, EventKind, Filter, number};
use plaudit_core::visible::visible;
use serde::Deserialize;
use std::path::Path;

pub(super) const VERSION: &str = "1";
/// Most bytes of a ledger.
pub(super) const MOST: u64 = 1 << 24;

/// The file, as it is written. It has no costs and no totals: nothing in it can disagree with the events.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLedger {
    plaudit_budget: String,
    epsilon: f64,
    delta: f64,
    filter: String,
    #[serde(default)]
    release: Vec<WrittenRelease>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRelease {
    added: String,
    events: String,
    note: Option<String>,
}

impl WrittenLedger {
    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map(|before| before.matches('\n').count() + 1);
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            format!("{line}{}", error.message())
        })
    }
}

/// The budget that a ledger states.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    pub epsilon: f64,
    pub delta: f64,
    pub filter: Filter,
    /// Largest total of the filter's quantity that implies (ε, δ)-DP.
    pub total: Amount,
}

impl Budget {
    pub fn new(epsilon: f64, delta: f64, filter: Filter) -> Result<Self, AccountantError> {
        // 0 without a sign.
        let (epsilon, delta) = (epsilon + 0.0, delta + 0.0);
        Ok(Self { epsilon, delta, filter, total: filter.budget(epsilon, delta)? })
    }

    /// The budget in words.
    pub fn words(&self) -> String {
        let Self { epsilon, delta, filter, total } = self;
        format!(
            "({}, {})-DP by the filter {filter}: {} adds up to at most {}",
            number::words(*epsilon),
            number::words(*delta),
            filter.quantity(),
            total.lower()
        )
    }
}

/// An entry.
#[derive(Clone, Debug)]
pub(super) struct Release {
    pub added: String,
    pub events: Composition,
    pub note: Option<String>,
    pub cost: Amount,
    /// Sum of the costs up to this one.
    pub spent: Amount,
}

#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub budget: Budget,
    pub releases: Vec<Release>,
    /// First reason why the entries do not keep the budget. Those without a cost are not in `releases`.
    pub fault: Option<String>,
    /// First event on a sample: it has the neighboring relation of all.
    sampled: Option<Event>,
    /// Costs of the events so far. A Rényi divergence of a sample takes tens of milliseconds, and events repeat.
    costs: Vec<(Event, Amount)>,
}

impl Ledger {
    /// Reads the text of a ledger.
    ///
    /// # Errors
    /// A message with the mistake, if it is not a ledger.
    fn parse(text: &str) -> Result<Self, String> {
        let written = WrittenLedger::parse(text)?;
        if written.plaudit_budget != VERSION {
            return Err(format!(
                "its version is {:?}, and this plaudit reads {VERSION:?}",
                written.plaudit_budget
            ));
        }
        let filter: Filter = written.filter.parse()?;
        let budget = Budget::new(written.epsilon, written.delta, filter)
            .map_err(|error| error.to_string())?;
        let (releases, costs) = (Vec::new(), Vec::new());
        let mut ledger = Self { budget, releases, fault: None, sampled: None, costs };
        for (place, release) in written.release.into_iter().enumerate() {
            let number = place + 1;
            let events: Composition =
                release.events.parse().map_err(|e| format!("in release {number}: {e}"))?;
            let fault = match ledger.costed(release.added, events, release.note) {
                Ok(release) => {
                    let fault = ledger.excess(&release, number);
                    ledger.push(release);
                    fault
                }
                Err(why) => Some(format!("release {number}: {why}")),
            };
            ledger.fault = ledger.fault.or(fault);
        }
        Ok(ledger)
    }

    /// Reason why a release, the one of this number, does not keep the budget.
    fn excess(&self, release: &Release, place: usize) -> Option<String> {
        let total = &self.budget.total;
        (release.spent > *total).then(|| {
            format!(
                "release {place} exceeds the budget: {} are spent with it, and the budget has {}",
                release.spent.upper(),
                total.lower()
            )
        })
    }

    /// Reads a ledger, and its text; messages have the name that the user gave the file.
    pub fn read(path: &Path, named: &Path) -> Result<(Self, String), Failure> {
        let wrong = |why: &str| {
            let why = visible(why.trim_end());
            Failure::Message(format!("cannot read the ledger `{}`: {why}", output::path(named)))
        };
        let text = bounded::read_text(path, MOST).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                wrong("there is no such file; begin one with `plaudit budget FILE new`")
            }
            _ => wrong(&error.to_string()),
        })?;
        Ok((Self::parse(&text).map_err(|why| wrong(&why))?, text))
    }

    pub fn spent(&self) -> Amount {
        self.releases.last().map_or(Amount::ZERO, |release| release.spent.clone())
    }

    pub fn left(&self) -> Amount {
        &self.budget.total - &self.spent()
    }

    /// All events, if there are any.
    pub fn composition(&self) -> Option<Composition> {
        let events = self.releases.iter().flat_map(|release| release.events.events().to_vec());
        Composition::new(events.collect()).ok()
    }

    /// An entry after those that there are.
    ///
    /// # Errors
    /// If an event has no cost, or its neighbors are others.
    pub fn costed(
        &mut self,
        added: String,
        events: Composition,
        note: Option<String>,
    ) -> Result<Release, String> {
        let all = self.sampled.iter().chain(events.events()).cloned().collect();
        Composition::new(all).map_err(|error| error.to_string())?;
        let cost: Amount =
            events.events().iter().map(|event| self.cost(event)).sum::<Result<_, _>>()?;
        let spent = self.spent() + &cost;
        Ok(Release { added, events, note, cost, spent })
    }

    fn push(&mut self, release: Release) {
        let is_sampled = |event: &&Event| event.sampling.is_some();
        let first = release.events.events().iter().find(is_sampled).cloned();
        self.sampled = self.sampled.take().or(first);
        self.releases.push(release);
    }

    fn cost(&mut self, event: &Event) -> Result<Amount, String> {
        if let Some((_, cost)) = self.costs.iter().find(|(known, _)| known == event) {
            return Ok(cost.clone());
        }
        let filter = self.budget.filter;
        let cost = filter.cost(event).ok_or_else(|| no_cost(filter, event))?;
        self.costs.push((event.clone(), cost.clone()));
        Ok(cost)
    }
}

/// An event without a cost, and the filters that have one.
fn no_cost(filter: Filter, event: &Event) -> String {
    let order = match &event.kind {
        EventKind::Renyi { alpha, .. } => *alpha,
        _ => 16.0,
    };
    let all = [Filter::Pure, Filter::Zcdp, Filter::Gdp, Filter::Renyi(order)];
    let able = all.iter().filter(|other| other.cost(event).is_some());
    let able: Vec<String> = able.map(|other| format!("--filter {other}")).collect();
    let remedy = if able.is_empty() {
        "no filter has".to_owned()
    } else {
        format!("a ledger begun with {} has", able.join(" or "))
    };
    format!("{event} has no known cost in {} (filter {filter}); {remedy}", filter.quantity())
}

pub(super) fn failure(error: &AccountantError) -> Failure {
    Failure::Message(visible(&error.to_string()))
}

/// Text of a ledger without releases.
pub(super) fn beginning(budget: &Budget) -> String {
    format!(
        "# Releases under one privacy budget. `plaudit budget` adds to it, and computes all costs from the events.\n\
         plaudit_budget = {VERSION:?}\nepsilon = {:?}\ndelta = {:?}\nfilter = \"{}\"\n",
        budget.epsilon, budget.delta, budget.filter
    )
}

/// Text with one more release: what was there stays as it is, byte by byte.
///
/// # Errors
/// If the result does not read as the ledger with that release.
pub(super) fn appended(text: &str, release: &Release) -> Result<String, String> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let Release { added, events, note, .. } = release;
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    let note = note.as_ref().map_or_else(String::new, |note| format!("note = {}\n", quoted(note)));
    let more = format!(
        "{text}{newline}\n[[release]]\nadded = {}\nevents = {}\n{note}",
        quoted(added),
        quoted(&events.to_string())
    );
    let read = WrittenLedger::parse(&more)?;
    match read.release.last() {
        Some(last) if last.events.parse().as_ref() == Ok(events) => Ok(more),
        _ => Err("a release after its end does not read as it was written".to_owned()),
    }
}

//! `plaudit budget FILE show`.

use super::arguments::ShowArguments;
use super::ledger::{Ledger, Release, failure};
use crate::cli::parse::OutputFormat;
use crate::cli::{Failure, exit, output};
use plaudit_accountant::{Bracket, Method, number};
use plaudit_core::visible::visible;
use serde::Serialize;
use std::path::Path;

/// A ledger, for `--format json`. Amounts are doubles, rounded to the safe side.
#[derive(Debug, Serialize)]
struct PrintedLedger {
    epsilon: f64,
    delta: f64,
    filter: String,
    quantity: &'static str,
    total: f64,
    spent: f64,
    left: f64,
    /// ε at the budget's δ that the spent amount implies.
    #[serde(with = "number::one")]
    epsilon_spent: f64,
    relation: Option<String>,
    within_budget: bool,
    fault: Option<String>,
    releases: Vec<PrintedRelease>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon_if_fixed: Option<Bracket>,
}

#[derive(Debug, Serialize)]
struct PrintedRelease {
    added: String,
    events: String,
    note: Option<String>,
    cost: f64,
    spent: f64,
}

/// Prints a ledger.
pub(super) fn run(path: &Path, raw: &ShowArguments) -> Result<u8, Failure> {
    let (ledger, _) = Ledger::read(path, path)?;
    let fixed = raw.fixed.then(|| if_fixed(&ledger)).transpose()?;
    match raw.format {
        OutputFormat::Json => output::print_json(&printed(&ledger, fixed)?)?,
        OutputFormat::Human => output::print(&human(&ledger, fixed)?)?,
    }
    Ok(if ledger.fault.is_some() { exit::UNEXPECTED } else { exit::AS_EXPECTED })
}

/// ε at the budget's δ of all events, as if none had depended on an earlier output.
fn if_fixed(ledger: &Ledger) -> Result<Bracket, Failure> {
    let none = Bracket { lower: 0.0, upper: 0.0 };
    ledger.composition().map_or(Ok(none), |all| {
        all.epsilon_at(ledger.budget.delta, Method::Pld).map_err(|error| failure(&error))
    })
}

fn epsilon_spent(ledger: &Ledger) -> Result<f64, Failure> {
    let budget = &ledger.budget;
    let epsilon = budget.filter.epsilon_at(&ledger.spent(), budget.delta);
    epsilon.map_err(|error| failure(&error))
}

fn printed(ledger: &Ledger, epsilon_if_fixed: Option<Bracket>) -> Result<PrintedLedger, Failure> {
    let budget = &ledger.budget;
    let release = |release: &Release| PrintedRelease {
        added: release.added.clone(),
        events: release.events.to_string(),
        note: release.note.clone(),
        cost: release.cost.above(),
        spent: release.spent.above(),
    };
    Ok(PrintedLedger {
        epsilon: budget.epsilon,
        delta: budget.delta,
        filter: budget.filter.to_string(),
        quantity: budget.filter.quantity(),
        total: budget.total.below(),
        spent: ledger.spent().above(),
        left: ledger.left().below(),
        epsilon_spent: epsilon_spent(ledger)?,
        relation: ledger.composition().map(|all| all.relation()),
        within_budget: ledger.fault.is_none(),
        fault: ledger.fault.clone(),
        releases: ledger.releases.iter().map(release).collect(),
        epsilon_if_fixed,
    })
}

fn human(ledger: &Ledger, fixed: Option<Bracket>) -> Result<String, Failure> {
    let mut words = format!("{}\n", ledger.budget.words());
    let quantity = ledger.budget.filter.quantity();
    if !ledger.releases.is_empty() {
        words += &format!("\n{:>4}   {quantity:>13}   {:>9}   release\n", "", "spent");
    }
    for (place, release) in ledger.releases.iter().enumerate() {
        let note = release.note.as_deref().map(|note| format!("   {}", visible(note)));
        words += &format!(
            "{:>4}   {:>13}   {:>9}   {}   {}{}\n",
            place + 1,
            release.cost.upper(),
            release.spent.upper(),
            visible(&release.added),
            release.events,
            note.unwrap_or_default()
        );
    }
    words += "\n";
    if let Some(fault) = &ledger.fault {
        words += &format!("NOT WITHIN THE BUDGET: {}\n", visible(fault));
    }
    words += &balance(ledger)?;
    if let Some(Bracket { lower, upper }) = fixed {
        words += &format!(
            "if all events had been fixed beforehand, epsilon at that delta: between {} and {}\n",
            number::lower(lower),
            number::upper(upper)
        );
    }
    Ok(words)
}

/// Amounts spent and left.
pub(super) fn balance(ledger: &Ledger) -> Result<String, Failure> {
    let budget = &ledger.budget;
    let relation = ledger.composition().map(|all| format!("neighbors: {}\n", all.relation()));
    Ok(format!(
        "spent {} = {}, left {} of {}\n\
         epsilon at delta = {}, had the budget been what is spent: at most {}\n{}",
        budget.filter.quantity(),
        ledger.spent().upper(),
        ledger.left().lower(),
        budget.total.lower(),
        number::words(budget.delta),
        number::upper(epsilon_spent(ledger)?),
        relation.unwrap_or_default()
    ))
}

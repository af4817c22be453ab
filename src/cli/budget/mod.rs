//! `plaudit budget`: a ledger of releases under one budget, each chosen after the earlier ones were seen.

pub(super) mod arguments;
mod file;
mod ledger;
mod refusal;
mod show;

use super::{Failure, exit, output};
use arguments::{AddArguments, BudgetArguments, BudgetCommand, NewArguments};
use ledger::{Budget, Ledger, failure};
use plaudit_accountant::{Composition, Filter};
use plaudit_core::visible::visible;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Begins, continues, checks or prints a ledger.
pub(super) fn run(raw: &BudgetArguments) -> Result<u8, Failure> {
    match &raw.command {
        BudgetCommand::New(new) => begin(&raw.file, new),
        BudgetCommand::Add(add) => self::add(&raw.file, add),
        BudgetCommand::Check => check(&raw.file),
        BudgetCommand::Show(show) => show::run(&raw.file, show),
    }
}

fn begin(path: &Path, raw: &NewArguments) -> Result<u8, Failure> {
    let filter = raw.filter.unwrap_or_else(|| Filter::usual(raw.delta));
    let budget = Budget::new(raw.epsilon, raw.delta, filter).map_err(|error| failure(&error))?;
    file::create(path, &ledger::beginning(&budget))?;
    let why = match (raw.filter, filter) {
        (Some(_), _) => "",
        (None, Filter::Pure) => "\nfilter pure: no other reaches delta = 0",
        (None, _) => {
            "\nfilter zcdp, unless --filter names another: it takes Gaussian noise and epsilon-DP events"
        }
    };
    output::print(&format!("began {}: {}{why}\n", output::path(path), budget.words()))?;
    Ok(exit::AS_EXPECTED)
}

fn add(path: &Path, raw: &AddArguments) -> Result<u8, Failure> {
    let events: Composition = raw.events.parse().map_err(|error| failure(&error))?;
    let file = &resolved(path)?;
    let _lock = file::lock(file, Duration::from_secs(raw.wait.into()))?;
    let (mut ledger, text) = Ledger::read(file, path)?;
    if let Some(fault) = &ledger.fault {
        return refused(path, &format!("it does not keep its budget: {fault}"));
    }
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let release = match ledger.costed(now, events, raw.note.clone()) {
        Ok(release) => release,
        Err(why) => return refused(path, &why),
    };
    if release.spent > ledger.budget.total {
        return refused(path, &refusal::exceeds(&ledger, &release));
    }
    let more = ledger::appended(&text, &release).map_err(|why| {
        Failure::of_file("cannot add to the ledger", path, &visible(why.trim_end()))
    })?;
    if more.len() as u64 > ledger::MOST {
        let why = "it would have more than 16 MiB";
        return Err(Failure::of_file("cannot add to the ledger", path, &why));
    }
    file::replace(file, &more)?;
    let Budget { filter, total, .. } = &ledger.budget;
    output::print(&format!(
        "added {}: {} = {}; spent {}, left {} of {}\n",
        release.events,
        filter.quantity(),
        release.cost.upper(),
        release.spent.upper(),
        (total - &release.spent).lower(),
        total.lower()
    ))?;
    Ok(exit::AS_EXPECTED)
}

/// The file itself, not a link to it: that is what is locked and replaced.
fn resolved(path: &Path) -> Result<PathBuf, Failure> {
    std::fs::canonicalize(path).map_err(|error| {
        Failure::Message(format!(
            "cannot read the ledger `{}`: {error}; begin one with `plaudit budget FILE new`",
            output::path(path)
        ))
    })
}

fn refused(path: &Path, why: &str) -> Result<u8, Failure> {
    let message = format!("`{}` is unchanged: {}", output::path(path), visible(why));
    output::note(output::error_line(&message).trim_end());
    Ok(exit::UNEXPECTED)
}

fn check(path: &Path) -> Result<u8, Failure> {
    let (ledger, _) = Ledger::read(path, path)?;
    if let Some(fault) = &ledger.fault {
        let message = format!("`{}`: {}", output::path(path), visible(fault));
        output::note(output::error_line(&message).trim_end());
        return Ok(exit::UNEXPECTED);
    }
    let count = ledger.releases.len();
    output::print(&format!(
        "{}: {count} release{} within the budget\n{}",
        output::path(path),
        if count == 1 { " is" } else { "s are" },
        show::balance(&ledger)?
    ))?;
    Ok(exit::AS_EXPECTED)
}

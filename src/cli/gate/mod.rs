//! `plaudit gate`.

mod accepted;
mod ledger;

use super::audit::arguments::{ClockName, GateArguments, InconclusiveName};
use super::audit::{Ends, Limits, Ran, ran};
use super::parse::OutputFormat;
use super::previous::Previous;
use super::running::provenance;
use super::{Failure, exit, output};
use ledger::LedgerFile;
use plaudit_core::visible::visible;
use plaudit_report::gate::{
    GateDecision, GateRules, OnInconclusive, annotations, code_quality, decide, junit, markdown,
    sarif, summary,
};
use std::path::{Path, PathBuf};

const MOST: usize = 20;

/// Runs the audits, decides, and writes what was asked for.
pub(super) fn run(raw: GateArguments) -> Result<u8, Failure> {
    let baseline = raw.baseline.as_deref().map(Previous::baseline).transpose()?;
    let accepted = raw.accepted.as_deref().map(accepted::read).transpose()?.unwrap_or_default();
    let started = humantime::format_rfc3339_seconds(provenance::now()?).to_string();
    let today = started[..10].to_owned();
    if raw.annotations && raw.audit.format == OutputFormat::Json {
        let why = "--annotations and --format json both write to standard output: choose one";
        return Err(Failure::Message(why.to_owned()));
    }
    let files = [&raw.junit, &raw.sarif, &raw.markdown, &raw.code_quality, &raw.summary];
    files.into_iter().flatten().try_for_each(|file| output::check_folder(file))?;
    let enough = Some(raw.enough).filter(|times| times.is_finite());
    let kept = match raw.ledger {
        Some(file) => Some(LedgerFile::open(file, &raw.audit)?),
        None => None,
    };
    let clock_fails = raw.clock == ClockName::Fail;
    let limits = Limits {
        fail_fast: raw.fail_fast,
        spares_clock: !clock_fails,
        seconds: raw.time_budget,
        ends: Ends::InLooks,
        enough,
        keeps_evidence: kept.is_some(),
    };
    let Ran { report, is_whole, code, not_reached } = ran(raw.audit, limits)?;
    // An interrupted run is not evidence for the nights.
    let kept = kept.filter(|_| is_whole);
    let ledger = kept.map(|kept| kept.add(&report, &started)).transpose()?;
    let inconclusive = match raw.inconclusive {
        InconclusiveName::Fail => OnInconclusive::Fail,
        InconclusiveName::Warn => OnInconclusive::Warn,
        InconclusiveName::Pass => OnInconclusive::Pass,
    };
    let rules = GateRules { inconclusive, clock_fails, not_reached, accepted, today, ledger };
    let decision = decide(&report, baseline.as_ref().map(Previous::report), &rules);
    let json = |value: serde_json::Value| format!("{value:#}\n");
    write(raw.junit.as_deref(), || junit(&decision).map_err(Failure::Message))?;
    write(raw.sarif.as_deref(), || Ok(json(sarif(&decision))))?;
    write(raw.markdown.as_deref(), || Ok(markdown(&decision)))?;
    write(raw.code_quality.as_deref(), || Ok(json(code_quality(&decision))))?;
    write(raw.summary.as_deref(), || Ok(json(summary(&decision))))?;
    say(&decision, raw.annotations, inconclusive)?;
    if !is_whole {
        return Ok(code);
    }
    Ok(match (decision.is_red, decision.is_inconclusive) {
        _ if raw.exit_zero => exit::AS_EXPECTED,
        (false, _) => exit::AS_EXPECTED,
        (true, false) => exit::UNEXPECTED,
        (true, true) => exit::INCONCLUSIVE,
    })
}

/// Writes the decision where people and the CI system look.
fn say(
    decision: &GateDecision,
    annotates: bool,
    inconclusive: OnInconclusive,
) -> Result<(), Failure> {
    use plaudit_report::gate::CheckStatus::{Accepted, Advisory, Failed, Inconclusive};
    let mut lines = String::new();
    for check in decision.checks.iter().filter(|check| {
        check.status == Failed
            || check.status == Inconclusive && inconclusive != OnInconclusive::Pass
    }) {
        lines.push_str(&format!(
            "{}: {}: {}\n",
            check.rule,
            visible(&check.name),
            visible(&check.message)
        ));
    }
    for (status, word) in [(Advisory, "advisory"), (Accepted, "accepted")] {
        for check in decision.with(status) {
            let [name, words] = [check.name.clone(), check.words()].map(|text| visible(&text));
            lines.push_str(&format!("{word}: {}: {name}: {words}\n", check.rule));
        }
    }
    for note in decision.notes.iter().take(MOST) {
        lines.push_str(&format!("{}\n", visible(&note.words())));
    }
    if decision.notes.len() > MOST {
        lines.push_str(&format!("and {} more notes\n", decision.notes.len() - MOST));
    }
    let ledger = decision.ledger.as_ref().map(|it| format!("\n{}", visible(&it.words())));
    // On standard error where standard output is JSON for a program.
    output::note(&format!(
        "{lines}{}\n{}{}",
        decision.words(),
        decision.family.words(),
        ledger.unwrap_or_default()
    ));
    if !annotates {
        return Ok(());
    }
    output::print(&annotations(decision))?;
    if let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY") {
        let file = PathBuf::from(file);
        let add = || {
            use std::io::Write as _;
            let mut open = std::fs::File::options().append(true).create(true).open(&file)?;
            open.write_all(markdown(decision).as_bytes())
        };
        add().map_err(|error: std::io::Error| Failure::of_file("cannot write", &file, &error))?;
    }
    Ok(())
}

fn write(
    file: Option<&Path>,
    content: impl Fn() -> Result<String, Failure>,
) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, content()?).map_err(|error| Failure::of_file("cannot write", file, &error))
}

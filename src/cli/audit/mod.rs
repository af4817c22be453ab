//! `plaudit audit`.

pub(super) mod arguments;
mod limits;
mod seed;
mod selection;
mod together;
mod traced;

use super::parse::OutputFormat;
use super::previous::Previous;
use super::running::progress::Progress;
use super::running::provenance::{self, AskedProvenance, ProgramFiles};
use super::running::{identity, interrupt, jobs, lock};
use super::shards::{self, Merging};
use super::{Failure, exit, output};
use crate::rebuild;
use crate::regressions;
use crate::spec::{self, DEFAULT_ALPHA, DEFAULT_SEED, Loaded};
use arguments::{AuditArguments, Plots, SeedChoice, ShardedArguments};
use limits::cost;
pub(super) use limits::{Ends, Limits};
use plaudit_attacks::attack::PlannedAttack;
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::{AttackFinding, Expectation, Finding, LeftOut, Report, Run};
use plaudit_core::visible::visible;
use plaudit_engine::audit::{AuditError, Audited, Exploring};
use plaudit_engine::game::{Confirming, Control, Recorder, ShardNumber};
use plaudit_engine::mechanism::{Outcomes, recorded};
use plaudit_report::report::{self, Output, PlotFormat, WrittenReport};
use rayon::ThreadPool;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use together::Given;

/// A run, settled before it starts.
struct RunPlan {
    audits: Vec<Loaded>,
    attacks: Vec<PlannedAttack>,
    seed: u64,
    alpha: f64,
    pool: ThreadPool,
    out: PathBuf,
    plots: PlotFormat,
    record: Option<PathBuf>,
    format: OutputFormat,
    progress: bool,
    profile: bool,
    trace: bool,
    regressions: bool,
    provenance: Option<AskedProvenance>,
    previous: Option<Previous>,
    limits: Limits,
    left_out: Vec<LeftOut>,
    merging: Option<Merging>,
}

/// Result of a run: the report, and its place.
pub(super) struct Ran {
    pub report: Report,
    pub is_whole: bool,
    pub code: u8,
    pub not_reached: Vec<String>,
}

/// Audits, reports, and gives the exit code.
pub(super) fn run(sharded: ShardedArguments) -> Result<u8, Failure> {
    let ShardedArguments { audit, shard, frozen, explore_only, until_clear, regression } = sharded;
    if !regression.is_empty() {
        return super::replay::regression::run(&audit, &regression);
    }
    match (shard, explore_only) {
        (Some(shard), _) => apart(audit, Apart::Shard(shard, frozen.as_deref())),
        (None, Some(place)) => apart(audit, Apart::Explore(&place)),
        (None, None) => {
            let ends = if until_clear.is_some() { Ends::UntilClear } else { Ends::AfterAll };
            let enough = until_clear.filter(|times| times.is_finite());
            ran(audit, Limits { ends, enough, ..Limits::default() }).map(|ran| ran.code)
        }
    }
}

/// A part of a run that others go on with.
enum Apart<'a> {
    /// One shard of the trials that count, and the file of what is frozen, if another run explored.
    Shard(ShardNumber, Option<&'a Path>),
    /// Explore, and where to write what it freezes.
    Explore(&'a Path),
}

/// Plays a part of a run.
fn apart(raw: AuditArguments, part: Apart<'_>) -> Result<u8, Failure> {
    // The same in all shards, also where the system draws it.
    if raw.seed == Some(SeedChoice::Fresh) {
        let why = "shards need the same --seed: give a number";
        return Err(Failure::Message(why.to_owned()));
    }
    let seed = raw.seed.map(seed::drawn).transpose()?;
    let asked = shards::asked(&raw, seed)?;
    let plan = resolve(AuditArguments { no_regressions: true, ..raw })?;
    shards::check_names(&plan.audits)?;
    if let Apart::Shard(..) = part {
        report::check_writable(&plan.out).map_err(|error| Failure::Message(error.to_string()))?;
    }
    let interrupted = interrupt::listen()?;
    let trials = plan.audits.iter().map(|loaded| loaded.audit.settings.trials).sum();
    let progress = Progress::new(plan.progress, trials);
    let advance = |trials| progress.advance(trials);
    let control = Control { interrupted, progress: &advance, ..Control::unattended() };
    let (audits, pool) = (&plan.audits[..], &plan.pool);
    match part {
        Apart::Shard(shard, frozen) => {
            shards::play((shard, asked, frozen), audits, (pool, &plan.out), control)
        }
        Apart::Explore(place) => shards::explore_only(asked, audits, (pool, place), control),
    }
}

/// Makes the report of what all shards counted.
pub(super) fn merged(raw: AuditArguments, merging: Merging) -> Result<u8, Failure> {
    let mut plan = resolve(raw)?;
    merging.check(&plan.audits)?;
    plan.merging = Some(merging);
    finished(plan).map(|ran| ran.code)
}

pub(super) fn ran(raw: AuditArguments, limits: Limits) -> Result<Ran, Failure> {
    let mut plan = resolve(raw)?;
    plan.limits = limits;
    finished(plan)
}

/// Plays a plan, and writes its report.
fn finished(mut plan: RunPlan) -> Result<Ran, Failure> {
    report::check_writable(&plan.out).map_err(|error| Failure::Message(error.to_string()))?;
    let _lock = lock::hold(&plan.out)?;
    let interrupted = interrupt::listen()?;
    let asked = plan.provenance.take();
    let (mut output, cut_short) = play(&mut plan, interrupted)?;
    plan.merging.as_ref().map_or(Ok(()), Merging::problem)?;
    let jobs = plan.pool.current_num_threads();
    output.report.provenance = asked.map(|asked| asked.after(&output.report.audits, Some(jobs)));
    output.report.changes = plan.previous.take().map(|it| it.changes(&output.report.audits));
    output.report.left_out = std::mem::take(&mut plan.left_out);
    let not_reached: Vec<String> = match cut_short {
        true => plan.attacks.iter().map(|attack| attack.name.clone()).collect(),
        false => Vec::new(),
    };
    if let Some(changes) = &mut output.report.changes {
        let left_out = &output.report.left_out;
        changes.removed.retain(|name| {
            !not_reached.contains(name) && left_out.iter().all(|it| it.audit != *name)
        });
    }
    // Before it is written: what was found is not lost where that fails.
    match plan.format {
        OutputFormat::Json => output::print_json(&output.report)?,
        OutputFormat::Human => output::print(&report::table(&output.report, output::width()))?,
    }
    if plan.profile {
        let times = report::times(&output.report);
        match plan.format {
            OutputFormat::Json => output::note(times.trim_end()),
            OutputFormat::Human => output::print(&format!("\n{times}"))?,
        }
    }
    // A report that is not whole does not take the place of one that is.
    let out = if cut_short { plan.out.join(INTERRUPTED) } else { plan.out.clone() };
    let written =
        report::write(&output, &out).map_err(|error| Failure::Message(error.to_string()))?;
    if plan.format == OutputFormat::Human {
        output::print(&places(&output.report, &written))?;
    }
    if cut_short {
        output::note(&how_far(&plan.out, &out));
        let code = interrupt::code();
        return Ok(Ran { report: output.report, is_whole: false, code, not_reached });
    }
    let findings = output.report.audits.iter();
    let verdicts = findings.map(|finding| (finding.verdict, finding.as_expected));
    let attacks = output.report.attacks.iter().map(AttackFinding::as_expected);
    let code = match exit::of_run(verdicts, attacks) {
        // All that was asked for is as it was.
        exit::NOTHING_SELECTED if !output.report.left_out.is_empty() => exit::AS_EXPECTED,
        code => code,
    };
    Ok(Ran { report: output.report, is_whole: true, code, not_reached })
}

/// The folder of reports that are not whole, in that of those that are.
const INTERRUPTED: &str = "interrupted";

fn how_far(whole: &Path, cut_short: &Path) -> String {
    let kept = match whole.join("report.json").exists() {
        true => format!("; the last complete report, in {}, is unchanged", output::path(whole)),
        false => String::new(),
    };
    format!(
        "interrupted: the report in {} shows how far each audit got{kept}",
        output::path(cut_short)
    )
}

pub(super) fn no_specs(paths: &[PathBuf]) -> Failure {
    let paths: Vec<_> = paths.iter().map(|path| output::path(path)).collect();
    Failure::NothingSelected(format!("there is no spec (*.toml) in {}", paths.join(", ")))
}

/// Checks everything that can be checked before anything runs.
fn resolve(raw: AuditArguments) -> Result<RunPlan, Failure> {
    let plots = format_of(raw.plots)?;
    let seed = raw.seed.map(seed::drawn).transpose()?;
    let overrides = raw.overrides(seed);
    let spec::LoadedSpecs { mut audits, attacks } = spec::load_all(&raw.paths, &overrides)?;
    let mut attacks: Vec<PlannedAttack> = attacks.into_iter().map(|loaded| loaded.attack).collect();
    if audits.is_empty() && attacks.is_empty() {
        return Err(no_specs(&raw.paths));
    }
    let asked = (raw.filter.as_ref(), raw.partition, raw.changed_since.as_deref());
    let left_out = selection::select((&mut audits, &mut attacks), asked)?;
    spec::check_startable(&audits)?;
    if !raw.no_regressions {
        regressions::recall(&mut audits)?;
    }
    if raw.record.is_some() {
        audits.iter().try_for_each(check_recordable)?;
    }
    let mut programs = ProgramFiles::default();
    identity::identify(&mut audits, &mut programs);
    let provenance = match raw.no_provenance {
        true => None,
        false => Some(provenance::ask(&audits, &mut programs)?),
    };
    Ok(RunPlan {
        audits,
        attacks,
        seed: seed.unwrap_or(DEFAULT_SEED),
        alpha: raw.alpha.unwrap_or(DEFAULT_ALPHA),
        pool: jobs::pool(raw.jobs)?,
        out: raw.out,
        plots,
        record: raw.record,
        format: raw.format,
        progress: !raw.no_progress,
        profile: raw.profile,
        trace: raw.trace,
        regressions: !raw.no_regressions,
        provenance,
        previous: raw.previous.as_deref().map(Previous::read).transpose()?,
        limits: Limits::default(),
        left_out,
        merging: None,
    })
}

fn format_of(plots: Plots) -> Result<PlotFormat, Failure> {
    match plots {
        Plots::Svg => Ok(PlotFormat::Svg),
        #[cfg(feature = "png")]
        Plots::Png => Ok(PlotFormat::Png),
        #[cfg(not(feature = "png"))]
        Plots::Png => Err(Failure::Message(
            "this plaudit writes plots as SVG only; for `--plots png` install it with `--features png`".into(),
        )),
    }
}

/// Runs one audit after the other; also returns whether the user interrupted one: then the remaining audits have
/// findings that state this.
fn play(plan: &mut RunPlan, interrupted: &AtomicBool) -> Result<(Output, bool), Failure> {
    let mut audits = std::mem::take(&mut plan.audits);
    let trials = audits.iter().map(|loaded| loaded.audit.settings.trials).sum();
    let progress = Progress::new(plan.progress, trials);
    let advance = |trials| progress.advance(trials);
    let told = |words: &str| progress.note(&format!("note: {words}"));
    let control = Control { interrupted, progress: &advance, told: &told, ..Control::unattended() };
    let given =
        together::run((plan.limits, &plan.pool, plan.record.is_some()), &mut audits, control);
    let played = plan.pool.install(|| play_all(plan, (&mut audits, given), &progress, control));
    plan.audits = audits;
    played
}

fn play_all(
    plan: &RunPlan,
    (audits, given): (&mut [Loaded], Vec<Given>),
    progress: &Progress,
    control: Control<'_>,
) -> Result<(Output, bool), Failure> {
    let interrupted = control.interrupted;
    let mut findings = Vec::with_capacity(audits.len());
    let (mut certificates, mut other_leaks) = (Vec::new(), Vec::new());
    let mut cut_short = false;
    let costs: Vec<f64> = audits.iter().map(cost).collect();
    let begun = Instant::now();
    for (at, given) in given.into_iter().enumerate() {
        let Loaded { audit, file, .. } = &mut audits[at];
        if given.is_none() && interrupted.load(Ordering::Relaxed) {
            cut_short = true;
            findings.push(audit.not_begun());
            continue;
        }
        if given.is_none() && plan.limits.are_reached(begun, &findings) {
            findings.push(audit.not_begun());
            continue;
        }
        let recorder = plan.record.as_ref().map(|_| Recorder::default());
        let undeclared = audit.undeclared();
        let confirming =
            plan.merging.as_ref().map_or(Confirming::Here, |merging| merging.of(&audit.name));
        let exploring =
            plan.merging.as_ref().map_or(Exploring::Here, |merging| merging.exploring(&audit.name));
        let (recorder_of, undeclared) = (recorder.as_ref(), undeclared.as_ref());
        let control = Control { recorder: recorder_of, undeclared, confirming, ..control };
        let failed = |error: AuditError| Failure::Message(error.to_string());
        let cut = match plan.limits.share(begun, &costs[at..]) {
            Some(seconds) => audit.cut_to(seconds, control).map_err(failed)?,
            None => None,
        };
        if given.is_none() {
            progress.start_timed(audit, rebuild::is_program(&audit.summary));
        }
        let Audited { mut finding, certificate, other_leak, counterexample, interrupted } =
            match (given, plan.limits) {
                (Some(given), _) => given,
                (_, Limits { keeps_evidence: true, .. })
                    if audit.settings.expect == Expectation::NotViolated =>
                {
                    audit.run_in_one_look(control)
                }
                (_, Limits { ends, enough, .. }) => match ends {
                    Ends::UntilClear => audit.run_until_clear(enough, control),
                    Ends::InLooks => audit.run_in_looks(enough, control),
                    Ends::AfterAll => audit.run_exploring(exploring, control),
                },
            }
            .map_err(failed)?;
        finding.notes.extend(cut);
        cut_short |= interrupted;
        if let (true, Some(certificate)) = (plan.trace, &certificate) {
            traced::add(&mut finding, &certificate.pair, control.interrupted);
        }
        if let (Some(folder), Some(recorder)) = (&plan.record, recorder) {
            record(folder, &finding, recorder)?;
        }
        if let Some(certificate) = certificate {
            if plan.regressions && audit.search.is_some() {
                let smallest = certificate.smallest.as_ref().map(|smallest| &smallest.pair);
                keep(file, &audit.name, &certificate.pair, smallest);
            }
            certificates.push(written(&audit.name, certificate.sealed())?);
        }
        if let Some((leak, certificate)) = other_leak {
            let (name, json) = written(&audit.name, certificate.sealed())?;
            other_leaks.push((name, leak, json));
        }
        if let Some(counterexample) = counterexample {
            if plan.regressions {
                keep(file, &audit.name, &counterexample.pair, None);
            }
            certificates.push(written(&audit.name, counterexample.sealed())?);
        }
        // In output for people they are under the table.
        for words in finding.notes.iter().filter(|_| plan.format == OutputFormat::Json) {
            progress.note(&format!("note: {}: {}", visible(&audit.name), visible(words)));
        }
        findings.push(finding);
    }
    let attacks = match cut_short {
        true => Vec::new(),
        false => {
            let runs = plan.attacks.iter().map(PlannedAttack::run).collect::<Result<_, _>>();
            runs.map_err(|error| Failure::Message(error.to_string()))?
        }
    };
    let run = Run { seed: plan.seed, alpha: plan.alpha };
    let report = Report { attacks, ..Report::of(run, findings) };
    Ok((Output { report, certificates, other_leaks, plots: plan.plots }, cut_short))
}

/// A certificate as it is written.
fn written(audit: &str, sealed: serde_json::Result<Value>) -> Result<(String, Value), Failure> {
    let json = sealed.map_err(|error| {
        Failure::Message(format!("cannot write the certificate of {audit}: {error}"))
    })?;
    Ok((audit.to_owned(), json))
}

/// Stores a pair that a search found, and the one that it was shrunk to, for the next run. A failure to store them
/// changes no verdict.
fn keep(spec: &Path, audit: &str, pair: &Pair<Value>, smallest: Option<&Pair<Value>>) {
    let dataset = |value: &Value| serde_json::from_value::<Dataset>(value.clone()).ok();
    let own = |pair: &Pair<Value>| {
        let (d, d_prime) = (dataset(&pair.d)?, dataset(&pair.d_prime)?);
        Some(Pair { name: pair.name.clone(), d, d_prime })
    };
    let Some(found) = own(pair) else { return };
    if let Err(why) = regressions::keep(spec, audit, &found, smallest.and_then(own).as_ref()) {
        output::note(&format!(
            "warning: the pair that was found for {audit} is not kept for the next run: {why} \
             (--no-regressions keeps none)"
        ));
    }
}

/// Refuses what would certainly be too much to record, before anything runs.
fn check_recordable(loaded: &Loaded) -> Result<(), Failure> {
    let audit = &loaded.audit;
    if rebuild::is_recorded(&audit.summary) {
        let message = format!("{}: its outcomes are recorded already, nothing is run", audit.name);
        return Err(Failure::Message(message));
    }
    // An outcome takes 8 bytes at least.
    if audit.settings.trials > Recorder::MOST_BYTES as u64 / 8 {
        return Err(too_many(&audit.name));
    }
    Ok(())
}

fn too_many(audit: &str) -> Failure {
    let most = Recorder::MOST_BYTES;
    Failure::Message(format!(
        "{audit}: its outcomes take more than {most} bytes, which --record cannot hold: run \
         fewer --trials, or choose audits with --filter"
    ))
}

fn record(folder: &Path, finding: &Finding, recorder: Recorder) -> Result<(), Failure> {
    let audit = &finding.name;
    let sides = recorder.finish().ok_or_else(|| too_many(audit))?;
    let runs: usize = sides.iter().flatten().map(Outcomes::len).sum();
    if runs == 0 || runs as u64 != finding.trials.confirm {
        output::note(&format!(
            "{audit}: nothing was recorded, since it did not finish, or its runs depend \
             on one another and mean nothing separately"
        ));
        return Ok(());
    }
    recorded::write(folder, audit, &sides).map_err(|error| {
        Failure::Message(format!("cannot record {audit} in {}: {error}", output::path(folder)))
    })?;
    Ok(())
}

/// Places of the remaining output; by name only the unexpected certificates.
fn places(report: &Report, written: &WrittenReport) -> String {
    let main = written.page.as_ref().unwrap_or(&written.report);
    let mut words = format!("\nThe report is in {}\n", output::path(main));
    let unexpected = |name: &str| {
        report.audits.iter().any(|finding| finding.name == name && !finding.as_expected)
    };
    for (name, certificate) in written.certificates.iter().filter(|(name, _)| unexpected(name)) {
        words.push_str(&format!(
            "Certificate of {}: {}\n",
            visible(name),
            output::path(certificate)
        ));
    }
    words
}

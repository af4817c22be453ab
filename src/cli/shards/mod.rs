//! `plaudit audit --shard K/N` and `plaudit merge`: the trials that count, dealt to several runs, and their counts as one
//! report.

pub(super) mod arguments;
mod file;
mod frozen;
#[cfg(fuzzing)]
mod try_shard;

use super::args::{Arguments, Command};
use super::audit::arguments::{AuditArguments, SeedChoice, ShardedArguments, TrialBudget};
use super::{Failure, exit, output};
use crate::spec::{self, Loaded};
use arguments::MergeArguments;
use clap::Parser;
use file::{AuditShard, ShardFile};
use frozen::{FrozenAudit, FrozenAudits, FrozenFile};
use plaudit_accountant::number::hex;
use plaudit_core::visible::visible;
use plaudit_engine::audit::{Exploring, FrozenKept};
use plaudit_engine::game::{
    Confirming, Control, MergedShards, ShardKept, ShardNumber, shards_in_words,
};
use plaudit_report::report;
use rayon::ThreadPool;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
#[cfg(fuzzing)]
pub use try_shard::ShardTrial;

/// `true` if an audit of this name is of a part.
pub(super) fn is_of(name: &str, part: ShardNumber) -> bool {
    let hash = Sha256::digest(name.as_bytes());
    let word = hash.iter().take(8).fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    part.has(word)
}

/// The arguments by which a shard's run can be made again.
pub(super) fn asked(raw: &AuditArguments, seed: Option<u64>) -> Result<Vec<String>, Failure> {
    let mut asked: Vec<String> = Vec::new();
    let mut add = |name: &str, value: String| asked.push(format!("{name}={value}"));
    match raw.trials {
        Some(TrialBudget::Trials(trials)) => add("--trials", trials.to_string()),
        Some(TrialBudget::Seconds(_)) => {
            let why = "shards need a number of --trials: the number that a time allows differs between machines";
            return Err(Failure::Message(why.into()));
        }
        None => {}
    }
    if let Some(alpha) = raw.alpha {
        add("--alpha", format!("{alpha:?}"));
    }
    if let Some(seed) = seed {
        add("--seed", seed.to_string());
    }
    if let Some(min_power) = raw.min_power {
        add(
            "--min-power",
            if min_power.is_finite() { format!("{min_power:?}") } else { "false".into() },
        );
    }
    if let Some(filter) = &raw.filter {
        add("--filter", filter.as_str().to_owned());
    }
    if let Some(revision) = &raw.changed_since {
        add("--changed-since", revision.clone());
    }
    if let Some(part) = raw.partition {
        add("--partition", format!("hash:{}/{}", part.number, part.of));
    }
    asked.push("--".into());
    for path in &raw.paths {
        let path = path.to_str().ok_or_else(|| {
            Failure::Message(format!("shards need paths in UTF-8, unlike {}", output::path(path)))
        })?;
        asked.push(path.to_owned());
    }
    Ok(asked)
}

/// Plays one shard of the trials of each audit, explored here or by another run, and writes what it counted.
pub(super) fn play(
    (shard, asked, frozen): (ShardNumber, Vec<String>, Option<&Path>),
    audits: &[Loaded],
    (pool, out): (&ThreadPool, &Path),
    control: Control<'_>,
) -> Result<u8, Failure> {
    let begun: Vec<AuditShard> = audits.iter().map(not_begun).collect::<Result<_, _>>()?;
    let frozen = match frozen {
        Some(path) => {
            FrozenAudits::read(path, &asked, &specs(&begun)).map_err(|why| refused(path, &why))?
        }
        None => FrozenAudits::default(),
    };
    let mut played = ShardFile {
        plaudit_shard: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        shard,
        frozen: frozen.hash.clone(),
        asked,
        audits: begun,
    };
    for (Loaded { audit, .. }, written) in audits.iter().zip(&mut played.audits) {
        let of_shard = ShardKept::new(shard);
        let undeclared = audit.undeclared();
        let confirming = Confirming::Shard(&of_shard);
        let control = Control { undeclared: undeclared.as_ref(), confirming, ..control };
        let exploring = frozen.of(&audit.name);
        let ended = pool.install(|| audit.run_exploring(exploring, control));
        ended.map_err(|error| Failure::Message(error.to_string()))?;
        if control.interrupted.load(Ordering::Relaxed) {
            let words = format!("interrupted: shard {}/{} is not written", shard.number, shard.of);
            return Err(Failure::Interrupted(words));
        }
        if let Some((name, why)) = frozen.problem() {
            return Err(nothing_written(name, &why));
        }
        written.counts = of_shard.counts();
    }
    let place = file::place(out, shard);
    file::write(&played, &place).map_err(|error| {
        Failure::Message(format!("cannot write {}: {error}", output::path(&place)))
    })?;
    let ShardNumber { number, of } = shard;
    output::print(&format!("Shard {number} of {of} is in {}\n", output::path(&place)))?;
    Ok(exit::AS_EXPECTED)
}

/// Explores each audit, and writes what it froze.
pub(super) fn explore_only(
    asked: Vec<String>,
    audits: &[Loaded],
    (pool, place): (&ThreadPool, &Path),
    control: Control<'_>,
) -> Result<u8, Failure> {
    audits.iter().try_for_each(not_timed)?;
    // Before anything runs.
    let folder = place.parent().filter(|folder| *folder != Path::new(""));
    report::check_writable(folder.unwrap_or(Path::new(".")))
        .map_err(|error| Failure::Message(error.to_string()))?;
    if place.is_dir() {
        return Err(refused(place, "it is a folder: name a file"));
    }
    let mut written = Vec::with_capacity(audits.len());
    for loaded in audits {
        let audit = &loaded.audit;
        let kept = FrozenKept::default();
        let ended = pool.install(|| audit.run_exploring(Exploring::Only(&kept), control));
        ended.map_err(|error| Failure::Message(error.to_string()))?;
        if control.interrupted.load(Ordering::Relaxed) {
            let words = format!("interrupted: {} is not written", output::path(place));
            return Err(Failure::Interrupted(words));
        }
        let (name, spec) = (audit.name.clone(), fingerprint(loaded));
        written.push(FrozenAudit { name, spec, frozen: kept.frozen() });
    }
    let not_frozen: Vec<&str> = written
        .iter()
        .filter(|audit| audit.frozen.is_none())
        .map(|audit| audit.name.as_str())
        .collect();
    let rest = match not_frozen.is_empty() {
        true => String::new(),
        false => format!(
            "; shards explore by themselves, as far as they have to: {}",
            named(&not_frozen)
        ),
    };
    let words = format!("The frozen parts are in {}{rest}\n", output::path(place));
    let file = FrozenFile::new(asked, written);
    file::write(&file, place).map_err(|error| {
        Failure::Message(format!("cannot write {}: {error}", output::path(place)))
    })?;
    output::print(&words)?;
    Ok(exit::AS_EXPECTED)
}

/// An audit of which nothing was played.
fn not_begun(loaded: &Loaded) -> Result<AuditShard, Failure> {
    not_timed(loaded)?;
    let (name, spec) = (loaded.audit.name.clone(), fingerprint(loaded));
    Ok(AuditShard { name, spec, counts: None })
}

/// Refuses an audit of which machines would play different numbers of trials.
fn not_timed(Loaded { audit, .. }: &Loaded) -> Result<(), Failure> {
    if audit.settings.seconds.is_none() {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "{}: its trials are a time in the spec, which differs between machines: give --trials",
        visible(&audit.name)
    )))
}

/// Names of audits, of which there may be hundreds.
fn named(audits: &[&str]) -> String {
    const NAMED: usize = 5;
    let mut words: Vec<String> = audits.iter().take(NAMED).map(|it| visible(it)).collect();
    if audits.len() > NAMED {
        words.push(format!("{} more", audits.len() - NAMED));
    }
    words.join(", ")
}

/// The names of audits, and what they are of.
fn specs(audits: &[AuditShard]) -> Vec<(String, String)> {
    audits.iter().map(|it| (it.name.clone(), it.spec.clone())).collect()
}

fn nothing_written(audit: &str, why: &str) -> Failure {
    Failure::Message(format!("{}: {why}; nothing was written", visible(audit)))
}

/// SHA-256 of what an audit is of: the text of its spec, which names the seed, and its identity.
fn fingerprint(Loaded { audit, text, .. }: &Loaded) -> String {
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(text.as_bytes()));
    hash.update(audit.identity().digest);
    hex(hash.finalize())
}

/// Counts of all shards, by audit.
pub(super) struct Merging {
    version: String,
    specs: Vec<(String, String)>,
    audits: BTreeMap<String, MergedShards>,
    frozen: FrozenAudits,
}

impl Merging {
    /// Checks that the audits are those of the shards.
    pub fn check(&self, audits: &[Loaded]) -> Result<(), Failure> {
        let own = env!("CARGO_PKG_VERSION");
        if self.version != own {
            return Err(Failure::Message(format!(
                "the shards were written by plaudit {}, but this is {own}",
                visible(&self.version)
            )));
        }
        let here = audits.iter().map(|loaded| (loaded.audit.name.clone(), fingerprint(loaded)));
        if here.collect::<Vec<_>>() != self.specs {
            let why = "the specs are not those of the shards, or programs or data that they name have changed: merge with \
                       the files that the shards used";
            return Err(Failure::Message(why.into()));
        }
        Ok(())
    }

    pub fn of(&self, audit: &str) -> Confirming<'_> {
        self.audits.get(audit).map_or(Confirming::Here, Confirming::Merged)
    }

    /// Source of what an audit's shards confirmed, for a merge.
    pub fn exploring(&self, audit: &str) -> Exploring<'_> {
        self.frozen.of(audit)
    }

    /// Error if a report of them would be wrong.
    pub fn problem(&self) -> Result<(), Failure> {
        let of_shards =
            self.audits.iter().find_map(|(name, shards)| Some((name, shards.problem()?)));
        let found = self.frozen.problem().or(of_shards);
        found.map_or(Ok(()), |(name, why)| Err(nothing_written(name, &why)))
    }
}

/// The run whose shards are to be merged, and what they counted.
pub(super) fn read(raw: &MergeArguments) -> Result<(AuditArguments, Merging), Failure> {
    let read = |path| {
        let file = file::of_shard(path).map_err(|why| refused(path, &why))?;
        Ok((path, file))
    };
    let files: Result<Vec<_>, Failure> = raw.shards.iter().map(|path| read(path)).collect();
    let (asked, merging) = together(files?, raw.frozen.as_deref(), raw.allow_missing)?;
    let (out, no_provenance, format) = (raw.out.clone(), raw.no_provenance, raw.format);
    Ok((AuditArguments { out, no_provenance, format, ..asked }, merging))
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::Message(format!("{}: {why}", output::path(path)))
}

/// Arguments common to all these files, and their counts.
///
/// # Errors
/// If they do not belong together, or some that must exist are missing.
fn together(
    read: Vec<(&Path, ShardFile)>,
    frozen: Option<&Path>,
    allow_missing: bool,
) -> Result<(AuditArguments, Merging), Failure> {
    let mut files: BTreeMap<u64, (&Path, ShardFile)> = BTreeMap::new();
    for (path, file) in read {
        if let Some((_, first)) = files.values().next()
            && !file.is_of_the_run_of(first)
        {
            let why = "it belongs to another run than the first file: other specs, arguments, version, number of shards or --frozen file";
            return Err(refused(path, why));
        }
        let number = file.shard.number;
        if let Some((other, _)) = files.insert(number, (path, file)) {
            let why = format!("shard {number} is also in {}: name each once", output::path(other));
            return Err(refused(path, &why));
        }
    }
    let Some((_, first)) = files.values().next().cloned() else {
        return Err(Failure::Message("name the files of the shards".into()));
    };
    let of = first.shard.of;
    let missing: Vec<u64> = (1..=of).filter(|number| !files.contains_key(number)).collect();
    if !missing.is_empty() && !allow_missing {
        return Err(Failure::Message(format!(
            "{} of {of} {} missing: run each with `plaudit audit --shard K/{of}`, or add --allow-missing",
            shards_in_words(&missing),
            if missing.len() == 1 { "is" } else { "are" }
        )));
    }
    let specs = specs(&first.audits);
    let frozen = of_shards(frozen, &first, &specs)?;
    let mut audits = BTreeMap::new();
    for (at, audit) in first.audits.iter().enumerate() {
        let of_audit = files.iter().map(|(number, (_, file))| (*number, &file.audits[at]));
        let counts: BTreeMap<u64, _> =
            of_audit.map(|(number, audit)| (number, audit.counts.clone())).collect();
        // Where no shard played any trial, this run also ends before them.
        if counts.values().any(Option::is_some) {
            audits.insert(audit.name.clone(), MergedShards::new(counts, of));
        }
    }
    Ok((again(&first.asked)?, Merging { version: first.version, specs, audits, frozen }))
}

/// Frozen audits that the shards confirmed, from the file that they read, if they read one.
fn of_shards(
    path: Option<&Path>,
    first: &ShardFile,
    specs: &[(String, String)],
) -> Result<FrozenAudits, Failure> {
    match (path, &first.frozen) {
        (None, None) => Ok(FrozenAudits::default()),
        (Some(path), Some(hash)) => {
            let frozen =
                FrozenAudits::read(path, &first.asked, specs).map_err(|why| refused(path, &why))?;
            match frozen.hash.as_ref() == Some(hash) {
                true => Ok(frozen),
                false => Err(refused(path, "the shards were run with another --frozen file")),
            }
        }
        (Some(path), None) => Err(refused(path, "the shards were run without --frozen")),
        (None, Some(_)) => {
            let why = "the shards were run with --frozen FILE: merge them with the same file (`plaudit audit --explore-only FILE` \
                       writes the same file again)";
            Err(Failure::Message(why.into()))
        }
    }
}

/// The arguments that [`asked`] wrote, and no others: those of a foreign file could name places to write to.
fn again(words: &[String]) -> Result<AuditArguments, Failure> {
    let wrong =
        || Failure::Message("the shard files have arguments that shards do not take".into());
    let command = ["plaudit", "audit", "--no-regressions"].map(str::to_owned);
    let parsed = Arguments::try_parse_from(command.into_iter().chain(words.iter().cloned()));
    let Ok(Arguments { command: Command::Audit(sharded), .. }) = parsed else {
        return Err(wrong());
    };
    let ShardedArguments { audit, shard, .. } = *sharded;
    let seed = match audit.seed {
        Some(SeedChoice::Given(seed)) => Some(seed),
        Some(SeedChoice::Fresh) => return Err(wrong()),
        None => None,
    };
    if asked(&audit, seed)? == words && shard.is_none() { Ok(audit) } else { Err(wrong()) }
}

/// Refuses specs that contain the same audits twice, which shards cannot distinguish.
pub(super) fn check_names(audits: &[Loaded]) -> Result<(), Failure> {
    let mut names: Vec<&str> = audits.iter().map(|loaded| loaded.audit.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::Message(format!("two audits are named {}", visible(pair[0])))),
        None => spec::check_startable(audits).map_err(Failure::from),
    }
}

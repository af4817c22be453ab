//! Where a report comes from, asked before anything runs.

use crate::cli::Failure;
use crate::rebuild;
use crate::spec::Loaded;
use plaudit_accountant::number::hex;
use plaudit_core::finding::{Commit, Finding, Origin, ProgramFile, Provenance, SpecPlace};
use plaudit_core::visible::visible;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// By the convention of reproducible-builds.org: seconds since 1970 that replace the time of a run.
const EPOCH: &str = "SOURCE_DATE_EPOCH";
/// Time that another program may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Larger files are not read for their hash.
const MOST_BYTES: u64 = 1 << 30;
const VERSION: usize = 80;

/// Provenance known before the run; [`AskedProvenance::after`] adds what is known after it.
pub struct AskedProvenance {
    provenance: Provenance,
    start: Instant,
    /// `true` if times and threads are recorded: not if the time of the run is given.
    measured: bool,
}

/// Asks where the specs come from, and what they run.
pub(in crate::cli) fn ask(
    audits: &[Loaded],
    programs: &mut ProgramFiles,
) -> Result<AskedProvenance, Failure> {
    let mut hashes = HashMap::new();
    let origin = |loaded: &Loaded| Origin {
        audit: loaded.audit.name.clone(),
        spec: SpecPlace {
            file: loaded.file.display().to_string(),
            line: loaded.line,
            sha256: hashes
                .entry(loaded.file.clone())
                .or_insert_with(|| hex(Sha256::digest(loaded.text.as_bytes())))
                .clone(),
        },
        program: programs.of(loaded),
        wall_s: None,
        steps: None,
    };
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let asked = AskedProvenance::of(Provenance {
        command: std::iter::once("plaudit".to_owned()).chain(words).collect(),
        git: audits.first().and_then(|loaded| commit(folder_of(&loaded.file))),
        audits: audits.iter().map(origin).collect(),
        ..Provenance::default()
    });
    asked.map_err(Failure::Message)
}

/// Provenance of an audit without a spec, such as that of a Python function: by this command, in this folder, from
/// these files, each with its version if it is installed.
///
/// # Errors
/// If `SOURCE_DATE_EPOCH` is not a time.
pub fn provenance_of_call(
    audit: &str,
    command: Vec<String>,
    folder: &Path,
    files: Vec<(PathBuf, Option<String>)>,
) -> Result<AskedProvenance, String> {
    let file = |(path, version): (PathBuf, Option<String>)| ProgramFile {
        // What has a version is installed, and may be large.
        sha256: if version.is_none() { hash(&path) } else { None },
        version,
        path: path.display().to_string(),
    };
    let program = files.into_iter().map(file).collect();
    let origin = Origin { audit: audit.to_owned(), program, ..Origin::default() };
    let git = commit(folder);
    AskedProvenance::of(Provenance { command, git, audits: vec![origin], ..Provenance::default() })
}

impl AskedProvenance {
    /// With the time, and how this program was built.
    fn of(provenance: Provenance) -> Result<Self, String> {
        let given = given()?;
        let started = humantime::format_rfc3339_seconds(given.unwrap_or_else(SystemTime::now));
        let provenance = Provenance { started: started.to_string(), build: build(), ..provenance };
        Ok(Self { provenance, start: Instant::now(), measured: given.is_none() })
    }

    /// With the times of the findings, which are in the order of the audits, and threads, if they are known.
    pub fn after(self, findings: &[Finding], jobs: Option<usize>) -> Provenance {
        let mut provenance = self.provenance;
        if self.measured {
            provenance.wall_s = Some(self.start.elapsed().as_secs_f64());
            provenance.jobs = jobs;
            for (origin, finding) in provenance.audits.iter_mut().zip(findings) {
                (origin.wall_s, origin.steps) = (Some(finding.wall_s), Some(finding.steps));
            }
        }
        provenance
    }
}

/// Time of the run, as given or else by the clock.
pub(in crate::cli) fn now() -> Result<SystemTime, Failure> {
    Ok(given().map_err(Failure::Message)?.unwrap_or_else(SystemTime::now))
}

fn given() -> Result<Option<SystemTime>, String> {
    std::env::var_os(EPOCH).map(|epoch| fixed(&epoch.to_string_lossy())).transpose()
}

fn fixed(epoch: &str) -> Result<SystemTime, String> {
    // Up to the year 9999, the limit of the format.
    let seconds = epoch.parse().ok().filter(|seconds| *seconds < 253_402_300_800_u64);
    let time = seconds.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    time.ok_or_else(|| {
        format!(
            "{EPOCH} is `{}`: it must be a whole number of seconds since 1970, such as 1700000000",
            visible(epoch)
        )
    })
}

fn build() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let features = if cfg!(feature = "parquet") { "cli html parquet" } else { "cli html" };
    let (machine, system) = (std::env::consts::ARCH, std::env::consts::OS);
    format!("{profile}, {machine}-{system}, {features}")
}

fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or_else(|| Path::new("."))
}

fn commit(folder: &Path) -> Option<Commit> {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        // A repository's own settings start no programs and take no locks.
        git.arg("-C").arg(folder).args(["-c", "core.fsmonitor=false"]).args(words);
        said(git.env("GIT_OPTIONAL_LOCKS", "0"))
    };
    let commit = git(&["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    Some(Commit { commit, clean: changed.map(|files| files.trim().is_empty()) })
}

/// Files of programs that were looked at already.
#[derive(Default)]
pub(in crate::cli) struct ProgramFiles(HashMap<PathBuf, ProgramFile>);

impl ProgramFiles {
    /// The files that a mechanism consists of, if it is a program.
    pub fn of(&mut self, loaded: &Loaded) -> Vec<ProgramFile> {
        program(loaded, &mut self.0)
    }
}

/// The files that the command of a program names, the program first, and whether each is installed: named without a path.
pub(super) fn program_files(loaded: &Loaded) -> Vec<(PathBuf, bool)> {
    let summary = &loaded.audit.summary;
    if !rebuild::is_program(summary) {
        return Vec::new();
    }
    let commands = ["command", "clean"].map(|key| summary.parameters[key].as_array());
    let words = commands.into_iter().flatten().flat_map(|words| words.iter().enumerate());
    let words = words.filter_map(|(at, word)| Some((at, word.as_str()?)));
    let folder = loaded.file.parent().unwrap_or_else(|| Path::new(""));
    let file = |(at, word): (usize, &str)| {
        let installed = at == 0 && !word.contains('/');
        let path = if installed { on_path(word) } else { Some(folder.join(word)) };
        Some((path.filter(|path| path.is_file())?, installed))
    };
    words.filter_map(file).collect()
}

fn program(loaded: &Loaded, known: &mut HashMap<PathBuf, ProgramFile>) -> Vec<ProgramFile> {
    let read = |(path, installed): (PathBuf, bool)| {
        let file = known.entry(path.clone()).or_insert_with(|| ProgramFile {
            sha256: hash(&path),
            // Programs that are installed know this question. Others may take it for something else.
            version: installed.then(|| version(&path)).flatten(),
            path: path.display().to_string(),
        });
        file.clone()
    };
    program_files(loaded).into_iter().map(read).collect()
}

/// Path of a program that is named without a path.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn version(program: &Path) -> Option<String> {
    let words = said(Command::new(program).arg("--version"))?;
    let first = words.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(first.chars().take(VERSION).collect())
}

/// The SHA-256 of a file, if it can be read and is not too large.
pub(in crate::cli) fn hash(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    if file.metadata().ok()?.len() > MOST_BYTES {
        return None;
    }
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    let mut file = file.take(MOST_BYTES);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hex(hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// Standard output of another program, if it ends well and soon.
fn said(command: &mut Command) -> Option<String> {
    /// Most bytes of an answer: what is left in the pipe keeps the program from ending, and it is killed.
    const MOST: u64 = 1 << 20;
    let quiet = command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    let mut child = quiet.spawn().ok()?;
    let stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut words = Vec::new();
        stdout.take(MOST).read_to_end(&mut words).map(|_| words)
    });
    let start = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
            _ => break None,
        }
    };
    if ended.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    // What a child of it still holds open is not waited for.
    if !ended?.success() || (!reader.is_finished() && start.elapsed() >= PATIENCE) {
        return None;
    }
    while !reader.is_finished() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(1));
    }
    let words = reader.is_finished().then(|| reader.join().ok()?.ok()).flatten()?;
    Some(String::from_utf8_lossy(&words).into_owned())
}

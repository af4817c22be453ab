//! The file of a ledger, and what makes an audit the same from run to run.

use crate::cli::audit::arguments::AuditArguments;
use crate::cli::running::identity;
use crate::cli::running::provenance::ProgramFiles;
use crate::cli::{Failure, output};
use crate::rebuild;
use crate::spec::{self, Loaded};
use plaudit_accountant::number::hex;
use plaudit_core::finding::{Expectation, IdentityPart, Report, Tool};
use plaudit_core::visible::visible;
use plaudit_engine::game::Runs;
use plaudit_report::gate::{LEDGER_VERSION, Ledger, LedgerLine};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A ledger that can be read, and the audits whose evidence it is to keep.
pub(super) struct LedgerFile {
    path: PathBuf,
    contents: BTreeMap<String, String>,
}

/// Fields that all versions of a ledger have.
#[derive(serde::Deserialize)]
struct VersionedLedger {
    plaudit_ledger: String,
}

impl LedgerFile {
    /// Before anything runs: refuses a file that is not a ledger. A missing one is begun later.
    pub fn open(path: PathBuf, arguments: &AuditArguments) -> Result<Self, Failure> {
        output::check_folder(&path)?;
        read(&path)?;
        let contents = contents(arguments)?;
        Ok(Self { path, contents })
    }

    /// Adds a run to what the file has by now, and writes it: another run may have added to it meanwhile.
    pub fn add(self, report: &Report, started: &str) -> Result<Vec<LedgerLine>, Failure> {
        let Self { path, contents } = self;
        let failed = |error: io::Error| Failure::of_file("cannot write --ledger", &path, &error);
        let _lock = lock(&path).map_err(failed)?;
        let mut ledger = read(&path)?;
        let lines = ledger.add(report, &contents, started);
        let text = serde_json::to_string_pretty(&ledger).map_err(|error| failed(error.into()))?;
        write(&path, &text).map_err(failed)?;
        Ok(lines)
    }
}

/// One run at a time reads, adds and writes. The file itself is replaced, so the lock is on one next to it, which
/// stays.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let file =
        File::options().create(true).truncate(false).write(true).open(path.with_file_name(name))?;
    match file.lock() {
        Ok(()) => Ok(Some(file)),
        // A system that cannot lock must not cost a night.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whole or not at all: a concurrent reader gets the old one.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::Builder::new();
    // Like any other new file: readable for others where the umask allows it.
    #[cfg(unix)]
    let file = {
        use std::os::unix::fs::PermissionsExt as _;
        file.permissions(std::fs::Permissions::from_mode(0o666))
    };
    let mut file = file.prefix(".plaudit-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

fn read(path: &Path) -> Result<Ledger, Failure> {
    let wrong = |why: &str| {
        Failure::Message(format!(
            "--ledger: `{}` is not a ledger that this version can continue: {why}; name another file, which is created \
             if missing, or remove this one to start over",
            output::path(path)
        ))
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ledger::default()),
        Err(error) => return Err(Failure::of_file("cannot read --ledger", path, &error)),
    };
    let no_ledger = |error: serde_json::Error| wrong(&visible(&error.to_string()));
    // The version first: a ledger of another one may well have another shape.
    let VersionedLedger { plaudit_ledger: version } =
        serde_json::from_str(&text).map_err(no_ledger)?;
    if version != LEDGER_VERSION {
        return Err(wrong(&format!(
            "it has schema version {version:?}, but this plaudit reads {LEDGER_VERSION:?}"
        )));
    }
    let ledger: Ledger = serde_json::from_str(&text).map_err(no_ledger)?;
    ledger.check().map_err(|why| wrong(&visible(&why)))?;
    Ok(ledger)
}

/// SHA-256 of the content of each audit whose evidence is kept, by name. Its claim is expected to hold, it does not
/// audit running times, which depend on the load of the machine, and each run draws its outcomes again: they are not
/// recorded.
fn contents(arguments: &AuditArguments) -> Result<BTreeMap<String, String>, Failure> {
    // Random pairs depend on the seed, and an audit is the same for every seed.
    let overrides = arguments.overrides(Some(0));
    let mut audits = spec::load_all(&arguments.paths, &overrides)?.audits;
    identity::identify(&mut audits, &mut ProgramFiles::default());
    let is_kept = |loaded: &&Loaded| {
        let audit = &loaded.audit;
        audit.settings.expect == Expectation::NotViolated
            && audit.runs != Runs::Timed
            && !rebuild::is_recorded(&audit.summary)
    };
    let of = |loaded: &Loaded| (loaded.audit.name.clone(), content(loaded));
    Ok(audits.iter().filter(is_kept).map(of).collect())
}

/// All that decides what its runs are, but the seed; not its level, at which the evidence is only weighed.
fn content(loaded: &Loaded) -> String {
    let audit = &loaded.audit;
    let identity = audit.identity().digest_of(IdentityPart::is_of_runs);
    let Tool { name, version } = Tool::this();
    let mut hash = Sha256::new();
    hash.update(format!("{name} {version} {} {identity}", audit.name));
    hex(hash.finalize())
}

//! Files of shards, and of frozen explore results: two lines, JSON and the SHA-256 of that line.

use plaudit_accountant::number::hex;
use plaudit_engine::game::{ShardCounts, ShardNumber};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShardFile {
    pub plaudit_shard: u64,
    pub version: String,
    pub shard: ShardNumber,
    /// SHA-256 of the file of what explore froze, if it read one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frozen: Option<String>,
    pub asked: Vec<String>,
    pub audits: Vec<AuditShard>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditShard {
    pub name: String,
    /// SHA-256 of its spec, of the files of its program, and of its pairs.
    pub spec: String,
    /// `None`: it ended before any trial counted.
    pub counts: Option<ShardCounts>,
}

impl ShardFile {
    /// `true` if it is of the same run as another: of the same version, number of shards, arguments, specs and
    /// programs, and with the same file of frozen explore results.
    pub fn is_of_the_run_of(&self, other: &Self) -> bool {
        let specs = |file: &'_ Self| -> Vec<(String, String)> {
            file.audits.iter().map(|it| (it.name.clone(), it.spec.clone())).collect()
        };
        self.version == other.version
            && self.shard.of == other.shard.of
            && self.asked == other.asked
            && self.frozen == other.frozen
            && specs(self) == specs(other)
    }
}

/// Most bytes of a file that are read.
const MOST_BYTES: u64 = 1 << 28;

/// The place of a shard's file.
pub(super) fn place(folder: &Path, ShardNumber { number, of }: ShardNumber) -> PathBuf {
    folder.join(format!("shard-{number}-of-{of}.json"))
}

/// Writes it next to the old one first, so that there is always a whole one.
pub(super) fn write(file: &impl Serialize, path: &Path) -> std::io::Result<()> {
    let line = serde_json::to_string(file)?;
    if line.len() as u64 + 100 > MOST_BYTES {
        let why =
            "it would be larger than 256 MiB: run fewer audits at once (--filter, --partition)";
        return Err(std::io::Error::other(why));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".plaudit-");
    // As other files are, so that who merges can read it.
    #[cfg(unix)]
    let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(mode);
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(sealed(&line).as_bytes())?;
    new.as_file().sync_all()?;
    new.persist(path).map(drop).map_err(|error| error.error)
}

pub(super) fn sealed(line: &str) -> String {
    let hash = hex(Sha256::digest(line.as_bytes()));
    format!("{line}\n{{\"sha256\":\"{hash}\"}}\n")
}

/// Reads one, and the SHA-256 that it ends with; `again` describes how to remake it.
///
/// # Errors
/// A message with the mistake.
pub(super) fn read<T: DeserializeOwned>(path: &Path, again: &str) -> Result<(T, String), String> {
    // Before it is opened: a pipe would be waited for.
    if std::fs::metadata(path).is_ok_and(|it| !it.is_file()) {
        return Err("it is not a file".into());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut text).map_err(|error| error.to_string())?;
    unsealed(&text, again)
}

fn unsealed<T: DeserializeOwned>(text: &[u8], again: &str) -> Result<(T, String), String> {
    let cut = || format!("it is cut short or was changed: {again}");
    let text = std::str::from_utf8(text).map_err(|_| cut())?;
    let (line, _) = text.split_once('\n').ok_or_else(cut)?;
    if text != sealed(line) {
        return Err(cut());
    }
    let file = serde_json::from_str(line)
        .map_err(|error| format!("it is not a file of this kind: {error}"))?;
    Ok((file, hex(Sha256::digest(line.as_bytes()))))
}

/// How to remake a shard's file.
const AGAIN: &str = "run this shard again";

/// Reads the file of a shard.
///
/// # Errors
/// A message with the mistake.
pub(super) fn of_shard(path: &Path) -> Result<ShardFile, String> {
    read(path, AGAIN).and_then(|(file, _)| checked(file))
}

/// Shard in the bytes of its file.
///
/// # Errors
/// A message with the mistake.
#[cfg(fuzzing)]
pub(super) fn of_bytes(text: &[u8]) -> Result<ShardFile, String> {
    unsealed(text, AGAIN).and_then(|(file, _)| checked(file))
}

fn checked(file: ShardFile) -> Result<ShardFile, String> {
    let ShardNumber { number, of } = file.shard;
    if file.plaudit_shard != 1 || number == 0 || number > of {
        return Err("it is not a shard file that this version can read".into());
    }
    Ok(file)
}

//! The file of `plaudit audit --explore-only`: what explore froze of each audit, for shards and for `merge`.

use super::file;
use plaudit_core::visible::visible;
use plaudit_engine::audit::{Exploring, FrozenExplore, FrozenTaken};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrozenFile {
    plaudit_frozen: u64,
    version: String,
    asked: Vec<String>,
    pub audits: Vec<FrozenAudit>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrozenAudit {
    pub name: String,
    /// Same as in the files of shards.
    pub spec: String,
    /// `None`: each run of the audit explores by itself, or ends before that.
    pub frozen: Option<FrozenExplore>,
}

#[derive(Default)]
pub(super) struct FrozenAudits {
    /// SHA-256 of its file, if there is one.
    pub hash: Option<String>,
    audits: BTreeMap<String, FrozenTaken>,
}

impl FrozenAudits {
    /// Frozen audits in the file of a run with these arguments, of these audits: their names and the SHA-256
    /// of their specs.
    ///
    /// # Errors
    /// If it is not such a file, or is of another run.
    pub fn read(
        path: &Path,
        asked: &[String],
        audits: &[(String, String)],
    ) -> Result<Self, String> {
        let again = "run `plaudit audit --explore-only` again";
        let (file, hash) = file::read::<FrozenFile>(path, again)?;
        file.check(asked, audits)?;
        let taken = file
            .audits
            .into_iter()
            .filter_map(|audit| Some((audit.name, FrozenTaken::new(audit.frozen?))));
        Ok(Self { hash: Some(hash), audits: taken.collect() })
    }

    /// Source of what a run confirms in an audit.
    pub fn of(&self, audit: &str) -> Exploring<'_> {
        self.audits.get(audit).map_or(Exploring::Here, Exploring::Taken)
    }

    /// First entry found not to belong to its audit: its name, and the reason.
    pub fn problem(&self) -> Option<(&String, String)> {
        self.audits.iter().find_map(|(name, taken)| Some((name, taken.problem()?)))
    }
}

impl FrozenFile {
    /// File of a run with these arguments, of this version.
    pub fn new(asked: Vec<String>, audits: Vec<FrozenAudit>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { plaudit_frozen: 1, version, asked, audits }
    }

    fn check(&self, asked: &[String], audits: &[(String, String)]) -> Result<(), String> {
        let version = env!("CARGO_PKG_VERSION");
        if self.plaudit_frozen != 1 {
            return Err("it is not an --explore-only file that this version can read".into());
        }
        if self.version != version {
            return Err(format!(
                "it was written by plaudit {}, but this is {version}",
                visible(&self.version)
            ));
        }
        if self.asked != asked {
            let [its, own] = [&self.asked[..], asked].map(|words| visible(&words.join(" ")));
            return Err(format!(
                "it is for `{its}`, but this run is for `{own}`: explore with the same arguments"
            ));
        }
        let its = self.audits.iter().map(|audit| (&audit.name, &audit.spec));
        if !its.eq(audits.iter().map(|(name, spec)| (name, spec))) {
            let why = "it belongs to other specs, or programs or data that they name have changed: explore again";
            return Err(why.into());
        }
        Ok(())
    }
}

//! Merging shards as the fuzz target does: without a report.

use super::file::{self, ShardFile};
use super::{Merging, fingerprint, together};
use crate::cli::Failure;
use crate::spec::{self, Loaded, Overrides};
use plaudit_engine::game::{Control, ShardKept, ShardNumber};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Audits whose shards are merged, and what their shards freeze.
pub struct ShardTrial {
    audits: Vec<Loaded>,
    /// By the names of the audits: SHA-256 of the spec, and of what is frozen.
    hashes: BTreeMap<String, [String; 2]>,
}

impl ShardTrial {
    /// The audits of a spec.
    ///
    /// # Errors
    /// If it cannot be read, or an audit cannot be run.
    pub fn new(spec: PathBuf) -> Result<Self, Failure> {
        let audits = spec::load_all(&[spec], &Overrides::default())?.audits;
        let mut hashes = BTreeMap::new();
        for loaded in &audits {
            let audit = &loaded.audit;
            let failed = |why: String| Failure::Message(why);
            let kept = ShardKept::new(ShardNumber::WHOLE);
            let confirming = plaudit_engine::game::Confirming::Shard(&kept);
            let control = Control { confirming, ..Control::unattended() };
            audit.run(control).map_err(|error| failed(error.to_string()))?;
            let spec = fingerprint(loaded);
            let frozen = kept.counts().map(|counts| counts.frozen).unwrap_or_default();
            hashes.insert(audit.name.clone(), [spec, frozen]);
        }
        Ok(Self { audits, hashes })
    }

    /// Merges the line of one file, assuming that its hash is right and those in it, where they are "own"; returns the
    /// trials that each audit planned, and those that count.
    ///
    /// # Errors
    /// The reason for refusing it.
    pub fn merge(&self, line: &str) -> Result<Vec<[u64; 2]>, Failure> {
        let refused = |why: String| Failure::Message(why);
        let mut read = file::of_bytes(file::sealed(line).as_bytes()).map_err(refused)?;
        let again = serde_json::to_string(&read).map_err(|error| refused(error.to_string()))?;
        let same: Result<ShardFile, _> = file::of_bytes(file::sealed(&again).as_bytes());
        assert_eq!(same.as_ref(), Ok(&read), "what is written reads as the same");
        let own = |word: &mut String, is: &str| {
            if word == "own" {
                is.clone_into(word);
            }
        };
        own(&mut read.version, env!("CARGO_PKG_VERSION"));
        for audit in &mut read.audits {
            let Some([spec, frozen]) = self.hashes.get(&audit.name) else { continue };
            own(&mut audit.spec, spec);
            if let Some(counts) = &mut audit.counts {
                own(&mut counts.frozen, frozen);
            }
        }
        let (_, merging) = together(vec![(Path::new("shard.json"), read)], None, true)?;
        merging.check(&self.audits)?;
        self.audits.iter().map(|loaded| merged(loaded, &merging)).collect()
    }
}

fn merged(Loaded { audit, .. }: &Loaded, merging: &Merging) -> Result<[u64; 2], Failure> {
    let undeclared = audit.undeclared();
    let confirming = merging.of(&audit.name);
    let control = Control { confirming, undeclared: undeclared.as_ref(), ..Control::unattended() };
    let found = audit.run(control).map_err(|error| Failure::Message(error.to_string()))?;
    merging.problem()?;
    let planned = audit.settings.trials;
    Ok([planned, found.finding.trials.total])
}

//! Contents of specs.

use super::error::{Mistake, SpecError, SpecErrors};
use super::law::LawTest;
use glob::Pattern;
use plaudit_attacks::attack::PlannedAttack;
use plaudit_core::dataset::Dataset;
use plaudit_engine::audit::Audit;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// An audit and where it was written.
pub struct Loaded {
    /// The audit, ready to run.
    pub audit: Audit<Dataset>,
    /// The file that names it.
    pub file: PathBuf,
    /// The line of that file at which it begins, from 1.
    pub line: usize,
    /// The file's text, as it was read.
    pub text: Arc<str>,
    /// Law that its noise is to follow, for `plaudit law`.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub law: Option<LawTest>,
    /// Files of the repository that decide about it, besides that file; `None` if they are not
    /// stated.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) watch: Option<Vec<Pattern>>,
    /// The CSV file that its pairs are made from, if there is one.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) table: Option<PathBuf>,
    /// Obstacle to starting its program, if it is one: it only matters for running it.
    pub not_startable: Option<SpecError>,
}

/// An attack and where it was written.
#[derive(Debug)]
pub struct LoadedAttack {
    /// The attack, ready to run.
    pub attack: PlannedAttack,
    /// The file that names it.
    pub file: PathBuf,
}

/// Contents of specs.
#[derive(Default)]
pub struct LoadedSpecs {
    /// Their audits.
    pub audits: Vec<Loaded>,
    /// Their attacks.
    pub attacks: Vec<LoadedAttack>,
}

/// Contents of a file: its audits and attacks without a mistake, the names of all, and the mistakes.
#[derive(Default)]
pub(super) struct Document {
    pub audits: Vec<Loaded>,
    pub attacks: Vec<LoadedAttack>,
    pub names: Vec<(String, Range<usize>)>,
    pub mistakes: Vec<Mistake>,
}

/// Checks that the programs of these audits are there and may be started.
///
/// # Errors
/// All that are not, each with its place in a spec.
pub fn check_startable(audits: &[Loaded]) -> Result<(), SpecErrors> {
    let missing = audits.iter().filter_map(|loaded| loaded.not_startable.clone());
    let mut missing: Vec<SpecError> = missing.collect();
    // Two audits may be written as one.
    missing.dedup();
    if missing.is_empty() { Ok(()) } else { Err(SpecErrors(missing)) }
}

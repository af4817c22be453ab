//! The identity of an audit or an attack: everything that makes it, in parts, each with its hash.

use plaudit_accountant::number::hex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Most characters of the words of a part.
const LONGEST: usize = 160;
/// Prefix of every hash: another version of the values has other hashes.
const VERSION: &str = "plaudit identity 1";

/// A part of an identity.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum IdentityPart {
    /// Kind and parameters of the mechanism, or the command of a program.
    Mechanism,
    /// Contents of the files that a command names; unknown for functions of a process.
    Program,
    /// Contents of the files that match `watch`.
    Watched,
    /// Post-processing.
    Post,
    /// Neighboring relation, and the size of groups.
    Relation,
    /// Pairs of datasets, with their data.
    Pairs,
    /// Domain that is searched.
    Domain,
    /// Contents of data files: recorded outcomes, scores, tables.
    Data,
    /// Declared sensitivity.
    Sensitivity,
    /// Claim.
    Claim,
    /// Meaning of doubles, and the grid to which they are rounded.
    Floats,
    /// `true` if the running time is part of the outcome.
    Clock,
    /// `true` if runs depend on one another.
    Stateful,
    /// Declared outcomes.
    Outcomes,
    /// Waived checks, except for those that have a separate part.
    Checks,
    /// Expected verdict.
    Expectation,
    /// Proof that is asked for.
    Proof,
    /// Floor of power.
    MinPower,
    /// Number of runs, or seconds for them.
    Trials,
    /// False-alarm level.
    Alpha,
    /// Settings of an attack.
    Attack,
}

impl IdentityPart {
    /// Words for a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Mechanism => "mechanism",
            Self::Program => "content of the program",
            Self::Watched => "content of the watched files",
            Self::Post => "post-processing",
            Self::Relation => "relation",
            Self::Pairs => "pairs",
            Self::Domain => "domain",
            Self::Data => "content of the data files",
            Self::Sensitivity => "declared sensitivity",
            Self::Claim => "claim",
            Self::Floats => "meaning of doubles",
            Self::Clock => "clock",
            Self::Stateful => "stateful runs",
            Self::Outcomes => "declared outcomes",
            Self::Checks => "waived checks",
            Self::Expectation => "expectation",
            Self::Proof => "proof",
            Self::MinPower => "min_power",
            Self::Trials => "trials",
            Self::Alpha => "level",
            Self::Attack => "settings of the attack",
        }
    }

    /// `true` if the part describes what is audited, and not how closely: an accepted failure covers this
    /// alone.
    pub fn is_of_content(self) -> bool {
        !matches!(
            self,
            Self::Watched
                | Self::Checks
                | Self::Proof
                | Self::MinPower
                | Self::Trials
                | Self::Alpha
                | Self::Expectation
        )
    }

    /// `true` if the part changes what the runs are: evidence over many runs is of this alone.
    pub fn is_of_runs(self) -> bool {
        self.is_of_content() || matches!(self, Self::Watched | Self::Trials)
    }
}

/// One part of an identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartIdentity {
    /// SHA-256 of the whole part.
    pub sha256: String,
    /// The part for readers, abridged.
    pub words: String,
    /// The number, if the part is a finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
}

impl PartIdentity {
    /// A part of a value, with its words.
    pub fn of(value: &Value, words: impl Into<String>) -> Self {
        let mut hash = Sha256::new();
        hash.update(VERSION);
        hash.update(value.to_string());
        let words: String = words.into();
        let is_long = words.chars().nth(LONGEST).is_some();
        let short = || words.chars().take(LONGEST - 1).chain(['…']).collect();
        let (sha256, number) = (hex(hash.finalize()), None);
        Self { sha256, words: if is_long { short() } else { words }, number }
    }

    pub fn of_number(number: f64) -> Self {
        let words = plaudit_accountant::number::words(number).into_owned();
        let number = Some(number).filter(|number| number.is_finite());
        Self { number, ..Self::of(&Value::from(format!("{number:?}")), words) }
    }
}

/// Everything that makes an audit or an attack, but its name and its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Identity {
    /// SHA-256 of all parts.
    pub digest: String,
    /// The parts that it has.
    pub parts: BTreeMap<IdentityPart, PartIdentity>,
}

impl Identity {
    pub fn of(parts: impl IntoIterator<Item = (IdentityPart, PartIdentity)>) -> Self {
        let mut identity = Self { digest: String::new(), parts: parts.into_iter().collect() };
        identity.digest = identity.digest_of(|_| true);
        identity
    }

    /// Identity with another part, or another value of one.
    #[must_use]
    pub fn with(self, part: IdentityPart, value: PartIdentity) -> Self {
        Self::of(self.parts.into_iter().chain([(part, value)]))
    }

    /// SHA-256 of some of the parts.
    pub fn digest_of(&self, counts: impl Fn(IdentityPart) -> bool) -> String {
        let mut hash = Sha256::new();
        hash.update(VERSION);
        for (part, value) in self.parts.iter().filter(|(part, _)| counts(**part)) {
            hash.update(format!("{part:?} {} ", value.sha256));
        }
        hex(hash.finalize())
    }
}

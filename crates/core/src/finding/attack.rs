//! Result of an attack.

use super::identity::Identity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Result of an attack, compared with the expected one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttackFinding {
    /// Its name in the spec.
    pub name: String,
    /// Its description in the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Which attack it is.
    pub kind: AttackKind,
    /// Who releases what, and what the attacker does, in a sentence.
    pub setting: String,
    /// Gain of the attacker, in a sentence.
    pub outcome: String,
    /// `true` if the attack reached its goal.
    pub succeeded: bool,
    /// `true` if that was expected.
    pub expected: bool,
    /// The seed of its randomness.
    pub seed: u64,
    /// The chance, at most, that chance alone makes it succeed or a certified number wrong: its level. Left out where nothing
    /// is certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The numbers, a row each.
    pub table: AttackTable,
    /// The one picture that shows it.
    pub picture: AttackPicture,
    /// All numbers, as `plaudit attack … --format json` prints them.
    pub details: Value,
    /// Everything that makes the attack, in parts; reports of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
}

impl AttackFinding {
    pub fn as_expected(&self) -> bool {
        self.succeeded == self.expected
    }

    /// "succeeded" or "failed".
    pub fn end(&self) -> &'static str {
        if self.succeeded { "succeeded" } else { "failed" }
    }
}

/// Which attack it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AttackKind {
    /// The same question is asked again and again, and the answers are averaged.
    Average,
    /// A table is rebuilt from noisy counts.
    Reconstruct,
    /// Scores tell who was in the data.
    Membership,
    /// Another table identifies the person of a row.
    Link,
    /// Conditions from a release that one row of the original table satisfies.
    SingleOut,
    /// Columns of a person that are known, and a release, tell a secret one.
    Infer,
}

impl AttackKind {
    /// Its word in specs and commands.
    pub fn word(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::Reconstruct => "reconstruct",
            Self::Membership => "membership",
            Self::Link => "link",
            Self::SingleOut => "single-out",
            Self::Infer => "infer",
        }
    }
}

/// Words in rows, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttackTable {
    /// Titles of the columns.
    pub heads: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// Lines over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttackPicture {
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis; its values are in [0, 1].
    pub y: String,
    /// `true` if the axis is logarithmic.
    pub logarithmic: bool,
    /// The attacker's line, then those that it is compared with.
    pub lines: Vec<AttackLine>,
}

/// A line with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttackLine {
    /// Its name.
    pub name: String,
    /// Its points, to the right.
    pub points: Vec<[f64; 2]>,
}

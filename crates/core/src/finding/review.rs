//! Questions of a reviewer besides the verdict: its subject, what people state of the release, what changed since.

use crate::dataset::{Relation, Stated};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The conditions under which an audit was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// The unit of privacy that the relation protects: "one row", "one person: all rows with the same `id`". `null`
    /// where the relation is defined on answers, or in words that were not checked.
    pub unit: Option<String>,
    /// Neighboring relation, in words.
    pub neighbors: String,
    /// `true` if all pairs were checked to be neighbors.
    pub checked: bool,
    /// Where pairs were looked for, in words; `null` where they were given.
    pub domain: Option<String>,
    /// `true` if the running time is part of the outcome.
    pub clock: bool,
    /// `true` if a run may depend on earlier ones.
    pub stateful: bool,
    /// Gates that the audit does without.
    pub waived: Vec<Waiver>,
}

/// Post-processing of released outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PostSummary {
    /// The operation in words: "rounded to multiples of 0.1".
    pub words: String,
    /// Name of the audit of the same outcomes as they are released.
    pub before: String,
}

/// A gate that somebody switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Waiver {
    /// No power is asked for: a test that could see nothing still ends `not refuted`.
    MinPower,
    /// A constant mechanism, or one that always fails, is accepted.
    Constant,
    /// A pair on which nothing differs is accepted.
    NoDifference,
    /// Nobody checked that the pairs are neighbors.
    Relation,
    /// The lowest bits of doubles decide nothing.
    LowBits,
}

impl Waiver {
    /// Waived check, and the wording of the spec.
    pub fn words(self) -> &'static str {
        match self {
            Self::MinPower => "the minimum detection power (min_power = false)",
            Self::Constant => "outcomes that vary (constant = \"allowed\")",
            Self::NoDifference => "a difference between D and D′ (no_difference = \"allowed\")",
            Self::Relation => {
                "the check that D and D′ are neighbors (the relation is stated in words or as given)"
            }
            Self::LowBits => "the lowest bits of doubles (floats = \"ideal\")",
        }
    }
}

/// Protected unit and definition of neighbors, in words, under a relation and for groups of `group`.
pub fn relation_words(stated: &Stated, group: u64) -> (Option<String>, String) {
    let relation = match stated {
        Stated::Checked(relation) => relation,
        Stated::Words(words) => return (None, format!("stated in words: {words}")),
        Stated::AsGiven => return (None, "the pairs as they are given".into()),
    };
    let row = || Some("one row".to_owned());
    let person = |id: String| Some(format!("one person: all rows with the same {id}"));
    let apart = |of: &f64, how: &str| format!("the exact answers differ by at most {of} {how}");
    let (unit, one) = match relation {
        Relation::Substitution => (row(), "one person's row is replaced by any other".to_owned()),
        Relation::AddRemove => (row(), "one person's row is added or removed".to_owned()),
        Relation::Histogram => (row(), "one count goes up or down by one".to_owned()),
        Relation::L1(most) => (None, apart(most, "summed over all entries (ℓ₁)")),
        Relation::L2(most) => (None, apart(most, "in Euclidean distance (ℓ₂)")),
        Relation::Linf(most) => (None, apart(most, "in each entry (ℓ∞)")),
        Relation::RemoveAll(people) => {
            (person(people.to_string()), "all rows of one person are added or removed".to_owned())
        }
        Relation::ReplaceAll(people) => (
            person(people.to_string()),
            "all rows of one person are replaced by rows of one person".to_owned(),
        ),
    };
    match group {
        1 => (unit, one),
        many => (unit, format!("{one}, up to {many} times (the claim is for groups of {many})")),
    }
}

/// Statements in the `[evaluation]` table of a spec.
pub type Evaluation = BTreeMap<Topic, String>;

/// A question of an evaluation; its key in a spec is the name in snake case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Definition of privacy, its parameters, the conversion used.
    Definition,
    /// Unit of privacy, and how much one person may contribute.
    Unit,
    /// Neighboring relation, and what is public.
    Neighbors,
    /// Released outputs, their recipients, and how often.
    Release,
    /// Trust model: who sees raw data.
    Trust,
    /// Sensitivity and clipping, and floating point.
    Sensitivity,
    /// Mechanism, version, source of randomness.
    Mechanism,
    /// Composition: releases, budget, accountant, tuning.
    Composition,
    /// Evidence for the claim.
    Evidence,
    /// Pairs and domain tested, and what was not.
    Scope,
    /// Side channels.
    SideChannels,
    /// Privacy of groups.
    Group,
    /// Utility and bias.
    Utility,
    /// Security around it.
    Security,
    /// Severity of what was found.
    Severity,
    /// Comparable deployments.
    Comparable,
    /// Who evaluated, when, with what, and how to repeat it.
    Evaluator,
}

impl Topic {
    /// All, in the order of the sheet.
    pub const ALL: [Self; 17] = [
        Self::Definition,
        Self::Unit,
        Self::Neighbors,
        Self::Release,
        Self::Trust,
        Self::Sensitivity,
        Self::Mechanism,
        Self::Composition,
        Self::Evidence,
        Self::Scope,
        Self::SideChannels,
        Self::Group,
        Self::Utility,
        Self::Security,
        Self::Severity,
        Self::Comparable,
        Self::Evaluator,
    ];

    /// Its key in a spec and in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Unit => "unit",
            Self::Neighbors => "neighbors",
            Self::Release => "release",
            Self::Trust => "trust",
            Self::Sensitivity => "sensitivity",
            Self::Mechanism => "mechanism",
            Self::Composition => "composition",
            Self::Evidence => "evidence",
            Self::Scope => "scope",
            Self::SideChannels => "side_channels",
            Self::Group => "group",
            Self::Utility => "utility",
            Self::Security => "security",
            Self::Severity => "severity",
            Self::Comparable => "comparable",
            Self::Evaluator => "evaluator",
        }
    }

    pub fn question(self) -> &'static str {
        match self {
            Self::Definition => "Definition and parameters",
            Self::Unit => "Unit of privacy; bound on one person's contributions",
            Self::Neighbors => "Neighboring relation; what is public",
            Self::Release => "What is released, to whom, and how often",
            Self::Trust => "Trust model: who sees raw data",
            Self::Sensitivity => "Sensitivity, clipping, floating point",
            Self::Mechanism => "Mechanism, version, source of randomness",
            Self::Composition => "Composition: releases, budget, accountant, tuning",
            Self::Evidence => "Evidence for the claim",
            Self::Scope => "Pairs and domain tested; not tested",
            Self::SideChannels => "Side channels",
            Self::Group => "Privacy of groups",
            Self::Utility => "Utility and bias: groups affected more",
            Self::Security => "Security: storage, access, logging, retention",
            Self::Severity => "Severity of what was found",
            Self::Comparable => "Comparable deployments",
            Self::Evaluator => "Evaluator, date and tools; how to repeat it",
        }
    }
}

/// Changes since an earlier report: audits are the same if their names are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// SHA-256 of the earlier report's file.
    pub sha256: String,
    /// When its run began, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The version of plaudit that wrote it.
    pub version: String,
    /// Audits whose verdict is another one.
    pub verdicts: Vec<Change>,
    /// Audits whose claim is another one.
    pub claims: Vec<Change>,
    /// Audits whose number moved by one part in a hundred or more, or is of another kind.
    pub bounds: Vec<Change>,
    /// Audits that are new.
    pub added: Vec<String>,
    /// Audits that are gone.
    pub removed: Vec<String>,
}

/// Verdicts of an audit in the earlier report and in this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Name of the audit.
    pub audit: String,
    /// Before.
    pub before: String,
    /// Now.
    pub now: String,
}

impl Changes {
    /// `true` if nothing changed.
    pub fn is_empty(&self) -> bool {
        let Self { verdicts, claims, bounds, added, removed, .. } = self;
        [verdicts, claims, bounds].into_iter().all(Vec::is_empty)
            && [added, removed].into_iter().all(Vec::is_empty)
    }
}

//! What a verdict is about, and what it is not about: for readers who decide whether an audit covers a release.

use super::value::Finding;
use super::{Floats, Verdict};
use crate::dataset::{Relation, Stated};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The conditions under which an audit was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// The unit of privacy that the relation protects: "one row", "one person: all rows with the same `id`". `null`
    /// where the relation is about answers, or in words that nobody checked.
    pub unit: Option<String>,
    /// What makes two datasets neighbors, in words.
    pub neighbors: String,
    /// Whether all pairs were checked to be neighbors.
    pub checked: bool,
    /// Where pairs were looked for, in words; `null` where they were given.
    pub domain: Option<String>,
    /// Whether the running time is part of the outcome.
    pub clock: bool,
    /// Whether a run may depend on earlier ones.
    pub stateful: bool,
    /// Gates that the audit does without.
    pub waived: Vec<Waiver>,
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
    /// What is waived, and how the spec says so.
    pub fn words(self) -> &'static str {
        match self {
            Self::MinPower => "least detection power (`min_power = false`)",
            Self::Constant => "outcomes that vary (`constant = \"allowed\"`)",
            Self::NoDifference => "a difference between D and D′ (`no_difference = \"allowed\"`)",
            Self::Relation => {
                "the check that D and D′ are neighbors (the relation is stated in words or as given)"
            }
            Self::LowBits => "the lowest bits of doubles (`floats = \"ideal\"`)",
        }
    }
}

/// What is protected and what makes neighbors, in words, under a relation and for groups of `group`.
pub(crate) fn relation_words(stated: &Stated, group: u64) -> (Option<String>, String) {
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
        Relation::L1(most) => (None, apart(most, "in sum over all entries (ℓ₁)")),
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

impl Finding {
    /// What the verdict is about, and what it is not about: headings with a sentence or list each, in the order in which a
    /// reviewer asks. The same rows for every finding.
    pub fn scope_rows(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Unit of privacy", self.unit_words()),
            ("Neighbors", self.neighbors_words()),
            ("The observer sees", self.observed()),
            ("Tried", self.tried()),
            ("Not tested", self.not_tested().join("; ")),
            ("Trusted", self.trusted().join("; ")),
            ("Waived", self.waived()),
        ]
    }

    /// The unit of privacy: what people stated, else what the relation says.
    fn unit_words(&self) -> String {
        match &self.scope.unit {
            Some(unit) => unit.clone(),
            None if !self.scope.checked => "not stated".into(),
            None => "not stated: the relation is about answers, not about people".into(),
        }
    }

    fn neighbors_words(&self) -> String {
        let checked = match (self.scope.checked, &self.proof) {
            (true, _) => "checked for every pair",
            (false, _) => "not checked",
        };
        format!("{} ({checked})", self.scope.neighbors)
    }

    fn observed(&self) -> String {
        let doubles = match self.floats {
            Floats::AsReleased => "doubles with all their bits".to_owned(),
            Floats::Rounded(step) => format!("numbers rounded to multiples of {step}"),
            Floats::Ideal => "numbers, without their lowest bits".to_owned(),
        };
        let time = if self.scope.clock { ", and how long each run takes" } else { "" };
        format!("every outcome in full ({doubles}; errors and their messages count){time}")
    }

    fn tried(&self) -> String {
        let pairs = match (self.pair.given.max(self.pair.surveyed), self.pair.surveyed) {
            (0 | 1, _) => "one pair of datasets".to_owned(),
            (given, looked_at) if looked_at > 0 && looked_at < given => {
                format!("{looked_at} of {given} pairs of datasets")
            }
            (given, _) => format!("{given} pairs of datasets"),
        };
        let from =
            self.scope.domain.as_ref().map_or_else(String::new, |domain| format!(" from {domain}"));
        let proved = match &self.proof {
            Some(proof) => format!("; proof: {}", proof.domain.words),
            None => String::new(),
        };
        format!("{pairs}{from}{proved}")
    }

    /// What nothing in this audit speaks of.
    pub(crate) fn not_tested(&self) -> Vec<String> {
        let mut list = Vec::new();
        let covers = |finding: &Self| {
            finding.verdict == Verdict::Verified
                && finding.proof.as_ref().is_some_and(|proof| proof.covers_relation)
        };
        if !covers(self) {
            list.push(match &self.scope.domain {
                Some(_) => {
                    "pairs that the search did not look at, and datasets outside of its domain"
                        .to_owned()
                }
                None => "other pairs of datasets".to_owned(),
            });
        }
        if !self.scope.clock {
            list.push("running time".into());
        }
        match self.floats {
            Floats::AsReleased => {}
            Floats::Rounded(step) => list.push(format!("digits below multiples of {step}")),
            Floats::Ideal => list.push("the lowest bits of doubles".into()),
        }
        if !self.scope.stateful {
            list.push(match self.is_program() {
                true => "state between runs, beyond the signs that were looked for".into(),
                false => "state between runs".into(),
            });
        }
        list.push("other releases of the same data (composition)".into());
        list
    }

    fn is_program(&self) -> bool {
        self.mechanism.kind == "process"
    }

    /// What the verdict takes for granted.
    pub(crate) fn trusted(&self) -> Vec<String> {
        let mut list = Vec::new();
        if !self.scope.checked {
            list.push("that D and D′ are neighbors".to_owned());
        }
        match self.mechanism.kind.as_str() {
            "process" => list.push("that the program runs in production as it ran here".into()),
            "recorded" => list.push("that the files hold independent runs on D and on D′".into()),
            "closure" => list.push("that runs of the function do not depend on one another".into()),
            _ => list.push("that what is deployed is this mechanism with these parameters".into()),
        }
        list
    }

    fn waived(&self) -> String {
        let all: Vec<_> = self.scope.waived.iter().map(|waiver| waiver.words()).collect();
        if all.is_empty() { "nothing".into() } else { all.join("; ") }
    }
}

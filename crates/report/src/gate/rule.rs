//! Checks of the gate, one rule each: its name in files and outputs, its message and its remedy.

use serde::{Deserialize, Serialize};

/// A rule of the gate. Its name in files and outputs is in kebab-case: "missed-mistake".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateRule {
    /// All is as expected.
    Expected,
    Violated,
    MissedMistake,
    Inconclusive,
    NotReached,
    Attack,
    LoosenedClaim,
    OtherNeighbors,
    RemovedAudit,
    RemovedMutant,
    ExpectsViolation,
    WaivedCheck,
    OtherPairs,
    OtherDomain,
    OtherData,
    OtherSensitivity,
    OtherFloats,
    OtherClock,
    OtherState,
    RaisedMinPower,
    OtherAttack,
    OtherMutant,
    Ledger,
    ChangedProgram,
    ChangedBound,
    ChangedPower,
    ChangedTrials,
    ChangedLevel,
    ChangedVerdict,
    ChangedWitness,
    ChangedMechanism,
    ChangedClaim,
    NewAudit,
    Changed,
    StaleAcceptance,
    OpenAcceptance,
    OlderBaseline,
    LedgerNote,
}

const AUDIT_AGAIN: &str = "If the change is intended, update the baseline from this report.";
const KEEP: &str = "Restore it as it was in the baseline, or accept the change in the file of --accepted with a reason.";

impl GateRule {
    pub const ALL: [Self; 38] = [
        Self::Expected,
        Self::Violated,
        Self::MissedMistake,
        Self::Inconclusive,
        Self::NotReached,
        Self::Attack,
        Self::LoosenedClaim,
        Self::OtherNeighbors,
        Self::RemovedAudit,
        Self::RemovedMutant,
        Self::ExpectsViolation,
        Self::WaivedCheck,
        Self::OtherPairs,
        Self::OtherDomain,
        Self::OtherData,
        Self::OtherSensitivity,
        Self::OtherFloats,
        Self::OtherClock,
        Self::OtherState,
        Self::RaisedMinPower,
        Self::OtherAttack,
        Self::OtherMutant,
        Self::Ledger,
        Self::ChangedProgram,
        Self::ChangedBound,
        Self::ChangedPower,
        Self::ChangedTrials,
        Self::ChangedLevel,
        Self::ChangedVerdict,
        Self::ChangedWitness,
        Self::ChangedMechanism,
        Self::ChangedClaim,
        Self::NewAudit,
        Self::Changed,
        Self::StaleAcceptance,
        Self::OpenAcceptance,
        Self::OlderBaseline,
        Self::LedgerNote,
    ];

    /// Its name, the sentence that states it, and what to do where it is broken.
    fn row(self) -> [&'static str; 3] {
        match self {
            Self::Expected => ["expected", "All is as expected.", "No action needed."],
            Self::Violated => [
                "violated",
                "A claim is refuted.",
                "Replay the certificate (`plaudit replay`), then fix the mechanism or claim what it does.",
            ],
            Self::MissedMistake => [
                "missed-mistake",
                "A planted mistake was not caught.",
                "Give its audit more trials, or a pair of datasets on which the mistake shows.",
            ],
            Self::Inconclusive => [
                "inconclusive",
                "A claim could not be tested properly.",
                "The message states the obstacle: fix it, then run the audit again.",
            ],
            Self::NotReached => [
                "not-reached",
                "An audit was not reached in time.",
                "Run it again with more time, or with fewer trials per audit.",
            ],
            Self::Attack => [
                "attack",
                "An attack did not end as expected.",
                "Protect the release against it, or correct the expectation for the attack.",
            ],
            Self::LoosenedClaim => {
                ["loosened-claim", "A claim allows more than it did in the baseline.", KEEP]
            }
            Self::OtherNeighbors => {
                ["other-neighbors", "A claim covers other neighbors than in the baseline.", KEEP]
            }
            Self::RemovedAudit => ["removed-audit", "An audit in the baseline is missing.", KEEP],
            Self::RemovedMutant => {
                ["removed-mutant", "A planted mistake of the baseline is expected to pass.", KEEP]
            }
            Self::ExpectsViolation => [
                "expects-violation",
                "A claim of the baseline is now expected to be violated.",
                KEEP,
            ],
            Self::WaivedCheck => {
                ["waived-check", "An audit waives a check that it had in the baseline.", KEEP]
            }
            Self::OtherPairs => {
                ["other-pairs", "The pairs of an audit differ from the baseline.", KEEP]
            }
            Self::OtherDomain => {
                ["other-domain", "An audit searches another domain than in the baseline.", KEEP]
            }
            Self::OtherData => {
                ["other-data", "The data of an audit differ from the baseline.", KEEP]
            }
            Self::OtherSensitivity => [
                "other-sensitivity",
                "An audit declares another sensitivity than in the baseline, or none.",
                KEEP,
            ],
            Self::OtherFloats => {
                ["other-floats", "A claim covers other doubles than in the baseline.", KEEP]
            }
            Self::OtherClock => [
                "other-clock",
                "The running time counts now and did not in the baseline, or the reverse.",
                KEEP,
            ],
            Self::OtherState => [
                "other-state",
                "Runs depend on one another and did not in the baseline, or the reverse.",
                KEEP,
            ],
            Self::RaisedMinPower => [
                "raised-min-power",
                "An audit has a higher floor of power than in the baseline.",
                KEEP,
            ],
            Self::OtherAttack => ["other-attack", "An attack differs from the baseline.", KEEP],
            Self::OtherMutant => {
                ["other-mutant", "A planted mistake differs from the baseline.", KEEP]
            }
            Self::Ledger => [
                "ledger",
                "The evidence of many runs together refutes a claim.",
                "Audit the claim with more trials; if the mechanism has been fixed since, restart its line in the ledger.",
            ],
            Self::ChangedProgram => [
                "changed-program",
                "A program or a watched file differs from the baseline.",
                AUDIT_AGAIN,
            ],
            Self::ChangedBound => {
                ["changed-bound", "A bound differs from the baseline.", AUDIT_AGAIN]
            }
            Self::ChangedPower => [
                "changed-power",
                "The smallest detectable loss differs from the baseline.",
                AUDIT_AGAIN,
            ],
            Self::ChangedTrials => {
                ["changed-trials", "The number of runs differs from the baseline.", AUDIT_AGAIN]
            }
            Self::ChangedLevel => {
                ["changed-level", "The level of an audit differs from the baseline.", AUDIT_AGAIN]
            }
            Self::ChangedVerdict => {
                ["changed-verdict", "A verdict differs from the baseline.", AUDIT_AGAIN]
            }
            Self::ChangedWitness => [
                "changed-witness",
                "A violation shows in another way than in the baseline.",
                AUDIT_AGAIN,
            ],
            Self::ChangedMechanism => {
                ["changed-mechanism", "A mechanism differs from the baseline.", AUDIT_AGAIN]
            }
            Self::ChangedClaim => {
                ["changed-claim", "A claim allows less than in the baseline.", AUDIT_AGAIN]
            }
            Self::NewAudit => ["new-audit", "An audit is not in the baseline.", AUDIT_AGAIN],
            Self::Changed => ["changed", "Something else differs from the baseline.", AUDIT_AGAIN],
            Self::StaleAcceptance => [
                "stale-acceptance",
                "An accepted finding no longer occurs.",
                "Remove its entry from the file of --accepted.",
            ],
            Self::OpenAcceptance => [
                "open-acceptance",
                "An acceptance without a fingerprint covers any content.",
                "Add the fingerprint that --summary prints.",
            ],
            Self::OlderBaseline => [
                "older-baseline",
                "A baseline was written by an older plaudit.",
                "Write the baseline again with this version.",
            ],
            Self::LedgerNote => [
                "ledger-note",
                "A run added nothing to the evidence of earlier ones, or restarted it.",
                "Read the message: no action is needed if the code change was intended.",
            ],
        }
    }

    /// Its name in files and outputs.
    pub fn id(self) -> &'static str {
        self.row()[0]
    }

    /// The sentence that states it.
    pub fn text(self) -> &'static str {
        self.row()[1]
    }

    /// Remedy if it is broken.
    pub fn help(self) -> &'static str {
        self.row()[2]
    }

    /// `true` if it is a failure that can be accepted for a time.
    pub fn is_acceptable(self) -> bool {
        !matches!(self, Self::Expected | Self::Inconclusive | Self::NotReached)
            && self <= Self::Ledger
    }

    /// `true` if it is about a change since the baseline that does not weaken the gate.
    pub(super) fn is_change(self) -> bool {
        (Self::ChangedProgram..=Self::Changed).contains(&self)
    }
}

impl std::fmt::Display for GateRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gate/rule.rs"]
mod tests;

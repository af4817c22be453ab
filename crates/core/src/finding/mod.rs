//! Findings of an audit: values, and how they are written as JSON.
//!
//! [`Report`] holds a [`Finding`] for each audit: verdict, bounds, pair, witness, tally, curves and what
//! was proved. `audit`, `verify` and `spec` fill these values, and `report` renders them.
//! [`schema()`] describes their JSON. This room writes no file, draws nothing, and knows nothing of how
//! something was found.

mod answer;
mod attack;
pub mod cause;
mod compare;
mod headline;
mod identity;
mod kind;
mod leaks;
mod pair;
mod power;
mod proof;
mod provenance;
mod quantity;
pub mod reason;
mod report;
pub mod review;
mod sensitivity;
mod trace;
mod value;

pub use headline::CertifiedByCounts;
pub use headline::stated;

pub use answer::WrittenAnswer;
pub use attack::{AttackFinding, AttackKind, AttackLine, AttackPicture, AttackTable};
pub use cause::Cause;
pub use compare::{DifferenceKind, Importance, ReportDifference, compare};
pub use compare::{MARGINS, MOVED, certified_loss};
pub use identity::{Identity, IdentityPart, PartIdentity};
pub use kind::MechanismKind;
pub use leaks::{Evidence, Floats, Leak, LeakKind, LeakSource, Leaks};
pub use pair::{PairSummary, Smallest};
pub use power::{DetectablePoint, Look, Looks, Power};
pub use proof::{
    Bracket, ComparedOrder, ComparedPoint, Decision, Proof, ProofBudget, ProofDomain, ProofMethod,
    ProofOf, ProofPoint, ProofWorst,
};
pub use provenance::{Commit, LeftOut, Origin, ProgramFile, Provenance, SpecPlace, StepTimes};
pub use quantity::{BrokenPoint, Fixed, Headline, Known, Quantity, UpperBounds};
pub use report::{Report, Run, SCHEMA_VERSION, Tool};
pub use review::{Change, Changes, Evaluation, PostSummary, Scope, Topic, Waiver};
pub use sensitivity::{ExceedingPair, SensitivitySummary};
pub use trace::{Trace, TraceDifference};
pub use value::{
    BinSummary, ClaimSummary, Expectation, Finding, Loss, LossPoint, MechanismSummary,
    ProfilePoint, RenyiPoint, TailPoint, TradeoffPoint, Trials, Verdict, WitnessSummary,
};

/// The JSON Schema (draft 2020-12) of `report.json`, made from the types: it cannot drift from
/// them.
pub fn schema() -> serde_json::Value {
    schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Report>()
        .to_value()
}

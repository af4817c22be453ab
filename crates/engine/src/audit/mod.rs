//! One audit: the flow from a claim to a finding.
//!
//! [`Audit::run`] explores, freezes a witness and a test, confirms on other trials and judges their
//! tally. A violation comes with a [`Certificate`], which can be replayed without the search.

mod build;
mod certificate;
mod clear;
mod course;
mod decide;
mod evidence;
mod explore;
mod find;
mod flow;
mod frozen;
mod identity;
mod interrupt;
mod judge;
mod looks;
mod measure;
mod prove;
pub mod reach;
mod search;
mod settings;
mod shards;

pub use certificate::counterexample::{Counterexample, ExceedingAnswers, Recheck};
pub use certificate::derived::Derived;
pub use certificate::digest::Seal;
pub use certificate::disagreement::Disagreement;
pub use certificate::envelope::{Content, Envelope};
pub use certificate::read::{AnyCertificate, UnreadCertificate};
pub use certificate::{Certificate, READER_ALPHA, Refutation, Replay, ReplayError, SmallestPair};
pub use course::Attempt;
pub use find::Audited;
pub use frozen::{Exploring, FrozenExplore, FrozenKept, FrozenTaken};
pub use search::PairSearch;
pub use settings::{
    Audit, AuditError, DEFAULT_ALPHA, DEFAULT_MIN_POWER, DEFAULT_TRIALS, MIN_ALPHA, MIN_TRIALS,
    Settings, Verify,
};

//! plaudit audits privacy claims.
//!
//! Its input is a mechanism it cannot see into, datasets that are neighbors, and a claim such as
//! (ε, δ). It plays the privacy game millions of times, and reports what the claim is worth, with
//! evidence that others can check.
//!
//! ```text
//! spec (TOML) or Rust API
//!   └─> Audit            what is claimed, of which mechanism, on which neighbors, what budget
//!         └─> explore    tries pairs and witnesses on a small share of the trials
//!               └─> Witness (frozen)
//!                     └─> confirm     plays the game; only counts            ──> Tally
//!                           └─> inference  Tally + Claim ──> bounds, p-value ──> Verdict
//!                                 └─> Report (one serialisable value) ──> json · html+plots · terminal
//! ```
//!
//! One direction, no way back. Everything before the frozen witness is heuristic and may be
//! clever; everything after it is simple and must be right. The [`tally::Tally`] is all that
//! crosses from running to reasoning.
//!
//! # A closure of your own
//!
//! ```
//! use plaudit::{Audit, Claim, Relation, Stream, Verdict, laplace};
//!
//! // A count with noise for sensitivity 1, claimed to be 0.5-DP.
//! let count = |ages: &Vec<f64>, random: &mut Stream| {
//!     ages.iter().filter(|age| **age >= 18.0).count() as f64 + laplace(random, 1.0)
//! };
//! let report = Audit::of("adults", Claim::pure(0.5)?, count)
//!     .neighbors(Relation::AddRemove, vec![17.0, 34.0], vec![17.0, 34.0, 71.0])?
//!     .trials(100_000)
//!     .report()?;
//! assert_eq!(report.audits[0].verdict, Verdict::Violated); // noise of scale 1 is 1-DP, not 0.5
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In tests, [`Audit::assert_as_expected`] fails with the certificate in its message.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The rooms. What a user of the crate needs of them is handed on below; the rest is public for the project's own tests
// and benchmarks, and may change at any time.
#[doc(hidden)]
pub mod benchmark;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod mutants;
#[doc(hidden)]
pub mod rebuild;
#[doc(hidden)]
pub mod regressions;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub use plaudit_accountant as accountant;
#[doc(hidden)]
pub use plaudit_accountant::number;
#[doc(hidden)]
pub use plaudit_aligned as aligned;
#[doc(hidden)]
pub use plaudit_attacks::{attack, learning};
#[doc(hidden)]
pub use plaudit_core::{claim, dataset, finding, inference, law, loss, tally};
#[doc(hidden)]
pub use plaudit_engine::{audit, game, search, verify, witness};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use plaudit_report::gate;
#[doc(hidden)]
pub use plaudit_report::report;
#[doc(hidden)]
pub mod mechanism {
    pub use plaudit_catalog as catalog;
    pub use plaudit_engine::mechanism::*;
}

// The front door. `tests/data/public.txt` lists it; a test compares.
#[doc(inline)]
pub use accountant::{AccountantError, Composition, Curve, Event};
#[doc(inline)]
pub use aligned::{Aligned, Draws, Noise};
#[doc(inline)]
pub use audit::{AnyCertificate, Certificate, Counterexample, Recheck, Replay, ReplayError, Seal};
#[doc(inline)]
pub use audit::{Attempt, Audit, AuditError, Audited, Settings, Verify};
#[doc(inline)]
pub use claim::{Claim, ClaimError, Form};
#[doc(inline)]
pub use dataset::{Cell, Dataset, Pair, Table};
#[doc(inline)]
pub use dataset::{Neighboring, Norm, NotNeighbors, Relation, Sensitivity};
#[doc(inline)]
pub use finding::{Expectation, Finding, Proof, Report, Topic, Verdict};
#[doc(inline)]
pub use game::{Control, GameError, Runs};
#[doc(inline)]
pub use law::{Comparison, NamedLaw, NoiseLaw, compare_with_law};
#[doc(inline)]
pub use mechanism::catalog::sample::laplace;
#[doc(inline)]
pub use mechanism::choice::Explorer;
#[doc(inline)]
pub use mechanism::{
    ByChoices, Capabilities, ChoiceMechanism, Choices, FromFn, Mechanism, Trouble,
};
#[doc(inline)]
pub use mechanism::{Outcome, OutcomeRef, Outcomes};
#[doc(inline)]
pub use plaudit_core::random::Stream;
#[doc(inline)]
pub use rand;
#[doc(inline)]
pub use search::{Described, SearchDomain};
#[doc(inline)]
pub use spec::{Loaded, Overrides, SpecErrors, load};
#[doc(inline)]
pub use tally::{Guess, Tally};
#[doc(inline)]
pub use verify::Domain;
#[doc(inline)]
pub use witness::Witness;

/// The examples of the page on proofs are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/verify.md")]
pub struct Proofs;

/// The README's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

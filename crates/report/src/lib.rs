//! Given a `Report`, its files, tables and pages, what it means for a change (`gate`), and the statement to sign (`attestation`).
//!
//! Invariant: its input is values of `plaudit-core`. It does not know mechanisms, outcomes, witnesses, specs or the
//! command line.

#[cfg(feature = "cli")]
pub mod attestation;
#[cfg(feature = "cli")]
pub mod gate;
pub mod report;

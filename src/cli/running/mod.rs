//! Shared parts of subcommands that run mechanisms: threads, a lock on its output, signals, what is seen meanwhile,
//! and where its report comes from.

pub(super) mod bounded;
pub(super) mod changed;
pub(super) mod identity;
pub(super) mod interrupt;
pub(super) mod jobs;
mod links;
pub(super) mod lock;
pub(super) mod progress;
pub(super) mod provenance;

//! Programs that remember earlier runs, at 50 seeds each.

#[path = "../suite/process/remembers.rs"]
mod remembers;
#[path = "../suite/process/sharing.rs"]
mod sharing;

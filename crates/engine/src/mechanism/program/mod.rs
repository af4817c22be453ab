//! Running copies of a program: given a command and a request, its outcomes or the way it failed. Nothing of audits
//! is known here, and nothing of what a program may do wrong besides its failures.

mod child;
mod failure;
pub mod find;
mod line;
mod request;
mod settings;
mod sweep;
mod talk;
mod tracing;
mod watch;

pub(in crate::mechanism) use child::Child;
pub use child::kill_all;
pub(in crate::mechanism) use failure::{Broken, ProgramFailure};
pub(in crate::mechanism) use line::{declares_query, read_numbers};
pub(in crate::mechanism) use request::Request;
pub use settings::{Format, ProgramSettings};
pub(in crate::mechanism) use sweep::{sweep, word};
pub(in crate::mechanism) use talk::{Copy, failure_of, single_line, until};
pub use tracing::trace;

//! The renderings of a report.
//!
//! [`Report`](plaudit_core::finding::Report) is the value; [`write()`] puts it into a folder as JSON and, with the
//! feature `html`, as a page ([`html::page`]) and plots ([`plot`]); [`table`] is its summary for a terminal
//! (with the feature `cli`). This room knows values only: nothing of mechanisms, specs or the command line.

#[cfg(feature = "html")]
mod answers;
#[cfg(feature = "cli")]
mod diff;
#[cfg(feature = "html")]
pub mod evaluation;
mod file;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "html")]
pub mod plot;
#[cfg(feature = "html")]
pub mod registry;
#[cfg(feature = "html")]
mod reproducer;
#[cfg(feature = "html")]
mod scope;
mod slug;
mod staging;
#[cfg(feature = "html")]
mod telling;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod times;
#[cfg(feature = "html")]
mod triage;
#[cfg(feature = "html")]
mod words;
mod write;

#[cfg(feature = "cli")]
pub use diff::ReportDiff;
pub use slug::slugs;
#[cfg(feature = "html")]
pub use telling::{Fact, FactKind, Telling};
#[cfg(feature = "cli")]
pub use terminal::table;
#[cfg(feature = "cli")]
pub use times::times;
#[cfg(feature = "cli")]
pub use words::{columns, cut};
pub use write::{Output, PlotFormat, WriteError, WrittenReport, check_writable, write};

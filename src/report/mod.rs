//! The report: one serialisable value, and its renderings.
//!
//! [`Report`] is the value; [`write()`] puts it into a folder as JSON and, with the feature `html`,
//! as a page ([`html::page`]) and plots ([`plot`]); [`table`] is its summary for a terminal (with
//! the feature `cli`); [`schema`] describes its JSON. This room knows values only: nothing of
//! mechanisms, specs or the command line.

mod evidence;
mod headline;
#[cfg(feature = "html")]
pub mod html;
mod leaks;
#[cfg(feature = "html")]
pub mod plot;
mod proof;
mod provenance;
mod remedy;
mod schema;
mod sensitivity;
mod slug;
#[cfg(feature = "cli")]
mod terminal;
mod value;
#[cfg(feature = "html")]
mod words;
mod write;

pub use evidence::*;
pub use headline::*;
pub use leaks::*;
pub use proof::*;
pub use provenance::*;
pub use remedy::remedy;
pub use schema::schema;
pub use sensitivity::*;
pub use slug::slugs;
#[cfg(feature = "cli")]
pub use terminal::table;
pub use value::*;
pub use write::{Output, WriteError, Written, check_writable, write};

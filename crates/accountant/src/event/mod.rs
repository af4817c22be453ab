//! Events: the uses of mechanisms that a composition lists, as plain data.

mod kinds;
mod one;
mod relation;
mod schema;
mod table;

pub use kinds::{EventKind, Sampling};
pub(crate) use kinds::{LARGEST_SIGMA, probability};
pub(crate) use one::Written;
pub use one::{Event, LARGEST_COUNT};
pub use relation::Relation;
pub(crate) use table::{KindRow, ParameterValue, Values, row_of};

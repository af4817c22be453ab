//! The report: one serialisable value, and its renderings.

mod value;

pub use value::*;

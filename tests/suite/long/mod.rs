//! Audits in full, which take minutes each: for changes to the flow of an audit (`-- --ignored long::`).

mod catalog;
mod process;
mod shipped;

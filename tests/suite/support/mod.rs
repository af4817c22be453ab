//! What tests share. `tests/long` and some benches read these files, too.

pub mod accountant;
pub mod catalog;
pub mod cli;
pub mod heap;
pub mod oracle;
pub mod program;
pub mod report;
pub mod search;

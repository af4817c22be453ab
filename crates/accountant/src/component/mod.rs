//! One use of a mechanism: its laws, and how they are seen.

pub(super) mod binomial;
pub(super) mod converted;
pub(super) mod law;
pub(super) mod laws;
pub(super) mod mixture;
pub(super) mod opposed;
pub(super) mod pair;
pub(super) mod part;
pub(super) mod shuffle;
pub(super) mod uses;
pub(super) mod view;

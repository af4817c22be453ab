//! Parts of events: pairs of laws that dominate them, or that they realise.

pub(super) mod converted;
pub(super) mod opposed;
pub(super) mod pair;
pub(super) mod part;
pub(super) mod single;
pub(super) mod uses;

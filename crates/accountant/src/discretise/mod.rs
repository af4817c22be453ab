//! Laws of losses on a grid, one more spread than the truth and one less.

pub(super) mod discretisation;
pub(super) mod lattice;
pub(super) mod pilot;
pub(super) mod product;

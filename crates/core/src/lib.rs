//! Pure parts of plaudit: datasets, claims, inference and findings. No I/O and no mechanism.

pub mod blank;
pub mod claim;
pub mod dataset;
pub mod finding;
pub mod inference;
pub mod loss;
pub mod random;
pub mod tally;
pub mod visible;

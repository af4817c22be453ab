//! Audit of a training in one run, from the scores of canaries.
//!
//! ```text
//! scores, and who was in ──> Canaries (checked) ──> how many to guess (Guessing) ──> right guesses counted (CanaryGuesses)
//!                                                                            └──> bounds on ε and μ, verdict on a claim (OneRun)
//! ```
//!
//! Each of m canaries was put into the training data or left out by a fair coin of its own. The auditor calls those with
//! the highest scores *in* and those with the lowest *out*, and abstains from the rest. Differential privacy bounds how
//! many of these guesses are right: see `guesses` for (ε, δ), and `tradeoff` for a trade-off curve;
//! `ordered` takes all numbers of guesses at once, `versions` canaries of which one of several versions was in. Apart from these, the
//! scores themselves bound ε if they are normal: see `normal`.

mod bounds;
mod canary;
mod choose;
mod guesses;
mod measure;
mod normal;
mod ordered;
mod ranked;
mod read;
mod tradeoff;
mod versions;

pub use bounds::OneRunBounds;
pub use canary::{Canaries, CanariesError, Canary, FairCoins, LEAST_CANARIES};
pub use choose::{Aim, GRID, Guessing, level_in_turn};
pub use guesses::CanaryGuesses;
pub use measure::{CanaryQuestion, CountedGuesses, JudgedClaim, OneRun, measure};
pub use normal::{NormalBounds, NormalScores};
pub use ranked::CalledSides;
pub use read::{CanaryColumns, read_canaries, read_versions};
pub use versions::{
    OneRunOfVersions, VersionDraws, VersionGuesses, VersionLook, VersionedCanary, measure_versions,
};

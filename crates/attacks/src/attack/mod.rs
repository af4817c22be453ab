//! Attacks: what an adversary learns, measured without looking into the mechanism.
//!
//! ```text
//! scores of members and of others ──> Scores (checked) ──> first halves: choose events
//!                                                     └──> second halves: count them ──> Membership
//! ```
//!
//! Averaging draws nothing: the error of who averages noisy answers is a formula, and what the answers cost is the
//! accountant's.
//!
//! Reconstruction plays both sides: a table, noisy counts of it, and who rebuilds the table from them (see `reconstruct`).
//!
//! Linkage joins two tables, row by row as they are read (see `link`).
//!
//! Groups that differ without any model make a measure of membership void (see `groups`).
//!
//! Singling out counts conditions that a release suggests in the original table and in a control (see `single`). Inference
//! guesses a secret column of people of both from the release (see `infer`).
//!
//! What is chosen on the first halves is frozen before the second ones are counted, so nothing that was seen while
//! choosing gets into a bound. Pure functions; files are read by `cli`.

pub mod anonymity;
mod average;
mod choose;
mod coded;
mod counts;
mod excess;
mod groups;
mod identity;
mod infer;
mod least_squares;
mod limits;
mod link;
mod membership;
mod noise;
mod people;
mod planned;
mod quantity;
mod read;
mod reconstruct;
mod roc;
mod sample;
mod scores;
mod single;
pub mod words;

pub use average::{Averaging, AveragingError, Reached, Row, Service, average};

pub use crate::files::NumberKind;
pub use choose::{Chosen, Event, Tail, choose};
pub use coded::{CodedTable, Schema};
pub use counts::{Calls, CallsError, CountedRates, RateBound, RateBounds, measure_calls};
pub use excess::{Excess, Guessed};
pub use groups::{Groups, GroupsCompared, LEAST_ROWS, compare_groups};
pub use infer::{
    Guessing, InferQuestion, Inference, NEIGHBORS, Nearest, TOLERANCE, infer, nearest,
};
pub use link::{
    ClassSize, Join, LinkQuestion, Linkage, PublishError, Published, ReleasedRows, RightLinks,
};
pub use membership::{Bound, Certified, Counted, Judged, Membership, Question, Sizes, measure};
pub use noise::Noise;
pub use planned::{AttackPlan, PlanError, PlannedAttack};
pub use quantity::Quantity;
pub use read::{ScoreFiles, is_one_file, read_numbers};
pub use reconstruct::{
    BLATANT, Bounded, Cost, Database, Decoder, Disturbance, MOST_DECODED, MOST_EXHAUSTIVE, Rebuilt,
    ReconstructError, Setup, Survivors, noise_at, reconstruct,
};
pub use roc::{Attacker, Interval, Point, Rates, Roc};
pub use sample::{Group, Sample};
pub use scores::{LEAST_SCORES, Scores, ScoresError};
pub use single::{
    CONDITIONS, Compared, Condition, GUESSES, Guess, SingleOut, SingleQuestion, blind, compare,
    guesses, single_out,
};

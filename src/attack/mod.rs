//! Attacks: what an adversary learns, measured without looking into the mechanism.
//!
//! ```text
//! scores of members and of others ──> Scores (checked) ──> first halves: choose events
//!                                                     └──> second halves: count them ──> Membership
//! ```
//!
//! What is chosen on the first halves is frozen before the second ones are counted, so nothing that was seen while
//! choosing gets into a bound. Pure functions; files are read by `cli`.

mod choose;
mod membership;
mod quantity;
mod roc;
mod sample;
mod scores;

pub use choose::{Chosen, Event, Tail, choose};
pub use membership::{Bound, Certified, Counted, Judged, Membership, Question, Sizes, measure};
pub use quantity::Quantity;
pub use roc::{Attacker, Interval, Point, Rates, Roc};
pub use sample::{Group, Sample};
pub use scores::{LEAST_SCORES, Scores, ScoresError};

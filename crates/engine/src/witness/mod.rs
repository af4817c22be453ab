//! Witnesses: detectors of a difference in outcomes.
//!
//! A [`Witness`] is frozen before the counting starts: a [`Scorer`] puts every outcome into a bin,
//! and the guesser guesses "D", "D'" or nothing on each bin. [`choose`] finds one on the explore
//! trials: by heuristics, which need no guarantees, because the confirm trials are others.

pub mod choose;
mod clock;
mod coordinate;
mod count;
mod grammar;
mod lattice;
mod partition;
mod propose;
mod rule;
mod scorer;
mod telling;
mod words;

pub use coordinate::coarse::{Coarse, Part};
pub use coordinate::facet::Facet;
pub use coordinate::keys::{KeyBins, Look};
pub use coordinate::list::Source;
pub use coordinate::operators::{Operator, Pairing, Within};
pub use coordinate::shape::Shape;
pub use coordinate::statistic::{KeyTerm, Linear, Made, Node, Statistic, Term, Trees};
pub use count::counter::Counter;
pub use lattice::{Lattice, Row, Sign};
pub use partition::{Branch, Partition, Side};
pub use scorer::{Atom, Clock, Scorer};
pub(crate) use words::step;

use plaudit_core::inference::Corner;
use plaudit_core::tally::Guess;
use serde::{Deserialize, Serialize};

/// A frozen guesser. For an event test its event is the bins with a guess.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// From outcome to bin.
    pub scorer: Scorer,
    /// From bin to guess; one entry for each bin.
    pub says: Vec<Guess>,
    /// Levels of the order of an event test; without meaning for the guess test.
    pub corner: Corner,
    /// The bins from most to least typical of D in explore: the basis of nested events.
    pub order: Vec<usize>,
}

impl Witness {
    /// `true` if the parts fit together; a certificate read from a file may hold anything.
    pub fn is_sound(&self) -> bool {
        let bins = self.scorer.bins();
        let mut order = self.order.clone();
        order.sort_unstable();
        let level = |level: f64| level > 0.0 && level < 1.0;
        self.says.len() == bins
            && order.into_iter().eq(0..bins)
            && level(self.corner.own)
            && level(self.corner.other)
            && self.scorer.is_sound()
    }
}

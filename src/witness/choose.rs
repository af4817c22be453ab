//! Choosing a witness: each proposal is cut as well as the explore trials can tell, and the one
//! with the best predicted bound wins.

use super::clock;
use super::cut::{Cut, Folds, best_cut, corner, order_of_bins};
use super::propose::{Proposal, propose};
use super::{Counter, Scorer, Witness};
use crate::inference::Test;
use crate::mechanism::Outcomes;
use crate::tally::Tally;
use rayon::prelude::*;

pub use super::predict::Goal;
pub use super::propose::Sample;

/// So many times what simpler scorers promise must a table of sizes and lowest set bits promise: it
/// takes more words.
const TABLE: f64 = 1.25;

/// Linear classifiers that are kept in any case.
const CLASSIFIERS: usize = 4;

/// A scorer with what the explore trials said of it.
pub struct Candidate {
    /// The scorer.
    pub scorer: Scorer,
    /// Counts of the explore trials.
    folds: Folds,
    /// Its best cut.
    cut: Cut,
}

impl Candidate {
    fn new(scorer: Scorer, folds: Folds, goal: &Goal) -> Self {
        let cut = best_cut(&folds, &scorer, goal);
        Self { scorer, folds, cut }
    }

    /// The bound that the confirm trials are predicted to certify with it; negative: none.
    pub fn predicted(&self) -> f64 {
        self.cut.predicted
    }

    /// [`Candidate::predicted`], lowered where a simpler scorer that promises nearly as much should
    /// be taken instead.
    pub fn standing(&self) -> f64 {
        let simple = !matches!(&self.scorer, Scorer::Lattice(lattice) if lattice.rows.len() > 1);
        if simple || self.predicted() < 0.0 { self.predicted() } else { self.predicted() / TABLE }
    }

    /// The same scorer, judged on more trials.
    #[must_use]
    pub fn with(self, a: &Tally, b: &Tally, goal: &Goal) -> Self {
        let folds = Folds { a: self.folds.a.plus(a), b: self.folds.b.plus(b) };
        Self::new(self.scorer, folds, goal)
    }

    /// Freezes it.
    pub fn freeze(self, goal: &Goal) -> (Witness, Test) {
        let order = order_of_bins(&self.folds);
        let corner = corner(&self.folds, &self.cut, goal);
        (Witness { scorer: self.scorer, says: self.cut.says, corner, order }, self.cut.test)
    }
}

/// The best candidates for a sample, at most so many and [`CLASSIFIERS`] more, best first; with
/// classifiers trained on outcomes that are not in it, if there are any. Where there is only one,
/// it is not judged if it `will_be`, on more trials.
pub fn candidates(
    sample: &Sample<'_>,
    training: Option<&Sample<'_>>,
    most: usize,
    will_be: bool,
    goal: &Goal,
) -> Vec<Candidate> {
    let mut proposals = propose(sample, training);
    let timed = clock::propose(sample, &proposals);
    proposals.extend(timed);
    if proposals.len() == 1 && will_be {
        let only = proposals.remove(0);
        let folds = count(&only, sample);
        let cut = Cut::none(only.scorer.bins());
        return vec![Candidate { scorer: only.scorer, folds, cut }];
    }
    let mut all = judged(proposals, sample, goal);
    // The best stays, and others that promise anything; and some classifiers, since many weak
    // signals promise nothing before there are many outcomes.
    let (mut place, mut classifiers) = (0, 0);
    all.retain(|candidate| {
        place += 1;
        let promises = place <= most && candidate.predicted() > 0.0;
        let classifies = candidate.scorer.classifies() && classifiers < CLASSIFIERS;
        classifiers += usize::from(classifies);
        place == 1 || promises || classifies
    });
    all
}

fn judged(proposals: Vec<Proposal>, sample: &Sample<'_>, goal: &Goal) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = proposals
        .into_par_iter()
        .map(|proposal| {
            let folds = count(&proposal, sample);
            Candidate::new(proposal.scorer, folds, goal)
        })
        .collect();
    all.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
    all
}

/// Counts a sample, in two parts; of a fitted scorer, the outcomes it was not fitted on.
fn count(proposal: &Proposal, sample: &Sample<'_>) -> Folds {
    let counter = Counter::new(&proposal.scorer);
    let empty = || Tally::new(proposal.scorer.bins());
    let mut folds = Folds { a: empty(), b: empty() };
    let mut add = |batches: &[&Outcomes], side: fn(&mut Tally) -> &mut Vec<u64>| {
        let (a, b) = (side(&mut folds.a), side(&mut folds.b));
        for batch in batches {
            let part = |place: usize| match (proposal.fitted, place % 4) {
                (true, 0 | 2) => None,
                (true, 1) | (false, 0 | 2) => Some(0),
                _ => Some(1),
            };
            counter.count_parts(batch, part, [&mut *a, &mut *b]);
        }
    };
    add(&sample.d, |tally| &mut tally.d);
    add(&sample.d_prime, |tally| &mut tally.d_prime);
    folds
}

//! Choosing a witness: each proposal is cut as well as the explore trials can tell, and the one
//! with the best predicted bound wins.

use super::clock;
use super::cut::{Cut, Folds, corner, judged_cut, order_of_bins};
use super::propose::{Proposal, propose};
use super::scorer::Weighs;
use super::{Counter, Guess, Scorer, Witness};
use crate::inference::Test;
use crate::mechanism::Outcomes;
use crate::tally::Tally;
use rayon::prelude::*;
use std::collections::BTreeSet;

pub use super::predict::Goal;
pub use super::propose::Sample;

/// So many times what simpler scorers promise must a table of sizes and lowest set bits promise: it
/// takes more words.
const TABLE: f64 = 1.25;

/// Proposals that are few: one number, not a list.
const FEW: usize = 16;
/// Classifiers with weights of their own that are kept in any case.
const MOST_FITTED: usize = 8;

/// A scorer with what the explore trials said of it.
pub struct Candidate {
    /// The scorer.
    pub scorer: Scorer,
    /// Counts of the explore trials.
    folds: Folds,
    /// Its best cut.
    cut: Cut,
    /// What such a cut promises on outcomes that it was not made by.
    promised: f64,
}

impl Candidate {
    fn new(scorer: Scorer, folds: Folds, caution: f64, goal: &Goal) -> Self {
        let (cut, promised) = judged_cut(&folds, &scorer, caution, goal);
        Self { scorer, folds, cut, promised }
    }

    /// The bound that the confirm trials can be expected to certify with it; negative: none.
    pub fn promised(&self) -> f64 {
        self.promised
    }

    /// [`Candidate::promised`], lowered where a simpler scorer that promises nearly as much should
    /// be taken instead.
    pub fn standing(&self) -> f64 {
        let simple = !matches!(&self.scorer, Scorer::Lattice(lattice) if lattice.rows.len() > 1);
        if simple || self.promised < 0.0 { self.promised } else { self.promised / TABLE }
    }

    /// Standard error of its log-odds of a right guess, over what it promises: how much more there
    /// is to learn of it. Infinite where it promises nothing.
    pub fn doubt(&self) -> f64 {
        let pooled = self.folds.pooled();
        let (mut right, mut made) = (0, 0);
        for (bin, says) in self.cut.says.iter().enumerate() {
            let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
            let hits = match says {
                Guess::D => d,
                Guess::DPrime => d_prime,
                Guess::Abstain => continue,
            };
            right += hits;
            made += d + d_prime;
        }
        if self.promised <= 0.0 || made == 0 {
            return f64::INFINITY;
        }
        let (right, wrong) = (right as f64 + 0.5, (made - right) as f64 + 0.5);
        (1.0 / right + 1.0 / wrong).sqrt() / self.promised
    }

    /// The same scorer, judged on more trials: a cut by the first two tallies and all before is
    /// judged by the third, unless it is empty; its counts are lowered by `caution` standard
    /// deviations.
    #[must_use]
    pub fn with(self, [a, b, judge]: [Tally; 3], caution: f64, goal: &Goal) -> Self {
        Self::new(self.scorer, self.folds.with(&a, &b, &judge), caution, goal)
    }

    /// Freezes it.
    pub fn freeze(self, goal: &Goal) -> (Witness, Test) {
        let order = order_of_bins(&self.folds);
        let corner = corner(&self.folds, &self.cut, goal);
        (Witness { scorer: self.scorer, says: self.cut.says, corner, order }, self.cut.test)
    }
}

/// The best candidates for a sample, at most so many and some classifiers more, best first; with
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
        return vec![Candidate { scorer: only.scorer, folds, cut, promised: 0.0 }];
    }
    let all_kinds = proposals.len() > FEW;
    let mut all = judged(proposals, sample, goal);
    // The best stays, and others that promise anything; the best of each kind, since what is known
    // badly should be known better; and classifiers, since many weak signals promise nothing before
    // there are many outcomes.
    let (mut place, mut fitted) = (0, 0);
    let mut kinds = BTreeSet::new();
    all.retain(|candidate| {
        place += 1;
        let first = kinds.insert(candidate.scorer.kind());
        let promises = place <= most && candidate.promised() > 0.0;
        let classifies = match candidate.scorer.weighs() {
            Some(Weighs::Alike) => true,
            Some(Weighs::Fitted) => {
                fitted += 1;
                fitted <= MOST_FITTED
            }
            None => false,
        };
        place == 1 || promises || first && all_kinds || classifies
    });
    all
}

fn judged(proposals: Vec<Proposal>, sample: &Sample<'_>, goal: &Goal) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = proposals
        .into_par_iter()
        .map(|proposal| {
            let folds = count(&proposal, sample);
            Candidate::new(proposal.scorer, folds, 0.0, goal)
        })
        .collect();
    all.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
    all
}

/// Counts a sample in its parts; of a fitted scorer, the outcomes it was not fitted on.
fn count(proposal: &Proposal, sample: &Sample<'_>) -> Folds {
    let counter = Counter::new(&proposal.scorer);
    let mut folds = Folds::new(proposal.scorer.bins());
    let Folds { a, b, judge } = &mut folds;
    let add = |batches: &[&Outcomes], [a, b, judge]: [&mut Vec<u64>; 3]| {
        for batch in batches {
            // Half of the outcomes judge; a fitted scorer has seen the even ones.
            let part = |place: usize| match (proposal.fitted, place % 8) {
                (true, 0 | 2 | 4 | 6) => None,
                (true, 1) | (false, 0 | 4) => Some(0),
                (true, 5) | (false, 2 | 6) => Some(1),
                _ => Some(2),
            };
            counter.count_parts(batch, part, [&mut *a, &mut *b, &mut *judge]);
        }
    };
    add(&sample.d, [&mut a.d, &mut b.d, &mut judge.d]);
    add(&sample.d_prime, [&mut a.d_prime, &mut b.d_prime, &mut judge.d_prime]);
    folds
}

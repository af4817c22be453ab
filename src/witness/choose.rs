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

/// How candidates are found in a sample.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Outcomes that are not in the sample, to train classifiers on, if there are any.
    pub training: Option<&'a Sample<'a>>,
    /// At most so many are kept.
    pub most: usize,
    /// Whether cuts are judged by outcomes that they were not made by. It takes half of the
    /// outcomes, and is worth that where many compete and the luckiest would win; then some more
    /// are kept than `most`.
    pub judged: bool,
    /// Whether those that are kept will be judged on more trials.
    pub will_be: bool,
}

/// The best candidates for a sample, best first.
pub fn candidates(sample: &Sample<'_>, search: Search<'_>, goal: &Goal) -> Vec<Candidate> {
    let Search { training, most, judged, will_be } = search;
    let mut proposals = propose(sample, training);
    let timed = clock::propose(sample, &proposals);
    proposals.extend(timed);
    if proposals.len() == 1 && will_be {
        let only = proposals.remove(0);
        let folds = count(&only, sample, judged);
        let cut = Cut::none(only.scorer.bins());
        return vec![Candidate { scorer: only.scorer, folds, cut, promised: 0.0 }];
    }
    let all_kinds = judged && proposals.len() > FEW;
    let mut all = in_order(proposals, sample, judged, goal);
    // The best stays, and others that promise anything; where they are judged, the best of each
    // kind, since what is known badly should be known better, and classifiers, since many weak
    // signals promise nothing before there are many outcomes.
    let (mut place, mut fitted) = (0, 0);
    let mut kinds = BTreeSet::new();
    all.retain(|candidate| {
        place += 1;
        let first = kinds.insert(candidate.scorer.kind());
        let promises = place <= most && candidate.promised() > 0.0;
        let classifies = judged && match candidate.scorer.weighs() {
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

fn in_order(
    proposals: Vec<Proposal>,
    sample: &Sample<'_>,
    judged: bool,
    goal: &Goal,
) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = proposals
        .into_par_iter()
        .map(|proposal| {
            let folds = count(&proposal, sample, judged);
            Candidate::new(proposal.scorer, folds, 0.0, goal)
        })
        .collect();
    all.sort_by(|a, b| b.standing().total_cmp(&a.standing()));
    all
}

/// Counts a sample in its parts; of a fitted scorer, the outcomes it was not fitted on.
fn count(proposal: &Proposal, sample: &Sample<'_>, judged: bool) -> Folds {
    let counter = Counter::new(&proposal.scorer);
    let mut folds = Folds::new(proposal.scorer.bins());
    let Folds { a, b, judge } = &mut folds;
    let add = |batches: &[&Outcomes], [a, b, judge]: [&mut Vec<u64>; 3]| {
        for batch in batches {
            let part = |place: usize| {
                // A fitted scorer has seen the even ones.
                let nth = match proposal.fitted {
                    true if place % 2 == 0 => return None,
                    true => place / 2,
                    false => place,
                };
                Some(match (judged, nth % 4) {
                    (false, nth) => nth % 2,
                    (true, 0) => 0,
                    (true, 2) => 1,
                    (true, _) => 2,
                })
            };
            counter.count_parts(batch, part, [&mut *a, &mut *b, &mut *judge]);
        }
    };
    add(&sample.d, [&mut a.d, &mut b.d, &mut judge.d]);
    add(&sample.d_prime, [&mut a.d_prime, &mut b.d_prime, &mut judge.d_prime]);
    folds
}

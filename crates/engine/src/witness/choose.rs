//! Choice of a witness: each proposal is cut as well as the explore trials allow, and the one with
//! the best predicted bound wins.

use crate::mechanism::Outcomes;
use crate::witness::clock;
use crate::witness::coordinate::rounding::RoundedSample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::propose::proposal::{Proposal, thresholds};
use crate::witness::propose::{Depth, propose, propose_boxes};
use crate::witness::rule::decision::DecisionRule;
use crate::witness::rule::folds::Counts;
use crate::witness::rule::judged::{corner, judged_cut, order_of_bins};
use crate::witness::rule::predict::trials_a_side;
use crate::witness::scorer::{Atom, Weighs};
use crate::witness::telling::keep_telling;
use crate::witness::{Counter, Scorer, Witness};
use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;
use rayon::prelude::*;
use std::collections::BTreeSet;

pub use crate::witness::coordinate::rounding::{Sight, grid};
pub use crate::witness::coordinate::sample::Sample;
pub use crate::witness::coordinate::spelled::of_texts;
pub use crate::witness::rule::folds::Folds;
pub use crate::witness::rule::predict::Goal;

/// Factor by which a table of sizes and lowest set bits, a remainder, or a spelled-out outcome must
/// promise more than simpler scorers: they take more words, and where they are as good, luck makes
/// them better. Not tuned: gives up at most a quarter of a bound for fewer words.
const ODD: f64 = 1.25;

/// Share of what the claim allows from which a promise is nearly a violation, so that the witness
/// is not widened to reach `min_power`. Not tuned: the higher, the more audits that would refute
/// trade bound for power.
const NEARLY: f64 = 0.8;
/// Nats by which guesses must contradict the claim. Those of one witness do by luck with at most
/// e⁻⁵ = .007, and with .0008 where they are many (a normal deviate above √10).
const AGAINST: f64 = 5.0;
/// Factor by which a partition of single numbers must promise more than others: its edges are on no
/// dyadic grid, so that counting by it takes twice as long (`cargo bench --bench speed`).
const TIE: f64 = 1.01;
/// Leaves of a partition of one number from which it is a comb, where a remainder works as well.
/// Not tuned: as many leaves take more words than a remainder.
const COMB: usize = 16;
/// Number of outcomes that a partition was grown from which count as one other outcome (`cargo
/// bench --bench random`, even seeds: of 2, 4 and 7 the least ratios are best at 4).
const OWN_WEIGHT: u64 = 4;
/// Factor by which the excess of a bound by bits over the claim is reduced where pairs compete:
/// less than the differences of bounds by values, and enough of 16 digits to keep the order of
/// those by bits.
const BARELY: f64 = 1e-6;
/// Of this number of outcomes fewer than one is not matched where all are matched. Not tuned.
const RARE_OTHERS: u64 = 100;
/// Number of proposals that are few: one number, or lists with little variation. Of more, the best
/// of each kind is also kept to be judged, which counts one more scorer of each kind. Not tuned.
const FEW: usize = 16;
/// Classifiers with weights of their own that are always kept: each is counted on the trials of a
/// closer look. Not tuned.
const MOST_FITTED: usize = 8;
/// Scorers that are cut, at a glance and where cuts are judged: of more, those whose bins tell most
/// (`plaudit benchmark --trials 1e5 --seeds 3`: with 12 of the latter, and half of the candidates in a closer look, the
/// mean of ln ε is lower by .004).
const MOST_CUT: [usize; 2] = [8, 24];
/// Most outcomes that train classifiers and also count others: twice as many as are kept to propose
/// from (`MOST_KEPT` in audit/explore).
const MOST_SHARED: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promised {
    /// A violation of the claim, or guesses that contradict it but are too few to promise it.
    Violation,
    NearlyOne,
    Nothing,
}

/// A scorer with its results on the explore trials.
pub struct Candidate {
    pub scorer: Scorer,
    counts: Counts,
    cut: DecisionRule,
    /// Promise of such a cut: on outcomes that it was not made from, and by all of them.
    predicted_bound: f64,
    /// `true` if a remainder of its number works as well, and in a few words.
    beside_remainder: bool,
}

impl Candidate {
    fn new(scorer: Scorer, counts: Counts, caution: f64, goal: &Goal) -> Self {
        let (cut, predicted_bound) = judged_cut(&counts, &scorer, caution, goal);
        // Two estimates: the luckiest of many candidates by one is not also that by the other.
        let predicted_bound = predicted_bound.min(cut.predicted);
        Self { scorer, counts, cut, predicted_bound, beside_remainder: false }
    }

    /// Bound that the confirm trials can be expected to certify with it; negative: none.
    pub fn predicted_bound(&self) -> f64 {
        self.predicted_bound
    }

    pub fn tally(&self) -> Tally {
        self.counts.all().pooled()
    }

    pub fn promised(&self, goal: &Goal) -> Promised {
        let pooled = self.tally();
        let (mut right, mut wrong) = (0, 0);
        for (bin, says) in self.cut.says.iter().enumerate() {
            let (hits, misses) = match says {
                Guess::D => (pooled.d[bin], pooled.d_prime[bin]),
                Guess::DPrime => (pooled.d_prime[bin], pooled.d[bin]),
                Guess::Abstain => continue,
            };
            right += hits;
            wrong += misses;
        }
        let [n, m] = trials_a_side(&pooled);
        let against = goal.against_claim(right, wrong, n + m);
        if self.predicted_bound > goal.allowed() || against > AGAINST {
            Promised::Violation
        } else if self.predicted_bound > NEARLY * goal.allowed() {
            Promised::NearlyOne
        } else {
            Promised::Nothing
        }
    }

    /// [`Candidate::predicted_bound`], reduced if a simpler scorer promises nearly as much.
    pub fn ranking_score(&self) -> f64 {
        let odd = match self.scorer.looking() {
            Scorer::Lattice(lattice) => lattice.rows.len() > 1,
            of @ Scorer::Thresholds { .. } => is_remainder(of),
            Scorer::Partition(of) => {
                self.beside_remainder && of.coordinates.len() == 1 && of.bins() > COMB
            }
            _ => false,
        };
        let spelled = matches!(self.scorer, Scorer::Spelled { .. });
        let odds = i32::from(odd) + i32::from(spelled);
        let single =
            matches!(self.scorer.looking(), Scorer::Partition(of) if of.coordinates.len() == 1);
        if self.predicted_bound > 0.0 {
            self.predicted_bound / ODD.powi(odds) / if single { TIE } else { 1.0 }
        } else {
            self.predicted_bound
        }
    }

    /// [`Candidate::ranking_score`] where pairs compete: users who repair a mechanism look for
    /// leaks of values, so a pair that violates the claim through values wins.
    pub fn ranking_score_of_pair(&self, goal: &Goal) -> f64 {
        let (standing, allowed) = (self.ranking_score(), goal.allowed());
        match goal.sight {
            _ if !self.scorer.sees_bits() => standing,
            Sight::BothByValues => f64::NEG_INFINITY,
            Sight::Both if standing > allowed => allowed + BARELY * (standing - allowed),
            _ => standing,
        }
    }

    /// The remainder that it uses on unchanged outcomes, if any.
    pub fn remainder(&self) -> Option<&Statistic> {
        match &self.scorer {
            Scorer::Thresholds { statistic, .. } => {
                Some(statistic).filter(|of| matches!(of, Statistic::Remainder { .. }))
            }
            _ => None,
        }
    }

    /// `true` if it uses bits and promises a violation.
    fn bits_tell(&self, goal: &Goal) -> bool {
        self.scorer.sees_bits() && self.predicted_bound > goal.allowed()
    }

    /// [`Candidate::error`] over its promise: how much more there is to learn of it. Infinite where
    /// it promises nothing.
    pub fn doubt(&self) -> f64 {
        if self.predicted_bound > 0.0 { self.error() / self.predicted_bound } else { f64::INFINITY }
    }

    /// `true` if it matches nearly all outcomes exactly, so that no other scorer knows more.
    pub fn matches_all(&self) -> bool {
        let Scorer::Atoms { atoms } = &self.scorer else { return false };
        let pooled = self.tally();
        let others = pooled.d[atoms.len()] + pooled.d_prime[atoms.len()];
        others * RARE_OTHERS < pooled.trials()
    }

    /// Standard error of its log-odds of a right guess; infinite if it never guessed.
    pub fn error(&self) -> f64 {
        self.cut.error_by_counts(&self.counts.all().pooled())
    }

    /// Contradiction of the claim by the most telling bin among those for a single word, shape or
    /// key. Of intervals of a number some tell by luck, on any pair.
    fn telling(&self, goal: &Goal) -> f64 {
        if matches!(self.scorer.looking(), Scorer::Lattice(_) | Scorer::Clock(_)) {
            return 0.0;
        }
        let pooled = self.counts.all().pooled();
        let [n, m] = trials_a_side(&pooled);
        let lines = self.scorer.lines();
        let is_number = |bin: usize| match self.scorer.looking() {
            Scorer::Atoms { atoms } => {
                matches!(atoms.get(bin), Some(Atom::Number(_) | Atom::Integer(_)))
            }
            _ => lines.iter().any(|line| line.contains(&bin)),
        };
        let bins = (0..pooled.bins()).filter(|bin| !is_number(*bin));
        bins.map(|bin| {
            let (d, d_prime) = (pooled.d[bin], pooled.d_prime[bin]);
            goal.against_claim(d, d_prime, n).max(goal.against_claim(d_prime, d, m))
        })
        .fold(0.0, f64::max)
    }

    /// The scorer with more counts for its cut.
    #[must_use]
    pub fn with(self, more: &Folds, goal: &Goal) -> Self {
        let beside_remainder = self.beside_remainder;
        let counts = self.counts.and_known(more);
        Self { beside_remainder, ..Self::new(self.scorer, counts, 0.0, goal) }
    }

    /// The scorer with more counts, each half of which judges the other's proposal, lowered by
    /// `caution` standard deviations.
    #[must_use]
    pub fn judged_by(self, more: [Folds; 2], caution: f64, goal: &Goal) -> Self {
        let beside_remainder = self.beside_remainder;
        let counts = self.counts.and_judges(more);
        Self { beside_remainder, ..Self::new(self.scorer, counts, caution, goal) }
    }

    /// `true` if its cuts are judged by outcomes that they were not made from.
    pub fn is_judged(&self) -> bool {
        self.counts.halves().is_some()
    }

    pub fn freeze(&self, goal: &Goal) -> (Witness, Test) {
        let pooled = self.counts.all().pooled();
        let order = order_of_bins(&pooled);
        let corner = corner(&pooled, &self.cut, goal);
        let (scorer, says) = (self.scorer.clone(), self.cut.says.clone());
        (Witness { scorer, says, corner, order }, self.cut.test)
    }
}

/// Settings for finding candidates in a sample.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Outcomes outside the sample to train classifiers on, if there are any.
    pub training: Option<&'a Sample<'a>>,
    /// Most candidates that are kept.
    pub most: usize,
    /// `true` if cuts are judged by outcomes that they were not made from: where many compete the
    /// luckiest would win. Then some more than `most` are kept.
    pub judged: bool,
    /// `true` if the kept ones will be judged on more trials.
    pub will_be: bool,
    /// `true` if there are many pairs to examine: then slow methods for lists are skipped.
    pub quick: bool,
    pub boxes: bool,
}

#[derive(Clone, Copy)]
pub struct Glance {
    /// [`Candidate::predicted_bound`] of the best candidate.
    pub predicted_bound: f64,
    /// Contradiction of the claim by a single word, shape or key: a log-likelihood ratio. A rare
    /// event that only one dataset shows promises nothing before it is seen often.
    pub telling: f64,
}

/// A quick look at a sample.
pub fn glance(sample: &Sample<'_>, goal: &Goal) -> Glance {
    let rounded = match goal.sight {
        Sight::Values(grid) => Some(RoundedSample::of(sample, grid)),
        _ => None,
    };
    let rounded = rounded.as_ref().map(RoundedSample::as_sample);
    let sample = rounded.as_ref().unwrap_or(sample);
    let mut proposals = propose(sample, None, Depth { quick: true, ..Depth::default() });
    proposals.extend(clock::propose(sample, &proposals));
    let all = in_order(proposals, (sample, None), false, goal);
    let by_values = |a: &&Candidate, b: &&Candidate| {
        a.ranking_score_of_pair(goal).total_cmp(&b.ranking_score_of_pair(goal)).reverse()
    };
    let best = all.iter().min_by(by_values);
    Glance {
        predicted_bound: best
            .map_or(0.0, |best| best.predicted_bound().min(best.ranking_score_of_pair(goal))),
        telling: all.iter().map(|candidate| candidate.telling(goal)).fold(0.0, f64::max),
    }
}

/// The best candidates for a sample, best first.
pub fn candidates(sample: &Sample<'_>, search: Search<'_>, goal: &Goal) -> Vec<Candidate> {
    match goal.sight {
        Sight::Values(grid) => candidates_by_values(sample, search, (grid, &[]), goal),
        _ => candidates_of_any_kind(sample, search, goal),
    }
}

/// The best candidates that see numbers rounded to a grid, and remainders that are known to tell
/// and that such a grid does not hide.
pub fn candidates_by_values(
    sample: &Sample<'_>,
    search: Search<'_>,
    (grid, remainders): (f64, &[Statistic]),
    goal: &Goal,
) -> Vec<Candidate> {
    let [sample, training] = [Some(sample), search.training]
        .map(|sample| sample.map(|sample| RoundedSample::of(sample, grid)));
    let [sample, training] =
        [&sample, &training].map(|rounded| rounded.as_ref().map(RoundedSample::as_sample));
    let search = Search { training: training.as_ref(), ..search };
    let found = sample.map(|sample| {
        let mut found = candidates_of_any_kind(&sample, search, goal);
        let coarse = remainders.iter().filter(|statistic| statistic.is_coarser_than(grid));
        let coarse = coarse.filter_map(|s| thresholds(&sample, s.clone(), &[], true));
        found.extend(in_order(coarse.collect(), (&sample, None), search.judged, goal));
        found
    });
    let rounded =
        |candidate: Candidate| Candidate { scorer: candidate.scorer.rounded(grid), ..candidate };
    found.into_iter().flatten().map(rounded).collect()
}

/// Grid that separates values and bits, if some of a sample's candidates use bits and promise a
/// violation, or the best does, or the claim is not about bits.
pub fn grid_apart(sample: &Sample<'_>, found: &[Candidate], goal: &Goal) -> Option<f64> {
    let wanted = matches!(goal.sight, Sight::Both | Sight::BothByValues);
    let best = found.iter().max_by(|a, b| a.ranking_score().total_cmp(&b.ranking_score()));
    let tell = goal.sight == Sight::BothByValues
        || best.is_some_and(|best| best.scorer.sees_bits())
        || found.iter().any(|candidate| candidate.bits_tell(goal));
    (wanted && tell).then(|| grid(sample)).flatten()
}

/// Candidates by the partition that these outcomes suggest, along with the earlier ones, to be
/// judged on other outcomes: their own counts weigh a quarter, since they made the partition. Where
/// the earlier ones see numbers rounded to a grid, so do these.
pub fn partitions(shaping: &Sample<'_>, found: &[Candidate], goal: &Goal) -> Vec<Candidate> {
    let grid = found.iter().find_map(|candidate| candidate.scorer.grid());
    let beside_remainder = found.iter().any(|candidate| is_remainder(&candidate.scorer));
    let rounded = grid.map(|grid| (RoundedSample::of(shaping, grid), grid));
    let seen = rounded.as_ref().map(|(rounded, _)| rounded.as_sample());
    let seen = seen.as_ref().unwrap_or(shaping);
    let candidate = |proposal: Proposal| {
        let Folds { a, b } = count(&proposal, &[seen], false).all();
        let lighter = |counts: Vec<u64>| counts.into_iter().map(|n| n / OWN_WEIGHT).collect();
        let light = |tally: Tally| Tally { d: lighter(tally.d), d_prime: lighter(tally.d_prime) };
        let scorer = match &rounded {
            Some((_, grid)) => proposal.scorer.rounded(*grid),
            None => proposal.scorer,
        };
        let counts = Counts::unjudged(Folds { a: light(a), b: light(b) });
        Candidate { beside_remainder, ..Candidate::new(scorer, counts, 0.0, goal) }
    };
    propose_boxes(seen).into_iter().map(candidate).collect()
}

fn candidates_of_any_kind(sample: &Sample<'_>, search: Search<'_>, goal: &Goal) -> Vec<Candidate> {
    let Search { training, most, judged, will_be, quick, boxes } = search;
    let depth = Depth { quick, boxes };
    let mut proposals = propose(sample, training, depth);
    let timed = clock::propose(sample, &proposals);
    proposals.extend(timed);
    if proposals.len() == 1 && will_be {
        let only = proposals.remove(0);
        let counts = count(&only, &[sample], judged);
        let cut = DecisionRule::none(only.scorer.bins());
        let scorer = only.scorer;
        return vec![Candidate {
            scorer,
            counts,
            cut,
            predicted_bound: 0.0,
            beside_remainder: false,
        }];
    }
    let all_kinds = judged && proposals.len() > FEW;
    let shared = training.filter(|training| training.len() <= MOST_SHARED);
    let mut all = in_order(proposals, (sample, shared), judged, goal);
    // Keeps the best, and others that promise anything; where they are judged, the best of each
    // kind, since poorly known ones should become better known, and classifiers, since many weak
    // signals promise nothing before there are many outcomes.
    let (mut place, mut fitted, mut bits) = (0, 0, 0);
    let mut kinds = BTreeSet::new();
    all.retain(|candidate| {
        place += 1;
        let first = kinds.insert(candidate.scorer.kind());
        let promises = place <= most && candidate.predicted_bound() > 0.0;
        let classifies = judged
            && match candidate.scorer.weighs() {
                Some(Weighs::Alike) => true,
                Some(Weighs::Fitted) => {
                    fitted += 1;
                    fitted <= MOST_FITTED
                }
                None => false,
            };
        // Values and bits are separated: neither hides the other.
        bits += u32::from(candidate.bits_tell(goal));
        let first_by_bits = bits == 1 && candidate.bits_tell(goal);
        place == 1 || promises || first && all_kinds || classifies || first_by_bits
    });
    all
}

fn in_order(
    proposals: Vec<Proposal>,
    (sample, training): (&Sample<'_>, Option<&Sample<'_>>),
    judged: bool,
    goal: &Goal,
) -> Vec<Candidate> {
    let beside_remainder = proposals.iter().any(|proposal| is_remainder(&proposal.scorer));
    let counted = |proposal: Proposal| {
        let trained = matches!(proposal.scorer.weighs(), Some(Weighs::Fitted));
        let counts = match training {
            Some(training) if !trained => count(&proposal, &[sample, training], judged),
            _ => count(&proposal, &[sample], judged),
        };
        (proposal.scorer, counts)
    };
    let mut counted: Vec<(Scorer, Counts)> = proposals.into_par_iter().map(counted).collect();
    keep_telling(&mut counted, MOST_CUT[usize::from(judged)]);
    let new = |(scorer, counts)| Candidate {
        beside_remainder,
        ..Candidate::new(scorer, counts, 0.0, goal)
    };
    let mut all: Vec<Candidate> = counted.into_par_iter().map(new).collect();
    all.sort_by(|a, b| b.ranking_score().total_cmp(&a.ranking_score()));
    all
}

fn is_remainder(scorer: &Scorer) -> bool {
    let of = scorer.looking();
    matches!(of, Scorer::Thresholds { statistic: Statistic::Remainder { .. }, .. })
}

/// Counts samples in their parts; for a fitted scorer, only the outcomes that it was not fitted on.
fn count(proposal: &Proposal, samples: &[&Sample<'_>], judged: bool) -> Counts {
    let counter = Counter::new(&proposal.scorer);
    let bins = proposal.scorer.bins();
    let parts = if judged { 4 } else { 2 };
    // A fitted scorer has seen the even ones.
    let part = |place: usize| match proposal.fitted {
        true => (place % 2 == 1).then_some(place / 2 % parts),
        false => Some(place % parts),
    };
    let side = |batches: &mut dyn Iterator<Item = &&Outcomes>| {
        let mut counts = [(); 4].map(|()| vec![0; bins]);
        for batch in batches {
            counter.count_parts(batch, part, &mut counts.each_mut().map(|part| &mut part[..]));
        }
        counts
    };
    let mut tallies = {
        let d = side(&mut samples.iter().flat_map(|sample| &sample.d));
        d.into_iter().zip(side(&mut samples.iter().flat_map(|sample| &sample.d_prime)))
    };
    let [first, second, third, fourth] = [(); 4].map(|()| {
        let (d, d_prime) = tallies.next().expect("four of each side");
        Tally { d, d_prime }
    });
    if judged {
        Counts::judged([Folds { a: first, b: third }, Folds { a: second, b: fourth }])
    } else {
        Counts::unjudged(Folds { a: first, b: second })
    }
}

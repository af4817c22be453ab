//! Whether runs of the same request are independent: how much the counts of a witness vary from request to request.
//!
//! A test that counts runs takes them for independent. A program that draws something once for each request, or that
//! keeps what it drew, makes counts vary between its requests by more than chance. If the runs of a dataset are
//! independent draws, then given the totals the counts of its blocks have a multivariate hypergeometric law, whatever
//! the law of the outcomes is. So the observed variance exceeds that of each of n draws from it with probability at
//! most 1/(n + 1) (Lehmann & Romano, *Testing Statistical Hypotheses*, 15.2).

use crate::mechanism::Stream;
use crate::tally::Tally;
use crate::witness::Guess;
use rand_distr::{Distribution, Hypergeometric};
use std::sync::{Mutex, PoisonError};

/// Draws that the observed variance must exceed: it is taken for more than chance with probability at most
/// 1/1000 where runs are independent.
const DRAWS: usize = 999;
/// By how much, relatively, it must: sums in another order are rounded in another way.
const ROUNDING: f64 = 1e-9;

/// Counts how often frozen witnesses name each dataset, block by block.
pub struct Spread {
    witnesses: Vec<Vec<Guess>>,
    blocks: Mutex<Vec<(u64, Vec<[Counts; 2]>)>>,
}

/// What a witness said of the runs of a block on one dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    runs: u64,
    /// How often it named D, and D'.
    said: [u64; 2],
}

impl Counts {
    fn of(tally: &[u64], says: &[Guess]) -> Self {
        let mut counts = Self::default();
        for (n, says) in tally.iter().zip(says) {
            counts.runs += n;
            match says {
                Guess::D => counts.said[0] += n,
                Guess::DPrime => counts.said[1] += n,
                Guess::Abstain => {}
            }
        }
        counts
    }
}

impl Spread {
    /// Of these witnesses, each by what it says of its bins.
    pub fn of(witnesses: Vec<Vec<Guess>>) -> Self {
        Self { witnesses, blocks: Mutex::default() }
    }

    /// Takes the tallies of a block, one for each witness first; the number of the block orders them.
    pub(super) fn take(&self, block: u64, tallies: &[Tally]) {
        let counts =
            self.witnesses.iter().zip(tallies).map(|(says, tally)| {
                [&tally.d, &tally.d_prime].map(|counts| Counts::of(counts, says))
            });
        let counts = (block, counts.collect());
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
    }

    /// Whether the counts of a witness vary between blocks by more than chance.
    pub fn is_wide(&self, witness: usize, random: &mut Stream) -> bool {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        // Whichever thread was first: a seed gives one answer.
        blocks.sort_by_key(|(index, _)| *index);
        let of_dataset = |dataset: usize| -> Vec<Counts> {
            blocks.iter().map(|(_, counts)| counts[witness][dataset]).collect()
        };
        let observed = [of_dataset(0), of_dataset(1)];
        let totals = observed.each_ref().map(|blocks| total(blocks));
        let width = |drawn: &[Vec<Counts>; 2]| -> f64 {
            drawn.iter().zip(&totals).map(|(blocks, total)| variance(blocks, *total)).sum()
        };
        let least = width(&observed) * (1.0 - ROUNDING);
        let mut drawn = observed.clone();
        (0..DRAWS).all(|_| {
            drawn
                .iter_mut()
                .zip(&totals)
                .for_each(|(blocks, total)| redraw(blocks, *total, random));
            width(&drawn) < least
        })
    }
}

fn total(blocks: &[Counts]) -> Counts {
    blocks.iter().fold(Counts::default(), |sum, block| Counts {
        runs: sum.runs + block.runs,
        said: [sum.said[0] + block.said[0], sum.said[1] + block.said[1]],
    })
}

/// Pearson's sum: squares of what blocks have more or fewer than their share, over what is expected.
fn variance(blocks: &[Counts], total: Counts) -> f64 {
    let of = |which: usize| {
        let share = total.said[which] as f64 / total.runs.max(1) as f64;
        let each = |block: &Counts| {
            let expected = block.runs as f64 * share;
            (block.said[which] as f64 - expected).powi(2) / (expected * (1.0 - share))
        };
        let vary = share > 0.0 && share < 1.0;
        if vary { blocks.iter().filter(|block| block.runs > 0).map(each).sum() } else { 0.0 }
    };
    of(0) + of(1)
}

/// Deals the totals to the blocks anew.
fn redraw(blocks: &mut [Counts], total: Counts, random: &mut Stream) {
    let mut left = total;
    for block in blocks {
        // Of the runs that are left, those of the block; of those that are not its own first kind, its second.
        let first = hypergeometric(left.runs, left.said[0], block.runs, random);
        let others = left.runs - left.said[0];
        let second = hypergeometric(others, left.said[1], block.runs - first, random);
        block.said = [first, second];
        left.runs -= block.runs;
        left.said = [left.said[0] - first, left.said[1] - second];
    }
}

fn hypergeometric(all: u64, marked: u64, drawn: u64, random: &mut Stream) -> u64 {
    Hypergeometric::new(all, marked, drawn).map_or(0, |law| law.sample(random))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::binomial;
    use rand::{RngExt, SeedableRng};

    const BLOCKS: u64 = 200;

    /// A program that names D with the probability that `rate` gives for a request.
    fn spread(random: &mut Stream, mut rate: impl FnMut(&mut Stream) -> f64) -> Spread {
        let spread = Spread::of(vec![vec![Guess::Abstain, Guess::D, Guess::DPrime]]);
        for block in (0..BLOCKS).rev() {
            let mut tally = Tally::new(3);
            for side in [true, false] {
                let rate = rate(random);
                for _ in 0..20 + random.random_range(0..10u8) {
                    let counts = if side { &mut tally.d } else { &mut tally.d_prime };
                    counts[if random.random_bool(rate) {
                        1
                    } else {
                        random.random_range(0..3usize)
                    }] += 1;
                }
            }
            spread.take(block, &[tally]);
        }
        spread
    }

    /// Redrawn counts have the totals that they had.
    #[test]
    fn totals_stay() {
        let mut random = Stream::seed_from_u64(1);
        for _ in 0..200 {
            let mut blocks: Vec<Counts> = (0..7)
                .map(|_| {
                    let said = [random.random_range(0..9), random.random_range(0..9)];
                    Counts { runs: said[0] + said[1] + random.random_range(0..9), said }
                })
                .collect();
            let before = total(&blocks);
            redraw(&mut blocks, before, &mut random);
            assert_eq!(total(&blocks), before);
            assert!(blocks.iter().all(|block| block.said[0] + block.said[1] <= block.runs));
        }
    }

    /// At most one in 1000, of 2000 audits of independent runs: more than 17 have a probability below 1e-9.
    #[test]
    fn independent_runs_are_wide_as_rarely_as_said() {
        let limit = binomial::upper_quantile(1e-9, 2000, 1.0 / 1000.0);
        let wide = (0..2000)
            .filter(|seed| {
                let mut random = Stream::seed_from_u64(*seed);
                spread(&mut random, |_| 0.3).is_wide(0, &mut random)
            })
            .count() as u64;
        assert!(wide <= limit, "{wide} of 2000");
    }

    /// A request's own rate, of standard deviation .1 about .3: the variance is about 1.6 times that of
    /// independent runs, twelve standard deviations of it off.
    #[test]
    fn what_a_request_shares_is_wide() {
        let mut random = Stream::seed_from_u64(3);
        for _ in 0..20 {
            let shared = |random: &mut Stream| random.random_range(0.13..0.47);
            let spread = spread(&mut random, shared);
            assert!(spread.is_wide(0, &mut random));
        }
    }
}

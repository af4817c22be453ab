//! The most promising of several pairs, by successive halving.

use crate::audit::explore::Exploration;
use crate::audit::explore::closer::DOUBT;
use crate::audit::explore::searcher::as_sample;
use crate::game::{GameError, Phase};
use crate::witness::choose::{self, Candidate, Goal, candidates};

/// Trials that judge one pair among several.
const MOST_PER_PAIR: u64 = 1 << 12;
/// Fewest trials that tell anything of a pair; with fewer, not all pairs are examined.
const LEAST_PER_PAIR: u64 = 32;
/// Largest percentage of the trials for choosing a pair.
const MOST_FOR_PAIRS: u64 = 30;
/// Standard errors by which a pair may promise less than the best and still be the best.
const CLOSE: f64 = 1.0;
/// See [`CAUTION`].
const CAUTION_WITH_PAIRS: f64 = 0.5;
/// Candidates of each pair, while there are several pairs.
const CANDIDATES_PER_PAIR: usize = 6;

/// A pair of datasets with its candidates.
pub(in crate::audit) struct Promising {
    pub index: usize,
    pub candidates: Vec<Candidate>,
}

impl Promising {
    fn ranking_score(&self, goal: &Goal) -> f64 {
        self.best(goal).map_or(f64::NEG_INFINITY, |best| best.ranking_score_of_pair(goal))
    }

    fn best(&self, goal: &Goal) -> Option<&Candidate> {
        let standing = |candidate: &Candidate| candidate.ranking_score_of_pair(goal);
        self.candidates.iter().max_by(|a, b| standing(a).total_cmp(&standing(b)))
    }

    fn doubt(&self, goal: &Goal) -> f64 {
        self.best(goal).map_or(f64::INFINITY, Candidate::doubt)
    }

    /// Least and greatest promised bound, within about one standard error.
    fn range(&self, goal: &Goal) -> (f64, f64) {
        self.best(goal).map_or((0.0, 0.0), |best| {
            let (standing, error) =
                (best.ranking_score_of_pair(goal).max(0.0), CLOSE * best.error());
            (standing - error, standing + error)
        })
    }
}

impl<D: Sync> Exploration<'_, D> {
    /// The most promising pair, by successive halving, and the number of pairs examined. Half of
    /// the trials are for that, and more while one of the dropped half may be the best.
    pub(in crate::audit) fn survey(&mut self) -> Result<(Promising, usize), GameError> {
        let pairs = &self.audit.pairs;
        let budget = self.left / 2;
        let worth_it = (budget / LEAST_PER_PAIR).max(1);
        let surveyed = pairs.len().min(usize::try_from(worth_it).unwrap_or(usize::MAX));
        let most = if budget / 2 / surveyed as u64 >= LEAST_PER_PAIR { budget / 2 } else { budget };
        let each = (most / surveyed as u64).min(self.keep(MOST_PER_PAIR));
        let mut promising = Vec::with_capacity(surveyed);
        for (index, pair) in pairs.iter().enumerate().take(surveyed) {
            let blocks = self.game((pair, index), self.streams).sample(Phase::Survey, each)?;
            let most = CANDIDATES_PER_PAIR;
            let search = choose::Search {
                training: None,
                most,
                judged: true,
                will_be: false,
                quick: false,
                boxes: false,
            };
            let candidates = candidates(&as_sample(&blocks), search, &self.goal);
            promising.push(Promising { index, candidates });
        }
        let spent = each * surveyed as u64;
        self.spend(spent);
        let rounds = surveyed.next_power_of_two().trailing_zeros().max(1);
        let round = (budget - spent) / u64::from(rounds);
        let mut more = (self.trials / 100 * MOST_FOR_PAIRS).saturating_sub(budget);
        loop {
            most_promising_first(&mut promising, &self.goal);
            let each = round / promising.len() as u64;
            if promising.len() == 1 || each < LEAST_PER_PAIR {
                break;
            }
            for pair in &mut promising {
                let candidates = std::mem::take(&mut pair.candidates);
                let on = (&pairs[pair.index], pair.index);
                pair.candidates = self.rehearse(on, candidates, (each, CAUTION_WITH_PAIRS))?;
            }
            most_promising_first(&mut promising, &self.goal);
            let half = promising.len().div_ceil(2);
            let (least, _) = promising[0].range(&self.goal);
            let close = promising.iter().filter(|pair| pair.range(&self.goal).1 >= least).count();
            if close > half && more >= round && promising[0].doubt(&self.goal) > DOUBT {
                promising.truncate(close);
                more -= round;
                self.left += round;
                self.goal.set_trials(self.trials - self.explored - self.left);
            } else {
                promising.truncate(half);
            }
        }
        Ok((promising.swap_remove(0), surveyed))
    }
}

fn most_promising_first(pairs: &mut [Promising], goal: &Goal) {
    pairs.sort_by(|a, b| b.ranking_score(goal).total_cmp(&a.ranking_score(goal)));
}

//! Search for a pair in a domain, on a share of the explore trials: successive halving (Karnin,
//! Koren, Somekh 2013) over proposals of the `search` module, then small changes of the best.
//!
//! Each look at a pair has its own random stream, named by its number, so that the path is the same
//! with any number of threads.

use crate::audit::search::{Best, MOST_BEGUN, PairSearch, Recipe, name};
use crate::audit::settings::Audit;
use crate::game::{Block, Control, Game, GameError, Phase, Runs, Streams};
use crate::search::{self, Plan};
use crate::witness::choose::{Glance, Goal, Sample, glance};
use plaudit_core::dataset::Pair;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

pub struct ChosenPair<D> {
    pub pair: Pair<D>,
    pub recipe: Recipe,
    /// Number among all examined pairs: part of the names of its streams.
    pub number: usize,
    pub looked_at: usize,
    pub spent: u64,
}

const LEAST_PER_PAIR: u64 = 64;
const MOST_PER_PAIR: u64 = 1 << 15;
/// Most cells written in total for the initial pairs.
const MOST_WRITTEN: usize = 200_000_000;
/// Pairs with more cells are made one at a time, to keep only a few copies of them in memory.
pub const MANY_CELLS: usize = 200_000;
/// Proposed plans for each examined one: some are not neighbors, or are duplicates.
const PROPOSED: usize = 4;
const GENERATIONS: u64 = 3;
const PARENTS: usize = 4;
/// Number of pairs in the last comparison, which the most telling one wins.
const LAST: usize = 3;
/// Approximate number of trials for a changed plan.
const PER_MUTANT: u64 = 1024;

/// A pair that may be made.
#[derive(Clone)]
struct Item {
    number: usize,
    what: Recipe,
    score: f64,
    /// See [`Glance::telling`].
    telling: f64,
}

/// Shared state of all looks.
pub struct Searcher<'a, D> {
    audit: &'a Audit<D>,
    search: &'a PairSearch<D>,
    streams: &'a Streams,
    control: Control<'a>,
    runs: Runs,
    looks: usize,
    seen: HashSet<usize>,
    spent: u64,
}

impl<'a, D: Sync> Searcher<'a, D> {
    pub fn new(
        audit: &'a Audit<D>,
        search: &'a PairSearch<D>,
        runs: Runs,
        streams: &'a Streams,
        control: Control<'a>,
    ) -> Self {
        Self { audit, search, streams, control, runs, looks: 0, seen: HashSet::new(), spent: 0 }
    }

    /// Looks for the most telling pair with this number of trials, not necessarily all, and with a
    /// fifth more where something rare shows; each look keeps at most `most_kept`. `None`: no pair
    /// can be made.
    ///
    /// # Errors
    /// If it is interrupted or the mechanism breaks its contract.
    pub fn look_for(
        &mut self,
        trials: u64,
        most_kept: u64,
        goal: &Goal,
    ) -> Result<Option<ChosenPair<D>>, GameError> {
        let most = MOST_PER_PAIR.min(most_kept);
        let mut items = self.first_items();
        if !items.is_empty() {
            self.look(&mut items, trials / 4, most, goal)?;
            if items.first().is_some_and(|item| item.score > goal.allowed()) {
                return Ok(self.chosen(&items[0], items.len()));
            }
        }
        let part = (trials - self.spent) / 5;
        let mut numbered = self.search.first.len();
        let begun = self.begun(numbered, (part / LEAST_PER_PAIR).max(1) as usize);
        numbered += begun.len();
        items.extend(begun);
        // Halving, by quarters: each round has the same number of trials.
        for least in [6 * PARENTS, 4 * PARENTS, PARENTS] {
            self.look(&mut items, part, most, goal)?;
            let many = (items.len() / 4).max(least);
            keep(&mut items, many);
        }
        let mut all = items.clone();
        for generation in 0..GENERATIONS {
            let budget = part / GENERATIONS;
            let many = (budget / PER_MUTANT).clamp(PARENTS as u64, 24) as usize;
            items.extend(self.mutants(&items, many, generation, &mut numbered));
            self.look(&mut items, budget, most, goal)?;
            keep_best(&mut items, PARENTS);
        }
        // The winners were also lucky: the last ones are examined again, and so are the pairs that
        // the changes began with.
        items.retain(|item| all.iter().all(|known| known.number != item.number));
        all.extend(items);
        self.look(&mut all, part, most, goal)?;
        // A rare event must show once more.
        if all.iter().any(|item| item.telling > 0.0) {
            keep_best(&mut all, LAST);
            self.look(&mut all, part, most, goal)?;
        }
        Ok(all.first().and_then(|best| self.chosen(best, numbered)))
    }

    fn chosen(&self, item: &Item, looked_at: usize) -> Option<ChosenPair<D>> {
        let pair = self.pair(item)?;
        let recipe = item.what.clone();
        Some(ChosenPair { pair, recipe, number: item.number, looked_at, spent: self.spent })
    }

    fn first_items(&self) -> Vec<Item> {
        let item = |number| Item { number, what: Recipe::First(number), score: 0.0, telling: 0.0 };
        (0..self.search.first.len()).map(item).collect()
    }

    /// The initial plans, numbered from `first`: those that give pairs, each pair once.
    fn begun(&self, first: usize, most: usize) -> Vec<Item> {
        let neighborhood = &self.search.neighborhood;
        let most = most.min(MOST_BEGUN);
        let (named, scattered) = search::candidates(neighborhood, PROPOSED * most).all();
        let mut seen = HashSet::new();
        let mut written = 0;
        let mut begun = Vec::new();
        // At least a third of them are quasi-random.
        for (plans, until) in [(named, most - most / 3), (scattered, most)] {
            for plan in plans {
                if begun.len() >= until || written > MOST_WRITTEN {
                    break;
                }
                written += plan.cells();
                if plan.cells() < MANY_CELLS {
                    // Cheap to make, so that no look is wasted.
                    let Some(pair) = plan.pair(String::new(), neighborhood) else { continue };
                    if !seen.insert(search::fingerprint(&pair)) {
                        continue;
                    }
                }
                let number = first + begun.len();
                begun.push(Item { number, what: Recipe::Planned(plan), score: 0.0, telling: 0.0 });
            }
        }
        begun
    }

    fn mutants(
        &self,
        parents: &[Item],
        many: usize,
        generation: u64,
        numbered: &mut usize,
    ) -> Vec<Item> {
        let mut random = self.streams.block(0, Phase::Search)(generation);
        let plans: Vec<&Plan> = parents
            .iter()
            .filter_map(|item| match &item.what {
                Recipe::Planned(plan) => Some(plan),
                Recipe::First(_) | Recipe::Stored(_) => None,
            })
            .collect();
        let mutants = plans.iter().cycle().take(if plans.is_empty() { 0 } else { many });
        let mutants = mutants.map(|plan| {
            let plan = search::mutate(plan, &self.search.neighborhood, &mut random);
            *numbered += 1;
            Item { number: *numbered - 1, what: Recipe::Planned(plan), score: 0.0, telling: 0.0 }
        });
        mutants.collect()
    }

    /// Makes a pair, if the mechanism can run on both of its datasets.
    fn pair(&self, item: &Item) -> Option<Pair<D>> {
        self.search.pair(&item.what, name(item.number), &*self.audit.mechanism)
    }

    /// Looks at each pair with an equal share of the trials, at most `most`; sorts the pairs, most
    /// telling first, and drops those that cannot be made.
    fn look(
        &mut self,
        items: &mut Vec<Item>,
        trials: u64,
        most: u64,
        goal: &Goal,
    ) -> Result<(), GameError> {
        let each = (trials / items.len().max(1) as u64).min(most);
        let first = self.looks;
        self.looks += items.len();
        let this = &*self;
        let score = |(place, item): (usize, &Item)| this.score(item, first + place, each, goal);
        let in_parallel = self.runs == Runs::Independent
            && self.audit.mechanism.capabilities().batch.is_none()
            && items.iter().all(Item::is_small);
        let scores: Vec<_> = if in_parallel {
            items.par_iter().enumerate().map(score).collect()
        } else {
            items.iter().enumerate().map(score).collect()
        };
        let mut stopped = Ok(());
        for (item, score) in items.iter_mut().zip(scores) {
            let score = score.unwrap_or_else(|error| {
                stopped = stopped.clone().and(Err(error));
                None
            });
            item.score =
                score.map_or(f64::NEG_INFINITY, |glance| glance.predicted_bound.max(f64::MIN));
            item.telling = score.map_or(0.0, |glance| glance.telling);
            self.spent += score.map_or(0, |_| each);
        }
        items.retain(|item| item.score > f64::NEG_INFINITY);
        // Among equal ones the earlier proposal.
        items.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
        self.seen.extend(items.iter().map(|item| item.number));
        self.note_best(items);
        stopped
    }

    fn note_best(&self, items: &[Item]) {
        let Some(Item { number, what, .. }) = items.first() else { return };
        let best = Best { recipe: what.clone(), number: *number, looked_at: self.seen.len() };
        *self.search.best.lock().unwrap_or_else(PoisonError::into_inner) = Some(best);
    }

    /// Score of a pair, led by the bound that confirm is predicted to certify on it; `None` if the
    /// pair does not exist.
    fn score(
        &self,
        item: &Item,
        look: usize,
        trials: u64,
        goal: &Goal,
    ) -> Result<Option<Glance>, GameError> {
        if self.control.interrupted.load(Ordering::Relaxed) {
            return Err(GameError::Interrupted);
        }
        let Some(pair) = self.pair(item) else { return Ok(None) };
        let game = Game {
            mechanism: &*self.audit.mechanism,
            pair: &pair,
            pair_index: look,
            runs: self.runs,
            streams: self.streams,
            control: self.control,
        };
        let blocks = game.sample(Phase::Survey, trials)?;
        Ok(Some(glance(&as_sample(&blocks), goal)))
    }
}

/// Keeps `many` items: the best, and the one with the most telling word or shape, if any.
fn keep_best(items: &mut Vec<Item>, many: usize) {
    if items.len() <= many {
        return;
    }
    let by_telling = |a: &usize, b: &usize| items[*a].telling.total_cmp(&items[*b].telling);
    if let Some(most) = (many - 1..items.len()).max_by(by_telling)
        && items[most].telling > 0.0
    {
        items.swap(many - 1, most);
    }
    items.truncate(many);
}

/// Keeps `many` items: two thirds by their promise, the others by their most telling word or shape,
/// and by order of proposal. Among signals too weak for the trials of a look, the largest are luck,
/// and a rare event promises nothing before it is seen often.
fn keep(items: &mut Vec<Item>, many: usize) {
    if items.len() <= many {
        return;
    }
    let third = many / 3;
    let by_promise = many - third;
    let number = |item: &Item| item.number;
    items[by_promise..]
        .sort_by(|a, b| b.telling.total_cmp(&a.telling).then(a.number.cmp(&b.number)));
    items[by_promise + third.div_ceil(2)..].sort_by_key(number);
    items.truncate(many);
}

impl Item {
    fn is_small(&self) -> bool {
        match &self.what {
            Recipe::First(_) | Recipe::Stored(_) => true,
            Recipe::Planned(plan) => plan.cells() < MANY_CELLS,
        }
    }
}

/// Blocks of outcomes as a sample for proposing witnesses.
pub(in crate::audit) fn as_sample(blocks: &[Block]) -> Sample<'_> {
    Sample {
        d: blocks.iter().map(|block| &block.d).collect(),
        d_prime: blocks.iter().map(|block| &block.d_prime).collect(),
    }
}

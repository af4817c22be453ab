//! Search for pairs by an audit that is not given any.

use crate::mechanism::Mechanism;
use crate::search::{self, Described, Neighborhood, Plan, SearchDomain};
use plaudit_core::dataset::{Dataset, Pair, Relation};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

pub(in crate::audit) const MOST_BEGUN: usize = 300;

/// Source of pairs of neighbors for an audit that is not given any.
pub struct PairSearch<D> {
    /// Available datasets, and the relation of neighbors.
    pub neighborhood: Neighborhood,
    /// Pairs to try first, such as those found earlier.
    pub first: Vec<Pair<Dataset>>,
    make: fn(Dataset) -> Option<D>,
    /// Best pair of a run so far, in case it is interrupted.
    pub(in crate::audit) best: Mutex<Option<Best>>,
}

/// The most promising pair so far.
#[derive(Clone)]
pub struct Best {
    pub recipe: Recipe,
    pub number: usize,
    pub looked_at: usize,
}

impl Best {
    pub fn name(&self) -> String {
        name(self.number)
    }
}

pub(in crate::audit) fn name(number: usize) -> String {
    format!("found by search ({number})")
}

impl<D: Described> PairSearch<D> {
    /// A search through a domain, for pairs at most `group` neighbors apart.
    pub fn new(domain: SearchDomain, relation: Relation, group: u64) -> Self {
        let neighborhood = Neighborhood { domain, relation, group };
        Self { neighborhood, first: Vec::new(), make: D::of_dataset, best: Mutex::new(None) }
    }
}

impl<D> PairSearch<D> {
    /// The search for one run, with its own best pair.
    pub(in crate::audit) fn of_a_run(&self) -> Self {
        let Self { neighborhood, first, make, .. } = self;
        Self {
            neighborhood: neighborhood.clone(),
            first: first.clone(),
            make: *make,
            best: Mutex::new(None),
        }
    }

    pub(in crate::audit) fn best(&self) -> Option<Best> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(in crate::audit) fn described(
        &self,
        recipe: &Recipe,
        name: String,
    ) -> Option<Pair<Dataset>> {
        match recipe {
            Recipe::First(at) => self.first.get(*at).cloned(),
            Recipe::Planned(plan) => plan.pair(name, &self.neighborhood),
            Recipe::Stored(pair) => Some((**pair).clone()),
        }
    }

    /// The first pair that can be made, if there is one.
    pub(in crate::audit) fn any_pair(
        &self,
        mechanism: &dyn Mechanism<D>,
    ) -> Option<FoundPair<'_, D>> {
        let first = (0..self.first.len()).map(Recipe::First);
        let proposed = search::candidates(&self.neighborhood, MOST_BEGUN);
        let planned = proposed.named.into_iter().chain(proposed.scattered).map(Recipe::Planned);
        let made = |recipe| Some(FoundPair::Made(self.pair(&recipe, name(0), mechanism)?, recipe));
        first.chain(planned).find_map(made)
    }

    /// The pair of a recipe in the mechanism's form, if it accepts that.
    pub(in crate::audit) fn pair(
        &self,
        recipe: &Recipe,
        name: String,
        mechanism: &dyn Mechanism<D>,
    ) -> Option<Pair<D>> {
        self.make(self.described(recipe, name)?, mechanism)
    }

    /// A described pair in the mechanism's form, if it accepts that.
    pub(in crate::audit) fn make(
        &self,
        pair: Pair<Dataset>,
        mechanism: &dyn Mechanism<D>,
    ) -> Option<Pair<D>> {
        let Pair { name, d, d_prime } = pair;
        let pair = Pair { name, d: (self.make)(d)?, d_prime: (self.make)(d_prime)? };
        let accepts = |dataset: &D| mechanism.accepts(dataset).is_ok();
        (accepts(&pair.d) && accepts(&pair.d_prime)).then_some(pair)
    }
}

/// A pair of an audit, or one that was made for it.
pub enum FoundPair<'a, D> {
    Given(&'a Pair<D>),
    Made(Pair<D>, Recipe),
}

impl<D> Deref for FoundPair<'_, D> {
    type Target = Pair<D>;

    fn deref(&self) -> &Pair<D> {
        match self {
            Self::Given(pair) => pair,
            Self::Made(pair, _) => pair,
        }
    }
}

#[derive(Clone)]
pub enum Recipe {
    /// Pair to try first, by its number.
    First(usize),
    Planned(Plan),
    /// Stored pair that another run explored.
    Stored(Box<Pair<Dataset>>),
}

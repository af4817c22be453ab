//! The frozen results of explore, in a file that other runs confirm instead of exploring.
//!
//! A verdict does not rely on such a value: its pair must be neighbors, its witnesses must be such
//! as explore may freeze, and they are counted on trials that explore does not play. So the level
//! of the audit is the same, as long as the author of the value had not seen those trials.

use crate::audit::course::{Ending, Frozen};
use crate::audit::explore::searcher::MANY_CELLS;
use crate::audit::judge::leaks;
use crate::audit::search::{FoundPair, Recipe};
use crate::audit::settings::Audit;
use crate::audit::shards;
use crate::game::{Control, Runs, UndeclaredOutcome};
use crate::witness::choose::Sight;
use crate::witness::{Scorer, Witness};
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::reason::Degenerate;
use plaudit_core::inference::Test;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Source of the frozen choices that a run confirms.
#[derive(Clone, Copy, Default)]
pub enum Exploring<'a> {
    #[default]
    Here,
    /// The run explores, keeps its frozen choices, and then ends as if interrupted.
    Only(&'a FrozenKept),
    /// The run takes the frozen choices of another run.
    Taken(&'a FrozenTaken),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenExplore {
    /// SHA-256 of the frozen choices and of how runs are played, as in the counts of shards.
    hash: String,
    /// The pair, if a search made it; `None`: a pair of the audit's own.
    made: Option<Pair<Dataset>>,
    pair_index: usize,
    surveyed: usize,
    explored: u64,
    witness: Witness,
    test: Test,
    /// Witness of the bits of numbers, and its test, if bits tell.
    bits: Option<(Witness, Test)>,
    degenerate: Option<Degenerate>,
    /// Undeclared outcomes of explore.
    undeclared: UndeclaredOutcome,
}

#[derive(Default)]
pub struct FrozenKept(Mutex<Option<FrozenExplore>>);

impl FrozenKept {
    /// Kept choices; `None`: each run of the audit explores by itself, or ends before that.
    pub fn frozen(self) -> Option<FrozenExplore> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct FrozenTaken {
    frozen: FrozenExplore,
    problem: Mutex<Option<String>>,
}

impl FrozenTaken {
    pub fn new(frozen: FrozenExplore) -> Self {
        Self { frozen, problem: Mutex::default() }
    }

    /// Reason why it does not belong to this audit, if one is known.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn refuse<'a, D>(&self, why: &str) -> Ending<'a, D> {
        let why = format!("the frozen parts do not belong to this audit: {why}");
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        Ending::Broken(why)
    }
}

/// `true` if other runs may take explore's choices, without its runs before theirs.
pub(in crate::audit) fn is_kept<D>(audit: &Audit<D>, runs: Runs) -> bool {
    runs == Runs::Independent && audit.mechanism.capabilities().recordings.is_none()
}

/// Keeps the frozen choices, if other runs would take them.
pub(in crate::audit) fn keep<D: Serialize>(
    audit: &Audit<D>,
    frozen: &Frozen<'_, D>,
    (trials, runs): (u64, Runs),
    (kept, undeclared): (&FrozenKept, UndeclaredOutcome),
) {
    let made = match &frozen.pair {
        FoundPair::Given(_) => None,
        // Shrinking follows the plan of a large pair, which is not written.
        FoundPair::Made(_, Recipe::Planned(plan)) if plan.cells() >= MANY_CELLS => return,
        FoundPair::Made(pair, recipe) => {
            let search = audit.search.as_ref();
            match search.and_then(|search| search.described(recipe, pair.name.clone())) {
                Some(described) => Some(described),
                None => return,
            }
        }
    };
    let frozen = FrozenExplore {
        hash: shards::hash(frozen, trials, runs),
        made,
        pair_index: frozen.pair_index,
        surveyed: frozen.surveyed,
        explored: frozen.explored,
        witness: frozen.witness.clone(),
        test: frozen.test,
        bits: frozen.bits.clone(),
        degenerate: frozen.degenerate.clone(),
        undeclared,
    };
    if misfit(audit, &frozen, trials).is_none() {
        *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(frozen);
    }
}

pub(in crate::audit) fn take<'a, D: Serialize>(
    audit: &'a Audit<D>,
    taken: &FrozenTaken,
    (trials, runs): (u64, Runs),
    control: Control<'_>,
) -> Result<Frozen<'a, D>, Ending<'a, D>> {
    let of_file = &taken.frozen;
    if !is_kept(audit, runs) {
        return Err(taken.refuse("its runs depend on one another here"));
    }
    if let Some(why) = misfit(audit, of_file, trials) {
        return Err(taken.refuse(why));
    }
    let pair = pair(audit, of_file);
    let pair =
        pair.ok_or_else(|| taken.refuse("its pair is not a pair of neighbors of the audit"))?;
    let FrozenExplore { pair_index, surveyed, explored, test, .. } = *of_file;
    let FrozenExplore { witness, bits, degenerate, .. } = of_file.clone();
    let frozen = Frozen { pair, pair_index, surveyed, explored, witness, test, bits, degenerate };
    if shards::hash(&frozen, trials, runs) != of_file.hash {
        return Err(taken.refuse("its hash belongs to another pair, witness or number of trials"));
    }
    if let Some(undeclared) = control.undeclared {
        undeclared.add(&of_file.undeclared);
    }
    (control.progress)(explored);
    Ok(frozen)
}

/// Reason why explore cannot have frozen this, apart from its pair.
fn misfit<D>(audit: &Audit<D>, frozen: &FrozenExplore, trials: u64) -> Option<&'static str> {
    let FrozenExplore { witness, test, bits, explored, .. } = frozen;
    let both = || [(witness, test)].into_iter().chain(bits.iter().map(|(one, test)| (one, test)));
    if both().any(|(witness, _)| !witness.is_sound()) {
        return Some("the bins, guesses and order of its witness do not match");
    }
    let is_clock = |witness: &Witness| matches!(witness.scorer.looking(), Scorer::Clock(_));
    let is_fixed = |test: &Test| matches!(test, Test::Guess | Test::EventD | Test::EventDPrime);
    if both().any(|(witness, test)| is_clock(witness) || !is_fixed(test)) {
        return Some("its test is not a test for independent runs");
    }
    if *explored >= trials {
        return Some("it leaves no trials for confirm");
    }
    let fine = |witness: &Witness| witness.scorer.sees_fine_structure();
    let fits = match (leaks::sight(audit), bits) {
        (Sight::Values(grid), None) => witness.scorer.is_rounded_to(grid),
        (Sight::Both | Sight::BothByValues, Some((bits, _))) => {
            witness.scorer.grid().is_some() && fine(bits)
        }
        (Sight::BothByValues, None) => !fine(witness),
        (Sight::Both | Sight::Whole, None) => true,
        (Sight::Values(_) | Sight::Whole, Some(_)) => false,
    };
    (!fits).then_some("its witness uses digits of numbers that the claim does not cover")
}

/// The pair, if it is one of the audit's, or one that its search may find.
fn pair<'a, D>(audit: &'a Audit<D>, frozen: &FrozenExplore) -> Option<FoundPair<'a, D>> {
    let (search, made) = match (&audit.search, &frozen.made) {
        (None, None) => return audit.pairs.get(frozen.pair_index).map(FoundPair::Given),
        (Some(search), Some(made)) => (search, made),
        _ => return None,
    };
    let neighborhood = &search.neighborhood;
    let own = |dataset: &Dataset| neighborhood.domain.own(dataset.clone());
    let described =
        Pair { name: made.name.clone(), d: own(&made.d)?, d_prime: own(&made.d_prime)? };
    let Pair { d, d_prime, .. } = &described;
    neighborhood.relation.check_group(d, d_prime, neighborhood.group).ok()?;
    let recipe = Recipe::Stored(Box::new(described.clone()));
    Some(FoundPair::Made(search.make(described, &*audit.mechanism)?, recipe))
}

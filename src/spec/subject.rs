//! Who is audited, and of what claim.

use super::error::{Mistake, SpecSource};
use super::mechanism::post::After;
use super::mechanism::{Built, FunctionSpec, recorded};
use super::read::{self, Fields};
use super::{claim, mechanism, relation};
use plaudit_core::claim::Claim;
use plaudit_core::dataset::{Dataset, Pair, Relation, Stated};
use plaudit_engine::game::Runs;
use plaudit_engine::mechanism::CatalogMechanism;

/// The mechanism, how it runs, and what is claimed of it. A field that is `None` was invalid: reported already.
pub(super) struct Subject {
    pub claim: Option<Claim>,
    pub mechanism: Option<Built>,
    pub is_program: bool,
    /// The pair and the most trials of recorded outcomes.
    pub recorded: Option<(Pair<Dataset>, u64)>,
    pub relation: Option<Stated>,
    pub runs: Runs,
}

impl Subject {
    pub fn read(
        fields: &Fields<'_>,
        (source, function): (&SpecSource, Option<&FunctionSpec>),
        mistakes: &mut Vec<Mistake>,
        after: Option<&After>,
    ) -> Self {
        let claim = claim::read(fields, mistakes);
        let file = &source.path;
        let from_files = fields.get(recorded::RECORDED);
        let (mechanism, recorded) = match from_files {
            Some(value) => recorded::read(value, fields, file, mistakes)
                .map(|read| (read.built, (read.pair, read.most_trials)))
                .unzip(),
            None => {
                let read = mechanism::read(fields, file, function);
                (read::keep(mistakes, read), None)
            }
        };
        // If the mechanism was wrong, what is written says what it was to be.
        let is_program = match &mechanism {
            Some(built) => built.takes_any_value(),
            None => mechanism::is_written_as_program(fields),
        };
        let is_staged = mechanism.as_ref().is_some_and(Built::is_staged);
        let relation = relation::read(fields, is_program || from_files.is_some());
        let relation = read::keep(mistakes, relation);
        let mut flag = |key: &str| read::keep(mistakes, fields.flag(key)).unwrap_or(false);
        let runs = match (flag("stateful"), flag("clock")) {
            (_, true) => Runs::Timed,
            (true, _) => Runs::Stateful,
            _ => Runs::Independent,
        };
        if runs == Runs::Timed && is_staged {
            let (message, help) = mechanism::NO_TIME;
            mistakes.push(Mistake::new(fields.place_of("clock"), message, help));
        }
        let mechanism = mechanism.map(|built| match after {
            Some(after) => after.of(built),
            None => built,
        });
        Self { claim, mechanism, is_program, recorded, relation, runs }
    }

    pub fn mechanism(&self) -> Option<&dyn CatalogMechanism> {
        self.mechanism.as_ref().map(|built| built.mechanism.as_ref())
    }

    /// Most neighbor steps between the datasets of a pair.
    pub fn group(&self) -> u64 {
        self.claim.as_ref().map_or(1, Claim::group_size)
    }

    pub fn checked_relation(&self) -> Option<Relation> {
        self.relation.as_ref().and_then(Stated::checked).cloned()
    }
}

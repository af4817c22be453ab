//! Counts of the explore trials by parts: each part judges the suggestions of the others.

use plaudit_core::tally::Tally;

/// Two parts for finding a cut: each judges the suggestions of the other.
#[derive(Clone, Debug)]
pub struct Folds {
    pub a: Tally,
    pub b: Tally,
}

impl Folds {
    pub fn new(bins: usize) -> Self {
        Self { a: Tally::new(bins), b: Tally::new(bins) }
    }

    pub fn pooled(&self) -> Tally {
        self.a.clone().plus(&self.b)
    }

    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self { a: self.a.plus(&other.a), b: self.b.plus(&other.b) }
    }
}

#[derive(Clone, Debug)]
pub struct Counts {
    known: Folds,
    /// Parts that judge each other's cuts, which `known` also makes, so that nothing judges itself.
    /// Without them cuts are not judged.
    judges: Option<[Folds; 2]>,
}

impl Counts {
    pub fn unjudged(known: Folds) -> Self {
        Self { known, judges: None }
    }

    pub fn judged(judges: [Folds; 2]) -> Self {
        let known = Folds::new(judges[0].a.bins());
        Self { known, judges: Some(judges) }
    }

    pub fn all(&self) -> Folds {
        let judges = self.judges.iter().flatten();
        judges.fold(self.known.clone(), |all, judge| all.plus(judge))
    }

    /// Counts for a cut, each with the counts that judge it; `None` if there are no judges.
    pub fn halves(&self) -> Option<[(Folds, Tally); 2]> {
        let [first, second] = self.judges.as_ref()?;
        let (one, other) = (first.pooled(), second.pooled());
        let both_sides = |tally: &Tally| tally.trials_d() > 0 && tally.trials_d_prime() > 0;
        (both_sides(&one) && both_sides(&other)).then(|| {
            let by = |folds| self.known.clone().plus(folds);
            [(by(first), other), (by(second), one)]
        })
    }

    /// Adds counts that do not judge.
    #[must_use]
    pub fn and_known(self, more: &Folds) -> Self {
        Self { known: self.known.plus(more), ..self }
    }

    /// Adds counts that judge one another.
    #[must_use]
    pub fn and_judges(self, new: [Folds; 2]) -> Self {
        let judges = match self.judges {
            Some([first, second]) => [first.plus(&new[0]), second.plus(&new[1])],
            None => new,
        };
        Self { judges: Some(judges), ..self }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/rule/folds.rs"]
mod tests;

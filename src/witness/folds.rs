//! Counts of the explore trials by parts: what some suggest, others judge.

use crate::tally::Tally;

/// Two parts: what the one suggests the other judges, to find a cut.
#[derive(Clone, Debug)]
pub struct Folds {
    /// One part.
    pub a: Tally,
    /// The other.
    pub b: Tally,
}

impl Folds {
    /// Nothing counted.
    pub fn new(bins: usize) -> Self {
        Self { a: Tally::new(bins), b: Tally::new(bins) }
    }

    /// Both together.
    pub fn pooled(&self) -> Tally {
        self.a.clone().plus(&self.b)
    }

    /// With more counts.
    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self { a: self.a.plus(&other.a), b: self.b.plus(&other.b) }
    }
}

/// All counts of a scorer.
#[derive(Clone, Debug)]
pub struct Counts {
    /// What cuts are made by, and not judged.
    known: Folds,
    /// A cut by `known` and one of these is judged by the other, so that each judges and nothing
    /// judges itself. Without them cuts are not judged.
    judges: Option<[Folds; 2]>,
}

impl Counts {
    /// Counts that do not judge.
    pub fn unjudged(known: Folds) -> Self {
        Self { known, judges: None }
    }

    /// Counts that judge one another.
    pub fn judged(judges: [Folds; 2]) -> Self {
        let known = Folds::new(judges[0].a.bins());
        Self { known, judges: Some(judges) }
    }

    /// All of them.
    pub fn all(&self) -> Folds {
        let judges = self.judges.iter().flatten();
        judges.fold(self.known.clone(), |all, judge| all.plus(judge))
    }

    /// Counts to cut by, each with those that judge the cut; none where nothing judges.
    pub fn halves(&self) -> Option<[(Folds, Tally); 2]> {
        let [first, second] = self.judges.as_ref()?;
        let (one, other) = (first.pooled(), second.pooled());
        let both_sides = |tally: &Tally| tally.trials_d() > 0 && tally.trials_d_prime() > 0;
        (both_sides(&one) && both_sides(&other)).then(|| {
            let by = |folds| self.known.clone().plus(folds);
            [(by(first), other), (by(second), one)]
        })
    }

    /// With more counts that do not judge.
    #[must_use]
    pub fn and_known(self, more: &Folds) -> Self {
        Self { known: self.known.plus(more), ..self }
    }

    /// With more counts that judge one another.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BINS: usize = 3;

    fn tally() -> impl Strategy<Value = Tally> {
        let side = || prop::collection::vec(0..5u64, BINS);
        (side(), side()).prop_map(|(d, d_prime)| Tally { d, d_prime })
    }

    fn folds() -> impl Strategy<Value = Folds> {
        (tally(), tally()).prop_map(|(a, b)| Folds { a, b })
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_judges_itself(
            known in folds(),
            [first, second, more, others] in [folds(), folds(), folds(), folds()],
        ) {
            let all = [&known, &first, &second, &more, &others];
            let all = all.iter().fold(Tally::new(BINS), |sum, folds| sum.plus(&folds.pooled()));
            let counts = Counts::judged([first, second]).and_known(&known);
            let counts = counts.and_judges([more, others]);
            prop_assert_eq!(counts.all().pooled(), all.clone());
            for (by, judge) in counts.halves().into_iter().flatten() {
                prop_assert!(judge.trials_d() > 0 && judge.trials_d_prime() > 0);
                prop_assert_eq!(by.pooled().plus(&judge), all.clone());
            }
        }

        #[test]
        fn what_is_only_known_is_not_judged(known in folds(), more in folds()) {
            let counts = Counts::unjudged(known.clone()).and_known(&more);
            prop_assert!(counts.halves().is_none());
            prop_assert_eq!(counts.all().pooled(), known.plus(&more).pooled());
        }
    }
}

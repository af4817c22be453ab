//! Unit tests of `witness::folds`.

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
    // A failed seed is printed, not written into a folder of src.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

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

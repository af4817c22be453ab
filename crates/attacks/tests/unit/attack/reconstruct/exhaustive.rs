use super::*;
use proptest::prelude::*;

/// Reference result, table by table and query by query.
fn plainly(answers: &[(usize, f64)], entries: u32, bound: f64, truth: u64) -> Fitting {
    let misfit = |table: u64| {
        let of = |(subset, answer): &(usize, f64)| {
            (f64::from((table & *subset as u64).count_ones()) - answer).abs()
        };
        answers.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    };
    let tables = 0..1_u64 << entries;
    let best = tables.clone().reduce(|a, b| if misfit(b) < misfit(a) { b } else { a }).unwrap();
    let survivors: Vec<u64> = tables.filter(|table| misfit(*table) <= bound).collect();
    let farthest = survivors.iter().map(|table| (table ^ truth).count_ones()).max().unwrap_or(0);
    Fitting { best, misfit: misfit(best), survivors: survivors.len() as u64, farthest }
}

proptest! {
    #[test]
    fn all_tables_at_once_are_as_each_alone(
        entries in 1_u32..7,
        // Whole numbers of steps: sums are exact.
        answers in prop::collection::vec((0_usize..64, -8_i32..64), 1..40),
        bound in 0_i32..16,
        truth in 0_u64..64,
    ) {
        let all = 1 << entries;
        let answers: Vec<_> =
            answers.iter().map(|(s, a)| (s % all, f64::from(*a) / 8.0)).collect();
        let truth = truth % all as u64;
        let bound = f64::from(bound) / 8.0;
        let mut asked = SubsetQueries::nothing(entries as usize);
        answers.iter().for_each(|(subset, answer)| asked.insert(*subset, *answer));
        prop_assert_eq!(asked.fit(bound, truth), plainly(&answers, entries, bound, truth));
    }
}

#[test]
fn threads_change_nothing() {
    let entries = 16;
    let truth = 0xa5c3;
    let mut asked = SubsetQueries::nothing(entries);
    for subset in 0..1_usize << entries {
        let count = f64::from((subset as u64 & truth).count_ones());
        asked.insert(subset, count + f64::from(subset as u32 * 7 % 16) / 16.0);
    }
    let fit = asked.clone().fit(0.9375, truth);
    assert!(fit.survivors >= 1 && fit.misfit <= 0.9375 && fit.farthest <= 3, "{fit:?}");
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| asked.fit(0.9375, truth)), fit);
}

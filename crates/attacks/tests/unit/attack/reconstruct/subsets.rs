use super::*;
use plaudit_core::random::{Phase, Streams};

#[test]
fn products_are_sums_over_subsets() {
    for (entries, queries) in [(1, 1), (7, 3), (64, 65), (65, 64), (200, 300)] {
        let mut random = Streams::new(1, "subsets").block(0, Phase::Rebuild)(0);
        let subsets = Subsets::drawn(entries, queries, &mut random);
        assert_eq!((subsets.entries(), subsets.queries()), (entries, queries));
        let has = |query: usize, entry: usize| {
            subsets.by_query.row(query)[entry / 64] >> (entry % 64) & 1 == 1
        };
        let x: Vec<f64> = (0..entries).map(|entry| entry as f64 - 3.0).collect();
        let u: Vec<f64> = (0..queries).map(|query| 5.0 - query as f64).collect();
        for (query, sum) in subsets.sums(&x).into_iter().enumerate() {
            let members = (0..entries).filter(|entry| has(query, *entry));
            assert_eq!(sum, members.map(|entry| x[entry]).sum::<f64>());
        }
        let together = subsets.together();
        for (entry, sum) in subsets.sums_by_entry(&u).into_iter().enumerate() {
            let of_entry: Vec<usize> = (0..queries).filter(|query| has(*query, entry)).collect();
            assert_eq!(sum, of_entry.iter().map(|query| u[*query]).sum::<f64>());
            assert_eq!(together[entry].len(), entry + 1);
            for (other, found) in together[entry].iter().enumerate() {
                let both = of_entry.iter().filter(|query| has(**query, other)).count();
                assert_eq!(*found, both as f64);
            }
        }
    }
}

//! Unit tests of `witness::propose`.

use super::atoms::FEW_OUTCOMES;
use super::*;

/// `many` lists, the first of them once and the others repeatedly.
fn lists(many: usize, outcomes: usize) -> Outcomes {
    let mut batch = Outcomes::new();
    batch.push_vector(&[-1.0, -1.0]);
    (1..outcomes).for_each(|i| batch.push_vector(&[0.0, (i % (many - 1)) as f64]));
    batch
}

#[test]
fn of_few_lists_each_is_told_apart_and_nothing_else_is_looked_at() {
    let kinds = |many, outcomes| {
        let batch = lists(many, outcomes);
        let sample = Sample { d: vec![&batch], d_prime: vec![&batch] };
        propose(&sample, None, Depth { quick: true, ..Depth::default() })
    };
    let few = kinds(FEW_OUTCOMES, 500);
    let [Proposal { scorer: Scorer::Atoms { atoms }, .. }] = &few[..] else {
        panic!("{} proposals", few.len());
    };
    assert_eq!(atoms.len(), FEW_OUTCOMES);
    // One more, or too few outcomes to exclude others.
    assert!(kinds(FEW_OUTCOMES + 1, 500).len() > 1);
    assert!(kinds(FEW_OUTCOMES, 100).len() > 1);
}

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_likeliest_has_the_least_sum_of_squares(
        entries in 1_usize..7,
        answers in prop::collection::vec((0_usize..64, -8_i32..64), 1..40),
    ) {
        let all = 1 << entries;
        let answers: Vec<_> =
            answers.iter().map(|(s, a)| (s % all, f64::from(*a) / 8.0)).collect();
        let mut summed = SquaredMisfits::nothing(entries);
        answers.iter().for_each(|(subset, answer)| summed.insert(*subset, *answer));
        let squares = |table: usize| -> f64 {
            let count = |subset: usize| f64::from((table & subset).count_ones());
            answers.iter().map(|(subset, answer)| (count(*subset) - answer).powi(2)).sum()
        };
        let least = (0..all).map(squares).fold(f64::INFINITY, f64::min);
        prop_assert_eq!(squares(summed.likeliest() as usize), least);
    }
}

/// More people than one thread takes together.
#[test]
fn exact_answers_have_one_likeliest_table() {
    for truth in [0, 1, 0x3fff, 0x2a5c_usize] {
        let mut summed = SquaredMisfits::nothing(14);
        for subset in 0..1_usize << 14 {
            summed.insert(subset, f64::from((subset & truth).count_ones()));
        }
        assert_eq!(summed.likeliest(), truth as u64);
    }
}

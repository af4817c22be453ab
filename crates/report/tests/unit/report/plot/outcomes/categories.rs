use super::*;

fn bin(index: usize, share: f64, says: Guess) -> DrawnBin {
    let (interval, value, label) = (None, None, index.to_string());
    DrawnBin { index, label, interval, value, share_d: share, share_d_prime: 0.0, says }
}

#[test]
fn no_outcome_is_lost_when_there_are_many() {
    for bins in [0, 1, 10, 11, 500] {
        for says in [[Guess::D; 3], [Guess::D, Guess::DPrime, Guess::Abstain], [Guess::Abstain; 3]]
        {
            let all: Vec<_> = (0..bins).map(|i| bin(i, 1.0 / 512.0, says[i % 3])).collect();
            let rows = rows(all);
            assert!(rows.len() <= ROWS);
            let total: f64 = rows.iter().map(|bin| bin.share_d).sum();
            assert!((total - bins as f64 / 512.0).abs() < 1e-12);
        }
    }
}

#[test]
fn rare_bins_of_the_witness_come_first() {
    let mut all: Vec<_> = (0..400).map(|i| bin(i, 0.002, Guess::Abstain)).collect();
    all.extend((400..500).map(|i| bin(i, 1e-6, Guess::DPrime)));
    let rows = rows(all);
    let named = rows.iter().take_while(|bin| bin.says == Guess::DPrime).count();
    assert_eq!((named, rows.len()), (7, 10));
    assert_eq!(rows[6].label, "94 others, where it says D′");
}

#[test]
fn the_witness_has_a_row_for_what_it_never_saw() {
    let rows = rows(vec![bin(0, 0.0, Guess::D), bin(1, 1.0, Guess::Abstain)]);
    assert_eq!(rows.len(), 2);
}

use super::{Judgement, scaled, widened};
use crate::witness::{Scorer, Witness};
use plaudit_core::claim::Claim;
use plaudit_core::inference::{Corner, Test};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

const CONFIRM: u64 = 51_000;
const ALPHA: f64 = 1e-6;

fn settled(says: [Guess; 2], test: Test, explored: &Tally) -> (Witness, Test) {
    let claim = Claim::approximate(1.0, 0.00493).unwrap();
    let corner = Corner::leaning(ALPHA, 0.5);
    let scorer = Scorer::Atoms { atoms: Vec::new() };
    let witness = Witness { scorer, says: says.to_vec(), corner, order: vec![0, 1] };
    widened((&claim, 2.0), (witness, test), explored, (CONFIRM, ALPHA))
}

#[test]
fn what_speaks_against_the_claim_is_not_drowned_in_guesses_on_all_else() {
    use Guess::{Abstain, D, DPrime};
    let claim = Claim::approximate(1.0, 0.00493).unwrap();
    let one = Tally { d: vec![1, 4480], d_prime: vec![60, 4459] };
    let other = Tally { d: one.d_prime.clone(), d_prime: one.d.clone() };
    for test in [Test::Guess, Test::Betting] {
        for (explored, side) in [(&one, DPrime), (&other, D)] {
            for says in [[Abstain, Abstain], [side, Abstain], [D, DPrime], [DPrime, D]] {
                let (witness, test) = settled(says, test, explored);
                assert_eq!(witness.says, [side, Abstain], "{says:?} {test:?}");
                let confirmed = scaled(explored, CONFIRM);
                let judged = Judgement::of(&confirmed, &witness, test, &claim, ALPHA);
                assert!(judged.refutes(ALPHA), "{}", judged.p_value);
            }
        }
    }
}

#[test]
fn where_nothing_speaks_against_the_claim_it_guesses_on_as_much_as_power_asks_for() {
    use Guess::{Abstain, D, DPrime};
    // As claimed, a little more by luck, and less.
    for seen in [22, 29, 10] {
        let explored = Tally { d: vec![0, 4480], d_prime: vec![seen, 4520 - seen] };
        for test in [Test::Guess, Test::Betting] {
            let (witness, _) = settled([Abstain, Abstain], test, &explored);
            assert_eq!(witness.says, [DPrime, D], "{seen} {test:?}");
        }
    }
}

use super::{Compared, Seeds};
use crate::mechanism::{Outcome, Outcomes};

fn answer(said: impl IntoIterator<Item = i64>) -> Vec<Outcomes> {
    let mut outcomes = Outcomes::new();
    said.into_iter().for_each(|number| outcomes.push(Outcome::Integer(number)));
    vec![outcomes]
}

fn shown(one: &[Outcomes], other: &[Outcomes], elsewhere: &[Outcomes]) -> Seeds {
    Seeds::of(&[Compared { one, other, elsewhere }])
}

#[test]
fn equal_answers_tell_nothing_where_other_seeds_have_them_too() {
    let constant = answer([0; 16]);
    assert_eq!(shown(&constant, &constant, &constant), Seeds::Unseen);
    let many = answer([0; 4096]);
    assert_eq!(shown(&many, &many, &constant), Seeds::Unseen);
    // One repeated rare outcome may be chance, three are not.
    let rare = |times: i64| answer((0..256).map(|at| if at < times { at + 1 } else { 0 }));
    assert_eq!(shown(&rare(1), &rare(1), &constant), Seeds::Unseen);
    assert_eq!(shown(&rare(3), &rare(3), &constant), Seeds::Followed);
    let both = Compared { one: &rare(3), other: &rare(3), elsewhere: &constant };
    let dull = Compared { one: &constant, other: &constant, elsewhere: &constant };
    assert_eq!(Seeds::of(&[dull, both]), Seeds::Followed);
}

#[test]
fn noise_that_is_repeated_follows_the_seed() {
    let noise = |from: i64| answer(from..from + 16);
    assert_eq!(shown(&noise(0), &noise(0), &noise(100)), Seeds::Followed);
    let coins = answer([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]);
    let others = answer([1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1]);
    assert_eq!(shown(&coins, &coins, &others), Seeds::Followed);
    assert_eq!(shown(&coins, &others, &others), Seeds::Ignored);
    assert_eq!(shown(&noise(0), &noise(1), &noise(100)), Seeds::Ignored);
}

#[test]
fn one_other_answer_to_the_same_seed_is_enough() {
    let constant = answer([0; 16]);
    let rare = answer((0..16).map(|at| i64::from(at == 3)));
    assert_eq!(shown(&constant, &rare, &constant), Seeds::Ignored);
}

//! Unit tests of `witness::propose::coarse`.

use super::*;
use crate::mechanism::Outcomes;
use crate::witness::Counter;

const LISTS: [&[f64]; 6] = [
    &[f64::NAN, 3.25, 0.0, 0.0, 1.0],
    &[f64::NAN, f64::NAN, -7.5, 0.0, 1.0],
    &[f64::INFINITY, -0.0, 1.0],
    &[f64::NAN, 1.0],
    &[1.0, 1.0],
    &[],
];

fn coarse(part: Part, words: &[&str]) -> Coarse {
    let words = words.iter().map(|&word| word.to_owned()).collect();
    Coarse { part, values: vec![0.0, 1.0], words }
}

#[test]
fn entries_that_recur_are_told_apart_and_others_are_not() {
    let all = coarse(Part::All, &["", "*ab", "-*aab", "-b"]);
    assert_eq!(LISTS.map(|list| all.bin(list)), [2, 4, 1, 3, 4, 0]);
    let last = coarse(Part::Last(2), &["", "-b", "ab", "bb"]);
    assert_eq!(LISTS.map(|list| last.bin(list)), [2, 2, 2, 1, 3, 0]);
    let first = coarse(Part::First(1), &["-", "b"]);
    assert_eq!(LISTS.map(|list| first.bin(list)), [0, 0, 2, 0, 1, 2]);
    let before = coarse(Part::Before, &["", "*", "-", "-*", "--*"]);
    assert_eq!(LISTS.map(|list| before.bin(list)), [3, 4, 1, 2, 0, 0]);
    let after = coarse(Part::After, &["aab", "ab", "b", "bb"]);
    assert_eq!(LISTS.map(|list| after.bin(list)), [0, 1, 1, 2, 3, 4]);
    assert_eq!(all.bin(&[0.0; LONGEST + 1]), 4);
    assert!([all, last, first, before, after].iter().all(Coarse::is_sound));
}

#[test]
fn a_scorer_that_nobody_could_have_made_is_not_sound() {
    assert!(!coarse(Part::All, &["b", "a"]).is_sound());
    assert!(!coarse(Part::All, &["c"]).is_sound());
    assert!(!coarse(Part::All, &["a".repeat(LONGEST + 1).as_str()]).is_sound());
    assert!(!Coarse { values: vec![1.0, 0.0], ..coarse(Part::All, &[]) }.is_sound());
    assert!(!Coarse { values: vec![f64::NAN], ..coarse(Part::All, &[]) }.is_sound());
}

#[test]
fn it_is_the_same_when_read_from_a_certificate() {
    let values = vec![f64::NEG_INFINITY, 0.5];
    for part in [Part::All, Part::First(3), Part::Last(8), Part::Before, Part::After] {
        let coarse = Coarse { values: values.clone(), ..coarse(part, &["", "*-a", "b"]) };
        let scorer = Scorer::Coarse(coarse);
        let read: Scorer = serde_json::from_str(&serde_json::to_string(&scorer).unwrap()).unwrap();
        assert_eq!(read, scorer);
    }
}

#[test]
fn its_words_say_what_was_read() {
    let words = |part| coarse(part, &["-*ab"]).labels().concat();
    let list = "[missing, a varying number, 0, 1]";
    assert_eq!(words(Part::All), format!("the list {list}"));
    assert_eq!(words(Part::First(4)), format!("a list that begins with {list}"));
    assert_eq!(words(Part::Last(4)), format!("a list that ends with {list}"));
    // It is shorter than that.
    assert_eq!(words(Part::Last(5)), format!("the list {list}"));
}

#[test]
fn lists_of_answers_and_numbers_are_read_at_both_ends() {
    let mut batch = Outcomes::new();
    for i in 0..600 {
        let noisy = f64::from(i).sin();
        let zeros = i % 7;
        let mut list = vec![f64::NAN, noisy];
        list.extend(vec![0.0; zeros as usize]);
        list.extend([1.0, 1.0]);
        batch.push_vector(&list);
    }
    let sample = Sample { d: vec![&batch], d_prime: vec![&batch] };
    let proposals = propose(&sample);
    let parts: Vec<Part> = proposals
        .iter()
        .map(|proposal| match &proposal.scorer {
            Scorer::Coarse(coarse) => coarse.part,
            other => panic!("{}", other.kind()),
        })
        .collect();
    // They begin in only one way.
    assert_eq!(parts, [Part::All, Part::First(8), Part::Last(8), Part::After]);
    for Proposal { scorer, .. } in &proposals {
        assert!(scorer.is_sound());
        let [mut together, mut single] = [(); 2].map(|()| vec![0u64; scorer.bins()]);
        Counter::new(scorer).count(&batch, &mut together);
        batch.iter().for_each(|outcome| single[scorer.bin(outcome)] += 1);
        assert_eq!(together, single);
        assert_eq!(together.last(), Some(&0));
    }
}

#[test]
fn lists_without_answers_or_without_noise_are_left_to_others() {
    let mut noise = Outcomes::new();
    let mut answers = Outcomes::new();
    for i in 0..500 {
        noise.push_vector(&[f64::from(i).sin(), f64::from(i).cos()]);
        answers.push_vector(&[f64::from(i % 2), f64::from(i % 3)]);
    }
    for batch in [noise, answers] {
        let sample = Sample { d: vec![&batch], d_prime: vec![&batch] };
        assert!(propose(&sample).is_empty());
    }
}

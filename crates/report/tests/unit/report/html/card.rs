use super::pair_words;

#[test]
fn a_pair_is_said_once() {
    for (name, difference, words) in [
        ("row 617 removed (random)", "row 617 removed: vote 1", "row 617 removed (random): vote 1"),
        ("row 2 removed", "row 2 removed: 3", "row 2 removed: 3"),
        ("zero and one", "entry 0: 0 and 1", "zero and one: entry 0: 0 and 1"),
        ("zero and one", "", "zero and one"),
        ("", "entry 0", "entry 0"),
    ] {
        assert_eq!(pair_words(name, difference), words);
    }
}

use super::*;

#[test]
fn relations_are_read_back_from_their_words() {
    for relation in [
        Relation::Substitution,
        Relation::AddRemove,
        Relation::Histogram,
        Relation::L1(0.1),
        Relation::L2(1e-9),
        Relation::Linf(3.0),
        Relation::RemoveAll(People { id: "id".into(), most_rows: None }),
        Relation::ReplaceAll(People { id: "id".into(), most_rows: Some(3) }),
        Relation::RemoveAll(People { id: "a \"b\", most_rows = 3".into(), most_rows: None }),
        Relation::ReplaceAll(People { id: "\u{7}\n\\".into(), most_rows: Some(u64::MAX) }),
    ] {
        assert_eq!(relation_from_words(&relation.to_string()), Some(relation));
    }
    for words in [
        "",
        "l1",
        "l1 distance",
        "l1 distance x",
        "l1 distance -1",
        "l3 distance 1",
        "l2 distance inf",
        "l2 distance NaN",
        "remove-all",
        "remove-all id",
        "remove-all \"id",
        "remove-all \"id\", most_rows = 0",
        "remove-all \"id\", most_rows = x",
        "replace-all \"id\" \"b\"",
    ] {
        assert_eq!(relation_from_words(words), None, "{words}");
    }
}

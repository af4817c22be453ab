use super::*;

#[test]
fn slugs_are_plain_file_names_whatever_the_audit_is_called() {
    let long = "x".repeat(10_000);
    let hostile = [
        "../../x", "<script>", &long, "🦀", "", "\0", "CON", "nul", "LPT1", ".", "..", "/", "a/b",
        "C:\\x", "-", "con-2", "ε",
    ];
    for name in hostile {
        let slug = slug(name);
        assert!(!slug.is_empty() && slug.len() <= LONGEST + 6, "{name:?} -> {slug:?}");
        assert!(slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        assert!(!slug.starts_with('-') && !is_reserved(&slug), "{name:?} -> {slug:?}");
    }
}

#[test]
fn no_two_slugs_are_alike_even_when_a_number_is_part_of_a_name() {
    let mut slugs = Slugs::default();
    let given: Vec<_> = ["a", "a-2", "A", "a!", "a", ""].map(|name| slugs.of(name)).into();
    let distinct: HashSet<_> = given.iter().collect();
    assert_eq!(distinct.len(), given.len(), "{given:?}");
    assert_eq!(given[..3], ["a", "a-2", "a-3"]);
}

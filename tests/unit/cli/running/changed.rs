use super::*;

#[test]
fn a_pattern_names_files_and_all_below_its_folders() {
    for (pattern, path, expected) in [
        ("src/noise/**", "src/noise/a.rs", true),
        ("src/noise/**", "src/noise/deep/a.rs", true),
        ("src/noise/**", "src/noises/a.rs", false),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/deep/a.rs", false),
        ("**/a.rs", "src/deep/a.rs", true),
        ("src/noise", "src/noise/deep/a.rs", true),
        ("src/noise", "src/noise2", false),
        ("src/?.rs", "src/a.rs", true),
        ("**", ".hidden/a", true),
    ] {
        assert_eq!(is_match(&Pattern::new(pattern).unwrap(), path), expected, "{pattern} {path}");
    }
}

#[test]
fn names_may_have_spaces_and_line_feeds() {
    let read = names(b"a b\0c\nd\0");
    assert_eq!(read.into_iter().collect::<Vec<_>>(), ["a b", "c\nd"]);
}

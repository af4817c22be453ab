use super::*;

#[test]
fn answers_are_numbers_lists_of_numbers_and_failures() {
    let read = |line: &str| read_numbers(line.as_bytes());
    assert_eq!(read("3"), Ok(Ok(vec![3.0])));
    assert_eq!(read("[1, 2.5]"), Ok(Ok(vec![1.0, 2.5])));
    assert_eq!(read("{\"$error\": \"no rows\"}"), Ok(Err("no rows".to_owned())));
    assert_eq!(read("9007199254740992"), Ok(Ok(vec![9_007_199_254_740_992.0])));
    for line in ["9007199254740993", "[9007199254740993]", "\"a\"", "null", "{\"a\": 1}", "x"] {
        assert!(matches!(read(line), Err(ProgramFailure::Protocol(_))), "{line}");
    }
}

#[test]
fn an_outcome_is_no_capability() {
    assert!(declares_query(b"{\"$capabilities\": [\"query\"]}"));
    for line in ["1.5", "{\"a\": 1}", "[\"query\"]", "{\"$capabilities\": []}", "\\x93NUMPY"] {
        assert!(!declares_query(line.as_bytes()), "{line}");
    }
}

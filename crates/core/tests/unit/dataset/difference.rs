use super::*;
use serde_json::json;

#[test]
fn numbers_that_are_not_finite_are_words_and_long_values_end_in_an_ellipsis() {
    let value = json!([0.5, { "$number": "nan" }, { "$number": "-inf" }, "{\"$number\":\"nan\"}"]);
    assert_eq!(json_words(&value), r#"[0.5,NaN,−∞,"{\"$number\":\"nan\"}"]"#);
    assert_eq!(shortened("abcdef", 6), "abcdef");
    assert_eq!(shortened("abcdef", 5), "abcd…");
    assert_eq!(short(&json!("x".repeat(80))).chars().count(), 60);
}

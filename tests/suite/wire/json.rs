//! Outcomes on JSON lines: what each line means, bit for bit, and that no line does harm.
//!
//! Exact but for the inputs that proptest draws; a failure is a mistake in the code.

use plaudit::mechanism::wire::{WireError, push_line, push_lines, push_lines_timed, write_line};
use plaudit::mechanism::{Entry, Keyed, Outcome, Outcomes};
use proptest::prelude::*;

fn read(line: &str) -> Result<Outcome, WireError> {
    let mut outcomes = Outcomes::new();
    push_line(line.as_bytes(), &mut outcomes)?;
    assert_eq!(outcomes.len(), 1, "{line}");
    Ok(outcomes.get(0).to_owned())
}

fn number(line: &str) -> f64 {
    match read(line) {
        Ok(Outcome::Number(x)) => x,
        other => panic!("{line}: {other:?}"),
    }
}

fn vector(line: &str) -> Vec<u64> {
    match read(line) {
        Ok(Outcome::Vector(values)) => values.iter().map(|x| x.to_bits()).collect(),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn scalars() {
    for (line, x) in [
        ("0.5", 0.5),
        ("-1e-3", -1e-3),
        ("1E+2", 100.0),
        ("4.9e-324", 5e-324),
        ("2.4703282292062328e-324", 5e-324),
        ("1.7976931348623157e308", f64::MAX),
        ("1e999", f64::INFINITY),
        ("-0", -0.0),
        ("-0.0", -0.0),
        ("0e5", 0.0),
        (" 2.5\r", 2.5),
        ("9007199254740993.0", 9_007_199_254_740_992.0),
        ("Infinity", f64::INFINITY),
        ("-Infinity", f64::NEG_INFINITY),
        (r#"{"$number":"inf"}"#, f64::INFINITY),
        (r#"{"$number": "-inf"}"#, f64::NEG_INFINITY),
    ] {
        assert_eq!(number(line).to_bits(), x.to_bits(), "{line}");
    }
    assert!(number("NaN").is_nan() && number(r#"{ "$number" : "nan" }"#).is_nan());
    for (line, outcome) in [
        ("0", Outcome::Integer(0)),
        ("-17", Outcome::Integer(-17)),
        ("true", Outcome::Integer(1)),
        ("false", Outcome::Integer(0)),
        ("999999999999999999", Outcome::Integer(999_999_999_999_999_999)),
        ("9223372036854775807", Outcome::Integer(i64::MAX)),
        ("-9223372036854775808", Outcome::Integer(i64::MIN)),
        ("9223372036854775808", Outcome::Structure("9223372036854775808".into())),
        ("null", Outcome::Structure("null".into())),
        ("\"\"", Outcome::Text(String::new())),
        (r#""a\"\\\/\n\u00e9\ud83d\ude00ü""#, Outcome::Text("a\"\\/\né😀ü".into())),
        (r#"{"$error":"late"}"#, Outcome::Failure("late".into())),
    ] {
        assert_eq!(read(line).expect(line), outcome, "{line}");
    }
}

#[test]
fn lists_are_vectors_where_they_can_be() {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(vector("[]"), bits(&[]));
    assert_eq!(vector("[ 1, -0.0 ,2.5e0 ]"), bits(&[1.0, -0.0, 2.5]));
    assert_eq!(vector("[true,false]"), bits(&[1.0, 0.0]));
    assert_eq!(vector("[null, 1]"), bits(&[f64::NAN, 1.0]));
    assert_eq!(
        vector(r#"[NaN,-Infinity,Infinity,{"$number":"inf"}]"#),
        bits(&[f64::NAN, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY])
    );
    assert_eq!(vector("[9007199254740992]"), bits(&[9_007_199_254_740_992.0]));
    for (line, canonical) in [
        ("[9007199254740993]", "[9007199254740993]"),
        ("[1, -9007199254740993]", "[1,-9007199254740993]"),
        ("[ \"b\", 1.0, 1e2, 1e-9]", r#"["b",1,100,1e-9]"#),
        ("[[1.50, 2], []]", "[[1.5,2],[]]"),
        (r#"[{"b":1,"a":"\u0062\n"}]"#, r#"[{"a":"b\n","b":1}]"#),
        (r#"[{"$set":["b","a"]}]"#, r#"[{"$set":["a","b"]}]"#),
        ("[1e300, [-0.0, NaN]]", "[1e300,[-0,NaN]]"),
    ] {
        assert_eq!(read(line).expect(line), Outcome::Structure(canonical.into()), "{line}");
    }
}

#[test]
fn objects_are_maps_and_sets() {
    let map = Keyed::new([
        ("a".to_owned(), Entry::Number(2.0)),
        ("b".to_owned(), Entry::Other("[1]".into())),
        ("c".to_owned(), Entry::Other("\"x\"".into())),
        ("d".to_owned(), Entry::Other("9007199254740993".into())),
        ("value".to_owned(), Entry::Other("null".into())),
    ]);
    let line = r#"{"c":"x", "a":1,"value":null, "b" : [1.0],"a":2, "d": 9007199254740993}"#;
    assert_eq!(read(line).expect("a map"), map.into());
    assert_eq!(read("{}").expect("a map"), Keyed::default().into());
    let set = read(r#"{"$set":["b","a","b"]}"#).expect("a set");
    assert_eq!(set, Keyed::from_iter(["a", "b"]).into());
    let set = read(r#"{"$set":[1,2.0,[1,"x"]]}"#).expect("a set");
    assert_eq!(set, Keyed::from_iter(["1", "2", "[1,\"x\"]"]).into());
    assert_eq!(read(r#"{"$set":[]}"#).expect("a set"), Keyed::default().into());
}

#[test]
fn what_is_written_is_strictly_json() {
    for (line, written) in [
        ("[[NaN, 1], -Infinity]", r#"[[{"$number":"nan"},1],{"$number":"-inf"}]"#),
        (r#"{"a": [NaN], "b": "NaN"}"#, r#"{"a":[{"$number":"nan"}],"b":"NaN"}"#),
        (
            r#"[{"Infinity": [Infinity, null, "x"]}]"#,
            r#"[{"Infinity":[{"$number":"inf"},null,"x"]}]"#,
        ),
    ] {
        let outcome = read(line).expect(line);
        assert_eq!(write_line(&outcome.as_ref()), written);
        assert_eq!(format!("{:?}", read(written)), format!("{:?}", Ok::<_, WireError>(outcome)));
    }
}

#[test]
fn times_come_with_any_outcome() {
    for (line, ns, outcome) in [
        (r#"{"$ns":1234,"value":0.5}"#, Some(1234), Outcome::Number(0.5)),
        (r#"{"value":"x", "$ns": 0}"#, Some(0), Outcome::Text("x".into())),
        (r#"{"$ns":7,"value":{"$error":"no"}}"#, Some(7), Outcome::Failure("no".into())),
        (r#"{"$ns":7,"value":null}"#, Some(7), Outcome::Structure("null".into())),
        ("3", None, Outcome::Integer(3)),
    ] {
        let mut outcomes = Outcomes::new();
        assert_eq!(push_line(line.as_bytes(), &mut outcomes), Ok(ns), "{line}");
        assert_eq!(outcomes.get(0).to_owned(), outcome, "{line}");
    }
}

#[test]
fn mistakes_are_named_with_an_excerpt() {
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(read(&deep(64)).is_ok());
    let too_deep = deep(100_000);
    for (line, why) in [
        ("", "expected an outcome, found an empty line"),
        ("   ", "expected an outcome, found an empty line"),
        ("Starting up...", "byte 1 is `S`, not a value"),
        ("1 2", "unexpected content after the value that ends at byte 2"),
        ("1.", "it ends where a digit should be (write `1.0`)"),
        ("[-4.]", "byte 5 is `]`, not a digit (write `-4.0`)"),
        (".5", "byte 1 is `.`, not a value"),
        ("+1", "byte 1 is `+`, not a value"),
        ("01", "superfluous 0"),
        ("-", "it ends where a digit should be"),
        ("1e", "it ends where a digit should be"),
        ("inf", "byte 1 is `i`, not a value (write `Infinity`)"),
        ("+inf", "byte 1 is `+`, not a value (write `Infinity`)"),
        ("-inf", "byte 2 is `i`, not a digit (write `-Infinity`)"),
        ("nan", "byte 1 is `n`, not a value (write `NaN`)"),
        ("[1.5, nan]", "byte 7 is `n`, not a value (write `NaN`)"),
        ("None", "byte 1 is `N`, not a value (write `null`)"),
        ("True", "byte 1 is `T`, not a value (write `true`)"),
        ("north", "byte 1 is `n`, not a value (put texts in double quotes)"),
        ("'north'", "byte 1 is `'`, not a value (put texts in double quotes)"),
        ("{'a': 1}", "byte 2 is `'`, not a key in double quotes: {'a': 1}"),
        ("1.inf", "byte 3 is `i`, not a digit: 1.inf"),
        ("\u{7}", "byte 1 is `\\x07`, not a value: "),
        ("\"a", "a string has no end"),
        ("\"\\x\"", "an escape that JSON does not know"),
        ("\"\\u12\"", "\\u needs four digits"),
        ("\"\\ud800\"", "half of a character"),
        ("\"\\ud800\\u0041\"", "half of a character"),
        ("\"a\tb\"", "must be escaped"),
        ("[1,]", "byte 4 is `]`, not a value"),
        ("[1", "it ends where `,` or `]` should be"),
        ("{\"a\"}", "byte 5 is `}`, not `:`"),
        ("{a: 1}", "not a key in double quotes"),
        (&too_deep, "nested deeper than 64"),
        (r#"{"$sets":["a"]}"#, "`$sets` is not a key here"),
        (r#"{"$set":["a"],"b":1}"#, "`$set` must be the only key"),
        (r#"{"$set":"a"}"#, "`$set` must be a list"),
        (r#"{"$error":1}"#, "`$error` must be a string"),
        (r#"{"$number":"one"}"#, "`$number` must be"),
        (r#"{"$ns":1}"#, "`$ns` needs `value`"),
        (r#"{"$ns":1,"value":1,"x":2}"#, "`$ns` needs `value`"),
        (r#"{"$ns":-1,"value":1}"#, "whole number of nanoseconds"),
        (r#"{"$ns":1.5,"value":1}"#, "whole number of nanoseconds"),
        (r#"[{"$error":"x"}]"#, "can only stand outside"),
        (r#"{"value":{"$error":"x"}}"#, "can only stand outside"),
        (r#"{"$ns":1,"value":{"$ns":1,"value":1}}"#, "can only stand outside"),
    ] {
        let mut outcomes = Outcomes::new();
        let error = push_line(line.as_bytes(), &mut outcomes).expect_err(line).to_string();
        assert!(error.contains(why), "{line}: {error}");
        assert!(outcomes.is_empty());
    }
    let error = push_line(b"\"\xff\"", &mut Outcomes::new()).expect_err("no UTF-8").to_string();
    assert_eq!(error, "a string is not UTF-8: \"\u{fffd}\"");
    let long = format!("\x1b[31m{}", "x".repeat(1 << 20));
    let error = push_line(long.as_bytes(), &mut Outcomes::new()).expect_err("no JSON");
    let WireError::Line { excerpt, .. } = error else { panic!("{error}") };
    assert!(excerpt.chars().count() <= 80 && excerpt.starts_with("\\u{1b}[31mx"), "{excerpt}");
}

#[test]
fn lines_are_taken_as_far_as_they_are_complete() {
    let mut outcomes = Outcomes::new();
    let buffer = b"0.5\n1.5\r\n\"a\"\n2.";
    assert_eq!(push_lines(buffer, 10, &mut outcomes), Ok((13, 3)));
    assert_eq!(push_lines(&buffer[13..], 10, &mut outcomes), Ok((0, 0)));
    assert_eq!(push_lines(buffer, 2, &mut outcomes), Ok((9, 2)));
    assert_eq!(outcomes.len(), 5);
    assert!(push_lines(b"3.5\nx\n4.5\n", 10, &mut outcomes).is_err());
    assert_eq!(outcomes.len(), 6);
    let mut times = Vec::new();
    let buffer = b"1\n{\"$ns\":5,\"value\":2}\n";
    push_lines_timed(buffer, 10, &mut outcomes, |time| times.push(time)).expect("lines");
    assert_eq!(times, [None, Some(5)]);
}

/// A line as some program would write it.
fn line() -> impl Strategy<Value = String> {
    let number = any::<u64>().prop_map(|bits| {
        let x = f64::from_bits(bits);
        if x.is_finite() { format!("{x:?}") } else { "NaN".into() }
    });
    let leaf = prop_oneof![
        number,
        any::<i64>().prop_map(|i| i.to_string()),
        any::<String>().prop_map(|s| serde_json::Value::from(s).to_string()),
        Just("null".to_owned()),
        Just("-Infinity".to_owned()),
        Just(r#"{"$number":"nan"}"#.to_owned()),
        Just(r#"{"$set":["a","b"]}"#.to_owned()),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|v| format!("[{}]", v.join(","))),
            prop::collection::vec(("[a-d]", inner), 0..6).prop_map(|entries| {
                let entry = |(key, value)| format!("\"{key}\": {value}");
                format!("{{{}}}", entries.into_iter().map(entry).collect::<Vec<_>>().join(", "))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn doubles_survive_bit_for_bit(bits in any::<u64>(), subnormal in any::<bool>()) {
        let x = f64::from_bits(if subnormal { bits & !(0x7ff << 52) } else { bits });
        if x.is_finite() {
            for line in [format!("{x:?}"), format!("{x:e}"), format!("{x:.17e}")] {
                prop_assert_eq!(number(&line).to_bits(), x.to_bits(), "{}", line);
                prop_assert_eq!(vector(&format!("[{line}]")), vec![x.to_bits()]);
            }
        }
    }

    #[test]
    fn integers_survive(i in any::<i64>(), small in -1000i64..1000) {
        prop_assert_eq!(read(&i.to_string()), Ok(Outcome::Integer(i)));
        prop_assert_eq!(read(&small.to_string()), Ok(Outcome::Integer(small)));
    }

    #[test]
    fn texts_survive(text in any::<String>()) {
        let line = serde_json::Value::from(text.as_str()).to_string();
        prop_assert_eq!(read(&line), Ok(Outcome::Text(text)));
    }

    #[test]
    fn what_is_canonical_stays_so(line in line()) {
        if let Outcome::Structure(canonical) = read(&line).expect("an outcome") {
            prop_assert_eq!(read(&canonical), Ok(Outcome::Structure(canonical.clone())));
        }
    }

    #[test]
    fn what_is_written_is_read_back(line in line(), bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        for outcome in [read(&line).expect("an outcome"), x.into(), vec![x, 1.0].into()] {
            let line = write_line(&outcome.as_ref());
            let json = serde_json::from_str::<serde_json::Value>(&line);
            prop_assert!(json.is_ok(), "no JSON: {}", line);
            let back = read(&line).expect("an outcome");
            prop_assert_eq!(format!("{:?}", back), format!("{:?}", outcome));
        }
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut outcomes = Outcomes::new();
        let before = push_line(&bytes, &mut outcomes).is_ok();
        prop_assert_eq!(outcomes.len(), usize::from(before));
        let _ = push_lines(&bytes, 50, &mut outcomes);
    }

    #[test]
    fn no_altered_line_does_harm(
        line in line(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), prop::sample::select(b"[]{}\",:\\-.e0$ \n".to_vec())],
        cut in any::<bool>(),
    ) {
        let mut bytes = line.into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let mut outcomes = Outcomes::new();
        let read = push_line(&bytes, &mut outcomes).is_ok();
        prop_assert_eq!(outcomes.len(), usize::from(read));
    }
}

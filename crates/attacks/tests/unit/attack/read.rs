use super::*;

fn lines(text: &[u8]) -> Result<Vec<f64>, (Option<u64>, String)> {
    in_lines(text, NumberKind::SCORES).map_err(|BadLine { line, why }| (line, why))
}

fn column(text: &[u8], column: Option<&str>) -> Result<Vec<f64>, (Option<u64>, String)> {
    in_column(text, column, NumberKind::SCORES).map_err(|BadLine { line, why }| (line, why))
}

#[test]
fn numbers_are_read_as_text_and_as_json() {
    let all = Ok(vec![1.0, -2.5, 1e-3, f64::INFINITY, f64::NEG_INFINITY]);
    assert_eq!(lines(b"1\n -2.5 \r\n1e-3\n\"+infinity\"\n-inf\n\n\n"), all);
    assert_eq!(column(b"1\n-2.5\n1e-3\n\"+infinity\"\n-inf", None), all);
    assert_eq!(column(b"score\n1\n-2.5\n1e-3\n+infinity\n-inf\n", None), all);
    assert_eq!(column(b"who,loss\na,1\nb,2\n", Some("loss")), Ok(vec![1.0, 2.0]));
    assert_eq!(lines(b""), Ok(vec![]));
    assert_eq!(column(b"loss\n", Some("loss")), Ok(vec![]));
}

#[test]
fn what_is_no_score_is_told_with_its_line() {
    let cases: [(Result<Vec<f64>, _>, u64, &str); 12] = [
        // Writers leave a missing score empty.
        (column(b"a\n1\n\n2\n", Some("a")), 3, "not a number"),
        (column(b"\n1\n2\n", None), 1, "not a number"),
        (column(b"a\n1\n\n", None), 3, "not a number"),
        (lines(b"1\nNaN\n"), 2, "NaN"),
        (lines(b"1\n2\n\n3\n"), 3, "empty"),
        (lines(b"1\n2,3\n"), 2, "`2,3` is not a number"),
        (lines(b"1\n\xff\xfe\n"), 2, "UTF-8"),
        (lines(&[b'7'; 5000]), 1, "not a number"),
        (column(b"a,b\n1,2\n", None), 1, "(`a`, `b`): choose one with --column"),
        (column(b"a,b\n1,2\n", Some("c")), 1, "no column `c`"),
        (column(b"a,b\n1,2\n3\n", Some("b")), 3, "1 entries"),
        (column(b"a\n1\nx\n", Some("a")), 3, "`x` is not a number"),
    ];
    for (found, line, words) in cases {
        let (at, why) = found.unwrap_err();
        assert_eq!(at, Some(line), "{why}");
        assert!(why.contains(words), "{words}: {why}");
    }
}

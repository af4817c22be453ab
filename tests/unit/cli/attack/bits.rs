use super::*;

#[test]
fn bits_are_read_one_a_line() {
    assert_eq!(parsed(b"0\n1\r\n 1 \n\n\n"), Ok(vec![false, true, true]));
    assert_eq!(parsed(b"1"), Ok(vec![true]));
    assert_eq!(parsed(b""), Ok(vec![]));
    assert_eq!(parsed(b"\n \n"), Ok(vec![]));
}

#[test]
fn what_is_no_bit_is_told_with_its_line() {
    for (text, line, words) in [
        (&b"0\n2\n1\n"[..], 2, "`2` is not a bit"),
        (b"0\n\n1\n", 2, "`` is not a bit"),
        (b"0101\n", 1, "`0101`"),
        (b"0\n1\n\xff\n", 3, "is not a bit"),
    ] {
        let (at, why) = parsed(text).unwrap_err();
        assert!(at == line && why.contains(words), "{at}: {why}");
    }
}

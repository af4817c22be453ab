use super::*;

#[test]
fn numbers_are_brief_and_right() {
    let cases = [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (std::f64::consts::LN_2, "0.6931"),
        (9.99996, "10"),
        (1e-5, "1e-5"),
        (0.00012, "0.00012"),
        (123_456.0, "123456"),
        (1e6, "1e6"),
        (-12.3456, "-12.35"),
        (f64::INFINITY, "∞"),
        (f64::NAN, "NaN"),
    ];
    for (x, words) in cases {
        assert_eq!(brief(x), words);
    }
}

#[test]
fn lower_bounds_are_never_rounded_up() {
    for (x, words) in [(0.99999, "0.9999"), (1.0, "1"), (0.0, "0"), (12.3456, "12.34")] {
        assert_eq!(lower(x), words);
    }
    for x in [5e-324, 1.7e308, 3.665_218e-5, 0.123_456_7] {
        assert!(lower(x).parse::<f64>().unwrap() <= x * (1.0 + 1e-12), "{x}: {}", lower(x));
    }
}

#[test]
fn floors_of_tests_are_written_as_bounds() {
    assert_eq!([0.5, 1e-9, 0.0].map(p_value), ["0.5", "≤ 1e-9", "≤ 1e-300"]);
}

#[test]
fn counts_and_times_fit_their_columns() {
    for (n, words) in [(999, "999"), (1000, "1k"), (999_499, "999k"), (999_500, "1M")] {
        assert_eq!(short_count(n), words);
    }
    assert_eq!(short_count(u64::MAX).len(), "1.84e10G".len());
    for (s, words) in [(0.0, "0 ms"), (0.25, "0.25 s"), (75.0, "75 s"), (f64::NAN, "?")] {
        assert_eq!(duration(s), words);
    }
}

#[test]
fn long_text_is_cut_to_its_width() {
    assert_eq!(cut("abcdef", 6), "abcdef");
    assert_eq!(cut("abcdefg", 6), "abcde…");
    assert_eq!(cut("abcd efg", 6), "abcd…");
    assert_eq!(cut("名前名前", 6), "名前…");
    assert_eq!(columns("e\u{301}🦀"), 3);
}

#[test]
fn fractions_have_six_digits_where_they_stay_distinct() {
    for (whole, short) in [
        ("[-11.439512345, 2.5)", "[-11.4395, 2.5)"),
        ("output ≥ 44409.56547546387", "output ≥ 44409.6"),
        ("1.23456789e-7 or bin 1234567890", "1.23457e-7 or bin 1234567890"),
        (
            "[0.30000000000000004, 0.30000000000000007)",
            "[0.30000000000000004, 0.30000000000000007)",
        ),
        ("(1, 0.00001)-DP", "(1, 0.00001)-DP"),
        ("no number", "no number"),
    ] {
        assert_eq!(in_six_digits(whole), short);
    }
}

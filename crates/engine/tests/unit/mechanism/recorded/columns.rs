use super::*;
use crate::mechanism::Outcome;

fn read_cell(cell: &str) -> Result<Outcome, String> {
    let mut outcomes = Outcomes::new();
    scalar(cell.as_bytes(), &mut outcomes)?;
    Ok(outcomes.get(0).to_owned())
}

#[test]
fn cells_are_integers_numbers_or_words() {
    for cell in ["3", " 3 ", "+3", "003"] {
        assert_eq!(read_cell(cell), Ok(Outcome::Integer(3)), "{cell}");
    }
    for (cell, x) in [("3.0", 3.0), ("1e+05", 1e5), ("-inf", f64::NEG_INFINITY)] {
        assert_eq!(read_cell(cell), Ok(Outcome::Number(x)), "{cell}");
    }
    for cell in ["-0", "-00", "-0.0"] {
        let Ok(Outcome::Number(x)) = read_cell(cell) else { panic!("{cell}") };
        assert!(x == 0.0 && x.is_sign_negative(), "{cell}");
    }
    let words = [
        "",
        "NA",
        "null",
        "True",
        "2020-01-02",
        "1.2.3",
        "192.168.100.200",
        "1,2,3",
        "1 2",
        "a,b",
        "9223372036854775808",
        "18446744073709551615",
        ",",
        "1-2",
    ];
    for cell in words {
        assert_eq!(read_cell(cell), Ok(Outcome::Text(cell.to_owned())), "{cell}");
    }
}

#[test]
fn numbers_with_separators_are_refused() {
    let cells = [
        "1,234",
        "1,234.5",
        "12,345,678",
        "1.234,5",
        "1.234.567",
        "1.234.567,8",
        "0,5",
        "-3,25",
        ",5",
        "1,5e3",
        "1 234",
        "1 234 567",
        "1'234",
        "1\u{202f}234,5",
        "1_000",
        "-1,234",
    ];
    for cell in cells {
        let why = read_cell(cell).unwrap_err();
        assert!(why.contains("decimal point"), "{cell}: {why}");
    }
}

#[test]
fn a_vector_loses_no_digit_of_an_integer() {
    for (cell, x) in
        [("3", 3.0), ("0.1", 0.1), ("9007199254740994", 9007199254740994.0), ("-1e300", -1e300)]
    {
        assert_eq!(entry(cell.as_bytes()), Ok(x), "{cell}");
    }
    assert!(entry(b"").unwrap().is_nan() && entry(b"NA").unwrap().is_nan());
    for cell in ["9007199254740993", "9223372036854775809", "-18446744073709551615"] {
        let why = entry(cell.as_bytes()).unwrap_err();
        assert!(why.contains("does not fit in a double") && why.contains(cell), "{why}");
    }
    assert!(entry(b"1,234").unwrap_err().contains("decimal point"));
    assert!(entry(b"x").unwrap_err().contains("`x` is not a number"));
}

use super::*;

#[test]
fn fractions_are_read_as_they_are_written() {
    for (written, words) in
        [("1/3", "1/3"), ("2/6", "1/3"), ("0.1", "1/10"), ("3", "3"), ("1e-3", "1/1000")]
    {
        assert_eq!(written.parse::<Fraction>().unwrap().to_string(), words);
    }
    for wrong in ["", "1/0", "-1", "1/2/3", "nan", "inf", "1e300", "x"] {
        assert!(wrong.parse::<Fraction>().is_err(), "{wrong}");
    }
}

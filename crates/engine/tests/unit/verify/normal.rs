use super::super::enclose::decimal;
use super::*;

/// Digits of mpmath with 90 digits.
#[test]
fn the_normal_law_has_the_digits_of_others() {
    for (x, digits) in [
        ("1/2", "0.6914624612740131036377046106083377398836"),
        ("-5/4", "0.1056497736668552576887727640257465548476"),
        ("3", "0.9986501019683699054733481852324050226221"),
        ("-15/2", "0.0000000000000319089167291089622776728834"),
    ] {
        let Enclosure { lower, upper } = cdf(&x.parse().unwrap());
        assert!(lower <= upper);
        let shown = digits.len() - 2;
        assert_eq!(decimal(&lower, shown), digits, "{x}");
        assert_eq!(decimal(&upper, shown), digits, "{x}");
    }
    for (x, zeros, digits) in [
        (-16, 57, "638875440053808728127548257491766662488672"),
        (-20, 88, "275362411860623369507562278085746533280749"),
        (-50, 544, "108059794676163662116870578941523838100983"),
    ] {
        let digits = format!("0.{}{digits}", "0".repeat(zeros));
        let Enclosure { lower, upper } = cdf(&Rational::from(x));
        let shown = digits.len() - 2 - 6;
        assert_eq!(decimal(&lower, shown), digits[..digits.len() - 6], "{x}");
        assert_eq!(decimal(&upper, shown), digits[..digits.len() - 6], "{x}");
    }
    let far = cdf(&Rational::from(-1_000_000));
    assert!(far.lower.is_zero() && far.upper > Rational::ZERO);
    assert_eq!(cdf(&Rational::ZERO).lower, "1/2".parse().unwrap());
}

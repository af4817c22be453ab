use super::*;

fn rational(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(numerator.into(), denominator.into())
}

/// Digits of mpmath with 60 digits: exp(1), exp(-2.5), exp(100), ln 3, ln(5/3), ln(1/1000).
#[test]
fn enclosures_hold_the_digits_of_others() {
    let e = Exponential::of(&rational(1, 1));
    assert_eq!(decimal(&e.lower, 40), "2.7182818284590452353602874713526624977572");
    assert_eq!(decimal(&e.upper.unwrap(), 40), "2.7182818284590452353602874713526624977572");
    let small = Exponential::of(&rational(-5, 2));
    assert_eq!(decimal(&small.lower, 30), "0.082084998623898795169528674467");
    assert_eq!(decimal(&small.upper.unwrap(), 30), "0.082084998623898795169528674467");
    let large = Exponential::of(&rational(100, 1)).lower;
    assert!(decimal(&large, 5).starts_with("26881171418161354484126255515800135873611118."));
    let ln = Enclosure::ln(&rational(3, 1)).unwrap();
    assert_eq!(decimal(&ln.lower, 40), "1.0986122886681096913952452369225257046474");
    assert_eq!(decimal(&ln.upper, 40), "1.0986122886681096913952452369225257046474");
    let ln = Enclosure::ln(&rational(5, 3)).unwrap();
    assert_eq!(decimal(&ln.lower, 30), "0.510825623765990683205514096303");
    let ln = Enclosure::ln(&rational(1, 1000)).unwrap();
    assert_eq!(decimal(&-ln.upper, 30), "6.907755278982137052053974364053");
    assert!(Enclosure::ln(&Rational::ZERO).is_none());
}

#[test]
fn enclosures_are_narrow_and_the_right_way_round() {
    for (numerator, denominator) in [(1, 1000), (1, 3), (10, 1), (9_999, 1), (-700, 3), (0, 1)] {
        let x = rational(numerator, denominator);
        let Exponential { lower, upper } = Exponential::of(&x);
        let upper = upper.unwrap();
        assert!(lower <= upper && lower > Rational::ZERO);
        assert!((&upper - &lower) * Rational::from(UBig::ONE << 150) <= lower, "{x}");
        let back = Enclosure::ln(&lower).unwrap();
        let again = Enclosure::ln(&upper).unwrap();
        assert!(back.lower <= x && x <= again.upper, "{x}");
        assert!(again.upper - back.lower < Rational::from_parts(1.into(), UBig::ONE << 140));
    }
}

/// e^(10⁹) has half a gigabyte of digits, and its reciprocal as many.
#[test]
fn what_is_far_is_bounded_by_what_is_near() {
    for far in [rational(20_001, 1), rational(1_000_000_000, 1), rational(i64::MAX, 1)] {
        let large = Exponential::of(&far);
        assert_eq!((large.lower, large.upper), (Exponential::of(&rational(20_000, 1)).lower, None));
        let small = Exponential::of(&-far);
        assert!(small.lower.is_zero());
        assert!(small.upper.unwrap() >= Exponential::of(&rational(-20_000, 1)).upper.unwrap());
    }
    assert_eq!(Exponential::up_to(3, &rational(4, 1)).upper, None);
}

#[test]
fn doubles_are_rounded_the_way_they_say() {
    let third = rational(1, 3);
    assert!(Rational::try_from(double_below(&third)).unwrap() < third);
    assert!(Rational::try_from(double_above(&third)).unwrap() > third);
    assert_eq!(double_below(&third).next_up(), double_above(&third));
    assert_eq!((double_below(&rational(1, 4)), double_above(&rational(1, 4))), (0.25, 0.25));
    let huge = Rational::from(UBig::ONE << 2000);
    assert_eq!(double_below(&huge), f64::MAX);
    assert_eq!(double_above(&huge), f64::INFINITY);
    let tiny = Rational::ONE / huge;
    assert!(double_below(&tiny) == 0.0 && double_above(&tiny) > 0.0);
}

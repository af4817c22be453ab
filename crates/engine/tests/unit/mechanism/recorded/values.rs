use super::*;

const WHOLE: Precision = Precision { single: false, decimals: None, digits: None };

fn same(spelled: &[Outcome], precision: Precision) {
    let words = |outcome: &Outcome| format!("{:?}", value(&outcome.as_ref(), precision));
    for one in spelled {
        assert_eq!(words(one), words(&spelled[0]), "{one:?}");
    }
}

#[test]
fn spellings_of_one_value_are_one_value() {
    let text = |words: &str| Outcome::Text(words.to_owned());
    let null = Outcome::Structure("null".into());
    same(
        &[Outcome::Integer(100_000), 1e5.into(), text("1e+05"), text("100000.0"), vec![1e5].into()],
        WHOLE,
    );
    same(&[true.into(), text("True"), text("true"), text("TRUE"), 1.0.into()], WHOLE);
    same(
        &[
            null,
            text(""),
            text("NA"),
            text("null"),
            text("None"),
            f64::NAN.into(),
            (-f64::NAN).into(),
        ],
        WHOLE,
    );
    same(&[0.0.into(), (-0.0).into(), text("-0"), Outcome::Integer(0)], WHOLE);
    same(
        &[Outcome::Integer(1 << 60), ((1i64 << 60) as f64).into(), text("1152921504606846976")],
        WHOLE,
    );
    let single = Precision { single: true, ..WHOLE };
    same(&[0.1.into(), f64::from(0.1f32).into(), text("0.1")], single);
    let rounded = Precision { decimals: Some(6), digits: Some(6), ..WHOLE };
    same(&[0.123457.into(), 0.123_456_789.into()], rounded);
}

#[test]
fn values_stay_apart() {
    let words = |outcome: Outcome| format!("{:?}", value(&outcome.as_ref(), WHOLE));
    let large = |last: &str| words(Outcome::Text(format!("922337203685477580{last}")));
    assert_ne!(large("8"), large("9"));
    assert_ne!(words(Outcome::Integer((1 << 60) + 1)), words(Outcome::Integer(1 << 60)));
    assert_ne!(words(vec![1.0, 2.0].into()), words(1.0.into()));
    assert_ne!(words("north".into()), words("".into()));
    assert_ne!(words(Outcome::Failure("NA".into())), words("NA".into()));
    assert_ne!(words(0.1.into()), words(f64::from(0.1f32).into()));
}

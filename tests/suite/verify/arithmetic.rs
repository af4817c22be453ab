//! The exact arithmetic that proofs rest on, against a second implementation: num-rational. A published library
//! proved a sampler right for two years on top of rationals that divided wrongly.

use num_rational::BigRational;
use plaudit::mechanism::choice::Rational;
use proptest::prelude::*;
use std::str::FromStr;

/// A whole number of up to a few hundred digits, often with large powers of small primes in it.
fn whole() -> impl Strategy<Value = String> {
    let digits = "[1-9][0-9]{0,300}".prop_map(|digits| digits);
    let powers = (0u32..90, 0u32..60, 0u32..40).prop_map(|(two, three, ten)| {
        let power = |base: u32, exponent| BigRational::from_integer(base.into()).pow(exponent);
        (power(2, two as i32) * power(3, three as i32) * power(10, ten as i32)).to_string()
    });
    let edges = proptest::sample::select(vec![
        "1",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
    ]);
    prop_oneof![digits, powers, edges.prop_map(str::to_owned)]
}

/// The same fraction in both, with a factor that numerator and denominator have in common.
fn fraction() -> impl Strategy<Value = (Rational, BigRational)> {
    (any::<bool>(), whole(), whole(), whole()).prop_map(
        |(negative, numerator, denominator, common)| {
            let sign = if negative { "-" } else { "" };
            let parts = [format!("{sign}{numerator}"), denominator, common];
            let [a, b, c] = parts.each_ref().map(|part| Rational::from_str(part).unwrap());
            let ours = (a * c.clone()) / (b * c);
            let [a, b, c] = parts.each_ref().map(|part| BigRational::from_str(part).unwrap());
            (ours, (a * c.clone()) / (b * c))
        },
    )
}

fn same(ours: &Rational, theirs: &BigRational) -> bool {
    ours.to_string() == theirs.to_string()
}

proptest! {
    #[test]
    fn fractions_are_added_multiplied_divided_and_compared_as_by_others(
        (x, other_x) in fraction(),
        (y, other_y) in fraction(),
        exponent in 0i32..12,
    ) {
        prop_assert!(same(&x, &other_x), "{} {}", x, other_x);
        prop_assert!(same(&(&x + &y), &(&other_x + &other_y)));
        prop_assert!(same(&(&x - &y), &(&other_x - &other_y)));
        prop_assert!(same(&(&x * &y), &(&other_x * &other_y)));
        prop_assert!(same(&(&x / &y), &(&other_x / &other_y)));
        prop_assert!(same(&x.pow(exponent as isize), &other_x.pow(exponent)));
        prop_assert_eq!(x.cmp(&y), other_x.cmp(&other_y));
        prop_assert_eq!(x == y, other_x == other_y);
        prop_assert_eq!(x.floor().to_string(), other_x.floor().to_string());
        prop_assert!(same(&x.fract(), &other_x.fract()));
        // Sums of what nearly cancels.
        let (near, other_near) = (&x + &y - &x, &other_x + &other_y - &other_x);
        prop_assert!(same(&near, &other_near) && near == y);
    }
}

/// Division by every pair of small fractions.
#[test]
fn small_fractions_are_divided_as_by_others() {
    let all: Vec<(i64, i64)> = (-12..=12).flat_map(|a| (1..=12).map(move |b| (a, b))).collect();
    for (a, b) in &all {
        for (c, d) in all.iter().filter(|(c, _)| *c != 0) {
            let ours = |a: &i64, b: &i64| Rational::from_parts((*a).into(), (*b as u64).into());
            let theirs = |a: &i64, b: &i64| BigRational::new((*a).into(), (*b).into());
            let (mine, other) = (ours(a, b) / ours(c, d), theirs(a, b) / theirs(c, d));
            assert!(same(&mine, &other), "({a}/{b}) / ({c}/{d}): {mine} {other}");
        }
    }
}

use super::*;

#[test]
fn upper_bounds_are_never_rounded_down() {
    for (x, words) in [(0.99991, "1"), (1.0, "1"), (0.0, "0"), (12.3412, "12.35"), (1e-9, "1e-9")] {
        assert_eq!(upper(x), words);
    }
    for x in [5e-324, 1.7e308, 3.665_218e-5, 0.123_456_7, 1.000_000_6e-9] {
        assert!(upper(x).parse::<f64>().unwrap() >= x * (1.0 - 1e-12), "{x}: {}", upper(x));
    }
}

#[test]
fn float32s_with_short_names_are_told_by_them() {
    for (x, words) in [
        (f64::from(0.1f32), "0.1 (float32)"),
        (f64::from(-0.1f32), "-0.1 (float32)"),
        (f64::from(12.3456f32), "12.3456 (float32)"),
        (f64::from(1e-30f32), "1e-30 (float32)"),
        (f64::from(1e20f32), "1e20 (float32)"),
        (f64::from(f32::from_bits(1)), "1e-45 (float32)"),
        // Doubles, and singles that are short as doubles or long as singles, are written as they are.
        (f64::from(0.123_456_79_f32), "0.12345679104328156"),
        (1.0 + 2f64.powi(-20), "1.0000009536743164"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (f64::from(0.1f32).next_up(), "0.10000000149011613"),
        (f64::from(0.1f32).next_down(), "0.1000000014901161"),
        (0.5, "0.5"),
        (-0.0, "-0"),
        (16_777_216.0, "16777216"),
        (987_654_297_878_528.0, "987654297878528"),
        (1e300, "1e300"),
        (f64::MAX, "1.7976931348623157e308"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "+infinity"),
    ] {
        assert_eq!(released(x), words);
    }
}

/// Each text, read back as the type it names, is the number itself.
#[test]
fn what_is_told_as_float32_is_exact() {
    for step in 0..100_000_u32 {
        let any = f32::from_bits(step.wrapping_mul(0x9E37_79B1));
        let single = if step % 2 == 0 { any } else { step as f32 / 1000.0 };
        for x in [f64::from(single), f64::from(single).next_up()] {
            let words = released(x);
            let read = match words.strip_suffix(FLOAT32) {
                Some(words) => f64::from(words.parse::<f32>().unwrap()),
                None => words.replace("infinity", "inf").parse::<f64>().unwrap(),
            };
            assert!(read.to_bits() == x.to_bits() || x.is_nan() && read.is_nan(), "{words}");
        }
    }
}

#[test]
fn small_p_values_are_said_as_bounds() {
    for (p, words) in [
        (0.0, "p ≤ 1e-300"),
        (f64::MIN_POSITIVE, "p ≤ 1e-300"),
        (1.000_000_595e-9, "p ≤ 1.001e-9"),
        (1e-9, "p ≤ 1e-9"),
        (3.141_59e-7, "p ≤ 3.142e-7"),
        (3.141_11e-7, "p ≤ 3.142e-7"),
        (0.312_34, "p = 0.3124"),
        (1.0, "p = 1"),
    ] {
        assert_eq!(p_value(p), words);
    }
}

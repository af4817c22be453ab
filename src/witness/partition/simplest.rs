//! Edges that one can read: of all numbers between two outcomes the one with the fewest digits.

/// The number with the fewest decimal digits that is above `low` and at most `high`.
pub fn simplest(low: f64, high: f64) -> f64 {
    let fits = |x: f64| x > low && x <= high;
    if fits(0.0) {
        return 0.0;
    }
    // Where there are integers between, the one with most zeros; else as many digits as it takes.
    let size = low.abs().max(high.abs());
    if !(size.is_finite() && size > 0.0 && low < high) {
        return high;
    }
    // At most 308.
    #[allow(clippy::cast_possible_truncation)]
    let first = size.log10().floor() as i32;
    for digits in 0..17 {
        let step = first - digits;
        // Rounded up and down at this digit, by the decimal words of a number: no error of a power of ten.
        for x in [high, low] {
            let scaled = x / 10f64.powi(step);
            for whole in [scaled.floor(), scaled.ceil()] {
                let near: f64 = format!("{whole:.0}e{step}").parse().unwrap_or(high);
                if fits(near) {
                    return near;
                }
            }
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        for (low, high, expected) in [
            (-1.0, 2.0, 0.0),
            (2.0, 3.0, 3.0),
            (2.9, 3.2, 3.0),
            (0.123_4, 0.127_9, 0.125),
            (-7.2, -6.9, -7.0),
            (99.0, 150.0, 100.0),
            (1e300, f64::INFINITY, f64::INFINITY),
            (1e-310, 3e-310, 3e-310),
        ] {
            let found = simplest(low, high);
            let digits = |x: f64| format!("{x:e}").len();
            assert!(
                found > low && found <= high && digits(found) <= digits(expected),
                "{low} {high}: {found}"
            );
        }
    }

    proptest! {
        #[test]
        fn lies_between(low in any::<f64>(), up in any::<f64>()) {
            prop_assume!(low < up);
            let found = simplest(low, up);
            prop_assert!(found > low && found <= up);
        }
    }
}

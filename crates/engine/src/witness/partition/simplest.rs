//! Readable edges: of all numbers between two outcomes the one with the fewest digits.

/// The number with the fewest decimal digits that is above `low` and at most `high`.
pub fn simplest(low: f64, high: f64) -> f64 {
    let fits = |x: f64| x > low && x <= high;
    if fits(0.0) {
        return 0.0;
    }
    // Of integers in between, the one with most zeros; else with as many digits as necessary.
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
#[path = "../../../tests/unit/witness/partition/simplest.rs"]
mod tests;

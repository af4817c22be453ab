//! Ends of statements that hold up to a number, or from a number on.

/// Largest number examined.
const LARGEST: f64 = 1e4;
const HALVINGS: u32 = 44;

/// Nearly the last x >= 0 for which a statement holds, from below.
pub(super) fn last(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(0.0) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while high < LARGEST && holds(high) {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    Some(low)
}

/// Nearly the first x >= 0 from which a statement holds, from above.
pub(super) fn first(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(0.0) {
        return Some(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while !holds(high) {
        if high > LARGEST {
            return None;
        }
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

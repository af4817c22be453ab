//! Joint test of many claims: p-values adjusted so that the chance of any false alarm among them is at most the level.
//!
//! Holm's step-down procedure (1979): of m p-values in ascending order, the k-th is multiplied by m − k + 1, and each
//! is at least the one before. It assumes nothing about how the p-values depend on one another.

/// The adjusted p-values, in the given order: those that are at most a level are refuted together at that level. In [0, 1]
/// if the p-values are.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, at) in order.into_iter().enumerate() {
        let times = (p_values.len() - rank) as f64;
        largest = largest.max((times * p_values[at]).min(1.0));
        adjusted[at] = largest;
    }
    adjusted
}

#[cfg(test)]
#[path = "../../tests/unit/inference/holm.rs"]
mod tests;

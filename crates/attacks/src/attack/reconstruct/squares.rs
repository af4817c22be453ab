//! Least squares: fast, and good where noise is spread like the normal law.

use super::subsets::Subsets;
use crate::attack::least_squares::minimise;

/// The x that minimises Σ (answer − sum of x over the subset)² + weight · Σ (x_i − ½)², by conjugate gradients.
///
/// With four times the variance of an answer as the weight this is the best linear guess of bits that are each 1 with
/// probability a half, also where there are fewer answers than people.
pub(super) fn solve(subsets: &Subsets, answers: &[f64], weight: f64) -> Vec<f64> {
    let halves = vec![0.5; subsets.entries()];
    let left: Vec<f64> =
        answers.iter().zip(subsets.sums(&halves)).map(|(answer, sum)| answer - sum).collect();
    let residual = subsets.sums_by_entry(&left);
    minimise(halves, residual, |direction| {
        let mut image = subsets.sums_by_entry(&subsets.sums(direction));
        image.iter_mut().zip(direction).for_each(|(image, d)| *image += weight * d);
        image
    })
}

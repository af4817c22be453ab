//! Least squares: fast, and good where noise is spread like the normal law.

use super::subsets::Subsets;

/// Steps at most. The answers' condition decides how many are needed: about forty where queries are twice the people.
const MOST_STEPS: usize = 500;
/// The residual at the end, of that at the start.
const NEAR: f64 = 1e-9;

/// The x that minimises Σ (answer − sum of x over the subset)² + weight · Σ (x_i − ½)², by conjugate gradients.
///
/// With four times the variance of an answer as the weight this is the best linear guess of bits that are each 1 with
/// probability a half, also where there are fewer answers than people.
pub(super) fn solve(subsets: &Subsets, answers: &[f64], weight: f64) -> Vec<f64> {
    let halves = vec![0.5; subsets.entries()];
    let left: Vec<f64> =
        answers.iter().zip(subsets.sums(&halves)).map(|(answer, sum)| answer - sum).collect();
    let mut residual = subsets.sums_by_entry(&left);
    let mut x = halves;
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    let enough = square * NEAR * NEAR;
    for _ in 0..MOST_STEPS {
        if square <= enough {
            break;
        }
        let mut image = subsets.sums_by_entry(&subsets.sums(&direction));
        image.iter_mut().zip(&direction).for_each(|(image, d)| *image += weight * d);
        let length = square / dot(&direction, &image);
        if !length.is_finite() {
            break;
        }
        add(&mut x, length, &direction);
        add(&mut residual, -length, &image);
        let next = dot(&residual, &residual);
        let keep = next / square;
        square = next;
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + keep * *d);
    }
    x
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn add(x: &mut [f64], times: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += times * y);
}

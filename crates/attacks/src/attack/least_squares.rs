//! Least squares by conjugate gradients.

/// Steps at most. The answers' condition decides how many are needed: about forty where queries are twice the people.
const MOST_STEPS: usize = 500;
/// The residual at the end, of that at the start.
const NEAR: f64 = 1e-9;

/// The x with A x = b, A symmetric and positive: from `x`, where b − A x is `residual`; `image` is A times a vector.
pub(super) fn minimise(
    mut x: Vec<f64>,
    mut residual: Vec<f64>,
    image: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    let enough = square * NEAR * NEAR;
    for _ in 0..MOST_STEPS {
        if square <= enough {
            break;
        }
        let image = image(&direction);
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

//! Noisy counts of classes, of which the small ones are kept back.

use super::class::Class;
use plaudit_catalog::{sample, threshold_for};
use plaudit_core::random::Stream;
use serde::Serialize;

/// Counts that cannot be published so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PublishError {
    #[error("epsilon {0} is invalid: it must be finite and above 0")]
    Epsilon(f64),
    #[error("delta {0} is invalid: it must be above 0 and below 1")]
    Delta(f64),
    #[error("{0}")]
    Threshold(String),
}

/// Classes that remain if only their counts are published, with discrete Laplace noise of scale 1/ε, and only
/// counts from a threshold up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    pub epsilon: f64,
    /// Their δ: the probability at most with which the class of a row that is alone is published.
    pub delta: f64,
    /// The least noisy count that is published.
    pub least: i64,
    /// Classes whose noisy count is published.
    pub classes: u64,
    pub rows: u64,
    /// Classes of one row whose noisy count is published.
    pub unique: u64,
    /// Mean number of unique classes over the noise.
    pub unique_on_average: f64,
    /// Unique classes whose row is linked in the plain table.
    pub linked: u64,
    /// Mean error of the published counts; `None` without counts.
    pub error: Option<f64>,
}

/// Draws the noise of all classes, in their order (Korolova, Kenthapadi, Mishra, Ntoulas 2009).
pub(super) fn publish(
    classes: &[Class],
    epsilon: f64,
    delta: f64,
    random: &mut Stream,
) -> Result<Published, PublishError> {
    if !(epsilon.is_finite() && epsilon > 0.0) {
        return Err(PublishError::Epsilon(epsilon));
    }
    if !(delta > 0.0 && delta < 1.0) {
        return Err(PublishError::Delta(delta));
    }
    let threshold = threshold_for(epsilon, delta).map_err(PublishError::Threshold)?;
    let mut found = Published {
        epsilon,
        delta,
        least: threshold + 1,
        classes: 0,
        rows: 0,
        unique: 0,
        unique_on_average: 0.0,
        linked: 0,
        error: None,
    };
    let (mut alone, mut off) = (0_u64, 0.0);
    for class in classes {
        alone += u64::from(class.released == 1);
        let noise = sample::discrete_laplace(random, 1.0 / epsilon);
        let count = i64::try_from(class.released).unwrap_or(i64::MAX).saturating_add(noise);
        if count >= found.least {
            found.classes += 1;
            found.rows += class.released;
            found.unique += u64::from(class.released == 1);
            found.linked += u64::from(class.is_linked());
            off += noise.unsigned_abs() as f64;
        }
    }
    found.error = (found.classes > 0).then(|| off / found.classes as f64);
    // P(1 + noise > threshold) = q^threshold/(1 + q), where q = e^(−ε).
    let is_kept = (-epsilon * threshold as f64).exp() / (1.0 + (-epsilon).exp());
    found.unique_on_average = alone as f64 * is_kept;
    Ok(found)
}

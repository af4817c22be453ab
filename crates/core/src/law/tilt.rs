//! Spread and position: the law, tilted.

use super::NoiseLaw;
use super::cells::Cells;
use super::parts::{Evidence, Part, evidence, ln_mean};
use plaudit_accountant::number::brief;

/// Smallest tilt, in standard deviations of the score, their ratio and number.
const LEAST: f64 = 0.002;
const RATIO: f64 = 1.5;
const NUMBER: i32 = 17;
/// Relative increase of the scale whose likelihood ratio is its score.
const SMALL: f64 = 0.01;
/// Standard normal quantile of 0.9.
const NINE_OF_TEN: f64 = 1.2816;

/// Scores of cells, of mean 0 and variance 1 under the law.
pub(super) struct Scores(Vec<Vec<f64>>);

impl Scores {
    /// The score of the scale, or for a discrete law the logarithm of its probabilities, whose tilts change the scale of
    /// Laplace and Gaussian noise; and rank and squared rank.
    pub fn new(law: &dyn NoiseLaw, cells: &Cells) -> Self {
        let rank: Vec<f64> = cells.middle.iter().map(|u| u - 0.5).collect();
        let square = rank.iter().map(|u| u * u).collect();
        let spread = if law.is_discrete() {
            cells.ln_density()
        } else {
            let scaled = cells.scaled(law, 1.0 + SMALL).into_iter();
            scaled
                .zip(&cells.probability)
                .map(|(q, p)| (q / p).clamp(0.5, 2.0).ln() / SMALL)
                .collect()
        };
        let scores = [spread, rank, square];
        Self(scores.into_iter().filter_map(|score| standard(cells, score)).collect())
    }

    /// Mean over all tilts of ∏ e^(t s(x)) / E e^(t s(X)), a ratio of likelihoods.
    pub fn evidence(&self, cells: &Cells, counts: &[u64]) -> Evidence {
        let draws: u64 = counts.iter().sum();
        let mut terms = Vec::new();
        for score in &self.0 {
            let sum: f64 = counts.iter().zip(score).map(|(n, s)| *n as f64 * s).sum();
            for t in tilts() {
                terms.push((0.0, t * sum - draws as f64 * cumulant(cells, score, t)));
            }
        }
        let share = 1.0 / terms.len().max(1) as f64;
        terms.iter_mut().for_each(|term| term.0 = share);
        let ln = if terms.is_empty() { f64::NEG_INFINITY } else { ln_mean(&terms) };
        let seen = format!(
            "mean distance from the median {} times that of the law",
            brief(spread(cells, counts))
        );
        evidence(Part::Spread, ln, seen)
    }

    /// Smallest relative increase of the scale about the median that is found with probability 0.9, if the evidence must
    /// reach 1/α; `None` for a discrete law, or if none up to 100 % is. An approximation.
    pub fn least_scale(
        &self,
        law: &dyn NoiseLaw,
        cells: &Cells,
        draws: u64,
        alpha: f64,
    ) -> Option<f64> {
        if law.is_discrete() {
            return None;
        }
        let number = self.0.len() as f64 * f64::from(2 * NUMBER);
        let wanted = (number / (alpha * Part::Spread.share())).ln();
        let n = draws as f64;
        let is_found = |increase: &f64| {
            let scaled = cells.scaled(law, 1.0 + increase);
            self.0.iter().any(|score| {
                let mean: f64 = scaled.iter().zip(score).map(|(q, s)| q * s).sum();
                let evidence = |t: f64| n * (t * mean - cumulant(cells, score, t));
                tilts().any(|t| evidence(t) - NINE_OF_TEN * t.abs() * n.sqrt() >= wanted)
            })
        };
        let increases = (0..=100).map(|k| 1e-4 * 10f64.powf(f64::from(k) / 25.0));
        increases.take_while(|it| *it <= 1.0).find(is_found)
    }
}

fn standard(cells: &Cells, score: Vec<f64>) -> Option<Vec<f64>> {
    let mean: f64 = cells.probability.iter().zip(&score).map(|(p, s)| p * s).sum();
    let variance: f64 =
        cells.probability.iter().zip(&score).map(|(p, s)| p * (s - mean).powi(2)).sum();
    let deviation = variance.sqrt();
    (deviation > 1e-6).then(|| score.iter().map(|s| (s - mean) / deviation).collect())
}

fn tilts() -> impl Iterator<Item = f64> {
    (0..NUMBER).flat_map(|k| [-1.0, 1.0].map(|sign| sign * LEAST * RATIO.powi(k)))
}

/// ln E e^(t s(X)).
fn cumulant(cells: &Cells, score: &[f64], t: f64) -> f64 {
    let terms: Vec<(f64, f64)> =
        cells.probability.iter().zip(score).map(|(p, s)| (*p, t * s)).collect();
    ln_mean(&terms)
}

/// Mean distance from the median, over that of the law; outer cells count as far as their ends.
fn spread(cells: &Cells, counts: &[u64]) -> f64 {
    let distance = |cell: usize| (cells.inside(cell) - cells.median).abs();
    let draws: u64 = counts.iter().sum();
    let of_law: f64 = (0..cells.len()).map(|cell| cells.probability[cell] * distance(cell)).sum();
    let seen: f64 = counts.iter().enumerate().map(|(cell, n)| *n as f64 * distance(cell)).sum();
    seen / draws as f64 / of_law
}

//! Posterior against prior: what ε means to a person.

use super::axis::Axis;
use super::canvas::{
    self, CERTIFIED, CHANCE, CLAIM, HEIGHT, Key, chart, fill, legend, line, sheet,
};
use super::svg::{Kind, Plot};
use crate::report::Finding;
use crate::report::words::{brief, lower};

/// The band of posteriors that the claim allows (at its reference ε), and the one that the
/// certified ε reaches. δ is left out of both.
pub fn posterior(finding: &Finding) -> Plot {
    let claimed = finding.claim.reference_epsilon;
    let certified = finding.epsilon_lower;
    sheet(Kind::Posterior, &finding.name, HEIGHT, |root| {
        let keys = [
            Key::fill(CERTIFIED, 0.3, format!("certified ε ≥ {}", lower(certified))),
            Key::line(CLAIM, format!("claim ε = {}", brief(claimed))),
            Key::line(CHANCE, "learns nothing"),
        ];
        let rest = legend(root, &keys)?;
        let x = Axis::linear(0.0, 1.0, "belief before seeing the outcome");
        let y = Axis::linear(0.0, 1.0, "belief after");
        let mut chart = chart(&rest, &x, &y)?;
        let (low, high) = (curve(certified, least), curve(certified, most));
        fill(&mut chart, low.into_iter().chain(high.into_iter().rev()), CERTIFIED, 0.3)?;
        line(&mut chart, [(0.0, 0.0), (1.0, 1.0)], CHANCE, 3)?;
        line(&mut chart, curve(claimed, least), CLAIM, canvas::LINE)?;
        line(&mut chart, curve(claimed, most), CLAIM, canvas::LINE)
    })
}

fn curve(epsilon: f64, bound: fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    let epsilon = if epsilon > 0.0 { epsilon } else { 0.0 };
    // Denser near the ends, where the curve of a large ε bends.
    let prior = |i: u32| 0.5 - 0.5 * (f64::from(i) / 60.0 * std::f64::consts::PI).cos();
    (0..=60).map(|i| (prior(i), bound(epsilon, prior(i)))).collect()
}

/// Largest posterior at prior π: e^ε π/(1 + (e^ε − 1)π) (Bayes' rule; the odds grow by at most
/// e^ε), written so that nothing overflows.
fn most(epsilon: f64, prior: f64) -> f64 {
    if prior <= 0.0 { 0.0 } else { prior / (prior + (1.0 - prior) * (-epsilon).exp()) }
}

/// Smallest posterior at prior π: π/(e^ε + (1 − e^ε)π), likewise.
fn least(epsilon: f64, prior: f64) -> f64 {
    1.0 - most(epsilon, 1.0 - prior)
}

/// Posteriors that an attacker with prior `prior` can reach at ε (δ left out), as (least, most).
pub fn reach(epsilon: f64, prior: f64) -> (f64, f64) {
    let epsilon = if epsilon > 0.0 { epsilon } else { 0.0 };
    (least(epsilon, prior), most(epsilon, prior))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_is_that_of_the_field() {
        // For ε = 1.1 a prior of 50 % can move to 25 %–75 %; for ε = 5 one of 10 % to 94 %.
        let (low, high) = reach(1.1, 0.5);
        assert!((low - 0.25).abs() < 0.005 && (high - 0.75).abs() < 0.005, "{low} {high}");
        assert!((reach(5.0, 0.1).1 - 0.94).abs() < 0.005);
        for (epsilon, prior) in [(0.3_f64, 0.2), (2.0, 0.7), (4.0, 0.99)] {
            let e = epsilon.exp();
            let (low, high) = reach(epsilon, prior);
            assert!((low - prior / (e + (1.0 - e) * prior)).abs() < 1e-12);
            assert!((high - e * prior / (1.0 + (e - 1.0) * prior)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_band_is_one_of_probabilities_at_every_epsilon() {
        for epsilon in [0.0, 1e-9, 700.0, 1e308, f64::INFINITY, f64::NAN, -1.0] {
            for prior in [0.0, 1e-300, 0.5, 1.0] {
                let (low, high) = reach(epsilon, prior);
                assert!(0.0 <= low && low <= prior + 1e-12 && prior <= high + 1e-12 && high <= 1.0);
            }
        }
    }
}

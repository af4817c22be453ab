//! Private logistic regression by a perturbed output or a perturbed objective.

use super::examples::{Examples, Target};
use super::minimum::{LogisticLoss, Newton, norm};
use crate::family::Family;
use crate::grid::PowerOfTwoGrid;
use crate::parameter::Positive;
use crate::sample;
use plaudit_accountant::number::words;
use plaudit_core::dataset::Dataset;
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use serde::Deserialize;

/// Most features: each run solves equations in as many unknowns.
const MOST_FEATURES: usize = 64;
/// Regularisation and budgets for which the minimum is found to the last digits that are released.
const RANGE: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// The most that the second derivative of the logistic loss is.
const CURVATURE: f64 = 0.25;

/// `erm`: logistic regression with the regulariser λ/2 ‖w‖² (Chaudhuri, Monteleoni, Sarwate 2011). Rows longer than
/// 1 are scaled to norm 1. ε-DP under substitution, if the minimum is exact: here a gradient of norm 10⁻¹² counts as 0,
/// and the weights are rounded to a grid.
///
/// * Output perturbation (Algorithm 1): the minimum plus noise of density ∝ e^(−(nλε/2)‖b‖), since the minimum of
///   a substituted dataset is at most 2/(nλ) away.
/// * Objective perturbation (Algorithm 2): the minimum of the objective plus b·w/n, where b has density
///   ∝ e^(−(ε'/2)‖b‖). With c = 1/4, ε' = ε − ln(1 + 2c/(nλ) + c²/(nλ)²); where that is not above 0, Δ/2 ‖w‖² is added
///   with Δ = c/(n(e^(ε/4) − 1)) − λ, and ε' = ε/2.
#[derive(Deserialize)]
#[serde(try_from = "RegressionParameters")]
pub(crate) struct Erm {
    perturbed: Perturbed,
    epsilon: f64,
    lambda: f64,
    mistake: Option<RegressionMistake>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Perturbed {
    Output,
    Objective,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RegressionMistake {
    /// The norm of the noise is exponential for any number of features.
    ExponentialNorm,
    /// There is an intercept that is not regularised.
    InterceptUnregularised,
    /// The change of the density by the objective's curvature is left out of the account: ε' = ε.
    NoCorrection,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegressionParameters {
    method: Perturbed,
    epsilon: Positive,
    lambda: Positive,
    mistake: Option<RegressionMistake>,
}

impl TryFrom<RegressionParameters> for Erm {
    type Error = String;
    fn try_from(parameters: RegressionParameters) -> Result<Self, String> {
        let RegressionParameters { method: perturbed, epsilon, lambda, mistake } = parameters;
        let (epsilon, lambda) = (epsilon.get(), lambda.get());
        for (what, value) in [("epsilon", epsilon), ("lambda", lambda)] {
            if !RANGE.contains(&value) {
                return Err(format!(
                    "`{what}` is {}, and a regression takes one from 1e-6 to 1e6",
                    words(value)
                ));
            }
        }
        match (mistake, perturbed) {
            (Some(RegressionMistake::InterceptUnregularised), Perturbed::Objective) => Err(
                "an objective with noise may have no minimum where the intercept is not regularised: \
                 the mistake \"intercept-unregularised\" takes `method = \"output\"`"
                    .into(),
            ),
            (Some(RegressionMistake::NoCorrection), Perturbed::Output) => Err(
                "only the objective's noise is corrected for its curvature: the mistake \
                 \"no-correction\" takes `method = \"objective\"`"
                    .into(),
            ),
            _ => Ok(Self { perturbed, epsilon, lambda, mistake }),
        }
    }
}

/// A regression on one dataset, before noise.
pub(crate) struct LogisticFit {
    loss: LogisticLoss,
    minimum: Vec<f64>,
    /// The norm of the noise is Gamma with this scale.
    scale: f64,
    grid: PowerOfTwoGrid,
}

impl Erm {
    fn loss(&self, examples: &Examples) -> Result<LogisticLoss, String> {
        let intercept = self.mistake == Some(RegressionMistake::InterceptUnregularised);
        let regularised = examples.width();
        if regularised > MOST_FEATURES {
            return Err(format!(
                "{regularised} features are too many for a regression: at most {MOST_FEATURES}"
            ));
        }
        let mut signed = Vec::new();
        let mut labels = [false; 2];
        for row in 0..examples.len() {
            let (features, Target::Class(class)) = examples.get(row) else {
                unreachable!("canaries are refused where rows are read")
            };
            labels[class as usize] = true;
            let sign = 2.0 * class - 1.0;
            // Divided by the largest feature first, or squares might overflow. It counts as 1 where all are smaller.
            let largest = features.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let squares: f64 = features.iter().map(|x| (x / largest).powi(2)).sum();
            let length = if largest * squares.sqrt() > 1.0 { squares.sqrt() } else { 1.0 };
            signed.extend(features.iter().map(|x| sign * (x / largest) / length));
            signed.extend(intercept.then_some(sign));
        }
        if intercept && labels != [true; 2] {
            return Err("without a regulariser an intercept has a value only where both labels \
                        occur, and all rows have the same"
                .into());
        }
        let width = regularised + usize::from(intercept);
        Ok(LogisticLoss { signed, width, regularised, lambda: self.lambda })
    }

    /// ε' and Δ of the perturbed objective.
    fn corrected(&self, rows: f64) -> (f64, f64) {
        if self.mistake == Some(RegressionMistake::NoCorrection) {
            return (self.epsilon, 0.0);
        }
        let left = self.epsilon - 2.0 * (CURVATURE / (rows * self.lambda)).ln_1p();
        if left > 0.0 {
            (left, 0.0)
        } else {
            let more = CURVATURE / (rows * (self.epsilon / 4.0).exp_m1()) - self.lambda;
            (self.epsilon / 2.0, more)
        }
    }

    /// Noise of a density that falls with the norm alone.
    fn perturb(&self, noise: &mut [f64], scale: f64, random: &mut Stream) {
        let exponentials = match self.mistake {
            Some(RegressionMistake::ExponentialNorm) => 1,
            _ => noise.len(),
        };
        // Gamma(d) is the sum of d exponentials.
        let long: f64 = (0..exponentials).map(|_| sample::exponential(random, scale)).sum();
        // The direction of independent Gaussians is uniform.
        let mut length = 0.0;
        while length == 0.0 {
            noise.fill_with(|| sample::gaussian(random, 1.0));
            length = norm(noise);
        }
        noise.iter_mut().for_each(|entry| *entry *= long / length);
    }
}

impl Family for Erm {
    type Exact = LogisticFit;

    fn read(&self, dataset: &Dataset) -> Result<LogisticFit, String> {
        let mut loss = self.loss(&Examples::read(dataset, false, None)?)?;
        let rows = loss.rows() as f64;
        let (scale, released) = match self.perturbed {
            Perturbed::Output => {
                let scale = 2.0 / (rows * self.lambda * self.epsilon);
                (scale, scale)
            }
            Perturbed::Objective => {
                let (epsilon, more) = self.corrected(rows);
                loss.lambda += more;
                let scale = 2.0 / epsilon;
                (scale, scale / (rows * loss.lambda))
            }
        };
        let mut minimum = vec![0.0; loss.width];
        let nothing = minimum.clone();
        if !Newton::new(loss.width).minimise(&loss, &nothing, &mut minimum) {
            return Err("the minimum of the objective was not found: more `lambda` may help".into());
        }
        Ok(LogisticFit { loss, minimum, scale, grid: PowerOfTwoGrid::for_scale(released) })
    }

    fn draw(&self, exact: &LogisticFit, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        let LogisticFit { loss, minimum, scale, grid } = exact;
        let mut newton = Newton::new(loss.width);
        let mut weights = vec![0.0; loss.width];
        let mut noise = weights.clone();
        let rows = loss.rows() as f64;
        for _ in 0..runs {
            self.perturb(&mut noise, *scale, random);
            weights.copy_from_slice(minimum);
            match self.perturbed {
                Perturbed::Output => {
                    weights.iter_mut().zip(&noise).for_each(|(weight, noise)| *weight += noise);
                }
                Perturbed::Objective => {
                    noise.iter_mut().for_each(|entry| *entry /= rows);
                    if !newton.minimise(loss, &noise, &mut weights) {
                        outcomes.push_failure("the minimum of the objective was not found");
                        continue;
                    }
                }
            }
            weights.iter_mut().for_each(|weight| *weight = grid.round(*weight));
            outcomes.push_vector(&weights);
        }
    }

    fn describe(&self) -> String {
        let noise = match self.perturbed {
            Perturbed::Output => "adds noise to the weights",
            Perturbed::Objective => "adds noise to the objective",
        };
        let mistake = match self.mistake {
            Some(RegressionMistake::ExponentialNorm) => "; mistake: its norm is exponential",
            Some(RegressionMistake::InterceptUnregularised) => {
                "; mistake: an intercept is not regularised"
            }
            Some(RegressionMistake::NoCorrection) => {
                "; mistake: the objective's curvature is not accounted for"
            }
            None => "",
        };
        format!(
            "fits a logistic regression (lambda {}) to rows of norm at most 1 and {noise}, for epsilon {}{mistake}",
            words(self.lambda),
            words(self.epsilon)
        )
    }

    fn query<'e>(&self, exact: &'e LogisticFit) -> Option<&'e [f64]> {
        (self.perturbed == Perturbed::Output).then_some(&exact.minimum[..])
    }
}

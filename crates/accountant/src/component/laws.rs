//! The laws of each kind of event and sample: what dominates it, and what it can have.

use super::binomial::Binomial;
use super::converted;
use super::law::{Choice, Law, Seen};
use super::mixture::MixturePair;
use super::opposed::OpposedPair;
use super::pair::{LawPair, LawPart};
use super::shuffle::Shuffle;
use crate::compose::allocation::mean_of_steps;
use crate::event::{EventKind, Sampling};

/// A law that dominates, and one that some mechanism of the kind does have, if it is known.
pub(crate) type Laws = (Law, Option<Law>);

/// The laws of one of `count` uses; `None` if they have no loss.
/// Probability that is not resolved where no δ is asked for.
pub(crate) const CUT: f64 = 1e-12;

/// Of random allocation, probability of about `cut` is not resolved.
pub(crate) fn laws(
    kind: &EventKind,
    sampling: Option<Sampling>,
    (count, cut): (u64, f64),
) -> Option<Laws> {
    // `Sampling::takes` lets no other kind pass where this is asked.
    let mu = || gaussian_mu(kind).unwrap_or(f64::INFINITY);
    let both = |law: Law| Some((law.clone(), Some(law)));
    let seen = |above: Seen, below: Seen| {
        let (upper, lower) = pairs(kind, count)?;
        Some((Law::seen(upper, above), lower.map(|lower| Law::seen(lower, below))))
    };
    match sampling {
        None => match kind {
            EventKind::MixtureOfGaussians { .. } => seen(Seen::Directed, Seen::Directed),
            // One row against all others that have the other value.
            EventKind::ShuffledRandomizedResponse { values: 2, .. } => {
                seen(Seen::Whole, Seen::Directed)
            }
            _ => seen(Seen::Whole, Seen::Whole),
        },
        Some(Sampling::Poisson { rate }) if rate < 1.0 => {
            seen(Seen::Poisson(rate), Seen::Poisson(rate))
        }
        // A pair of datasets that exists: one in which the substitute is unlike every row.
        Some(Sampling::WithoutReplacement { rate }) if rate < 1.0 => {
            seen(Seen::Substituted(rate), Seen::Poisson(rate))
        }
        Some(Sampling::Poisson { .. } | Sampling::WithoutReplacement { .. }) => {
            seen(Seen::Whole, Seen::Whole)
        }
        Some(Sampling::Allocation { steps, picks: 1 }) => {
            let (upper, lower) = pairs(kind, 1)?;
            let (upper, lower) = mean_of_steps((&upper, lower.as_ref()), steps, cut);
            let seen = |pair: LawPair| Law::seen(pair, Seen::Directed);
            Some((seen(upper), lower.map(seen)))
        }
        // Of several picks, `uses` makes several of one.
        Some(Sampling::Allocation { .. }) => None,
        Some(Sampling::PoissonGroup { rate, rows }) => {
            let rows_in = Binomial { draws: rows, rate };
            let shifts = (0..=rows).map(|k| (rows_in.mass(k), k as f64 * mu())).collect();
            let pair = LawPair::Mixture(MixturePair::shifted(shifts));
            both(Law::seen(pair, Seen::Directed))
        }
        Some(Sampling::TruncatedPoisson { rate, batch, rows }) => {
            Some(truncated_poisson(mu(), (rate, batch, rows)))
        }
        Some(Sampling::WithReplacement { draws, rows }) => {
            Some(with_replacement(mu(), (draws, rows)))
        }
        Some(Sampling::PoissonSubstitution { rate }) => {
            let pair = match *kind {
                EventKind::Laplace { scale, sensitivity } => {
                    LawPair::Opposed(OpposedPair { a: sensitivity / scale, rate })
                }
                _ => LawPair::Mixture(MixturePair::opposed(mu(), rate)),
            };
            both(Law::seen(pair, Seen::Whole))
        }
    }
}

/// μ of an event that is one Gaussian.
pub(crate) fn gaussian_mu(kind: &EventKind) -> Option<f64> {
    match *kind {
        EventKind::Gaussian { sigma, sensitivity } => Some(sensitivity / sigma),
        EventKind::Gdp { mu } => Some(mu),
        EventKind::TreeAggregation { sigma, steps, sensitivity } => {
            // A step is in one node of each level.
            let levels = f64::from(u64::BITS - steps.leading_zeros());
            Some(levels.sqrt() * sensitivity / sigma)
        }
        EventKind::CorrelatedNoise {
            sigma,
            ref coefficients,
            steps,
            participations,
            separation,
        } => {
            let places = (coefficients.len(), steps, participations, separation);
            Some(column_norm(coefficients, places) / sigma)
        }
        _ => None,
    }
}

/// The norm of the sum of the first of the columns that are `separation` apart: the sensitivity of a lower triangular
/// Toeplitz matrix whose entries are not negative and do not rise (Kalinin, Lampert 2024, Thm 2).
fn column_norm(
    coefficients: &[f64],
    (length, steps, participations, separation): (usize, u64, u64, u64),
) -> f64 {
    let length = length as u64;
    let last = (participations - 1) * separation;
    // Rows where the columns overlap are summed; where not, each column adds its own.
    if separation >= length {
        let full: f64 = coefficients.iter().map(|c| c * c).sum();
        let cut = |from: u64| -> f64 {
            let kept = usize::try_from(steps - from).unwrap_or(usize::MAX);
            coefficients.iter().take(kept).map(|c| c * c).sum()
        };
        return ((participations - 1) as f64 * full + cut(last)).sqrt() * (1.0 + 1e-12);
    }
    let square = |row: u64| {
        let newest = (row / separation).min(participations - 1);
        let oldest = (row + 1).saturating_sub(length).div_ceil(separation);
        let places = (oldest..=newest).map(|j| usize::try_from(row - j * separation).unwrap_or(0));
        let sum: f64 = places.filter_map(|place| coefficients.get(place)).sum();
        sum * sum
    };
    // From the first whole overlap to the last column, rows repeat with the separation.
    let (whole, end) = (length.div_ceil(separation) * separation, steps.min(last + length));
    let repeats = last.saturating_sub(whole) / separation;
    let period: f64 = (whole..whole + separation).filter(|_| repeats > 0).map(square).sum();
    let (start, rest) = if repeats > 0 { (whole, last) } else { (end, end) };
    let squares = (0..start).chain(rest..end).map(square).sum::<f64>() + repeats as f64 * period;
    squares.sqrt() * (1.0 + 1e-12)
}

/// Dominating pair and realised pair on the whole dataset; `None` if they have no loss.
fn pairs(kind: &EventKind, count: u64) -> Option<(LawPair, Option<LawPair>)> {
    let exact = |law: LawPair| Some((law.clone(), Some(law)));
    match *kind {
        EventKind::Laplace { scale, sensitivity } => {
            exact(LawPair::Laplace { a: sensitivity / scale })
        }
        EventKind::Gaussian { sigma, sensitivity } => {
            exact(LawPair::Gaussian { mu: sensitivity / sigma })
        }
        EventKind::Gdp { mu: 0.0 } => None,
        EventKind::Gdp { mu } => exact(LawPair::Gaussian { mu }),
        EventKind::DiscreteLaplace { scale, sensitivity } => {
            exact(discrete_laplace(scale, sensitivity))
        }
        EventKind::DiscreteGaussian { sigma, sensitivity } => {
            let (upper, lower) = discrete_gaussian(sigma, sensitivity);
            Some((upper, Some(lower)))
        }
        EventKind::RandomizedResponse { truth, values } => {
            exact(randomized_response(truth, values))
        }
        EventKind::ShuffledRandomizedResponse { epsilon, rows, values } => {
            let (upper, lower) = Shuffle { epsilon, rows, values }.pairs();
            Some((upper, Some(lower)))
        }
        EventKind::ExponentialMechanism { epsilon: 0.0 }
        | EventKind::ReportNoisyMax { epsilon: 0.0 }
        | EventKind::RepeatAndSelect { epsilon: 0.0, .. } => None,
        EventKind::ReportNoisyMax { epsilon } => {
            // Two scores, at equal distances on either side: the sign of Laplace noise that is moved by ε.
            let other = 0.5 * (-0.5 * epsilon).exp();
            // Finite where `other` underflows.
            let loss = (-other).ln_1p() + 0.5 * epsilon + std::f64::consts::LN_2;
            let parts = vec![
                LawPart { p: other, q: 1.0 - other, loss: -loss },
                LawPart { p: 1.0 - other, q: other, loss },
            ];
            let two = LawPair::Atoms { parts, spacing: Some(loss) };
            Some((LawPair::Laplace { a: epsilon }, Some(two)))
        }
        // Below, a number of runs that is almost always 1.
        EventKind::RepeatAndSelect { epsilon, shape } => Some((
            LawPair::randomized_response((2.0 + shape) * epsilon, 0.0),
            Some(LawPair::randomized_response(epsilon, 0.0)),
        )),
        EventKind::ExponentialMechanism { epsilon } => {
            Some((LawPair::BoundedRange { epsilon }, Some(two_points(epsilon, count))))
        }
        EventKind::EpsilonDelta { epsilon: 0.0, delta: 0.0 } => None,
        EventKind::EpsilonDelta { epsilon, delta } => {
            exact(LawPair::randomized_response(epsilon, delta))
        }
        EventKind::Renyi { epsilon: 0.0, .. }
        | EventKind::ZeroConcentrated { rho: 0.0, xi: 0.0 } => None,
        // A Gaussian pair of mean μ has Rényi divergence αμ²/2 of every order.
        EventKind::Renyi { alpha, epsilon } => Some((
            converted::law(&[(alpha, epsilon)]),
            Some(LawPair::Gaussian { mu: (2.0 * epsilon / alpha).sqrt() * (1.0 - 1e-15) }),
        )),
        EventKind::ZeroConcentrated { rho, xi } => {
            let gaussian = LawPair::Gaussian { mu: (2.0 * rho).sqrt() * (1.0 - 1e-15) };
            let lower = Some(gaussian).filter(|_| rho > 0.0);
            Some((converted::law(&converted::of_every_order(rho, xi)), lower))
        }
        // Zero-concentrated, and no less than the noise of the coordinate that is moved furthest.
        EventKind::DiscreteGaussianVector { sigma, sensitivity } => {
            let rho = 0.5 * (sensitivity / sigma) * (sensitivity / sigma);
            // From 1 to 10^4: whole when it is rounded down.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let (_, lower) = discrete_gaussian(sigma, sensitivity as u64);
            Some((converted::law(&converted::of_every_order(rho, 0.0)), Some(lower)))
        }
        EventKind::MixtureOfGaussians { sigma, ref shifts, ref weights } => {
            let scaled = shifts.iter().map(|shift| shift / sigma);
            let mixture = weights.iter().copied().zip(scaled).collect();
            shifts.iter().any(|&shift| shift > 0.0).then_some(())?;
            exact(LawPair::Mixture(MixturePair::shifted(mixture)))
        }
        EventKind::TreeAggregation { .. } | EventKind::CorrelatedNoise { .. } => {
            exact(LawPair::Gaussian { mu: gaussian_mu(kind)? })
        }
    }
}

/// A row added to a Poisson sample that is cut to a batch. If the others already fill it, which is the same in both
/// datasets and may be told, the row is in with another probability, and moves the answer by that of the row whose place
/// it takes as well. Below, the other rows move nothing.
fn truncated_poisson(mu: f64, (rate, batch, rows): (f64, u64, u64)) -> Laws {
    let others = Binomial { draws: rows - 1, rate };
    let full = others.mass_from(batch);
    // All rows in the sample, the one among them, and more than the batch holds: B/n of those are kept.
    let kept = Binomial { draws: rows, rate }.mass_from(batch + 1) * batch as f64 / rows as f64;
    let free = rate * others.mass_below(batch);
    let (out, most) = (1.0 + Binomial::ERROR, |rate: f64| rate.min(1.0));
    let one = |weight: f64, mu: f64, rate: f64| Choice {
        weight: most(weight * out),
        pair: LawPair::Gaussian { mu },
        seen: Seen::Poisson(most(rate * out)),
    };
    let mut choices = vec![one(others.mass_below(batch), mu, rate)];
    if full > 0.0 {
        choices.push(one(full, 2.0 * mu, kept / full));
    }
    let lower = Seen::Poisson(most((free + kept) / out));
    (Law(choices), Some(Law::seen(LawPair::Gaussian { mu }, lower)))
}

/// A row substituted where rows are drawn with replacement (Balle, Barthe, Gaboardi 2018, Thm 10): how often it is drawn
/// may be told. Below, the substitute and the other rows move nothing, the row by the whole sensitivity.
fn with_replacement(mu: f64, (draws, rows): (u64, u64)) -> Laws {
    let drawn = Binomial { draws, rate: 1.0 / rows as f64 };
    let ever = -(draws as f64 * (-drawn.rate).ln_1p()).exp_m1();
    let out = 1.0 + Binomial::ERROR;
    let (mut choices, mut shifts, mut k) = (Vec::new(), vec![(1.0 - ever, 0.0)], 1);
    let seen = Seen::Substituted((ever * out).min(1.0));
    let mut choose = |weight: f64, pair: LawPair| choices.push(Choice { weight, pair, seen });
    let mut left = 1.0;
    while k <= draws && left > 1e-20 {
        let mass = drawn.mass(k);
        choose(mass / ever * out, LawPair::Gaussian { mu: k as f64 * mu });
        shifts.push((mass, k as f64 * mu));
        k += 1;
        left = drawn.mass_from(k);
    }
    // All that is drawn more often is as if it were told.
    choose(left / ever * out, LawPair::randomized_response(0.0, 1.0));
    shifts[0].0 += left;
    (Law(choices), Some(Law::seen(LawPair::Mixture(MixturePair::shifted(shifts)), Seen::Directed)))
}

/// Losses a(Δ − 2x) for x = 0..Δ, with a = 1/scale; the ends have all that is beyond them.
fn discrete_laplace(scale: f64, sensitivity: u64) -> LawPair {
    let a = 1.0 / scale;
    // Probability of a distance x under the dataset from which it is counted.
    let mass = |x: u64| {
        let away = (-a * x as f64).exp();
        let end = x == 0 || x == sensitivity;
        if end { away / (1.0 + (-a).exp()) } else { (0.5 * a).tanh() * away }
    };
    let parts = (0..=sensitivity).rev().map(|x| {
        let steps = sensitivity as f64 - 2.0 * x as f64;
        LawPart { p: mass(x), q: mass(sensitivity - x), loss: a * steps }
    });
    let spacing = if sensitivity.is_multiple_of(2) { 2.0 * a } else { a };
    LawPair::Atoms { parts: parts.collect(), spacing: Some(spacing) }
}

/// Losses (Δ² − 2Δx)/2σ² with probability proportional to e^(−x²/2σ²). Outcomes whose probability
/// under one dataset is too small for a double are lost for certain from above, and left out from
/// below; so is everything beyond 38σ.
fn discrete_gaussian(sigma: f64, sensitivity: u64) -> (LawPair, LawPair) {
    // Below 2^53, both: the conversion is exact.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
    let (shift, reach) = (sensitivity as i64, (38.0 * sigma).ceil() as i64);
    let weight = |x: i64| (-0.5 * (x as f64 / sigma) * (x as f64 / sigma)).exp();
    // Of distances from 0 on.
    let weights: Vec<f64> = (0..=reach + shift).map(weight).collect();
    let of = |x: i64| usize::try_from(x.abs()).ok().and_then(|x| weights.get(x)).unwrap_or(&0.0);
    let total = 1.0 + 2.0 * pairwise(&weights[1..=usize::try_from(reach).unwrap_or(0)]);
    let unit = shift as f64 / (2.0 * sigma * sigma);
    let parts = (-reach..=reach + shift).rev().map(|x| {
        let loss = unit * (shift - 2 * x) as f64;
        LawPart { p: of(x) / total, q: of(x - shift) / total, loss }
    });
    let (both, one): (Vec<LawPart>, Vec<LawPart>) =
        parts.partition(|part| part.p > 0.0 && part.q > 0.0);
    // The law is symmetric: as much is lost the other way round.
    let lost = one.iter().map(|part| part.p).sum::<f64>().max(1e-300) * (1.0 + 1e-12);
    let mut upper = vec![LawPart { p: 0.0, q: lost, loss: f64::NEG_INFINITY }];
    upper.extend(both.iter().copied());
    upper.push(LawPart { p: lost, q: 0.0, loss: f64::INFINITY });
    // Δ − 2x is always even or always odd.
    let spacing = Some(if shift % 2 == 0 { 2.0 * unit } else { unit });
    (LawPair::Atoms { parts: upper, spacing }, LawPair::Atoms { parts: both, spacing })
}

/// A sum whose rounding grows with the logarithm of the number of terms only.
fn pairwise(terms: &[f64]) -> f64 {
    if terms.len() <= 32 {
        return terms.iter().rev().sum();
    }
    let (first, rest) = terms.split_at(terms.len() / 2);
    pairwise(first) + pairwise(rest)
}

/// The answer under D, that under D', any other.
fn randomized_response(truth: f64, values: u64) -> LawPair {
    let other = (1.0 - truth) / values as f64;
    let told = truth + other;
    // ln((t + o)/o), accurate for small t.
    let loss = (truth / other).ln_1p();
    let rest = (values - 2) as f64 * other;
    let mut parts = vec![
        LawPart { p: other, q: told, loss: -loss },
        LawPart { p: rest, q: rest, loss: 0.0 },
        LawPart { p: told, q: other, loss },
    ];
    parts.retain(|part| part.p > 0.0);
    LawPair::Atoms { parts, spacing: Some(loss) }
}

/// An exponential mechanism with two answers, of losses t and t − ε: the best for one use near
/// the end of its range, and for many in the middle.
fn two_points(epsilon: f64, count: u64) -> LawPair {
    let t = 0.5 * epsilon * (1.0 + 0.5 / (count as f64).sqrt());
    // q e^t + (1 − q) e^(t − ε) = 1, and nothing overflows or cancels.
    let whole = -(-epsilon).exp_m1();
    let p = -(t - epsilon).exp_m1() / whole;
    let other = -(-t).exp_m1() / whole;
    let parts = vec![
        LawPart { p: (t - epsilon).exp() * other, q: other, loss: t - epsilon },
        LawPart { p, q: p * (-t).exp(), loss: t },
    ];
    LawPair::Atoms { parts, spacing: None }
}

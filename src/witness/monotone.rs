//! Shares of D that only rise, or only fall, along a line: those of a number with log-concave noise on
//! it, wherever its loss has bends that no simple curve follows.

/// What is known of a bin of a line.
#[derive(Clone, Copy)]
pub(super) struct Estimate {
    /// Outcomes from D.
    pub d: f64,
    /// All outcomes.
    pub all: f64,
    /// Its share of D, from 0 to 1, estimated in whatever way.
    pub share: f64,
}

/// The shares of the bins of a line as steps that only rise or only fall, by isotonic regression
/// (Barlow, Bartholomew, Bremner & Brunk 1972, section 1.2), if the counts do not contradict that.
/// Steps that chance explains are none (reduced isotonic regression: Schell & Singh 1997): the ups
/// and downs of a plateau are chance, and a cut that follows them loses by that.
pub(super) fn smoothed(bins: &[Estimate]) -> Vec<f64> {
    let seen: Vec<(f64, f64)> =
        bins.iter().filter(|bin| bin.all > 0.0).map(|bin| (bin.d / bin.all, bin.all)).collect();
    let [up, down] = [1.0, -1.0].map(|sign| misfit(&seen, sign));
    let count = seen.len() as f64;
    // The mean of χ² and a standard deviation: no less than what chance gives on a plateau.
    if up.min(down) <= count + (2.0 * count).sqrt() {
        let shares: Vec<_> = bins.iter().map(|bin| (bin.share, bin.all.max(TINY))).collect();
        let mut steps = steps(&shares, if up <= down { 1.0 } else { -1.0 });
        while let Some((place, height)) = lowest(&steps)
            && height < LEAST_STEP
        {
            let next = steps.remove(place + 1);
            steps[place] = steps[place].with(next);
        }
        flat(&steps)
    } else {
        bins.iter().map(|bin| bin.share).collect()
    }
}

/// Weight of a bin that was never seen.
const TINY: f64 = 1e-9;
/// Standard deviations from which on a step is none by chance.
const LEAST_STEP: f64 = 3.0;

/// Neighbors of the same share.
#[derive(Clone, Copy)]
struct Step {
    mean: f64,
    weight: f64,
    bins: usize,
}

impl Step {
    fn with(self, next: Self) -> Self {
        let weight = self.weight + next.weight;
        let mean = (self.mean * self.weight + next.mean * next.weight) / weight;
        Self { mean, weight, bins: self.bins + next.bins }
    }

    /// How much higher or lower the next one is, in standard deviations.
    fn height(self, next: Self) -> f64 {
        let share = self.with(next).mean;
        let variance = share * (1.0 - share) * (1.0 / self.weight + 1.0 / next.weight);
        if variance > 0.0 { (self.mean - next.mean).abs() / variance.sqrt() } else { 0.0 }
    }
}

/// The lowest of the steps, between one place and the next, and its height.
fn lowest(steps: &[Step]) -> Option<(usize, f64)> {
    let heights = steps.windows(2).map(|both| both[0].height(both[1]));
    heights.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The share of each bin.
fn flat(steps: &[Step]) -> Vec<f64> {
    steps.iter().flat_map(|step| std::iter::repeat_n(step.mean, step.bins)).collect()
}

/// χ² of shares with so many outcomes, against those that rise (sign 1) or fall (−1).
fn misfit(shares: &[(f64, f64)], sign: f64) -> f64 {
    let terms = shares.iter().zip(isotonic(shares, sign)).map(|(&(share, all), fitted)| {
        let variance = fitted * (1.0 - fitted) / all;
        if variance > 0.0 { (share - fitted).powi(2) / variance } else { 0.0 }
    });
    terms.sum()
}

/// The values that rise (sign 1) or fall (−1) and are closest to these, by weighted squares.
fn isotonic(values: &[(f64, f64)], sign: f64) -> Vec<f64> {
    flat(&steps(values, sign))
}

/// See [`isotonic`]: neighbors that do not rise or fall are pooled.
fn steps(values: &[(f64, f64)], sign: f64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(values.len());
    for &(mean, weight) in values {
        let mut step = Step { mean, weight, bins: 1 };
        while let Some(&before) = steps.last()
            && sign * (before.mean - step.mean) > 0.0
        {
            step = before.with(step);
            steps.pop();
        }
        steps.push(step);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bins(counts: &[(f64, f64)]) -> Vec<Estimate> {
        counts.iter().map(|&(d, all)| Estimate { d, all, share: d / all }).collect()
    }

    #[test]
    fn a_plateau_that_wavers_by_chance_is_flat() {
        // Standard deviations of about 5.
        let rising = bins(&[(39.0, 100.0), (42.0, 100.0), (39.0, 100.0), (80.0, 100.0)]);
        let shares = smoothed(&rising);
        assert!(shares.iter().zip([0.4, 0.4, 0.4, 0.8]).all(|(a, b)| (a - b).abs() < 1e-12));
        let falling: Vec<Estimate> = rising.into_iter().rev().collect();
        let reversed = smoothed(&falling).into_iter().rev();
        assert!(shares.iter().zip(reversed).all(|(a, b)| (a - b).abs() < 1e-12));
        // Steps that chance does not explain stay.
        let shares = smoothed(&bins(&[(1e3, 1e4), (2e3, 1e4), (4e3, 1e4)]));
        assert_eq!(shares, [0.1, 0.2, 0.4]);
    }

    #[test]
    fn what_goes_up_and_down_stays() {
        let counts = [(200.0, 1000.0), (500.0, 1000.0), (200.0, 1000.0), (500.0, 1000.0)];
        assert_eq!(smoothed(&bins(&counts)), [0.2, 0.5, 0.2, 0.5]);
    }

    #[test]
    fn bins_that_were_never_seen_have_no_say() {
        let unseen = Estimate { d: 0.0, all: 0.0, share: 0.9 };
        let mut line = bins(&[(1e3, 1e4), (2e3, 1e4), (3e3, 1e4)]);
        line.insert(1, unseen);
        let shares = smoothed(&line);
        assert!(shares.iter().zip([0.1, 0.2, 0.2, 0.3]).all(|(a, b)| (a - b).abs() < 1e-9));
        assert_eq!(smoothed(&[unseen]), [0.9]);
        assert!(smoothed(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn isotonic_values_rise_keep_their_mean_and_are_closest(
            values in prop::collection::vec((0.0..1.0f64, 0.1..10.0f64), 1..20),
            other in prop::collection::vec(0.0..1.0f64, 20),
        ) {
            let fitted = isotonic(&values, 1.0);
            prop_assert_eq!(fitted.len(), values.len());
            prop_assert!(fitted.is_sorted());
            let total = |of: &[f64]| of.iter().zip(&values).map(|(x, (_, w))| x * w).sum::<f64>();
            let own: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            prop_assert!((total(&fitted) - total(&own)).abs() < 1e-9);
            let squares = |of: &[f64]| {
                of.iter().zip(&values).map(|(x, (value, w))| w * (x - value).powi(2)).sum::<f64>()
            };
            let mut rising = other;
            rising.truncate(values.len());
            rising.sort_by(f64::total_cmp);
            prop_assert!(squares(&fitted) <= squares(&rising) + 1e-9);
        }
    }
}

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

impl Estimate {
    /// Its share of D by its own counts, if there are any.
    fn seen(self) -> f64 {
        if self.all > 0.0 { self.d / self.all } else { self.share }
    }
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
        by_their_counts(&mut steps, bins);
        with_bends(&steps, bins)
    } else {
        bins.iter().map(|bin| bin.share).collect()
    }
}

/// Weight of a bin that was never seen.
const TINY: f64 = 1e-9;
/// Standard deviations from which on a step is none by chance.
const LEAST_STEP: f64 = 4.0;

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

/// What plateaus are by their own counts: a curve that does not follow them has drawn each of their bins
/// towards itself.
fn by_their_counts(steps: &mut [Step], bins: &[Estimate]) {
    let mut rest = bins;
    for step in steps {
        let (own, others) = rest.split_at(step.bins);
        rest = others;
        let [d, all] = [|bin: &Estimate| bin.d, |bin: &Estimate| bin.all]
            .map(|count| own.iter().map(count).sum::<f64>());
        if step.bins > 1 && all > 0.0 {
            step.mean = d / all;
        }
    }
}

/// The share of each bin. Where a step meets the next, the two bins are as likely a part of the bend as of
/// their steps: the mean of the step's share and of what their own counts say, between the two steps. A
/// cut that takes in what comes behind a bend loses more than one that leaves out the last of a plateau. (A
/// lone bin between two others is drawn towards its own counts twice: it is both of its step's ends.)
fn with_bends(steps: &[Step], bins: &[Estimate]) -> Vec<f64> {
    let mut shares = flat(steps);
    let mut next = 0;
    for both in steps.windows(2) {
        next += both[0].bins;
        let [low, high] = [both[0].mean.min(both[1].mean), both[0].mean.max(both[1].mean)];
        for bin in [next - 1, next] {
            shares[bin] = 0.5 * (shares[bin] + bins[bin].seen().clamp(low, high));
        }
    }
    shares
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
    fn a_bin_that_the_bend_may_lie_in_is_half_of_its_step() {
        // A plateau, a bin that is a little lower, and what lies plainly behind the bend.
        let shares =
            smoothed(&bins(&[(3000.0, 5000.0), (3000.0, 5000.0), (2900.0, 5000.0), (1e3, 5e3)]));
        let plateau = 8900.0 / 15_000.0;
        let expected = [plateau, plateau, 0.5 * (plateau + 0.58), 0.2];
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{shares:?}");
        // One that is a little higher is a part of its plateau.
        let shares = smoothed(&bins(&[(2950.0, 5e3), (2950.0, 5e3), (3e3, 5e3), (1e3, 5e3)]));
        assert!(shares[..3].iter().all(|share| (share - plateau).abs() < 1e-12), "{shares:?}");
    }

    #[test]
    fn a_plateau_is_what_its_counts_say_whatever_a_curve_made_of_it() {
        let of = |d: f64, share: f64| Estimate { d, all: 5e3, share };
        let shares = smoothed(&[of(3e3, 0.58), of(3e3, 0.57), of(3e3, 0.56), of(1e3, 0.25)]);
        assert!(shares[..3].iter().all(|share| (share - 0.6).abs() < 1e-12), "{shares:?}");
        // A lone bin is what was estimated of it.
        assert!((shares[3] - 0.25).abs() < 1e-12, "{shares:?}");
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

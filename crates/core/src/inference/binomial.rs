//! Binomial probabilities and tails, accurate far into the tails.
//!
//! Probabilities by Loader's saddle-point expansion (C. Loader, "Fast and accurate computation of
//! binomial probabilities", 2000), with the mean carried in twice the working precision: at
//! n = 10^10 and a tail of 10^-300 the rounding of n·p alone would cost ten digits. Tails as the
//! probability at the edge times a factor near one standard deviation over the distance: a sum of
//! positive terms when the variance is small, a Gauss–Legendre quadrature of the beta integral when
//! it is large. No step subtracts what is nearly equal.

/// Variance from which the quadrature takes over from the direct sum.
const LARGE_VARIANCE: f64 = 1e4;

/// ln P[Bin(n, p) = k]; −∞ where that is impossible. Absolute error of a few units in the last
/// place of the result.
pub fn ln_probability(k: u64, n: u64, p: f64) -> f64 {
    Chance::of(p).ln_probability(k, n)
}

/// P[Bin(n, p) >= k], relative error about 10^-13.
pub fn upper_tail(k: u64, n: u64, p: f64) -> f64 {
    Chance::of(p).ln_upper_tail(k, n).exp()
}

/// P[Bin(n, p) <= k], relative error about 10^-13.
pub fn lower_tail(k: u64, n: u64, p: f64) -> f64 {
    if k >= n { 1.0 } else { Chance::of(p).mirrored().ln_upper_tail(n - k, n).exp() }
}

/// The smallest b with P[Bin(n, p) > b] <= `alpha`. Where the two agree to 10^-12 it takes the
/// larger b: the tail beyond the result is never above `alpha`.
pub fn upper_quantile(alpha: f64, n: u64, p: f64) -> u64 {
    let chance = Chance::of(p);
    let beyond = |b: u64| b >= n || chance.ln_upper_tail(b + 1, n).exp() * (1.0 + 1e-12) <= alpha;
    let size = n as f64;
    let deviation = (size * chance.p.0 * chance.q.0).sqrt();
    let z = plaudit_accountant::normal::upper_quantile(alpha);
    // Cornish–Fisher, second order: exact to a count or so when the variance is large.
    let guess =
        size * chance.p.0 + deviation * z - 0.5 + (chance.q.0 - chance.p.0) * (z * z - 1.0) / 6.0;
    let guess = (guess.clamp(0.0, size) as u64).min(n);
    // `low` fails (or is one before 0), `high` holds: steps that double, then halving.
    let (mut low, mut high, mut step) = (-1_i128, i128::from(n), 1_i128);
    let mut at = i128::from(guess);
    while high - low > 1 {
        let inside = at.clamp(low + 1, high - 1);
        if beyond(inside as u64) {
            high = inside;
            at = inside - step;
        } else {
            low = inside;
            at = inside + step;
        }
        step *= 2;
        if at <= low || at >= high {
            at = i128::midpoint(low, high);
        }
    }
    high as u64
}

/// A probability and its complement, each as an unevaluated sum of two doubles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    p: (f64, f64),
    q: (f64, f64),
}

impl Chance {
    pub(super) fn of(p: f64) -> Self {
        let q = 1.0 - p;
        // Exact (Fast2Sum): 1 >= p.
        Self { p: (p, 0.0), q: (q, (1.0 - q) - p) }
    }

    pub(super) fn mirrored(self) -> Self {
        Self { p: self.q, q: self.p }
    }

    /// The probability and its complement, rounded.
    pub(super) fn rounded(self) -> (f64, f64) {
        (self.p.0, self.q.0)
    }

    fn mean(self, n: f64) -> (f64, f64) {
        let high = n * self.p.0;
        (high, n.mul_add(self.p.0, -high) + n * self.p.1)
    }

    fn ln_complement(self) -> f64 {
        if self.q.0 > 0.5 { (-self.p.0 - self.p.1).ln_1p() } else { (self.q.0 + self.q.1).ln() }
    }

    pub(super) fn ln_probability(self, k: u64, n: u64) -> f64 {
        if k > n || (k > 0 && self.p.0 <= 0.0) || (k < n && self.q.0 <= 0.0) {
            return f64::NEG_INFINITY;
        }
        let (hits, size) = (k as f64, n as f64);
        if k == 0 {
            return if n == 0 { 0.0 } else { size * self.ln_complement() };
        }
        if k == n {
            return size * self.mirrored().ln_complement();
        }
        let misses = (n - k) as f64;
        stirling_error(n)
            - stirling_error(k)
            - stirling_error(n - k)
            - deviance(hits, self.mean(size))
            - deviance(misses, self.mirrored().mean(size))
            - 0.5 * (std::f64::consts::TAU * hits * (misses / size)).ln()
    }

    /// ln P[Bin(n, p) >= k]: finite even where the probability itself underflows.
    pub(super) fn ln_upper_tail(self, k: u64, n: u64) -> f64 {
        if k == 0 {
            return 0.0;
        }
        if k > n || self.p.0 <= 0.0 {
            return f64::NEG_INFINITY;
        }
        if self.q.0 <= 0.0 {
            return 0.0;
        }
        if (k as f64) < n as f64 * self.p.0 {
            // More than about half: one minus the other side loses nothing.
            return (-self.mirrored().far_tail(n - k + 1, n).exp()).ln_1p();
        }
        self.far_tail(k, n)
    }

    /// Tail for k at or above the mean.
    fn far_tail(self, k: u64, n: u64) -> f64 {
        let size = n as f64;
        let factor = if size * self.p.0 * self.q.0 < LARGE_VARIANCE {
            self.summed_factor(k, n)
        } else {
            self.integrated_factor(k as f64, size)
        };
        self.ln_probability(k, n) + factor.ln()
    }

    /// P[Bin >= k]/P[Bin = k] as the sum of the ratios of probabilities.
    fn summed_factor(self, k: u64, n: u64) -> f64 {
        let odds = self.p.0 / self.q.0 * (1.0 + (self.p.1 / self.p.0 - self.q.1 / self.q.0));
        let (mut up, mut left) = (k as f64 + 1.0, (n - k) as f64);
        let (mut term, mut sum) = (1.0, 1.0);
        while term > 1e-18 * sum && left > 0.0 {
            term *= left / up * odds;
            sum += term;
            up += 1.0;
            left -= 1.0;
        }
        sum
    }

    /// P[Bin >= k]/P[Bin = k] = k·q·∫ exp E(w) dw over w < 0, with E(w) = k·w − (n + 1) ln(q +
    /// p·e^w): the beta integral in the variable logit t = logit p + w. The logarithm is the
    /// cumulant generating function of one Bernoulli draw, and w stays below 0.1 here.
    fn integrated_factor(self, k: f64, n: f64) -> f64 {
        let (mean, mean_low) = self.mean(n);
        let slope = (k - mean) - mean_low - self.p.0;
        let v = self.p.0 * self.q.0;
        let skew = self.q.0 - self.p.0;
        // Cumulants over factorials, from the second to the tenth.
        let c = [
            v / 2.0,
            v * skew / 6.0,
            v * (1.0 - 6.0 * v) / 24.0,
            v * skew * (1.0 - 12.0 * v) / 120.0,
            v * (1.0 + v * (-30.0 + 120.0 * v)) / 720.0,
            v * skew * (1.0 + v * (-60.0 + 360.0 * v)) / 5_040.0,
            v * (1.0 + v * (-126.0 + v * (1_680.0 - 5_040.0 * v))) / 40_320.0,
            v * skew * (1.0 + v * (-252.0 + v * (5_040.0 - 20_160.0 * v))) / 362_880.0,
            v * (1.0 + v * (-510.0 + v * (17_640.0 + v * (-151_200.0 + 362_880.0 * v))))
                / 3_628_800.0,
        ];
        let exponent = |w: f64| {
            let series = c.iter().rev().fold(0.0, |sum, &c| sum * w + c);
            w * (slope - (n + 1.0) * w * series)
        };
        let deviation = ((n + 1.0) * v).sqrt();
        let z = (slope / deviation).max(0.0);
        // Where E has fallen to about −41: everything beyond is below 10^-17 of the whole.
        let reach = 82.0 / (z + (z * z + 82.0).sqrt()) / deviation;
        let sum: f64 = GAUSS_LEGENDRE_24
            .iter()
            .map(|&(node, weight)| {
                let near = exponent(-0.5 * reach * (1.0 - node)).exp();
                let far = exponent(-0.5 * reach * (1.0 + node)).exp();
                weight * (near + far)
            })
            .sum();
        k * self.q.0 * 0.5 * reach * sum
    }
}

/// x ln(x/m) + m − x for x > 0 (NaN for NaN), with m given in two parts: Loader's bd0, series where it cancels.
fn deviance(x: f64, (mean, mean_low): (f64, f64)) -> f64 {
    let difference = (x - mean) - mean_low;
    let v = difference / (x + mean);
    if v.abs() > 0.5 {
        return x * (x / mean).ln() - difference;
    }
    let square = v * v;
    let mut sum = difference * v;
    let mut power = 2.0 * x * v;
    let mut odd = 3.0;
    loop {
        power *= square;
        let next = sum + power / odd;
        if next == sum || next.is_nan() {
            return next;
        }
        sum = next;
        odd += 2.0;
    }
}

/// ln n! − (½ ln(2πn) + n ln n − n), zero for n = 0.
fn stirling_error(n: u64) -> f64 {
    if let Some(&exact) = STIRLING_ERRORS.get(n as usize) {
        return exact;
    }
    let x = n as f64;
    let z = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - z * (1.0 / 360.0
            - z * (1.0 / 1_260.0
                - z * (1.0 / 1_680.0 - z * (1.0 / 1_188.0 - z * (691.0 / 360_360.0 - z / 156.0)))));
    series / x
}

/// The first ones, from 40-digit arithmetic; the series is not enough for them.
const STIRLING_ERRORS: [f64; 17] = [
    0.0,
    0.081_061_466_795_327_26,
    0.041_340_695_955_409_3,
    0.027_677_925_684_998_34,
    0.020_790_672_103_765_093,
    0.016_644_691_189_821_193,
    0.013_876_128_823_070_748,
    0.011_896_709_945_891_77,
    0.010_411_265_261_972_096,
    0.009_255_462_182_712_733,
    0.008_330_563_433_362_87,
    0.007_573_675_487_951_841,
    0.006_942_840_107_209_53,
    0.006_408_994_188_004_207,
    0.005_951_370_112_758_848,
    0.005_554_733_551_962_801,
    0.005_207_655_919_609_64,
];

/// Positive nodes and weights of the 24-point Gauss–Legendre rule on [−1, 1].
const GAUSS_LEGENDRE_24: [(f64, f64); 12] = [
    (0.064_056_892_862_605_63, 0.127_938_195_346_752_16),
    (0.191_118_867_473_616_3, 0.125_837_456_346_828_3),
    (0.315_042_679_696_163_4, 0.121_670_472_927_803_39),
    (0.433_793_507_626_045_1, 0.115_505_668_053_725_6),
    (0.545_421_471_388_839_5, 0.107_444_270_115_965_63),
    (0.648_093_651_936_975_5, 0.097_618_652_104_113_88),
    (0.740_124_191_578_554_4, 0.086_190_161_531_953_27),
    (0.820_001_985_973_903, 0.073_346_481_411_080_31),
    (0.886_415_527_004_401, 0.059_298_584_915_436_78),
    (0.938_274_552_002_732_8, 0.044_277_438_817_419_81),
    (0.974_728_555_971_309_5, 0.028_531_388_628_933_663),
    (0.995_187_219_997_021_4, 0.012_341_229_799_987_2),
];

#[cfg(test)]
#[path = "../../tests/unit/inference/binomial.rs"]
mod tests;

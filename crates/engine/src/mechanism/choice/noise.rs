//! Exact samplers of noise, from choices alone (Canonne, Kamath, Steinke 2020, "The Discrete
//! Gaussian for Differential Privacy", Algorithms 1 to 3).

use super::choices::Choices;
use super::fraction::Fraction;

impl Choices<'_> {
    /// True with probability e^(−x), where x = `numerator`/`denominator` >= 0 (Algorithm 1).
    ///
    /// # Panics
    /// If the denominator is 0 or above 2¹⁰⁰.
    pub fn exp_chance(&mut self, numerator: u128, denominator: u128) -> bool {
        assert!(denominator <= 1 << 100, "{denominator} is too large a denominator");
        self.part(&(numerator, denominator), |&(numerator, denominator), choices| {
            for _ in 0..numerator / denominator {
                if !choices.exp_fraction(1, 1) {
                    return false;
                }
            }
            choices.exp_fraction(numerator % denominator, denominator)
        })
    }

    /// [`Choices::exp_chance`] for x <= 1: the number of heads in a row of coins of probability
    /// x, x/2, x/3, … is even with probability 1 − x + x²/2! − …
    fn exp_fraction(&mut self, numerator: u128, denominator: u128) -> bool {
        self.part(&(numerator, denominator), |&(numerator, denominator), choices| {
            let mut heads: u32 = 0;
            // 2²⁷ heads, which the product would not hold, come with probability 1/2²⁷!.
            while choices.chance(numerator, denominator * (u128::from(heads) + 1)) {
                heads += 1;
            }
            heads.is_multiple_of(2)
        })
    }

    /// Discrete Laplace noise: the whole number z with probability proportional to e^(−|z|/scale)
    /// (Algorithm 2).
    ///
    /// # Panics
    /// If the scale is 0.
    pub fn discrete_laplace(&mut self, scale: Fraction) -> i64 {
        assert!(scale.numerator() > 0, "noise needs a scale above 0");
        self.until(&scale, |scale, choices| {
            let (t, s) = (scale.numerator(), scale.denominator());
            let remainder = choices.uniform(t);
            if !choices.exp_chance(remainder.into(), t.into()) {
                return None;
            }
            let mut wholes: u64 = 0;
            while choices.exp_chance(1, 1) {
                wholes += 1;
            }
            let size = t.checked_mul(wholes).and_then(|x| x.checked_add(remainder))? / s;
            let size = i64::try_from(size).ok()?;
            match choices.chance(1, 2) {
                true if size == 0 => None,
                true => Some(-size),
                false => Some(size),
            }
        })
    }

    /// Discrete Gaussian noise: the whole number z with probability proportional to e^(−z²/(2σ²))
    /// (Algorithm 3); `variance` is σ².
    ///
    /// # Panics
    /// If the variance is 0.
    pub fn discrete_gaussian(&mut self, variance: Fraction) -> i64 {
        assert!(variance.numerator() > 0, "noise needs a variance above 0");
        self.until(&variance, |variance, choices| {
            let (a, b) = (u128::from(variance.numerator()), u128::from(variance.denominator()));
            let t = (a / b).isqrt() + 1;
            let z = choices.discrete_laplace(Fraction::whole(t as u64));
            // (|z| − σ²/t)²/(2σ²) = (|z|tb − a)²/(2abt²).
            let miss = (u128::from(z.unsigned_abs()) * t * b).abs_diff(a);
            let square = miss.checked_mul(miss)?;
            let whole = (2 * a).checked_mul(b)?.checked_mul(t * t)?;
            choices.exp_chance(square, whole).then_some(z)
        })
    }
}

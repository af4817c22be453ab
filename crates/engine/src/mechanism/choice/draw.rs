//! Exact draws from a random stream, with integers only.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig as Rational;
use plaudit_core::random::Stream;
use rand::Rng;

/// A coin with a rational probability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Coin {
    probability: Rational,
    /// The first 64 binary digits of the probability.
    head: u64,
}

impl Coin {
    /// A coin that shows true with this probability; `None` if it is not in [0, 1].
    pub fn new(probability: impl Into<Rational>) -> Option<Self> {
        let probability: Rational = probability.into();
        if probability < Rational::ZERO || probability > Rational::ONE {
            return None;
        }
        let scaled = (&probability * Rational::from(UBig::ONE << 64)).floor();
        // Only probability 1 does not fit; no drawn number is above its head.
        let head = u64::try_from(scaled).unwrap_or(u64::MAX);
        Some(Self { probability, head })
    }

    pub fn probability(&self) -> &Rational {
        &self.probability
    }

    /// Compares a uniform number in [0, 1) with the probability, digit by digit.
    #[inline]
    pub(super) fn throw(&self, random: &mut Stream) -> bool {
        let drawn = random.next_u64();
        if drawn == self.head { self.throw_on(random) } else { drawn < self.head }
    }

    #[cold]
    fn throw_on(&self, random: &mut Stream) -> bool {
        if self.probability.is_one() {
            return true;
        }
        let rest = (&self.probability * Rational::from(UBig::ONE << 64)).fract();
        Self::new(rest).is_some_and(|coin| coin.throw(random))
    }
}

/// A uniform number below `n` > 0, by rejection.
#[inline]
pub(super) fn below(random: &mut Stream, n: u64) -> u64 {
    let last = n - 1;
    let mask = u64::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
    loop {
        let drawn = random.next_u64() & mask;
        if drawn <= last {
            return drawn;
        }
    }
}

/// [`below`] for 128 bits.
#[inline]
pub(super) fn below_wide(random: &mut Stream, n: u128) -> u128 {
    if let Ok(n) = u64::try_from(n) {
        return below(random, n).into();
    }
    let last = n - 1;
    loop {
        let drawn = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let drawn = drawn >> last.leading_zeros();
        if drawn <= last {
            return drawn;
        }
    }
}

/// Weights for a choice: whole numbers, not all of them 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    weights: Vec<UBig>,
    total: UBig,
    /// Running sums, if 64 bits hold them.
    sums: Option<Vec<u64>>,
}

/// Weights without a positive one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no weight above 0 to choose by")]
pub struct WrongWeights;

impl Weights {
    ///
    /// # Errors
    /// If no weight is above 0.
    pub fn new(weights: impl IntoIterator<Item = impl Into<UBig>>) -> Result<Self, WrongWeights> {
        let weights: Vec<UBig> = weights.into_iter().map(Into::into).collect();
        let mut total = UBig::ZERO;
        let mut sums = Some(Vec::with_capacity(weights.len()));
        for weight in &weights {
            total += weight;
            sums = sums.zip(u64::try_from(&total).ok()).map(|(mut sums, sum)| {
                sums.push(sum);
                sums
            });
        }
        if total.is_zero() { Err(WrongWeights) } else { Ok(Self { weights, total, sums }) }
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn probability(&self, index: usize) -> Rational {
        Rational::from_parts(self.weights[index].clone().into(), self.total.clone())
    }

    pub(super) fn draw(&self, random: &mut Stream) -> usize {
        if let Some(sums) = &self.sums {
            let point = below(random, sums[sums.len() - 1]);
            return sums.partition_point(|&sum| sum <= point);
        }
        let mut point = below_large(random, &self.total);
        for (index, weight) in self.weights.iter().enumerate() {
            if point < *weight {
                return index;
            }
            point -= weight;
        }
        unreachable!("the point is below the sum of the weights")
    }
}

/// [`below`] for numbers of any size.
fn below_large(random: &mut Stream, n: &UBig) -> UBig {
    let bits = n.bit_len();
    loop {
        let words: Vec<u8> =
            (0..bits.div_ceil(64)).flat_map(|_| random.next_u64().to_le_bytes()).collect();
        let mut drawn = UBig::from_le_bytes(&words);
        drawn.clear_high_bits(bits);
        if drawn < *n {
            return drawn;
        }
    }
}

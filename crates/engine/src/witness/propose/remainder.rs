//! Remainders: noise on a coarser grid than the answers preserves their position on it.
//!
//! An answer of 7 with noise of 0, ±3, ±6, … has remainder 1 modulo 3, and the neighbor's answer of
//! 8 remainder 2: no interval of the line shows it if the noise is large.

use crate::mechanism::Outcomes;
use crate::witness::coordinate::sample::Sample;
use crate::witness::coordinate::statistic::Statistic;
use crate::witness::coordinate::vectors::LEAST;

/// Numbers per side that choose a divisor: each of four to six divisors, and of up to 47 powers of
/// two, takes a pass over them.
const MOST_NUMBERS: usize = 1 << 10;
/// Divisors tried for whole numbers: small ones, and the steps of decimal rounding. Not tuned: each
/// takes one more look.
const WHOLE: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 7.0, 10.0];
/// Divisors tried for other numbers: steps of rounding to at most three decimals.
const BROKEN: [f64; 4] = [1.0, 0.1, 0.01, 0.001];
/// Least ratio of the numbers' range to a power of two: below, intervals of the number also show
/// the bit. Not tuned.
const LOW: f64 = 64.0;
/// Most bits that are tried, the most telling ones: each is one more line of bins. Not tuned.
const MOST_BITS: usize = 3;
/// Intervals of a remainder that are compared: remainders of whole numbers modulo ten and less have
/// one each, as 20 is twice as much, and of others each has a hundred of both sides' numbers.
const INTERVALS: usize = 20;
/// Standard deviations beyond chance from which a divisor is informative. By chance one does with 2·10⁻³ (2,
/// a chi-square of one degree) to 2·10⁻⁵ (20 intervals), and a bit with 2·10⁻⁹; others judge it.
const TELLS: f64 = 6.0;
/// Least distance of two grids, in steps. Not tuned: rounding moves them by at most √2⁻⁵² / 8 =
/// 2·10⁻⁹, where numbers are as large as their range.
const APART: f64 = 1e-3;
/// Magnitude up to which each integer is a distinct double.
const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The remainders of a number that differ between the datasets in the even places of the sample:
/// only the odd places may judge them.
pub(crate) fn telling_remainders(sample: &Sample<'_>, of: &Statistic) -> Vec<Statistic> {
    let (d, d_prime) = (even(&sample.d, of), even(&sample.d_prime, of));
    if d.len().min(d_prime.len()) < LEAST {
        return vec![];
    }
    let whole = d.iter().chain(&d_prime).all(|x| x.fract() == 0.0 && x.abs() < EXACT);
    let mut divisors: Vec<f64> = if whole { &WHOLE[..] } else { &BROKEN }
        .iter()
        .copied()
        .filter(|divisor| differs(&d, &d_prime, *divisor) > TELLS)
        .collect();
    let grids = if whole { grid(&d, &d_prime).into_iter().collect() } else { steps(&d, &d_prime) };
    let powers = if whole { powers_of_two(&d, &d_prime) } else { vec![] };
    for divisor in powers.into_iter().chain(grids) {
        divisors.retain(|other| *other != divisor);
        divisors.push(divisor);
    }
    let remainder = |divisor| Statistic::Remainder { of: Box::new(of.clone()), divisor };
    divisors.into_iter().map(remainder).collect()
}

/// Finite numbers in the even places of batches, some of them.
fn even(batches: &[&Outcomes], of: &Statistic) -> Vec<f64> {
    let even = batches.iter().flat_map(|batch| (0..batch.len()).step_by(2).map(|at| batch.get(at)));
    let numbers = even.filter_map(|outcome| of.read(outcome)).filter(|x| x.is_finite());
    numbers.take(MOST_NUMBERS).collect()
}

/// Standard deviations of the remainders beyond chance: Pearson's chi-squared of two samples.
fn differs(d: &[f64], d_prime: &[f64], divisor: f64) -> f64 {
    let count = |numbers: &[f64]| {
        let mut counts = [0.0; INTERVALS];
        for x in numbers {
            let place = x.rem_euclid(divisor) / divisor * INTERVALS as f64;
            counts[(place as usize).min(INTERVALS - 1)] += 1.0;
        }
        counts
    };
    let [n, m] = [d.len() as f64, d_prime.len() as f64];
    let (own, other) = (count(d), count(d_prime));
    let (mut sum, mut freedom) = (0.0, -1.0);
    for (a, b) in own.into_iter().zip(other).filter(|(a, b)| a + b > 0.0) {
        sum += (a * (m / n).sqrt() - b * (n / m).sqrt()).powi(2) / (a + b);
        freedom += 1.0;
    }
    if freedom > 0.0 { (sum - freedom) / f64::sqrt(2.0 * freedom) } else { 0.0 }
}

/// The powers of two for the most telling bits, only low ones, as intervals show the high ones.
fn powers_of_two(d: &[f64], d_prime: &[f64]) -> Vec<f64> {
    let all = || d.iter().chain(d_prime).copied();
    let range = all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min);
    let powers = (1..f64::MANTISSA_DIGITS as i32).map(|bits| 2f64.powi(bits));
    let low = powers.take_while(|power| power * LOW <= range);
    let mut telling: Vec<(f64, f64)> = low
        .map(|power| {
            let set = |numbers: &[f64]| {
                let set = numbers.iter().filter(|x| x.rem_euclid(power) >= power / 2.0).count();
                (set as f64, numbers.len() as f64)
            };
            let ((a, n), (b, m)) = (set(d), set(d_prime));
            let share = (a + b) / (n + m);
            let error = (share * (1.0 - share) * (1.0 / n + 1.0 / m)).sqrt();
            (power, (a / n - b / m).abs() / error)
        })
        .filter(|(_, told)| *told > TELLS)
        .collect();
    telling.sort_by(|a, b| b.1.total_cmp(&a.1));
    telling.into_iter().map(|(power, _)| power).take(MOST_BITS).collect()
}

/// The step of a grid with all numbers of either side, shifted differently for each side.
fn grid(d: &[f64], d_prime: &[f64]) -> Option<f64> {
    let step = |numbers: &[f64]| {
        numbers.iter().map(|x| (x - numbers[0]).abs()).fold(0.0, greatest_common_divisor)
    };
    let step = greatest_common_divisor(step(d), step(d_prime));
    (step > 1.0 && (d[0] - d_prime[0]) % step != 0.0).then_some(step)
}

/// The steps of the grids of a side's numbers, up to rounding, by which the sides differ.
fn steps(d: &[f64], d_prime: &[f64]) -> Vec<f64> {
    let (own, other) = (step(d), step(d_prime));
    let apart = |step: f64| {
        let apart = (d[0] - d_prime[0]).abs() / step;
        own.is_some() && other.is_some() && (apart - apart.round()).abs() > APART
    };
    let tells = |step: &f64| apart(*step) || differs(d, d_prime, *step) > TELLS;
    let mut steps: Vec<f64> = own.into_iter().chain(other).filter(tells).collect();
    steps.dedup_by(|a, b| (*a - *b).abs() < APART * *b);
    steps
}

/// The step of a grid with all numbers, up to rounding, if rounding does not hide it.
fn step(numbers: &[f64]) -> Option<f64> {
    let mut apart: Vec<f64> = numbers.iter().map(|x| (x - numbers[0]).abs()).collect();
    apart.sort_unstable_by(f64::total_cmp);
    let range = *apart.last()?;
    let rounding = f64::EPSILON * numbers.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    // Euclid's algorithm multiplies the rounding of its input by up to range / step.
    let least = 4.0 * (rounding * range).sqrt();
    apart.retain(|apart| *apart > least);
    let rough = apart.iter().fold(0.0, |step, apart| common_divisor(step, *apart, least));
    if !(rough > 8.0 * least && rough.is_finite()) {
        return None;
    }
    // The farther apart, the better known is the step.
    let mut step = rough;
    for apart in &apart {
        let steps = (apart / step).round();
        if (apart - steps * step).abs() > 0.25 * step {
            return None;
        }
        step = apart / steps;
    }
    let error = 4.0 * rounding * step / range;
    let short = (0..12).filter_map(|digits| format!("{step:.digits$e}").parse().ok());
    Some(short.into_iter().find(|short: &f64| (short - step).abs() <= error).unwrap_or(step))
}

/// The greatest common divisor of two numbers that are known up to some error.
fn common_divisor(a: f64, b: f64, error: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while b > error {
        (a, b) = (b, (a - (a / b).round() * b).abs());
    }
    a
}

fn greatest_common_divisor(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while b != 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/propose/remainder.rs"]
mod tests;

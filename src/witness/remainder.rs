//! Remainders: noise on a coarser grid than the answers leaves where on it they were.
//!
//! An answer of 7 with noise of 0, ±3, ±6, … is a number that leaves 1 if it is divided by 3, and the
//! neighbor's answer of 8 one that leaves 2: no interval of the line shows it if the noise is large.

use super::sample::Sample;
use super::statistic::Statistic;
use crate::mechanism::Outcomes;

/// Numbers a side by which a divisor is chosen, and fewest that say anything.
const MOST_NUMBERS: usize = 1 << 10;
const LEAST_NUMBERS: usize = 64;
/// Divisors that are tried of whole numbers, and of others.
const WHOLE: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 7.0, 10.0];
const BROKEN: [f64; 4] = [1.0, 0.1, 0.01, 0.001];
/// How often a power of two must fit into the range of the numbers, and bits that are tried.
const LOW: f64 = 64.0;
const MOST_BITS: usize = 3;
/// Intervals of a remainder that are compared.
const INTERVALS: usize = 20;
/// Standard deviations beyond what chance gives from which on a divisor tells.
const TELLS: f64 = 6.0;
/// Parts of a step by which two grids are apart.
const APART: f64 = 1e-3;
/// Up to this magnitude each integer is a double of its own.
const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The remainders of a number that differ between the datasets in the even places of the sample: only
/// the odd places may judge them.
pub(super) fn telling_remainders(sample: &Sample<'_>, of: &Statistic) -> Vec<Statistic> {
    let (d, d_prime) = (even(&sample.d, of), even(&sample.d_prime, of));
    if d.len().min(d_prime.len()) < LEAST_NUMBERS {
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

/// By how many standard deviations the remainders differ more than by chance: Pearson's chi-squared of
/// two samples.
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

/// The powers of two by which a bit is seen that tells: those of the bits that tell most, and of low ones
/// only, as high ones are seen in intervals.
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

/// The step of a grid on which all numbers of either side lie, another one for each side.
fn grid(d: &[f64], d_prime: &[f64]) -> Option<f64> {
    let step = |numbers: &[f64]| {
        numbers.iter().map(|x| (x - numbers[0]).abs()).fold(0.0, greatest_common_divisor)
    };
    let step = greatest_common_divisor(step(d), step(d_prime));
    (step > 1.0 && (d[0] - d_prime[0]) % step != 0.0).then_some(step)
}

/// The steps of the grids on which the numbers of a side lie, as far as doubles show: those by which
/// the sides differ.
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

/// The step of a grid on which all numbers lie, up to rounding, if there is one that rounding leaves
/// to be seen.
fn step(numbers: &[f64]) -> Option<f64> {
    let mut apart: Vec<f64> = numbers.iter().map(|x| (x - numbers[0]).abs()).collect();
    apart.sort_unstable_by(f64::total_cmp);
    let range = *apart.last()?;
    let rounding = f64::EPSILON * numbers.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    // Euclid's algorithm multiplies the rounding of what it is given by up to range / step.
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

/// Of whole numbers.
fn greatest_common_divisor(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while b != 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Stream;
    use crate::witness::{Linear, Scorer, Term};
    use rand::{RngExt, SeedableRng};

    fn numbers(seed: u64, draw: impl Fn(f64) -> f64) -> Outcomes {
        let mut random = Stream::seed_from_u64(seed);
        let mut outcomes = Outcomes::new();
        (0..2000).for_each(|_| outcomes.push_number(draw(random.random_range(-500.0..500.0))));
        outcomes
    }

    fn divisors(d: &Outcomes, d_prime: &Outcomes) -> Vec<f64> {
        let sample = Sample { d: vec![d], d_prime: vec![d_prime] };
        let found = telling_remainders(&sample, &Statistic::Value).into_iter();
        let divisor = |statistic| match statistic {
            Statistic::Remainder { divisor, .. } => divisor,
            other => panic!("{other:?}"),
        };
        found.map(divisor).collect()
    }

    #[test]
    fn steps_of_noise_are_found_and_plain_noise_has_none() {
        for step in [2.0, 3.0, 6.0, 12.0] {
            let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
            let found = divisors(&on(1, 7.0), &on(2, 8.0));
            assert_eq!(found.last(), Some(&step), "{found:?}");
            assert!(divisors(&on(1, 7.0), &on(2, 7.0)).is_empty());
        }
        let cents = |seed, at| numbers(seed, move |x| at + (x * 100.0).round() / 100.0);
        assert!(divisors(&cents(1, 0.003), &cents(2, 0.0076)).contains(&0.01));
        assert!(divisors(&cents(1, 0.0), &cents(2, 1.0)).is_empty());
        for step in [0.3, 0.05, 1.0 / 7.0, 2f64.powi(-10), 0.0007] {
            let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
            let found = divisors(&on(1, 10.1), &on(2, 10.1 + 0.37 * step));
            let nearest = found.iter().map(|found| (found - step).abs()).fold(1.0, f64::min);
            assert!(nearest < 1e-15, "{step}: {found:?}");
        }
        // Of others, what is rounded shows where they were.
        for step in [0.25, 2f64.powi(-10)] {
            let on = |seed, at| numbers(seed, move |x| at + step * (x / step).round());
            assert!(divisors(&on(1, 10.1), &on(2, 10.1 + 3.0 * step)).is_empty(), "{step}");
        }
        for bit in [0, 5, 20] {
            let on = |seed, share: f64| {
                let mut random = Stream::seed_from_u64(seed);
                let mut outcomes = Outcomes::new();
                for _ in 0..2000 {
                    let other = random.random_range(0..1u64 << 32) & !(1 << bit);
                    let set = u64::from(random.random_bool(share));
                    outcomes.push_number((other | set << bit) as f64);
                }
                outcomes
            };
            let found = divisors(&on(1, 0.7), &on(2, 0.3));
            assert!(found.contains(&2f64.powi(bit + 1)), "{bit}: {found:?}");
            assert!(divisors(&on(1, 0.5), &on(2, 0.5)).is_empty());
        }
        let plain = |seed| numbers(seed, |x| x);
        assert!(divisors(&plain(1), &plain(2)).is_empty());
        let whole = |seed| numbers(seed, f64::round);
        assert!(divisors(&whole(1), &whole(2)).is_empty());
        // A few that lie on no grid, and too few of all.
        let mixed = |seed, at| {
            numbers(seed, move |x| if x > 450.0 { x.round() } else { at + 3.0 * (x / 3.0).round() })
        };
        assert!(divisors(&mixed(1, 7.0), &mixed(2, 8.0)).contains(&3.0));
        let mut few = numbers(1, f64::round);
        few.truncate(100);
        assert!(divisors(&few, &few.clone()).is_empty());
    }

    #[test]
    fn remainders_of_negative_numbers_and_of_nothing() {
        let read = |divisor, x: f64| {
            Statistic::Remainder { of: Box::new(Statistic::Value), divisor }.read(x.into())
        };
        assert_eq!(read(3.0, -1.0), Some(2.0));
        assert_eq!(read(3.0, 7.0), Some(1.0));
        assert_eq!(read(3.0, f64::INFINITY), None);
        assert_eq!(read(0.0, 7.0), None);
        assert_eq!(read(1.0, 1.75), Some(0.75));
    }

    #[test]
    fn remainders_of_what_is_none_are_not_sound() {
        let remainder = |of, divisor| Statistic::Remainder { of: Box::new(of), divisor };
        let sound = |statistic| {
            Scorer::Thresholds { statistic, edges: vec![1.0], shapes: vec![] }.is_sound()
        };
        assert!(sound(remainder(Statistic::Entry(3), 0.1)));
        for divisor in [0.0, -0.0, -3.0, f64::NAN, f64::INFINITY] {
            assert!(!sound(remainder(Statistic::Value, divisor)), "{divisor}");
        }
        let broken = Statistic::Linear(Linear {
            differences: false,
            weights: vec![1.0; 3],
            centers: vec![],
            scales: vec![],
        });
        let hidden = remainder(broken.clone(), 3.0);
        let term =
            Term { of: hidden.clone(), weight: 1.0, center: 0.0, scale: 1.0, squared: false };
        for statistic in [
            broken,
            hidden,
            Statistic::Weighted(vec![term]),
            remainder(remainder(Statistic::Value, 3.0), 2.0),
        ] {
            assert!(!sound(statistic.clone()), "{statistic:?}");
        }
    }
}

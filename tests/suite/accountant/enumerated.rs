//! Random compositions against laws that are enumerated here: what a mechanism does to its own datasets, on a grid of
//! outcomes, composed on a grid of losses. Nothing of the accountant is used for it.

use crate::tier;
use plaudit::accountant::{Composition, Method};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Distance of losses, and of outcomes. Both err by its square.
const STEP: f64 = 0.01;
const CELL: f64 = 0.02;
/// More than the two make together, in δ.
const NEAR: f64 = 2e-4;

/// Outcomes under one dataset and its neighbor.
type Pair = Vec<(f64, f64)>;
/// Weights and centers of normal noise.
type Mixture = Vec<(f64, f64)>;

/// A small generator (Steele, Lea, Flood 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of 0..n.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Between two numbers, to two decimals.
    fn within(&mut self, low: f64, high: f64) -> f64 {
        (100.0 * (low + (high - low) * self.below(1001) as f64 / 1000.0)).round() / 100.0
    }

    /// −1, 0 or 1.
    fn sign(&mut self) -> f64 {
        self.below(3) as f64 - 1.0
    }
}

fn cells(low: f64, high: f64, width: f64) -> impl Iterator<Item = f64> + Clone {
    let count = ((high - low) / width).ceil() as u32;
    (0..count).map(move |i| low + width * (f64::from(i) + 0.5))
}

fn density(mixture: &Mixture, sigma: f64, x: f64) -> f64 {
    let of = |&(weight, center): &(f64, f64)| {
        weight * (-0.5 * ((x - center) / sigma).powi(2)).exp() / (sigma * (2.0 * PI).sqrt())
    };
    mixture.iter().map(of).sum()
}

/// Normal noise on mixtures of sums.
fn noisy(p: &Mixture, q: &Mixture, sigma: f64) -> Pair {
    let ends = p.iter().chain(q).map(|it| it.1);
    let (low, high) = (ends.clone().fold(0.0, f64::min), ends.fold(0.0, f64::max));
    let width = CELL * sigma;
    let cells = cells(low - 8.0 * sigma, high + 8.0 * sigma, width);
    cells.map(|x| (width * density(p, sigma, x), width * density(q, sigma, x))).collect()
}

/// The profile of a composition, from above by the square of the step.
fn profile(pairs: &[Pair], epsilons: &[f64]) -> Vec<f64> {
    const REACH: i64 = 4000;
    let mut total = vec![(0_i64, 1.0)];
    let mut infinite = 0.0;
    for pair in pairs {
        let mut law = vec![0.0; 2 * REACH as usize + 2];
        let mut never = 0.0;
        for &(p, q) in pair.iter().filter(|it| it.0 > 0.0) {
            let loss = (p / q).ln();
            if loss >= STEP * (REACH - 1) as f64 {
                never += p;
                continue;
            }
            let point = (loss / STEP).floor().max(-(REACH as f64));
            // Of the two points around it, such that both masses stay.
            let (low, high) = ((-STEP * point).exp(), (-STEP * (point + 1.0)).exp());
            let share = ((p * low - q) / (low - high) / p).clamp(0.0, 1.0);
            let place = (point as i64 + REACH) as usize;
            law[place] += p * (1.0 - share);
            law[place + 1] += p * share;
        }
        infinite = 1.0 - (1.0 - infinite) * (1.0 - never);
        let finite: Vec<(i64, f64)> = (-REACH..).zip(law).filter(|it| it.1 > 1e-12).collect();
        let first = total[0].0 + finite[0].0;
        let last = total[total.len() - 1].0 + finite[finite.len() - 1].0;
        let mut sums = vec![0.0; (last - first + 1) as usize];
        for &(one, mass) in &total {
            for &(other, weight) in &finite {
                sums[(one + other - first) as usize] += mass * weight;
            }
        }
        total = (first..).zip(sums).filter(|it| it.1 > 1e-12).collect();
    }
    let at = |&epsilon: &f64| {
        let of = |&(point, mass): &(i64, f64)| {
            mass * (1.0 - (epsilon - STEP * point as f64).exp()).max(0.0)
        };
        infinite + total.iter().map(of).sum::<f64>()
    };
    epsilons.iter().map(at).collect()
}

/// A mechanism that an event describes: its pair, and `true` if none does worse.
struct Case {
    event: String,
    pair: Pair,
    is_worst: bool,
}

fn exchanged(pair: Pair) -> Pair {
    pair.into_iter().map(|(p, q)| (q, p)).collect()
}

/// Rows of a group, each in with a probability.
fn group(draws: &mut Draws, sigma: f64) -> Case {
    let (rate, rows) = (draws.within(0.05, 0.6), 1 + draws.below(4));
    let is_worst = draws.below(2) == 0;
    let mut mixture: Mixture = vec![(1.0, 0.0)];
    for _ in 0..rows {
        let moved = if is_worst { 1.0 } else { draws.within(-1.0, 1.0) };
        let with = mixture.iter().map(|it| (it.0 * rate, it.1 + moved));
        mixture = mixture.iter().map(|it| (it.0 * (1.0 - rate), it.1)).chain(with).collect();
    }
    let event = format!("gaussian(sigma={sigma}) @ poisson-group(rate={rate}, rows={rows})");
    Case { event, pair: noisy(&mixture, &vec![(1.0, 0.0)], sigma), is_worst }
}

fn shifted(draws: &mut Draws, sigma: f64) -> Case {
    let (a, b) = (draws.within(0.0, 1.0), draws.within(0.0, 3.0));
    let rest = 1.0 - a;
    let pair = noisy(&vec![(a, b), (rest, 1.0)], &vec![(1.0, 0.0)], sigma);
    let event =
        format!("mixture-of-gaussians(sigma={sigma}, shifts=[{b}, 1], weights=[{a}, {rest}])");
    Case { event, pair, is_worst: true }
}

/// The sums of a batch of a Poisson sample that is cut: all samples, and all batches of each.
fn cut_sums(rows: &[f64], rate: f64, batch: usize) -> Mixture {
    let mut sums = Vec::new();
    let all = 1_u32 << rows.len();
    let sum =
        |set: u32| (0..rows.len()).filter(|i| set >> i & 1 == 1).map(|i| rows[i]).sum::<f64>();
    for set in 0..all {
        let size = set.count_ones() as usize;
        let left = (rows.len() - size) as i32;
        let weight = rate.powi(size as i32) * (1.0 - rate).powi(left);
        let kept: Vec<u32> = (0..all)
            .filter(|it| it & set == *it && it.count_ones() as usize == size.min(batch))
            .collect();
        sums.extend(kept.iter().map(|&it| (weight / kept.len() as f64, sum(it))));
    }
    sums
}

fn truncated(draws: &mut Draws, sigma: f64) -> Case {
    let (rate, rows, batch) = (draws.within(0.1, 0.9), 1 + draws.below(5), 1 + draws.below(3));
    let others: Vec<f64> = (1..rows).map(|_| draws.sign()).collect();
    let with: Vec<f64> = others.iter().copied().chain([1.0]).collect();
    let p = cut_sums(&with, rate, batch as usize);
    let q = cut_sums(&others, rate, batch as usize);
    let event = format!(
        "gaussian(sigma={sigma}) @ truncated-poisson(rate={rate}, batch={batch}, rows={rows})"
    );
    Case { event, pair: noisy(&p, &q, sigma), is_worst: false }
}

fn replaced(draws: &mut Draws, sigma: f64) -> Case {
    let (rows, picks) = (1 + draws.below(4), 1 + draws.below(4));
    // Any two rows are one apart at most: in a draw, each may stand in for another.
    let mut data: Vec<f64> = (0..rows).map(|_| draws.below(2) as f64).collect();
    let sums = |data: &[f64]| {
        let mut sums: Mixture = vec![(1.0, 0.0)];
        for _ in 0..picks {
            let of = |&(w, c): &(f64, f64)| {
                data.iter().map(move |x| (w / data.len() as f64, c + x)).collect::<Vec<_>>()
            };
            sums = sums.iter().flat_map(of).collect();
        }
        sums
    };
    data[0] = 1.0;
    let p = sums(&data);
    data[0] = 0.0;
    let event = format!("gaussian(sigma={sigma}) @ with-replacement(draws={picks}, rows={rows})");
    Case { event, pair: noisy(&p, &sums(&data), sigma), is_worst: false }
}

/// A row in one of two steps.
fn allocated(draws: &mut Draws, noise: f64) -> Case {
    let is_laplace = draws.below(2) == 0;
    // The mass of a cell: exact for Laplace noise, whose corners, 0 and 1, are at the ends of cells.
    let below = |x: f64| if x < 0.0 { 0.5 * x.exp() } else { 1.0 - 0.5 * (-x).exp() };
    let of = |x: f64, center: f64, width: f64| {
        if is_laplace {
            let [low, high] = [-0.5, 0.5].map(|side| (x + side * width - center) / noise);
            // On the side where nothing cancels.
            if low >= 0.0 { below(-low) - below(-high) } else { below(high) - below(low) }
        } else {
            width * density(&vec![(1.0, center)], noise, x)
        }
    };
    let reach = (noise * if is_laplace { 14.0 } else { 6.0 }).ceil();
    let width = 1.0 / (500.0 / (2.0 * reach + 1.0)).ceil();
    let step: Pair =
        cells(-reach, 1.0 + reach, width).map(|x| (of(x, 1.0, width), of(x, 0.0, width))).collect();
    let both = |one: &(f64, f64)| {
        let one = *one;
        step.iter().map(move |two| (0.5 * (one.0 * two.1 + one.1 * two.0), one.1 * two.1))
    };
    let name = if is_laplace { "laplace(scale" } else { "gaussian(sigma" };
    let event = format!("{name}={noise}) @ allocation(steps=2)");
    Case { event, pair: step.iter().flat_map(both).collect(), is_worst: true }
}

/// The index of the largest of three scores, with exponential or Laplace noise of scale 2/ε.
fn largest(draws: &mut Draws, noise: f64) -> Case {
    let (epsilon, is_laplace) = (1.0 / noise, draws.below(2) == 0);
    let scores: Vec<f64> = (0..3).map(|_| draws.within(-2.0, 2.0)).collect();
    let moved: Vec<f64> = scores.iter().map(|it| it + draws.sign()).collect();
    let below = |x: f64| match is_laplace {
        true if x > 0.0 => 1.0 - 0.5 * (-x).exp(),
        true => 0.5 * x.exp(),
        false => 1.0 - (-x.max(0.0)).exp(),
    };
    let law = |scores: &[f64]| -> Vec<f64> {
        let width = 0.005;
        let win = |i: usize| {
            let at = |x: f64| {
                let own = below(x + 0.5 * width) - below(x - 0.5 * width);
                let others = (0..3).filter(|&j| j != i);
                own * others
                    .map(|j| below(x + 0.5 * epsilon * (scores[i] - scores[j])))
                    .product::<f64>()
            };
            cells(-20.0, 40.0, width).map(at).sum()
        };
        (0..3).map(win).collect()
    };
    let pair = law(&scores).into_iter().zip(law(&moved)).collect();
    Case { event: format!("report-noisy-max(epsilon={epsilon})"), pair, is_worst: false }
}

/// Runs until a coin shows a head, each a randomized answer: 1 if any of them is.
fn repeated(draws: &mut Draws, noise: f64) -> Case {
    let (epsilon, stop) = (0.5 / noise, draws.within(0.02, 0.98));
    let truth = 1.0 / (1.0 + f64::exp(-epsilon));
    let none = |miss: f64| stop * miss / (1.0 - (1.0 - stop) * miss);
    let (p, q) = (none(1.0 - truth), none(truth));
    let pair = vec![(p, q), (1.0 - p, 1.0 - q)];
    Case { event: format!("repeat-and-select(epsilon={epsilon})"), pair, is_worst: false }
}

/// Integers that are moved by (1, 1) or (2, 1).
fn vector(draws: &mut Draws, sigma: f64) -> Case {
    let first = 1 + draws.below(2) as i32;
    let weights = |center: i32| -> Vec<f64> {
        let of = |x: i32| (-0.5 * (f64::from(x - center) / sigma).powi(2)).exp();
        let all: Vec<f64> = (-40..=40).map(of).collect();
        let sum: f64 = all.iter().sum();
        all.iter().map(|it| it / sum).collect()
    };
    let one: Vec<(f64, f64)> = weights(first).into_iter().zip(weights(0)).collect();
    let two: Vec<(f64, f64)> = weights(1).into_iter().zip(weights(0)).collect();
    let both = one.iter().flat_map(|a| two.iter().map(move |b| (a.0 * b.0, a.1 * b.1)));
    let pair = both.filter(|it| it.0 > 1e-300 && it.1 > 1e-300).collect();
    let norm = f64::from(first * first + 1).sqrt() + 1e-12;
    let event = format!("discrete-gaussian-vector(sigma={sigma}, sensitivity={norm})");
    Case { event, pair, is_worst: false }
}

/// Events of one relation: rows added or removed, one row, a group, or one substituted.
fn drawn(draws: &mut Draws) -> Vec<Case> {
    let relation = draws.below(4);
    let (count, is_reversed) = (1 + draws.below(3), draws.below(2) == 0);
    let mut cases = Vec::new();
    let rows = |draws: &mut Draws| draws.below(4);
    for _ in 0..count {
        let noise = draws.within(0.7, 2.5);
        let other: [fn(&mut Draws, f64) -> Case; 3] = [largest, repeated, vector];
        let add: [fn(&mut Draws, f64) -> Case; 4] = [shifted, truncated, allocated, largest];
        let case = match relation {
            0 => group(draws, noise),
            1 => replaced(draws, noise),
            2 => add[rows(draws) as usize](draws, noise),
            _ => other[draws.below(3) as usize](draws, noise),
        };
        cases.push(case);
        if relation == 0 {
            break;
        }
    }
    if is_reversed {
        cases = cases.into_iter().map(|case| Case { pair: exchanged(case.pair), ..case }).collect();
    }
    cases
}

#[test]
fn what_is_enumerated_is_not_above_the_bracket() {
    let epsilons = [0.0, 0.2, 0.5, 1.0, 2.0, 4.0];
    (0..tier::of([6, 6, 500])).into_par_iter().for_each(|seed| {
        let cases = drawn(&mut Draws(seed));
        let events: Vec<&str> = cases.iter().map(|case| case.event.as_str()).collect();
        let expression = events.join(" + ");
        let pairs: Vec<Pair> = cases.iter().map(|case| case.pair.clone()).collect();
        let reversed: Vec<Pair> = pairs.iter().cloned().map(exchanged).collect();
        let composition: Composition = expression.parse().unwrap();
        let curve = composition.curve_by(Method::Pld).unwrap();
        let [one, other] = [pairs, reversed].map(|pairs| profile(&pairs, &epsilons));
        for (i, epsilon) in epsilons.into_iter().enumerate() {
            let bracket = curve.delta_at(epsilon);
            let true_one = one[i].max(other[i]);
            let shown = format!("seed {seed}: {expression} at {epsilon}: {true_one} {bracket:?}");
            assert!(true_one <= bracket.upper + NEAR, "{shown}");
            if cases.iter().all(|case| case.is_worst) {
                assert!(bracket.lower <= true_one + NEAR, "{shown}");
                assert!(bracket.upper <= true_one + NEAR + 1e-6, "{shown}");
                assert!(bracket.lower >= true_one - NEAR - 1e-6, "{shown}");
            }
        }
    });
}

/// Each pattern of participation, and each sign, of small matrices.
#[test]
fn the_norm_of_correlated_noise_is_the_largest_of_all_patterns() {
    for seed in 0..40 {
        let mut draws = Draws(seed);
        let (steps, separation) = (2 + draws.below(7), 1 + draws.below(3));
        let participations = 1 + draws.below((steps - 1) / separation + 1);
        let mut coefficients = vec![1.0];
        for _ in 0..draws.below(4) {
            let last = coefficients[coefficients.len() - 1];
            coefficients.push((100.0 * last * draws.within(0.2, 1.0)).round() / 100.0);
        }
        let entry = |row: u64, column: u64| {
            let place = row.checked_sub(column).map(|it| it as usize);
            place.and_then(|place| coefficients.get(place)).copied().unwrap_or(0.0)
        };
        let mut most: f64 = 0.0;
        for set in 1..1_u64 << steps {
            let places: Vec<u64> = (0..steps).filter(|i| set >> i & 1 == 1).collect();
            let is_apart = places.windows(2).all(|two| two[1] - two[0] >= separation);
            if places.len() as u64 > participations || !is_apart {
                continue;
            }
            let sum = |row: u64| places.iter().map(|&column| entry(row, column)).sum::<f64>();
            most = most.max((0..steps).map(|row| sum(row).powi(2)).sum::<f64>().sqrt());
        }
        let expression = format!(
            "correlated-noise(sigma=2, coefficients={coefficients:?}, steps={steps}, \
             participations={participations}, separation={separation})"
        );
        let at = |expression: &str| {
            let composition: Composition = expression.parse().unwrap();
            composition.epsilon_at(1e-5, Method::Pld).unwrap()
        };
        let (ours, theirs) = (at(&expression), at(&format!("gdp(mu={})", 0.5 * most)));
        assert!((ours.upper - theirs.upper).abs() < 1e-8, "{expression}: {ours:?} {theirs:?}");
    }
}

/// A step is in the nodes of a tree that end at or after it, and begin at or before it.
#[test]
fn a_step_is_in_one_node_of_each_level_of_a_tree() {
    for steps in 1..70_u64 {
        let nodes = |step: u64| {
            let whole = |level: &u32| ((step >> level) + 1) << level <= steps;
            (0..7).filter(whole).count()
        };
        let most = (0..steps).map(nodes).max().unwrap() as f64;
        let at = |expression: String| {
            let composition: Composition = expression.parse().unwrap();
            composition.delta_at(1.0, Method::Pld).unwrap()
        };
        let ours = at(format!("tree-aggregation(sigma=3, steps={steps})"));
        let theirs = at(format!("gdp(mu={})", most.sqrt() / 3.0));
        assert!((ours.upper - theirs.upper).abs() < 1e-12, "{steps}: {ours:?} {theirs:?}");
    }
}

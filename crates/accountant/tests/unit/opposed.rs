//! The pair of a substituted row against quadrature of its densities, and against other rows.

use super::MixturePair;
use crate::component::law::{Law, Seen};
use crate::component::opposed::OpposedPair;
use crate::component::pair::{LawPair, LawPart};
use crate::component::uses::Use;
use crate::compose::pld::Pld;

#[derive(Clone, Copy, Debug)]
enum Noise {
    Gaussian { mu: f64 },
    Laplace { a: f64 },
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    noise: Noise,
    rate: f64,
}

impl Pair {
    fn law(self) -> LawPair {
        match self.noise {
            Noise::Gaussian { mu } => LawPair::Mixture(MixturePair::opposed(mu, self.rate)),
            Noise::Laplace { a } => LawPair::Opposed(OpposedPair { a, rate: self.rate }),
        }
    }
}

fn part(law: &LawPair, low: f64, high: f64) -> LawPart {
    law.part(law.place(low), law.place(high)).expect("outcomes")
}

const PAIRS: [Pair; 9] = [
    Pair { noise: Noise::Gaussian { mu: 1.0 }, rate: 0.1 },
    Pair { noise: Noise::Gaussian { mu: 0.2 }, rate: 0.01 },
    Pair { noise: Noise::Gaussian { mu: 3.0 }, rate: 0.5 },
    Pair { noise: Noise::Gaussian { mu: 0.05 }, rate: 1.0 },
    Pair { noise: Noise::Gaussian { mu: 8.0 }, rate: 1e-4 },
    Pair { noise: Noise::Laplace { a: 1.0 }, rate: 0.1 },
    Pair { noise: Noise::Laplace { a: 0.3 }, rate: 0.9 },
    Pair { noise: Noise::Laplace { a: 5.0 }, rate: 0.01 },
    Pair { noise: Noise::Laplace { a: 2.0 }, rate: 1.0 },
];

fn density(noise: Noise, x: f64, row: f64) -> f64 {
    match noise {
        Noise::Gaussian { .. } => {
            (-0.5 * (x - row) * (x - row)).exp() / std::f64::consts::TAU.sqrt()
        }
        Noise::Laplace { .. } => 0.5 * (-(x - row).abs()).exp(),
    }
}

fn shift(noise: Noise) -> f64 {
    match noise {
        Noise::Gaussian { mu } => mu,
        Noise::Laplace { a } => a,
    }
}

/// The profile of two rows, by the midpoint rule on a grid with the noise's corners on it.
fn quadrature(pair: Pair, rows: [f64; 2], epsilon: f64) -> f64 {
    let step = shift(pair.noise) / (shift(pair.noise) / 1e-3).ceil();
    let reach = ((shift(pair.noise) + 40.0) / step) as i64;
    let sum = |range: std::ops::Range<i64>| {
        range
            .map(|i| {
                let x = (i as f64 + 0.5) * step;
                let alone = (1.0 - pair.rate) * density(pair.noise, x, 0.0);
                let [p, q] = rows.map(|row| alone + pair.rate * density(pair.noise, x, row));
                (p - epsilon.exp() * q).max(0.0)
            })
            .sum::<f64>()
    };
    step * sum(-reach..reach)
}

#[test]
fn the_profile_is_that_of_the_densities() {
    for pair in PAIRS {
        let c = shift(pair.noise);
        for epsilon in [0.0, 0.05, 0.3, 1.0, 2.5] {
            let exact = quadrature(pair, [c, -c], epsilon);
            let (least, greatest) = pair.law().delta((epsilon, epsilon));
            assert!(least <= greatest && greatest - least <= 1e-9 * greatest, "{pair:?} {epsilon}");
            let error = (greatest - exact).abs();
            assert!(error <= 1e-6 * exact + 1e-12, "{pair:?} at {epsilon}: {greatest} {exact}");
        }
    }
}

/// Values of docs/accountant.md's sources: computed with 25 digits from the closed form of the pair, for a clip norm of 1.
#[test]
fn reference_values_are_met() {
    let pair = PAIRS[0];
    let (least, greatest) = pair.law().delta((0.5, 0.5));
    for bound in [least, greatest] {
        assert!((bound / 0.003_341_971_791_01 - 1.0).abs() < 1e-11, "{bound}");
    }
    let at = |epsilon: f64| pair.law().delta((epsilon, epsilon));
    assert!(at(1.789_154_554_46).1 >= 1e-5 && at(1.789_154_554_48).0 <= 1e-5);
}

#[test]
fn no_other_rows_lose_more() {
    for pair in PAIRS {
        let c = shift(pair.noise);
        for [u, v] in [[1.0, 0.0], [1.0, 0.5], [0.3, -1.0], [-0.2, 1.0], [0.6, -0.6], [0.0, 1.0]] {
            for epsilon in [0.0, 0.3, 1.0] {
                let other = quadrature(pair, [c * u, c * v], epsilon);
                let most = pair.law().delta((epsilon, epsilon)).1;
                assert!(other <= most * (1.0 + 1e-6) + 1e-12, "{pair:?} {u} {v} {epsilon}");
            }
        }
    }
}

#[test]
fn outcomes_and_losses_are_inverse_and_parts_add_up() {
    for pair in PAIRS {
        let (start, end) = pair.law().range(1e-250);
        let end = end.min(60.0);
        let start = start.max(-60.0);
        for i in 1..40 {
            let loss = start + (end - start) * f64::from(i) / 40.0;
            let law = pair.law();
            let LawPair::Mixture(mixture) = &law else { continue };
            let back = mixture.loss(law.place(loss).outcome);
            assert!((back - loss).abs() <= 1e-12 * (1.0 + loss.abs()), "{pair:?} {loss} {back}");
        }
        for parts in [7, 400, 5_000] {
            let edge = |i: i32| start + (end - start) * f64::from(i) / f64::from(parts);
            let law = pair.law();
            let all = (0..parts).map(|i| part(&law, edge(i), edge(i + 1)));
            let beyond = (pair.law().support().1 > end).then(|| {
                [part(&pair.law(), end, f64::INFINITY), part(&pair.law(), f64::NEG_INFINITY, start)]
            });
            let all = all.chain(beyond.into_iter().flatten());
            let (mut p, mut q) = (0.0, 0.0);
            for part in all.chain(pair.law().atoms()) {
                assert!(part.p >= 0.0 && part.q >= 0.0);
                if part.p > 1e-200 && part.q > 1e-200 {
                    let error = (part.p / part.q).ln() - part.loss;
                    assert!(error.abs() <= 1e-11 * (1.0 + part.loss.abs()), "{pair:?} {part:?}");
                }
                (p, q) = (p + part.p, q + part.q);
            }
            assert!((p - 1.0).abs() < 1e-11 && (q - 1.0).abs() < 1e-11, "{pair:?} {p} {q}");
        }
    }
}

/// A part has the masses of the parts that it is cut into, within the errors that a lattice allows for (5e-13, relative),
/// and the loss of its masses, however wide it is and however far the noise is moved.
#[test]
fn parts_are_as_accurate_as_lattices_take_them() {
    for mu in [1e-3, 0.1, 1.0, 8.0, 100.0, 1e3] {
        for rate in [1e-6, 1e-3, 0.1, 1.0] {
            let pair = Pair { noise: Noise::Gaussian { mu }, rate };
            let (start, end) = pair.law().range(1e-30);
            for place in [0.0, 0.01, 0.2, 0.5, 0.9] {
                for share in [1e-6, 1e-4, 1e-2] {
                    let low = place * end;
                    let width = share * (end - start);
                    let whole = part(&pair.law(), low, low + width);
                    let cut = |i: i32| low + width * f64::from(i) / 7.0;
                    let parts = (0..7).map(|i| part(&pair.law(), cut(i), cut(i + 1)));
                    let (mut p, mut q) = (0.0, 0.0);
                    for part in parts {
                        (p, q) = (p + part.p, q + part.q);
                    }
                    let what = format!("{pair:?} {low} {width}: {whole:?} {p} {q}");
                    // Outcomes are rounded at the edges: by one part in 10^16 of themselves, times how steep the density is.
                    let edge = pair.law().place(low).outcome.abs() + mu + 1.0;
                    let slack = 4e-16 * edge * edge
                        + 4e-16 * edge
                            / (pair.law().place(low + width).outcome
                                - pair.law().place(low).outcome);
                    if whole.p > 1e-290 && whole.q > 1e-290 {
                        assert!((whole.p / p - 1.0).abs() < 5e-13 + slack, "{what}");
                        assert!((whole.q / q - 1.0).abs() < 5e-13 + slack, "{what}");
                        let error = (whole.p / whole.q).ln() - whole.loss;
                        assert!(error.abs() < 6e-14 * whole.loss.max(1.0) * 4.0, "{what} {error}");
                    }
                }
            }
        }
    }
}

/// One use on the lattice brackets its closed form, and two uses bracket a quadrature over both outcomes.
#[test]
fn compositions_on_the_lattice_hold_the_truth() {
    for pair in PAIRS {
        let law = Law::seen(pair.law(), Seen::Whole);
        let uses = |count| vec![Use { upper: law.clone(), lower: Some(law.clone()), count }];
        let one = Pld::new(uses(1), 1e-5);
        for epsilon in [0.0, 0.1, 0.6, 1.5, 4.0] {
            let (low, high) = law.delta(epsilon);
            let bracket = one.delta_at(epsilon);
            assert!(
                bracket.lower <= high && bracket.upper >= low,
                "{pair:?} {epsilon} {bracket:?}"
            );
            let width = bracket.upper - bracket.lower;
            assert!(width <= 0.1 * high + 1e-10, "{pair:?} {epsilon} {bracket:?}");
        }
        // E over the first of the profile of the second: δ₂(ε) = ∫ p δ₁(ε − ℓ).
        let two = Pld::new(uses(2), 1e-5);
        let exact = pair.law();
        let (start, end) = exact.range(1e-20);
        let edge = |i: i32| start + (end - start) * f64::from(i) / 8_000.0;
        let parts = (0..8_000).map(|i| part(&exact, edge(i), edge(i + 1))).chain(exact.atoms());
        let parts: Vec<_> = parts.filter(|part| part.p > 0.0).collect();
        for epsilon in [0.1, 1.0] {
            let rest = |loss: f64| exact.delta((epsilon - loss, epsilon - loss)).1;
            let truth: f64 = parts.iter().map(|part| part.p * rest(part.loss)).sum();
            let bracket = two.delta_at(epsilon);
            let room = 1e-5 * truth + 1e-14;
            assert!(
                bracket.lower <= truth + room && bracket.upper >= truth - room,
                "{pair:?} {epsilon} {bracket:?} {truth}"
            );
        }
    }
}

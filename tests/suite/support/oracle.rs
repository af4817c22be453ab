//! Somebody who knows both laws, and the mechanisms to compare the whole tool with them on: those
//! of `tests/data/oracle.csv`, on the datasets and with the events named there.

use plaudit::dataset::{Dataset, Pair};
use plaudit::inference::{EventCounts, EventTest, Guesses, binomial};
use plaudit::mechanism::catalog;
use plaudit::{Audit, Claim};
use rayon::prelude::*;
use serde_json::{Value, json};
use statrs::distribution::{ContinuousCDF, Laplace, Normal};

/// Level of the bounds compared.
pub const ALPHA: f64 = 0.05;

/// Probabilities of an event under the dataset where it is the likelier, and under the other.
#[derive(Clone, Copy)]
pub struct Event {
    p: f64,
    q: f64,
}

/// What the oracle may watch.
enum Watched {
    /// Pairs of events of the same probabilities, one typical of D, the other of D': the guesser
    /// names either.
    BothTails(Vec<Event>),
    /// One event; the guesser abstains on the rest.
    One(Event),
}

/// A mechanism on a pair of datasets, with its exact law.
pub struct Row {
    pub name: &'static str,
    /// Tight at this pair.
    pub claim: Claim,
    kind: &'static str,
    parameters: Value,
    d: Vec<f64>,
    d_prime: Vec<f64>,
    watched: Watched,
}

/// Thresholds of a location family moved by 1: "x <= t" under D at 0, "x >= 1 − t" under D' at 1.
fn thresholds(cdf: impl Fn(f64) -> f64) -> Watched {
    let steps = (0..=110).map(|step| 0.5 - 0.05 * f64::from(step));
    Watched::BothTails(steps.map(|t| Event { p: cdf(t), q: cdf(t - 1.0) }).collect())
}

/// The rows of `tests/data/oracle.csv`.
pub fn rows() -> Vec<Row> {
    let pure = |epsilon| Claim::pure(epsilon).expect("a claim");
    let gaussian = |epsilon, delta| Claim::approximate(epsilon, delta).expect("a claim");
    let unit = || (vec![0.0], vec![1.0]);
    let even = vec![1.0; 5];
    let one = |p, q| Watched::One(Event { p, q });
    let laplace = |epsilon: f64| {
        let law = Laplace::new(0.0, 1.0 / epsilon).expect("a law");
        thresholds(move |t| law.cdf(t))
    };
    let normal = || thresholds(|t| Normal::standard().cdf(t));
    let row = |name, claim, kind, parameters, (d, d_prime), watched| Row {
        name,
        claim,
        kind,
        parameters,
        d,
        d_prime,
        watched,
    };
    let last_up = |after: usize| {
        let mut moved = vec![0.0; after];
        moved.resize(10, 2.0);
        (vec![1.0; 10], moved)
    };
    let svt = || json!({ "epsilon": 1.0, "threshold": 1.0, "stop_after": 1 });
    let max = || json!({ "noise": "laplace", "epsilon": 1.0 });
    let epsilon = |epsilon: f64| json!({ "epsilon": epsilon, "sensitivity": 1.0 });
    // P(0 | 0) of the discrete Laplace at ε = 0.5 and below: 1/(1 + e^(−1/2)).
    let half = 1.0 / (1.0 + (-0.5f64).exp());
    let won = 1f64.exp() / (4.0 + 1f64.exp());
    vec![
        row("laplace ε=1", pure(1.0), "laplace", epsilon(1.0), unit(), laplace(1.0)),
        row("laplace ε=0.1", pure(0.1), "laplace", epsilon(0.1), unit(), laplace(0.1)),
        row(
            "gaussian δ=1e-5",
            gaussian(4.377_178, 1e-5),
            "gaussian",
            json!({ "sigma": 1.0 }),
            unit(),
            normal(),
        ),
        row(
            "gaussian δ=0.01",
            gaussian(2.317_789, 0.01),
            "gaussian",
            json!({ "sigma": 1.0 }),
            unit(),
            normal(),
        ),
        row(
            "randomized-response",
            pure(3f64.ln()),
            "randomized-response",
            json!({ "truth": 0.5 }),
            unit(),
            Watched::BothTails(vec![Event { p: 0.75, q: 0.25 }]),
        ),
        row(
            "discrete-laplace",
            pure(0.5),
            "discrete-laplace",
            epsilon(0.5),
            unit(),
            Watched::BothTails(vec![Event { p: half, q: 1.0 - half }]),
        ),
        row(
            "noisy-max one above",
            pure(0.778_556),
            "noisy-max",
            max(),
            (even.clone(), vec![2.0, 0.0, 0.0, 0.0, 0.0]),
            one(0.435_649, 0.2),
        ),
        row(
            "noisy-max half-half",
            pure(0.613_494),
            "noisy-max",
            max(),
            (even.clone(), vec![0.0, 0.0, 0.0, 2.0, 2.0]),
            one(0.6, 0.324_874),
        ),
        row(
            "svt last above",
            pure(0.957_136),
            "svt-1",
            svt(),
            last_up(9),
            one(0.015_729_3, 0.006_039_9),
        ),
        row(
            "svt half-half",
            pure(0.820_105),
            "svt-1",
            svt(),
            last_up(5),
            one(0.051_953_73, 0.022_879_59),
        ),
        row(
            "exponential-mechanism",
            pure((won / 0.2).ln()),
            "exponential-mechanism",
            json!({ "epsilon": 1.0 }),
            (even, vec![2.0, 0.0, 0.0, 0.0, 0.0]),
            one(won, 0.2),
        ),
    ]
}

/// A certified bound on ε as a random number.
#[derive(Clone, Copy)]
pub struct Bound {
    pub mean: f64,
    pub deviation: f64,
}

impl Bound {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Self { mean, deviation: (squares / (count - 1.0)).sqrt() }
    }
}

impl Row {
    /// The audit of it with `n` trials a side.
    pub fn audit(&self, n: u64, seed: u64) -> Audit<Dataset> {
        let mechanism = catalog::build(self.kind, &self.parameters).expect("a mechanism");
        let pair = Pair {
            name: "the oracle's".into(),
            d: Dataset::Numbers(self.d.clone()),
            d_prime: Dataset::Numbers(self.d_prime.clone()),
        };
        Audit::of_mechanism(self.name, self.claim.clone(), mechanism)
            .pair(pair.d, pair.d_prime)
            .trials(2 * n)
            .alpha(ALPHA)
            .seed(seed)
    }

    fn delta(&self) -> f64 {
        self.claim.reference_point().1
    }

    /// The bound that the tool certifies with `n` trials a side, explore included, over the seeds
    /// `1..=seeds`.
    pub fn tool(&self, n: u64, seeds: u64) -> Bound {
        let certified = |seed| {
            let report = self.audit(n, seed).report().expect("a report");
            report.audits[0].epsilon_lower
        };
        Bound::of(&(1..=seeds).into_par_iter().map(certified).collect::<Vec<f64>>())
    }

    /// The oracle's bound with `n` trials a side: of the best event, and of the best test for it.
    pub fn oracle(&self, n: u64) -> Bound {
        match &self.watched {
            Watched::BothTails(events) => {
                let coarse = |event: &Event| self.guesses(*event, *event, n, (3, 9)).mean;
                let roughly: Vec<f64> = events.par_iter().map(coarse).collect();
                let best = (0..events.len()).max_by(|&a, &b| roughly[a].total_cmp(&roughly[b]));
                let event = events[best.expect("an event")];
                self.guesses(event, event, n, (15, 31))
            }
            Watched::One(event) => {
                let guess = self.guesses(*event, Event { p: 0.0, q: 0.0 }, n, (15, 31));
                let event = self.event(*event, n);
                if guess.mean > event.mean { guess } else { event }
            }
        }
    }

    /// The guess test, when the guesser names D on one event and D' on the other.
    fn guesses(&self, first: Event, second: Event, n: u64, cells: (u32, u32)) -> Bound {
        let trials = 2 * n;
        let right = typical(cells.0, trials, 0.5 * (first.p + second.p));
        let wrong = typical(cells.1, trials, 0.5 * (first.q + second.q));
        bound(&right, &wrong, |right, wrong| {
            let made = right + wrong;
            Guesses { right, made, trials }.epsilon_lower(self.delta(), ALPHA)
        })
    }

    /// The event test.
    fn event(&self, Event { p, q }: Event, n: u64) -> Bound {
        bound(&typical(5, n, p), &typical(9, n, q), |hits, other_hits| {
            let counts = EventCounts { hits, n, other_hits, other_n: n };
            EventTest::new(counts, &self.claim, ALPHA).epsilon_lower(self.delta())
        })
    }
}

/// Mid-quantiles of Bin(n, p): each stands for the same probability. The bound is convex in a
/// small count, so its mean is not its value at the mean counts.
fn typical(cells: u32, n: u64, p: f64) -> Vec<u64> {
    let level = |i: u32| 1.0 - (f64::from(i) + 0.5) / f64::from(cells);
    (0..cells).map(|i| binomial::upper_quantile(level(i), n, p)).collect()
}

/// A bound over typical pairs of counts of the first and of the second event.
fn bound(first: &[u64], second: &[u64], bound: impl Fn(u64, u64) -> f64 + Sync) -> Bound {
    let pairs: Vec<(u64, u64)> =
        first.iter().flat_map(|&x| second.iter().map(move |&y| (x, y))).collect();
    Bound::of(&pairs.into_par_iter().map(|(x, y)| bound(x, y)).collect::<Vec<f64>>())
}

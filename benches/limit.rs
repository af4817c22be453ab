//! What no choice of a witness can beat.
//!
//! On the sparse vector rows of the oracle with 10⁴ trials a side: a chooser who knows the chances
//! of all outcomes under both datasets, but not which outcome has which. It explores m trials a side, weighs all ways in which the names may belong to the
//! chances (a Markov chain over permutations), takes the event of the largest expected bound, and
//! confirms that on the trials that are left. Prints a table over m.
//!
//! On noisy-max-3 (the largest of five numbers itself, after noise) with 10⁸ trials: somebody who
//! is told the best event, over the share of the trials that confirm.
//!
//! `cargo bench --bench limit -- [AUDITS]`

use plaudit::Claim;
use plaudit::inference::{EventCounts, EventTest, Guesses};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng, rngs::ChaCha12Rng};
use rand_distr::{Binomial, Distribution};
use rayon::prelude::*;
use statrs::distribution::{Continuous, ContinuousCDF, Laplace};

const ALPHA: f64 = 0.05;
/// Trials a side, explore and confirm together.
const TRIALS: u64 = 10_000;
/// Sweeps of the Markov chain before it is listened to, and after.
const SWEEPS: [usize; 2] = [300, 1500];
/// Between two sweeps that are listened to.
const APART: usize = 3;

/// Chances of outcomes under D and under D'.
struct Laws {
    chances: Vec<[f64; 2]>,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let audits: u64 = match arguments.next().map(|argument| argument.parse()) {
        None => 1000,
        Some(Ok(audits)) if audits > 1 => audits,
        Some(_) => {
            eprintln!(
                "AUDITS must be a whole number above 1, e.g. cargo bench --bench limit -- 1000"
            );
            std::process::exit(2);
        }
    };
    println!(
        "| mechanism | explored of {TRIALS} a side | certified | ± | of the oracle's | best event chosen |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, below) in [("svt last above", 9), ("svt half-half", 5)] {
        let mut moved = vec![0.0; below];
        moved.resize(10, 2.0);
        let laws = Laws::of_sparse_vector(&[1.0; 10], &moved);
        let best = laws.best_event();
        let told = mean(
            (0..audits)
                .into_par_iter()
                .map(|seed| laws.confirm(&best, TRIALS, &mut ChaCha12Rng::seed_from_u64(seed))),
        );
        println!("| {name} | told the event | {:.4} | {:.4} | 1 | 1 |", told.0, told.1);
        for explored in [1000, 1500, 2000, 2500, 3000, 3500, 4000] {
            let audit = |seed| laws.audit(explored, &mut ChaCha12Rng::seed_from_u64(seed));
            let audited: Vec<_> = (0..audits).into_par_iter().map(audit).collect();
            let (certified, error) = mean(audited.par_iter().map(|(bound, _)| *bound));
            let (chosen, _) = mean(audited.par_iter().map(|(_, event)| f64::from(*event == best)));
            let part = certified / told.0;
            println!(
                "| {name} | {explored} | {certified:.4} | {error:.4} | {part:.3} | {chosen:.2} |"
            );
        }
    }
    println!();
    noisy_max_3(audits);
}

/// What DP-Sniper certifies of noisy-max-3, at 90 % confidence.
const REFERENCE: f64 = 0.248;

/// Prints what is certified, at 90 % confidence, of noisy-max-3 to somebody who is told the best event:
/// that the largest of five answers, all 0 or all 1, with Laplace noise of scale 20 is below 0. So its
/// loss is 5/20.
fn noisy_max_3(audits: u64) {
    let noise = Laplace::new(0.0, 20.0).expect("a law");
    let chances = [0.0, -1.0].map(|below: f64| noise.cdf(below).powi(5));
    println!("| noisy-max-3: confirm trials | certified | ± | of 5 the median is {REFERENCE} |");
    println!("|---|---|---|---|");
    for confirmed in [80_000_000, 90_000_000, 95_000_000, 100_000_000] {
        let certify = |seed| {
            let mut rng = ChaCha12Rng::seed_from_u64(seed);
            let mut count =
                |trials, chance| Binomial::new(trials, chance).expect("a law").sample(&mut rng);
            let on_d = count(confirmed, 0.5);
            let (right, wrong) = (count(on_d, chances[0]), count(confirmed - on_d, chances[1]));
            Guesses { right, made: right + wrong, trials: confirmed }.epsilon_lower(0.0, 0.1)
        };
        let mut bounds: Vec<f64> = (0..5 * audits).into_par_iter().map(certify).collect();
        let (certified, error) = mean(bounds.par_iter().copied());
        let medians = bounds
            .chunks_exact_mut(5)
            .map(|five| *five.select_nth_unstable_by(2, f64::total_cmp).1);
        let reached = medians.filter(|median| *median >= REFERENCE).count();
        let reached = reached as f64 / audits as f64;
        println!("| {confirmed} | {certified:.5} | {error:.5} | {reached:.3} |");
    }
}

/// The mean and its standard error.
fn mean(values: impl ParallelIterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

impl Laws {
    /// Of the position at which the sparse vector technique stops (ε = 1, threshold 1, one answer),
    /// and of not stopping, by the trapezoid rule over the noise of the threshold.
    fn of_sparse_vector(d: &[f64], d_prime: &[f64]) -> Self {
        let (threshold, query) =
            (Laplace::new(0.0, 2.0).expect("a law"), Laplace::new(0.0, 4.0).expect("a law"));
        let law = |answers: &[f64]| {
            let mut chances = vec![0.0; answers.len() + 1];
            let step = 1e-3;
            for place in -60_000..=60_000 {
                let noise = f64::from(place) * step;
                let mut still = threshold.pdf(noise) * step;
                for (chance, answer) in chances.iter_mut().zip(answers) {
                    let below = query.cdf(1.0 + noise - answer);
                    *chance += still * (1.0 - below);
                    still *= below;
                }
                chances[answers.len()] += still;
            }
            chances
        };
        let both = law(d).into_iter().zip(law(d_prime));
        Self { chances: both.map(|(p, q)| [p, q]).collect() }
    }

    /// The chances of an event by D' and by D, when outcomes have the chances of these places.
    fn of_event(&self, places: &[usize], event: &[usize]) -> [f64; 2] {
        [1, 0].map(|side| event.iter().map(|&name| self.chances[places[name]][side]).sum())
    }

    /// The event typical of D' that promises most to somebody who knows all.
    fn best_event(&self) -> Vec<usize> {
        let own: Vec<usize> = (0..self.chances.len()).collect();
        let mut order = own.clone();
        order.sort_by(|&a, &b| self.loss(b).total_cmp(&self.loss(a)));
        let events = (1..order.len()).map(|size| order[..size].to_vec());
        let promised = |event: &Vec<usize>| promised(self.of_event(&own, event), TRIALS);
        events.max_by(|a, b| promised(a).total_cmp(&promised(b))).expect("an event")
    }

    fn loss(&self, place: usize) -> f64 {
        let [p, q] = self.chances[place];
        (q / p).ln()
    }

    /// Counts of outcomes in so many trials of D and of D'.
    fn play(&self, trials: u64, rng: &mut impl Rng) -> Vec<[u64; 2]> {
        let mut left = [(trials, 1.0); 2];
        let chances = self.chances.iter();
        chances
            .map(|chances| {
                [0, 1].map(|side| {
                    let (trials, chance) = left[side];
                    let share = (chances[side] / chance).clamp(0.0, 1.0);
                    let count = Binomial::new(trials, share).expect("a law").sample(rng);
                    left[side] = (trials - count, chance - chances[side]);
                    count
                })
            })
            .collect()
    }

    /// The bound that so many trials a side certify by an event.
    fn confirm(&self, event: &[usize], n: u64, rng: &mut impl Rng) -> f64 {
        let counts = self.play(n, rng);
        let [other_hits, hits] =
            [0, 1].map(|side| event.iter().map(|&name| counts[name][side]).sum());
        let counts = EventCounts { hits, n, other_hits, other_n: n };
        let claim = Claim::pure(0.0).expect("a claim");
        EventTest::new(counts, &claim, ALPHA).epsilon_lower(0.0)
    }

    /// One audit: what it certifies, and by which event.
    fn audit(&self, explored: u64, rng: &mut impl Rng) -> (f64, Vec<usize>) {
        let seen = self.play(explored, rng);
        let ways = self.ways(&seen, rng);
        let outcomes = self.chances.len();
        let expected = |event: &[usize]| {
            ways.iter()
                .map(|places| promised(self.of_event(places, event), TRIALS - explored))
                .sum::<f64>()
        };
        let loss = |name: usize| ways.iter().map(|places| self.loss(places[name])).sum::<f64>();
        let mut order: Vec<(usize, f64)> = (0..outcomes).map(|name| (name, loss(name))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let order: Vec<usize> = order.into_iter().map(|(name, _)| name).collect();
        let tops = (1..outcomes).map(|size| order[..size].to_vec());
        let singles = order.iter().map(|&name| vec![name]);
        let pairs = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
        let pairs = pairs.map(|(a, b)| vec![order[a], order[b]]);
        let events = tops.chain(singles).chain(pairs);
        let best = events
            .map(|event| (expected(&event), event))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .expect("an event");
        (self.confirm(&best.1, TRIALS - explored, rng), best.1)
    }

    /// Ways in which the names may belong to the chances, as likely as the counts make them: of each
    /// name the place of its chances.
    fn ways(&self, seen: &[[u64; 2]], rng: &mut impl Rng) -> Vec<Vec<usize>> {
        let outcomes = seen.len();
        let mut names: Vec<usize> = (0..outcomes).collect();
        let mut order = names.clone();
        // From the likeliest by how often outcomes came in all.
        names.sort_by_key(|&name| seen[name][0] + seen[name][1]);
        order.sort_by(|&a, &b| {
            let mass = |place: usize| self.chances[place][0] + self.chances[place][1];
            mass(a).total_cmp(&mass(b))
        });
        let mut places = vec![0; outcomes];
        names.iter().zip(order).for_each(|(&name, place)| places[name] = place);
        let likely = |name: usize, place: usize| {
            let [p, q] = self.chances[place];
            seen[name][0] as f64 * p.ln() + seen[name][1] as f64 * q.ln()
        };
        let mut ways = Vec::new();
        for sweep in 0..SWEEPS[0] + SWEEPS[1] {
            names.shuffle(rng);
            for &a in &names {
                let b = rng.random_range(0..outcomes);
                let now = likely(a, places[a]) + likely(b, places[b]);
                let then = likely(a, places[b]) + likely(b, places[a]);
                if rng.random::<f64>().ln() < then - now {
                    places.swap(a, b);
                }
            }
            if sweep >= SWEEPS[0] && sweep % APART == 0 {
                ways.push(places.clone());
            }
        }
        ways
    }
}

/// About what so many trials a side certify by an event with these chances, the larger first; 0 if
/// nothing.
fn promised([q, p]: [f64; 2], trials: u64) -> f64 {
    let (hits, other) = (q * trials as f64, p * trials as f64);
    let quantile = 1.645;
    ((hits / other).ln() - quantile * (1.0 / hits + 1.0 / other).sqrt()).max(0.0)
}

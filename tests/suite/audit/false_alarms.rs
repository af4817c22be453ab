//! Right mechanisms are not accused: `null_audits` whole audits, explore included, of claims that
//! are exactly tight on the pair of datasets given.
//!
//! At α = 0.05 each count of wrong statements is at most binomial; the limit is its upper 0.02 quantile (545 of
//! 10 000); the seeds are fixed, and the tests are less than exact where outcomes are
//! discrete, so the counts stay far below in fact. For each mechanism the limit is the upper 1e-9
//! quantile. At α = 1e-6 there is a wrong verdict among 10 000 with probability at most 0.01.

use crate::tier::null_audits;
use plaudit::claim::{Claim, Region};
use plaudit::dataset::Dataset;
use plaudit::finding::Finding;
use plaudit::inference::binomial;
use plaudit::mechanism::catalog;
use plaudit::{Audit, Outcome, Stream, Verdict, laplace};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

const TRIALS: u64 = 2_000;

/// The mechanism's own privacy profile δ(ε) on its pair of datasets.
type Profile = Box<dyn Fn(f64) -> f64 + Sync>;

/// A mechanism with a claim that it just meets.
struct Tight {
    name: &'static str,
    claim: Claim,
    profile: Profile,
    audit: Box<dyn Fn(u64, f64) -> Finding + Sync>,
}

/// What an audit said that is not so.
#[derive(Default, Clone, Copy)]
struct Wrong {
    verdict: usize,
    epsilon: usize,
    delta: usize,
    mu: usize,
    /// Somewhere on the certified curve.
    profile: usize,
}

impl Wrong {
    fn plus(self, other: Self) -> Self {
        Self {
            verdict: self.verdict + other.verdict,
            epsilon: self.epsilon + other.epsilon,
            delta: self.delta + other.delta,
            mu: self.mu + other.mu,
            profile: self.profile + other.profile,
        }
    }

    fn counts(&self) -> [(&'static str, usize); 5] {
        [
            ("verdicts", self.verdict),
            ("epsilon_lower", self.epsilon),
            ("delta_lower", self.delta),
            ("mu_lower", self.mu),
            ("profile", self.profile),
        ]
    }
}

/// Room for rounding, in the truth and in what is certified.
const ROUNDING: f64 = 1e-9;

impl Tight {
    fn wrong(&self, finding: &Finding) -> Wrong {
        let (epsilon, delta) = self.claim.reference_point();
        let mu = match *self.claim.region() {
            Region::Gaussian { mu } => mu,
            _ => f64::INFINITY,
        };
        let above = |points: &plaudit::finding::ProfilePoint| {
            points.delta_lower > (self.profile)(points.epsilon) + ROUNDING
        };
        assert!((self.profile)(epsilon) - delta < 1e-6, "{}: the claim is not met", self.name);
        Wrong {
            verdict: (finding.verdict == Verdict::Violated).into(),
            epsilon: (finding.epsilon_lower > epsilon + ROUNDING).into(),
            delta: (finding.delta_lower > delta + ROUNDING).into(),
            mu: finding.mu_lower.is_some_and(|lower| lower > mu + ROUNDING).into(),
            profile: finding.profile.iter().any(above).into(),
        }
    }
}

/// A closure: its runs are played in the order of the coins.
fn closure<O: Into<Outcome> + 'static>(
    name: &'static str,
    claim: Claim,
    profile: impl Fn(f64) -> f64 + Sync + 'static,
    release: fn(&f64, &mut Stream) -> O,
) -> Tight {
    let of = claim.clone();
    let audit =
        move |seed, alpha| run(Audit::of(name, of.clone(), release).pair(0.0, 1.0), seed, alpha);
    Tight { name, claim, profile: Box::new(profile), audit: Box::new(audit) }
}

/// A mechanism of the catalog: its runs are batched by dataset.
fn shipped(
    name: &'static str,
    claim: Claim,
    profile: impl Fn(f64) -> f64 + Sync + 'static,
    (kind, parameters): (&'static str, Value),
    (d, d_prime): (&'static [f64], &'static [f64]),
) -> Tight {
    let of = claim.clone();
    let audit = move |seed, alpha| {
        let mechanism = catalog::build(kind, &parameters).unwrap();
        let [d, d_prime] = [d, d_prime].map(|numbers| Dataset::Numbers(numbers.to_vec()));
        run(Audit::of_mechanism(name, of.clone(), mechanism).pair(d, d_prime), seed, alpha)
    };
    Tight { name, claim, profile: Box::new(profile), audit: Box::new(audit) }
}

fn run<D: Serialize + Sync + 'static>(audit: Audit<D>, seed: u64, alpha: f64) -> Finding {
    // Some could be proved as well: here only what is measured counts.
    let audit = audit.only_measured();
    let mut report = audit.trials(TRIALS).alpha(alpha).seed(seed).report().unwrap();
    report.audits.remove(0)
}

/// The profile of a Laplace mechanism with loss `epsilon` (Balle, Barthe, Gaboardi 2018, Thm. 3).
fn laplace_profile(epsilon: f64) -> impl Fn(f64) -> f64 + Clone {
    move |at: f64| (-(0.5 * (at - epsilon)).exp_m1()).max(0.0)
}

/// The profile of laws on finitely many outcomes, the worse direction.
fn finite_profile(p: Vec<f64>, q: Vec<f64>) -> impl Fn(f64) -> f64 {
    move |at: f64| {
        let one_way = |p: &[f64], q: &[f64]| {
            p.iter().zip(q).map(|(p, q)| (p - at.exp() * q).max(0.0)).sum::<f64>()
        };
        one_way(&p, &q).max(one_way(&q, &p))
    }
}

/// With probability `delta` the bit itself, told as such; else randomized response.
fn reveal_or_randomize(x: &f64, random: &mut Stream) -> Outcome {
    let bit = *x == 1.0;
    if random.random_bool(0.1) {
        return if bit { "surely 1" } else { "surely 0" }.into();
    }
    let truth = random.random_bool(THETA);
    if bit == truth { "1" } else { "0" }.into()
}

/// e/(1 + e): randomized response at ε = 1.
const THETA: f64 = 0.731_058_578_630_004_9;

/// Rounded: the lowest bits of a sum of doubles would tell its terms.
fn on_grid(x: f64) -> f64 {
    (x * 2f64.powi(24)).round() * 2f64.powi(-24)
}

#[rustfmt::skip]
fn mechanisms() -> Vec<Tight> {
    let pure = |epsilon| Claim::pure(epsilon).unwrap();
    let approximate = |epsilon, delta| Claim::approximate(epsilon, delta).unwrap();
    let unit: (&'static [f64], &'static [f64]) = (&[0.0], &[1.0]);
    let gdp = Claim::gaussian(1.0).unwrap();
    let normal = |at: f64| Claim::gaussian(1.0).unwrap().delta_at(at);
    let response = approximate(1.0, 0.1);
    let theta = |epsilon: f64| 1.0 / (1.0 + (-epsilon).exp());
    let bit = |p: f64| finite_profile(vec![p, 1.0 - p], vec![1.0 - p, p]);
    // Noisy max with exponential noise of scale 2/ε, two scores a unit apart: the lower one wins
    // with probability e^(−ε/2)/2. As permute-and-flip (Ding et al. 2021).
    let lower = 0.5 * (-0.5f64).exp();
    let won = 1f64.exp() / (4.0 + 1f64.exp());
    let lost = 0.25 * (1.0 - won);
    vec![
        shipped("laplace", pure(1.0), laplace_profile(1.0),
            ("laplace", json!({ "epsilon": 1.0, "sensitivity": 1.0 })), unit),
        shipped("laplace of small loss", pure(0.05), laplace_profile(0.05),
            ("laplace", json!({ "epsilon": 0.05, "sensitivity": 1.0 })), unit),
        shipped("laplace, one of three numbers", pure(1.0), laplace_profile(1.0),
            ("laplace", json!({ "epsilon": 1.0, "sensitivity": 1.0 })),
            (&[0.0, 5.0, 0.0], &[0.0, 5.0, 1.0])),
        shipped("randomized response", pure(3f64.ln()), bit(0.75),
            ("randomized-response", json!({ "truth": 0.5 })), unit),
        shipped("discrete laplace", pure(0.5), bit(theta(0.5)),
            ("discrete-laplace", json!({ "epsilon": 0.5, "sensitivity": 1.0 })), unit),
        shipped("noisy max of two", pure(((1.0 - lower) / lower).ln()), bit(1.0 - lower),
            ("noisy-max", json!({ "noise": "exponential", "epsilon": 1.0 })), (&[1.0, 0.0], &[0.0, 1.0])),
        shipped("exponential mechanism", pure((won / 0.2).ln()),
            finite_profile(vec![0.2; 5], vec![won, lost, lost, lost, lost]),
            ("exponential-mechanism", json!({ "epsilon": 1.0 })),
            (&[1.0, 1.0, 1.0, 1.0, 1.0], &[2.0, 0.0, 0.0, 0.0, 0.0])),
        shipped("gaussian at epsilon 1", approximate(1.0, normal(1.0)), normal,
            ("gaussian", json!({ "sigma": 1.0 })), unit),
        shipped("gaussian at epsilon 3", approximate(3.0, normal(3.0)), normal,
            ("gaussian", json!({ "sigma": 1.0 })), unit),
        shipped("1-GDP", gdp.clone(), normal, ("gaussian", json!({ "sigma": 1.0 })), unit),
        closure("laplace, a closure", pure(1.0), laplace_profile(1.0),
            |x, random| on_grid(x + laplace(random, 1.0))),
        closure("1-GDP, a closure", gdp, normal, |x, random| {
            let unit: f64 = StandardNormal.sample(random);
            on_grid(x + unit)
        }),
        closure("reveal or randomize", response.clone(), move |at| response.delta_at(at), reveal_or_randomize),
        closure("randomized response by failing", pure(1.0), bit(THETA), |x, random| {
            let truth = random.random_bool(THETA);
            if (*x == 1.0) == truth { Ok(1.0) } else { Err("no answer") }
        }),
        closure("randomized lengths", pure(1.0), bit(THETA), |x, random| {
            let truth = random.random_bool(THETA);
            vec![1.0; 2 + usize::from((*x == 1.0) == truth)]
        }),
        closure("nothing to tell", pure(0.0), |_| 0.0, |_, random| laplace(random, 1.0)),
    ]
}

/// Wrong statements of each mechanism, over `null_audits` audits in all.
fn wrong(alpha: f64) -> Vec<(Tight, u64, Wrong)> {
    let mechanisms = mechanisms();
    let each = null_audits().div_ceil(mechanisms.len() as u64);
    let count = |tight: Tight| {
        let seeds = (0..each).into_par_iter();
        let wrong = seeds.map(|seed| tight.wrong(&(tight.audit)(seed, alpha)));
        let wrong = wrong.reduce(Wrong::default, Wrong::plus);
        (tight, each, wrong)
    };
    mechanisms.into_iter().map(count).collect()
}

#[test]
fn tight_claims_are_refuted_and_exceeded_no_more_often_than_alpha() {
    let alpha = 0.05;
    let (mut total, mut ran) = (Wrong::default(), 0);
    for (tight, audits, wrong) in wrong(alpha) {
        println!("{:<32} {audits} audits, wrong: {:?}", tight.name, wrong.counts());
        let most = binomial::upper_quantile(1e-9, audits, alpha) as usize;
        for (what, count) in wrong.counts() {
            assert!(count <= most, "{}: {count} of {audits} wrong {what}", tight.name);
        }
        // A bound beyond the claim is a violation, and none other.
        let beyond = [wrong.epsilon, wrong.delta, wrong.mu];
        assert!(beyond.into_iter().all(|count| count <= wrong.verdict), "{}", tight.name);
        total = total.plus(wrong);
        ran += audits;
    }
    println!("all: {:?}", total.counts());
    let most = binomial::upper_quantile(0.02, ran, alpha) as usize;
    for (what, count) in total.counts() {
        assert!(count <= most, "{count} wrong {what}");
    }
}

#[test]
fn tight_claims_are_never_refuted_at_the_level_of_a_gate() {
    for (tight, audits, wrong) in wrong(1e-6) {
        for (what, count) in wrong.counts() {
            assert_eq!(count, 0, "{}: {count} of {audits} wrong {what}", tight.name);
        }
    }
}

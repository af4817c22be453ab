//! Audits that end as soon as it is clear: they end early, their certificates hold, and they accuse no right mechanism.
//!
//! Seeds are fixed. A right mechanism is accused at level α with probability at most α (Ville), whenever an audit ends;
//! limits on counts are upper .001 quantiles of the binomial law of that.

use crate::tier;
use plaudit::audit::{Audited, Certificate, Disagreement};
use plaudit::finding::{Finding, Floats};
use plaudit::game::Control;
use plaudit::inference::Test;
use plaudit::{Audit, Claim, Stream, Verdict};
use rand::RngExt as _;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use std::sync::Mutex;

/// Audits whose numbers of runs are averaged: of 20 the mean of the count's was 122 and 142 by luck.
const SEEDS: u64 = 200;

type Release = fn(&f64, &mut Stream) -> f64;

fn pure(name: &str, claimed: f64, release: Release) -> Audit<f64> {
    Audit::of(name, Claim::pure(claimed).unwrap(), release).pair(1.0, 0.0)
}

/// As textbooks have it: its lowest bits tell the datasets apart.
fn in_doubles(x: &f64, random: &mut Stream) -> f64 {
    let magnitude = -random.random::<f64>().ln();
    x + if random.random() { magnitude } else { -magnitude }
}

/// Rounded, so that the lowest bits of a sum of doubles tell nothing.
fn laplace(x: &f64, random: &mut Stream) -> f64 {
    (64.0 * in_doubles(x, random)).round() / 64.0
}

/// Noise of ε = 30, which hides nothing.
fn next_to_no_noise(x: &f64, random: &mut Stream) -> f64 {
    laplace(&(30.0 * x), random) / 30.0
}

/// Noise of ε = 2: that of half the scale.
fn half_the_noise(x: &f64, random: &mut Stream) -> f64 {
    0.5 * laplace(&(2.0 * x), random)
}

fn half_the_noise_on_a_count(x: &f64, random: &mut Stream) -> f64 {
    let mut geometric = || (random.random::<f64>().ln() / -2.0).floor();
    x + geometric() - geometric()
}

fn response(x: &f64, random: &mut Stream) -> f64 {
    if random.random::<f64>() < 0.25 { 1.0 - x } else { *x }
}

fn until_clear(mut audit: Audit<f64>, enough: Option<f64>) -> Audited {
    audit.run_until_clear(enough, Control::unattended()).unwrap()
}

/// Mean number of runs to the verdict that a claim is violated.
fn runs_to_violated(audit: impl Fn() -> Audit<f64> + Sync) -> f64 {
    let runs = (0..SEEDS).into_par_iter().map(|seed| {
        let finding = until_clear(audit().alpha(0.05).seed(seed), None).finding;
        assert_eq!(finding.verdict, Verdict::Violated);
        finding.trials.total as f64
    });
    runs.sum::<f64>() / SEEDS as f64
}

/// ln(1/α) over the growth rate of the best bet on the best guesser, that of each outcome's likelier dataset where the loss is
/// `epsilon` with probability `share`, and none elsewhere.
fn limit(epsilon: f64, share: f64, claimed: f64) -> f64 {
    let [seen, allowed] = [epsilon, claimed].map(|e| 1.0 / (1.0 + (-e).exp()));
    let divergence =
        seen * (seen / allowed).ln() + (1.0 - seen) * ((1.0 - seen) / (1.0 - allowed)).ln();
    20_f64.ln() / (share * divergence)
}

#[test]
fn a_violation_is_clear_after_a_few_times_the_fewest_runs_that_anybody_needs() {
    // Laplace noise of ε has the loss ε with probability (1 + e^−ε)/2.
    let laplace_of = |epsilon: f64| 0.5 * (1.0 + (-epsilon).exp());
    let cases: [(Audit<f64>, f64); 3] = [
        (pure("laplace", 0.5, laplace), limit(1.0, laplace_of(1.0), 0.5)),
        (pure("half", 1.0, half_the_noise), limit(2.0, laplace_of(2.0), 1.0)),
        (pure("count", 1.0, half_the_noise_on_a_count), limit(2.0, 1.0, 1.0)),
    ];
    let releases = [laplace, half_the_noise, half_the_noise_on_a_count];
    for ((audit, limit), release) in cases.iter().zip(releases) {
        let claimed = audit.claim.reference_point().0;
        let runs = runs_to_violated(|| pure(&audit.name, claimed, release));
        println!("{}: {runs:.0} runs, limit {limit:.0}", audit.name);
        assert!(runs <= 3.0 * limit, "{}: {runs} runs, limit {limit}", audit.name);
    }
}

/// 24 runs show it, and a few batches after them refute the claim: after 62 runs on average. Where each outcome of a small sample
/// had a bin of its own, it took 117 and more.
#[test]
fn no_noise_is_clear_at_once() {
    let runs = runs_to_violated(|| pure("far", 1.0, next_to_no_noise));
    assert!(runs <= 80.0, "{runs}");
}

#[test]
fn a_certificate_of_batches_follows_from_its_counts_and_repeats() {
    let audit = || pure("half", 1.0, half_the_noise).seed(3);
    let certificate = until_clear(audit(), None).certificate.unwrap();
    assert_eq!(certificate.test, Test::Batches);
    assert!(!certificate.before.is_empty());
    assert_eq!(certificate.disagreements().unwrap(), Vec::<Disagreement>::new());
    let json = serde_json::to_value(&certificate).unwrap();
    assert_eq!(serde_json::from_value::<Certificate>(json).unwrap(), certificate);
    let audit = audit();
    let again = |seed| {
        let on = (&*audit.mechanism, &audit.pairs[0]);
        certificate.replay(on.0, on.1, seed, Control::unattended()).unwrap()
    };
    let same = again(3);
    assert!(same.holds && same.same_seed && same.same_counts);
    assert_eq!(same.p_value, certificate.p_value);
    for seed in 4..14 {
        let fresh = again(seed);
        assert!(fresh.holds && !fresh.same_counts, "seed {seed}: {}", fresh.p_value);
    }
}

#[test]
fn counts_that_were_changed_do_not_pass() {
    let certificate = until_clear(pure("half", 1.0, half_the_noise), None).certificate.unwrap();
    let mut fewer = certificate.clone();
    fewer.before.pop();
    assert!(!fewer.disagreements().unwrap_or_default().is_empty());
    let mut other = certificate.clone();
    other.before[0].tally.d.push(0);
    assert!(other.disagreements().unwrap_err().contains("batch 1"));
    let mut fixed = certificate;
    fixed.test = Test::Guess;
    assert!(fixed.disagreements().unwrap_err().contains("earlier batches"));
}

#[test]
fn what_is_right_ends_where_enough_would_have_been_seen() {
    let finding = until_clear(pure("response", 3_f64.ln(), response), Some(1.5)).finding;
    assert_eq!(finding.verdict, Verdict::NotRefuted);
    assert!(finding.trials.total < 20_000, "{}", finding.trials.total);
    assert!(finding.power.nearly_surely.unwrap() <= 1.5 * 3_f64.ln());
    let all = until_clear(pure("response", 3_f64.ln(), response).trials(5_000), None).finding;
    assert_eq!((all.verdict, all.trials.total), (Verdict::NotRefuted, 5_000));
}

/// Mechanisms of 1.5 times their claim of ε alone: an audit must not end before it would have seen that with probability
/// .99. Fewer than 95 of 100 have a probability below 10⁻³.
#[test]
fn a_loss_that_was_to_be_seen_is_seen() {
    let kinds: [(Release, f64); 3] =
        [(laplace, 1.0), (half_the_noise_on_a_count, 2.0), (response, 3_f64.ln())];
    for alpha in [0.05, 1e-6] {
        for (release, epsilon) in kinds {
            let is_seen = |seed: &u64| {
                let audit = pure("wrong", epsilon / 1.5, release).alpha(alpha).seed(*seed);
                until_clear(audit, Some(1.5)).finding.verdict == Verdict::Violated
            };
            let seen = (0..100).into_par_iter().filter(is_seen).count();
            assert!(seen >= 95, "ε = {epsilon}, α = {alpha}: {seen} of 100");
        }
    }
}

/// Gaussian noise of ε = 4.377 at δ = 10⁻⁵ under two thirds of that: more trials show more, so that none is left out.
#[test]
fn with_a_delta_only_a_violation_ends_an_audit_early() {
    let claim = Claim::approximate(4.377 / 1.5, 1e-5).unwrap();
    let release = |x: &f64, random: &mut Stream| -> f64 {
        let noise: f64 = StandardNormal.sample(random);
        (64.0 * (x + noise)).round() / 64.0
    };
    let audit = Audit::of("gaussian", claim, release).pair(1.0, 0.0).trials(100_000);
    let finding = until_clear(audit, Some(1.5)).finding;
    assert_eq!((finding.verdict, finding.trials.total), (Verdict::NotRefuted, 100_000));
}

/// Randomized response, right with probability 3/4, that falls silent for ever whenever it was right more often than expected
/// by 1.7 standard deviations: given the past each release is ln 3-DP.
fn quits_when_ahead(seed: u64) -> Audit<f64> {
    let memory = Mutex::new([0_u64; 2]);
    let release = move |x: &f64, random: &mut Stream| {
        let mut memory = memory.lock().unwrap();
        let [right, made] = *memory;
        let ahead = right as f64 - 0.75 * made as f64;
        if ahead > 1.7 * (0.1875 * made as f64).sqrt() + 3.0 {
            return -1.0;
        }
        let answer = response(x, random);
        *memory = [right + u64::from(answer == *x), made + 1];
        answer
    };
    let claim = Claim::pure(3_f64.ln()).unwrap();
    Audit::of("quits", claim, release).pair(1.0, 0.0).stateful().seed(seed)
}

/// A mechanism that just meets its claim, by the seed of its audit.
type Tight = Box<dyn Fn(u64) -> Audit<f64> + Sync>;

#[test]
fn what_is_right_is_not_accused_whenever_an_audit_ends() {
    let one = |audit: Audit<f64>, alpha: f64| -> Finding {
        until_clear(audit.trials(1_500).alpha(alpha), None).finding
    };
    let kinds: [(&str, Tight); 5] = [
        ("laplace", Box::new(|seed| pure("laplace", 1.0, laplace).seed(seed))),
        // Of ideal noise, whose claim is about values alone.
        (
            "doubles",
            Box::new(|seed| pure("doubles", 1.0, in_doubles).floats(Floats::Ideal).seed(seed)),
        ),
        ("count", Box::new(|seed| pure("count", 2.0, half_the_noise_on_a_count).seed(seed))),
        ("response", Box::new(|seed| pure("response", 3_f64.ln(), response).seed(seed))),
        ("quits", Box::new(quits_when_ahead)),
    ];
    // Of each, and the upper .001 quantiles of Bin(5 * audits, .05).
    let (audits, limit) = tier::of([(120_u64, 48), (1_000, 299), (1_000, 299)]);
    let mut accused = 0;
    for (name, audit) in &kinds {
        let accuses = |alpha: f64| {
            let seeds = (0..audits).into_par_iter();
            seeds.filter(|seed| one(audit(*seed), alpha).verdict == Verdict::Violated).count()
        };
        let (often, seldom) = (accuses(0.05), accuses(1e-4));
        println!("{name}: {often} of {audits} at .05, {seldom} at 1e-4");
        assert_eq!(seldom, 0, "{name}");
        accused += often;
    }
    assert!(accused <= limit, "{accused}");
}

/// 20 kB an outcome: those of the last batches do not fit into the 64 MiB that are kept, and are counted as they come.
#[test]
fn large_outcomes_are_counted_and_not_kept() {
    let release =
        |x: &f64, random: &mut Stream| format!("{}{}", "x".repeat(20_000), response(x, random));
    let claim = Claim::pure(3_f64.ln()).unwrap();
    let mut audit = Audit::of("large", claim, release).pair(1.0, 0.0).trials(5_000);
    let finding = audit.run_until_clear(None, Control::unattended()).unwrap().finding;
    assert_eq!((finding.verdict, finding.trials.total), (Verdict::NotRefuted, 5_000));
    assert_eq!(finding.trials.confirm, 5_000 - finding.trials.explore);
    assert!(finding.epsilon_lower > 0.9, "{}", finding.epsilon_lower);
}

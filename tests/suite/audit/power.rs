//! What an audit says that it would have seen is seen: for each form of claim a right mechanism is audited, the smallest loss that
//! its report says would have been refuted with probability .9 is given to the mechanism, and some audits of it are made
//! (`seeds`).
//!
//! At .9 more of them than the limit are missed with probability at most .07 a form; the statement is made with a margin. Seeds
//! are fixed.

use crate::tier;
use plaudit::Verdict;
use plaudit::claim::{Claim, LossUnit};
use plaudit::finding::{Finding, Power};
use plaudit::game::Control;
use plaudit::inference::binomial;
use plaudit::spec::{Overrides, parse};
use rayon::prelude::*;
use std::path::Path;

/// The mechanism that has the loss that a report says it would have seen.
type AsSaid = fn(&Power, f64) -> String;

const TRIALS: u64 = 20_000;
/// Probability that more audits of a form are missed than the limit, if each is with .1.
const BY_CHANCE: f64 = 0.07;

/// Audits a mechanism on 0 and 1.
fn audited(mechanism: &str, claim: &str, more: &str, seed: u64) -> Finding {
    let text = format!(
        "[[audit]]\nname = \"a\"\nmechanism = {mechanism}\nrelation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\n\
         claim = {claim}\nverify = false\nseed = {seed}\n{more}\n"
    );
    let mut loaded = parse(&text, Path::new("a.toml"), &Overrides::default()).expect("a spec");
    let audit = loaded.remove(0).audit;
    audit.run(Control::unattended()).expect("an audit").finding
}

/// The x in (low, high) at which a rising function is 0.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-3, 40.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    high
}

/// Gaussian noise whose loss is what a report says would have been seen; an ε is at this δ.
fn gaussian(power: &Power, delta: f64) -> String {
    let profile = |mu: f64, epsilon: f64| Claim::gaussian(mu).expect("in range").delta_at(epsilon);
    let detectable = power.detectable.expect("some loss would have been seen");
    let mu = match (power.unit, power.point) {
        (LossUnit::Mu, _) => detectable,
        (_, Some(point)) => root(|mu| profile(mu, point.epsilon) - point.delta),
        _ => root(|mu| profile(mu, detectable) - delta),
    };
    format!("{{ kind = \"gaussian\", sigma = {:?} }}", 1.0 / mu)
}

/// Laplace noise, likewise: δ(ε) = 1 − e^((ε − a)/2) for a shift of a scales.
fn laplace(power: &Power, _: f64) -> String {
    let loss = match power.point {
        Some(point) => point.epsilon - 2.0 * (-point.delta).ln_1p(),
        None => power.detectable.expect("some loss would have been seen"),
    };
    format!("{{ kind = \"laplace\", scale = {:?} }}", 1.0 / loss)
}

/// Audits of a mechanism with the loss that the report of a right one says it would have seen.
fn seen(claim: &str, right: &str, as_said: AsSaid) -> u64 {
    let report = audited(right, claim, &format!("trials = {TRIALS}\nmin_power = false"), 0);
    assert_ne!(report.verdict, Verdict::Violated, "{claim}: {}", report.reason());
    let mechanism = as_said(&report.power, report.claim.reference_delta);
    let more = format!("trials = {TRIALS}\nmin_power = false");
    let is_violated =
        |seed: u64| audited(&mechanism, claim, &more, seed).verdict == Verdict::Violated;
    (1..=seeds()).into_par_iter().filter(|seed| is_violated(*seed)).count() as u64
}

/// Audits of each form of claim at the loss that is said to be seen.
fn seeds() -> u64 {
    tier::of([20, 200, 200])
}

const NORMAL: &str = "{ kind = \"gaussian\", sigma = 1.0 }";
const LAPLACE: &str = "{ kind = \"laplace\", scale = 1.0 }";

#[test]
fn what_is_said_to_be_seen_is_seen_for_every_form_of_claim() {
    // The profile of Laplace noise, the trade-off function and the profile of Gaussian noise, by points.
    let lap = "{ profile = [[0.0, 0.3934693402873666], [0.5, 0.22119921692859515], [1.0, 0.0]] }";
    let normal = "{ profile = [[0.0, 0.38292492254802624], [1.0, 0.12693673750664397], [2.0, 0.020923636187945096], \
                  [4.0, 4.637362216e-05]] }";
    let tradeoff =
        "{ tradeoff = [[0.0, 1.0], [0.1, 0.6105], [0.3, 0.3175], [0.5, 0.1586], [1.0, 0.0]] }";
    let forms: [(&str, &str, AsSaid); 10] = [
        ("{ epsilon = 1.0 }", LAPLACE, laplace),
        ("{ epsilon = 1.0, delta = 0.12693673750664397 }", NORMAL, gaussian),
        ("{ mu = 1.0 }", NORMAL, gaussian),
        ("{ rho = 0.5 }", NORMAL, gaussian),
        (
            "{ renyi = [{ order = 2.0, epsilon = 1.0 }, { order = 8.0, epsilon = 4.0 }] }",
            NORMAL,
            gaussian,
        ),
        ("{ renyi = [{ order = 4.0, epsilon = 2.0 }] }", NORMAL, gaussian),
        (lap, LAPLACE, laplace),
        (normal, NORMAL, gaussian),
        (tradeoff, "{ kind = \"gaussian\", sigma = 1.3 }", gaussian),
        ("{ composition = \"gaussian(sigma=2) x 4\" }", NORMAL, gaussian),
    ];
    // Of 200 it is 26.
    let most = binomial::upper_quantile(BY_CHANCE, seeds(), 0.1);
    let mut failed = Vec::new();
    for (claim, right, as_said) in forms {
        let seen = seen(claim, right, as_said);
        println!("{claim}: {seen} of {}", seeds());
        if seeds() - seen > most {
            failed.push(format!("{claim}: {seen}"));
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Gaussian noise of sigma .53 against .5-zCDP: 1.97 times the claim's ε at δ = 10⁻⁵, which 300 trials do not see.
#[test]
fn few_trials_of_a_curve_are_inconclusive() {
    let mechanism = "{ kind = \"gaussian\", sigma = 0.53 }";
    for seed in 0..seeds() / 20 {
        let finding = audited(mechanism, "{ rho = 0.5 }", "trials = 300", seed);
        assert!(
            matches!(finding.verdict, Verdict::Inconclusive | Verdict::Violated),
            "seed {seed}: {}: {}",
            finding.verdict.word(),
            finding.power.words
        );
    }
}

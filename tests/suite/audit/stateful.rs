//! Audits of mechanisms whose runs depend on one another: a budget that is spent, a cached answer, a
//! counter of calls, and one that knows the guess test and stops when it looks bad.
//!
//! Seeds are fixed. A right mechanism is accused at level α with probability at most α; limits on
//! counts are upper 1e-9 quantiles of the binomial law of that. Each violation is so gross that fresh
//! randomness would miss it with probability below 1e-9.

use plaudit::dataset::Pair;
use plaudit::finding::{Finding, StepTimes};
use plaudit::game::Control;
use plaudit::inference::{Test, binomial};
use plaudit::mechanism::{Capabilities, FromFn, Planned, Prepared, Trouble};
use plaudit::{Audit, Claim, Mechanism, Outcomes, Stream, Verdict, laplace};
use rand::RngExt;
use rand_distr::{Distribution, Exp1, StandardNormal};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ALPHA: f64 = 0.05;
const AUDITS: u64 = 400;
const TRIALS: u64 = 3_000;

fn finding(audit: &Audit<f64>) -> Finding {
    audit.run(Control::unattended()).unwrap().finding
}

fn random_bit(x: f64, truth: f64, random: &mut Stream) -> bool {
    (x > 0.5) == random.random_bool(truth)
}

/// Rounded, so that the lowest bits of a sum of doubles tell nothing.
fn eighths(x: f64) -> f64 {
    (8.0 * x).round() / 8.0
}

/// What a mechanism with a memory has seen.
#[derive(Default)]
struct Memory {
    calls: u64,
    right: f64,
    made: f64,
    silent: bool,
}

/// Randomized response, right with probability 3/4, that counts how often it was right. Whenever that
/// is more than 1.7 standard deviations above what is expected, it falls silent for ever. Given the
/// past each release is ln 3-DP. (For so many calls that the search is over it only answers.)
fn quits_when_ahead() -> impl Fn(&f64, &mut Stream) -> String + Send + Sync + 'static {
    let memory = Mutex::new(Memory::default());
    move |x, random| {
        let mut memory = memory.lock().unwrap();
        memory.calls += 1;
        if memory.silent {
            return "nothing".into();
        }
        let bit = random_bit(*x, 0.75, random);
        if memory.calls > TRIALS * 15 / 100 {
            memory.made += 1.0;
            memory.right += f64::from(u8::from(bit == (*x > 0.5)));
            let lead = memory.right - 0.75 * memory.made;
            memory.silent = memory.made > 40.0 && lead > 1.7 * (memory.made * 0.1875).sqrt();
        }
        if bit { "yes" } else { "no" }.into()
    }
}

/// Randomized response of which all but every third answer is worthless, and every answer "no" makes
/// the next one worthless, too.
fn moody() -> impl Fn(&f64, &mut Stream) -> String + Send + Sync + 'static {
    let memory = Mutex::new((0u64, false));
    move |x, random| {
        let mut memory = memory.lock().unwrap();
        let truth = if memory.0.is_multiple_of(3) && !memory.1 { 0.75 } else { 0.5 };
        let bit = random_bit(*x, truth, random);
        *memory = (memory.0 + 1, !bit);
        if bit { "yes" } else { "no" }.into()
    }
}

/// Wrong statements of all audits of a mechanism that is ln 3-DP given the past, on verdicts, bounds
/// of ε, of δ, and curves.
fn wrong_statements(audit: impl Fn(u64) -> Audit<f64> + Sync) -> [u64; 4] {
    let epsilon = f64::ln(3.0);
    let wrong = |seed: u64| {
        let finding = finding(&audit(seed));
        let curve = |at: f64| (0.75 - at.exp() * 0.25).max(0.0) + 1e-12;
        [
            finding.verdict == Verdict::Violated,
            finding.epsilon_lower > epsilon,
            finding.delta_lower > 0.0,
            finding.profile.iter().any(|point| point.delta_lower > curve(point.epsilon)),
        ]
        .map(u64::from)
    };
    (0..AUDITS)
        .into_par_iter()
        .map(wrong)
        .reduce(|| [0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

fn tight(name: &str, seed: u64) -> (String, Claim, u64) {
    (format!("{name}-{seed}"), Claim::pure(f64::ln(3.0)).unwrap(), seed)
}

#[test]
#[ignore = "takes several seconds"]
fn fair_mechanisms_with_a_memory_are_not_accused() {
    let limit = binomial::upper_quantile(1e-9, AUDITS, ALPHA);
    let quitting = |seed| {
        let (name, claim, seed) = tight("quits", seed);
        Audit::of(name, claim, quits_when_ahead())
            .pair(0.0, 1.0)
            .trials(TRIALS)
            .alpha(ALPHA)
            .seed(seed)
    };
    let stateful = wrong_statements(|seed| quitting(seed).stateful());
    println!("quits when ahead: {stateful:?} of {AUDITS}, limit {limit}");
    assert!(stateful.iter().all(|count| *count <= limit), "{stateful:?}");
    // Taken for independent runs, the same mechanism is accused: it needs the betting test.
    let independent = wrong_statements(quitting);
    println!("the same, said to be independent: {independent:?}");
    assert!(independent[0] > limit, "{independent:?}");

    let moody = |seed| {
        let (name, claim, seed) = tight("moody", seed);
        let audit = Audit::of(name, claim, moody()).pair(0.0, 1.0).stateful();
        audit.trials(TRIALS).alpha(ALPHA).seed(seed)
    };
    let wrong = wrong_statements(moody);
    assert!(wrong.iter().all(|count| *count <= limit), "{wrong:?}");
}

#[test]
fn mechanisms_that_leak_through_their_memory_are_found() {
    let claim = Claim::pure(1.0).unwrap();
    let noise = Mutex::new(None);
    let cached = move |x: &f64, random: &mut Stream| {
        x + *noise.lock().unwrap().get_or_insert_with(|| laplace(random, 1.0))
    };
    let calls = AtomicU64::new(0);
    let spent = move |x: &f64, random: &mut Stream| {
        let honest = calls.fetch_add(1, Ordering::Relaxed) % 100 < 90;
        if honest { x + laplace(random, 1.0) } else { *x }
    };
    for audit in [
        Audit::of("cached noise", claim.clone(), cached),
        Audit::of("a spent budget", claim, spent),
    ] {
        let finding = finding(&audit.pair(0.0, 1.0).trials(20_000).stateful());
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert_eq!(finding.test, Test::Betting);
        assert!(finding.reason().contains("anytime-valid betting test"), "{}", finding.reason());
    }
}

/// A released counter of calls tells nothing when runs are played in the order of the coins.
#[test]
fn a_counter_of_calls_tells_nothing() {
    let calls = AtomicU64::new(0);
    let count = move |x: &f64, random: &mut Stream| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        vec![call as f64, eighths(x + laplace(random, 2.0))]
    };
    let audit = Audit::of("counter", Claim::pure(0.5).unwrap(), count).pair(0.0, 1.0);
    let finding = finding(&audit.trials(50_000).stateful());
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.epsilon_lower > 0.3, "{}", finding.epsilon_lower);
}

/// Says that its runs are independent, and may not be taken at its word.
struct Batches(AtomicU64);

impl Mechanism<f64> for Batches {
    fn fill(
        &self,
        dataset: &f64,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        assert_eq!(runs, 1, "asked for a batch");
        self.0.fetch_add(1, Ordering::Relaxed);
        outcomes.push_number(eighths(dataset + laplace(random, 1.0)));
        Ok(())
    }
    fn capabilities(&self) -> Capabilities<'_, f64> {
        Capabilities::independent()
    }
}

#[test]
fn runs_are_asked_for_one_by_one_and_as_many_as_the_budget_says() {
    let mechanism: &'static Batches = Box::leak(Box::new(Batches(AtomicU64::new(0))));
    let audit = Audit::of_mechanism("batches", Claim::pure(1.0).unwrap(), mechanism);
    let finding = finding(&audit.pair(0.0, 1.0).trials(20_000).stateful());
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert_eq!(mechanism.0.load(Ordering::Relaxed), 20_000);
}

#[test]
fn pools_of_any_size_give_the_same_finding() {
    let finding_in = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (name, claim, seed) = tight("pools", 3);
        let audit = Audit::of(name, claim, moody()).pair(0.0, 1.0).trials(30_000).seed(seed);
        let mut finding = pool.install(|| finding(&audit.stateful()));
        (finding.wall_s, finding.steps) = (0.0, StepTimes::default());
        finding
    };
    assert_eq!(finding_in(1), finding_in(5));
}

#[test]
fn a_violation_is_replayed_one_run_after_another() {
    let answers = || {
        let calls = AtomicU64::new(0);
        move |x: &f64, random: &mut Stream| {
            let odd = calls.fetch_add(1, Ordering::Relaxed) % 2 == 1;
            if odd { x + laplace(random, 1.0) } else { x + laplace(random, 0.2) }
        }
    };
    let audit = Audit::of("alternating", Claim::pure(1.0).unwrap(), answers());
    let audit = audit.pair(0.0, 1.0).trials(20_000).stateful();
    let audited = audit.run(Control::unattended()).unwrap();
    let certificate = audited.certificate.expect("it is violated");
    assert_eq!(certificate.test, Test::Betting);
    let json = serde_json::to_string(&certificate).unwrap();
    let certificate: plaudit::Certificate = serde_json::from_str(&json).unwrap();
    let pair = Pair { name: String::new(), d: 0.0, d_prime: 1.0 };
    let replay =
        |seed| certificate.replay(&FromFn(answers()), &pair, seed, Control::unattended()).unwrap();
    assert!(replay(99).holds);
    assert_ne!(replay(99).tally, certificate.tally);
}

/// Finds out by itself that it has a memory.
struct Cached(Mutex<Option<f64>>);

impl Mechanism<f64> for Cached {
    fn fill(
        &self,
        dataset: &f64,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        let mut noise = self.0.lock().unwrap();
        for _ in 0..runs {
            outcomes.push_number(dataset + *noise.get_or_insert_with(|| laplace(random, 1.0)));
        }
        Ok(())
    }
    fn prepare(
        &self,
        _: [&f64; 2],
        Planned { trials, .. }: Planned,
        _: &mut Stream,
        _: &AtomicBool,
    ) -> Result<Prepared, Trouble> {
        Ok(Prepared::stateful(trials))
    }
}

#[test]
fn what_a_mechanism_finds_out_of_itself_decides_the_test() {
    let audit = |claim| {
        let mechanism = Cached(Mutex::default());
        Audit::of_mechanism("cached", claim, mechanism).pair(0.0, 1.0).trials(5_000)
    };
    let pure = finding(&audit(Claim::pure(1.0).unwrap()));
    assert_eq!((pure.test, pure.verdict), (Test::Betting, Verdict::Violated), "{}", pure.reason());
    assert!(pure.reason().contains("depend on one another"), "{}", pure.reason());
    let curve = finding(&audit(Claim::gaussian(1.0).unwrap()));
    // A curve is held to one point of it.
    assert_eq!(
        (curve.test, curve.verdict),
        (Test::Betting, Verdict::Violated),
        "{}",
        curve.reason()
    );
}

#[test]
fn a_claim_that_is_a_curve_is_held_to_one_point_of_it() {
    // N(0, 1) a unit apart is 1-GDP, and 1/2-zCDP; it is not 0.2-GDP.
    for (claim, verdict) in [
        (Claim::gaussian(1.0), Verdict::NotRefuted),
        (Claim::zero_concentrated(0.5), Verdict::NotRefuted),
        (Claim::gaussian(0.2), Verdict::Violated),
    ] {
        let release = |x: &f64, random: &mut Stream| {
            let unit: f64 = StandardNormal.sample(random);
            eighths(x + unit)
        };
        let built = Audit::of("curve", claim.unwrap(), release).pair(0.0, 1.0).stateful();
        let finding = finding(&built.trials(200_000));
        assert_eq!(
            (finding.test, finding.verdict),
            (Test::Betting, verdict),
            "{}",
            finding.reason()
        );
    }
}

/// In the few outcomes of explore a rare event of a right mechanism speaks against the claim by luck in one audit of a
/// hundred. With that witness alone the audit could not have seen twice the claim.
#[test]
#[ignore = "takes several seconds"]
fn a_lucky_rare_event_does_not_make_a_right_mechanism_inconclusive() {
    let verdict = |seed: u64| {
        // Two-sided geometric noise: the difference of two geometric numbers, which are whole parts of exponential ones.
        let whole = |random: &mut Stream| Distribution::<f64>::sample(&Exp1, random) as i64;
        let release = move |x: &i64, random: &mut Stream| x + whole(random) - whole(random);
        let audit = Audit::of("lucky", Claim::pure(1.0).unwrap(), release).pair(0, 1);
        let audit = audit.trials(10_000).seed(seed).min_power(2.0).stateful();
        audit.run(Control::unattended()).unwrap().finding.verdict
    };
    let verdicts: Vec<Verdict> = (0..1_000).into_par_iter().map(verdict).collect();
    let inconclusive = verdicts.iter().filter(|of| **of == Verdict::Inconclusive).count();
    assert!(inconclusive <= 2, "{inconclusive} of {} audits", verdicts.len());
    assert!(!verdicts.contains(&Verdict::Violated));
}

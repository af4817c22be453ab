//! Audits in which the running time is part of the outcome. Times are the machine's own, so these
//! tests are no functions of their seeds. Each leak here is of more than a microsecond and shows in
//! most runs: a verdict would be missed only if the machine stopped for most of them. The right
//! mechanisms are far inside their claims, which at α = 1e-6 are refuted with probability below
//! 1e-9 unless the time itself depended on the data.

use plaudit::audit::Certificate;
use plaudit::dataset::{Dataset, Pair};
use plaudit::finding::Finding;
use plaudit::game::{Control, Runs};
use plaudit::inference::Test;
use plaudit::mechanism::{Capabilities, FromFn, Timer, Trouble, catalog, release};
use plaudit::spec::{Overrides, load};
use plaudit::{Audit, Claim, Mechanism, Outcome, Outcomes, Stream, Verdict, laplace};
use rand::{RngExt, SeedableRng};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn finding<D: serde::Serialize + Sync>(audit: &Audit<D>) -> Finding {
    audit.run(Control::unattended()).unwrap().finding
}

/// Work that takes about so many nanoseconds, whatever they are.
fn work(steps: u64) -> u64 {
    (0..steps).fold(1, |sum, step| black_box(sum ^ step.wrapping_mul(sum | 1)))
}

/// Looks for a secret in a list, and stops when it is there: the released value does not depend on
/// it.
fn early_exit(list: &Vec<f64>, random: &mut Stream) -> f64 {
    for entry in list {
        black_box(work(30));
        if *entry == 1.0 {
            break;
        }
    }
    laplace(random, 1.0)
}

/// D has the secret in front, D' not at all.
fn lists() -> (Vec<f64>, Vec<f64>) {
    let d_prime = vec![0.0; 200];
    let mut d = d_prime.clone();
    d[0] = 1.0;
    (d, d_prime)
}

fn early(name: &str) -> Audit<Vec<f64>> {
    let (d, d_prime) = lists();
    Audit::of(name, Claim::pure(0.5).unwrap(), early_exit)
        .pair(d, d_prime)
        .may_show_no_difference()
        .trials(4_000)
}

#[test]
fn a_time_that_tells_the_datasets_apart_is_a_violation_in_words() {
    let finding = finding(&early("early exit").clock());
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert_eq!((finding.test, finding.witness.kind.as_str()), (Test::Betting, "clock"));
    assert!(finding.witness.description.contains("the run took"), "{:?}", finding.witness);
    assert!(finding.reason().contains("this machine and its load"), "{}", finding.reason());
    assert_eq!(finding.trials.total, 4_000);
    assert_eq!(finding.tally.trials(), finding.trials.confirm);
}

/// Neither the value alone nor the time alone tells the datasets apart.
#[test]
fn time_and_value_together_are_looked_at() {
    let release = |x: &f64, random: &mut Stream| {
        let slow = random.random::<bool>();
        black_box(work(if slow { 4_000 } else { 40 }));
        if slow == (*x > 0.5) { "left" } else { "right" }
    };
    let audit =
        Audit::of("jointly", Claim::pure(1.0).unwrap(), release).pair(0.0, 1.0).trials(8_000);
    let finding = finding(&audit.clock());
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert_eq!(finding.witness.kind, "clock");
    // Beside either value the time tells all; which of them is spoken of depends on the machine.
    let words = &finding.witness.description;
    let beside = |value: &str| words.contains(&format!("\"{value}\" and the run took"));
    assert!(beside("left") || beside("right"), "{words}");
}

#[test]
fn without_a_clock_the_time_is_nothing() {
    for audit in [early("early exit"), early("early exit").stateful()] {
        let finding = finding(&audit);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
        assert_ne!(finding.witness.kind, "clock");
    }
}

/// Keeps the machine busy until it is dropped.
struct Load(Arc<AtomicBool>, Vec<std::thread::JoinHandle<()>>);

impl Load {
    fn new() -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let busy = |_| {
            let done = done.clone();
            std::thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let pages = vec![1u8; 1 << 20];
                    black_box(pages.iter().map(|byte| u64::from(*byte)).sum::<u64>());
                }
            })
        };
        let threads = (0..3).map(busy).collect();
        Self(done, threads)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.drain(..).for_each(|thread| thread.join().expect("it does not panic"));
    }
}

#[test]
fn mechanisms_of_constant_time_are_not_accused_on_a_busy_machine() {
    let _load = Load::new();
    // 0.5-DP where 1 is claimed: in the time alone there is nothing, and next to the value not
    // enough.
    let constant = |list: &Vec<f64>, random: &mut Stream| {
        let found = list.iter().fold(false, |found, entry| found | (*entry == 1.0));
        black_box(work(100));
        // Rounded, so that the lowest bits of a sum of doubles tell nothing.
        (8.0 * (f64::from(u8::from(found)) + laplace(random, 2.0))).round() / 8.0
    };
    for seed in 0..100 {
        let (d, d_prime) = lists();
        let audit = Audit::of(format!("constant-{seed}"), Claim::pure(1.0).unwrap(), constant);
        let finding = finding(&audit.pair(d, d_prime).trials(2_000).seed(seed).clock());
        assert_ne!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    }
}

#[test]
fn a_leak_is_found_on_a_busy_machine_and_its_certificate_is_timed_again() {
    let _load = Load::new();
    let audited = early("busy").clock().run(Control::unattended()).unwrap();
    assert_eq!(audited.finding.verdict, Verdict::Violated, "{}", audited.finding.reason());
    let certificate = audited.certificate.expect("it is violated");
    let json = serde_json::to_string(&certificate).unwrap();
    let certificate: Certificate = serde_json::from_str(&json).unwrap();
    let (d, d_prime) = lists();
    let pair = Pair { name: String::new(), d, d_prime };
    let replay = certificate.replay(&FromFn(early_exit), &pair, 5, Control::unattended()).unwrap();
    assert!(replay.holds, "{replay:?}");
    let mut damaged = certificate;
    damaged.test = Test::Guess;
    let error = damaged.replay(&FromFn(early_exit), &pair, 5, Control::unattended()).unwrap_err();
    assert!(error.to_string().contains("betting test"), "{error}");
}

#[test]
fn some_runs_come_before_those_that_count() {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = calls.clone();
    let release = move |x: &f64, random: &mut Stream| {
        counted.fetch_add(1, Ordering::Relaxed);
        x + laplace(random, 1.0)
    };
    let audit = Audit::of("warm", Claim::pure(1.0).unwrap(), release).pair(0.0, 1.0);
    let finding = finding(&audit.trials(20_000).clock());
    let (calls, trials) = (calls.load(Ordering::Relaxed), finding.trials.total);
    assert_eq!(trials, 20_000);
    assert!((20_300..21_500).contains(&calls), "{calls}");
}

/// Takes long before it fails; measures itself.
struct Remote;

impl Mechanism<f64> for Remote {
    fn fill(
        &self,
        _: &f64,
        runs: usize,
        _: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        (0..runs).for_each(|_| outcomes.push_text("same"));
        Ok(())
    }
    fn capabilities(&self) -> Capabilities<'_, f64> {
        Capabilities { timer: Some(self), ..Capabilities::default() }
    }
}

impl Timer<f64> for Remote {
    fn at_once(&self) -> usize {
        1
    }
    fn run_timed(
        &self,
        datasets: [&f64; 2],
        coins: &[bool],
        random: &mut Stream,
        _: &AtomicBool,
    ) -> Result<Vec<(Outcome, u64)>, Trouble> {
        assert!(random.random_bool(0.9), "now and then");
        let x = if coins[0] { datasets[0] } else { datasets[1] };
        let nanoseconds = if *x > 0.5 { 5_000_000_000 } else { 4_000_000_000 };
        Ok(vec![(Outcome::Text("same".into()), nanoseconds)])
    }
}

#[test]
fn a_mechanism_may_measure_itself_and_may_fail() {
    let audit = Audit::of_mechanism("remote", Claim::pure(1.0).unwrap(), Remote).pair(0.0, 1.0);
    let finding = finding(&audit.trials(4_000).clock());
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert!(finding.witness.description.contains("5 seconds"), "{}", finding.witness.description);
}

#[test]
fn durations_are_known_for_all_outcomes_of_a_batch_or_for_none() {
    let mut outcomes = Outcomes::new();
    outcomes.push_timed(Outcome::Number(1.0), 30);
    outcomes.push_timed(Outcome::Failure("no".into()), 40);
    assert_eq!(outcomes.durations(), Some(&[30, 40][..]));
    let timed = outcomes.bytes();
    outcomes.push_number(2.0);
    outcomes.push_timed(Outcome::Number(3.0), 50);
    assert_eq!((outcomes.len(), outcomes.durations()), (4, None));
    outcomes.clear();
    let mut stream = Stream::seed_from_u64(1);
    let mechanism = FromFn(|x: &f64, random: &mut Stream| x + laplace(random, 1.0));
    release(&mechanism, &0.0, 5, &mut stream, &mut outcomes).unwrap();
    assert_eq!((outcomes.len(), outcomes.durations()), (5, None));
    assert!(outcomes.bytes() < timed + 40);
}

/// The value is as private as claimed; with the time beside it nothing is.
#[test]
fn a_sampler_by_trials_gives_its_noise_away() {
    let build = || {
        let parameters =
            serde_json::json!({ "epsilon": 1.0, "sensitivity": 1000.0, "sampler": "by-trials" });
        catalog::build("discrete-laplace", parameters).unwrap()
    };
    let audit = || {
        let numbers = |x| Dataset::Numbers(vec![x]);
        let claim = Claim::pure(1.0).unwrap();
        let audit = Audit::of_mechanism("by-trials", claim, build());
        audit.pair(numbers(0.0), numbers(1000.0)).trials(100_000)
    };
    let with_clock = finding(&audit().clock());
    assert_eq!(with_clock.verdict, Verdict::Violated, "{}", with_clock.reason());
    let without = finding(&audit());
    assert_eq!(without.verdict, Verdict::NotRefuted, "{}", without.reason());
}

#[test]
fn a_spec_may_ask_for_it() {
    let spec = |keys: &str, claim: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("spec.toml");
        let text = format!(
            "[[audit]]\nname = \"a\"\nmechanism = {{ kind = \"laplace\", scale = 1 }}\n\
             relation = {{ linf = 1 }}\npairs = [{{ d = [0], d_prime = [1] }}]\n\
             claim = {{ {claim} }}\n{keys}\n"
        );
        std::fs::write(&file, text).unwrap();
        let loaded = load(&[file], &Overrides::default()).map_err(|errors| errors.to_string())?;
        Ok::<Runs, String>(loaded[0].audit.runs())
    };
    let pure = "epsilon = 1";
    assert_eq!(spec("", pure), Ok(Runs::Independent));
    assert_eq!(spec("stateful = false\nclock = false", pure), Ok(Runs::Independent));
    assert_eq!(spec("stateful = true", pure), Ok(Runs::Stateful));
    assert_eq!(spec("clock = true", pure), Ok(Runs::Timed));
    assert_eq!(spec("stateful = false\nclock = true", pure), Ok(Runs::Timed));
    for key in ["stateful", "clock"] {
        assert_ne!(spec(&format!("{key} = true"), "mu = 1"), Ok(Runs::Independent));
        assert_eq!(spec(&format!("{key} = false"), "mu = 1"), Ok(Runs::Independent));
        let error = spec(&format!("{key} = \"yes\""), pure).unwrap_err();
        assert!(error.contains("must be true or false, not a string"), "{error}");
    }
}

//! Whatever a mechanism lets an observer see is an outcome: on one dataset only it is a violation,
//! on both alike it is no excuse for not auditing.
//!
//! All audits are at the level of a gate, 1e-6, and seeded: a test of fifty fair audits fails by
//! chance with probability below 5e-5 over the choice of its seeds, and never by a rerun.

use plaudit::finding::Finding;
use plaudit::mechanism::{Capabilities, Outcomes, Trouble};
use plaudit::{Audit, Claim, Mechanism, Outcome, Stream, Verdict, laplace};
use rand::RngExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is released when nothing goes wrong.
#[derive(Clone, Copy, Debug)]
enum Value {
    Number,
    Zero,
    Integer,
    Word,
    Vector,
}

impl Value {
    fn draw(self, random: &mut Stream, at: f64, scale: f64) -> Outcome {
        match self {
            Self::Number => noisy(random, at, scale).into(),
            Self::Zero => 0.0.into(),
            Self::Integer => ((at + laplace(random, scale)).round() as i64).into(),
            Self::Word => if at + laplace(random, scale) > 0.5 { "high" } else { "low" }.into(),
            Self::Vector => vec![noisy(random, at, scale), 1.0, 2.0].into(),
        }
    }
}

/// Rounded to 2⁻²⁴ of the scale: the lowest bits of a sum of doubles would tell its terms.
fn noisy(random: &mut Stream, at: f64, scale: f64) -> f64 {
    let step = scale * 2f64.powi(-24);
    ((at + laplace(random, scale)) / step).round() * step
}

type Fault = (&'static str, Value, fn(&mut Stream) -> Outcome);

/// What can go wrong, and instead of what.
const FAULTS: [Fault; 18] = [
    ("panic", Value::Number, |_| panic!("a fault")),
    ("panic instead of a word", Value::Word, |_| panic!("a fault")),
    ("panic with no words", Value::Number, |_| std::panic::panic_any(17)),
    ("panic with words of its own each time", Value::Number, |random| {
        panic!("at {}", random.random::<u64>())
    }),
    ("index out of bounds", Value::Vector, |random| {
        Vec::from([1.0])[random.random_range(1..4)].into()
    }),
    ("NaN", Value::Number, |_| f64::NAN.into()),
    ("+infinity", Value::Number, |_| f64::INFINITY.into()),
    ("-infinity", Value::Number, |_| f64::NEG_INFINITY.into()),
    ("-0 instead of 0", Value::Zero, |_| (-0.0).into()),
    ("an empty vector", Value::Vector, |_| Vec::new().into()),
    ("an empty vector instead of a number", Value::Number, |_| Vec::new().into()),
    ("an empty text", Value::Word, |_| "".into()),
    ("an error", Value::Number, |_| Err::<f64, _>("a fault").into()),
    ("nothing", Value::Number, |_| None::<f64>.into()),
    ("a text instead of a number", Value::Number, |_| "a fault".into()),
    ("a number instead of a text", Value::Word, |_| 1.5.into()),
    ("a number instead of an integer", Value::Integer, |_| 1.0.into()),
    ("a vector of another length", Value::Vector, |random| {
        vec![laplace(random, 1.0), 1.0, 2.0, 3.0].into()
    }),
];

/// Trials of most audits here.
const TRIALS: u64 = 100_000;

fn finding<O: Into<Outcome>>(
    name: &str,
    epsilon: f64,
    trials: u64,
    release: impl Fn(&f64, &mut Stream) -> O + Send + Sync + 'static,
) -> Finding {
    let audit = Audit::of(name, Claim::pure(epsilon).unwrap(), release);
    // Constants and faults that always come are what some of these tests are about.
    let audit = audit.pair(0.0, 1.0).may_be_constant().may_show_no_difference();
    let mut report = audit.trials(trials).seed(1).report().unwrap();
    report.audits.remove(0)
}

/// Runs a mechanism with each fault in turn, and says whose verdict is another than this one.
fn all_are(
    verdict: Verdict,
    trials: u64,
    release: impl Fn(Fault, &f64, &mut Stream) -> Outcome + Clone + Send + Sync + 'static,
) {
    let mut others = Vec::new();
    for fault in FAULTS {
        let release = release.clone();
        let finding = finding(fault.0, 1.0, trials, move |x, random| release(fault, x, random));
        if finding.verdict != verdict {
            others.push(format!("{}: {}", fault.0, finding.reason()));
        }
    }
    assert!(others.is_empty(), "not {}:\n{}", verdict.word(), others.join("\n"));
}

#[test]
fn a_fault_on_one_dataset_is_a_violation() {
    all_are(Verdict::Violated, 5_000, |(_, value, fault), x, random| {
        if *x == 1.0 { fault(random) } else { value.draw(random, 0.0, 1.0) }
    });
}

/// About 90 of the confirm trials are faults; a claim of ε = 1 falls at 45.
#[test]
fn a_rare_fault_on_one_dataset_is_a_violation() {
    for side in [0.0, 1.0] {
        all_are(Verdict::Violated, TRIALS, move |(_, value, fault), x, random| {
            let fails = *x == side && random.random_bool(1.0 / 500.0);
            if fails { fault(random) } else { value.draw(random, 0.0, 1.0) }
        });
    }
}

#[test]
fn a_fault_on_both_datasets_alike_is_none() {
    for rate in [1.0 / 500.0, 0.5] {
        all_are(Verdict::NotRefuted, 20_000, move |(_, value, fault), x, random| {
            let fails = random.random_bool(rate);
            if fails { fault(random) } else { value.draw(random, *x, 1.0) }
        });
    }
}

#[test]
fn a_fault_that_always_comes_is_audited_all_the_same() {
    all_are(Verdict::NotRefuted, 5_000, |(_, _, fault), _, random| fault(random));
}

/// The values have a loss of 4 (where there is more than one of them).
#[test]
fn values_that_leak_between_faults_are_a_violation() {
    all_are(Verdict::Violated, 40_000, |(_, value, fault), x, random| {
        let value = if matches!(value, Value::Zero) { Value::Number } else { value };
        let fails = random.random_bool(0.5);
        if fails { fault(random) } else { value.draw(random, *x, 0.25) }
    });
}

/// A mechanism that fills batches as a function of the dataset says.
struct Batch<F>(F);

impl<F: Fn(f64, usize, &mut Stream, &mut Outcomes) + Sync> Mechanism<f64> for Batch<F> {
    fn fill(
        &self,
        dataset: &f64,
        runs: usize,
        random: &mut Stream,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        (self.0)(*dataset, runs, random, outcomes);
        Ok(())
    }
    fn capabilities(&self) -> Capabilities<'_, f64> {
        Capabilities::independent()
    }
}

fn batch(fill: impl Fn(f64, usize, &mut Stream, &mut Outcomes) + Send + Sync + 'static) -> Finding {
    let audit = Audit::of_mechanism("batch", Claim::pure(1.0).unwrap(), Batch(fill))
        .may_show_no_difference();
    let report = audit.pair(0.0, 1.0).trials(TRIALS).seed(1).report();
    report.unwrap().audits.remove(0)
}

#[test]
fn a_batch_of_the_wrong_size_is_inconclusive_with_the_counts() {
    fn noise(runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        outcomes.extend_numbers(runs, || laplace(random, 1.0));
    }
    let asked_and_given = |finding: &Finding| -> (i64, i64) {
        assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
        assert!(!finding.as_expected);
        let reason = finding.reason();
        let numbers = reason.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<i64> = numbers.filter_map(|number| number.parse().ok()).collect();
        assert_eq!(numbers.len(), 2, "{}", finding.reason());
        (numbers[0], numbers[1])
    };
    let finding = batch(|_, runs, random, outcomes| noise(runs - 1, random, outcomes));
    let (asked, given) = asked_and_given(&finding);
    assert_eq!(given - asked, -1, "{}", finding.reason());
    let finding = batch(|_, runs, random, outcomes| noise(runs + 2, random, outcomes));
    let (asked, given) = asked_and_given(&finding);
    assert_eq!(given - asked, 2, "{}", finding.reason());
    // On one dataset alone, too: nobody can tell what the missing ones were.
    let finding = batch(|x, runs, random, outcomes| noise(runs - x as usize, random, outcomes));
    let (asked, given) = asked_and_given(&finding);
    assert_eq!(given - asked, -1, "{}", finding.reason());
    let finding = batch(|_, _, _, _| {});
    assert_eq!(asked_and_given(&finding).1, 0);
    // One more than asked, and then a panic that would be yet another.
    let finding = batch(|_, runs, random, outcomes| {
        noise(runs, random, outcomes);
        panic!("late");
    });
    let (asked, given) = asked_and_given(&finding);
    assert_eq!(given - asked, 1, "{}", finding.reason());
}

#[test]
fn a_batch_that_panics_midway_counts_to_there() {
    fn fill(rate: f64, runs: usize, random: &mut Stream, outcomes: &mut Outcomes) {
        for _ in 0..runs {
            assert!(!random.random_bool(rate), "midway");
            outcomes.push_number(laplace(random, 1.0));
        }
    }
    let fair = batch(|_, runs, random, outcomes| fill(0.002, runs, random, outcomes));
    assert_eq!(fair.verdict, Verdict::NotRefuted, "{}", fair.reason());
    assert_eq!(fair.tally.trials(), fair.trials.confirm);
    let one = batch(|x, runs, random, outcomes| fill(0.002 * x, runs, random, outcomes));
    assert_eq!(one.verdict, Verdict::Violated, "{}", one.reason());
    assert_eq!(one.tally.trials(), one.trials.confirm);
}

/// The number of the call is no secret: coins are fair whatever it is. 400 audits at α = 0.05 of a
/// mechanism that releases it, or noise that grows with it: by chance more than 47 are refuted with
/// probability below 1e-7. A pool of one thread makes the calls, and so the test, repeatable.
#[test]
fn a_call_counter_raises_no_false_alarm() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let mechanisms: [fn(&f64, &mut Stream) -> Outcome; 4] = [
        |_, _| CALLS.fetch_add(1, Ordering::Relaxed).into(),
        |_, _| (CALLS.fetch_add(1, Ordering::Relaxed) as f64 / 1e3).into(),
        |_, _| (CALLS.fetch_add(1, Ordering::Relaxed) % 2).into(),
        |_, random| {
            let scale = 1.0 + (CALLS.fetch_add(1, Ordering::Relaxed) % 1000) as f64;
            laplace(random, scale).into()
        },
    ];
    let violated = |seed: u64| {
        let mechanism = mechanisms[seed as usize % mechanisms.len()];
        let audit = Audit::of("counter", Claim::pure(0.0).unwrap(), mechanism).pair(0.0, 1.0);
        let report = audit.trials(3_000).alpha(0.05).seed(seed).report().unwrap();
        report.audits[0].verdict == Verdict::Violated
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alarms = pool.install(|| (0..400).filter(|&seed| violated(seed)).count());
    assert!(alarms <= 47, "{alarms} of 400");
}

#[test]
fn a_megabyte_of_text_is_an_outcome() {
    let text = |length: usize| "x".repeat(length);
    let fair = finding("fair", 0.5, 200, move |_, _| text(1 << 20));
    assert_eq!(fair.verdict, Verdict::NotRefuted, "{}", fair.reason());
    let leaky = finding("leaky", 0.1, 200, move |x, _| text((1 << 20) + *x as usize));
    assert_eq!(leaky.verdict, Verdict::Violated, "{}", leaky.reason());
}

#[test]
fn a_vector_of_a_hundred_thousand_entries_is_an_outcome() {
    let vector = |x: f64, random: &mut Stream| {
        let mut entries = vec![0.0; 100_000];
        entries.fill_with(|| laplace(random, 1.0));
        entries[0] += x;
        entries
    };
    let fair = finding("fair", 1.0, 200, move |x, random| vector(*x, random));
    assert_eq!(fair.verdict, Verdict::NotRefuted, "{}", fair.reason());
    let leaky = finding("leaky", 0.1, 200, move |x, random| vector(100.0 * x, random));
    assert_eq!(leaky.verdict, Verdict::Violated, "{}", leaky.reason());
    let longer = finding("longer", 0.1, 200, |x, _| vec![0.0; 100_000 + *x as usize]);
    assert_eq!(longer.verdict, Verdict::Violated, "{}", longer.reason());
}

/// Answers around 1e15, where a double steps by 1/8, and noise of that size.
#[test]
fn the_scale_of_the_values_does_not_matter() {
    for (offset, unit) in [(1e15, 1.0), (0.0, 1e15), (-1e15, 1e3), (1e300, 1e290), (0.0, 1e-300)] {
        for (epsilon, verdict) in [(1.0, Verdict::NotRefuted), (0.5, Verdict::Violated)] {
            let finding = finding("scaled", epsilon, TRIALS, move |x, random| {
                noisy(random, offset + unit * x, unit)
            });
            assert_eq!(finding.verdict, verdict, "{offset} {unit}: {}", finding.reason());
        }
    }
}

#[test]
fn a_constant_says_nothing_and_another_constant_everything() {
    let constants: [fn(f64) -> Outcome; 4] =
        [|x| x.into(), |x| (x as i64).into(), |x| x.to_string().into(), |x| vec![0.0, x].into()];
    for constant in constants {
        let fair = finding("fair", 0.0, TRIALS, move |_, _| constant(1.0));
        assert_eq!(fair.verdict, Verdict::NotRefuted, "{}", fair.reason());
        assert_eq!(fair.power.detectable, None, "{}", fair.power.words);
        let leaky = finding("leaky", 3.0, TRIALS, move |x, _| constant(*x));
        assert_eq!(leaky.verdict, Verdict::Violated, "{}", leaky.reason());
    }
}

/// Letters in place of the digits of a text: digits would be read as a number.
fn lettered(digits: &str) -> String {
    let letter = |c: char| c.to_digit(16).map_or(c, |digit| char::from(b'a' + digit as u8));
    digits.chars().map(letter).collect()
}

#[test]
fn letters_of_a_text_within_a_list_are_seen() {
    let texts = finding("texts", 1.0, TRIALS, move |x, random| {
        Outcome::Structure(format!("[\"{}\"]", lettered(&(x + laplace(random, 0.1)).to_string())))
    });
    assert_eq!(texts.verdict, Verdict::Violated, "{}", texts.reason());
}

/// What no witness looks into (a number that is scrambled into a text within a list) cannot be found, and no true ε
/// would be.
#[test]
fn outcomes_that_look_alike_promise_nothing() {
    const ALIKE: &str = "looked alike to the witness";
    // The mixer of SplitMix64 (Steele, Lea, Flood 2014).
    let scrambled = |x: f64| {
        let z = x.to_bits();
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let letters = move |x: f64| lettered(&format!("{:016x}", scrambled(x)));
    let spelled = move |x: f64| Outcome::Structure(format!("[\"{}\"]", letters(x)));
    let texts = finding("texts", 1.0, TRIALS, move |x, random| spelled(x + laplace(random, 0.1)));
    assert_eq!(texts.verdict, Verdict::NotRefuted, "{}", texts.reason());
    assert!(texts.power.words.contains(ALIKE), "{}", texts.power.words);
    assert!(texts.power.words.contains("looked only at their shape"), "{}", texts.power.words);
    assert_eq!(texts.power.detectable, None);
    // One outcome in a thousand of another shape on both: it still says the same nearly always.
    let nearly = finding("nearly", 1.0, TRIALS, move |x, random| -> Outcome {
        match random.random_range(0..1000) {
            0 => "".into(),
            _ => spelled(x + laplace(random, 0.1)),
        }
    });
    assert!(!nearly.power.words.contains(ALIKE), "{}", nearly.power.words);
    let numbers = finding("numbers", 1.0, TRIALS, |x, random| noisy(random, *x, 1.0));
    assert!(!numbers.power.words.contains(ALIKE), "{}", numbers.power.words);
    assert!(numbers.power.detectable.is_some(), "{}", numbers.power.words);
}

#[test]
fn nothing_and_a_structure_are_told_apart() {
    let leaky = finding("leaky", 3.0, TRIALS, |x, random| {
        let list = format!("[[{}],[\"a\"]]", random.random::<u32>());
        Outcome::Structure(if *x > 0.5 { "null".into() } else { list })
    });
    assert_eq!(leaky.verdict, Verdict::Violated, "{}", leaky.reason());
    let words = &leaky.witness.description;
    assert!(words.contains("D' when the outcome is nothing"), "{words}");
    assert!(words.contains("D when the outcome is a structure"), "{words}");
}

/// As doubles they would be the same number.
#[test]
fn integers_beyond_2_to_the_53_are_told_apart() {
    let fair = finding("fair", 0.0, TRIALS, |_, _| i64::MAX);
    assert_eq!(fair.verdict, Verdict::NotRefuted, "{}", fair.reason());
    for base in [1i64 << 53, -(1 << 60), i64::MAX - 1] {
        let leaky = finding("leaky", 3.0, TRIALS, move |x, _| base + *x as i64);
        assert_eq!(leaky.verdict, Verdict::Violated, "{base}: {}", leaky.reason());
        let noisy = finding("noisy", 1.0, TRIALS, move |x, random| {
            let noise = laplace(random, 0.25).round() as i64 - 10;
            base.saturating_add(4 * noise).saturating_add(*x as i64)
        });
        assert_eq!(noisy.verdict, Verdict::Violated, "{base}: {}", noisy.reason());
    }
    let beyond = finding("beyond", 3.0, TRIALS, |x, _| u64::MAX - *x as u64);
    assert_eq!(beyond.verdict, Verdict::Violated, "{}", beyond.reason());
}

/// Runs the tests above that panic by the thousand in a process of their own, and listens.
#[test]
fn panics_of_mechanisms_are_not_printed() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "--test-threads", "1"])
        .args([
            "audit::outcomes::a_fault_on_one_dataset_is_a_violation",
            "audit::outcomes::a_batch_that_panics_midway_counts_to_there",
        ])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("2 passed"));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// One outcome in 5 000 differs, of both datasets. Of the 8 000 whose cuts are looked for, all are the same in one audit
/// of five; of ten times as many in none (probability e^-16 each).
#[test]
fn what_is_nearly_constant_is_not_called_constant() {
    for seed in 0..16 {
        let rare =
            |_: &f64, random: &mut Stream| 44.0 + f64::from(random.random_bool(1.0 / 5000.0));
        let audit = Audit::of("rare", Claim::pure(1.0).unwrap(), rare);
        let audit = audit.pair(0.0, 1.0).pair(1.0, 2.0).trials(1_000_000).may_show_no_difference();
        let finding = audit.seed(seed).report().unwrap().audits.remove(0);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "seed {seed}: {}", finding.reason());
    }
}

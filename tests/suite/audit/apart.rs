//! Outcomes that hold numbers within: nested lists and maps, texts; their characters and bits; and noise
//! on a grid that is coarser than the answers.
//!
//! All audits are at the level of a gate, 1e-6, and seeded. What must be found shows with a surplus of
//! six standard deviations or more: a test fails by chance with probability below 1e-6 over the choice
//! of its seeds, and never by a rerun.

use plaudit::finding::Finding;
use plaudit::mechanism::{Entry, Keyed};
use plaudit::{Audit, Claim, Outcome, Stream, Verdict, laplace};
use rand::RngExt;

fn finding(
    epsilon: f64,
    release: impl Fn(&f64, &mut Stream) -> Outcome + Send + Sync + 'static,
) -> Finding {
    let mut audit =
        Audit::of("apart", Claim::pure(epsilon).unwrap(), release).pair(5.0, 4.0).trials(60_000);
    audit = audit.seed(1);
    audit.report().unwrap().audits.remove(0)
}

/// A loss of 3.
fn noisy(at: f64, random: &mut Stream) -> f64 {
    ((at + laplace(random, 1.0 / 3.0)) * 1e6).round() / 1e6
}

fn map(key: &str, json: String) -> Outcome {
    Outcome::Keyed(Keyed::new([(key.to_owned(), Entry::Other(json))]))
}

#[test]
fn numbers_within_lists_maps_and_texts_are_found() {
    type Wrap = fn(f64, &mut Stream) -> Outcome;
    let wraps: [(&str, Wrap); 10] = [
        ("text", |x, _| format!("n={x}").as_str().into()),
        ("words", |x, random| {
            let who = if random.random_bool(0.5) { "alice" } else { "bob" };
            format!("{} of {} for {who}", noisy(0.0, random), x).as_str().into()
        }),
        ("text alone", |x, _| x.to_string().as_str().into()),
        ("pair", |x, _| Outcome::Structure(format!("[\"n\",{x}]"))),
        ("nested", |x, _| Outcome::Structure(format!("[[\"n\",{x}]]"))),
        ("matrix", |x, random| {
            let mut noise = || noisy(0.0, random);
            Outcome::Structure(format!("[[{},{x}],[{},{}]]", noise(), noise(), noise()))
        }),
        ("map of maps", |x, _| map("stat", format!("{{\"n\":{x}}}"))),
        ("map of lists", |x, _| map("counts", format!("[1,{x}]"))),
        ("pairs", |x, random| {
            let (n, m) = (format!("[\"n\",{x}]"), format!("[\"m\",{}]", noisy(4.5, random)));
            let [first, second] = if random.random_bool(0.5) { [n, m] } else { [m, n] };
            Outcome::Structure(format!("[{first},{second}]"))
        }),
        ("failure", |x, random| match random.random_bool(0.9) {
            true => Outcome::Failure(format!("ValueError: {x} is no count")),
            false => 0.0.into(),
        }),
    ];
    for (name, wrap) in wraps {
        let finding = finding(1.0, move |x, random| wrap(noisy(*x, random), random));
        assert_eq!(finding.verdict, Verdict::Violated, "{name}: {}", finding.reason());
        assert!(finding.epsilon_lower > 2.5, "{name}: {}", finding.epsilon_lower);
        assert!(finding.witness.description.contains("taken apart"), "{:?}", finding.witness);
    }
}

#[test]
fn a_right_claim_on_numbers_within_texts_is_not_refuted() {
    let finding = finding(3.0, |x, random| format!("n={}", noisy(*x, random)).as_str().into());
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.epsilon_lower > 2.5, "{}", finding.epsilon_lower);
}

/// A sum of doubles under a key: its low bits tell more than its size.
#[test]
fn low_bits_of_numbers_under_keys_are_found() {
    let finding = finding(1.0, |x, random| {
        let magnitude = -(1.0 - random.random::<f64>()).ln();
        let noise = if random.random_bool(0.5) { magnitude } else { -magnitude };
        let sum = Entry::Number(x - 4.0 + noise);
        let more = Entry::Number(random.random());
        Outcome::Keyed(Keyed::new([("sum".to_owned(), sum), ("other".to_owned(), more)]))
    });
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert_eq!(finding.witness.kind, "lattice", "{:?}", finding.witness);
    assert!(finding.epsilon_lower > 3.0, "{}", finding.epsilon_lower);
}

/// Randomized response on each bit of a one-hot vector: a loss of 2 on a pair, half of it on each of two
/// bits.
fn unary(bits: usize, at: f64, random: &mut Stream) -> impl Iterator<Item = bool> {
    let flips = 1.0 / (1.0 + 1f64.exp());
    let set = at as usize * 7 % bits;
    (0..bits).map(move |bit| (bit == set) != random.random_bool(flips))
}

#[test]
fn characters_of_texts_and_bits_of_integers_are_found() {
    type Release = fn(&f64, &mut Stream) -> Outcome;
    let releases: [(&str, f64, Release); 4] = [
        ("bits as a text", 1.8, |x, random| {
            let bits = unary(40, *x, random).map(|set| if set { '1' } else { '0' });
            bits.collect::<String>().into()
        }),
        ("bits of an integer", 1.8, |x, random| {
            let bits = unary(40, *x, random).enumerate();
            bits.map(|(bit, set)| i64::from(set) << bit).sum::<i64>().into()
        }),
        // One of sixteen letters is the right one, with a loss of 3 in all.
        ("a token", 2.6, |x, random| {
            let mut token = format!("{:016x}", random.random::<u64>()).into_bytes();
            let right = f64::exp(3.0) / (f64::exp(3.0) + 15.0);
            if random.random_bool(right) {
                token[9] = b"0123456789abcdef"[*x as usize];
            } else {
                let other = random.random_range(0..15);
                token[9] = b"0123456789abcdef"[(*x as usize + 1 + other) % 16];
            }
            String::from_utf8(token).expect("it is ASCII").into()
        }),
        // A geometric length, with a loss of 1 for each letter.
        ("a length", 0.8, |x, random| {
            let noise = (laplace(random, 1.0) + 40.0 + x).round().max(0.0);
            let letters = (0..noise as usize).map(|_| random.random_range(b'a'..=b'z') as char);
            letters.collect::<String>().into()
        }),
    ];
    for (name, epsilon, release) in releases {
        let finding = finding(0.5, release);
        println!("{name}: {} by {}", finding.epsilon_lower, finding.witness.description);
        assert_eq!(finding.verdict, Verdict::Violated, "{name}: {}", finding.reason());
        assert!(finding.epsilon_lower > epsilon, "{name}: {}", finding.epsilon_lower);
    }
}

#[test]
fn a_right_claim_on_characters_is_not_refuted() {
    let finding = finding(2.0, |x, random| {
        let bits = unary(40, *x, random).map(|set| if set { '1' } else { '0' });
        bits.collect::<String>().into()
    });
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(finding.epsilon_lower > 1.7, "{}", finding.epsilon_lower);
}

/// The noise has a standard deviation of 400 and is a multiple of 3.
#[test]
fn noise_on_a_coarser_grid_than_the_answers_is_found() {
    for list in [false, true] {
        let finding = finding(1.0, move |x, random| {
            let steps = (laplace(random, 300.0) / 3.0).round();
            let released = x + 3.0 * steps;
            if list { vec![laplace(random, 1.0), released].into() } else { released.into() }
        });
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.epsilon_lower > 7.0, "{}", finding.epsilon_lower);
        assert!(finding.witness.description.contains("divided by 3"), "{:?}", finding.witness);
    }
}

/// The noise takes thousands of values, all of them multiples of a step; the answers are 1.85 and 1.48.
#[test]
fn noise_on_any_grid_that_the_answers_are_not_rounded_to_is_found() {
    for (step, scale) in [(2f64.powi(-10), 1.0), (0.3, 1000.0), (0.077, 77.0)] {
        let finding = finding(1.0, move |x, random| {
            (0.37 * x + step * (laplace(random, scale) / step).round()).into()
        });
        assert_eq!(finding.verdict, Verdict::Violated, "{step}: {}", finding.reason());
        // Of doubles, too, so that two witnesses share α: what the values tell, and what the lowest bits do.
        let both = finding.leaks.iter().flat_map(|leaks| [&leaks.values, &leaks.representation]);
        let best = both.map(|leak| leak.epsilon_lower).fold(finding.epsilon_lower, f64::max);
        assert!(finding.epsilon_lower > 6.9 && best > 7.0, "{step}: {}", finding.reason());
    }
}

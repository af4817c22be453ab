//! Outcomes that are lists, and pairs that compete: weak signals add up, late answers are taken
//! together, the telling pair of many is found.
//!
//! All audits are at the level of a gate, 1e-6, and seeded. What must be found shows with a surplus of
//! six standard deviations or more: a test fails by chance with probability below 1e-6 over the choice
//! of its seeds, and never by a rerun.

use plaudit::finding::Finding;
use plaudit::{Audit, Claim, Outcome, Stream, Verdict, laplace};
use rand::RngExt;

fn findings(
    epsilon: f64,
    pairs: &[(f64, f64)],
    trials: u64,
    release: impl Fn(&f64, &mut Stream) -> Vec<f64> + Clone + Send + Sync + 'static,
) -> Vec<Finding> {
    let audit = |seed| {
        let release = release.clone();
        let released = move |x: &f64, random: &mut Stream| Outcome::from(release(x, random));
        let mut audit =
            Audit::of("lists", Claim::pure(epsilon).unwrap(), released).may_show_no_difference();
        for (d, d_prime) in pairs {
            audit = audit.pair(*d, *d_prime);
        }
        audit.trials(trials).seed(seed).report().unwrap().audits.remove(0)
    };
    (1..=3).map(audit).collect()
}

/// A number of a grid that is coarse enough to say nothing of its terms.
fn noisy(random: &mut Stream, at: f64, scale: f64) -> f64 {
    let step = scale * 2f64.powi(-24);
    ((at + laplace(random, scale)) / step).round() * step
}

/// Each entry has a loss of 0.05 at most, and all twenty together 1.
#[test]
#[ignore = "takes several seconds"]
fn many_weak_signals_add_up() {
    for finding in findings(0.25, &[(0.0, 1.0)], 400_000, |x, random| {
        (0..20).map(|_| noisy(random, *x, 20.0)).collect()
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        let words = &finding.witness.description;
        assert!(words.contains("weighted sum") && words.contains("clip("), "{words}");
        assert!(words.contains("which the certificate has in full"), "{words}");
        assert!(!words.contains("before the last"), "{words}");
    }
}

/// Half of the entries move up and half of them down: alike weights would cancel.
#[test]
#[ignore = "takes several seconds"]
fn weak_signals_of_either_sign_add_up() {
    for finding in findings(0.15, &[(0.0, 1.0)], 400_000, |x, random| {
        let at = |i: usize| if i.is_multiple_of(2) { *x } else { -*x };
        (0..20).map(|i| noisy(random, at(i), 20.0)).collect()
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    }
}

/// A list stops at random, and its last number tells the dataset if the list is long: of any one
/// length with a loss of 0.7 on a tenth of the outcomes, too few for the claim to fall.
#[test]
fn late_answers_are_taken_together() {
    for finding in findings(0.63, &[(0.0, 1.0)], 600_000, |x, random| {
        let length = random.random_range(1..=10);
        let mut list = vec![f64::NAN; length];
        let at = if length > 3 { *x } else { 0.0 };
        list[length - 1] = noisy(random, at, 1.0 / 0.7);
        list
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.epsilon_lower < 0.7 + 1e-9, "{}", finding.epsilon_lower);
    }
}

/// Six answers after one to four noisy numbers: of the 64 ways in which they may be one has a loss of
/// ln 3 and 3 % of D's outcomes, and no single answer nor sum of them tells much.
#[test]
fn answers_are_told_apart_beside_noisy_numbers() {
    const TELLING: u64 = 0b00_0111;
    for finding in findings(0.6, &[(0.0, 1.0)], 400_000, |x, random| {
        let noise = random.random_range(1..=4);
        let mut list: Vec<f64> = (0..noise).map(|_| noisy(random, 0.0, 1.0)).collect();
        let told = random.random::<f64>() < if *x == 0.0 { 0.03 } else { 0.01 };
        let other = random.random_range(0..63);
        let answers = if told { TELLING } else { other + u64::from(other >= TELLING) };
        list.extend((0..6).map(|i| (answers >> i & 1) as f64));
        list
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.epsilon_lower < 3f64.ln(), "{}", finding.epsilon_lower);
    }
}

/// One number of a hundred has a loss of 1, behind those that are looked at one by one in any case.
#[test]
#[ignore = "takes several seconds"]
fn an_entry_far_down_a_long_list_is_found() {
    for finding in findings(0.8, &[(0.0, 1.0)], 200_000, |x, random| {
        (0..100).map(|i| noisy(random, if i == 70 { *x } else { 0.0 }, 1.0)).collect()
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.witness.description.contains("entry 70"), "{:?}", finding.witness);
    }
}

/// One pair of twelve has a loss of 0.5, the others of 0.3.
#[test]
#[ignore = "takes several seconds"]
fn the_telling_pair_of_many_is_found() {
    let mut pairs = [(0.0, 0.6); 12];
    pairs[7] = (0.0, 1.0);
    for finding in findings(0.4, &pairs, 1_000_000, |x, random| vec![noisy(random, *x, 2.0), 1.0]) {
        assert_eq!(finding.pair.d_prime.as_f64(), Some(1.0), "{:?}", finding.pair);
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        let trials = &finding.trials;
        assert_eq!(trials.explore + trials.confirm, trials.total);
        assert!(trials.explore * 10 <= trials.total * 3, "{trials:?}");
    }
}

/// Sixty numbers of pure noise, from which classifiers learn what is chance.
#[test]
fn noise_that_is_learnt_by_heart_is_no_violation() {
    for finding in findings(0.01, &[(0.0, 1.0)], 200_000, |_, random| {
        (0..60).map(|_| noisy(random, 0.0, 1.0)).collect()
    }) {
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
        assert!(finding.epsilon_lower < 1e-9, "{}", finding.epsilon_lower);
    }
}

/// Two entries whose signs mostly agree, or mostly do not, among larger ones that hide their sum, the
/// largest and the smallest: no entry shows anything, and no weighted sum.
#[test]
#[ignore = "takes several seconds"]
fn entries_that_only_tell_together_are_found() {
    for finding in findings(0.4, &[(0.7, 0.3)], 400_000, |agree, random| {
        let (a, b) = (random.random_range(0.1..1.0), random.random_range(0.1..1.0));
        let one: f64 = if random.random_bool(0.5) { 1.0 } else { -1.0 };
        let other = if random.random_bool(*agree) { one } else { -one };
        let large = 1e6 * random.random_range(1.0..2.0);
        let small = -1e6 * random.random_range(1.0..2.0);
        vec![1e3 * one * a, other * b, large, small]
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        // Trees, boxes, products, or how many entries are negative.
        let found_by = [
            "decision trees",
            "boxes of entry 0, entry 1",
            " times ",
            "products of",
            "entries below 0",
        ];
        let words = format!("{} {}", finding.witness.description, finding.witness.statistic);
        assert!(found_by.iter().any(|by| words.contains(by)), "{:?}", finding.witness);
    }
}

/// A hundred counts, of which the one in the middle has a quarter of the noise: a loss of 4 that no
/// other entry, sum, extreme or difference of the first ones shows.
#[test]
fn an_entry_deep_in_a_long_list_is_found() {
    for finding in findings(1.0, &[(0.0, 1.0)], 100_000, |x, random| {
        let at = |i: usize| if i == 57 { (*x, 0.25) } else { (0.0, 1.0) };
        (0..100).map(|i| noisy(random, at(i).0, at(i).1)).collect()
    }) {
        assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
        assert!(finding.epsilon_lower > 3.0, "{}", finding.epsilon_lower);
    }
}

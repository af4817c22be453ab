use super::*;
use crate::inference::Guesses;

const SMALL: u64 = 7;

/// Chances of a right guess, a wrong one and an abstention in a trial of a mechanism that just meets a claim; for a
/// guesser of both datasets randomized response with a δ, for one of one dataset an event of probability e^ε q + δ
/// against q.
fn tight((epsilon, delta): (f64, f64), names_both: bool, busy: f64) -> [f64; 3] {
    let odds = f64::exp(epsilon);
    let (right, wrong) = if names_both {
        let wrong = busy * (1.0 - delta) / (1.0 + odds);
        (odds * wrong + delta, wrong)
    } else {
        let q = busy * (1.0 - delta) / odds;
        (0.5 * (odds * q + delta), 0.5 * q)
    };
    [right, wrong, 1.0 - right - wrong]
}

/// The counts of `trials` trials with their probabilities.
fn nights(trials: u64, chances: [f64; 3]) -> Vec<(Guesses, f64)> {
    let mut all = Vec::new();
    for right in 0..=trials {
        for wrong in 0..=trials - right {
            let none = trials - right - wrong;
            let choose =
                |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
            let ways = choose(trials, right) * choose(trials - right, wrong);
            let power = |p: f64, n: u64| p.powi(i32::try_from(n).unwrap());
            let p = ways
                * power(chances[0], right)
                * power(chances[1], wrong)
                * power(chances[2], none);
            all.push((Guesses { right, made: right + wrong, trials }, p));
        }
    }
    all
}

fn of(guesses: Guesses, names_both: bool) -> Wagers {
    match names_both {
        true => Wagers { both: guesses, ..Wagers::default() },
        false => Wagers { one: guesses, ..Wagers::default() },
    }
}

const CLAIMS: [(f64, f64); 6] =
    [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (3.0, 0.0), (1.0, 0.05), (0.2, 0.3)];

/// The mean of the e-value of a night, exactly, for all small numbers of trials.
#[test]
fn the_mean_of_a_night_is_one_at_most() {
    for claim in CLAIMS {
        for (names_both, busy) in [(true, 1.0), (true, 0.3), (false, 1.0), (false, 0.3)] {
            for trials in 1..=SMALL {
                let mut mean = 0.0;
                let mut whole = 0.0;
                for (guesses, p) in nights(trials, tight(claim, names_both, busy)) {
                    let mut evidence = NightlyEvidence::new(claim, trials);
                    evidence.add([of(guesses, names_both); 2]);
                    mean += p * evidence.ln_e_value().exp();
                    whole += p;
                }
                assert!((whole - 1.0).abs() < 1e-9, "{whole}");
                assert!(mean <= 1.0 + 1e-9, "{claim:?} {names_both} {trials}: {mean}");
                // Of a mechanism that just meets the claim nothing is given away but the reserve.
                assert!(mean >= FIRST - 1e-6, "{claim:?} {names_both} {trials}: {mean}");
            }
        }
    }
}

/// Two nights with witnesses of their own, the second chosen by the first; the game ends after the first at will.
#[test]
fn the_mean_is_one_at_most_wherever_one_stops() {
    for claim in CLAIMS {
        let first = tight(claim, true, 1.0);
        let mut mean = 0.0;
        for (guesses, p) in nights(4, first) {
            let mut evidence = NightlyEvidence::new(claim, 4);
            evidence.add([of(guesses, true); 2]);
            // It stops where it has won, and names one or both after how the first night went.
            if evidence.ln_e_value() > 0.2 {
                mean += p * evidence.ln_e_value().exp();
                continue;
            }
            let names_both = guesses.right % 2 == 0;
            for (later, q) in nights(3, tight(claim, names_both, 0.7)) {
                let mut evidence = evidence;
                evidence.add([of(later, names_both); 2]);
                mean += p * q * evidence.ln_e_value().exp();
            }
        }
        assert!(mean <= 1.0 + 1e-9 && mean > 0.5, "{claim:?}: {mean}");
    }
}

/// The mechanism breaks off where the gambler is about to lose: to leave those nights out would win.
#[test]
fn nights_that_break_off_where_they_would_lose_win_nothing() {
    let claim = (1.0, 0.0);
    let (mut mean, mut careless) = (0.0, 0.0);
    for (first, p) in nights(4, tight(claim, true, 1.0)) {
        for (second, q) in nights(4, tight(claim, true, 1.0)) {
            let mut evidence = NightlyEvidence::new(claim, 4);
            let mut left_out = evidence;
            for guesses in [first, second] {
                if guesses.right < 3 {
                    evidence.add_broken_off();
                } else {
                    evidence.add([of(guesses, true); 2]);
                    left_out.add([of(guesses, true); 2]);
                }
            }
            mean += p * q * evidence.ln_e_value().exp();
            careless += p * q * left_out.ln_e_value().exp();
        }
    }
    assert!(mean <= 1.0, "{mean}");
    assert!(careless > 1.0, "{careless}: the rule is for nothing");
}

/// The better witness of the same trials is not a bet; both together are.
#[test]
fn the_better_of_two_witnesses_is_not_chosen_by_its_counts() {
    let claim = (1.0, 0.0);
    let (mut mean, mut chosen) = (0.0, 0.0);
    for (values, p) in nights(4, tight(claim, true, 1.0)) {
        for (bits, q) in nights(4, tight(claim, true, 1.0)) {
            let night = [of(values, true), of(bits, true)];
            let e = |night| {
                let mut evidence = NightlyEvidence::new(claim, 4);
                evidence.add(night);
                evidence.ln_e_value().exp()
            };
            mean += p * q * e(night);
            chosen += p * q * e([night[0]; 2]).max(e([night[1]; 2]));
        }
    }
    assert!(mean <= 1.0 + 1e-9, "{mean}");
    assert!(chosen > 1.0, "{chosen}");
}

#[test]
fn a_loss_that_no_night_shows_shows_over_many() {
    // 5 % above the claim, at its mean: 1.05 where 1 is claimed, 2 000 trials a night.
    let share = 1.0 / (1.0 + f64::exp(-1.05));
    let night = Guesses { right: (2_000.0 * share) as u64, made: 2_000, trials: 2_000 };
    let mut evidence = NightlyEvidence::new((1.0, 0.0), 2_000);
    evidence.add([of(night, true); 2]);
    assert!(evidence.p_value() > 0.3, "{}", evidence.p_value());
    for _ in 1..100 {
        evidence.add([of(night, true); 2]);
    }
    assert!(evidence.p_value() < 1e-4, "{}", evidence.p_value());
    assert!(evidence.is_sound());
}

#[test]
fn what_cannot_be_is_not_sound() {
    let mut evidence = NightlyEvidence::new((1.0, 0.0), 100);
    evidence.add([of(Guesses { right: 80, made: 100, trials: 100 }, true); 2]);
    assert!(evidence.is_sound());
    let more = NightlyEvidence { most_ln_e_value: -1.0, ..evidence };
    assert!(!more.is_sound());
    let mut wrong = evidence;
    wrong.halves[0].both.right = 101;
    assert!(!wrong.is_sound());
}

/// One night of 10^9 right guesses: the sum of two logarithms may be off by an ulp, so 10^−14 of it is given away.
#[test]
fn the_evidence_of_many_trials_is_rounded_down() {
    let guesses = Guesses { right: 1_000_000_000, made: 1_000_000_000, trials: 1_000_000_000 };
    let night = Wagers { one: Guesses::default(), both: guesses };
    let mut evidence = NightlyEvidence::new((0.0, 0.0), 1_000);
    evidence.add([night, night]);
    let stakes = Stakes::new(0.0, 0.0, evidence.stakes_for);
    let mean = stakes.ln_wealth(night, (0.0, 0.0));
    let given = mean + 0.9f64.ln() - evidence.ln_e_value();
    assert!(mean > 1e8 && (given / (1e-14 * mean) - 1.0).abs() < 0.1, "{mean} {given}");
}

use super::*;

fn counts(right: u64, made: u64, trials: u64) -> Guesses {
    Guesses { right, made, trials }
}

/// Stakes of these fractions with these shares.
fn stakes(all: &[(f64, f64)]) -> Stakes {
    Stakes { all: all.iter().map(|&(stake, share)| (stake, f64::ln(share))).collect() }
}

/// The wealth of one stake, by the definition.
fn wealth(stake: f64, guesses: Guesses, (epsilon, delta): (f64, f64), sides: f64) -> f64 {
    let (fee, power) = (delta * sides / 2.0, |base: f64, n: u64| base.powi(n as i32));
    power(1.0 + stake * (1.0 - fee), guesses.right)
        * power(1.0 - stake * (f64::exp(epsilon) + fee), guesses.made - guesses.right)
        * power(1.0 - stake * fee, guesses.trials - guesses.made)
}

#[test]
fn wealth_is_the_mean_over_the_stakes() {
    let split = stakes(&[(0.4, 0.25), (0.1, 0.75)]);
    for claim in [(0.0, 0.0), (0.5, 0.0), (0.3, 0.1)] {
        for guesses in [counts(0, 0, 3), counts(7, 9, 12), counts(5, 5, 5), counts(1, 6, 6)] {
            let exact = |guesses, sides| {
                0.25 * wealth(0.4, guesses, claim, sides)
                    + 0.75 * wealth(0.1, guesses, claim, sides)
            };
            for (sides, number) in [(Guessed::One, 1.0), (Guessed::Both, 2.0)] {
                let test = BettingTest::new(guesses, sides, split.clone());
                let (value, exact) =
                    (test.ln_e_value(claim.0, claim.1), exact(guesses, number).ln());
                assert!(value <= exact && exact - value < 1e-11, "{value} {exact}");
                let p = (-exact).exp().min(1.0);
                assert!((test.p_value(claim.0, claim.1) - p).abs() < 1e-10);
            }
            // Both kinds of guessers, one after the other.
            let other = counts(3, 4, 6);
            let both =
                |stake| wealth(stake, guesses, claim, 1.0) * wealth(stake, other, claim, 2.0);
            let exact = (0.25 * both(0.4) + 0.75 * both(0.1)).ln();
            let value = split.ln_wealth(Wagers { one: guesses, both: other }, claim);
            assert!(value <= exact && exact - value < 1e-11, "{value} {exact}");
        }
    }
    // 0.4 e^1 > 1: such a stake is not bet, and its share is lost.
    let value = split.ln_wealth(Wagers::of(counts(2, 2, 2), Guessed::One), (1.0, 0.0));
    assert!((value - (0.75 * 1.1f64.powi(2)).ln()).abs() < 1e-11, "{value}");
    assert_eq!(ln_sum([f64::NEG_INFINITY].into_iter()), f64::NEG_INFINITY);
}

/// Made by hand from the rule: one main step of 1/4 for a single trial, four halves of ln 100 for 10^4.
#[test]
fn stakes_are_spread_as_the_rule_says() {
    for (claim, trials, reach, steps) in [
        ((0.0, 0.0), 1, 0.25, 1_usize),
        ((0.0, 0.0), 10_000, f64::ln(100.0), 18),
        ((0.0, 1.0), 20_000, f64::ln(100.0), 18),
    ] {
        let largest = 1.0 / (1.0 + claim.1);
        let Stakes { all } = Stakes::new(claim.0, claim.1, trials);
        assert_eq!(all.len(), 1 + steps + 24);
        assert!((all[0].0 / largest - 0.99).abs() < 1e-12);
        for (i, (stake, ln_share)) in all.iter().enumerate() {
            let (down, share) = if i <= steps {
                (reach * i as f64 / steps as f64, 0.85 / (steps + 1) as f64)
            } else {
                let j = (i - steps) as f64;
                // Σ e^(−j/8), j = 1..24.
                let (r, all) = (f64::exp(-0.125), f64::exp(-3.0));
                (reach + j / 2.0, 0.15 * r.powf(j) / (r * (1.0 - all) / (1.0 - r)))
            };
            let exact = if i == 0 { 0.99 * largest } else { largest * f64::exp(-down) };
            assert!((stake / exact - 1.0).abs() < 1e-12, "{i}: {stake} {exact}");
            assert!((ln_share.exp() / share - 1.0).abs() < 1e-12, "{i}: {ln_share} {share}");
        }
    }
    assert_eq!(stakes(&[]).smallest(), 0.0);
    assert_eq!(stakes(&[(0.5, 0.5), (0.125, 0.5)]).smallest(), 0.125);
}

#[test]
fn the_last_of_what_holds_is_found_from_below() {
    for edge in [1e-9, 0.3, 2.0, 6.999] {
        let found = last(7.0, |x| x <= edge);
        assert!(found <= edge && found >= edge * (1.0 - 2e-12), "{found} {edge}");
    }
    assert_eq!((last(7.0, |_| true), last(7.0, |_| false)), (7.0, 0.0));
}

/// One stake κ and only right guesses: the wealth 1.5^10 does not fall with ε, so the bound is the largest
/// ε at which the stake can be bet; with fees, 1 + κ(1 − δ) = α^(−1/10).
#[test]
fn bounds_of_one_stake_have_closed_forms() {
    let test = BettingTest::new(counts(10, 10, 10), Guessed::Both, stakes(&[(0.5, 1.0)]));
    let bound = test.epsilon_lower(0.0, 0.05);
    assert!((bound - 2f64.ln()).abs() < 1e-10, "{bound}");
    let delta = test.delta_lower(0.0, 0.05);
    assert!((delta - (1.0 - (0.05f64.powf(-0.1) - 1.0) / 0.5)).abs() < 1e-9, "{delta}");
    // 1.5^10 = 57.7 refutes at 0.02 and not at 0.01.
    assert!(test.refutes(0.0, 0.0, 0.02) && !test.refutes(0.0, 0.0, 0.01));
    // Levels are shared evenly; a bound at a large ε holds at each smaller one.
    let curve = test.profile_lower(&[0.0, 0.1], 0.1);
    assert_eq!(curve, [test.delta_lower(0.0, 0.05), test.delta_lower(0.1, 0.05)]);
    let loose = BettingTest::new(counts(99, 100, 100), Guessed::Both, stakes(&[(0.9, 1.0)]));
    let at = [0.0, 0.05, 0.1].map(|epsilon| loose.delta_lower(epsilon, 0.02));
    assert!(at[0] > at[1] && at[1] > at[2] && at[2] > 0.0, "{at:?}");
    assert_eq!(loose.profile_lower(&[0.1, 0.0], 0.04), [at[0], at[0]]);
}

/// Of sums that lose digits, 4 ulps of all that was added are given away: 4 · 2^−52 · (10^15 + 2·10^15 + 10^15) here.
#[test]
fn a_gain_is_rounded_down_by_what_its_terms_may_be_off() {
    let factors = Factors { right: 1.0, wrong: -2.0, none: -0.5 };
    let whole = 1_000_000_000_000_000;
    let gain = factors.gain(counts(whole, 2 * whole, 4 * whole));
    let given = 4e15 * 4.0 * 2f64.powi(-52);
    assert!((-2e15 - gain - given).abs() <= 0.25, "{gain}");
}

//! Closed forms hold the digits of others, and decide what they can.

use plaudit::mechanism::AddedNoise;
use plaudit::report::{Decision, Proof};
use plaudit::verify::prove_closed;
use plaudit::{Claim, Relation};

fn laplace(scale: f64) -> AddedNoise {
    AddedNoise::Laplace { scale }
}

fn gaussian(sigma: f64) -> AddedNoise {
    AddedNoise::Gaussian { sigma }
}

fn proof(noise: AddedNoise, relation: Relation, entries: usize, claim: Claim) -> Proof {
    prove_closed(noise, &relation, entries, &claim).expect("there is a closed form")
}

fn claim(epsilon: f64, delta: f64) -> Claim {
    Claim::approximate(epsilon, delta).unwrap()
}

/// δ(ε) of mpmath with 90 digits: Φ(a/2 − ε/a) − e^ε Φ(−a/2 − ε/a), and 1 − e^((ε − a)/2).
#[test]
fn profiles_have_the_digits_of_others() {
    for (sigma, epsilon, delta) in [
        (2.0, 1.0, "0.006829594983114575384235"),
        (1.0, 1.0, "0.12693673750664394580083"),
        (4.0, 1.5, "8.2138101131633843135725e-11"),
    ] {
        let delta: f64 = delta.parse().unwrap();
        let proof = proof(gaussian(sigma), Relation::L2(1.0), 3, claim(epsilon, 0.5));
        let (lower, upper) = (proof.delta.lower.unwrap(), proof.delta.upper.unwrap());
        assert!(lower <= delta && delta <= upper, "{sigma}: {lower} {delta} {upper}");
        assert!(upper <= lower.next_up(), "{sigma}: {lower} {upper}");
    }
    let proof = proof(laplace(1.0), Relation::L1(1.0), 1, claim(0.5, 0.5));
    let (lower, upper) = (proof.delta.lower.unwrap(), proof.delta.upper.unwrap());
    let delta: f64 = "0.22119921692859513175483".parse().unwrap();
    assert!(lower <= delta && delta <= upper && upper <= lower.next_up(), "{lower} {upper}");
}

#[test]
fn claims_are_decided_by_how_far_answers_move() {
    use Decision::{Refuted, Undecided, Verified};
    let (l1, l2, linf) = (Relation::L1(1.0), Relation::L2(1.0), Relation::Linf(1.0));
    let cases = [
        (laplace(1.0), l1, 5, claim(1.0, 0.0), Verified),
        (laplace(1.0), l1, 5, claim(0.999, 0.0), Refuted),
        (laplace(1.0), linf, 5, claim(4.999, 0.0), Refuted),
        (laplace(1.0), linf, 5, claim(5.0, 0.0), Verified),
        (laplace(1.0), l2, 4, claim(2.0, 0.0), Verified),
        (laplace(1.0), l2, 3, claim(1.733, 0.0), Verified),
        (laplace(1.0), l2, 3, claim(1.732, 0.0), Refuted),
        (laplace(1.0), Relation::Histogram, 4, claim(1.0, 0.0), Verified),
        // 1 − e^(−1/4) = 0.2212 in one entry; of several the bracket is wider.
        (laplace(1.0), l1, 1, claim(0.5, 0.2212), Verified),
        (laplace(1.0), l1, 1, claim(0.5, 0.2211), Refuted),
        (laplace(1.0), l1, 2, claim(0.5, 0.2211), Refuted),
        (laplace(1.0), l1, 2, claim(0.5, 0.2212), Undecided),
        (gaussian(1.0), l2, 7, claim(1.0, 0.126_937), Verified),
        (gaussian(1.0), l2, 7, claim(1.0, 0.126_936), Refuted),
        (gaussian(1.0), linf, 4, claim(1.0, 0.126_937), Refuted),
        (gaussian(1.0), l2, 1, claim(30.0, 0.0), Refuted),
        (gaussian(2.0), l2, 3, Claim::gaussian(0.5).unwrap(), Verified),
        (gaussian(2.0), l2, 3, Claim::gaussian(0.499_999).unwrap(), Refuted),
    ];
    for (noise, relation, entries, claim, decision) in cases {
        let words = format!("{noise:?} {relation} {entries} {claim}");
        let proof = proof(noise, relation, entries, claim);
        assert_eq!(proof.decision, decision, "{words}: {}", proof.statement);
    }
}

/// Bounds on Rényi divergences: α a²/2 for Gaussian noise, and for Laplace noise
/// ln(α/(2α−1) e^((α−1)a) + (α−1)/(2α−1) e^(−αa))/(α−1) of mpmath with 50 digits.
#[test]
fn bounds_on_renyi_divergences_are_decided() {
    use Decision::{Refuted, Undecided, Verified};
    let (l1, l2, linf) = (Relation::L1(1.0), Relation::L2(1.0), Relation::Linf(1.0));
    let renyi = |order, bound| Claim::renyi([(order, bound)]).unwrap();
    let rho = |rho| Claim::zero_concentrated(rho).unwrap();
    let cases = [
        (gaussian(1.0), l2, 3, renyi(4.0, 2.0), Verified),
        (gaussian(1.0), l2, 3, renyi(4.0, 1.999_999), Refuted),
        (gaussian(1.0), linf, 4, renyi(4.0, 8.0), Verified),
        (gaussian(1.0), linf, 4, renyi(4.0, 7.999_999), Refuted),
        (gaussian(2.0), l2, 1, rho(0.125), Verified),
        (gaussian(2.0), l2, 1, rho(0.124_999), Refuted),
        // D_1.5 = 0.512883511, D_2 = 0.619123630, D_64 = 0.989122159 at a = 1.
        (laplace(1.0), l1, 5, renyi(2.0, 0.619_123_7), Verified),
        (laplace(1.0), l1, 5, renyi(2.0, 0.619_123_6), Refuted),
        (laplace(1.0), l1, 1, renyi(1.5, 0.512_883_6), Verified),
        (laplace(1.0), l1, 1, renyi(1.5, 0.512_883_5), Refuted),
        (laplace(1.0), l1, 1, renyi(64.0, 0.989_123), Verified),
        (laplace(1.0), l1, 1, renyi(64.0, 0.989_122), Refuted),
        (laplace(1.0), l1, 1, renyi(1e9, 1.0), Verified),
        (laplace(1.0), l1, 1, renyi(1e9, 0.999_999), Refuted),
        (laplace(1.0), linf, 3, renyi(2.0, 3.0 * 0.619_123_7), Verified),
        (laplace(1.0), linf, 3, renyi(2.0, 3.0 * 0.619_123_6), Refuted),
        (laplace(1.0), l2, 4, renyi(2.0, 0.5), Refuted),
        (laplace(1.0), l2, 4, renyi(2.0, 0.8), Refuted),
        (laplace(1.0), l2, 4, renyi(2.0, 0.81), Undecided),
        // D_α/α is largest at the end, α = 1: e^(-1) = 0.36788.
        (laplace(1.0), l1, 1, rho(0.5), Verified),
        (laplace(1.0), l1, 1, rho(0.38), Verified),
        (laplace(1.0), l1, 1, rho(0.367), Refuted),
    ];
    for (noise, relation, entries, claim, decision) in cases {
        let words = format!("{noise:?} {relation} {entries} {claim}");
        let proof = proof(noise, relation, entries, claim);
        assert_eq!(proof.decision, decision, "{words}: {}", proof.statement);
    }
}

#[test]
fn profiles_and_trade_off_functions_by_points_are_decided() {
    use Decision::{Refuted, Verified};
    let l1 = Relation::L1(1.0);
    let profile = |points: &[(f64, f64)]| Claim::profile(points.to_vec()).unwrap();
    let tradeoff = |points: &[(f64, f64)]| Claim::tradeoff(points.to_vec()).unwrap();
    // Of Laplace noise: 1 - e^a x below e^(-a)/2, e^(-a)/(4x) to 1/2, e^(-a) (1 - x) beyond.
    let e = (-1f64).exp();
    let cases = [
        (laplace(1.0), profile(&[(0.0, 0.3935), (0.5, 0.2213), (1.0, 0.0)]), Verified),
        (laplace(1.0), profile(&[(0.0, 0.3935), (0.5, 0.2211), (1.0, 0.0)]), Refuted),
        (laplace(1.0), profile(&[(0.0, 0.3934), (0.5, 0.2213), (1.0, 0.0)]), Refuted),
        (gaussian(1.0), profile(&[(0.0, 0.383), (1.0, 0.127)]), Verified),
        (gaussian(1.0), profile(&[(0.0, 0.382), (1.0, 0.127)]), Refuted),
        (laplace(1.0), tradeoff(&[(0.0, 1.0), (0.25, e / 1.01), (0.5, e / 2.02)]), Refuted),
        (laplace(1.0), tradeoff(&[(0.0, 0.99), (0.2, 0.4), (0.45, 0.15), (0.99, 0.0)]), Verified),
        (laplace(1.0), tradeoff(&[(0.0, 0.99), (0.2, 0.47), (0.45, 0.15), (0.99, 0.0)]), Refuted),
        (gaussian(1.0), tradeoff(&[(0.0, 0.8), (0.2, 0.4), (0.5, 0.1), (0.9, 0.0)]), Verified),
        (gaussian(1.0), tradeoff(&[(0.0, 0.8), (0.16, 0.5), (0.5, 0.17), (0.9, 0.0)]), Refuted),
    ];
    for (noise, claim, decision) in cases {
        let words = format!("{noise:?} {claim}");
        let proof = proof(noise, l1, 1, claim);
        assert_eq!(proof.decision, decision, "{words}: {}", proof.statement);
    }
}

#[test]
fn epsilon_lies_in_its_bracket() {
    let found = proof(laplace(4.0), Relation::Linf(1.0), 3, claim(1.0, 0.0));
    assert_eq!((found.epsilon.lower, found.epsilon.upper), (Some(0.75), Some(0.75)));
    let found = proof(gaussian(1.0), Relation::L2(1.0), 1, claim(1.0, 0.0));
    assert_eq!(found.epsilon.lower, None);
    // The profile at 1 is 0.1269367…, so that ε at that δ is 1.
    let delta = 0.126_936_737_506_643_94;
    let found = proof(gaussian(1.0), Relation::L2(1.0), 1, claim(2.0, delta));
    let (lower, upper) = (found.epsilon.lower.unwrap(), found.epsilon.upper.unwrap());
    assert!((lower - 1.0).abs() < 1e-11 && (upper - 1.0).abs() < 1e-11, "{lower} {upper}");
    assert!(lower <= upper);
    let words = &found.statement;
    assert!(words.contains("closed form") && words.contains("real numbers"), "{words}");
}

#[test]
fn relations_of_rows_and_other_claims_have_no_closed_form() {
    let pure = claim(1.0, 0.0);
    assert!(prove_closed(laplace(1.0), &Relation::Substitution, 1, &pure).is_none());
    let mu = Claim::gaussian(1.0).unwrap();
    assert!(prove_closed(laplace(1.0), &Relation::L1(1.0), 1, &mu).is_none());
}

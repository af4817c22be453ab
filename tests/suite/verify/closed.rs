//! Closed forms hold the digits of others, and decide what they can.

use plaudit::finding::{Decision, Proof};
use plaudit::mechanism::{AddedNoise, Release};
use plaudit::verify::prove_closed;
use plaudit::{Claim, Relation};

fn laplace(scale: f64) -> AddedNoise {
    AddedNoise::Laplace { scale }
}

fn gaussian(sigma: f64) -> AddedNoise {
    AddedNoise::Gaussian { sigma }
}

fn once(noise: AddedNoise) -> Release {
    Release { noise, count: 1, of_one_entry: false }
}

fn proof(noise: AddedNoise, relation: Relation, entries: usize, claim: Claim) -> Proof {
    prove_closed(&[once(noise)], &relation, entries, &claim).expect("there is a closed form")
}

fn is_decided(
    releases: &[Release],
    relation: Relation,
    entries: usize,
    claim: &Claim,
    decision: Decision,
) {
    let words = format!("{releases:?} {relation} {entries} {claim}");
    let proof = prove_closed(releases, &relation, entries, claim).expect(&words);
    assert_eq!(proof.decision, decision, "{words}: {}", proof.statement);
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
        (laplace(1.0), l1.clone(), 5, claim(1.0, 0.0), Verified),
        (laplace(1.0), l1.clone(), 5, claim(0.999, 0.0), Refuted),
        (laplace(1.0), linf.clone(), 5, claim(4.999, 0.0), Refuted),
        (laplace(1.0), linf.clone(), 5, claim(5.0, 0.0), Verified),
        (laplace(1.0), l2.clone(), 4, claim(2.0, 0.0), Verified),
        (laplace(1.0), l2.clone(), 3, claim(1.733, 0.0), Verified),
        (laplace(1.0), l2.clone(), 3, claim(1.732, 0.0), Refuted),
        (laplace(1.0), Relation::Histogram, 4, claim(1.0, 0.0), Verified),
        // 1 − e^(−1/4) = 0.2212 in one entry; of several the bracket is wider.
        (laplace(1.0), l1.clone(), 1, claim(0.5, 0.2212), Verified),
        (laplace(1.0), l1.clone(), 1, claim(0.5, 0.2211), Refuted),
        (laplace(1.0), l1.clone(), 2, claim(0.5, 0.2211), Refuted),
        (laplace(1.0), l1, 2, claim(0.5, 0.2212), Undecided),
        (gaussian(1.0), l2.clone(), 7, claim(1.0, 0.126_937), Verified),
        (gaussian(1.0), l2.clone(), 7, claim(1.0, 0.126_936), Refuted),
        (gaussian(1.0), linf, 4, claim(1.0, 0.126_937), Refuted),
        (gaussian(1.0), l2.clone(), 1, claim(30.0, 0.0), Refuted),
        (gaussian(2.0), l2.clone(), 3, Claim::gaussian(0.5).unwrap(), Verified),
        (gaussian(2.0), l2, 3, Claim::gaussian(0.499_999).unwrap(), Refuted),
    ];
    for (noise, relation, entries, claim, decision) in cases {
        is_decided(&[once(noise)], relation, entries, &claim, decision);
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
        (gaussian(1.0), l2.clone(), 3, renyi(4.0, 2.0), Verified),
        (gaussian(1.0), l2.clone(), 3, renyi(4.0, 1.999_999), Refuted),
        (gaussian(1.0), linf.clone(), 4, renyi(4.0, 8.0), Verified),
        (gaussian(1.0), linf.clone(), 4, renyi(4.0, 7.999_999), Refuted),
        (gaussian(2.0), l2.clone(), 1, rho(0.125), Verified),
        (gaussian(2.0), l2.clone(), 1, rho(0.124_999), Refuted),
        // D_1.5 = 0.512883511, D_2 = 0.619123630, D_64 = 0.989122159 at a = 1.
        (laplace(1.0), l1.clone(), 5, renyi(2.0, 0.619_123_7), Verified),
        (laplace(1.0), l1.clone(), 5, renyi(2.0, 0.619_123_6), Refuted),
        (laplace(1.0), l1.clone(), 1, renyi(1.5, 0.512_883_6), Verified),
        (laplace(1.0), l1.clone(), 1, renyi(1.5, 0.512_883_5), Refuted),
        (laplace(1.0), l1.clone(), 1, renyi(64.0, 0.989_123), Verified),
        (laplace(1.0), l1.clone(), 1, renyi(64.0, 0.989_122), Refuted),
        (laplace(1.0), l1.clone(), 1, renyi(1e9, 1.0), Verified),
        (laplace(1.0), l1.clone(), 1, renyi(1e9, 0.999_999), Refuted),
        (laplace(1.0), linf.clone(), 3, renyi(2.0, 3.0 * 0.619_123_7), Verified),
        (laplace(1.0), linf, 3, renyi(2.0, 3.0 * 0.619_123_6), Refuted),
        (laplace(1.0), l2.clone(), 4, renyi(2.0, 0.5), Refuted),
        (laplace(1.0), l2.clone(), 4, renyi(2.0, 0.8), Refuted),
        (laplace(1.0), l2, 4, renyi(2.0, 0.81), Undecided),
        // D_α/α is largest at the end, α = 1: e^(-1) = 0.36788.
        (laplace(1.0), l1.clone(), 1, rho(0.5), Verified),
        (laplace(1.0), l1.clone(), 1, rho(0.38), Verified),
        (laplace(1.0), l1, 1, rho(0.367), Refuted),
    ];
    for (noise, relation, entries, claim, decision) in cases {
        is_decided(&[once(noise)], relation, entries, &claim, decision);
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
        is_decided(&[once(noise)], l1.clone(), 1, &claim, decision);
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

/// The least μ for which Laplace noise is μ-GDP, of mpmath: where both profiles meet at ε = 0,
/// Φ(−μ/2) = e^(−a/2)/2.
#[test]
fn curves_are_decided_at_every_point() {
    use Decision::{Refuted, Undecided, Verified};
    let (l1, linf) = (Relation::L1(1.0), Relation::Linf(1.0));
    let mu = |mu| Claim::gaussian(mu).unwrap();
    let composition =
        |events: &str| Claim::composition(events.parse().expect("a composition")).expect("a claim");
    let cases = [
        (laplace(1.0), l1.clone(), 1, mu(1.030_064), Verified),
        (laplace(1.0), l1.clone(), 1, mu(1.030_063), Refuted),
        (laplace(10.0), l1.clone(), 1, mu(0.122_326), Verified),
        (laplace(10.0), l1.clone(), 1, mu(0.122_325), Refuted),
        (laplace(0.25), l1.clone(), 1, mu(2.986_78), Verified),
        (laplace(0.25), l1.clone(), 1, mu(2.986_77), Refuted),
        // Of several entries only a bound is known.
        (laplace(1.0), l1.clone(), 3, mu(1.3), Verified),
        (laplace(1.0), l1.clone(), 3, mu(1.031), Undecided),
        (laplace(1.0), l1.clone(), 3, mu(1.030), Refuted),
        // The same law, a smaller and a larger one.
        (laplace(1.0), l1.clone(), 1, composition("laplace(scale=1)"), Verified),
        (laplace(1.0), l1.clone(), 1, composition("laplace(scale=1.01)"), Refuted),
        (laplace(1.0), l1.clone(), 1, composition("laplace(scale=0.99)"), Verified),
        (laplace(1.0), linf.clone(), 3, composition("laplace(scale=1) x 3"), Verified),
        (laplace(1.0), linf.clone(), 3, composition("laplace(scale=1) x 2"), Refuted),
        (
            laplace(1.0),
            l1.clone(),
            1,
            composition("gaussian(sigma=0.9) + laplace(scale=5)"),
            Verified,
        ),
        (laplace(1.0), l1.clone(), 1, composition("gaussian(sigma=1)"), Refuted),
        (
            gaussian(2.0),
            linf.clone(),
            4,
            composition("gaussian(sigma=2) + gdp(mu=0.4) + laplace(scale=100)"),
            Refuted,
        ),
        (gaussian(2.0), linf, 4, composition("gaussian(sigma=1.25) + gdp(mu=0.7)"), Verified),
        (gaussian(1.0), l1.clone(), 1, composition("laplace(scale=1) x 3"), Refuted),
        // Exceeded far out alone, where delta is some 10^-61.
        (gaussian(1.0), l1, 1, composition("gdp(mu=0.94) + laplace(scale=1)"), Refuted),
    ];
    for (noise, relation, entries, claim, decision) in cases {
        is_decided(&[once(noise)], relation, entries, &claim, decision);
    }
}

#[test]
fn claims_of_groups_are_decided_for_datasets_that_far_apart() {
    use Decision::{Refuted, Verified};
    let (l1, l2) = (Relation::L1(1.0), Relation::L2(1.0));
    let group = |claim: Claim, size| claim.for_groups(size).unwrap();
    let tradeoff = |points: &[(f64, f64)]| Claim::tradeoff(points.to_vec()).unwrap();
    let cases = [
        (laplace(1.0), l1.clone(), group(claim(1.0, 0.0), 3), Verified),
        (laplace(1.0), l1.clone(), group(claim(0.999, 0.0), 3), Refuted),
        (gaussian(2.0), l2.clone(), group(Claim::gaussian(0.5).unwrap(), 4), Verified),
        (gaussian(2.0), l2.clone(), group(Claim::gaussian(0.499_999).unwrap(), 4), Refuted),
        (gaussian(2.0), l2.clone(), group(Claim::zero_concentrated(0.125).unwrap(), 3), Verified),
        (
            gaussian(2.0),
            l2.clone(),
            group(Claim::zero_concentrated(0.124_999).unwrap(), 3),
            Refuted,
        ),
        (gaussian(1.0), l2.clone(), group(claim(1.0, 0.127), 2), Verified),
        // (ε, δ) says more of groups than the noise keeps to, but not of such.
        (gaussian(1.0), l2, group(claim(1.0, 0.01), 2), Refuted),
        (
            laplace(1.0),
            l1.clone(),
            group(tradeoff(&[(0.0, 0.99), (0.2, 0.4), (0.45, 0.15)]), 2),
            Verified,
        ),
        (
            laplace(0.5),
            l1.clone(),
            group(tradeoff(&[(0.0, 0.99), (0.2, 0.4), (0.45, 0.15)]), 2),
            Refuted,
        ),
    ];
    for (noise, relation, claim, decision) in cases {
        is_decided(&[once(noise)], relation, 1, &claim, decision);
    }
    let found = proof(laplace(1.0), l1, 1, group(claim(1.0, 0.0), 3));
    assert_eq!((found.epsilon.lower, found.epsilon.upper), (Some(3.0), Some(3.0)));
    assert!(found.statement.contains("3 neighbors apart"), "{}", found.statement);
}

/// Compositions: sums of the forms that add up, and the profiles of the accountant (ε of 50 Laplace
/// releases at δ = 10⁻⁵ is 39.5788 by dp-accounting 0.6.0; the Gaussian profile as above).
#[test]
fn several_releases_are_accounted_for() {
    use Decision::{Refuted, Undecided, Verified};
    let (l1, linf) = (Relation::L1(1.0), Relation::Linf(1.0));
    let times = |noise, count, of_one_entry| Release { noise, count, of_one_entry };
    let renyi = |order, bound| Claim::renyi([(order, bound)]).unwrap();
    let mixed = [times(laplace(2.0), 2, false), times(gaussian(2.0), 3, true)];
    let cases: [(&[Release], Relation, usize, Claim, Decision); 20] = [
        (&[times(laplace(1.0), 50, false)], l1.clone(), 1, claim(39.579, 1e-5), Verified),
        (&[times(laplace(1.0), 50, false)], l1.clone(), 1, claim(39.578, 1e-5), Refuted),
        (&[times(laplace(10.0), 10, false)], linf.clone(), 1, claim(1.0, 0.0), Verified),
        (&[times(laplace(10.0), 10, false)], linf.clone(), 1, claim(0.999, 0.0), Refuted),
        (&[times(laplace(10.0), 5, true)], linf.clone(), 7, claim(0.5, 0.0), Verified),
        (&[times(laplace(10.0), 5, true)], linf.clone(), 7, claim(0.499, 0.0), Refuted),
        // Not all entries move under L1: each release may be of another.
        (
            &[times(laplace(10.0), 1, true), once(laplace(5.0))],
            l1.clone(),
            7,
            claim(0.29, 0.0),
            Undecided,
        ),
        (
            &[times(laplace(10.0), 1, true), once(laplace(5.0))],
            l1.clone(),
            7,
            claim(0.19, 0.0),
            Refuted,
        ),
        (&[times(gaussian(2.0), 4, false)], l1.clone(), 1, Claim::gaussian(1.0).unwrap(), Verified),
        (
            &[times(gaussian(2.0), 4, false)],
            l1.clone(),
            1,
            Claim::gaussian(0.999).unwrap(),
            Refuted,
        ),
        (&[times(gaussian(2.0), 4, false)], l1.clone(), 1, claim(1.0, 0.126_937), Verified),
        (&[times(gaussian(2.0), 4, false)], l1.clone(), 1, claim(1.0, 0.126_936), Refuted),
        (&[times(gaussian(2.0), 4, false)], l1.clone(), 1, renyi(8.0, 4.0), Verified),
        (&[times(gaussian(2.0), 4, false)], l1.clone(), 1, renyi(8.0, 3.999), Refuted),
        // D_2 of Laplace noise at a = 1 is 0.619123630; Gaussian noise of σ = 2 has 3/4 at α = 2.
        (&[times(laplace(1.0), 3, false)], l1.clone(), 1, renyi(2.0, 1.857_371), Verified),
        (&[times(laplace(1.0), 3, false)], l1, 1, renyi(2.0, 1.857_370), Refuted),
        (&mixed, linf.clone(), 1, renyi(2.0, 1.2), Verified),
        (&mixed, linf.clone(), 1, renyi(2.0, 1.0), Refuted),
        (&mixed, linf.clone(), 1, claim(1.0, 0.0), Refuted),
        (&mixed, linf, 1, claim(8.0, 1e-3), Verified),
    ];
    for (releases, relation, entries, claim, decision) in cases {
        is_decided(releases, relation, entries, &claim, decision);
    }
}

#[test]
fn relations_of_rows_have_no_closed_form() {
    let pure = claim(1.0, 0.0);
    assert!(prove_closed(&[once(laplace(1.0))], &Relation::Substitution, 1, &pure).is_none());
}

/// Neighbors that are the same dataset, of a sensitivity of 0: nothing is divided by it.
#[test]
fn distances_of_zero_have_no_closed_form() {
    for noise in [laplace(1.0), gaussian(1.0)] {
        for relation in [Relation::L1(0.0), Relation::L2(0.0), Relation::Linf(0.0)] {
            for releases in [vec![once(noise)], vec![once(noise), once(laplace(2.0))]] {
                let mu = Claim::gaussian(0.1).unwrap();
                for claim in [claim(1.0, 0.0), claim(1.0, 1e-5), mu] {
                    assert!(prove_closed(&releases, &relation, 2, &claim).is_none(), "{relation}");
                }
            }
        }
    }
}

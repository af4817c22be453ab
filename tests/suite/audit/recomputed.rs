//! What a certificate states follows from its own counts, guesses, level and claim, as a reader would work it
//! out: no trial lost, no side exchanged, no other level. The audits are of claims broken far beyond chance
//! (each is missed with probability below 1e-9).

use plaudit::inference::{EventCounts, EventTest, Guesses, Test};
use plaudit::tally::Guess;
use plaudit::{Audit, Certificate, Claim, Outcome, Stream, laplace};
use rand::RngExt;

const ALPHA: f64 = 1e-6;

type Release = fn(&f64, &mut Stream) -> Outcome;

fn certificate(claim: Claim, release: Release) -> Certificate {
    let audit = Audit::of("a", claim, release).pair(0.0, 1.0).trials(40_000).alpha(ALPHA).seed(1);
    let audited = audit.run(plaudit::game::Control::unattended()).unwrap();
    audited.certificate.unwrap_or_else(|| panic!("{}", audited.finding.reason()))
}

/// Trials under D and under D' in the bins of which the witness says this.
fn said(certificate: &Certificate, side: Guess) -> (u64, u64) {
    let says = certificate.witness.says.iter();
    let bins = says.enumerate().filter(|(_, says)| **says == side).map(|(bin, _)| bin);
    bins.fold((0, 0), |(d, d_prime), bin| {
        (d + certificate.tally.d[bin], d_prime + certificate.tally.d_prime[bin])
    })
}

/// p-value and lower bounds on ε and δ.
fn recomputed(certificate: &Certificate) -> (f64, f64, f64) {
    let n: u64 = certificate.tally.d.iter().sum();
    let m: u64 = certificate.tally.d_prime.iter().sum();
    assert_eq!(n + m, certificate.confirm, "every trial is counted, once");
    let (epsilon, delta) = certificate.claim.reference_point();
    let [(d_on_d, d_on_d_prime), (d_prime_on_d, d_prime_on_d_prime)] =
        [Guess::D, Guess::DPrime].map(|side| said(certificate, side));
    let event = |hits, n, other_hits, other_n| {
        let counts = EventCounts { hits, n, other_hits, other_n };
        let corner = certificate.witness.corner;
        let test = EventTest::with_corner(counts, &certificate.claim, ALPHA, corner);
        let p_value = test.p_value(certificate.claim.region());
        (p_value, test.epsilon_lower(delta), test.delta_lower(epsilon))
    };
    match certificate.test {
        Test::Guess => {
            let right = d_on_d + d_prime_on_d_prime;
            let made = right + d_on_d_prime + d_prime_on_d;
            let guesses = Guesses { right, made, trials: n + m };
            let p_value = guesses.p_value(epsilon, delta, ALPHA);
            (p_value, guesses.epsilon_lower(delta, ALPHA), guesses.delta_lower(epsilon, ALPHA))
        }
        Test::EventD => event(d_on_d, n, d_on_d_prime, m),
        Test::EventDPrime => event(d_prime_on_d_prime, m, d_prime_on_d, n),
        other => panic!("{other:?}"),
    }
}

#[test]
fn certified_numbers_follow_from_the_counts() {
    let pure = || Claim::pure(0.5).unwrap();
    let approximate = || Claim::approximate(0.5, 0.01).unwrap();
    // Whole numbers: the lowest bits of doubles would be a second leak, which shares the level.
    let noisy = |x: &f64, random: &mut Stream| (8.0 * x + laplace(random, 2.0)).round().into();
    // One dataset alone answers "seen", and a tenth of the time.
    let seen_on_d = |x: &f64, random: &mut Stream| -> Outcome {
        if *x == 0.0 && random.random_bool(0.1) { "seen" } else { "nothing" }.into()
    };
    let seen_on_d_prime = |x: &f64, random: &mut Stream| -> Outcome {
        if *x == 1.0 && random.random_bool(0.1) { "seen" } else { "nothing" }.into()
    };
    let fails_on_d = |x: &f64, random: &mut Stream| -> Outcome {
        if *x == 0.0 && random.random_bool(0.1) {
            Outcome::Failure("broken".into())
        } else {
            laplace(random, 8.0).round().into()
        }
    };
    let cases: [(Claim, Release); 8] = [
        (pure(), noisy),
        (approximate(), noisy),
        (Claim::gaussian(0.5).unwrap(), noisy),
        (pure(), seen_on_d),
        (approximate(), seen_on_d_prime),
        (pure(), fails_on_d),
        (Claim::gaussian(0.1).unwrap(), seen_on_d),
        (Claim::gaussian(0.1).unwrap(), seen_on_d_prime),
    ];
    let mut tests = Vec::new();
    for (claim, release) in cases {
        let certificate = certificate(claim, release);
        let (p_value, epsilon_lower, delta_lower) = recomputed(&certificate);
        let case = format!("{:?}, {:?}", certificate.claim, certificate.test);
        // A p-value below the range of a double is given as the least normal number.
        assert_eq!(certificate.p_value, p_value.max(f64::MIN_POSITIVE), "{case}");
        assert_eq!(certificate.epsilon_lower, epsilon_lower, "{case}");
        assert_eq!(certificate.delta_lower, delta_lower, "{case}");
        assert_eq!(certificate.alpha, ALPHA, "{case}");
        tests.push(certificate.test);
    }
    for test in [Test::Guess, Test::EventD, Test::EventDPrime] {
        assert!(tests.contains(&test), "{test:?} was not among {tests:?}");
    }
}

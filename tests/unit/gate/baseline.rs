use super::*;

#[test]
fn a_claim_is_looser_if_it_allows_more_anywhere() {
    let claim = |epsilon, delta| Claim::approximate(epsilon, delta).unwrap();
    for (old, new, looser) in [
        (claim(1.0, 0.0), claim(1.0, 0.0), false),
        (claim(1.0, 0.0), claim(0.5, 0.0), false),
        (claim(1.0, 0.0), claim(1.001, 0.0), true),
        (claim(1.0, 0.0), claim(1.0, 1e-12), true),
        (claim(1.0, 1e-5), claim(1.0, 1e-6), false),
        // More δ at a smaller ε, or less at a larger one: neither implies the other.
        (claim(1.0, 1e-6), claim(0.5, 1e-3), true),
        (claim(0.5, 1e-3), claim(1.0, 1e-6), true),
        (Claim::gaussian(1.0).unwrap(), Claim::gaussian(1.1).unwrap(), true),
        (Claim::gaussian(1.0).unwrap(), Claim::gaussian(0.9).unwrap(), false),
    ] {
        assert_eq!(is_looser(&old, &new), looser, "{old} to {new}");
    }
}

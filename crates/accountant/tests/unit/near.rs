use super::*;

#[test]
fn what_is_near_is_found_and_nothing_else() {
    let known = ["laplace", "gaussian-in-floats", "gaussian", "l1", "d_prime"];
    for (given, near) in [
        ("laplce", Some("laplace")),
        ("gausian", Some("gaussian")),
        ("gauss", Some("gaussian")),
        ("dprime", Some("d_prime")),
        ("l3", Some("l1")),
        ("ga", None),
        ("friendship", None),
        ("", None),
    ] {
        assert_eq!(nearest(given, &known), near, "{given}");
    }
    assert_eq!(nearest("x", &[]), None);
}
